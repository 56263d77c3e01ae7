/* SPDX-License-Identifier: Apache-2.0 */
/* Peer send: everything that leaves goes through here, while the conversation lasts. */
#include "mcp/peer_send.h"
#include "mcp/peer_parts.h"

bool peer_send(struct peer *peer, const struct text *message, struct slice about, char *sent,
	struct fault *why) {
	char unused[PEER_TAG];
	if (!sent) sent = unused;
	sent[0] = 0;
	if (peer->is_closing) return fault_set(why, FAULT_CLOSED, "the conversation is over");
	if (text_failed(message)) return fault_set(why, FAULT_NO_MEMORY, "no memory for a message");
	return peer->events->send(peer->context, text_slice(message), about, sent, why);
}

bool peer_tell(struct peer *peer, struct slice method, struct slice params, struct fault *why) {
	AUTO_TEXT struct text message = {0};
	text_init(&message, 0);
	jsonrpc_write_notification(&message, method, params);
	return peer_send(peer, &message, SLICE_NONE, NULL, why);
}
