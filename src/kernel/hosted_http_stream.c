/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hosted HTTP stream: the GET that stays open, on which a legacy server says what it was not asked.
 * With HTTP and SSE (MCP 2024-11-05) it is the conversation itself, and its first event names where
 * messages go; with Streamable HTTP a server may do without.
 */
#include "kernel/hosted_http_parts.h"

#include <stdlib.h>

#define AGAIN_MS 1000

void hosted_stream_close(struct hosted_http *http) {
	fetch_close(TAKE(http->stream));
	sse_finish(&http->stream_events);
}

/* ---- The endpoint ---- */

/* The part before the path: "http://host:port". */
static struct slice origin_of(struct slice url) {
	const char *scheme = url.length > 8 ? memmem(url.bytes, url.length, "://", 3) : NULL;
	if (!scheme) return SLICE_NONE;
	size_t from = (size_t)(scheme + 3 - url.bytes);
	const char *path = memchr(url.bytes + from, '/', url.length - from);
	return path ? slice_make(url.bytes, (size_t)(path - url.bytes)) : url;
}

/* As the event names it: a whole URL of the same origin, or a path. */
static char *resolve(struct slice base, struct slice named) {
	AUTO_TEXT struct text url = {0};
	struct slice origin = origin_of(base), theirs = origin_of(named);
	text_init(&url, 0);
	if (theirs.bytes && !slice_equal_ignoring_case(origin, theirs)) return NULL;
	if (!theirs.bytes) {
		size_t end = base.length;
		while (end > origin.length && base.bytes[end - 1] != '/') end--;
		text_add(&url, slice_starts_with(named, "/") ? origin : slice_make(base.bytes, end));
		if (!slice_starts_with(named, "/") && end == origin.length) text_add_char(&url, '/');
	}
	text_add(&url, named);
	return text_take(&url);
}

static void take_endpoint(struct hosted_http *http, struct slice named) {
	struct fault why;
	http->endpoint = resolve(slice_of(http->child->hosted->setup.of.url), slice_trim(named));
	if (http->endpoint) {
		hosted_posts_leave(http);
		return;
	}
	fault_set(&why, FAULT_REFUSED, "names an endpoint of another origin");
	hosted_http_over(http, &why);
}

/* ---- Events ---- */

static bool event_came(void *context, const struct sse_event *event) {
	struct hosted_http *http = context;
	bool is_sse = http->child->hosted->setup.of.is_sse;
	if (is_sse && !http->endpoint && slice_is(event->event, "endpoint")) take_endpoint(http, event->data);
	else if (event->data.length && slice_is(event->event, "message"))
		hosted_child_heard(http->child, event->data);
	return http->stream != NULL;
}

static void head_came(void *context, struct fetch *fetch, unsigned status) {
	struct hosted_http *http = context;
	http->is_streaming = status == 200 && hosted_http_is_events(fetch);
}

static void piece_came(void *context, struct slice bytes) {
	struct hosted_http *http = context;
	struct fault why;
	if (!http->is_streaming || sse_read(&http->stream_events, bytes, event_came, http, &why)) return;
	if (http->stream) hosted_http_over(http, &why);
}

static void open_again(struct deadline *deadline) {
	struct hosted_http *http = CONTAINER_OF(deadline, struct hosted_http, deadline);
	if (http->child->stage == HOSTED_OPEN) (void)!hosted_stream_open(http, NULL);
}

static void done(void *context, const struct fetch_answer *answer, const struct fault *why) {
	struct hosted_http *http = context;
	struct hosted_child *child = http->child;
	struct fault own;
	bool was_streaming = http->is_streaming;
	if (why) own = *why;
	else fault_set(&own, FAULT_CLOSED, "has closed its stream (HTTP status %u)", answer->status);
	hosted_stream_close(http);
	if (child->hosted->setup.of.is_sse) hosted_http_over(http, &own);
	else if (was_streaming && child->stage == HOSTED_OPEN && !http->why.code)
		deadline_set(child->hosted->servers->loop, &http->deadline, AGAIN_MS, open_again);
}

bool hosted_stream_open(struct hosted_http *http, struct fault *why) {
	static const struct fetch_events events = {.head = head_came, .piece = piece_came, .done = done};
	char lent[HOSTED_SCRATCH];
	struct arena arena;
	arena_init(&arena, lent, sizeof lent, 0);
	const struct fetch_options options = {
		.url = http->child->hosted->setup.of.url,
		.headers = hosted_http_headers(http, &arena, (const char *const[]){"Accept: text/event-stream", NULL}),
		.deadline_ms = UINT64_MAX,
	};
	sse_init(&http->stream_events, HOSTED_MESSAGE);
	http->is_streaming = false;
	if (options.headers)
		http->stream = fetch_open(http->child->hosted->servers->desk, &options, &events, http, why);
	else
		fault_set(why, FAULT_TOO_LARGE, "too many headers are configured");
	arena_finish(&arena);
	if (!http->stream) sse_finish(&http->stream_events);
	return http->stream != NULL;
}
