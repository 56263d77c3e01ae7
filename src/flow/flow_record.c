/* SPDX-License-Identifier: Apache-2.0 */
/* Flow record: three tables, of numbers, words and JSON. */
#include "flow/flow_record.h"

#include <stdlib.h>

#define VERSION 1

static const struct {
	const char *name;
	size_t at;
} moments[] = {
	{"createdAt", offsetof(struct flow_session, created_at)},
	{"activeAt", offsetof(struct flow_session, active_at)},
	{"timeout", offsetof(struct flow_session, timeout_ms)},
	{"endsAt", offsetof(struct flow_session, ends_at)},
},
  counts[] = {
	  {"promptsLeft", offsetof(struct flow_session, prompts_left)},
	  {"turns", offsetof(struct flow_session, turns)},
	  {"number", offsetof(struct flow_session, number)},
},
  words[] = {
	  {"principal", offsetof(struct flow_session, principal)},
	  {"session", offsetof(struct flow_session, session)},
	  {"server", offsetof(struct flow_session, server)},
	  {"tool", offsetof(struct flow_session, tool)},
	  {"name", offsetof(struct flow_session, name)},
},
  documents[] = {
	  {"given", offsetof(struct flow_session, given)},
	  {"context", offsetof(struct flow_session, context)},
	  {"prompt", offsetof(struct flow_session, prompt)},
	  {"progress", offsetof(struct flow_session, progress)},
	  {"result", offsetof(struct flow_session, result)},
};

#define MEMBER(type, session, row) ((type *)(void *)((char *)(session) + (row).at))
#define CONST_MEMBER(type, session, row) ((const type *)(const void *)((const char *)(session) + (row).at))

void flow_record_write(struct text *to, const struct flow_session *session) {
	text_printf(to, "{\"version\":%d,\"id\":\"%s\",\"state\":\"%s\",\"warned\":%s", VERSION, session->id,
		flow_state_word(session->state), session->is_warned ? "true" : "false");
	if (session->is_led) text_add_cstr(to, ",\"led\":true");
	for (size_t i = 0; i < COUNT_OF(moments); i++)
		text_printf(to, ",\"%s\":%lld", moments[i].name, (long long)*CONST_MEMBER(int64_t, session, moments[i]));
	for (size_t i = 0; i < COUNT_OF(counts); i++)
		text_printf(to, ",\"%s\":%u", counts[i].name, *CONST_MEMBER(unsigned, session, counts[i]));
	for (size_t i = 0; i < COUNT_OF(words); i++) {
		const char *word = *CONST_MEMBER(char *, session, words[i]);
		if (!word) continue;
		text_printf(to, ",\"%s\":", words[i].name);
		text_json(to, slice_of(word));
	}
	for (size_t i = 0; i < COUNT_OF(documents); i++) {
		const struct text *document = CONST_MEMBER(struct text, session, documents[i]);
		if (!document->length) continue;
		text_printf(to, ",\"%s\":", documents[i].name);
		text_add(to, text_slice(document));
	}
	text_add_cstr(to, ",\"summary\":");
	text_json(to, text_slice(&session->summary));
	text_add_cstr(to, ",\"history\":[");
	text_add(to, text_slice(&session->history));
	text_add_cstr(to, "]}");
}

/* ---- Reading ---- */

struct reading {
	const struct scan_value *record;
	struct flow_session *session;
	struct arena *arena;
	struct fault *why;
};

static bool bad(const struct reading *reading, const char *name) {
	return fault_set(reading->why, FAULT_BAD_INPUT, "the record of a session has no sound member %s", name);
}

static bool read_numbers(const struct reading *reading) {
	struct scan_value value;
	int64_t number;
	for (size_t i = 0; i < COUNT_OF(moments); i++) {
		if (!scan_find(reading->record, moments[i].name, &value) || !scan_integer(&value, &number))
			return bad(reading, moments[i].name);
		*MEMBER(int64_t, reading->session, moments[i]) = number;
	}
	for (size_t i = 0; i < COUNT_OF(counts); i++) {
		if (!scan_find(reading->record, counts[i].name, &value) || !scan_integer(&value, &number) || number < 0 ||
			number > INT32_MAX)
			return bad(reading, counts[i].name);
		*MEMBER(unsigned, reading->session, counts[i]) = (unsigned)number;
	}
	return true;
}

