/* SPDX-License-Identifier: Apache-2.0 */
/* Decision command: a list that may be followed, one decision in full, a yes, a no. */
#include "cli/decision_command.h"

#include "cli/decision_talk.h"
#include "cli/table.h"
#include "wire/scan.h"

#include <stdio.h>

#define FOLLOW_S 20 /* one wait of --follow */

/* ---- Pending ---- */

static const struct command_option pending_options[] = {
	{"follow", NULL, "stays, and prints every question as it comes"},
	{0},
};

static const struct command_form pending_form = {
	.name = "pending",
	.usage = "[--follow] [--json]",
	.summary = "Lists what waits for a person's answer: calls, permissions, registrations, changed tools.",
	.more = "`hustings show ID` shows one in full, `hustings approve ID` and `hustings deny ID` answer it. What\n"
		"nobody answers in time is denied.",
	.options = pending_options,
	.reaches = true,
	.prints = true,
};

static const struct table_column columns[] = {
	{"id", "ID"},
	{"kind", "KIND"},
	{"requester", "REQUESTER"},
	{"server", "SERVER"},
	{"tool", "TOOL"},
	{"message", "MESSAGE"},
	{"expiresAt", "EXPIRES"},
	{0},
};

/* What was printed before: the ids as JSON strings, one behind the other. */
struct seen {
	struct text ids;
};

static bool is_seen(struct seen *seen, struct slice id) {
	return seen->ids.length && memmem(seen->ids.bytes, seen->ids.length, id.bytes, id.length);
}

static bool read_list(struct slice json, struct scan_value *list, uint64_t *version, struct fault *why) {
	struct scan_value root, number;
	struct scan_fault fault;
	int64_t integer;
	if (!scan_check(json, SCAN_DEPTH + 3, &root, &fault) || !scan_find(&root, "decisions", list) ||
		list->type != SCAN_ARRAY || !scan_find(&root, "version", &number) ||
		!scan_integer(&number, &integer))
		return fault_set(why, FAULT_IO, "the gateway's answer is not understood");
	*version = (uint64_t)integer;
	return true;
}

static void write_line(struct text *to, const struct scan_value *decision) {
	static const char *const members[] = {"id", "kind", "requester", "server", "tool", "message"};
	for (size_t i = 0; i < COUNT_OF(members); i++) {
		struct scan_value value;
		struct arena arena;
		struct slice string;
		char lent[1024];
		if (!scan_find(decision, members[i], &value)) continue;
		arena_init(&arena, lent, sizeof lent, 0);
		if (scan_string(&value, &arena, &string)) {
			if (i > 0) text_add_cstr(to, "  ");
			text_display(to, string);
		}
		arena_finish(&arena);
	}
	text_add_char(to, '\n');
}

/* Prints those that are new; those that are gone are forgotten. */
static bool print_new(const struct scan_value *list, bool is_json, struct seen *seen) {
	struct scan_walk walk;
	struct scan_member member;
	AUTO_TEXT struct text lines = {0}, ids = {0};
	text_init(&lines, 0);
	text_init(&ids, 0);
	for (scan_open(&walk, list); scan_next(&walk, &member);) {
		struct scan_value id;
		if (!scan_find(&member.value, "id", &id)) continue;
		text_add(&ids, id.text);
		if (is_seen(seen, id.text)) continue;
		if (is_json) {
			size_t start = lines.length;
			text_add(&lines, member.value.text);
			if (lines.bytes) slice_blank_line_ends(lines.bytes + start, lines.length - start);
			text_add_char(&lines, '\n');
		} else {
			write_line(&lines, &member.value);
		}
	}
	text_finish(&seen->ids);
	seen->ids = ids;
	ids = (struct text){0};
	return lines.length == 0 || command_print(text_slice(&lines));
}

static bool follow(struct decision_talk *talk, bool is_json, struct fault *why) {
	struct seen seen = {0};
	uint64_t version = 0;
	bool is_asked = true;
	if (talk->is_files) return fault_set(why, FAULT_NOT_FOUND, "no gateway runs there, so nothing can be followed");
	for (unsigned wait_s = 0; is_asked; wait_s = FOLLOW_S) {
		struct scan_value list;
		AUTO_TEXT struct text json = {0};
		text_init(&json, 0);
		is_asked = decision_talk_list(talk, wait_s, version, &json, why) &&
			read_list(text_slice(&json), &list, &version, why);
		if (is_asked && !print_new(&list, is_json, &seen)) break;
	}
	text_finish(&seen.ids);
	return is_asked;
}

