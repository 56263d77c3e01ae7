/* SPDX-License-Identifier: Apache-2.0 */
/* Audit follow: server-sent events into lines. */
#include "cli/audit_follow.h"

#include "cli/audit_source.h"
#include "cli/audit_stream.h"
#include "wire/scan.h"
#include "wire/sse.h"

#include <stdio.h>

#define EVENT (1024 * 1024) /* octets of one at most */

struct following {
	struct sse sse;
	struct text line;
	bool is_json;
	bool is_said; /* that it has begun */
};

/* A member as people see it, with a blank before; nothing where it is missing. */
static void add_member(struct text *line, const struct scan_value *record, const char *member,
	const char *title, struct arena *arena) {
	struct scan_value value;
	struct slice text;
	if (!scan_find(record, member, &value)) return;
	text = value.text;
	if (value.type == SCAN_STRING && !scan_string(&value, arena, &text)) return;
	if (!text.length) return;
	text_printf(line, "%s%s", line->length ? "  " : "", title);
	text_display(line, text);
}

static void write_line(struct text *line, struct slice json) {
	static const struct {
		const char *member;
		const char *title;
	} members[] = {{"ts", ""}, {"event", ""}, {"result", ""}, {"actor", "by "}, {"topic", "in "},
		{"server_id", "server "}, {"tool_name", "tool "}, {"target", "target "}, {"gate", "gate "},
		{"source", "source "}, {"trace_id", "trace "}, {"detail", "- "}};
	struct scan_value record;
	struct scan_fault fault;
	struct arena arena;
	char lent[4096];
	if (!scan_check(json, SCAN_DEPTH, &record, &fault)) return;
	arena_init(&arena, lent, sizeof lent, 0);
	for (size_t i = 0; i < COUNT_OF(members); i++)
		add_member(line, &record, members[i].member, members[i].title, &arena);
	text_add_char(line, '\n');
	arena_finish(&arena);
}

static bool seen(void *context, const struct sse_event *event) {
	struct following *following = context;
	if (slice_is(event->event, "missed")) {
		fprintf(stderr, "* some records were left out here %.*s; `hustings audit` lists them\n",
			SLICE_ARGS(event->data));
		return true;
	}
	text_clear(&following->line);
	if (following->is_json) {
		text_add(&following->line, event->data);
		text_add_char(&following->line, '\n');
	} else
		write_line(&following->line, event->data);
	return text_failed(&following->line) || command_print(text_slice(&following->line));
}

static bool piece(void *context, struct slice bytes, struct fault *why) {
	struct following *following = context;
	if (!following->is_said && !following->is_json)
		fprintf(stderr, "* following the audit trail; Ctrl-C ends\n");
	following->is_said = true;
	return sse_read(&following->sse, bytes, seen, following, why);
}

int audit_follow(const struct command_line *line) {
	AUTO_TEXT struct text path = {0}, number = {0};
	struct following following = {.is_json = command_has(line, "json")};
	struct audit_source source = {0};
	struct fault why;
	uint64_t limit;
	if (!command_number(line, "limit", 0, AUDIT_QUESTION_LIMIT, command_has(line, "since") ? 0 : 10, &limit))
		return COMMAND_USAGE;
	text_init(&path, 2000);
	text_init(&number, 0);
	text_init(&following.line, 0);
	sse_init(&following.sse, EVENT);
	bool done = audit_source_open(&source, line, true, &why);
	if (done) {
		audit_source_path(&source, "/admin/audit", &path);
		audit_source_parameter(&path, "follow", SLICE("1"));
		text_number(&number, (int64_t)limit);
		audit_source_parameter(&path, "limit", text_slice(&number));
		done = !text_failed(&path) || fault_set(&why, FAULT_TOO_LARGE, "the options are too long");
	}
	if (done && audit_stream_read(&source.reach, path.bytes, piece, &following, &why))
		done = fault_set(&why, FAULT_CLOSED, "the gateway has ended the stream");
	else
		done = false;
	audit_source_close(&source);
	sse_finish(&following.sse);
	text_finish(&following.line);
	return done ? COMMAND_FINE : command_fail(&why);
}
