/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hosted HTTP stream: what a GET asks for. One stays open, on which a legacy server says what it was
 * not asked; with HTTP and SSE (MCP 2024-11-05) it is the conversation itself, and its first event
 * names where messages go. Others go on with an answer whose own stream broke off (MCP 2025-11-25).
 */
#include "hosted/hosted_http_parts.h"

#include "hosted/hosted_http_url.h"

#include <stdlib.h>

#define AGAIN_MS 1000
#define LONGEST_MS 30000
#define SHORTEST_MS 20

struct hosted_stream {
	struct link link;
	struct hosted_http *http;
	struct fetch *fetch; /* NULL: it waits to ask again */
	char *id;            /* of the request whose answer goes on here, JSON text; NULL: of none */
	char *last;          /* id of the last event; NULL: none */
	int64_t retry_ms;    /* -1: not said */
	unsigned tries;      /* in vain, one after the other */
	unsigned moves;
	bool is_events; /* its answer is a stream of events */
	bool is_over;   /* freed by the task */
	struct sse events;
	struct deadline again;
	struct task task;
};

static void stream_free(struct hosted_stream *stream) {
	deadline_clear(&stream->again);
	task_clear(&stream->task);
	fetch_close(TAKE(stream->fetch));
	list_remove(&stream->link);
	sse_finish(&stream->events);
	free(stream->id);
	free(stream->last);
	free(stream);
}

void hosted_streams_close(struct hosted_http *http) {
	while (!list_is_empty(&http->streams))
		stream_free(CONTAINER_OF(http->streams.next, struct hosted_stream, link));
}

static void free_later(struct task *task) {
	stream_free(CONTAINER_OF(task, struct hosted_stream, task));
}

static void give_up(struct hosted_stream *stream) {
	stream->is_over = true;
	deadline_clear(&stream->again);
	loop_later(stream->http->loop, &stream->task, free_later);
}

void hosted_streams_pause(struct hosted_http *http, bool is_paused) {
	LIST_EACH(link, &http->streams) {
		struct hosted_stream *stream = CONTAINER_OF(link, struct hosted_stream, link);
		bool has_answers = stream->id || http->is_sse;
		if (has_answers && stream->fetch && !stream->is_over) fetch_pause(stream->fetch, is_paused);
	}
}

void hosted_stream_forget(struct hosted_http *http, struct slice id) {
	LIST_EACH(link, &http->streams) {
		struct hosted_stream *stream = CONTAINER_OF(link, struct hosted_stream, link);
		if (stream->id && slice_is(id, stream->id)) give_up(stream);
	}
}

/* ---- The endpoint ---- */

static void take_endpoint(struct hosted_http *http, struct slice named) {
	struct hosted_settings *of = &http->child->hosted->setup.of;
	struct fault why;
	char *endpoint = hosted_http_url_resolve(slice_of(http->url), slice_trim(named));
	if (!endpoint || !hosted_http_url_may_follow(slice_of(http->url), slice_of(endpoint))) {
		free(endpoint);
		fault_set(&why, FAULT_REFUSED, "names an endpoint of another origin");
		hosted_http_over(http, &why);
		return;
	}
	http->endpoint = endpoint;
	if (http->is_trying_sse) { /* so it is: the next conversations begin so */
		http->is_trying_sse = false;
		http->is_sse = of->is_sse = true;
		of->eras = HOSTED_ERA_ONLY_LEGACY;
		http->child->hosted->is_known = true;
	}
	hosted_posts_leave(http);
}

/* ---- Events ---- */

static void note_place(struct hosted_stream *stream, const struct sse_event *event) {
	if (event->retry_ms >= 0) stream->retry_ms = event->retry_ms;
	if (!event->id.length || event->id.length > HOSTED_HTTP_EVENT_ID) return;
	char *last = slice_copy(event->id);
	if (!last) return; /* the older place will do */
	free(stream->last);
	stream->last = last;
}