static bool is_cut(struct slice json) {
	struct scan_value root, cut;
	struct scan_fault fault;
	return scan_check(json, SCAN_DEPTH + 3, &root, &fault) && scan_find(&root, "cut", &cut);
}

static bool list_all(struct decision_talk *talk, bool is_json, struct fault *why) {
	AUTO_TEXT struct text json = {0}, table = {0};
	text_init(&json, 0);
	text_init(&table, 0);
	if (!decision_talk_list(talk, 0, 0, &json, why)) return false;
	if (!is_json && !table_write(text_slice(&json), "decisions", columns, &table, why)) return false;
	if (is_cut(text_slice(&json))) fprintf(stderr, "hustings: there are more: answer some to see the others\n");
	text_add_char(&json, '\n');
	return command_print(text_slice(is_json ? &json : &table)) ||
		fault_set(why, FAULT_IO, "the list could not be printed");
}

int pending_command(int argc, char **argv) {
	AUTO_COMMAND struct command_line line = {0};
	struct decision_talk talk;
	struct fault why;
	int status;
	if (!command_read(&line, &pending_form, argc, argv, &status)) return status;
	bool is_json = command_has(&line, "json"), is_followed = command_has(&line, "follow");
	if (!decision_talk_open(&line, is_followed ? REACH_DAY_MS : REACH_BRIEF_MS, &talk, &why))
		return command_fail(&why);
	bool is_done = is_followed ? follow(&talk, is_json, &why) : list_all(&talk, is_json, &why);
	decision_talk_close(&talk);
	return is_done ? COMMAND_FINE : command_fail(&why);
}

/* ---- Show ---- */

static const struct command_form show_form = {
	.name = "show",
	.usage = "ID [--json]",
	.summary = "Shows one question in full, with what became of it.",
	.more = "ID is what `hustings pending` lists, like d-7f3k2m9q.",
	.least = 1,
	.most = 1,
	.reaches = true,
	.prints = true,
};

/* What has changed in a definition, a line each (kernel/definition_diff.h). False: it is no such thing. */
static bool write_diff(const struct scan_member *member, struct text *to) {
	struct scan_value diff;
	struct scan_walk walk;
	struct scan_member line;
	struct arena arena;
	struct slice words;
	if (!scan_key_is(member, "arguments") || member->value.type != SCAN_OBJECT ||
		!scan_find(&member->value, "diff", &diff) || diff.type != SCAN_ARRAY)
		return false;
	arena_init(&arena, NULL, 0, 0);
	text_add_cstr(to, "what changed:\n");
	for (scan_open(&walk, &diff); scan_next(&walk, &line);) {
		if (!scan_string(&line.value, &arena, &words)) continue;
		text_add_cstr(to, "  ");
		text_reveal(to, words);
		text_add_char(to, '\n');
	}
	arena_finish(&arena);
	return true;
}

/* One member a line. Who says yes has to see what others, or a model, will read: hidden characters by
 * their number. */
static bool write_members(struct slice json, struct text *to, struct fault *why) {
	struct scan_value root;
	struct scan_fault fault;
	struct scan_walk walk;
	struct scan_member member;
	if (!scan_check(json, SCAN_DEPTH + 2, &root, &fault) || root.type != SCAN_OBJECT)
		return fault_set(why, FAULT_IO, "the gateway's answer is not understood");
	for (scan_open(&walk, &root); scan_next(&walk, &member);) {
		struct arena arena;
		struct slice value = member.value.text;
		if (write_diff(&member, to)) continue;
		arena_init(&arena, NULL, 0, 0);
		if (member.value.type == SCAN_STRING && !scan_string(&member.value, &arena, &value)) value = SLICE_NONE;
		text_printf(to, "%-13.*s", SLICE_ARGS(member.key));
		text_reveal(to, value);
		text_add_char(to, '\n');
		arena_finish(&arena);
	}
	return !text_failed(to) || fault_set(why, FAULT_NO_MEMORY, "no memory to show it");
}

int show_command(int argc, char **argv) {
	AUTO_COMMAND struct command_line line = {0};
	AUTO_TEXT struct text json = {0}, words = {0};
	struct decision_talk talk;
	struct fault why;
	int status;
	text_init(&json, 0);
	text_init(&words, 0);
	if (!command_read(&line, &show_form, argc, argv, &status)) return status;
	if (!decision_talk_open(&line, REACH_BRIEF_MS, &talk, &why)) return command_fail(&why);
	bool is_done = decision_talk_show(&talk, line.words[0], &json, &why);
	decision_talk_close(&talk);
	if (is_done && !command_has(&line, "json")) is_done = write_members(text_slice(&json), &words, &why);
	if (!is_done) return command_fail(&why);
	text_add_char(&json, '\n');
	return command_print(text_slice(command_has(&line, "json") ? &json : &words)) ? COMMAND_FINE : COMMAND_FAILED;
}

