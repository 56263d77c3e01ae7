/* SPDX-License-Identifier: Apache-2.0 */
/* Flow message: read with the name of what is wrong, written as in the text's examples. */
#include "flow/flow_message.h"

#define ID_OCTETS ((size_t)1 << 20) /* of a token */
#define REASON_OCTETS 1000

static const struct {
	const char *name;
	bool is_clients;
} methods[FLOW_METHODS] = {
	[FLOW_METHOD_START] = {"interaction.start", true},
	[FLOW_METHOD_PROMPT] = {"interaction.prompt", false},
	[FLOW_METHOD_RESPOND] = {"interaction.respond", true},
	[FLOW_METHOD_CONTINUE] = {"interaction.continue", false},
	[FLOW_METHOD_COMPLETE] = {"interaction.complete", true},
	[FLOW_METHOD_CANCEL] = {"interaction.cancel", true},
	[FLOW_METHOD_GET_STATE] = {"interaction.getState", true},
	[FLOW_METHOD_CAPABILITIES] = {"capabilities", true},
};

const char *flow_method_name(enum flow_method method) { return methods[method].name; }

bool flow_method_read(struct slice name, enum flow_method *method) {
	for (int i = 0; i < FLOW_METHODS; i++) {
		if (!slice_is(name, methods[i].name)) continue;
		*method = (enum flow_method)i;
		return true;
	}
	return false;
}

bool flow_method_is_clients(enum flow_method method) { return methods[method].is_clients; }

/* ---- Reading ---- */

static bool read_words(const struct scan_value *params, const char *name, struct arena *arena, size_t most,
	struct slice *words, struct flow_refusal *refusal) {
	struct scan_value value;
	*words = SLICE_NONE;
	if (params->type != SCAN_OBJECT || !scan_find(params, name, &value) || value.type != SCAN_STRING)
		return flow_refuse(refusal, FLOW_INVALID_PARAMS, NULL, "params.%s has to be a string", name);
	if (!scan_string(&value, arena, words)) return flow_refuse(refusal, FLOW_INTERNAL, "no_memory", "no memory: try again");
	if (words->length && words->length <= most) return true;
	return flow_refuse(refusal, FLOW_INVALID_PARAMS, NULL, "params.%s has to have 1 to %zu octets", name, most);
}

/* Two readers could differ about what was said: as of the arguments of a call. */
static bool has_twins(struct slice json, struct arena *arena) {
	bool twins = false;
	return !scan_has_duplicates(json, arena, &twins) || twins;
}

static bool read_object(const struct scan_value *params, const char *name, struct slice *object,
	struct flow_refusal *refusal) {
	struct scan_value value;
	*object = SLICE_NONE;
	if (!scan_find(params, name, &value) || value.type == SCAN_NULL) return true;
	if (value.type != SCAN_OBJECT)
		return flow_refuse(refusal, FLOW_INVALID_PARAMS, NULL, "params.%s has to be an object", name);
	*object = value.text;
	return true;
}

bool flow_message_start(const struct scan_value *params, struct arena *arena, struct flow_start *start,
	struct flow_refusal *refusal) {
	struct scan_value value;
	*start = (struct flow_start){0};
	if (!read_words(params, "toolName", arena, FLOW_NAME, &start->tool, refusal) ||
		!read_object(params, "initialParams", &start->initial_params, refusal) ||
		!read_object(params, "context", &start->context, refusal))
		return false;
	if (start->initial_params.length && has_twins(start->initial_params, arena))
		return flow_refuse(refusal, FLOW_INVALID_PARAMS, NULL, "params.initialParams: a key stands twice in one object");
	if (!scan_find(params, "timeout", &value) || value.type == SCAN_NULL) return true;
	if (scan_integer(&value, &start->timeout_ms) && start->timeout_ms >= 1000) return true;
	return flow_refuse(refusal, FLOW_INVALID_PARAMS, NULL, "params.timeout has to be a whole number of ms, 1000 or more");
}

bool flow_message_session(const struct scan_value *params, struct arena *arena, struct slice *id,
	struct flow_refusal *refusal) {
	struct scan_value value;
	*id = SLICE("");
	/* An empty one is no session's, and is looked for in vain. */
	if (params->type == SCAN_OBJECT && scan_find(params, "sessionId", &value) && slice_is(value.text, "\"\"")) return true;
	return read_words(params, "sessionId", arena, ID_OCTETS, id, refusal);
}

