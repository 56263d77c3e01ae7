/* SPDX-License-Identifier: Apache-2.0 */
/* Mcp_callback: what a server asks during a call of a client that speaks MGP: a notification on that call's
 * stream, about the client's own request. The answer comes as a request of its own (kernel/callbacks.h). */
#include "gateway/mcp_call_parts.h"

#include "mcp/mgp_callback.h"

bool mcp_callback_say(struct mcp_call *call, const struct scan_value *params, bool may_drop) {
	AUTO_TEXT struct text about = {0}, message = {0};
	text_init(&about, 0);
	text_init(&message, 0);
	mgp_callback_write_about(&about, params, slice_of(call->id));
	jsonrpc_write_notification(&message, SLICE(MGP_CALLBACK_REQUEST), text_slice(&about));
	if (text_failed(&about) || text_failed(&message)) return false;
	return mcp_stream_say(&call->user, text_slice(&message), may_drop);
}

void mcp_callback_ask(struct mcp_call *call, void *question, const struct scan_value *params) {
	if (!mcp_call_may_hear(call))
		call->answerer->refuse(question, JSONRPC_INTERNAL_ERROR, SLICE("the client lost its right to be here"),
			JSONRPC_PLAIN);
	else if (!mcp_callback_say(call, params, false))
		call->answerer->refuse(question, JSONRPC_METHOD_NOT_FOUND,
			SLICE("the client takes no events, or is gone"), JSONRPC_PLAIN);
}
