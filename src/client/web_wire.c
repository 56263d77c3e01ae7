/* SPDX-License-Identifier: Apache-2.0 */
/* Web wire: head, body, answer, and again. */
#include "client/web_wire.h"

#include <stdlib.h>

#define FINISH_MS 5000

enum web_state {
	WEB_HEAD, /* of the next request, or nothing at all */
	WEB_IN_BODY,
	WEB_ASKED,     /* the answer is due */
	WEB_STREAMING, /* pieces are */
	WEB_OVER,
};

struct web_wire {
	struct link link;
	struct loop *loop;
	struct stream *stream;
	const struct web_wire_events *events;
	void *context;
	void *user;
	enum web_state state;
	bool keeps, is_chunked, has_begun;
	struct text input;  /* what is not read yet */
	struct text octets; /* of the head */
	struct http1_head head;
	struct http1_body reader;
	struct text body;
	struct task next, going;
};

static void enter(struct web_wire *wire, enum web_state state) { wire->state = state; }

static void wire_free(struct web_wire *wire) {
	stream_close(TAKE(wire->stream));
	task_clear(&wire->next);
	task_clear(&wire->going);
	list_remove(&wire->link);
	text_finish(&wire->input);
	text_finish(&wire->octets);
	text_finish(&wire->body);
	free(wire);
}

static void free_later(struct task *task) { wire_free(CONTAINER_OF(task, struct web_wire, going)); }

/* Whoever answers may stand in `asked`: the memory goes at the end of this pass. */
static void be_over(struct web_wire *wire) {
	enter(wire, WEB_OVER);
	if (wire->stream) stream_finish(TAKE(wire->stream), FINISH_MS);
	task_clear(&wire->next);
	loop_later(wire->loop, &wire->going, free_later);
}

void web_wire_close(struct web_wire *wire) { wire_free(wire); }
struct web_wire *web_wire_of(struct link *link) {
	return CONTAINER_OF(link, struct web_wire, link);
}
void web_wire_set(struct web_wire *wire, void *user) { wire->user = user; }
void *web_wire_user(const struct web_wire *wire) { return wire->user; }

/* ---- Answers ---- */

static void read_next(struct task *task);

static void write_head(const struct web_wire *wire, struct text *to, unsigned status,
	struct slice headers) {
	text_printf(to, "HTTP/1.1 %u %s\r\n", status, http1_reason(status));
	text_add(to, headers);
	if (!wire->keeps) text_add_cstr(to, "Connection: close\r\n");
}

static void send(struct web_wire *wire, const struct text *text) {
	if (!wire->stream) return;
	if (!text_failed(text) && stream_behind(wire->stream) <= WEB_BEHIND) {
		(void)stream_write(wire->stream, text_slice(text));
		return;
	}
	wire->keeps = false;
	stream_deadline(wire->stream, 1); /* which ends it */
}

/* The answer has left: the next request, or the end. */
static void go_on(struct web_wire *wire) {
	if (!wire->keeps || !wire->stream) {
		be_over(wire);
		return;
	}
	enter(wire, WEB_HEAD);
	text_clear(&wire->body);
	text_clear(&wire->octets);
	wire->user = NULL;
	wire->has_begun = false;
	stream_deadline(wire->stream, WEB_IDLE_MS);
	loop_later(wire->loop, &wire->next, read_next);
}

void web_wire_answer(struct web_wire *wire, unsigned status, struct slice headers, const char *type,
	struct slice body) {
	AUTO_TEXT struct text text = {0};
	if (wire->state != WEB_ASKED) return;
	text_init(&text, 0);
	write_head(wire, &text, status, headers);
	if (type) text_printf(&text, "Content-Type: %s\r\n", type);
	if (status != 204) text_printf(&text, "Content-Length: %zu\r\n", type ? body.length : 0);
	text_add_cstr(&text, "\r\n");
	if (type && !slice_is(wire->head.method, "HEAD")) text_add(&text, body);
	send(wire, &text);
	go_on(wire);
}

void web_wire_stream(struct web_wire *wire, struct slice headers) {
	AUTO_TEXT struct text text = {0};
	if (wire->state != WEB_ASKED) return;
	wire->is_chunked = wire->head.minor > 0;
	if (!wire->is_chunked) wire->keeps = false;
	text_init(&text, 0);
	write_head(wire, &text, 200, headers);
	text_add_cstr(&text, "Content-Type: text/event-stream\r\nCache-Control: no-cache\r\n");
	text_add_cstr(&text, wire->is_chunked ? "Transfer-Encoding: chunked\r\n\r\n" : "\r\n");
	enter(wire, WEB_STREAMING);
	send(wire, &text);
}

void web_wire_piece(struct web_wire *wire, struct slice piece) {
	AUTO_TEXT struct text text = {0};
	if (wire->state != WEB_STREAMING || !piece.length) return;
	text_init(&text, 0);
	if (wire->is_chunked) text_printf(&text, "%zx\r\n", piece.length);
	text_add(&text, piece);
	if (wire->is_chunked) text_add_cstr(&text, "\r\n");
	send(wire, &text);
}

