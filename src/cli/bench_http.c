/* SPDX-License-Identifier: Apache-2.0 */
/* Bench http: requests out, heads and bodies in. */
#include "cli/bench_http.h"

#include "base/clock.h"
#include "wire/http1.h"
#include "wire/jsonrpc.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#define EVENTS 256
#define BUFFER (256 * 1024)
#define PATIENCE_MS 30000
#define EVENT ((size_t)1 << 30)

struct bench_http_line {
	int descriptor;
	bool waits;       /* for an answer */
	bool has_head;    /* of it */
	bool is_events;   /* its body */
	unsigned status;  /* of it */
	struct text head; /* octets of a head that is not whole */
	struct text body; /* as far as it has come */
	struct http1_body reader;
};

bool bench_http_fail(struct bench_http *http, enum fault_code code, const char *format, ...) {
	va_list arguments;
	if (http->failed) return false;
	http->failed = true;
	http->why.code = code;
	va_start(arguments, format);
	vsnprintf(http->why.text, sizeof http->why.text, format, arguments);
	va_end(arguments);
	return false;
}

/* Opening */

static bool connect_line(struct bench_http *http, struct bench_http_line *line, struct fault *why) {
	struct epoll_event event = {.events = EPOLLIN, .data.ptr = line};
	line->descriptor = bench_target_connect(&http->target, why);
	if (line->descriptor < 0) return false;
	return epoll_ctl(http->epoll, EPOLL_CTL_ADD, line->descriptor, &event) == 0 ||
		fault_errno(why, errno, "epoll");
}

bool bench_http_open(struct bench_http *http, const char *url, const char *token, size_t lines,
	struct fault *why) {
	*http = (struct bench_http){.epoll = -1, .token = token};
	if (!bench_target_read(&http->target, url, "/mcp", why)) return false;
	bench_target_authority(&http->target, http->authority, sizeof http->authority);
	bench_target_raise_descriptors();
	text_init(&http->session, 1024);
	text_init(&http->request, 0);
	sse_init(&http->events, EVENT);
	http->lines = calloc(lines + 1, sizeof *http->lines); /* one more for a stream */
	http->buffer = malloc(BUFFER);
	if (!http->lines || !http->buffer)
		return fault_set(why, FAULT_NO_MEMORY, "no memory for %zu connections", lines);
	http->count = lines;
	for (size_t i = 0; i <= lines; i++) {
		http->lines[i].descriptor = -1;
		text_init(&http->lines[i].head, HTTP1_HEAD);
		text_init(&http->lines[i].body, 0);
	}
	http->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (http->epoll < 0) return fault_errno(why, errno, "epoll");
	for (size_t i = 0; i < lines; i++)
		if (!connect_line(http, &http->lines[i], why)) return false;
	return true;
}

void bench_http_close(struct bench_http *http) {
	for (size_t i = 0; http->lines && i <= http->count; i++) {
		struct bench_http_line *line = &http->lines[i];
		if (line->descriptor >= 0) close(line->descriptor);
		text_finish(&line->head);
		text_finish(&line->body);
	}
	if (http->epoll >= 0) close(http->epoll);
	sse_finish(&http->events);
	text_finish(&http->session);
	text_finish(&http->request);
	free(http->lines);
	free(http->buffer);
	*http = (struct bench_http){.epoll = -1};
}

/* Requests */

/* A socket whose buffer is full is waited for: requests are small, and nobody else is to be served. */
static bool send_all(struct bench_http *http, int descriptor, struct slice bytes) {
	while (bytes.length) {
		ssize_t went = send(descriptor, bytes.bytes, bytes.length, MSG_NOSIGNAL);
		struct pollfd room = {.fd = descriptor, .events = POLLOUT};
		if (went < 0 && errno == EAGAIN && poll(&room, 1, PATIENCE_MS) > 0) continue;
		if (went < 0 && errno == EINTR) continue;
		if (went < 0) return bench_http_fail(http, FAULT_CLOSED, "a request cannot be sent: %s", strerror(errno));
		bytes = slice_make(bytes.bytes + went, bytes.length - (size_t)went);
	}
	return true;
}

