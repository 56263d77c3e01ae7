/* SPDX-License-Identifier: Apache-2.0 */
/* Mcp_door: which face, which era, which session; then the message's own way. */
#include "gateway/mcp_door.h"

#include "gateway/mcp_asker.h"
#include "gateway/mcp_dispatch.h"
#include "gateway/mcp_ear.h"
#include "gateway/mcp_find.h"
#include "gateway/mcp_old.h"
#include "gateway/mcp_room_face.h"

#define BATCH 100 /* messages of one body */

static bool has_session(const struct mcp_visit *visit) {
	struct slice id = http1_field(visit->exchange->head, "Mcp-Session-Id");
	return id.bytes && mcp_session_find(visit->face, id, visit->principal, visit->target);
}

/* The face that the path names. False: answered. */
static bool open_visit(struct exchange *exchange, struct mcp_visit *visit) {
	struct mcp_face *face = exchange->gateway->mcp;
	*visit = (struct mcp_visit){.face = face, .exchange = exchange, .principal = exchange->principal, .arena = &exchange->arena};
	if (!face) {
		exchange_error(exchange, 404, "not_found", "there is nothing here");
		return false;
	}
	bool names_server = exchange->segment_count >= 3;
	if (names_server && slice_is(exchange->segments[1], "rooms")) return mcp_room_face_visit(exchange, visit);
	if (!mcp_find_read(exchange, !names_server, &visit->searches)) return false;
	if (!names_server) return true;
	const struct call_asker asker = mcp_asker(exchange->principal, (struct mgp_agreed){0});
	visit->hosted = hosted_find(face->servers, exchange->segments[2]);
	if (visit->hosted) visit->target = hosted_id(visit->hosted);
	/* One that is denied is not there; who was let in before hears from the gates that it is over. */
	if (visit->hosted && (mcp_asker_may_use(&asker, visit->hosted) || has_session(visit))) return true;
	if (visit->hosted) mcp_asker_note_denied(&asker, visit->hosted);
	exchange_error(exchange, 404, "not_found", "there is no server %.*s here that you may use",
		(int)(exchange->segments[2].length > 64 ? 64 : exchange->segments[2].length),
		exchange->segments[2].bytes);
	return false;
}

/* The session that the head names. False: answered with 400 or 404. */
static bool find_session(struct mcp_visit *visit) {
	struct exchange *exchange = visit->exchange;
	struct slice id = http1_field(exchange->head, "Mcp-Session-Id");
	if (!id.bytes) {
		exchange_error(exchange, 400, "session_required",
			"the header Mcp-Session-Id is missing: begin with initialize");
		return false;
	}
	visit->session = mcp_session_find(visit->face, id, visit->principal, visit->target);
	if (visit->session && !visit->session->old) return true;
	exchange_error(exchange, 404, "session_not_found", "there is no such session: begin with initialize");
	return false;
}

static void refuse_message(struct exchange *exchange, struct slice id, int64_t code, const char *words) {
	AUTO_TEXT struct text message = {0};
	text_init(&message, 0);
	jsonrpc_write_error(&message, id, code, slice_of(words), JSONRPC_PLAIN);
	exchange_text(exchange, 400, &message);
}

static bool is_json(const struct exchange *exchange) {
	struct slice type = http1_field(exchange->head, "Content-Type"), name;
	if (!type.bytes || !slice_split(&type, ';', &name)) return false;
	return slice_equal_ignoring_case(slice_trim(name), SLICE("application/json"));
}

/* A header that names no legacy version, or a request that says its own: modern. */
static bool is_modern(const struct mcp_visit *visit, const struct mcp_request *request) {
	struct slice header = http1_field(visit->exchange->head, "MCP-Protocol-Version");
	enum era_version version;
	if (request->version.bytes) return true;
	return header.bytes && !era_version_read(header, &version);
}

/* MGP 6.5: a trace id may stand beside the params. */
static struct slice trace_of(struct exchange *exchange) {
	static const char key[] = "\"trace_id\"";
	const struct scan_value root = {.text = slice_trim(exchange->body), .type = SCAN_OBJECT};
	struct scan_value value;
	struct slice trace;
	if (!memmem(exchange->body.bytes, exchange->body.length, key, sizeof key - 1) ||
		!scan_find(&root, "trace_id", &value) || !scan_string(&value, &exchange->arena, &trace))
		return SLICE_NONE;
	return trace;
}

