/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mcp_call_told: what a client hears of its call before the answer: progress and the parts of a stream, each in
 * the words that it knows; and what happens when it does not take them.
 */
#include "gateway/mcp_call_parts.h"

#include "mcp/mgp_callback.h"
#include "mcp/mgp_chunk.h"

static bool speaks_streaming(const struct mcp_call *call) { return call->mgp.extensions & MGP_STREAMING; }

/* ---- Who does not read ---- */

void mcp_call_keep_up(struct mcp_call *call) {
	if (TAKE(call->is_slow) && !call->late) call->answerer->hold(call, &call->ask, false);
}

void mcp_call_drained(struct mcp_stream_user *user) {
	mcp_call_keep_up(CONTAINER_OF(user, struct mcp_call, user));
}

/* Left out when the client is too far behind; before that, who answers is asked to wait. */
static void say(struct mcp_call *call, const struct exchange_body *message) {
	(void)mcp_stream_say_in_pieces(&call->user, message, true);
	if (call->is_slow || !call->answerer->hold || mcp_stream_behind(&call->user) <= MCP_STREAM_SLOW) return;
	call->is_slow = true;
	call->answerer->hold(call, &call->ask, true);
}

static void say_text(struct mcp_call *call, const struct text *message) {
	if (!text_failed(message)) say(call, &(struct exchange_body){.start = text_slice(message)});
}

/* ---- What it hears ---- */

bool mcp_call_wants_progress(const struct mcp_call *call) { return call->token || speaks_streaming(call); }

/* As it came, with the client's own token. */
static void pass_progress(const struct mcp_call *call, const struct scan_value *params, struct text *to) {
	struct scan_walk walk;
	struct scan_member member;
	text_printf(to, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":%s",
		call->token);
	for (scan_open(&walk, params); scan_next(&walk, &member);) {
		if (scan_key_is(&member, "progressToken")) continue;
		text_printf(to, ",\"%.*s\":", SLICE_ARGS(member.key));
		text_add(to, member.value.text);
	}
	text_add_cstr(to, "}}");
}

void mcp_call_progress(struct mcp_call *call, const struct scan_value *params) {
	struct mgp_progress progress;
	AUTO_TEXT struct text message = {0};
	if (!mcp_call_wants_progress(call) || !mcp_call_may_hear(call)) return;
	text_init(&message, 0);
	if (speaks_streaming(call)) {
		if (!mgp_progress_read_plain(params, &progress)) return;
		mgp_progress_follow(&call->course, &progress);
		mgp_progress_estimate(&progress, loop_now(call->face->gateway->loop) - call->began_at);
		mgp_progress_write(&message, slice_of(call->id), &progress);
	} else pass_progress(call, params, &message);
	say_text(call, &message);
}

/* For a client that knows nothing of MGP. */
static void translate(struct mcp_call *call, const struct scan_value *params) {
	struct mgp_progress progress;
	AUTO_TEXT struct text message = {0};
	text_init(&message, 0);
	if (!call->token || !mgp_progress_read(params, &progress)) return;
	mgp_progress_follow(&call->course, &progress);
	mgp_progress_write_plain(&message, slice_of(call->token), &progress, &call->course);
	say_text(call, &message);
}

void mcp_call_stream(struct mcp_call *call, struct slice method, const struct scan_value *params) {
	AUTO_TEXT struct text start = {0};
	if (!mcp_call_may_hear(call)) return;
	if (!speaks_streaming(call)) {
		if (slice_is(method, MGP_PROGRESS_METHOD)) translate(call, params);
		return;
	}
	text_init(&start, 0);
	struct slice rest = mgp_chunk_begin(&start, method, params, slice_of(call->id));
	const struct exchange_body message = {text_slice(&start), rest, SLICE("}}")};
	if (!text_failed(&start)) say(call, &message);
}

void mcp_call_tell(struct mcp_call *call, struct slice method, const struct scan_value *params) {
	AUTO_TEXT struct text message = {0};
	if (!mcp_call_may_hear(call)) return;
	if (slice_is(method, MGP_CALLBACK_REQUEST)) {
		(void)mcp_callback_say(call, params, true);
		return;
	}
	text_init(&message, 0);
	jsonrpc_write_notification(&message, method, params->type == SCAN_OBJECT ? params->text : SLICE_NONE);
	say_text(call, &message);
}