void bench_http_post(struct bench_http *http, unsigned number, struct slice headers, struct slice body) {
	struct bench_http_line *line = &http->lines[number];
	struct text *request = &http->request;
	text_clear(request);
	text_printf(request, "POST %s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\n"
			     "Accept: application/json, text/event-stream\r\nContent-Length: %zu\r\n",
		http->target.path, http->authority, body.length);
	if (http->session.length) {
		text_add_cstr(request, "Mcp-Session-Id: ");
		text_add(request, text_slice(&http->session));
		text_add_cstr(request, "\r\n");
	}
	if (http->token) text_printf(request, "Authorization: Bearer %s\r\n", http->token);
	text_add(request, headers);
	text_add_cstr(request, "\r\n");
	text_add(request, body);
	if (text_failed(request)) bench_http_fail(http, FAULT_NO_MEMORY, "no memory for a request");
	else line->waits = send_all(http, line->descriptor, text_slice(request));
}

bool bench_http_listen(struct bench_http *http, struct fault *why) {
	struct bench_http_line *stream = &http->lines[http->count];
	struct text *request = &http->request;
	uint64_t end_ms = clock_monotonic_ms() + PATIENCE_MS;
	text_clear(request);
	text_printf(request, "GET %s HTTP/1.1\r\nHost: %s\r\nAccept: text/event-stream\r\n", http->target.path,
		http->authority);
	if (http->token) text_printf(request, "Authorization: Bearer %s\r\n", http->token);
	text_add_cstr(request, "\r\n");
	http->has_stream = true;
	if (!connect_line(http, stream, why)) return false;
	stream->waits = send_all(http, stream->descriptor, text_slice(request));
	while (!http->failed && !http->is_told && clock_monotonic_ms() < end_ms)
		if (!bench_http_step(http, 100)) break;
	if (http->failed) *why = http->why;
	else if (!http->is_told) fault_set(why, FAULT_TIMEOUT, "the event stream says nothing of where to post");
	return http->is_told && !http->failed;
}

/* Answers */

/* The first event that is an answer, and no notification or request of the server. */
static bool seen(void *context, const struct sse_event *event) {
	struct text *answer = context;
	const struct scan_value message = {.text = event->data, .type = SCAN_OBJECT};
	struct scan_value part;
	if (answer->length || !event->data.length || scan_find(&message, "method", &part)) return true;
	text_add(answer, event->data);
	return true;
}

static void deliver(struct bench_http *http, struct bench_http_line *line, uint64_t now_us) {
	AUTO_TEXT struct text answer = {0};
	struct slice message = text_slice(&line->body);
	text_init(&answer, 0);
	if (line->status != 200 && line->status != 202) {
		bench_http_fail(http, FAULT_REFUSED, "the server answered %u: %.*s", line->status,
			(int)(message.length < 200 ? message.length : 200), message.length ? message.bytes : "");
		return;
	}
	if (line->status == 202) message = SLICE_NONE;
	if (line->is_events) {
		struct sse sse;
		sse_init(&sse, EVENT);
		bool is_read = sse_read(&sse, message, seen, &answer, &http->why) && !text_failed(&answer);
		sse_finish(&sse);
		if (!is_read) {
			http->failed = true;
			return;
		}
		message = text_slice(&answer);
	}
	line->waits = line->has_head = false;
	http->answered(http->context, (unsigned)(line - http->lines), message, now_us);
}

/* "endpoint" says where to post: a path, or a URL of the same server. */
static bool take_endpoint(struct bench_http *http, struct slice endpoint) {
	struct slice path = endpoint;
	if (slice_starts_with(endpoint, "http://")) {
		const char *slash = memchr(endpoint.bytes + 7, '/', endpoint.length - 7);
		path = slash ? slice_make(slash, endpoint.length - (size_t)(slash - endpoint.bytes)) : SLICE("/");
	}
	if (!path.length || path.bytes[0] != '/' || path.length >= sizeof http->target.path)
		return bench_http_fail(http, FAULT_BAD_INPUT, "the endpoint it names cannot be used");
	snprintf(http->target.path, sizeof http->target.path, "%.*s", SLICE_ARGS(path));
	http->is_told = true;
	return true;
}

