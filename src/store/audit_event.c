/* SPDX-License-Identifier: Apache-2.0 */
/* Audit event: words into types, fields into the members of MGP 6.3. */
#include "store/audit_event.h"

#include "base/clock.h"
#include "base/map.h"
#include "wire/scan.h"

#include <stdio.h>

#define OWN "dev.hustings."
#define DETAILS_DEPTH 32 /* deeper ones are shown as text, so that whoever reads an answer can read it */

static const struct {
	const char *word;
	const char *type;
} types[] = {
	{"refused", OWN "envelope_refused"},
	{"joined", OWN "participant_joined"},
	{"left", OWN "participant_left"},
	{"proposal", OWN "proposal_changed"},
	{"privilege", OWN "privilege_changed"},
	{"token", OWN "token_changed"},
	{"session", OWN "session_changed"},
	{"server", OWN "server_changed"},
	{"question", OWN "question_declined"},
};

/* Results that rooms and decisions have, and that are no success. */
static const struct {
	const char *word;
	struct slice result;
} results[] = {
	{"refused", {"BLOCKED", 7}},
	{"denied", {"BLOCKED", 7}},
	{"rejected", {"BLOCKED", 7}},
	{"expired", {"BLOCKED", 7}},
	{"failed", {"FAILED", 6}},
	{"webhook_failed", {"FAILED", 6}},
};

#define CALL_REFUSED OWN "call_refused" /* "refused" outside a room */

static bool is_word(const struct audit_record *record, const char *word) {
	return slice_is(record->event, word);
}

/* An event type of MGP or a reverse-domain one. */
static bool is_type(struct slice event) {
	if (!event.length) return false;
	return (event.bytes[0] >= 'A' && event.bytes[0] <= 'Z') || memchr(event.bytes, '.', event.length);
}

struct slice audit_event_type(const struct audit_record *record, char room[AUDIT_TYPE_SIZE]) {
	if (is_type(record->event)) return record->event;
	if (is_word(record, "refused") && !record->topic.length) return SLICE(CALL_REFUSED);
	for (size_t i = 0; i < COUNT_OF(types); i++)
		if (is_word(record, types[i].word)) return slice_of(types[i].type);
	int length = snprintf(room, AUDIT_TYPE_SIZE, OWN "%.*s", SLICE_ARGS(record->event));
	return slice_make(room, length < AUDIT_TYPE_SIZE ? (size_t)length : AUDIT_TYPE_SIZE - 1);
}

struct slice audit_event_word(struct slice type) {
	if (slice_is(type, CALL_REFUSED)) return SLICE("refused");
	for (size_t i = 0; i < COUNT_OF(types); i++)
		if (slice_is(type, types[i].type)) return slice_of(types[i].word);
	if (!slice_starts_with(type, OWN)) return SLICE_NONE;
	return slice_make(type.bytes + strlen(OWN), type.length - strlen(OWN));
}

struct slice audit_event_result(const struct audit_record *record) {
	if (is_type(record->event) && record->result.length) return record->result;
	if (is_word(record, "refused") || is_word(record, "question")) return AUDIT_BLOCKED;
	for (size_t i = 0; i < COUNT_OF(results); i++)
		if (slice_is(record->result, results[i].word)) return results[i].result;
	return AUDIT_SUCCESS;
}

struct slice audit_event_server(const struct audit_record *record) {
	if (record->server_id.length) return record->server_id;
	if (is_word(record, "server")) return record->target;
	if (is_word(record, "question")) return record->actor;
	if (is_word(record, "refused") && !record->topic.length) return record->target;
	return SLICE_NONE;
}

const char *audit_event_actor_type(const struct audit_record *record, char room[AUDIT_TYPE_SIZE]) {
	if (!record->actor_type.length)
		return is_word(record, "question") ? "server" : record->actor.length ? "principal"
										     : "system";
	snprintf(room, AUDIT_TYPE_SIZE, "%.*s", SLICE_ARGS(record->actor_type));
	return room;
}

/* ---- Trace ---- */

static uint64_t digest(uint64_t key, const struct audit_record *record, int64_t moment) {
	uint64_t sum = map_digest(key, slice_make(&moment, sizeof moment));
	for (size_t i = 0; i < AUDIT_PACKED_FIELDS; i++) sum = map_digest(sum, audit_field(record, i));
	return sum;
}

/* A UUID of version 8, made of the content: MGP wants one in every event. */
static void make_trace(const struct audit_record *record, int64_t moment, char id[TRACE_SIZE]) {
	uint64_t high = digest(1, record, moment), low = digest(2, record, moment);
	snprintf(id, TRACE_SIZE, "%08x-%04x-8%03x-%04x-%012llx", (unsigned)(high >> 32),
		(unsigned)(high >> 16) & 0xffff, (unsigned)high & 0xfff, ((unsigned)(low >> 48) & 0x3fff) | 0x8000,
		(unsigned long long)low & 0xffffffffffff);
}

