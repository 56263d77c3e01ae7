/* SPDX-License-Identifier: Apache-2.0 */
/* Room line: a table of kinds, and of the gateway's own events. */
#include "cli/room_line.h"

#include "mcp/mgp_callback.h"
#include "mcp/mgp_chunk.h"

#include <stdio.h>
#include <time.h>

#define SHOWN_JSON 240 /* octets of arguments and results; chats are shown whole */
#define SHOWN_ID 8     /* of a proposal's id; /approve takes as much */

struct line {
	struct text *to;
	const struct room_line_style *style;
	const struct envelope *envelope;
	struct arena *arena;
};

/* ---- Pieces ---- */

static void colour(struct line *line, const char *code) {
	if (line->style->has_colours) text_printf(line->to, "\x1b[%sm", code);
}

static void plain(struct line *line) { colour(line, "0"); }

/* The same name has the same colour, in every room. */
static void add_name(struct line *line, struct slice name) {
	static const char *const codes[] = {"1;31", "1;32", "1;33", "1;34", "1;35", "1;36"};
	unsigned sum = 0;
	for (size_t i = 0; i < name.length; i++) sum = sum * 31 + (unsigned char)name.bytes[i];
	colour(line, codes[sum % COUNT_OF(codes)]);
	text_display(line->to, name);
	plain(line);
}

static bool ends_a_line(char octet) { return octet == '\n' || octet == '\r'; }

/* Lines behind the first have a margin: nobody writes what looks like another's. */
static void add_lines(struct line *line, struct slice text) {
	struct slice part;
	bool is_first = true;
	while (text.length && ends_a_line(text.bytes[text.length - 1])) text.length--;
	while (slice_split(&text, '\n', &part)) {
		if (!is_first) text_add_cstr(line->to, "\n           ");
		is_first = false;
		if (part.length && part.bytes[part.length - 1] == '\r') part.length--;
		text_display(line->to, part);
	}
}

static void add_cut(struct line *line, struct slice text) {
	size_t length = slice_cut(text, SHOWN_JSON);
	add_lines(line, slice_make(text.bytes, length));
	if (length < text.length) text_add_cstr(line->to, "...");
}

static void begin(struct line *line) {
	time_t seconds = (time_t)(line->envelope->moment / 1000);
	struct tm parts;
	char text[16];
	struct tm *known = line->style->is_utc ? gmtime_r(&seconds, &parts) : localtime_r(&seconds, &parts);
	if (!known || !line->envelope->ts.bytes || strftime(text, sizeof text, "%H:%M:%S", &parts) == 0)
		snprintf(text, sizeof text, "--:--:--");
	colour(line, "2");
	text_add_cstr(line->to, text);
	plain(line);
	text_add_char(line->to, ' ');
}

static void end(struct line *line) { text_add_char(line->to, '\n'); }

static bool find_string(const struct line *line, const struct scan_value *object, const char *key,
	struct slice *string) {
	struct scan_value value;
	return scan_find(object, key, &value) && scan_string(&value, line->arena, string);
}

/* ---- Chat ---- */

bool room_line_is_chat(const struct envelope *envelope, struct arena *arena, struct slice *text) {
	struct scan_value value;
	struct slice method;
	if (envelope->kind == ENVELOPE_CHAT) return scan_string(&envelope->body.text, arena, text);
	if (envelope->kind != ENVELOPE_MCP || envelope->body.id.type != SCAN_NONE) return false;
	if (!scan_string(&envelope->body.method, arena, &method)) return false;
	return slice_is(method, "notifications/chat/message") &&
		scan_find(&envelope->body.params, "text", &value) && scan_string(&value, arena, text);
}

static void write_chat(struct line *line, struct slice said) {
	begin(line);
	add_name(line, line->envelope->from);
	text_add_cstr(line->to, ": ");
	add_lines(line, said);
	end(line);
}

/* ---- MCP ---- */

static void add_direction(struct line *line) {
	const struct envelope *envelope = line->envelope;
	begin(line);
	add_name(line, envelope->from);
	if (envelope->recipients) {
		text_add_cstr(line->to, " > ");
		add_name(line, envelope->recipient);
	}
	if (envelope->recipients > 1) text_printf(line->to, " and %zu more", envelope->recipients - 1);
	text_add_cstr(line->to, ": ");
}

/* "tools/call add_note {...}" */
static void add_operation(struct line *line, struct slice method, const struct scan_value *params) {
	struct scan_value arguments;
	struct slice name;
	text_display(line->to, method);
	if (slice_is(method, "tools/call") && find_string(line, params, "name", &name)) {
		text_add_char(line->to, ' ');
		colour(line, "1");
		text_display(line->to, name);
		plain(line);
		if (!scan_find(params, "arguments", &arguments)) return;
		text_add_char(line->to, ' ');
		add_cut(line, arguments.text);
	} else if (params->type != SCAN_NONE) {
		text_add_char(line->to, ' ');
		add_cut(line, params->text);
	}
}