/* ---- Approve and deny ---- */

static const struct command_option approve_options[] = {
	{"valid-until", "TIME", "good until then, not for one use: RFC 3339, or a span like 1h"},
	{"reason", "TEXT", "why; it is kept and audited"},
	{"only", "NAME", "of a permission question: this one, the others not; may be repeated"},
	{"answer", "VALUE", "of a callback: what is answered; JSON, else a string"},
	{0},
};

static const struct command_form approve_form = {
	.name = "approve",
	.usage = "ID [options]",
	.summary = "Says yes to a question. Whoever asked it may then go on, once.",
	.more = "Nobody approves what it asked itself. Without --valid-until the approval of a call is used up by\n"
		"that call; with it, the same call of the same requester passes until then. `hustings deny ID`\n"
		"takes it back.",
	.options = approve_options,
	.least = 1,
	.most = 1,
	.reaches = true,
	.prints = true,
};

static const struct command_option deny_options[] = {
	{"reason", "TEXT", "why; whoever asked hears it"},
	{0},
};

static const struct command_form deny_form = {
	.name = "deny",
	.usage = "ID [--reason TEXT]",
	.summary = "Says no to a question, or takes an approval back that still holds.",
	.options = deny_options,
	.least = 1,
	.most = 1,
	.reaches = true,
	.prints = true,
};

static void write_string(struct text *to, const char *name, const char *value) {
	if (!value) return;
	text_printf(to, ",\"%s\":", name);
	text_json(to, slice_of(value));
}

static bool is_json_text(const char *text) {
	struct scan_value root;
	struct scan_fault fault;
	return scan_check(slice_of(text), SCAN_DEPTH, &root, &fault);
}

static void write_body(const struct command_line *line, bool approves, struct text *body) {
	const char *answer = command_value(line, "answer"), *name;
	text_printf(body, "{\"decision\":\"%s\"", approves ? "approve" : "deny");
	write_string(body, "reason", command_value(line, "reason"));
	if (approves) write_string(body, "validUntil", command_value(line, "valid-until"));
	if (approves && command_has(line, "only")) {
		text_add_cstr(body, ",\"only\":[");
		size_t at = 0;
		for (bool is_first = true; (name = command_next(line, "only", &at)); is_first = false) {
			if (!is_first) text_add_char(body, ',');
			text_json(body, slice_of(name));
		}
		text_add_char(body, ']');
	}
	if (approves && answer && is_json_text(answer)) text_printf(body, ",\"answer\":%s", answer);
	else if (approves)
		write_string(body, "answer", answer);
	text_add_char(body, '}');
}

/* "d-7f3k2m9q approved" */
static void write_outcome(struct slice json, const char *id, struct text *to) {
	struct scan_value root, state;
	struct scan_fault fault;
	text_display(to, slice_of(id));
	text_add_char(to, ' ');
	if (scan_check(json, SCAN_DEPTH + 2, &root, &fault) && scan_find(&root, "state", &state) &&
		state.text.length > 2)
		text_display(to, slice_make(state.text.bytes + 1, state.text.length - 2));
	text_add_char(to, '\n');
}

static int answer(const struct command_form *form, bool approves, int argc, char **argv) {
	AUTO_COMMAND struct command_line line = {0};
	AUTO_TEXT struct text body = {0}, json = {0}, words = {0};
	struct decision_talk talk;
	struct fault why;
	int status;
	text_init(&body, 0);
	text_init(&json, 0);
	text_init(&words, 0);
	if (!command_read(&line, form, argc, argv, &status)) return status;
	write_body(&line, approves, &body);
	if (text_failed(&body)) return command_misuse(form, "the options are too long");
	if (!decision_talk_open(&line, REACH_BRIEF_MS, &talk, &why)) return command_fail(&why);
	bool is_done = decision_talk_answer(&talk, line.words[0], text_slice(&body), &json, &why);
	decision_talk_close(&talk);
	if (!is_done) return command_fail(&why);
	write_outcome(text_slice(&json), line.words[0], &words);
	text_add_char(&json, '\n');
	return command_print(text_slice(command_has(&line, "json") ? &json : &words)) ? COMMAND_FINE : COMMAND_FAILED;
}

int approve_command(int argc, char **argv) { return answer(&approve_form, true, argc, argv); }
int deny_command(int argc, char **argv) { return answer(&deny_form, false, argc, argv); }
