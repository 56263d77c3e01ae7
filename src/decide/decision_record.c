/* SPDX-License-Identifier: Apache-2.0 */
/* Decision record: its JSON, out and in. */
#include "decide/decision_record.h"

#include "base/clock.h"
#include "wire/scan.h"

#include <stdio.h>

/* ---- Out ---- */

static void write_string(struct text *to, const char *name, struct slice string) {
	if (!string.length) return;
	text_printf(to, ",\"%s\":", name);
	text_json(to, string);
}

static void write_json(struct text *to, const char *name, struct slice json) {
	if (!json.length) return;
	text_printf(to, ",\"%s\":", name);
	text_add(to, json);
}

static void write_time(struct text *to, const char *name, int64_t wall_ms) {
	char text[CLOCK_TEXT_SIZE];
	if (!wall_ms) return;
	clock_write(wall_ms, text);
	text_printf(to, ",\"%s\":\"%s\"", name, text);
}

static void write_names(struct text *to, const char *name, struct slice names) {
	struct slice part;
	text_printf(to, ",\"%s\":[", name);
	for (bool is_first = true; names.length && slice_split(&names, '\n', &part); is_first = false) {
		if (!is_first) text_add_char(to, ',');
		text_json(to, part);
	}
	text_add_char(to, ']');
}

void decision_write(const struct decision *decision, struct text *to) {
	char digest[2 * SECRET_HASH_SIZE + 1];
	secret_hex(decision->digest, sizeof decision->digest, digest);
	text_printf(to, "{\"id\":\"%s\",\"kind\":\"%s\",\"state\":\"%s\"", decision->id,
		decision_kind_text(decision->kind), decision_state_text(decision->state));
	write_string(to, "requester", decision->requester);
	write_string(to, "server", decision->server);
	write_string(to, "tool", decision->tool);
	write_string(to, "topic", decision->topic);
	write_string(to, "message", decision->message);
	if (decision->permissions.length) write_names(to, "permissions", decision->permissions);
	write_json(to, "arguments", decision->arguments);
	text_printf(to, ",\"digest\":\"%s\"", digest);
	write_names(to, "deciders", decision->deciders);
	write_time(to, "createdAt", decision->created_at);
	write_time(to, "expiresAt", decision->expires_at);
	write_time(to, "decidedAt", decision->decided_at);
	write_string(to, "decidedBy", decision->decided_by);
	write_string(to, "reason", decision->reason);
	write_time(to, "validUntil", decision->valid_until);
	write_json(to, "answer", decision->answer);
	write_time(to, "usedAt", decision->used_at);
	text_add_char(to, '}');
}

/* ---- In ---- */

struct reading {
	struct scan_value root;
	struct arena arena;
	bool has_no_memory;
};

/* Empty when it is not there. */
static bool read_string(struct reading *reading, const char *name, struct slice *string) {
	struct scan_value value;
	*string = SLICE_NONE;
	if (!scan_find(&reading->root, name, &value)) return true;
	if (value.type != SCAN_STRING) return false;
	if (scan_string(&value, &reading->arena, string)) return true;
	reading->has_no_memory = true;
	return false;
}

static struct slice read_json(struct reading *reading, const char *name) {
	struct scan_value value;
	return scan_find(&reading->root, name, &value) ? value.text : SLICE_NONE;
}

/* 0 when it is not there and need not be. */
static bool read_time(struct reading *reading, const char *name, bool is_needed, int64_t *wall_ms) {
	struct slice text;
	*wall_ms = 0;
	if (!read_string(reading, name, &text)) return false;
	if (!text.length) return !is_needed;
	return clock_read(text, wall_ms) && *wall_ms > 0;
}