static bool is_quiet(struct slice method) {
	static const char *const quiet[] = {"initialize", "ping", "notifications/initialized",
		"notifications/progress", "notifications/cancelled", MGP_PROGRESS_METHOD};
	for (size_t i = 0; i < COUNT_OF(quiet); i++)
		if (slice_is(method, quiet[i])) return true;
	return false;
}

/* A part of an answer (MGP 12.4): "... and so on". */
static void add_chunk(struct line *line, const struct scan_value *params) {
	struct scan_value content;
	struct slice words;
	text_add_cstr(line->to, "... ");
	if (!scan_find(params, "content", &content)) return;
	if (find_string(line, &content, "text", &words)) add_cut(line, words);
	else add_cut(line, content.text);
}

static void add_callback(struct line *line, const struct scan_value *params) {
	struct scan_value options;
	struct slice message;
	text_add_cstr(line->to, "asks: ");
	if (find_string(line, params, "message", &message)) add_cut(line, message);
	if (!scan_find(params, "options", &options)) return;
	text_add_char(line->to, ' ');
	add_cut(line, options.text);
}

static void write_method(struct line *line) {
	const struct envelope *envelope = line->envelope;
	struct slice method;
	if (!scan_string(&envelope->body.method, line->arena, &method) || is_quiet(method)) return;
	add_direction(line);
	if (slice_is(method, MGP_CHUNK_METHOD)) add_chunk(line, &envelope->body.params);
	else if (slice_is(method, MGP_CALLBACK_REQUEST)) add_callback(line, &envelope->body.params);
	else add_operation(line, method, &envelope->body.params);
	end(line);
}

/* The first text of a tool's result. */
static bool find_text(const struct line *line, const struct scan_value *result, struct slice *text) {
	struct scan_value content;
	struct scan_walk walk;
	struct scan_member item;
	struct slice type;
	if (!scan_find(result, "content", &content) || content.type != SCAN_ARRAY) return false;
	for (scan_open(&walk, &content); scan_next(&walk, &item);)
		if (find_string(line, &item.value, "type", &type) && slice_is(type, "text"))
			return find_string(line, &item.value, "text", text);
	return false;
}

static void write_result(struct line *line) {
	const struct scan_value *result = &line->envelope->body.result;
	struct scan_value value;
	struct slice text;
	bool is_error = false;
	if (scan_find(result, "protocolVersion", &value)) return;           /* a handshake */
	if (result->type == SCAN_OBJECT && scan_count(result) == 0) return; /* a pong */
	add_direction(line);
	if (scan_find(result, "isError", &value) && scan_boolean(&value, &is_error) && is_error) {
		colour(line, "31");
		text_add_cstr(line->to, "failed: ");
	}
	if (find_text(line, result, &text)) add_cut(line, text);
	else if (scan_find(result, "tools", &value)) text_printf(line->to, "%zu tools", scan_count(&value));
	else add_cut(line, result->text);
	if (is_error) plain(line);
	end(line);
}

static void write_error(struct line *line) {
	const struct scan_value *error = &line->envelope->body.error;
	struct scan_value code = {.type = SCAN_NONE};
	struct scan_value data;
	struct slice message = SLICE_NONE, reason;
	(void)scan_find(error, "code", &code);
	(void)!find_string(line, error, "message", &message);
	add_direction(line);
	colour(line, "31");
	text_add_cstr(line->to, "error ");
	add_cut(line, code.text);
	text_add_char(line->to, ' ');
	add_cut(line, message);
	if (scan_find(error, "data", &data) && find_string(line, &data, "reason", &reason) && reason.length) {
		text_add_cstr(line->to, ": ");
		add_cut(line, reason);
	}
	plain(line);
	end(line);
}

static void write_mcp(struct line *line) {
	const struct envelope *envelope = line->envelope;
	struct slice said;
	if (room_line_is_chat(envelope, line->arena, &said)) write_chat(line, said);
	else if (envelope->body.result.type != SCAN_NONE) write_result(line);
	else if (envelope->body.error.type != SCAN_NONE) write_error(line);
	else write_method(line);
}

/* ---- Proposals ---- */

static void add_id(struct line *line, struct slice id) {
	colour(line, "33");
	text_display(line->to, slice_make(id.bytes, slice_cut(id, SHOWN_ID)));
	plain(line);
}

static void write_proposal(struct line *line) {
	const struct envelope *envelope = line->envelope;
	struct slice method = SLICE_NONE, reason;
	begin(line);
	add_name(line, envelope->from);
	text_add_cstr(line->to, " proposes ");
	add_id(line, envelope->id);
	if (envelope->recipients) {
		text_add_cstr(line->to, " to ");
		add_name(line, envelope->recipient);
	}
	text_add_cstr(line->to, ": ");
	(void)!scan_string(&envelope->body.method, line->arena, &method);
	add_operation(line, method, &envelope->body.params);
	if (scan_string(&envelope->body.reason, line->arena, &reason) && reason.length) {
		text_add_cstr(line->to, " (");
		add_cut(line, reason);
		text_add_char(line->to, ')');
	}
	end(line);
}

