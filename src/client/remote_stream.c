/* SPDX-License-Identifier: Apache-2.0 */
/* Remote stream: asks, listens, waits, asks again. */
#include "client/remote_stream.h"

#include "wire/sse.h"

#include <stdlib.h>

struct remote_stream {
	struct link link; /* of the remote's streams */
	struct remote *remote;
	struct fetch *fetch;
	char *id;   /* of the request, JSON text; NULL: of none */
	char *last; /* the last event's id; NULL: none */
	int64_t retry_ms;
	unsigned tries; /* in vain, one after the other */
	bool is_events, is_answered;
	struct sse events;
	struct deadline again;
	struct task going;
};

static void stream_free(struct remote_stream *stream) {
	deadline_clear(&stream->again);
	task_clear(&stream->going);
	fetch_close(TAKE(stream->fetch));
	list_remove(&stream->link);
	sse_finish(&stream->events);
	free(stream->id);
	free(stream->last);
	free(stream);
}

static void free_later(struct task *task) {
	stream_free(CONTAINER_OF(task, struct remote_stream, going));
}

static void go(struct remote_stream *stream) {
	loop_later(stream->remote->loop, &stream->going, free_later);
}

void remote_stream_forget(struct remote *remote, struct slice id) {
	LIST_EACH(link, &remote->streams) {
		struct remote_stream *stream = CONTAINER_OF(link, struct remote_stream, link);
		if (!stream->id || !slice_is(id, stream->id)) continue;
		stream->is_answered = true;
		go(stream);
	}
}

void remote_streams_close(struct remote *remote) {
	while (!list_is_empty(&remote->streams))
		stream_free(CONTAINER_OF(remote->streams.next, struct remote_stream, link));
}

void remote_streams_lose(struct remote *remote, const struct fault *why) {
	while (!list_is_empty(&remote->streams)) {
		struct remote_stream *stream = CONTAINER_OF(remote->streams.next, struct remote_stream, link);
		AUTO_FREE char *id = stream->is_answered ? NULL : TAKE(stream->id);
		stream_free(stream);
		remote_failed(remote, id, why);
	}
}

/* ---- What comes ---- */

static void note_place(struct remote_stream *stream, const struct sse_event *event) {
	if (event->retry_ms >= 0) stream->retry_ms = event->retry_ms;
	if (!event->id.length) return;
	char *last = slice_copy(event->id);
	if (!last) return; /* the older place will do */
	free(stream->last);
	stream->last = last;
}

static bool event_came(void *context, const struct sse_event *event) {
	struct remote_stream *stream = context;
	stream->tries = 0;
	note_place(stream, event);
	if (!event->data.length || !slice_is(event->event, "message")) return true;
	if (remote_answers(event->data, stream->id)) {
		stream->is_answered = true;
		go(stream);
	}
	remote_heard(stream->remote, event->data);
	return !stream->is_answered;
}

static void head_came(void *context, struct fetch *fetch, unsigned status) {
	struct remote_stream *stream = context;
	stream->is_events = status == 200 && remote_is_events(fetch);
	if (!stream->id && !stream->remote->is_closed) remote_opened(stream->remote);
}

static void piece_came(void *context, struct slice bytes) {
	struct remote_stream *stream = context;
	struct fault why;
	if (!stream->is_events || stream->is_answered || stream->remote->is_closed) return;
	if (sse_read(&stream->events, bytes, event_came, stream, &why) || stream->is_answered) return;
	stream->is_answered = true;
	remote_failed(stream->remote, stream->id, &why);
	go(stream);
}

static void wait_for_again(struct remote_stream *stream);

static void give_up(struct remote_stream *stream, const struct fault *why) {
	if (stream->id) remote_failed(stream->remote, stream->id, why);
	else remote_opened(stream->remote);
	go(stream);
}

static void done(void *context, const struct fetch_answer *answer, const struct fault *why) {
	struct remote_stream *stream = context;
	struct fault own;
	if (stream->is_answered || stream->remote->is_closed) return;
	fetch_close(TAKE(stream->fetch));
	if (why) own = *why;
	else if (!stream->is_events) remote_status_fault(&own, answer->status);
	else fault_set(&own, FAULT_CLOSED, "the server's answer broke off");
	/* A server need not have such streams; only one that had goes on. */
	bool is_over = answer && !stream->is_events && answer->status < 500;
	if (is_over || ++stream->tries > REMOTE_STREAM_TRIES) give_up(stream, &own);
	else wait_for_again(stream);
}

/* ---- Asking ---- */

static bool ask(struct remote_stream *stream, struct fault *why) {
	static const struct fetch_events events = {.head = head_came, .piece = piece_came, .done = done};
	struct remote *remote = stream->remote;
	char lent[REMOTE_SCRATCH];
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
		.url = remote->url,
		.ca = remote->ca,
		.headers = remote_headers(remote, &arena, lines),
		.deadline_ms = UINT64_MAX,
	};
	sse_finish(&stream->events);
	sse_init(&stream->events, CARRIER_MESSAGE);
	stream->is_events = false;
	if (options.headers) stream->fetch = fetch_open(remote->desk, &options, &events, stream, why);
	else fault_set(why, FAULT_NO_MEMORY, "no memory for a request");
	arena_finish(&arena);
	return stream->fetch != NULL;
}

static void ask_again(struct deadline *deadline) {
	struct remote_stream *stream = CONTAINER_OF(deadline, struct remote_stream, again);
	struct fault why;
	if (!stream->remote->is_closed && !ask(stream, &why)) give_up(stream, &why);
}

static void wait_for_again(struct remote_stream *stream) {
	int64_t wait = stream->retry_ms >= 0 ? stream->retry_ms : REMOTE_STREAM_AGAIN_MS;
	if (wait > REMOTE_STREAM_LONGEST_MS) wait = REMOTE_STREAM_LONGEST_MS;
	deadline_set(stream->remote->loop, &stream->again, (uint64_t)wait, ask_again);
}

static struct remote_stream *make(struct remote *remote, struct fault *why) {
	struct remote_stream *stream = calloc(1, sizeof *stream);
	if (!stream) return fault_null(why, FAULT_NO_MEMORY, "no memory for a stream");
	stream->remote = remote;
	stream->retry_ms = -1;
	sse_init(&stream->events, CARRIER_MESSAGE);
	list_append(&remote->streams, &stream->link);
	return stream;
}

bool remote_stream_open(struct remote *remote, struct fault *why) {
	struct remote_stream *stream = make(remote, why);
	if (!stream) return false;
	if (ask(stream, why)) return true;
	stream_free(stream);
	return false;
}

bool remote_stream_resume(struct remote *remote, const char *id, const struct remote_place *place,
	struct fault *why) {
	struct remote_stream *stream = make(remote, why);
	if (!stream) return false;
	stream->id = slice_copy(slice_of(id));
	stream->last = slice_copy(place->last);
	stream->retry_ms = place->retry_ms;
	if (stream->id && stream->last) {
		wait_for_again(stream);
		return true;
	}
	stream_free(stream);
	return fault_set(why, FAULT_NO_MEMORY, "no memory for a stream");
}
