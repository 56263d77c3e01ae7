/* SPDX-License-Identifier: Apache-2.0 */
/* Validator sandbox: strings one by one, then lists and objects as the command lines that they may be. */
#include "validate/validator_sandbox.h"

#include "validate/validator_command.h"
#include "validate/validator_path.h"
#include "validate/validator_walk.h"

#define LENT 4096

struct sandbox {
	struct validator_report *report;
	struct validator_walk walk;
	struct arena arena; /* of one item */
	struct shell_words words;
};

static const char *const command_names[] = {"command", "cmd", "commands", "commandline", "cmdline", "shell",
	"script", "exec", "execute", "run", "program", "executable", "binary", "argv", "entrypoint",
	"process", "line", "input", "stdin", "code", "shellcommand", "bash", NULL};
static const char *const argument_names[] = {"args", "arguments", "argv", "params", "parameters", "options",
	"flags", "opts", "extraargs", "arg", "target", "targets", "path", "paths", "file", "files", NULL};

static const struct {
	char octet;
	const char *name;
} metacharacters[] = {
	{';', "the metacharacter ;"},
	{'|', "the metacharacter |"},
	{'&', "the metacharacter &"},
	{'$', "the metacharacter $"},
	{'`', "a backtick"},
	{'<', "the metacharacter <"},
	{'>', "the metacharacter >"},
	{'\n', "a line end"},
	{'\r', "a line end"},
	{'\0', "a NUL"},
};

static void tell_command(struct sandbox *sandbox, const char *path, const struct command_finding *finding) {
	if (finding->program[0])
		validator_report_add(sandbox->report, VALIDATOR_ADVICE_COMMAND, path,
			"runs \"%s\" in a way that %s", finding->program, finding->what);
	else
		validator_report_add(sandbox->report, VALIDATOR_ADVICE_COMMAND, path,
			"holds a command that %s", finding->what);
}

static void judge_line(struct sandbox *sandbox, bool is_command) {
	struct command_finding finding;
	char path[VALIDATOR_WALK_PATH];
	if (!validator_command_judge(&sandbox->words, is_command, &sandbox->arena, &finding)) return;
	validator_walk_path(&sandbox->walk, path);
	tell_command(sandbox, path, &finding);
}

/* ---- Strings ---- */

static void judge_characters(struct sandbox *sandbox, struct slice text) {
	char path[VALIDATOR_WALK_PATH];
	for (size_t i = 0; i < COUNT_OF(metacharacters); i++) {
		if (!text.length || !memchr(text.bytes, metacharacters[i].octet, text.length)) continue;
		validator_walk_path(&sandbox->walk, path);
		validator_report_add(
			sandbox->report, VALIDATOR_ADVICE_PLAIN, path, "holds %s", metacharacters[i].name);
		return;
	}
}

static void judge_path(struct sandbox *sandbox, struct slice text, bool is_command) {
	char path[VALIDATOR_WALK_PATH];
	const char *what = validator_path_judge(text, is_command, &sandbox->arena);
	if (!what) return;
	validator_walk_path(&sandbox->walk, path);
	validator_report_add(sandbox->report, VALIDATOR_ADVICE_PATHS, path, "%s", what);
}

static void tell_unread(struct sandbox *sandbox) {
	char path[VALIDATOR_WALK_PATH];
	validator_walk_path(&sandbox->walk, path);
	validator_report_add(sandbox->report, 0, path, "is too long to be looked at");
}

static void judge_string(struct sandbox *sandbox, const struct validator_item *item) {
	struct slice text;
	bool is_command = validator_walk_is(item->name, command_names);
	if (!scan_string(&item->value, &sandbox->arena, &text)) {
		tell_unread(sandbox);
		return;
	}
	judge_characters(sandbox, text);
	judge_path(sandbox, text, is_command);
	shell_words_clear(&sandbox->words);
	shell_words_add(&sandbox->words, text, &sandbox->arena);
	judge_line(sandbox, is_command && !item->is_in_array);
}

