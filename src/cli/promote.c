/* SPDX-License-Identifier: Apache-2.0 */
/* Promote: on the files of a data folder, where a running gateway sees it at once, or by URL. */
#include "cli/promote.h"

#include "auth/privilege.h"
#include "base/ident.h"
#include "cli/ask.h"
#include "store/audit.h"
#include "store/promotion_rows.h"
#include "wire/http1.h"

#include <stdio.h>

static const struct command_option options[] = {
	{"topic", "TOPIC", "where it holds; default: in every topic"},
	{0},
};

#define FORM(verb, what) \
	{ \
		.name = verb, .usage = "ID [--topic TOPIC] [options]", .summary = what, .options = options, \
		.least = 1, .most = 1, .reaches = true, .prints = true, \
		.more = "It holds for live connections at once, and after reconnecting and restarting. It comes\n" \
			"before what a token or a rule says." \
	}

static const struct command_form promote_form =
	FORM("promote", "Makes an identity full: it may call, and answer.");
static const struct command_form demote_form =
	FORM("demote", "Makes an identity restricted: it may chat and propose.");

static bool set_on_files(const struct command_line *line, enum privilege privilege, struct text *json,
	struct fault *why) {
	char data[PLACE_PATH], user[129];
	const char *verb = privilege == PRIVILEGE_FULL ? "promoted" : "demoted";
	struct slice id = slice_of(line->words[0]), topic = slice_of(command_value(line, "topic"));
	if (!place_find(command_value(line, "data"), data, why)) return false;
	reach_user(user);
	AUTO(state) state = state_open(data, why);
	if (!state || !promotion_set(state, id, topic, privilege_text(privilege), slice_of(user), why))
		return false;
	const struct audit_record record = {
		.event = SLICE("privilege"),
		.actor = slice_of(user),
		.topic = topic,
		.target = id,
		.result = slice_of(privilege_text(privilege)),
	};
	if (!audit_write_file(data, &record, why)) return fault_before(why, "it was %s, but not audited: ", verb);
	text_add_cstr(json, "{\"participantId\":");
	text_json(json, id);
	text_printf(json, ",\"newPrivilege\":\"%s\",\"%sBy\":", privilege_text(privilege), verb);
	text_json(json, slice_of(user));
	text_add_char(json, '}');
	return true;
}

static bool set_by_url(const struct command_line *line, enum privilege privilege, struct text *json,
	struct fault *why) {
	struct reach reach;
	const char *topic = command_value(line, "topic");
	AUTO_TEXT struct text path = {0};
	text_init(&path, 0);
	text_add_cstr(&path, "/admin/participants/");
	http1_escape(&path, slice_of(line->words[0]));
	text_add_cstr(&path, privilege == PRIVILEGE_FULL ? "/promote" : "/demote");
	if (topic) {
		text_add_cstr(&path, "?topic=");
		http1_escape(&path, slice_of(topic));
	}
	if (text_failed(&path)) return fault_set(why, FAULT_NO_MEMORY, "no memory");
	bool done = reach_find(line, true, &reach, why) &&
		ask(&reach, "POST", path.bytes, SLICE_NONE, json, why);
	reach_finish(&reach);
	return done;
}

static int set(const struct command_form *form, enum privilege privilege, int argc, char **argv) {
	AUTO_COMMAND struct command_line line = {0};
	AUTO_TEXT struct text json = {0}, words = {0};
	struct fault why;
	int status;
	text_init(&json, 0);
	text_init(&words, 0);
	if (!command_read(&line, form, argc, argv, &status)) return status;
	const char *topic = command_value(&line, "topic");
	if (!ident_is_identity(slice_of(line.words[0])))
		return command_misuse(form, "'%s' is no identity", line.words[0]);
	if (topic && !ident_is_topic(slice_of(topic)))
		return command_misuse(form, "'%s' is no topic", topic);
	bool done = reach_is_files(&line) ? set_on_files(&line, privilege, &json, &why)
					  : set_by_url(&line, privilege, &json, &why);
	if (!done) return command_fail(&why);
	text_add_char(&json, '\n');
	text_printf(&words, "%s is %s in %s\n", line.words[0], privilege_text(privilege),
		topic ? topic : "every topic");
	return command_print(text_slice(command_has(&line, "json") ? &json : &words)) ? COMMAND_FINE
										      : COMMAND_FAILED;
}

int promote_command(int argc, char **argv) { return set(&promote_form, PRIVILEGE_FULL, argc, argv); }
int demote_command(int argc, char **argv) { return set(&demote_form, PRIVILEGE_RESTRICTED, argc, argv); }
