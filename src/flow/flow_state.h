/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Flow state: the states of a guided session and the ways between them (MCP Flow, session management), and the
 * errors of MCP Flow. Plain functions, any thread.
 */
#ifndef HUSTINGS_FLOW_FLOW_STATE_H
#define HUSTINGS_FLOW_FLOW_STATE_H

#include "base/fault.h"
#include "base/slice.h"
#include "base/text.h"

#define FLOW_VERSION "0.1.0"
#define FLOW_EXTENSION "dev.hustings/flow" /* under capabilities.extensions (docs/protocol.md) */

enum flow_state {
	FLOW_IDLE,
	FLOW_ACTIVE,
	FLOW_WAITING_USER,
	FLOW_PROCESSING,
	FLOW_COMPLETED,
	FLOW_CANCELLED,
	FLOW_ERROR,
	FLOW_STATES
};

const char *flow_state_word(enum flow_state state); /* "waiting_user" */
bool flow_state_read(struct slice word, enum flow_state *state) MUST_USE;
bool flow_state_may(enum flow_state from, enum flow_state to);
bool flow_state_is_over(enum flow_state state); /* completed, cancelled, error */

enum flow_code {
	FLOW_SESSION_NOT_FOUND = -32001,
	FLOW_SESSION_EXPIRED = -32002,
	FLOW_INVALID_TRANSITION = -32003,
	FLOW_VALIDATION_FAILED = -32004,
	FLOW_TIMEOUT = -32005,
	FLOW_ALREADY_CANCELLED = -32006,
	FLOW_NOT_INTERACTIVE = -32007,
	FLOW_LIMIT = -32000, /* too many sessions, or prompts, or too fast */
	FLOW_INVALID_PARAMS = -32602,
	FLOW_INTERNAL = -32603,
};

/* Why a request was refused: the error's code, its sentence, and the stable word in data.type. */
struct flow_refusal {
	int code; /* enum flow_code; 0: it was not */
	const char *type;
	char message[240];
	uint64_t retry_after_ms; /* 0: not said */
};

/* Returns false. `type` NULL: the code's own ("session_not_found"). */
bool flow_refuse(struct flow_refusal *refusal, enum flow_code code, const char *type, const char *format, ...)
	PRINTF_LIKE(4, 5);
/* {"sessionId":...,"type":...,"retry_after_ms":...}; `session` length 0, and no time: left out. */
void flow_refusal_write_data(struct text *to, const struct flow_refusal *refusal, struct slice session);

#endif
