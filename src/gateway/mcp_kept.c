/* SPDX-License-Identifier: Apache-2.0 */
/* Mcp_kept: written down, and read again. */
#include "gateway/mcp_kept.h"

bool mcp_kept_init(struct mcp_kept *kept, const struct mcp_visit *visit,
	const struct mcp_request *request) {
	const struct jsonrpc *message = &request->message;
	int64_t code;
	kept->visit = *visit;
	kept->visit.arena = &kept->arena;
	kept->visit.principal = principal_keep(visit->principal);
	if (visit->session) mcp_session_keep(visit->session);
	arena_init(&kept->arena, NULL, 0, 0);
	text_init(&kept->text, 0);
	jsonrpc_write_request(&kept->text, message->id.text, message->method,
		message->params.type ? message->params.text : SLICE_NONE);
	return !text_failed(&kept->text) &&
		arena_copy(&kept->arena, visit->target, &kept->visit.target) &&
		jsonrpc_read(&kept->request.message, text_slice(&kept->text), &kept->arena, &code, NULL) &&
		mcp_request_read(&kept->request, &kept->arena);
}

void mcp_kept_finish(struct mcp_kept *kept) {
	mcp_session_drop(kept->visit.session);
	principal_drop(kept->visit.principal);
	text_finish(&kept->text);
	arena_finish(&kept->arena);
}