/* One message; it was read. */
static void take_message(struct mcp_visit *visit, struct mcp_request *request) {
	struct exchange *exchange = visit->exchange;
	enum jsonrpc_kind kind = request->message.kind;
	visit->is_modern = is_modern(visit, request);
	bool begins = kind == JSONRPC_REQUEST && slice_is(request->message.method, "initialize");
	if (!visit->is_modern && !begins && !find_session(visit)) return;
	if (kind != JSONRPC_REQUEST) {
		mcp_dispatch_notice(visit, &request->message);
		exchange_answer(exchange, 202, NULL, SLICE_NONE, SLICE_NONE);
		return;
	}
	struct mcp_stream *stream = mcp_stream_open(exchange, false);
	if (!stream) return;
	if (visit->is_modern) exchange->needs_peer = true;
	mcp_dispatch_request(visit, stream, request);
}

/* MCP 2025-03-26: several messages in one body, their answers in one. */
static void take_batch(struct mcp_visit *visit, const struct scan_value *batch) {
	struct exchange *exchange = visit->exchange;
	struct scan_walk walk;
	struct scan_member member;
	struct mcp_stream_user all = {0};
	if (!find_session(visit)) return;
	size_t count = scan_count(batch);
	if (visit->session->version > ERA_2025_03_26 || count == 0 || count > BATCH) {
		refuse_message(exchange, SLICE_NONE, JSONRPC_INVALID_REQUEST,
			"a batch is for clients of 2025-03-26, and of 1 to 100 messages");
		return;
	}
	struct mcp_stream *stream = mcp_stream_open(exchange, true);
	if (!stream) return;
	mcp_stream_join(stream, &all, NULL);
	for (scan_open(&walk, batch); scan_next(&walk, &member);)
		mcp_dispatch_element(visit, stream, &member.value);
	mcp_stream_finish(&all, 200, SLICE_NONE);
}

void mcp_door_post(struct exchange *exchange) {
	struct mcp_visit visit;
	struct mcp_request request;
	struct scan_value root;
	struct scan_fault fault;
	struct fault why;
	int64_t code;
	if (!open_visit(exchange, &visit)) return;
	if (!is_json(exchange)) {
		exchange_error(exchange, 415, "unsupported", "Content-Type must be application/json");
		return;
	}
	struct slice body = slice_trim(exchange->body);
	if (body.length && body.bytes[0] == '[' && scan_check(body, SCAN_DEPTH, &root, &fault)) {
		take_batch(&visit, &root);
		return;
	}
	if (!jsonrpc_read(&request.message, exchange->body, &exchange->arena, &code, &why)) {
		refuse_message(exchange, request.message.id.type ? request.message.id.text : SLICE_NONE, code,
			why.text);
		return;
	}
	if (!mcp_request_read(&request, &exchange->arena)) {
		exchange_error(exchange, 503, "no_memory", "no memory for the request: try again");
		return;
	}
	request.trace = trace_of(exchange);
	take_message(&visit, &request);
}

/* HEAD comes by here as well: there is no stream without a body. */
void mcp_door_get(struct exchange *exchange) {
	struct mcp_visit visit;
	if (!open_visit(exchange, &visit)) return;
	if (mcp_old_is_meant(exchange)) {
		mcp_old_open(&visit, "/sse");
		return;
	}
	if (!http1_field(exchange->head, "Mcp-Session-Id").bytes || !slice_is(exchange->head->method, "GET")) {
		exchange_answer(exchange, 405, "application/json", SLICE("Allow: POST, GET, DELETE\r\n"),
			SLICE("{\"event\":\"error\",\"code\":\"method_not_allowed\",\"message\":\"a GET is the event "
			      "stream of a session: Mcp-Session-Id names it\"}"));
		return;
	}
	if (!find_session(&visit)) return;
	if (exchange->gateway->is_draining) {
		exchange_error(exchange, 503, "not_ready", "the gateway is ending: come back to the next one");
		return;
	}
	struct mcp_stream *stream = mcp_stream_open(exchange, false);
	if (!stream) return;
	mcp_ear_open_session(visit.face, stream, visit.principal, visit.session,
		http1_field(exchange->head, "Last-Event-ID"));
}

void mcp_door_get_old(struct exchange *exchange) {
	struct mcp_visit visit;
	if (!open_visit(exchange, &visit)) return;
	if (slice_is(exchange->head->method, "GET")) mcp_old_open(&visit, "");
	else exchange_answer(exchange, 200, "text/event-stream", SLICE_NONE, SLICE_NONE); /* HEAD */
}

void mcp_door_post_old(struct exchange *exchange) {
	struct mcp_visit visit;
	if (!open_visit(exchange, &visit)) return;
	if (is_json(exchange)) mcp_old_post(&visit);
	else exchange_error(exchange, 415, "unsupported", "Content-Type must be application/json");
}

void mcp_door_delete(struct exchange *exchange) {
	struct mcp_visit visit;
	if (!open_visit(exchange, &visit) || !find_session(&visit)) return;
	mcp_dispatch_end_session(visit.face, visit.session);
	exchange_answer(exchange, 204, NULL, SLICE_NONE, SLICE_NONE);
}