/* ---- Details ---- */

struct details {
	struct text *to;
	struct scan_value object;
	bool has_object;
	bool has_any;
};

/* What a record's JSON says itself is not said twice. */
static bool begin_member(struct details *details, const char *name) {
	struct scan_value found;
	if (details->has_object && scan_find(&details->object, name, &found)) return false;
	text_printf(details->to, "%s\"%s\":", details->has_any ? "," : "", name);
	details->has_any = true;
	return true;
}

static void add_member(struct details *details, const char *name, struct slice value) {
	if (value.length && begin_member(details, name)) text_json(details->to, value);
}

static bool object_read(struct slice json, struct scan_value *object) {
	struct scan_fault fault;
	return json.length && scan_check(json, DETAILS_DEPTH, object, &fault) && object->type == SCAN_OBJECT;
}

/* JSON of others on our one line. */
static void add_json(struct text *to, struct slice json) {
	size_t start = to->length;
	text_add(to, json);
	if (!text_failed(to)) slice_blank_line_ends(to->bytes + start, to->length - start);
}

static void write_details(struct text *to, const struct audit_record *record) {
	struct details details = {.to = to};
	struct slice server = audit_event_server(record);
	details.has_object = object_read(record->details, &details.object);
	text_add_char(to, '{');
	if (details.has_object) {
		struct slice text = details.object.text;
		details.has_any = scan_count(&details.object) > 0;
		add_json(to, slice_make(text.bytes + 1, text.length - 2));
	} else
		add_member(&details, "text", record->details);
	add_member(&details, "topic", record->topic);
	add_member(&details, "gate", record->gate);
	if (!slice_equal(record->target, server)) add_member(&details, "subject", record->target);
	if (!slice_equal(record->result, audit_event_result(record)))
		add_member(&details, "outcome", record->result);
	add_member(&details, "message", record->detail);
	if (record->count > 1 && begin_member(&details, "count")) text_number(to, record->count);
	text_add_char(to, '}');
}

/* ---- Writing ---- */

static void write_target(struct text *to, const struct audit_record *record) {
	struct slice server = audit_event_server(record);
	text_add_cstr(to, ",\"target\":{");
	if (server.length) {
		text_add_cstr(to, "\"server_id\":");
		text_json(to, server);
	}
	if (record->tool_name.length) {
		text_add_cstr(to, server.length ? ",\"tool_name\":" : "\"tool_name\":");
		text_json(to, record->tool_name);
	}
	text_add_char(to, '}');
}

void audit_write_event(struct text *to, const struct audit_record *record, int64_t moment) {
	char time[CLOCK_TEXT_SIZE], trace[TRACE_SIZE], room[AUDIT_TYPE_SIZE];
	clock_write(moment, time);
	make_trace(record, moment, trace);
	text_printf(to, "{\"timestamp\":\"%s\",\"trace_id\":", time);
	text_json(to, record->trace_id.length ? record->trace_id : slice_of(trace));
	text_add_cstr(to, ",\"event_type\":");
	text_json(to, audit_event_type(record, room));
	text_add_cstr(to, ",\"actor\":{\"type\":");
	text_json(to, slice_of(audit_event_actor_type(record, room)));
	text_add_cstr(to, ",\"id\":");
	text_json(to, record->actor.length ? record->actor : SLICE("kernel"));
	text_add_char(to, '}');
	write_target(to, record);
	text_add_cstr(to, ",\"result\":");
	text_json(to, audit_event_result(record));
	if (audit_is_claimed(record)) {
		text_add_cstr(to, ",\"source\":");
		text_json(to, record->source);
	}
	text_add_cstr(to, ",\"details\":");
	write_details(to, record);
	text_add_char(to, '}');
}

void audit_write_fields(struct text *to, const struct audit_record *record) {
	char room[AUDIT_TYPE_SIZE];
	struct scan_value object;
	for (size_t i = 0; i < AUDIT_PACKED_FIELDS; i++) {
		struct slice field = audit_field(record, i);
		if (!field.length) continue;
		text_printf(to, "\"%s\":", audit_field_name(i));
		bool is_object = strcmp(audit_field_name(i), "details") == 0 && object_read(field, &object);
		if (is_object) add_json(to, object.text);
		else text_json(to, field);
		text_add_char(to, ',');
	}
	text_add_cstr(to, "\"event_type\":");
	text_json(to, audit_event_type(record, room));
	text_printf(to, ",\"count\":%lld", (long long)(record->count ? record->count : 1));
}