/* ---- The gateway's own ---- */

static void star(struct line *line) {
	begin(line);
	text_add_cstr(line->to, "* ");
}

static void write_presence(struct line *line) {
	struct scan_value participant;
	struct slice event, id, kind;
	const struct scan_value *payload = &line->envelope->payload;
	if (!find_string(line, payload, "event", &event) || slice_is(event, "heartbeat") ||
		!scan_find(payload, "participant", &participant) || !find_string(line, &participant, "id", &id))
		return;
	star(line);
	add_name(line, id);
	if (slice_is(event, "join") && find_string(line, &participant, "kind", &kind))
		text_printf(line->to, ", %.*s,", SLICE_ARGS(kind));
	text_add_cstr(line->to, slice_is(event, "join") ? " joined" : " left");
	end(line);
}

static void write_refused(struct line *line) {
	struct slice code = SLICE_NONE, message = SLICE_NONE;
	(void)!find_string(line, &line->envelope->payload, "code", &code);
	(void)!find_string(line, &line->envelope->payload, "message", &message);
	star(line);
	colour(line, "31");
	text_add_cstr(line->to, "refused: ");
	add_cut(line, message);
	if (code.length) {
		text_add_cstr(line->to, " (");
		text_display(line->to, code);
		text_add_char(line->to, ')');
	}
	plain(line);
	end(line);
}

static void write_settled(struct line *line) {
	const struct scan_value *payload = &line->envelope->payload;
	struct slice id, status, by, reason;
	if (!find_string(line, payload, "proposalId", &id) || !find_string(line, payload, "status", &status))
		return;
	star(line);
	text_add_cstr(line->to, "proposal ");
	add_id(line, id);
	text_add_char(line->to, ' ');
	text_display(line->to, status);
	if (find_string(line, payload, "by", &by)) {
		text_add_cstr(line->to, " by ");
		add_name(line, by);
	}
	if (find_string(line, payload, "reason", &reason) && reason.length) {
		text_add_cstr(line->to, ": ");
		add_cut(line, reason);
	}
	end(line);
}

static void write_privilege(struct line *line) {
	struct scan_value participant;
	struct slice id, privilege;
	if (!scan_find(&line->envelope->payload, "participant", &participant) ||
		!find_string(line, &participant, "id", &id) ||
		!find_string(line, &participant, "privilege", &privilege))
		return;
	bool is_self = slice_equal(id, line->style->self);
	star(line);
	if (is_self) text_add_cstr(line->to, "you are");
	else {
		add_name(line, id);
		text_add_cstr(line->to, " is");
	}
	text_add_cstr(line->to, " now ");
	text_display(line->to, privilege);
	end(line);
}

static void write_gap(struct line *line) {
	star(line);
	text_add_cstr(line->to, "something was missed: what is shown next is live again\n");
}

static void write_other(struct line *line) {
	star(line);
	add_cut(line, line->envelope->payload.text);
	end(line);
}

static void write_system(struct line *line) {
	static const struct {
		const char *event;
		void (*write)(struct line *line);
	} events[] = {{"error", write_refused}, {"gap", write_gap}, {"privilege", write_privilege},
		{"proposal", write_settled}};
	struct slice event;
	if (!find_string(line, &line->envelope->payload, "event", &event)) return;
	for (size_t i = 0; i < COUNT_OF(events); i++) {
		if (!slice_is(event, events[i].event)) continue;
		events[i].write(line);
		return;
	}
	write_other(line);
}

/* ---- All ---- */

static void write_spoken(struct line *line) {
	struct slice said;
	if (room_line_is_chat(line->envelope, line->arena, &said)) write_chat(line, said);
}

void room_line_write(struct text *to, const struct envelope *envelope,
	const struct room_line_style *style) {
	static void (*const writers[ENVELOPE_KINDS])(struct line * line) = {
		[ENVELOPE_MCP] = write_mcp,
		[ENVELOPE_PROPOSAL] = write_proposal,
		[ENVELOPE_CHAT] = write_spoken,
		[ENVELOPE_PRESENCE] = write_presence,
		[ENVELOPE_SYSTEM] = write_system,
	};
	char lent[2048];
	struct arena arena;
	if (style->is_raw) {
		scan_compact(to, envelope->text); /* a line each, however it was written */
		text_add_char(to, '\n');
		return;
	}
	if (envelope->kind >= ENVELOPE_KINDS) return;
	arena_init(&arena, lent, sizeof lent, 0);
	struct line line = {.to = to, .style = style, .envelope = envelope, .arena = &arena};
	writers[envelope->kind](&line);
	arena_finish(&arena);
}