static bool event_came(void *context, const struct sse_event *event) {
	struct hosted_stream *stream = context;
	struct hosted_http *http = stream->http;
	bool is_endpoint = !http->endpoint && slice_is(event->event, "endpoint");
	stream->tries = 0;
	note_place(stream, event);
	if (is_endpoint && (http->is_sse || http->is_trying_sse)) take_endpoint(http, event->data);
	else if (event->data.length && slice_is(event->event, "message"))
		(void)hosted_http_heard(http, event->data);
	if (!http->child || stream->is_over) return false;
	if (stream->id && !hosted_http_waits_for(http, stream->id)) give_up(stream);
	return !stream->is_over;
}

static void head_came(void *context, struct fetch *fetch, unsigned status) {
	struct hosted_stream *stream = context;
	stream->is_events = status == 200 && hosted_http_is_events(fetch);
	if (stream->is_events) stream->http->had_stream = true;
}

static void fail(struct hosted_stream *stream, const struct fault *why) {
	struct hosted_http *http = stream->http;
	hosted_http_failed(http, stream->id, HOSTED_HTTP_UNREACHED, why->text);
	if (http->child && !stream->is_over) give_up(stream);
}

static void piece_came(void *context, struct slice bytes) {
	struct hosted_stream *stream = context;
	struct hosted_http *http = stream->http;
	struct fault why;
	if (!stream->is_events || stream->is_over || !http->child) return;
	hosted_http_enter(http);
	bool is_read = sse_read(&stream->events, bytes, event_came, stream, &why);
	if (!is_read && http->child && !stream->is_over) {
		if (stream->id) fail(stream, &why);
		else hosted_http_over(http, &why);
	}
	hosted_http_leave(http);
}

/* ---- Asking ---- */

static bool ask(struct hosted_stream *stream, struct fault *why);

static void ask_again(struct deadline *deadline) {
	struct hosted_stream *stream = CONTAINER_OF(deadline, struct hosted_stream, again);
	struct hosted_http *http = stream->http;
	struct fault why;
	hosted_http_enter(http);
	if (!http->why.code && !ask(stream, &why)) fail(stream, &why);
	hosted_http_leave(http);
}

static void wait_for_again(struct hosted_stream *stream) {
	uint64_t wait = stream->retry_ms >= 0 ? (uint64_t)stream->retry_ms : AGAIN_MS;
	if (stream->events.retry_ms >= 0) wait = (uint64_t)stream->events.retry_ms; /* said alone, without an event */
	if (wait < SHORTEST_MS) wait = SHORTEST_MS;
	for (unsigned i = 1; i < stream->tries && wait < LONGEST_MS; i++) wait *= 2;
	deadline_set(stream->http->loop, &stream->again, wait < LONGEST_MS ? wait : LONGEST_MS, ask_again);
}

/* The conversation itself has ended. One that was open for a while may: the next begins at once. */
static void be_over(struct hosted_http *http, const struct fault *why) {
	struct hosted_child *child = http->child;
	bool has_lived = child->stage == HOSTED_OPEN &&
		loop_now(http->loop) - child->opened_at >= HOSTED_HTTP_LIVED_MS;
	child->is_lost = child->is_lost || has_lived;
	hosted_http_over(http, why);
}

/* It did not bring what initialize was held back for: it was refused, then. */
static void stop_trying(struct hosted_stream *stream) {
	struct hosted_http *http = stream->http;
	struct fault why;
	http->endpoint = slice_copy(slice_of(http->url));
	give_up(stream);
	if (http->endpoint) hosted_posts_refused(http);
	else {
		fault_set(&why, FAULT_NO_MEMORY, "no memory for a conversation");
		hosted_http_over(http, &why);
	}
}