static bool heard(void *context, const struct sse_event *event) {
	struct bench_http *http = context;
	const struct scan_value message = {.text = event->data, .type = SCAN_OBJECT};
	struct scan_value part;
	if (slice_is(event->event, "endpoint")) return http->is_told || take_endpoint(http, event->data);
	if (!event->data.length || event->data.bytes[0] != '{' || scan_find(&message, "method", &part)) return true;
	http->answered(http->context, BENCH_STREAM, event->data, clock_monotonic_us());
	return !http->failed;
}

static void take_events(struct bench_http *http, struct slice piece) {
	struct fault why;
	if (!sse_read(&http->events, piece, heard, http, &why) && !http->failed)
		bench_http_fail(http, why.code, "%s", why.text);
}

static bool keep_session(struct bench_http *http, const struct http1_head *head) {
	struct slice session = http1_field(head, "Mcp-Session-Id");
	if (!session.bytes || http->session.length) return true;
	text_add(&http->session, session);
	return !text_failed(&http->session) || bench_http_fail(http, FAULT_TOO_LARGE, "the session's name is too long");
}

/* What is behind the head, once it is whole; false: not yet, or failed. */
static bool take_head(struct bench_http *http, struct bench_http_line *line, struct slice *bytes) {
	struct http1_head head;
	struct http1_fault fault;
	size_t used, before = line->head.length;
	struct slice text = *bytes;
	if (before) {
		text_add(&line->head, text);
		text = text_slice(&line->head);
	}
	enum http1_result result = http1_response(text, &head, &used, &fault);
	if (result == HTTP1_MORE && !before) text_add(&line->head, text);
	if (result == HTTP1_MORE && !text_failed(&line->head)) return false;
	if (result != HTTP1_READY) return bench_http_fail(http, FAULT_BAD_INPUT, "an answer's head is not sound");
	if (!keep_session(http, &head)) return false;
	struct slice type = http1_field(&head, "Content-Type");
	line->status = head.status;
	line->is_events = type.bytes && slice_starts_with(type, "text/event-stream");
	line->has_head = true;
	http1_body_init(&line->reader, &head, UINT64_MAX);
	text_clear(&line->body);
	text_clear(&line->head);
	*bytes = slice_make(bytes->bytes + (used - before), bytes->length - (used - before));
	return true;
}

static void take(struct bench_http *http, struct bench_http_line *line, struct slice bytes,
	uint64_t now_us) {
	struct http1_fault fault;
	struct slice piece;
	if (!line->has_head && !take_head(http, line, &bytes)) return;
	for (;;) {
		enum http1_result result = http1_body_next(&line->reader, &bytes, &piece, &fault);
		if (result == HTTP1_BAD || text_failed(&line->body)) {
			bench_http_fail(http, FAULT_BAD_INPUT, "an answer's body cannot be read");
			return;
		}
		bool is_stream = http->has_stream && line == &http->lines[http->count];
		if (is_stream) take_events(http, piece);
		else text_add(&line->body, piece);
		if (result == HTTP1_READY) break;
		if (http->failed) return;
		if (!bytes.length) return;
	}
	if (line == &http->lines[http->count]) bench_http_fail(http, FAULT_CLOSED, "the event stream ended");
	else deliver(http, line, now_us);
}

static void read_line(struct bench_http *http, struct bench_http_line *line) {
	ssize_t got = recv(line->descriptor, http->buffer, BUFFER, 0);
	if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
	if (got <= 0) bench_http_fail(http, FAULT_CLOSED, "the server closed a connection");
	else if (!line->waits) bench_http_fail(http, FAULT_BAD_INPUT, "an answer came that nobody waits for");
	else take(http, line, slice_make(http->buffer, (size_t)got), clock_monotonic_us());
}

bool bench_http_step(struct bench_http *http, int wait_ms) {
	struct epoll_event events[EVENTS];
	int count = epoll_wait(http->epoll, events, EVENTS, wait_ms);
	if (count < 0 && errno != EINTR) return bench_http_fail(http, FAULT_IO, "epoll: %s", strerror(errno));
	for (int i = 0; i < count && !http->failed; i++) read_line(http, events[i].data.ptr);
	return !http->failed;
}
