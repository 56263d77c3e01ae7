/* SPDX-License-Identifier: Apache-2.0 */
/* Mcp_stream: one JSON text while that is enough, events from the first word before the answer. */
#include "gateway/mcp_stream.h"

#include "wire/sse.h"

#include <stdio.h>
#include <stdlib.h>

#define ANSWERS (64 * 1024 * 1024) /* octets of all answers of a batch */
#define LARGE (64 * 1024)          /* octets of a message */

struct mcp_stream {
	struct exchange *exchange;
	struct link users;
	struct text batch; /* the answers so far, as a JSON array without its end */
	bool is_batch;
	bool takes_json;
	bool takes_events;
	bool is_events; /* their head has left */
	unsigned status;
	char header[256];
};

static void gone(struct exchange *exchange) {
	struct mcp_stream *stream = exchange->context;
	stream->exchange = NULL;
	for (struct link *link; (link = list_pop(&stream->users));) {
		struct mcp_stream_user *user = CONTAINER_OF(link, struct mcp_stream_user, link);
		user->stream = NULL;
		user->gone(user);
	}
	text_finish(&stream->batch);
	free(stream);
}

static bool takes(const struct exchange *exchange, const char *type, const char *any) {
	struct slice accept = http1_field(exchange->head, "Accept"), part;
	if (!accept.bytes) return true;
	for (size_t i = 0; i < exchange->head->field_count; i++) {
		if (!slice_equal_ignoring_case(exchange->head->fields[i].name, SLICE("Accept"))) continue;
		struct slice rest = exchange->head->fields[i].value;
		while (slice_split(&rest, ',', &part)) {
			struct slice name;
			if (!slice_split(&part, ';', &name)) continue;
			name = slice_trim(name);
			if (slice_equal_ignoring_case(name, slice_of(type)) || slice_is(name, any) ||
				slice_is(name, "*/*"))
				return true;
		}
	}
	return false;
}

struct mcp_stream *mcp_stream_open(struct exchange *exchange, bool is_batch) {
	bool takes_json = takes(exchange, "application/json", "application/*");
	bool takes_events = takes(exchange, "text/event-stream", "text/*");
	if (!takes_json && !takes_events) {
		exchange_error(exchange, 406, "not_acceptable",
			"Accept must allow application/json or text/event-stream");
		return NULL;
	}
	struct mcp_stream *stream = calloc(1, sizeof *stream);
	if (!stream) {
		exchange_error(exchange, 503, "no_memory", "no memory for the request: try again");
		return NULL;
	}
	stream->exchange = exchange;
	stream->is_batch = is_batch;
	stream->takes_json = takes_json;
	stream->takes_events = takes_events;
	stream->status = 200;
	list_init(&stream->users);
	text_init(&stream->batch, ANSWERS);
	exchange->context = stream;
	exchange->gone = gone;
	return stream;
}

void mcp_stream_join(struct mcp_stream *stream, struct mcp_stream_user *user,
	void (*user_gone)(struct mcp_stream_user *user)) {
	user->stream = stream;
	user->gone = user_gone;
	list_append(&stream->users, &user->link);
}

void mcp_stream_header(struct mcp_stream_user *user, const char *line) {
	struct mcp_stream *stream = user->stream;
	if (!stream || stream->is_events) return;
	size_t length = strlen(stream->header);
	snprintf(stream->header + length, sizeof stream->header - length, "%s\r\n", line);
}

bool mcp_stream_is_used(const struct mcp_stream_user *user) { return user->stream != NULL; }

struct mcp_stream *mcp_stream_leave(struct mcp_stream_user *user) {
	list_remove(&user->link);
	return TAKE(user->stream);
}

static bool begin_events(struct mcp_stream *stream) {
	if (stream->is_events) return true;
	if (!stream->takes_events) return false;
	AUTO_TEXT struct text headers = {0};
	text_init(&headers, 0);
	text_add_cstr(&headers, stream->header);
	text_add_cstr(&headers, "X-Accel-Buffering: no\r\n");
	if (text_failed(&headers)) return false;
	stream->is_events = exchange_stream(stream->exchange, "text/event-stream", text_slice(&headers));
	stream->exchange->needs_peer = true;
	return stream->is_events;
}

/* A message on one line is an event as it is; a large one is not copied for that. */
static void write_event(struct mcp_stream *stream, struct slice message) {
	bool is_line = !memchr(message.bytes, '\n', message.length) &&
		!memchr(message.bytes, '\r', message.length);
	AUTO_TEXT struct text event = {0};
	text_init(&event, 0);
	if (is_line && message.length > LARGE) {
		exchange_piece(stream->exchange, SLICE("event: message\ndata: "));
		exchange_piece(stream->exchange, message);
		exchange_piece(stream->exchange, SLICE("\n\n"));
		return;
	}
	if (is_line) {
		text_add(&event, SLICE("event: message\ndata: "));
		text_add(&event, message);
		text_add(&event, SLICE("\n\n"));
	} else {
		sse_write(&event, SLICE("message"), SLICE_NONE, message);
	}
	if (!text_failed(&event)) exchange_piece(stream->exchange, text_slice(&event));
}

bool mcp_stream_events(struct mcp_stream_user *user) {
	return user->stream && begin_events(user->stream);
}

bool mcp_stream_say(struct mcp_stream_user *user, struct slice message, bool may_drop) {
	struct mcp_stream *stream = user->stream;
	if (!stream || !begin_events(stream)) return false;
	if (may_drop && exchange_behind(stream->exchange) > MCP_STREAM_BEHIND) return false;
	write_event(stream, message);
	return true;
}

/* The last user has answered. */
static void end(struct mcp_stream *stream, struct slice message) {
	struct exchange *exchange = stream->exchange;
	exchange->gone = NULL;
	if (stream->is_events) {
		exchange_stream_end(exchange);
	} else if (stream->is_batch && stream->batch.length) {
		text_add_char(&stream->batch, ']');
		exchange_text(exchange, 200, &stream->batch);
	} else if (message.bytes) {
		exchange_answer(exchange, stream->status, "application/json", slice_of(stream->header), message);
	} else {
		exchange_answer(exchange, 202, NULL, SLICE_NONE, SLICE_NONE);
	}
	text_finish(&stream->batch);
	free(stream);
}

void mcp_stream_finish(struct mcp_stream_user *user, unsigned status, struct slice message) {
	struct mcp_stream *stream = user->stream;
	if (!stream) return;
	user->stream = NULL;
	list_remove(&user->link);
	if (message.bytes && !stream->takes_json) begin_events(stream);
	if (message.bytes && stream->is_events) {
		write_event(stream, message);
	} else if (message.bytes && stream->is_batch) {
		text_add_char(&stream->batch, stream->batch.length ? ',' : '[');
		text_add(&stream->batch, message);
	} else {
		stream->status = status;
	}
	if (list_is_empty(&stream->users)) end(stream, stream->is_batch ? SLICE_NONE : message);
}
