/* SPDX-License-Identifier: Apache-2.0 */
/* Websocket uplink: dial, ask for the upgrade, then messages both ways. */
#include "client/websocket_uplink.h"

#include "client/upgrade.h"
#include "net/dial.h"
#include "net/stream.h"
#include "wire/websocket.h"

#include <stdlib.h>

#define LAST_WORDS 2000 /* ms for the close frame to leave */

struct websocket_uplink {
	struct uplink uplink;
	struct loop *loop;
	const struct uplink_events *events;
	void *context;
	struct dial *dial;
	struct stream *stream;
	struct tls *tls;
	struct deadline pulse;
	struct task end_task;
	struct upgrade upgrade;
	struct websocket websocket;
	struct uplink_end end;
	char host[GATEWAY_URL_HOST];
	bool is_open;    /* the upgrade is through */
	bool is_over;    /* `ended` is due, was called, or the owner closed */
	bool was_heard;  /* since the last pulse */
	bool was_pinged; /* and nothing came since */
	bool *gone;      /* told when the uplink is closed inside a callback */
};

/* ---- The end ---- */

static void let_go(struct websocket_uplink *uplink) {
	dial_close(TAKE(uplink->dial));
	stream_close(TAKE(uplink->stream));
	deadline_clear(&uplink->pulse);
}

static void tell_end(struct task *task) {
	struct websocket_uplink *uplink = CONTAINER_OF(task, struct websocket_uplink, end_task);
	uplink->events->ended(uplink->context, &uplink->end);
}

/* Told a moment later: the callers are deep inside the connection's own callbacks. */
static void end(struct websocket_uplink *uplink, unsigned status, unsigned code, const struct fault *why) {
	if (uplink->is_over) return;
	uplink->is_over = true;
	uplink->is_open = false;
	uplink->end = (struct uplink_end){.status = status, .code = code, .fault = *why};
	let_go(uplink);
	loop_later(uplink->loop, &uplink->end_task, tell_end);
}

static void say_goodbye(struct websocket_uplink *uplink, unsigned code) {
	AUTO_TEXT struct text frame = {0};
	text_init(&frame, 0);
	websocket_write_close(&frame, WEBSOCKET_CLIENT, code, SLICE_NONE);
	if (!text_failed(&frame)) stream_write(uplink->stream, text_slice(&frame));
	stream_finish(TAKE(uplink->stream), LAST_WORDS);
}

static void close_it(struct uplink *base, unsigned code) {
	struct websocket_uplink *uplink = CONTAINER_OF(base, struct websocket_uplink, uplink);
	if (uplink->gone) *uplink->gone = true;
	if (uplink->is_open && uplink->stream) say_goodbye(uplink, code);
	task_clear(&uplink->end_task);
	let_go(uplink);
	upgrade_finish(&uplink->upgrade);
	websocket_finish(&uplink->websocket);
	free(uplink);
}

/* ---- Messages ---- */

static void send_frame(struct websocket_uplink *uplink, unsigned opcode, struct slice payload) {
	AUTO_TEXT struct text frame = {0};
	text_init(&frame, 0);
	websocket_write(&frame, WEBSOCKET_CLIENT, opcode, payload);
	if (!text_failed(&frame)) stream_write(uplink->stream, text_slice(&frame));
}

static bool send_text(struct uplink *base, struct slice text, struct fault *why) {
	struct websocket_uplink *uplink = CONTAINER_OF(base, struct websocket_uplink, uplink);
	AUTO_TEXT struct text frame = {0};
	if (!uplink->is_open) return fault_set(why, FAULT_NOT_READY, "the connection is not open");
	if (stream_behind(uplink->stream) > UPLINK_BEHIND)
		return fault_set(why, FAULT_FULL, "the gateway does not take what is sent fast enough");
	text_init(&frame, 0);
	websocket_write(&frame, WEBSOCKET_CLIENT, WEBSOCKET_OP_TEXT, text);
	if (text_failed(&frame) || !stream_write(uplink->stream, text_slice(&frame)))
		return fault_set(why, FAULT_NO_MEMORY, "no memory for a message");
	return true;
}

static void peer_closed(struct websocket_uplink *uplink, const struct websocket_message *message) {
	char reason[130];
	struct fault why;
	text_display_in(reason, sizeof reason, message->payload);
	fault_set(&why, FAULT_CLOSED, "the gateway closed the connection: %u%s%s", message->code,
		reason[0] ? " " : "", reason);
	say_goodbye(uplink, message->code);
	end(uplink, 0, message->code, &why);
}

static void peer_broke_rules(struct websocket_uplink *uplink, const struct websocket_message *message) {
	struct fault why;
	fault_set(&why, FAULT_BAD_INPUT, "the gateway broke the WebSocket protocol: %.*s",
		SLICE_ARGS(message->payload));
	say_goodbye(uplink, message->code);
	end(uplink, 0, 0, &why);
}

static void handle(struct websocket_uplink *uplink, const struct websocket_message *message) {
	switch (message->event) {
	case WEBSOCKET_TEXT: uplink->events->arrived(uplink->context, message->payload); break;
	case WEBSOCKET_PING: send_frame(uplink, WEBSOCKET_OP_PONG, message->payload); break;
	case WEBSOCKET_CLOSE: peer_closed(uplink, message); break;
	case WEBSOCKET_FAILED: peer_broke_rules(uplink, message); break;
	case WEBSOCKET_BINARY: /* envelopes are text (MCPx v0 5.2) */
	case WEBSOCKET_PONG:
	case WEBSOCKET_MORE: break;
	}
}