static bool malformed(struct flow_refusal *refusal, const char *what) {
	return flow_refuse(refusal, FLOW_VALIDATION_FAILED, NULL, "%s", what);
}

bool flow_message_respond(const struct scan_value *params, struct arena *arena, struct flow_response *response,
	struct flow_refusal *refusal) {
	struct scan_value object, value;
	*response = (struct flow_response){.value.type = SCAN_NONE};
	if (!scan_find(params, "response", &object) || object.type != SCAN_OBJECT)
		return malformed(refusal, "params.response has to be an object with a value");
	if (!scan_find(&object, "value", &response->value)) return malformed(refusal, "params.response.value is missing");
	bool is_nested = response->value.type == SCAN_OBJECT || response->value.type == SCAN_ARRAY;
	if (is_nested && has_twins(response->value.text, arena))
		return malformed(refusal, "params.response.value: a key stands twice in one object");
	if (scan_find(&object, "timestamp", &value) && value.type != SCAN_NULL) {
		if (value.type != SCAN_NUMBER) return malformed(refusal, "params.response.timestamp has to be a number of ms");
		response->timestamp = value.text;
	}
	if (scan_find(&object, "metadata", &value) && value.type != SCAN_NULL) {
		if (value.type != SCAN_OBJECT) return malformed(refusal, "params.response.metadata has to be an object");
		response->metadata = value.text;
	}
	bool is_named = scan_find(params, "promptId", &value) || scan_find(&object, "promptId", &value);
	if (!is_named || value.type == SCAN_NULL) return true;
	if (!scan_string(&value, arena, &response->prompt_id)) return malformed(refusal, "params.promptId has to be a string");
	if (!response->prompt_id.length) response->prompt_id = SLICE(""); /* which is no prompt's */
	return true;
}

struct slice flow_message_reason(const struct scan_value *params, struct arena *arena) {
	struct scan_value value;
	struct slice words;
	if (!scan_find(params, "reason", &value) || !scan_string(&value, arena, &words)) return SLICE_NONE;
	return slice_make(words.bytes, slice_cut(words, REASON_OCTETS));
}

/* ---- Writing ---- */

static void add_id(struct text *to, struct slice id) {
	text_add_cstr(to, "{\"sessionId\":");
	text_json(to, id);
}

static void add_document(struct text *to, const char *name, const struct text *document) {
	if (!document->length) return;
	text_printf(to, ",\"%s\":", name);
	text_add(to, text_slice(document));
}

void flow_write_started(struct text *to, const struct flow_session *session, struct slice id) {
	add_id(to, id);
	text_printf(to, ",\"state\":\"%s\"", flow_state_word(FLOW_IDLE));
	add_document(to, "initialPrompt", &session->prompt);
	text_add_char(to, '}');
}

void flow_write_response(struct text *to, const struct prompt_verdict *verdict, struct slice token) {
	text_printf(to, "{\"accepted\":%s,\"validation\":", verdict->is_valid ? "true" : "false");
	prompt_write_verdict(to, verdict);
	if (token.length) {
		text_add_cstr(to, ",\"sessionId\":");
		text_json(to, token);
	}
	text_add_char(to, '}');
}

void flow_write_state(struct text *to, const struct flow_session *session, struct slice id) {
	int64_t expires_at = flow_session_expires_at(session);
	add_id(to, id);
	text_printf(to, ",\"state\":\"%s\",\"metadata\":{\"createdAt\":%lld,\"lastActivityAt\":%lld,\"toolName\":",
		flow_state_word(session->state), (long long)session->created_at, (long long)session->active_at);
	text_json(to, slice_of(session->name ? session->name : session->tool));
	if (expires_at != INT64_MAX) text_printf(to, ",\"expiresAt\":%lld", (long long)expires_at);
	text_add_cstr(to, "},\"history\":[");
	text_add(to, text_slice(&session->history));
	text_add_char(to, ']');
	add_document(to, "currentPrompt", &session->prompt);
	add_document(to, "accumulatedData", &session->given);
	add_document(to, "progress", &session->progress);
	add_document(to, "context", &session->context);
	add_document(to, "finalResult", &session->result);
	if (session->summary.length) {
		text_add_cstr(to, ",\"summary\":");
		text_json(to, text_slice(&session->summary));
	}
	text_add_char(to, '}');
}

