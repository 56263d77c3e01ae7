/* SPDX-License-Identifier: Apache-2.0 */
/* Door: between a socket and a seat, on the room's loop. */
#include "gateway/door.h"

#include "gateway/exchange.h"
#include "room/seat.h"
#include "wire/websocket.h"

#include <stdio.h>
#include <stdlib.h>

#define FINISH_MS 5000 /* for a peer to answer our close */

struct door { /* small: there are many */
	struct outlet outlet;
	struct stream *stream; /* its deadline is that of a silent peer */
	struct seat *seat;
	struct gateway *gateway;
	struct live_entry *live;
	struct door_wish *wish; /* until it is open: what came behind the head */
	struct websocket websocket;
	bool was_heard;
	bool was_pinged;
};

_Static_assert(sizeof(struct door) <= 72, "memory of an idle connection");

static const struct stream_events stream_table;
static const struct outlet_events outlet_table;

static void free_wish(struct door_wish *wish) {
	if (!wish) return;
	task_clear(&wish->early);
	principal_drop(wish->principal);
	free(wish->topic);
	free(wish->rest);
	free(wish);
}

/* Everything but the stream. */
static void free_door(struct door *door) {
	websocket_finish(&door->websocket);
	if (door->live) live_drop(door->gateway, door->live);
	free_wish(door->wish);
	free(door);
}

/* As the island has them: for who sits. */
static const struct rooms_settings *settings_of(const struct door *door) {
	return &seat_room(door->seat)->rooms->settings;
}

static void write_close(struct door *door, unsigned code, struct slice reason) {
	AUTO_TEXT struct text frame = {0};
	text_init(&frame, 0);
	websocket_write_close(&frame, WEBSOCKET_SERVER, code, reason);
	if (!text_failed(&frame)) stream_write(door->stream, text_slice(&frame));
}

/* Our last words, and the end; the seat is gone already. */
static void say_goodbye(struct door *door, unsigned code, struct slice reason) {
	struct stream *stream = door->stream;
	write_close(door, code, reason);
	free_door(door);
	stream_finish(stream, FINISH_MS);
}

static size_t outlet_send(struct outlet *outlet, struct frame *frame, size_t offset, size_t length) {
	struct door *door = CONTAINER_OF(outlet, struct door, outlet);
	stream_send(door->stream, frame, offset, length);
	return stream_behind(door->stream);
}

static void outlet_closed(struct outlet *outlet, unsigned code, const char *reason) {
	struct door *door = CONTAINER_OF(outlet, struct door, outlet);
	door->seat = NULL;
	say_goodbye(door, code, slice_of(reason));
}

/* A silent peer is pinged once, and after as long again given up. */
static void stream_late(struct stream *stream) {
	struct door *door = stream_context(stream);
	if (!door->was_heard && door->was_pinged) {
		seat_leave(door->seat);
		say_goodbye(door, WEBSOCKET_GOING_AWAY, SLICE("silent for too long: no pong came"));
		return;
	}
	if (door->was_heard)
		door->was_pinged = false;
	else {
		stream_write(stream, SLICE("\x89\x00"));
		door->was_pinged = true;
	}
	door->was_heard = false;
	stream_deadline(stream, (uint64_t)settings_of(door)->ping_ms);
}

/* False: its reader takes nothing, and the door is gone. */
static bool answer_ping(struct door *door, struct slice payload) {
	if (stream_behind(door->stream) > settings_of(door)->max_message) {
		seat_leave(door->seat);
		say_goodbye(door, WEBSOCKET_AGAIN_LATER, SLICE("too many pongs wait: read them"));
		return false;
	}
	AUTO_TEXT struct text frame = {0};
	text_init(&frame, 0);
	websocket_write(&frame, WEBSOCKET_SERVER, WEBSOCKET_OP_PONG, payload);
	if (!text_failed(&frame)) stream_write(door->stream, text_slice(&frame));
	return true;
}

/* The peer broke the framing, or a limit of it: the words first, then the code. */
static void give_up(struct door *door, const struct websocket_message *message) {
	bool lives = true;
	if (message->code == WEBSOCKET_TOO_LARGE)
		lives = seat_refuse(door->seat, "size", "too_large",
			"the message is larger than gateway.max_message allows");
	else if (message->code == WEBSOCKET_NOT_TEXT)
		lives = seat_refuse(door->seat, "shape", "bad_json", "the message is not UTF-8");
	if (!lives) return;
	seat_leave(door->seat);
	say_goodbye(door, message->code, message->payload);
}

static void end_politely(struct door *door, const struct websocket_message *message) {
	bool has_code = message->code != WEBSOCKET_NO_CODE;
	seat_leave(door->seat);
	say_goodbye(door, has_code ? message->code : WEBSOCKET_NORMAL, SLICE_NONE);
}

