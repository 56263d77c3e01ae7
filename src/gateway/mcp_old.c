/* SPDX-License-Identifier: Apache-2.0 */
/* Mcp_old: one stream for all answers, and the POSTs that ask for them. */
#include "gateway/mcp_old.h"

#include "base/clock.h"
#include "gateway/live.h"
#include "gateway/mcp_ear.h"

#include <stdlib.h>

#define BATCH 100 /* messages of one body */

struct mcp_old {
	struct link link; /* of the face's */
	struct mcp_face *face;
	struct mcp_session *session; /* kept */
	struct mcp_stream_user user;
	struct deadline beat;
	struct task over;
};

bool mcp_old_is_meant(const struct exchange *exchange) {
	const struct http1_head *head = exchange->head;
	struct slice version = http1_field(head, "MCP-Protocol-Version");
	enum era_version known;
	if (!slice_is(head->method, "GET") || http1_field(head, "Mcp-Session-Id").bytes) return false;
	if (version.bytes && !era_version_read(version, &known)) return false;
	for (size_t i = 0; i < head->field_count; i++) {
		struct slice rest = head->fields[i].value, part, name;
		if (!slice_equal_ignoring_case(head->fields[i].name, SLICE("Accept"))) continue;
		while (slice_split(&rest, ',', &part))
			if (slice_split(&part, ';', &name) &&
				slice_equal_ignoring_case(slice_trim(name), SLICE("text/event-stream")))
				return true;
	}
	return false;
}

/* ---- The end ---- */

static void end(struct mcp_old *old) {
	struct mcp_session *session = old->session;
	session->old = NULL;
	list_remove(&old->link);
	deadline_clear(&old->beat);
	mcp_dispatch_end_session(old->face, session);
	mcp_stream_finish(&old->user, 200, SLICE_NONE);
	task_clear(&old->over); /* an answer to the last of its calls may have ended the stream */
	mcp_session_drop(session);
	free(old);
}

static void be_over(struct task *task) { end(CONTAINER_OF(task, struct mcp_old, over)); }

/* Later, when the stream's other users have heard of it too. */
static void gone(struct mcp_stream_user *user) {
	struct mcp_old *old = CONTAINER_OF(user, struct mcp_old, user);
	loop_later(old->face->gateway->loop, &old->over, be_over);
}

void mcp_old_end_all(struct mcp_face *face) {
	while (!list_is_empty(&face->olds)) end(CONTAINER_OF(face->olds.next, struct mcp_old, link));
}

static bool may_stay(const struct mcp_old *old) {
	const struct principal *principal = old->session->principal;
	struct live *live = old->face->gateway->live;
	if (principal->expires_at && principal->expires_at <= clock_wall_ms()) return false;
	return !live || !live_was_revoked(live, principal);
}

static void beat(struct deadline *deadline) {
	struct mcp_old *old = CONTAINER_OF(deadline, struct mcp_old, beat);
	if (!may_stay(old)) {
		end(old);
		return;
	}
	mcp_stream_beat(&old->user);
	deadline_set(old->face->gateway->loop, &old->beat, MCP_OLD_BEAT_MS, beat);
}

/* ---- The GET ---- */

/* With the same query, since that may say who comes (open mode). */
static void say_endpoint(struct mcp_old *old, const struct exchange *exchange, const char *behind) {
	struct slice query = exchange->head->query;
	AUTO_TEXT struct text endpoint = {0};
	text_init(&endpoint, 0);
	text_add(&endpoint, exchange->head->path);
	text_printf(&endpoint, "%s?session=%s", behind, old->session->id);
	if (query.length) text_add_char(&endpoint, '&');
	text_add(&endpoint, query);
	if (!text_failed(&endpoint)) mcp_stream_event(&old->user, "endpoint", text_slice(&endpoint));
}

static struct mcp_old *make(const struct mcp_visit *visit, struct fault *why) {
	struct mcp_old *old = calloc(1, sizeof *old);
	if (!old) return fault_null(why, FAULT_NO_MEMORY, "no memory for a session: try again");
	old->session = mcp_session_open(visit->face, visit->principal, visit->target, why);
	if (!old->session) {
		free(old);
		return NULL;
	}
	mcp_session_keep(old->session);
	old->session->old = old;
	old->session->searches = visit->searches;
	old->face = visit->face;
	list_append(&visit->face->olds, &old->link);
	return old;
}

