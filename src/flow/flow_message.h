/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Flow message: the messages of MCP Flow, both ways: what a client's params say, and what results and our own
 * requests are. `id` is what the client knows the session by: its id, or a token (flow_token.h). Plain functions,
 * any thread.
 */
#ifndef HUSTINGS_FLOW_FLOW_MESSAGE_H
#define HUSTINGS_FLOW_FLOW_MESSAGE_H

#include "flow/flow_session.h"

#define FLOW_SERVER_ID 16384 /* octets of a session's id at a server that leads it, which may be a token */

enum flow_method {
	FLOW_METHOD_START,
	FLOW_METHOD_PROMPT, /* server to client, as `continue` */
	FLOW_METHOD_RESPOND,
	FLOW_METHOD_CONTINUE,
	FLOW_METHOD_COMPLETE, /* both ways */
	FLOW_METHOD_CANCEL,
	FLOW_METHOD_GET_STATE,
	FLOW_METHOD_CAPABILITIES,
	FLOW_METHODS
};

const char *flow_method_name(enum flow_method method); /* "interaction.getState" */
bool flow_method_read(struct slice name, enum flow_method *method) MUST_USE;
/* Whether a client may send it. */
bool flow_method_is_clients(enum flow_method method);

/* ---- What a client's params say: -32602 or -32004 names the member ---- */

struct flow_start {
	struct slice tool;
	struct slice initial_params, context; /* JSON objects; length 0: none */
	int64_t timeout_ms;                   /* 0: not said */
};
bool flow_message_start(const struct scan_value *params, struct arena *arena, struct flow_start *start,
	struct flow_refusal *refusal) MUST_USE;
bool flow_message_session(const struct scan_value *params, struct arena *arena, struct slice *id,
	struct flow_refusal *refusal) MUST_USE;
bool flow_message_respond(const struct scan_value *params, struct arena *arena, struct flow_response *response,
	struct flow_refusal *refusal) MUST_USE;
/* params.reason; SLICE_NONE: none. */
struct slice flow_message_reason(const struct scan_value *params, struct arena *arena);

/* ---- Results ---- */

/* `state` is the one at creation (docs/protocol.md); the prompt at hand is the initial one. */
void flow_write_started(struct text *to, const struct flow_session *session, struct slice id);
/* `token`: the next one of stateless mode; length 0: none. */
void flow_write_response(struct text *to, const struct prompt_verdict *verdict, struct slice token);
void flow_write_state(struct text *to, const struct flow_session *session, struct slice id);
void flow_write_completed(struct text *to, const struct flow_session *session);
void flow_write_cancelled(struct text *to);
void flow_write_capabilities(struct text *to, bool is_stateless);

/* ---- Of sessions that a server leads ---- */

/* A message's object as it came, with `id` for its sessionId, where it has one. */
void flow_write_renamed(struct text *to, const struct scan_value *object, struct slice id);
/* params.sessionId of what a server sends or answers; false: none that is one, or no memory. */
bool flow_message_server_id(const struct scan_value *object, struct arena *arena, struct slice *id) MUST_USE;
/* Params of interaction.start toward a server. */
void flow_write_start(struct text *to, const struct flow_start *start, struct slice tool);
/* Words without that id: wherever it stands, `instead` does. */
void flow_write_words(struct text *to, struct slice words, struct slice id, struct slice instead);

/* ---- Params of our own requests and notifications ---- */

void flow_write_prompt(struct text *to, const struct flow_session *session, struct slice id);   /* interaction.prompt */
void flow_write_continue(struct text *to, const struct flow_session *session, struct slice id); /* interaction.continue */
void flow_write_complete(struct text *to, const struct flow_session *session, struct slice id); /* interaction.complete */
void flow_write_warning(struct text *to, const struct flow_session *session, struct slice id);  /* notifications/interaction/timeout */

#endif