static void take(struct websocket_uplink *uplink, struct slice bytes) {
	struct websocket_message message;
	bool gone = false;
	uplink->gone = &gone;
	while (!uplink->is_over &&
		websocket_next(&uplink->websocket, &bytes, &message) != WEBSOCKET_MORE) {
		handle(uplink, &message);
		if (gone) return;
	}
	uplink->gone = NULL;
}

static void beat(struct deadline *deadline) {
	struct websocket_uplink *uplink = CONTAINER_OF(deadline, struct websocket_uplink, pulse);
	struct fault why;
	if (!uplink->was_heard && uplink->was_pinged) {
		fault_set(&why, FAULT_TIMEOUT, "the gateway has gone silent");
		end(uplink, 0, 0, &why);
		return;
	}
	if (!uplink->was_heard) send_frame(uplink, WEBSOCKET_OP_PING, SLICE("?"));
	uplink->was_pinged = !uplink->was_heard;
	uplink->was_heard = false;
	deadline_set(uplink->loop, &uplink->pulse, UPLINK_SILENCE, beat);
}

static const struct uplink_kind websocket_kind = {send_text, close_it};

/* ---- Opening ---- */

static void upgraded(struct websocket_uplink *uplink, struct slice rest) {
	AUTO_FREE char *copy = slice_copy(rest); /* `opened` may close the uplink, and the rest with it */
	struct fault why;
	bool gone = false;
	if (!copy) {
		fault_set(&why, FAULT_NO_MEMORY, "no memory for a connection");
		end(uplink, 0, 0, &why);
		return;
	}
	uplink->is_open = true;
	uplink->gone = &gone;
	deadline_set(uplink->loop, &uplink->pulse, UPLINK_SILENCE, beat);
	uplink->events->opened(uplink->context);
	if (gone) return;
	uplink->gone = NULL;
	take(uplink, slice_make(copy, rest.length));
}

static void arrived(struct stream *stream, struct slice bytes) {
	struct websocket_uplink *uplink = stream_context(stream);
	struct slice rest = SLICE_NONE;
	struct fault why;
	uplink->was_heard = true;
	if (uplink->is_open) {
		take(uplink, bytes);
		return;
	}
	switch (upgrade_take(&uplink->upgrade, bytes, &rest, &why)) {
	case UPGRADE_MORE: break;
	case UPGRADE_DONE: upgraded(uplink, rest); break;
	case UPGRADE_REFUSED: end(uplink, uplink->upgrade.status, 0, &why); break;
	}
}

static void stream_ended(struct stream *stream, const struct fault *why) {
	struct websocket_uplink *uplink = stream_context(stream);
	struct fault own = *why;
	if (!uplink->is_open && upgrade_end(&uplink->upgrade, &own)) {
		end(uplink, uplink->upgrade.status, 0, &own);
		return;
	}
	fault_before(&own, "the connection to the gateway: ");
	end(uplink, 0, 0, &own);
}

static void stream_drained(struct stream *stream) {
	struct websocket_uplink *uplink = stream_context(stream);
	if (uplink->is_open) uplink->events->drained(uplink->context);
}

static const struct stream_events stream_table = {
	.arrived = arrived,
	.drained = stream_drained,
	.ended = stream_ended,
};

static void dialled(void *context, int descriptor, const struct fault *why) {
	struct websocket_uplink *uplink = context;
	struct fault own;
	dial_close(TAKE(uplink->dial));
	if (descriptor >= 0)
		uplink->stream = stream_open(uplink->loop, descriptor, uplink->tls, uplink->host,
			&stream_table, uplink, &own);
	else
		own = *why;
	if (uplink->stream) stream_write(uplink->stream, text_slice(&uplink->upgrade.request));
	else end(uplink, 0, 0, &own);
}

static void too_slow(struct deadline *deadline) {
	struct websocket_uplink *uplink = CONTAINER_OF(deadline, struct websocket_uplink, pulse);
	struct fault why;
	fault_set(&why, FAULT_TIMEOUT, "the gateway does not answer");
	end(uplink, 0, 0, &why);
}

struct uplink *websocket_uplink_open(struct loop *loop,
	const struct websocket_uplink_options *options, const struct uplink_events *events,
	void *context, struct fault *why) {
	const struct gateway_url *url = options->url;
	struct websocket_uplink *uplink = calloc(1, sizeof *uplink);
	if (!uplink) return fault_null(why, FAULT_NO_MEMORY, "no memory for a connection");
	uplink->uplink.kind = &websocket_kind;
	uplink->loop = loop;
	uplink->events = events;
	uplink->context = context;
	uplink->tls = url->is_secure ? options->tls : NULL;
	memcpy(uplink->host, url->host, sizeof uplink->host);
	websocket_init(&uplink->websocket, WEBSOCKET_CLIENT, UPLINK_MESSAGE);
	if (upgrade_init(&uplink->upgrade, url->authority, options->target, options->token, why))
		uplink->dial = dial_open(loop, url->host, url->port, UPLINK_PATIENCE, dialled, uplink, why);
	if (!uplink->dial) {
		close_it(&uplink->uplink, 0);
		return NULL;
	}
	deadline_set(loop, &uplink->pulse, UPLINK_PATIENCE, too_slow);
	return &uplink->uplink;
}