static void finish(struct hosted_stream *stream, const struct fetch_answer *answer, struct fault *why) {
	struct hosted_http *http = stream->http;
	bool is_final = answer && !stream->is_events && answer->status < 500;
	if (http->is_sse) be_over(http, why);
	else if (http->is_trying_sse && !http->endpoint) stop_trying(stream);
	else if (is_final && answer->status == 404 && http->session && http->had_stream) {
		hosted_http_forgotten(http, why);
		give_up(stream);
	} else if (stream->id && !hosted_http_waits_for(http, stream->id)) give_up(stream);
	else if (is_final || (++stream->tries > HOSTED_HTTP_TRIES && stream->id)) fail(stream, why);
	else wait_for_again(stream);
}

static void done(void *context, const struct fetch_answer *answer, const struct fault *why) {
	struct hosted_stream *stream = context;
	struct hosted_http *http = stream->http;
	struct fault own, moved;
	if (stream->is_over || !http->child || http->why.code) return;
	hosted_http_enter(http);
	if (why) own = *why;
	else fault_set(&own, FAULT_CLOSED, "has closed its stream (HTTP status %u)", answer->status);
	bool moves = answer && answer->status >= 300 && answer->status < 400 &&
		stream->moves++ < HOSTED_HTTP_MOVES &&
		hosted_http_moves(http, stream->fetch, answer->status, &moved);
	fetch_close(TAKE(stream->fetch));
	if (!moves || !ask(stream, &own)) finish(stream, answer, &own);
	hosted_http_leave(http);
}

static bool ask(struct hosted_stream *stream, struct fault *why) {
	static const struct fetch_events events = {.head = head_came, .piece = piece_came, .done = done};
	struct hosted_http *http = stream->http;
	char lent[HOSTED_SCRATCH];
	struct arena arena;
	AUTO_TEXT struct text place = {0};
	const char *lines[3] = {"Accept: text/event-stream"};
	arena_init(&arena, lent, sizeof lent, 0);
	text_init(&place, 0);
	if (stream->last) {
		text_printf(&place, "Last-Event-ID: %s", stream->last);
		lines[1] = place.bytes;
	}
	const struct fetch_options options = {
		.url = http->url,
		.ca = http->child->hosted->setup.of.ca,
		.headers = text_failed(&place) ? NULL : hosted_http_headers(http, &arena, lines),
		.deadline_ms = UINT64_MAX,
	};
	sse_finish(&stream->events);
	sse_init(&stream->events, HOSTED_MESSAGE);
	stream->is_events = false;
	if (options.headers)
		stream->fetch = fetch_open(http->child->hosted->servers->desk, &options, &events, stream, why);
	else
		fault_set(why, FAULT_TOO_LARGE, "too many headers are configured");
	arena_finish(&arena);
	return stream->fetch != NULL;
}

static struct hosted_stream *make(struct hosted_http *http, struct fault *why) {
	struct hosted_stream *stream = calloc(1, sizeof *stream);
	if (!stream) return fault_null(why, FAULT_NO_MEMORY, "no memory for a stream");
	stream->http = http;
	stream->retry_ms = -1;
	sse_init(&stream->events, HOSTED_MESSAGE);
	list_append(&http->streams, &stream->link);
	return stream;
}

bool hosted_stream_open(struct hosted_http *http, struct fault *why) {
	struct hosted_stream *stream = make(http, why);
	if (!stream) return false;
	if (ask(stream, why)) return true;
	stream_free(stream);
	return false;
}

bool hosted_stream_resume(struct hosted_http *http, const char *id, struct slice last,
	int64_t retry_ms, struct fault *why) {
	struct hosted_stream *stream = last.length <= HOSTED_HTTP_EVENT_ID ? make(http, why) : NULL;
	if (!stream) return false;
	stream->id = slice_copy(slice_of(id));
	stream->last = slice_copy(last);
	stream->retry_ms = retry_ms;
	if (stream->id && stream->last) {
		wait_for_again(stream);
		return true;
	}
	stream_free(stream);
	return fault_set(why, FAULT_NO_MEMORY, "no memory for a stream");
}
