/* SPDX-License-Identifier: Apache-2.0 */
/* Mcp_stream: one JSON text while that is enough, events from the first word before the answer. */
#include "gateway/mcp_stream.h"

#include "wire/sse.h"

#include <stdio.h>
#include <stdlib.h>

#define ANSWERS (64 * 1024 * 1024) /* octets of all answers of a batch */
#define LARGE (64 * 1024)          /* octets of a message */

struct mcp_stream {
	struct exchange *exchange; /* NULL: the client went */
	struct link users;
	struct text batch; /* the answers so far, as a JSON array without its end */
	bool is_batch;
	bool takes_json;
	bool takes_events;
	bool is_events; /* their head has left */
	unsigned status;
	char header[256];
};

/* Whoever hears of it may end what another user of the stream waits for: what that one says then goes
 * nowhere. */
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

static void drained(struct exchange *exchange) {
	struct mcp_stream *stream = exchange->context;
	LIST_EACH_SAFE(link, &stream->users) {
		struct mcp_stream_user *user = CONTAINER_OF(link, struct mcp_stream_user, link);
		if (user->drained) user->drained(user);
	}
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
	exchange->drained = drained;
	return stream;
}

/* Whether nobody waits for an answer. */
static bool only_listens(const struct mcp_stream *stream) {
	LIST_EACH(link, &stream->users)
		if (!CONTAINER_OF(link, struct mcp_stream_user, link)->only_listens) return false;
	return true;
}

void mcp_stream_join(struct mcp_stream *stream, struct mcp_stream_user *user,
	void (*user_gone)(struct mcp_stream_user *user)) {
	user->stream = stream;
	user->gone = user_gone;
	user->only_listens = false;
	stream->exchange->owes_nothing = false;
	list_append(&stream->users, &user->link);
}

static bool is_open(const struct mcp_stream_user *user) { return user->stream && user->stream->exchange; }

void mcp_stream_only_listens(struct mcp_stream_user *user) {
	if (!is_open(user)) return;
	user->only_listens = true;
	user->stream->exchange->owes_nothing = only_listens(user->stream);
}

size_t mcp_stream_behind(const struct mcp_stream_user *user) {
	return is_open(user) ? exchange_behind(user->stream->exchange) : 0;
}

size_t mcp_stream_users(const struct mcp_stream_user *user) {
	size_t count = 0;
	if (!user->stream) return 0;
	LIST_EACH(link, &user->stream->users) count++;
	return count;
}

void mcp_stream_header(struct mcp_stream_user *user, const char *line) {
	struct mcp_stream *stream = user->stream;
	if (!stream || stream->is_events) return;
	size_t length = strlen(stream->header);
	snprintf(stream->header + length, sizeof stream->header - length, "%s\r\n", line);
}

bool mcp_stream_is_used(const struct mcp_stream_user *user) { return is_open(user); }

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

static size_t length_of(const struct exchange_body *message) {
	return message->start.length + message->middle.length + message->end.length;
}

static void join(struct text *to, const struct exchange_body *message) {
	text_add(to, message->start);
	text_add(to, message->middle);
	text_add(to, message->end);
}

static bool is_line(struct slice piece) {
	return piece.length == 0 ||
		(!memchr(piece.bytes, '\n', piece.length) && !memchr(piece.bytes, '\r', piece.length));
}

/* A message on one line is an event as it is; a large one is not copied for that. */
static void write_event(struct mcp_stream *stream, const struct exchange_body *message) {
	bool is_one_line = is_line(message->start) && is_line(message->middle) && is_line(message->end);
	AUTO_TEXT struct text event = {0}, whole = {0};
	text_init(&event, 0);
	text_init(&whole, 0);
	if (is_one_line && length_of(message) > LARGE) {
		exchange_piece(stream->exchange, SLICE("event: message\ndata: "));
		exchange_piece(stream->exchange, message->start);
		exchange_piece(stream->exchange, message->middle);
		exchange_piece(stream->exchange, message->end);
		exchange_piece(stream->exchange, SLICE("\n\n"));
		return;
	}
	if (is_one_line) {
		text_add(&event, SLICE("event: message\ndata: "));
		join(&event, message);
		text_add(&event, SLICE("\n\n"));
	} else {
		join(&whole, message);
		sse_write(&event, SLICE("message"), SLICE_NONE, text_slice(&whole));
	}
	if (!text_failed(&event) && !text_failed(&whole)) exchange_piece(stream->exchange, text_slice(&event));
}

