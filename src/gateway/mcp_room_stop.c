/* SPDX-License-Identifier: Apache-2.0 */
/* Mcp_room_stop: found by the client's own id, stopped where it is carried out. */
#include "gateway/mcp_room_stop.h"

#include "gateway/mcp_asker.h"
#include "gateway/mcp_result.h"
#include "gateway/mcp_room_answerer.h"
#include "gateway/mcp_room_calls.h"
#include "gateway/mcp_room_errand.h"

#include <stdlib.h>

#define UNKNOWN "{\"cancelled\":false}"
#define NOTHING "{\"content\":[]}"

/* One that a participant was asked for. */
struct stop {
	struct mcp_room_call base; /* of no call: it ends with the room */
	struct mcp_stream_user user;
	struct errand *errand;
	char *id; /* JSON text */
	bool is_modern;
};

static void write_answer(struct text *to, struct slice id, struct slice result, bool is_modern) {
	mcp_result_write(to, id, result, is_modern, SLICE("mgp"), SLICE(MCP_ROOM_INFO));
	if (!text_failed(to)) return;
	text_clear(to);
	jsonrpc_write_error(to, SLICE_NONE, JSONRPC_INTERNAL_ERROR, SLICE("no memory: try again"), JSONRPC_PLAIN);
}

static void answer_now(const struct mcp_visit *visit, struct mcp_stream *stream, const struct mcp_request *request,
	struct slice result) {
	struct mcp_stream_user user = {0};
	AUTO_TEXT struct text message = {0};
	text_init(&message, 0);
	write_answer(&message, request->message.id.text, result, visit->is_modern);
	mcp_stream_join(stream, &user, NULL);
	mcp_stream_finish(&user, 200, text_slice(&message));
}

static void refuse(const struct mcp_visit *visit, struct mcp_stream *stream, const struct mcp_request *request,
	int64_t code, const char *words) {
	struct mcp_stream_user user = {0};
	AUTO_TEXT struct text message = {0};
	text_init(&message, 0);
	jsonrpc_write_error(&message, request->message.id.text, code, slice_of(words), JSONRPC_PLAIN);
	mcp_stream_join(stream, &user, NULL);
	mcp_stream_finish(&user, mcp_result_status(code, visit->is_modern), text_slice(&message));
}

/* ---- A participant that streams ---- */

static void finish(struct stop *stop, struct slice result) {
	AUTO_TEXT struct text message = {0};
	if (!mcp_stream_is_used(&stop->user)) return;
	text_init(&message, 0);
	write_answer(&message, slice_of(stop->id), result, stop->is_modern);
	mcp_stream_finish(&stop->user, 200, text_slice(&message));
}

static void release(struct mcp_room_call *one) {
	struct stop *stop = CONTAINER_OF(one, struct stop, base);
	if (stop->errand) errand_cancel(TAKE(stop->errand), SLICE("nobody waits for it any more"));
	finish(stop, SLICE(UNKNOWN));
	free(stop->id);
}

static void cancel(struct mcp_room_call *one, const char *reason) {
	(void)reason;
	mcp_room_call_free(one);
}

static const struct mcp_room_way way = {.cancel = cancel, .release = release};

static void gone(struct mcp_stream_user *user) {
	mcp_room_call_free(&CONTAINER_OF(user, struct stop, user)->base);
}

static void done(void *context, const struct errand_result *result, const struct fault *why) {
	struct stop *stop = context;
	struct slice said = why ? SLICE_NONE : slice_trim(result->reply->result);
	stop->errand = NULL;
	finish(stop, said.length && said.bytes[0] == '{' ? said : SLICE(UNKNOWN));
	mcp_room_call_free(&stop->base);
}

