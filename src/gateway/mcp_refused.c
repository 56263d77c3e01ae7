/* SPDX-License-Identifier: Apache-2.0 */
/* Mcp_refused: the request is read for what it says of itself, and for its id. */
#include "gateway/mcp_refused.h"

#include "gateway/challenge.h"
#include "mcp/mgp.h"
#include "mcp/mgp_error.h"
#include "wire/jsonrpc.h"

#define MODERN_CAPABILITIES "io.modelcontextprotocol/clientCapabilities"

static bool speaks_mgp(const struct jsonrpc *message, struct arena *arena) {
	struct scan_value capabilities;
	struct mgp_said said;
	bool is_legacy = scan_find(&message->params, "capabilities", &capabilities);
	if (!is_legacy && !scan_path(&message->params, &capabilities, "_meta", MODERN_CAPABILITIES, NULL)) return false;
	return capabilities.type == SCAN_OBJECT && mgp_read(capabilities.text, !is_legacy, arena, &said) &&
		mgp_agree(&said, MGP_SPOKEN).is_active;
}

bool mcp_refused(struct exchange *exchange, bool is_expired, const char *words) {
	struct jsonrpc message;
	struct fault why;
	int64_t code = is_expired ? MGP_AUTH_EXPIRED : MGP_AUTH_REQUIRED;
	int64_t unread;
	AUTO_TEXT struct text body = {0}, data = {0}, headers = {0};
	if (!exchange->segment_count || !slice_is(exchange->segments[0], "mcp") ||
		!jsonrpc_read(&message, exchange->body, &exchange->arena, &unread, &why) ||
		message.kind != JSONRPC_REQUEST || message.params.type != SCAN_OBJECT ||
		!speaks_mgp(&message, &exchange->arena))
		return false;
	text_init(&body, 0);
	text_init(&data, 0);
	text_init(&headers, 0);
	mgp_error_write(&data, code, NULL, NULL);
	jsonrpc_write_error(&body, message.id.text, code, slice_of(words), text_slice(&data));
	challenge_write(&headers, exchange->gateway, exchange->head);
	if (text_failed(&body) || text_failed(&data) || text_failed(&headers)) return false;
	exchange_answer(exchange, 401, "application/json", text_slice(&headers), text_slice(&body));
	return true;
}