static bool read_names(struct reading *reading, const char *name, struct slice names[DECISION_NAMES],
	size_t *count) {
	struct scan_value list;
	struct scan_walk walk;
	struct scan_member member;
	*count = 0;
	if (!scan_find(&reading->root, name, &list)) return true;
	if (list.type != SCAN_ARRAY) return false;
	for (scan_open(&walk, &list); scan_next(&walk, &member); (*count)++) {
		if (*count == DECISION_NAMES || member.value.type != SCAN_STRING) return false;
		if (scan_string(&member.value, &reading->arena, &names[*count])) continue;
		reading->has_no_memory = true;
		return false;
	}
	return true;
}

static bool read_words(struct reading *reading, struct decision *decision, struct fault *why) {
	struct decision_words words = {.answer = read_json(reading, "answer")};
	struct decision next;
	if (!read_string(reading, "decidedBy", &words.by) || !read_string(reading, "reason", &words.reason) ||
		!read_time(reading, "validUntil", false, &words.valid_until))
		return false;
	if (words.answer.length > DECISION_ANSWER) return false;
	uint64_t version = decision->version;
	if (!decision_change(decision, decision->state, &words, decision->decided_at, &next, why)) {
		reading->has_no_memory = true;
		return false;
	}
	next.version = version;
	decision_become(decision, &next);
	return true;
}

static bool read_state(struct reading *reading, struct decision *decision) {
	struct slice state, id, digest;
	if (!read_string(reading, "state", &state) || !decision_state_read(state, &decision->state) ||
		!read_string(reading, "id", &id) || id.length >= DECISION_ID || id.length == 0 ||
		!read_string(reading, "digest", &digest) ||
		!secret_unhex(digest, decision->digest, sizeof decision->digest) ||
		!read_time(reading, "createdAt", true, &decision->created_at) ||
		!read_time(reading, "expiresAt", true, &decision->expires_at) ||
		!read_time(reading, "decidedAt", false, &decision->decided_at) ||
		!read_time(reading, "usedAt", false, &decision->used_at))
		return false;
	snprintf(decision->id, sizeof decision->id, "%.*s", SLICE_ARGS(id));
	return true;
}

static struct decision *read_record(struct reading *reading, struct fault *why) {
	struct slice kind, permissions[DECISION_NAMES], deciders[DECISION_NAMES];
	struct decision_wish wish = {
		.permissions = permissions,
		.deciders = deciders,
		.arguments = read_json(reading, "arguments"),
	};
	if (!read_string(reading, "kind", &kind) || !decision_kind_read(kind, &wish.kind) ||
		!read_string(reading, "requester", &wish.requester) ||
		!read_string(reading, "server", &wish.server) || !read_string(reading, "tool", &wish.tool) ||
		!read_string(reading, "topic", &wish.topic) || !read_string(reading, "message", &wish.message) ||
		!read_names(reading, "permissions", permissions, &wish.permission_count) ||
		!read_names(reading, "deciders", deciders, &wish.decider_count))
		return NULL;
	AUTO(decision) decision = decision_make(&wish, 0, why);
	if (!decision) return NULL;
	if (!read_state(reading, decision) || !read_words(reading, decision, why)) return NULL;
	return TAKE(decision);
}

struct decision *decision_read(struct slice record, struct fault *why) {
	struct reading reading = {0};
	struct scan_fault fault;
	struct fault inner = {0};
	char lent[4096];
	if (!scan_check(record, SCAN_DEPTH + 1, &reading.root, &fault) || reading.root.type != SCAN_OBJECT)
		return fault_null(why, FAULT_BAD_INPUT, "the record is no JSON object");
	arena_init(&reading.arena, lent, sizeof lent, 0);
	struct decision *decision = read_record(&reading, &inner);
	arena_finish(&reading.arena);
	if (decision) return decision;
	if (reading.has_no_memory || inner.code == FAULT_NO_MEMORY)
		return fault_null(why, FAULT_NO_MEMORY, "no memory for a decision");
	return fault_null(why, FAULT_BAD_INPUT, "the record is no decision%s%s", inner.text[0] ? ": " : "", inner.text);
}