static bool open_errand(struct stop *stop, struct mcp_room *room, struct slice to, int64_t id, struct slice reason) {
	AUTO_TEXT struct text params = {0};
	text_init(&params, 0);
	text_printf(&params, "{\"request_id\":%lld,\"reason\":", (long long)id);
	text_json(&params, reason);
	text_add_char(&params, '}');
	const struct errand_options options = {
		.kind = ERRAND_ASK,
		.to = to,
		.name = SLICE("mgp/stream/cancel"),
		.body = text_slice(&params),
		.deadline_ms = MCP_ROOM_STOP_MS,
		.done = done,
		.context = stop,
	};
	if (!text_failed(&params)) stop->errand = errand_open(room->guest, &options, NULL);
	return stop->errand != NULL;
}

static bool ask_participant(struct mcp_room *room, const struct mcp_visit *visit, struct mcp_stream *stream,
	const struct mcp_request *request, struct slice to, int64_t id, struct slice reason) {
	struct stop *stop = calloc(1, sizeof *stop);
	char *own = slice_copy(request->message.id.text);
	if (!stop || !own || !open_errand(stop, room, to, id, reason)) {
		free(own);
		free(stop);
		return false;
	}
	stop->id = own;
	stop->is_modern = visit->is_modern;
	mcp_room_call_begin(&stop->base, room, NULL, &way);
	mcp_stream_join(stream, &stop->user, gone);
	return true;
}

/* ---- The call ---- */

static struct mcp_room_call *find(const struct mcp_room *room, const struct mcp_visit *visit, struct slice id) {
	struct slice session = visit->session ? slice_of(visit->session->id) : SLICE_NONE;
	struct mcp_room_call *found = NULL;
	LIST_EACH(link, &room->calls) {
		struct mcp_room_call *one = CONTAINER_OF(link, struct mcp_room_call, link);
		if (!one->call || !slice_equal(mcp_call_id(one->call), id) ||
			!slice_equal(mcp_call_session(one->call), session))
			continue;
		if (found) return NULL; /* a principal's modern clients are not told apart */
		found = one;
	}
	return found;
}

/* Whoever works on it is told that nobody waits; it is answered here, and knows of nothing that was done. */
static void give_up(struct mcp_room_call *one) {
	struct mcp_call *call = TAKE(one->call);
	const struct hosted_answer answer = {.result = SLICE("{\"content\":[],\"_mgp\":{\"cancelled\":true}}")};
	one->way->cancel(one, "cancelled");
	mcp_call_answer(call, &answer, NULL);
}

static struct slice reason_of(const struct scan_value *params, struct arena *arena) {
	struct scan_value value;
	struct slice reason = SLICE("cancelled");
	if (scan_find(params, "reason", &value) && value.type == SCAN_STRING && !scan_string(&value, arena, &reason))
		return SLICE("cancelled");
	return reason;
}

void mcp_room_stop(struct mcp_room *room, const struct mcp_visit *visit, struct mcp_stream *stream,
	const struct mcp_request *request) {
	const struct scan_value *params = &request->message.params;
	struct scan_value id;
	struct slice to;
	int64_t number;
	if (!(mcp_asker_mgp(visit->session, request, visit->arena).extensions & MGP_STREAMING)) {
		refuse(visit, stream, request, JSONRPC_METHOD_NOT_FOUND, "there is no such method");
		return;
	}
	if (params->type != SCAN_OBJECT || !scan_find(params, "request_id", &id) ||
		(id.type != SCAN_NUMBER && id.type != SCAN_STRING)) {
		refuse(visit, stream, request, JSONRPC_INVALID_PARAMS, "params.request_id has to be the id of a request");
		return;
	}
	struct mcp_room_call *one = find(room, visit, id.text);
	if (!one) {
		answer_now(visit, stream, request, SLICE(UNKNOWN));
		return;
	}
	if (mcp_room_errand_streams(one, &to, &number)) {
		if (!ask_participant(room, visit, stream, request, to, number, reason_of(params, visit->arena)))
			refuse(visit, stream, request, JSONRPC_INTERNAL_ERROR, "no memory: try again");
		return;
	}
	give_up(one);
	answer_now(visit, stream, request, SLICE("{\"cancelled\":true,\"partial_result\":" NOTHING "}"));
}