/* Every whole message in the bytes. The door may be gone after this. */
static void take(struct door *door, struct slice bytes) {
	struct websocket_message message;
	door->was_heard = true;
	for (;;) {
		switch (websocket_next(&door->websocket, &bytes, &message)) {
		case WEBSOCKET_MORE: return;
		case WEBSOCKET_TEXT:
			if (!seat_receive(door->seat, message.payload)) return;
			break;
		case WEBSOCKET_BINARY:
			if (!seat_refuse(door->seat, "shape", "binary_frame",
				    "envelopes are text: send them in text frames"))
				return;
			break;
		case WEBSOCKET_PING:
			if (!answer_ping(door, message.payload)) return;
			break;
		case WEBSOCKET_PONG: break;
		case WEBSOCKET_CLOSE: end_politely(door, &message); return;
		case WEBSOCKET_FAILED: give_up(door, &message); return;
		}
	}
}

static void stream_arrived(struct stream *stream, struct slice bytes) {
	take(stream_context(stream), bytes);
}

static void stream_ended(struct stream *stream, const struct fault *why) {
	struct door *door = stream_context(stream);
	(void)why;
	if (door->seat)
		seat_leave(door->seat);
	else
		joining_cancel(&door->wish->joining);
	free_door(door);
	stream_close(stream);
}

/* What it said too early comes first; then the socket is read. */
static void read_early(struct task *task) {
	struct door_wish *wish = CONTAINER_OF(task, struct door_wish, early);
	struct door *door = CONTAINER_OF(wish->outlet, struct door, outlet);
	door->wish = NULL;
	stream_resume(door->stream);
	if (wish->rest_length) take(door, slice_make(wish->rest, wish->rest_length));
	free_wish(wish);
}

/* Welcomed: from now on it may speak. */
static void outlet_joined(struct outlet *outlet) {
	struct door *door = CONTAINER_OF(outlet, struct door, outlet);
	door->wish->outlet = outlet;
	loop_later(stream_loop(door->stream), &door->wish->early, read_early);
	stream_deadline(door->stream, (uint64_t)settings_of(door)->ping_ms);
}

static void refuse(struct door *door, const struct fault *why) {
	struct stream *stream = door->stream;
	AUTO_TEXT struct text body = {0}, answer = {0};
	unsigned status = exchange_fault_status(why->code);
	text_init(&body, 0);
	text_init(&answer, 0);
	exchange_write_error(&body, exchange_fault_word(why->code), slice_of(why->text));
	text_printf(&answer,
		"HTTP/1.1 %u %s\r\nContent-Type: application/json\r\nContent-Length: %zu\r\n"
		"Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n",
		status, http1_reason(status), body.length);
	text_add(&answer, text_slice(&body));
	if (!text_failed(&answer)) stream_write(stream, text_slice(&answer));
	free_door(door);
	stream_finish(stream, FINISH_MS);
}

static void seated(struct joining *joining, struct seat *seat, const struct fault *why) {
	struct door_wish *wish = CONTAINER_OF(joining, struct door_wish, joining);
	struct door *door = CONTAINER_OF(joining->outlet, struct door, outlet);
	if (!seat) {
		refuse(door, why);
		return;
	}
	char answer[256]; /* needs no memory: the seat is taken, there is no way back */
	int length = snprintf(answer, sizeof answer,
		"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
		"Sec-WebSocket-Accept: %s\r\n%s\r\n",
		wish->accept, wish->answers_mcpx ? "Sec-WebSocket-Protocol: mcpx\r\n" : "");
	stream_write(door->stream, slice_make(answer, (size_t)length));
	door->seat = seat;
}

static void open_here(struct letter *letter) {
	struct door_wish *wish = CONTAINER_OF(letter, struct door_wish, letter);
	struct loop *loop = wish->island->loop;
	struct door *door = calloc(1, sizeof *door);
	struct fault why;
	struct stream *stream = door ? stream_adopt(loop, &wish->socket, &stream_table, door, &why) : NULL;
	if (!stream) {
		if (!door) stream_socket_drop(&wish->socket);
		if (wish->live) live_drop(wish->gateway, wish->live);
		free(door);
		free_wish(wish);
		return;
	}
	stream_pause(stream);
	door->outlet.events = &outlet_table;
	door->stream = stream;
	door->gateway = wish->gateway;
	door->live = TAKE(wish->live);
	door->wish = wish;
	websocket_init(&door->websocket, WEBSOCKET_SERVER,
		wish->island->rooms->settings.max_message);
	wish->joining.seated = seated;
	wish->joining.principal = wish->principal;
	wish->joining.outlet = &door->outlet;
	joining_start(&wish->joining, wish->island->rooms, slice_of(wish->topic));
}

void door_open(struct door_wish *wish) {
	if (wish->island->loop == wish->gateway->loop) {
		open_here(&wish->letter);
		return;
	}
	if (mailbox_post(wish->island->loop, &wish->letter, open_here)) return;
	stream_socket_drop(&wish->socket);
	if (wish->live) live_drop(wish->gateway, wish->live);
	free_wish(wish);
}

static const struct stream_events stream_table = {
	.arrived = stream_arrived,
	.ended = stream_ended,
	.late = stream_late,
};
static const struct outlet_events outlet_table = {
	.send = outlet_send,
	.closed = outlet_closed,
	.joined = outlet_joined,
};