void web_wire_end(struct web_wire *wire) {
	AUTO_TEXT struct text text = {0};
	if (wire->state != WEB_STREAMING) return;
	text_init(&text, 0);
	if (wire->is_chunked) text_add_cstr(&text, "0\r\n\r\n");
	send(wire, &text);
	go_on(wire);
}

/* ---- Requests ---- */

static void refuse(struct web_wire *wire, unsigned status, const char *what) {
	wire->head = (struct http1_head){.minor = 1};
	wire->keeps = false;
	enter(wire, WEB_ASKED);
	web_wire_answer(wire, status, SLICE_NONE, "text/plain", slice_of(what));
}

static void drop_input(struct web_wire *wire, size_t used) {
	memmove(wire->input.bytes, wire->input.bytes + used, wire->input.length - used);
	wire->input.length -= used;
	wire->input.bytes[wire->input.length] = '\0';
}

static void ask(struct web_wire *wire) {
	enter(wire, WEB_ASKED);
	wire->keeps = wire->head.keep_alive;
	stream_deadline(wire->stream, 0);
	wire->events->asked(wire->context, wire, &wire->head, text_slice(&wire->body));
}

/* False: more has to come, or it is over. */
static bool read_body(struct web_wire *wire) {
	struct slice bytes = text_slice(&wire->input), piece;
	struct http1_fault fault;
	for (;;) {
		enum http1_result result = http1_body_next(&wire->reader, &bytes, &piece, &fault);
		if (result == HTTP1_BAD) {
			refuse(wire, fault.status, fault.what);
			return false;
		}
		text_add(&wire->body, piece);
		if (result == HTTP1_READY) break;
		if (bytes.length) continue;
		text_clear(&wire->input);
		return false;
	}
	drop_input(wire, wire->input.length - bytes.length);
	if (text_failed(&wire->body)) refuse(wire, 413, "the body is too large");
	return !text_failed(&wire->body);
}

/* The head is read from a copy of its own, which stays until the answer. */
static bool read_head(struct web_wire *wire) {
	struct http1_fault fault;
	size_t used = 0;
	enum http1_result result = HTTP1_MORE;
	if (wire->input.length) result = http1_request(text_slice(&wire->input), &wire->head, &used, &fault);
	if (result == HTTP1_READY) {
		text_add(&wire->octets, slice_make(wire->input.bytes, used));
		if (text_failed(&wire->octets)) return false;
		result = http1_request(text_slice(&wire->octets), &wire->head, &used, &fault);
	}
	if (result == HTTP1_BAD) refuse(wire, fault.status, fault.what);
	if (result != HTTP1_READY) return false;
	drop_input(wire, used);
	http1_body_init(&wire->reader, &wire->head, WEB_BODY);
	enter(wire, WEB_IN_BODY);
	if (wire->head.expects_continue)
		(void)stream_write(wire->stream, SLICE("HTTP/1.1 100 Continue\r\n\r\n"));
	return true;
}

static void read_input(struct web_wire *wire) {
	if (wire->input.length && !wire->has_begun) {
		wire->has_begun = true;
		stream_deadline(wire->stream, WEB_REQUEST_MS);
	}
	if (wire->state == WEB_HEAD && !read_head(wire)) return;
	if (wire->state == WEB_IN_BODY && read_body(wire)) ask(wire);
}

static void read_next(struct task *task) {
	struct web_wire *wire = CONTAINER_OF(task, struct web_wire, next);
	if (wire->state == WEB_HEAD && wire->input.length) read_input(wire);
}

/* ---- The stream ---- */

static void ended(struct stream *stream, const struct fault *why) {
	struct web_wire *wire = stream_context(stream);
	bool is_waiting = wire->state == WEB_ASKED || wire->state == WEB_STREAMING;
	(void)why;
	if (wire->state == WEB_OVER) return;
	stream_close(TAKE(wire->stream));
	be_over(wire);
	if (is_waiting) wire->events->gone(wire->context, wire);
}

static void arrived(struct stream *stream, struct slice bytes) {
	struct web_wire *wire = stream_context(stream);
	struct fault why;
	text_add(&wire->input, bytes);
	if (text_failed(&wire->input)) {
		fault_set(&why, FAULT_TOO_LARGE, "more came than is read");
		ended(stream, &why);
	} else
		read_input(wire);
}

void web_wire_open(struct loop *loop, int descriptor, struct link *list,
	const struct web_wire_events *events, void *context) {
	static const struct stream_events stream_table = {.arrived = arrived, .ended = ended};
	struct web_wire *wire = calloc(1, sizeof *wire);
	if (!wire) {
		dialect_close(&descriptor);
		return;
	}
	wire->loop = loop;
	wire->events = events;
	wire->context = context;
	wire->keeps = true;
	text_init(&wire->input, WEB_BODY + 2 * HTTP1_HEAD);
	text_init(&wire->octets, HTTP1_HEAD + 1);
	text_init(&wire->body, WEB_BODY + 1);
	list_append(list, &wire->link);
	wire->stream = stream_open(loop, descriptor, NULL, NULL, &stream_table, wire, NULL);
	if (wire->stream) stream_deadline(wire->stream, WEB_IDLE_MS);
	else wire_free(wire);
}
