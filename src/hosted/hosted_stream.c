/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hosted stream: what a server says of a request before it answers it (MGP 12), to the ask that it is about;
 * and the pause of a conversation whose only asker does not read.
 */
#include "hosted/hosted_parts.h"

#include "mcp/mgp.h"
#include "mcp/mgp_chunk.h"
#include "mcp/mgp_progress.h"

/* ---- What is told ---- */

/* A line of its log, at a bounded rate: it is the server's fault, or comes too late. */
static void leave_out(struct hosted_child *child, struct slice why) {
	hosted_babble(child->hosted, why);
}

/* Whole pieces, or nothing more: what is kept is a beginning. */
static void keep_text(struct hosted_run *run, struct slice text) {
	run->is_streamed_full = run->is_streamed_full || run->streamed.length + text.length > HOSTED_PARTIAL;
	if (!run->is_streamed_full) text_add(&run->streamed, text);
}

static bool is_progress(const struct scan_value *params) {
	struct mgp_progress progress;
	return mgp_progress_read(params, &progress);
}

void hosted_stream_told(struct hosted_child *child, const struct jsonrpc *notification) {
	const struct scan_value *params = &notification->params;
	struct mgp_chunk chunk = {.text = SLICE_NONE};
	struct scan_value id = {.type = SCAN_NONE};
	bool is_chunk = slice_is(notification->method, MGP_CHUNK_METHOD);
	bool is_word = slice_is(notification->method, MGP_PROGRESS_METHOD);
	if (!(child->mgp & MGP_STREAMING) || (!is_chunk && !is_word)) {
		leave_out(child, SLICE("left out: a notification of a stream that was not agreed on"));
		return;
	}
	if (!mgp_chunk_request(params, &id) || !(is_chunk ? mgp_chunk_read(params, &chunk) : is_progress(params))) {
		leave_out(child, is_chunk ? SLICE("left out: a chunk of a stream that is malformed or too large") : SLICE("left out: progress that is malformed or too large"));
		return;
	}
	struct hosted_run *run = hosted_run_find(child, &id);
	if (!run) {
		leave_out(child, SLICE("left out: a notification of a stream whose request_id is of no open request"));
		return;
	}
	keep_text(run, chunk.text);
	if (run->ask->events->streamed) run->ask->events->streamed(run->ask, notification->method, params);
}

/* ---- The pause ---- */

static struct hosted_run *only_run(const struct hosted_child *child) {
	return child->run_count == 1 ? CONTAINER_OF(child->runs.next, struct hosted_run, link) : NULL;
}

/* Whoever else waits for a word of this conversation keeps it going: another ask, a list, a sign of life. */
static bool may_rest(const struct hosted_child *child) {
	const struct hosted_run *run = only_run(child);
	size_t expected = child->listening.call ? 2 : 1;
	return child->stage == HOSTED_OPEN && child->process && child->peer && run && run->is_held && run->call &&
		!run->halt.stopped && peer_calls(child->peer) == expected;
}

/* Whoever does not read may not keep a conversation for good. */
static void paused_too_long(struct deadline *deadline) {
	struct hosted_run *run = CONTAINER_OF(deadline, struct hosted_run, deadline);
	struct fault why;
	fault_set(&why, FAULT_TIMEOUT, "what server %s says was not read for %d s: the request was given up",
		run->hosted->setup.of.id, HOSTED_PAUSE_MS / 1000);
	hosted_run_give_up(run, SLICE("its asker does not read"));
	hosted_run_end(run, NULL, &why);
}

static void rest(struct hosted_run *run) {
	struct loop *loop = run->hosted->servers->loop;
	uint64_t now = loop_now(loop), at = run->deadline.at;
	run->is_unhurried = true;
	run->left_ms = !at ? UINT64_MAX : at > now ? at - now
						   : 1;
	run->rests_at = now;
	deadline_set(loop, &run->deadline, run->rested_ms < HOSTED_PAUSE_MS ? HOSTED_PAUSE_MS - run->rested_ms : 0,
		paused_too_long);
}

void hosted_run_hurry(struct hosted_run *run) {
	if (!TAKE(run->is_unhurried)) return;
	run->rested_ms += loop_now(run->hosted->servers->loop) - run->rests_at;
	deadline_clear(&run->deadline);
	if (!run->halt.stopped) hosted_ask_extend(run->ask, run->left_ms);
}

void hosted_child_flow(struct hosted_child *child) {
	if (!child->held_count && !child->is_paused) return;
	bool is_paused = may_rest(child);
	if (child->is_paused == is_paused) return;
	child->is_paused = is_paused;
	if (child->process && child->transport->pause) child->transport->pause(child, is_paused);
	LIST_EACH(link, &child->runs) {
		struct hosted_run *run = CONTAINER_OF(link, struct hosted_run, link);
		if (is_paused) rest(run);
		else hosted_run_hurry(run);
	}
}

void hosted_ask_hold(struct hosted_ask *ask, bool is_behind) {
	struct hosted_run *run = ask->run;
	if (!run || run->is_held == is_behind) return;
	run->is_held = is_behind;
	if (!run->child) return;
	if (is_behind) run->child->held_count++;
	else run->child->held_count--;
	hosted_child_flow(run->child);
}
