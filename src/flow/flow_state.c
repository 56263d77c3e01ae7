/* SPDX-License-Identifier: Apache-2.0 */
/* Flow state: one table of words, one of ways. */
#include "flow/flow_state.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

static const char *const words[FLOW_STATES] = {
	[FLOW_IDLE] = "idle",
	[FLOW_ACTIVE] = "active",
	[FLOW_WAITING_USER] = "waiting_user",
	[FLOW_PROCESSING] = "processing",
	[FLOW_COMPLETED] = "completed",
	[FLOW_CANCELLED] = "cancelled",
	[FLOW_ERROR] = "error",
};

#define TO(state) (1u << (state))
#define FROM_ANY (TO(FLOW_CANCELLED) | TO(FLOW_ERROR))

/* From a state to any of these; a session that nothing was missing for goes from active to processing. What is
 * over stays so. */
static const unsigned ways[FLOW_STATES] = {
	[FLOW_IDLE] = TO(FLOW_ACTIVE) | FROM_ANY,
	[FLOW_ACTIVE] = TO(FLOW_WAITING_USER) | TO(FLOW_PROCESSING) | FROM_ANY,
	[FLOW_WAITING_USER] = TO(FLOW_PROCESSING) | FROM_ANY,
	[FLOW_PROCESSING] = TO(FLOW_WAITING_USER) | TO(FLOW_COMPLETED) | FROM_ANY,
};

const char *flow_state_word(enum flow_state state) { return words[state]; }

bool flow_state_read(struct slice word, enum flow_state *state) {
	for (int i = 0; i < FLOW_STATES; i++) {
		if (!slice_is(word, words[i])) continue;
		*state = (enum flow_state)i;
		return true;
	}
	return false;
}

bool flow_state_may(enum flow_state from, enum flow_state to) { return (ways[from] & TO(to)) != 0; }

bool flow_state_is_over(enum flow_state state) { return ways[state] == 0; }

/* ---- Errors ---- */

static const struct {
	int code;
	const char *type;
} types[] = {
	{FLOW_SESSION_NOT_FOUND, "session_not_found"},
	{FLOW_SESSION_EXPIRED, "session_expired"},
	{FLOW_INVALID_TRANSITION, "invalid_state_transition"},
	{FLOW_VALIDATION_FAILED, "validation_failed"},
	{FLOW_TIMEOUT, "timeout"},
	{FLOW_ALREADY_CANCELLED, "already_cancelled"},
	{FLOW_NOT_INTERACTIVE, "not_interactive"},
	{FLOW_LIMIT, "limit"},
	{FLOW_INVALID_PARAMS, "invalid_params"},
};

static const char *type_of(int code) {
	for (size_t i = 0; i < COUNT_OF(types); i++)
		if (types[i].code == code) return types[i].type;
	return "internal_error";
}

bool flow_refuse(struct flow_refusal *refusal, enum flow_code code, const char *type, const char *format, ...) {
	va_list values;
	if (!refusal) return false;
	refusal->code = code;
	refusal->type = type ? type : type_of(code);
	refusal->retry_after_ms = 0;
	va_start(values, format);
	vsnprintf(refusal->message, sizeof refusal->message, format, values);
	va_end(values);
	return false;
}

void flow_refusal_write_data(struct text *to, const struct flow_refusal *refusal, struct slice session) {
	text_add_char(to, '{');
	if (session.length) {
		text_add_cstr(to, "\"sessionId\":");
		text_json(to, session);
		text_add_char(to, ',');
	}
	text_printf(to, "\"type\":\"%s\"", refusal->type);
	if (refusal->retry_after_ms) text_printf(to, ",\"retry_after_ms\":%" PRIu64, refusal->retry_after_ms);
	text_add_char(to, '}');
}