static void judge_key(struct sandbox *sandbox, const struct validator_item *item) {
	const struct scan_member member = {.key = item->key, .key_escaped = item->key_escaped};
	struct slice key;
	char path[VALIDATOR_WALK_PATH];
	if (!item->key.bytes) return;
	if (!scan_key(&member, &sandbox->arena, &key)) {
		tell_unread(sandbox);
		return;
	}
	judge_characters(sandbox, key);
	judge_path(sandbox, key, false);
	/* What stands in an object of its own may be an environment; "path" at the outside is an argument. */
	if (!item->outer[0] || !validator_command_is_variable(item->name) ||
		(strcmp(item->outer, "env") != 0 && strcmp(item->outer, "environment") != 0))
		return;
	validator_walk_path(&sandbox->walk, path);
	validator_report_add(sandbox->report, VALIDATOR_ADVICE_COMMAND, path,
		"sets a variable that makes programs load or run something");
}

/* ---- Lists and objects ---- */

static void add_words(struct sandbox *sandbox, const struct scan_value *list, bool begins) {
	struct scan_walk walk;
	struct scan_member element;
	struct slice word;
	for (scan_open(&walk, list); scan_next(&walk, &element); begins = false) {
		if (element.value.type != SCAN_STRING) continue;
		if (scan_string(&element.value, &sandbox->arena, &word))
			shell_words_add_whole(&sandbox->words, word, begins);
		else sandbox->words.has_failed = true;
	}
}

/* {"argv":["rm","-r","x"]}: the elements are words already. */
static void judge_list(struct sandbox *sandbox, const struct validator_item *item) {
	shell_words_clear(&sandbox->words);
	add_words(sandbox, &item->value, true);
	bool is_command = validator_walk_is(item->name, command_names);
	if (sandbox->words.count > 1) judge_line(sandbox, is_command);
}

static bool find_command(const struct scan_value *object, struct scan_value *command) {
	struct scan_walk walk;
	struct scan_member member;
	char name[VALIDATOR_WALK_NAME];
	for (scan_open(&walk, object); scan_next(&walk, &member);) {
		validator_walk_name(&member, name);
		if (member.value.type != SCAN_STRING || !validator_walk_is(name, command_names)) continue;
		*command = member.value;
		return true;
	}
	return false;
}

/* {"command":"rm","args":["-r","x"]}, in whatever order. */
static void judge_object(struct sandbox *sandbox, const struct scan_value *object) {
	struct scan_value command;
	struct scan_walk walk;
	struct scan_member member;
	struct slice line;
	char name[VALIDATOR_WALK_NAME];
	if (!find_command(object, &command) || !scan_string(&command, &sandbox->arena, &line)) return;
	shell_words_clear(&sandbox->words);
	shell_words_add(&sandbox->words, line, &sandbox->arena);
	size_t own = sandbox->words.count;
	for (scan_open(&walk, object); scan_next(&walk, &member);) {
		validator_walk_name(&member, name);
		if (!validator_walk_is(name, argument_names) ||
			member.value.text.bytes == command.text.bytes)
			continue;
		if (member.value.type == SCAN_ARRAY) add_words(sandbox, &member.value, false);
		if (member.value.type != SCAN_STRING || !scan_string(&member.value, &sandbox->arena, &line))
			continue;
		size_t before = sandbox->words.count;
		shell_words_add(&sandbox->words, line, &sandbox->arena);
		if (before < sandbox->words.count) sandbox->words.items[before].begins = false;
	}
	if (sandbox->words.count > own) judge_line(sandbox, true);
}

void validator_sandbox_judge(struct slice arguments, struct validator_report *report) {
	char lent[LENT];
	struct sandbox sandbox; /* not zeroed: it is large */
	struct validator_item item;
	const struct scan_value root = {.text = arguments, .type = SCAN_OBJECT};
	sandbox.report = report;
	arena_init(&sandbox.arena, lent, sizeof lent, 0);
	validator_walk_open(&sandbox.walk, arguments);
	if (arguments.length) judge_object(&sandbox, &root);
	while (validator_walk_next(&sandbox.walk, &item)) {
		arena_reset(&sandbox.arena);
		judge_key(&sandbox, &item);
		if (item.value.type == SCAN_STRING) judge_string(&sandbox, &item);
		else if (item.value.type == SCAN_ARRAY) judge_list(&sandbox, &item);
		else if (item.value.type == SCAN_OBJECT) judge_object(&sandbox, &item.value);
	}
	if (sandbox.walk.is_deep)
		validator_report_add(
			report, 0, "arguments", "are nested deeper than %d levels", SCAN_DEPTH);
	arena_finish(&sandbox.arena);
}
