/* SPDX-License-Identifier: Apache-2.0 */
/* Config command: reading a configuration without starting anything, and explaining it. */
#include "cli/config_command.h"

#include "base/ident.h"
#include "cli/config_flags.h"
#include "cli/config_schema.h"
#include "cli/place.h"

#include <stdio.h>
#include <unistd.h>

extern char **environ;

AUTO_RELEASE(loop, loop_close)
AUTO_RELEASE(identity, identity_close)

/* Check */

static const struct command_option check_options[] = {
	{"config", "FILE", "the file; default as for serve"},
	{"set", "KEY=VALUE", "as for serve"},
	{"data", "DIR", "the data folder, for --explain-privileges"},
	{"open", NULL, "as if the gateway ran in open mode"},
	{"explain-privileges", NULL, "with two more words: what ID may in TOPIC, and why"},
	{0},
};

static const struct command_form check_form = {
	.name = "config check",
	.usage = "[FILE] [options]",
	.summary = "Reads the configuration as `serve` would, and says what is wrong with it.",
	.more = "Examples\n"
		"  hustings config check rooms.toml\n"
		"  hustings config check rooms.toml --explain-privileges alice lobby",
	.options = check_options,
	.most = 3,
	.prints = true,
};

struct question {
	const char *file; /* NULL: looked for */
	const char *id;   /* NULL: nothing is to be explained */
	const char *topic;
};

static bool explain(const struct command_line *line, const struct config *config,
	const struct question *question, struct text *json, struct text *words, struct fault *why) {
	char data[PLACE_PATH];
	enum privilege privilege;
	AUTO_TEXT struct text reason = {0};
	const struct principal_facts facts = {.privilege = PRIVILEGE_UNSAID, .id = slice_of(question->id)};
	struct identity_settings settings = {
		.is_open = command_has(line, "open"),
		.default_privilege = config->default_privilege,
		.rules = config->identities.items,
		.rule_count = config->identities.count,
	};
	text_init(&reason, 0);
	if (!place_find(config->data, data, why)) return false;
	AUTO(loop) loop = loop_open(why);
	if (!loop) return false;
	AUTO(state) state = state_open(data, why);
	if (!state) return false;
	AUTO(identity) identity = identity_open(loop, state, &settings, NULL, why);
	if (!identity) return false;
	AUTO(principal) principal = principal_make(&facts, why);
	if (!principal || !identity_privilege(identity, principal, slice_of(question->topic), &privilege, &reason, why))
		return false;
	text_printf(words, "%s is %s in %s: %s\n"
			   "a token or claim that names a privilege comes before rules and default\n",
		question->id, privilege_text(privilege), question->topic, reason.bytes ? reason.bytes : "");
	text_printf(json, ",\"privilege\":\"%s\",\"reason\":", privilege_text(privilege));
	text_json(json, text_slice(&reason));
	return true;
}

/* FILE, or ID TOPIC behind --explain-privileges, or all three. */
static bool read_words(const struct command_line *line, struct question *question) {
	bool explains = command_has(line, "explain-privileges");
	size_t before = explains ? 2 : 0;
	*question = (struct question){.file = command_value(line, "config")};
	if (line->count < before || line->count > before + 1) return false;
	if (line->count == before + 1) question->file = line->words[0];
	if (explains) {
		question->id = line->words[line->count - 2];
		question->topic = line->words[line->count - 1];
	}
	return true;
}

static void write_result(const struct config *config, struct text *json, struct text *words) {
	text_add_cstr(json, "{\"ok\":true,\"file\":");
	if (config->file) text_json(json, slice_of(config->file));
	else text_add_cstr(json, "null");
	text_add_cstr(json, ",\"unused\":");
	text_json(json, text_slice(&config->later));
	if (config->file) text_printf(words, "%s is fine\n", config->file);
	else text_add_cstr(words, "there is no configuration file: the defaults hold\n");
	if (config->later.length)
		text_printf(words, "not used by this version: %s\n", config->later.bytes);
}

static int check(int argc, char **argv) {
	AUTO_COMMAND struct command_line line = {0};
	AUTO_TEXT struct text json = {0}, words = {0};
	struct question question;
	struct fault why;
	int status;
	text_init(&json, 0);
	text_init(&words, 0);
	if (!command_read(&line, &check_form, argc, argv, &status)) return status;
	if (!read_words(&line, &question))
		return command_misuse(&check_form, "write [FILE], and ID TOPIC with --explain-privileges");
	if (question.topic && (!ident_is_topic(slice_of(question.topic)) || !ident_is_identity(slice_of(question.id))))
		return command_misuse(&check_form, "--explain-privileges needs the name of an identity and of a topic");
	AUTO(config) config = config_flags_read(&line, question.file, environ, &why);
	if (!config) return command_fail(&why);
	write_result(config, &json, &words);
	if (question.id && !explain(&line, config, &question, &json, &words, &why)) return command_fail(&why);
	text_add_cstr(&json, "}\n");
	return command_print(text_slice(command_has(&line, "json") ? &json : &words)) ? COMMAND_FINE
										      : COMMAND_FAILED;
}

/* Schema */

static const struct command_form schema_form = {
	.name = "config schema",
	.usage = "[--json]",
	.summary = "Prints all keys: what they are for, what they may be, what they are by default.",
	.prints = true,
};

static int schema(int argc, char **argv) {
	AUTO_COMMAND struct command_line line = {0};
	AUTO_TEXT struct text text = {0};
	int status;
	text_init(&text, 0);
	if (!command_read(&line, &schema_form, argc, argv, &status)) return status;
	if (command_has(&line, "json")) config_schema_write_json(&text);
	else config_schema_write(&text);
	return command_print(text_slice(&text)) ? COMMAND_FINE : COMMAND_FAILED;
}

static const struct command verbs[] = {
	{"check", "reads the configuration and says what is wrong", check},
	{"schema", "prints all keys", schema},
	{0},
};

int config_command(int argc, char **argv) {
	return command_choose(verbs, "hustings config", NULL, argc, argv);
}