void mcp_old_open(const struct mcp_visit *visit, const char *behind) {
	struct exchange *exchange = visit->exchange;
	struct fault why;
	if (exchange->gateway->is_draining) {
		exchange_error(exchange, 503, "not_ready", "the gateway is ending: come back to the next one");
		return;
	}
	struct mcp_old *old = make(visit, &why);
	if (!old) {
		exchange_fault(exchange, &why);
		return;
	}
	struct mcp_stream *stream = mcp_stream_open(exchange, false);
	if (!stream) {
		end(old);
		return;
	}
	mcp_stream_join(stream, &old->user, gone);
	mcp_stream_only_listens(&old->user);
	if (!mcp_stream_events(&old->user)) {
		mcp_stream_finish(&old->user, 406, SLICE("{\"event\":\"error\",\"code\":\"not_acceptable\","
							 "\"message\":\"Accept must allow text/event-stream\"}"));
		end(old);
		return;
	}
	say_endpoint(old, exchange, behind);
	mcp_ear_open_session(visit->face, stream, visit->principal, old->session, SLICE_NONE);
	deadline_set(exchange->gateway->loop, &old->beat, MCP_OLD_BEAT_MS, beat);
}

/* ---- The POSTs ---- */

static void refuse(struct exchange *exchange, struct slice id, int64_t code, const char *words) {
	AUTO_TEXT struct text message = {0};
	text_init(&message, 0);
	jsonrpc_write_error(&message, id, code, slice_of(words), JSONRPC_PLAIN);
	exchange_text(exchange, 400, &message);
}

/* False: answered. */
static bool find_session(struct mcp_visit *visit) {
	struct exchange *exchange = visit->exchange;
	struct slice id;
	if (!exchange_query(exchange, "session", &id)) return false;
	if (id.bytes) visit->session = mcp_session_find(visit->face, id, visit->principal, visit->target);
	struct mcp_old *old = visit->session ? visit->session->old : NULL;
	if (!old || !mcp_stream_is_used(&old->user)) {
		exchange_error(exchange, 404, "session_not_found",
			"there is no such session: begin with a GET, whose first event names the endpoint");
		return false;
	}
	if (mcp_stream_behind(&old->user) <= MCP_STREAM_BEHIND &&
		mcp_stream_users(&old->user) < MCP_OLD_REQUESTS)
		return true;
	exchange_error(exchange, 429, "behind",
		"the session has answers to read, or requests under way, before it may ask more");
	return false;
}

/* False: answered. */
static bool take_batch(const struct mcp_visit *visit, struct mcp_stream *stream,
	const struct scan_value *batch) {
	struct scan_walk walk;
	struct scan_member member;
	size_t count = scan_count(batch);
	if (visit->session->version > ERA_2025_03_26 || count == 0 || count > BATCH) {
		refuse(visit->exchange, SLICE_NONE, JSONRPC_INVALID_REQUEST,
			"a batch is for clients up to 2025-03-26, and of 1 to 100 messages");
		return false;
	}
	/* What one of them ends may be the last that the stream was kept for, while the gateway drains. */
	const struct mcp_stream_user *user = &visit->session->old->user;
	for (scan_open(&walk, batch); mcp_stream_is_used(user) && scan_next(&walk, &member);)
		mcp_dispatch_element(visit, stream, &member.value);
	return true;
}

/* False: answered. */
static bool take_message(const struct mcp_visit *visit, struct mcp_stream *stream) {
	struct exchange *exchange = visit->exchange;
	struct mcp_request request;
	struct fault why;
	int64_t code;
	if (!jsonrpc_read(&request.message, exchange->body, visit->arena, &code, &why)) {
		refuse(exchange, request.message.id.type ? request.message.id.text : SLICE_NONE, code, why.text);
		return false;
	}
	if (!mcp_request_read(&request, visit->arena)) {
		exchange_error(exchange, 503, "no_memory", "no memory for the request: try again");
		return false;
	}
	if (request.message.kind == JSONRPC_REQUEST) mcp_dispatch_request(visit, stream, &request);
	else mcp_dispatch_notice(visit, &request.message);
	return true;
}

void mcp_old_post(struct mcp_visit *visit) {
	struct exchange *exchange = visit->exchange;
	struct scan_value root;
	struct scan_fault fault;
	if (!find_session(visit)) return;
	struct mcp_stream *stream = visit->session->old->user.stream;
	struct slice body = slice_trim(exchange->body);
	bool is_batch = body.length && body.bytes[0] == '[' && scan_check(body, SCAN_DEPTH, &root, &fault);
	bool is_taken = is_batch ? take_batch(visit, stream, &root) : take_message(visit, stream);
	if (is_taken) exchange_answer(exchange, 202, NULL, SLICE_NONE, SLICE_NONE);
}
