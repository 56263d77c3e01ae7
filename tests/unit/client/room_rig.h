/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Room rig: a gateway of a few lines in the test's own loop: one room in which everybody hears
 * everything, with a welcome, presence and echoes, and switches to make it behave badly.
 */
#ifndef HUSTINGS_TESTS_ROOM_RIG_H
#define HUSTINGS_TESTS_ROOM_RIG_H

#include "check.h"
#include "net/net_rig.h"

#include "base/list.h"
#include "net/acceptor.h"
#include "net/stream.h"
#include "wire/http1.h"
#include "wire/jsonrpc.h"
#include "wire/websocket.h"

#include <stdio.h>
#include <stdlib.h>

struct room_rig {
	struct loop *loop;
	struct acceptor *acceptor;
	struct tls *tls; /* NULL: plain */
	struct link seats;
	char url[64];
	unsigned connections; /* ever */
	unsigned messages;    /* envelopes that came from clients */
	unsigned handshakes;  /* of them: initialize */
	unsigned cancels;     /* of them: notifications/cancelled */
	unsigned refuses;     /* answers so many upgrades with `status` */
	unsigned status;
	unsigned swallows; /* so many envelopes are neither stored nor echoed */
	bool is_quiet;     /* sends no presence */
	const char *privilege;
	const char *history; /* JSON array for the welcome; NULL: none */
	char target[2048];   /* of the last upgrade */
	char authorization[256];
	char last[8192]; /* envelope that came last */
};

struct rig_seat {
	struct link link;
	struct room_rig *rig;
	struct stream *stream;
	struct websocket websocket;
	struct text head;
	char id[64];
	bool is_open;
};

static inline void rig_seat_close(struct rig_seat *seat) {
	list_remove(&seat->link);
	stream_close(seat->stream);
	websocket_finish(&seat->websocket);
	text_finish(&seat->head);
	free(seat);
}

static inline void rig_tell(struct rig_seat *seat, struct slice text) {
	AUTO_TEXT struct text frame;
	text_init(&frame, 0);
	websocket_write(&frame, WEBSOCKET_SERVER, WEBSOCKET_OP_TEXT, text);
	assert_true(stream_write(seat->stream, text_slice(&frame)));
}

/* To everyone but one (NULL: to all). */
static inline void rig_tell_all(struct room_rig *rig, const char *text, const struct rig_seat *but) {
	LIST_EACH(link, &rig->seats) {
		struct rig_seat *seat = CONTAINER_OF(link, struct rig_seat, link);
		if (seat->is_open && seat != but) rig_tell(seat, slice_of(text));
	}
}

static inline void rig_presence(struct room_rig *rig, const char *event, const char *id,
	const struct rig_seat *but) {
	char text[512];
	snprintf(text, sizeof text, "{\"protocol\":\"mcpx/v0.1\",\"id\":\"p-%u-%s\",\"ts\":"
				    "\"2026-01-01T00:00:00Z\",\"from\":\"system:gateway\",\"kind\":\"presence\",\"payload\":"
				    "{\"event\":\"%s\",\"participant\":{\"id\":\"%s\",\"mcp\":{\"version\":\"2025-06-18\"}}}}",
		rig->connections, event, event, id);
	if (!rig->is_quiet) rig_tell_all(rig, text, but);
}

/* Somebody's connection is cut, or closed with a code. */
static inline struct rig_seat *rig_find(struct room_rig *rig, const char *id) {
	LIST_EACH(link, &rig->seats) {
		struct rig_seat *seat = CONTAINER_OF(link, struct rig_seat, link);
		if (seat->is_open && strcmp(seat->id, id) == 0) return seat;
	}
	return NULL;
}

static inline void rig_cut(struct room_rig *rig, const char *id) {
	struct rig_seat *seat = rig_find(rig, id);
	assert_non_null(seat);
	rig_seat_close(seat);
}

static inline void rig_dismiss(struct room_rig *rig, const char *id, unsigned code) {
	AUTO_TEXT struct text frame;
	struct rig_seat *seat = rig_find(rig, id);
	assert_non_null(seat);
	text_init(&frame, 0);
	websocket_write_close(&frame, WEBSOCKET_SERVER, code, SLICE("rig"));
	assert_true(stream_write(seat->stream, text_slice(&frame)));
}

static inline void rig_welcome(struct rig_seat *seat) {
	struct room_rig *rig = seat->rig;
	AUTO_TEXT struct text text;
	text_init(&text, 0);
	text_printf(&text, "{\"protocol\":\"mcpx/v0.1\",\"id\":\"w-%u\",\"ts\":\"2026-01-01T00:00:00Z\","
			   "\"from\":\"system:gateway\",\"kind\":\"system\",\"payload\":{\"event\":\"welcome\","
			   "\"participant\":{\"id\":\"%s\",\"privilege\":\"%s\"},\"participants\":[",
		rig->connections,
		seat->id, rig->privilege ? rig->privilege : "full");
	bool is_first = true;
	LIST_EACH(link, &rig->seats) {
		struct rig_seat *other = CONTAINER_OF(link, struct rig_seat, link);
		if (!other->is_open || other == seat) continue;
		text_printf(&text, "%s{\"id\":\"%s\",\"mcp\":{\"version\":\"2025-06-18\"}}",
			is_first ? "" : ",", other->id);
		is_first = false;
	}
	text_printf(&text, "],\"history\":{\"enabled\":true,\"limit\":100%s%s},\"protocol\":\"mcpx/v0.1\"}}",
		rig->history ? ",\"envelopes\":" : "", rig->history ? rig->history : "");
	rig_tell(seat, text_slice(&text));
}

