/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mcp_call_authorization: a call that waits for a decision (MCPx ADR-001), and whose client knows what that is: it is
 * answered with an error at once, and the outcome goes to whoever listens beside.
 */
#include "gateway/mcp_call_parts.h"

#include "flow/authorization.h"
#include "gateway/mcp_ear.h"

#include <stdio.h>
#include <stdlib.h>

static struct mcp_listener listener_of(const struct mcp_call *call) {
	return (struct mcp_listener){.session = call->session, .principal = call->principal->id, .target = call->target};
}

/* The connection's next request may be handled in here, and may end the call: nothing of it is touched afterwards. */
static void leave(struct mcp_call *call) {
	char *early = TAKE(call->early);
	if (early && mcp_stream_is_used(&call->user)) mcp_stream_finish(&call->user, 200, slice_of(early));
	free(early);
}

static void leave_later(struct task *task) { leave(CONTAINER_OF(task, struct mcp_call, leaves)); }

void mcp_call_leave(struct mcp_call *call) {
	task_clear(&call->leaves);
	leave(call);
}

bool mcp_call_authorizing(struct mcp_call *call, const struct hosted_answer *error, struct slice id, bool is_twice) {
	const struct mcp_listener listener = listener_of(call);
	AUTO_TEXT struct text message = {0};
	if (!mcp_stream_is_used(&call->user) || call->state != MCP_CALL_RUNNING || !mcp_call_may_hear(call)) return false;
	text_init(&message, 0);
	jsonrpc_write_error(&message, slice_of(call->id), error->code, error->message, error->data);
	if (text_failed(&message)) return false;
	if (is_twice) return mcp_stream_events(&call->user) && mcp_stream_say(&call->user, text_slice(&message), false);
	/* A client of 2024-11-05 hears everything on one stream, and nobody else tells it apart. */
	if ((call->session && call->session->old) || !mcp_ear_hears_authorizations(call->face, &listener)) return false;
	call->early = slice_copy(text_slice(&message));
	if (!call->early) return false;
	snprintf(call->authorization, sizeof call->authorization, "%.*s", SLICE_ARGS(id));
	call->can_be_held = false; /* nobody would come back with an answer to a question */
	loop_later(call->face->gateway->loop, &call->leaves, leave_later);
	return true;
}

void mcp_call_resolve(struct mcp_call *call, const struct text *message) {
	const struct mcp_listener listener = listener_of(call);
	const struct scan_value root = {.text = slice_trim(text_slice(message)), .type = SCAN_OBJECT};
	struct scan_value outcome = {.text = SLICE("{\"code\":-32603,\"message\":\"no memory for the answer: try again\"}")};
	AUTO_TEXT struct text params = {0};
	bool is_result = !text_failed(message) && scan_find(&root, "result", &outcome);
	if (!is_result && !text_failed(message)) (void)scan_find(&root, "error", &outcome);
	text_init(&params, 0);
	list_remove(&call->link);
	mcp_call_leave(call);
	authorization_write_resolved(&params, slice_of(call->id), slice_of(call->authorization), is_result ? "result" : "error",
		outcome.text);
	const struct scan_value value = {.text = text_slice(&params), .type = SCAN_OBJECT};
	if (!text_failed(&params)) mcp_ear_tell_authorization(call->face, &listener, &value);
	mcp_call_free(call);
}