void flow_write_completed(struct text *to, const struct flow_session *session) {
	text_add_cstr(to, "{\"success\":true");
	add_document(to, "finalResult", &session->result);
	text_add_char(to, '}');
}

void flow_write_cancelled(struct text *to) { text_add_cstr(to, "{\"cancelled\":true}"); }

void flow_write_capabilities(struct text *to, bool is_stateless) {
	text_printf(to,
		"{\"interactive\":true,\"version\":\"" FLOW_VERSION "\",\"features\":{\"statefulSessions\":%s,"
		"\"progressTracking\":true,\"validation\":true,\"multiplePromptTypes\":true,\"sessionPersistence\":true}}",
		is_stateless ? "false" : "true");
}

void flow_write_prompt(struct text *to, const struct flow_session *session, struct slice id) {
	add_id(to, id);
	add_document(to, "prompt", &session->prompt);
	add_document(to, "progress", &session->progress);
	text_add_char(to, '}');
}

void flow_write_continue(struct text *to, const struct flow_session *session, struct slice id) {
	add_id(to, id);
	add_document(to, "nextPrompt", &session->prompt);
	add_document(to, "progress", &session->progress);
	text_add_char(to, '}');
}

void flow_write_complete(struct text *to, const struct flow_session *session, struct slice id) {
	add_id(to, id);
	add_document(to, "result", &session->result);
	if (session->summary.length) {
		text_add_cstr(to, ",\"summary\":");
		text_json(to, text_slice(&session->summary));
	}
	text_add_char(to, '}');
}

void flow_write_warning(struct text *to, const struct flow_session *session, struct slice id) {
	add_id(to, id);
	text_printf(to, ",\"expiresAt\":%lld}", (long long)flow_session_expires_at(session));
}

/* ---- Led by a server ---- */

bool flow_message_server_id(const struct scan_value *object, struct arena *arena, struct slice *id) {
	struct scan_value value;
	return object->type == SCAN_OBJECT && scan_find(object, "sessionId", &value) && value.type == SCAN_STRING &&
		scan_string(&value, arena, id) && id->length && id->length <= FLOW_SERVER_ID;
}

/* The envelope of a modern message is no part of what it says. */
static bool is_envelope(const struct scan_member *member) {
	return scan_key_is(member, "resultType") || scan_key_is(member, "_meta");
}

void flow_write_renamed(struct text *to, const struct scan_value *object, struct slice id) {
	struct scan_walk walk;
	struct scan_member member;
	const char *before = "{";
	if (object->type == SCAN_OBJECT)
		for (scan_open(&walk, object); scan_next(&walk, &member);) {
			if (is_envelope(&member)) continue;
			text_printf(to, "%s\"%.*s\":", before, SLICE_ARGS(member.key));
			if (scan_key_is(&member, "sessionId")) text_json(to, id);
			else text_add(to, member.value.text);
			before = ",";
		}
	text_add_cstr(to, before[0] == '{' ? "{}" : "}");
}

void flow_write_start(struct text *to, const struct flow_start *start, struct slice tool) {
	text_add_cstr(to, "{\"toolName\":");
	text_json(to, tool);
	if (start->initial_params.length) {
		text_add_cstr(to, ",\"initialParams\":");
		text_add(to, start->initial_params);
	}
	if (start->context.length) {
		text_add_cstr(to, ",\"context\":");
		text_add(to, start->context);
	}
	if (start->timeout_ms) text_printf(to, ",\"timeout\":%lld", (long long)start->timeout_ms);
	text_add_char(to, '}');
}

void flow_write_words(struct text *to, struct slice words, struct slice id, struct slice instead) {
	const char *end = words.bytes + words.length;
	for (const char *at = words.bytes; id.length && (size_t)(end - at) >= id.length;) {
		const char *found = memmem(at, (size_t)(end - at), id.bytes, id.length);
		if (!found) break;
		text_add(to, slice_make(at, (size_t)(found - at)));
		text_add(to, instead);
		at = found + id.length;
		words = slice_make(at, (size_t)(end - at));
	}
	text_add(to, words);
}