static bool read_words(const struct reading *reading) {
	struct scan_value value;
	struct slice word;
	for (size_t i = 0; i < COUNT_OF(words); i++) {
		if (!scan_find(reading->record, words[i].name, &value)) continue;
		if (!scan_string(&value, reading->arena, &word) || memchr(word.bytes, '\0', word.length))
			return bad(reading, words[i].name);
		char *kept = slice_copy(word);
		if (!kept) return fault_set(reading->why, FAULT_NO_MEMORY, "no memory for a session");
		*MEMBER(char *, reading->session, words[i]) = kept;
	}
	return reading->session->tool || bad(reading, "tool");
}

static bool add(const struct reading *reading, struct text *to, struct slice words_of_it, const char *name) {
	text_add(to, words_of_it);
	return !text_failed(to) || fault_set(reading->why, FAULT_TOO_LARGE, "the session's %s is too large, or there is no memory", name);
}

static bool read_documents(const struct reading *reading) {
	struct flow_session *session = reading->session;
	struct scan_value value;
	struct slice summary;
	text_init(&session->given, FLOW_DATA);
	text_init(&session->history, FLOW_HISTORY);
	text_init(&session->result, FLOW_RESULT);
	for (size_t i = 0; i < COUNT_OF(documents); i++) {
		struct text *document = MEMBER(struct text, session, documents[i]);
		if (!scan_find(reading->record, documents[i].name, &value)) continue;
		if (value.type != SCAN_OBJECT) return bad(reading, documents[i].name);
		if (!add(reading, document, value.text, documents[i].name)) return false;
	}
	if (!session->given.length) return bad(reading, "given");
	if (!scan_find(reading->record, "history", &value) || value.type != SCAN_ARRAY) return bad(reading, "history");
	struct slice inner = slice_trim(slice_make(value.text.bytes + 1, value.text.length - 2));
	if (!add(reading, &session->history, inner, "history")) return false;
	if (!scan_find(reading->record, "summary", &value) || !scan_string(&value, reading->arena, &summary))
		return bad(reading, "summary");
	return add(reading, &session->summary, summary, "summary");
}

static bool read_head(const struct reading *reading) {
	struct flow_session *session = reading->session;
	struct scan_value value;
	struct slice word;
	int64_t version;
	if (!scan_find(reading->record, "version", &value) || !scan_integer(&value, &version) || version != VERSION)
		return bad(reading, "version");
	if (!scan_find(reading->record, "id", &value) || !scan_string(&value, reading->arena, &word) || word.length >= FLOW_ID)
		return bad(reading, "id");
	memcpy(session->id, word.bytes, word.length);
	if (!scan_find(reading->record, "state", &value) || !scan_string(&value, reading->arena, &word) ||
		!flow_state_read(word, &session->state))
		return bad(reading, "state");
	if (scan_find(reading->record, "led", &value) && !scan_boolean(&value, &session->is_led)) return bad(reading, "led");
	return (scan_find(reading->record, "warned", &value) && scan_boolean(&value, &session->is_warned)) ||
		bad(reading, "warned");
}

struct flow_session *flow_record_read(struct slice json, struct fault *why) {
	struct scan_value record;
	struct scan_fault fault;
	struct arena arena;
	char lent[1024];
	if (json.length > FLOW_RECORD) return fault_null(why, FAULT_TOO_LARGE, "the record of a session is at most %zu octets", FLOW_RECORD);
	if (!scan_check(json, SCAN_DEPTH, &record, &fault) || record.type != SCAN_OBJECT)
		return fault_null(why, FAULT_BAD_INPUT, "the record of a session is no JSON object");
	struct flow_session *session = calloc(1, sizeof *session);
	if (!session) return fault_null(why, FAULT_NO_MEMORY, "no memory for a session");
	arena_init(&arena, lent, sizeof lent, 0);
	const struct reading reading = {&record, session, &arena, why};
	bool is_fine = read_head(&reading) && read_numbers(&reading) && read_words(&reading) && read_documents(&reading);
	arena_finish(&arena);
	if (is_fine) return session;
	flow_session_free(session);
	return NULL;
}