bool mcp_stream_events(struct mcp_stream_user *user) {
	return is_open(user) && begin_events(user->stream);
}

bool mcp_stream_say_in_pieces(struct mcp_stream_user *user, const struct exchange_body *message, bool may_drop) {
	struct mcp_stream *stream = user->stream;
	if (!is_open(user) || !begin_events(stream)) return false;
	if (may_drop && exchange_behind(stream->exchange) > MCP_STREAM_BEHIND) return false;
	write_event(stream, message);
	return true;
}

bool mcp_stream_say(struct mcp_stream_user *user, struct slice message, bool may_drop) {
	return mcp_stream_say_in_pieces(user, &(struct exchange_body){.start = message}, may_drop);
}

bool mcp_stream_say_numbered(struct mcp_stream_user *user, struct slice message, uint64_t number) {
	AUTO_TEXT struct text event = {0};
	char id[24];
	if (!number) return mcp_stream_say(user, message, true);
	if (!is_open(user) || !begin_events(user->stream) || exchange_behind(user->stream->exchange) > MCP_STREAM_BEHIND)
		return false;
	text_init(&event, 0);
	snprintf(id, sizeof id, "%llu", (unsigned long long)number);
	sse_write(&event, SLICE("message"), slice_of(id), message);
	if (text_failed(&event)) return false;
	exchange_piece(user->stream->exchange, text_slice(&event));
	return true;
}

void mcp_stream_event(struct mcp_stream_user *user, const char *name, struct slice data) {
	AUTO_TEXT struct text event = {0};
	text_init(&event, 0);
	sse_write(&event, slice_of(name), SLICE_NONE, data);
	if (!text_failed(&event) && mcp_stream_events(user))
		exchange_piece(user->stream->exchange, text_slice(&event));
}

void mcp_stream_beat(struct mcp_stream_user *user) {
	if (is_open(user) && user->stream->is_events)
		exchange_piece(user->stream->exchange, SLICE(":\n\n"));
}

/* The gateway ends, and nobody waits for an answer any more: those who only listen hear of it as if
 * their client had gone. */
static void leave_listeners(struct mcp_stream *stream) {
	struct exchange *exchange = stream->exchange;
	gone(exchange);
	exchange->gone = NULL;
	exchange->drained = NULL;
	exchange_stream_end(exchange);
}

/* The last user has answered; NULL: by silence. */
static void end(struct mcp_stream *stream, const struct exchange_body *message) {
	struct exchange *exchange = stream->exchange;
	exchange->gone = NULL;
	exchange->drained = NULL;
	if (stream->is_events) {
		exchange_stream_end(exchange);
	} else if (stream->is_batch && stream->batch.length) {
		text_add_char(&stream->batch, ']');
		exchange_text(exchange, 200, &stream->batch);
	} else if (message && !stream->is_batch) {
		exchange_answer_in_pieces(exchange, stream->status, "application/json", slice_of(stream->header),
			message);
	} else {
		exchange_answer(exchange, 202, NULL, SLICE_NONE, SLICE_NONE);
	}
	text_finish(&stream->batch);
	free(stream);
}

static void finish(struct mcp_stream_user *user, unsigned status, const struct exchange_body *message) {
	struct mcp_stream *stream = user->stream;
	if (!stream) return;
	user->stream = NULL;
	list_remove(&user->link);
	if (!stream->exchange) return;
	if (message && !stream->takes_json) begin_events(stream);
	if (message && stream->is_events) {
		write_event(stream, message);
	} else if (message && stream->is_batch) {
		text_add_char(&stream->batch, stream->batch.length ? ',' : '[');
		join(&stream->batch, message);
	} else {
		stream->status = status;
	}
	if (list_is_empty(&stream->users)) {
		end(stream, message);
		return;
	}
	if (!stream->is_events || !only_listens(stream)) return;
	stream->exchange->owes_nothing = true;
	if (stream->exchange->gateway->is_draining) leave_listeners(stream);
}

void mcp_stream_finish(struct mcp_stream_user *user, unsigned status, struct slice message) {
	const struct exchange_body whole = {.start = message};
	finish(user, status, message.bytes ? &whole : NULL);
}

void mcp_stream_finish_in_pieces(struct mcp_stream_user *user, unsigned status,
	const struct exchange_body *message) {
	finish(user, status, message);
}