/* False: the upgrade was refused, or is not whole. */
static inline bool rig_open_seat(struct rig_seat *seat, struct slice bytes) {
	struct room_rig *rig = seat->rig;
	struct http1_head head;
	struct http1_fault fault;
	size_t used;
	char accept[29], answer[512];
	AUTO_TEXT struct text id;
	text_init(&id, 0);
	text_add(&seat->head, bytes);
	enum http1_result result = http1_request(text_slice(&seat->head), &head, &used, &fault);
	assert_int_not_equal(result, HTTP1_BAD);
	if (result == HTTP1_MORE) return false;
	snprintf(rig->target, sizeof rig->target, "%.*s", SLICE_ARGS(head.target));
	snprintf(rig->authorization, sizeof rig->authorization, "%.*s",
		SLICE_ARGS(http1_field(&head, "Authorization")));
	if (rig->refuses > 0) {
		rig->refuses--;
		snprintf(answer, sizeof answer, "HTTP/1.1 %u No\r\nContent-Length: 44\r\n\r\n"
						"{\"event\":\"error\",\"message\":\"the rig says no\"}",
			rig->status);
		stream_write(seat->stream, slice_of(answer));
		return false;
	}
	assert_true(head.upgrades);
	assert_true(websocket_accept(http1_field(&head, "Sec-WebSocket-Key"), accept));
	if (http1_query(head.query, "id", &id)) snprintf(seat->id, sizeof seat->id, "%s", id.bytes);
	else snprintf(seat->id, sizeof seat->id, "someone");
	snprintf(answer, sizeof answer, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"
					"Connection: Upgrade\r\nSec-WebSocket-Accept: %s\r\n\r\n",
		accept);
	stream_write(seat->stream, slice_of(answer));
	seat->is_open = true;
	rig->connections++;
	websocket_init(&seat->websocket, WEBSOCKET_SERVER, 1 << 20);
	rig_welcome(seat);
	rig_presence(rig, "join", seat->id, seat);
	return true;
}

static inline void rig_message(struct rig_seat *seat, struct slice text) {
	struct room_rig *rig = seat->rig;
	rig->messages++;
	rig->handshakes += memmem(text.bytes, text.length, "\"initialize\"", 12) != NULL;
	rig->cancels += memmem(text.bytes, text.length, "/cancelled\"", 11) != NULL;
	assert_true(text.length < sizeof rig->last);
	memcpy(rig->last, text.bytes, text.length);
	rig->last[text.length] = 0;
	if (rig->swallows > 0) {
		rig->swallows--;
		return;
	}
	rig_tell_all(rig, rig->last, NULL);
}

static inline void rig_leave(struct rig_seat *seat) {
	struct room_rig *rig = seat->rig;
	char id[64];
	bool was_open = seat->is_open;
	memcpy(id, seat->id, sizeof id);
	rig_seat_close(seat);
	if (was_open) rig_presence(rig, "leave", id, NULL);
}

static inline void rig_arrived(struct stream *stream, struct slice bytes) {
	struct rig_seat *seat = stream_context(stream);
	struct websocket_message message;
	if (!seat->is_open) {
		(void)rig_open_seat(seat, bytes);
		return;
	}
	while (websocket_next(&seat->websocket, &bytes, &message) != WEBSOCKET_MORE) {
		if (message.event == WEBSOCKET_TEXT) rig_message(seat, message.payload);
		assert_int_not_equal(message.event, WEBSOCKET_FAILED);
		if (message.event != WEBSOCKET_CLOSE) continue;
		rig_leave(seat);
		return;
	}
}

static inline void rig_ended(struct stream *stream, const struct fault *why) {
	(void)why;
	rig_leave(stream_context(stream));
}

static const struct stream_events rig_stream_table = {.arrived = rig_arrived, .ended = rig_ended};

static inline void rig_accepted(void *context, int descriptor, const char *address) {
	struct room_rig *rig = context;
	struct rig_seat *seat = calloc(1, sizeof *seat);
	struct fault why;
	(void)address;
	assert_non_null(seat);
	seat->rig = rig;
	text_init(&seat->head, 0);
	list_append(&rig->seats, &seat->link);
	seat->stream = stream_open(rig->loop, descriptor, rig->tls, NULL, &rig_stream_table, seat, &why);
	assert_non_null(seat->stream);
}

static inline void room_rig_open(struct room_rig *rig, struct loop *loop) {
	struct fault why;
	*rig = (struct room_rig){.loop = loop};
	list_init(&rig->seats);
	rig->acceptor = acceptor_open(loop, "127.0.0.1", 0, rig_accepted, rig, &why);
	assert_non_null(rig->acceptor);
	snprintf(rig->url, sizeof rig->url, "ws://127.0.0.1:%u", acceptor_port(rig->acceptor));
}

static inline void room_rig_close(struct room_rig *rig) {
	acceptor_close(rig->acceptor);
	LIST_EACH_SAFE(link, &rig->seats)
		rig_seat_close(CONTAINER_OF(link, struct rig_seat, link));
}

#endif
