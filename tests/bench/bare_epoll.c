/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bare epoll: the rival that the gateway's fan-out is measured against. It does what nobody can
 * leave out and nothing else: the upgrade, framing, the full check of every envelope (the same
 * reader as the gateway's; --no-check leaves it out), and delivery to all of the room, the sender
 * included. All frames of a turn lie in one chunk per room and each participant gets one send of it.
 * No gates, no presence, no history, no names that must be unique, no libuv.
 *
 * Listens on 127.0.0.1, a port of the kernel's choice, and prints "ready PORT".
 */
#include "base/clock.h"
#include "base/list.h"
#include "base/map.h"
#include "wire/envelope.h"
#include "wire/frame.h"
#include "wire/http1.h"
#include "wire/websocket.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#define EVENTS 1024
#define BUFFER (128 * 1024)
#define MAX_MESSAGE (1024 * 1024)
#define MAX_BEHIND (8 * 1024 * 1024)
#define NAME 160

struct bare;

struct room {
	struct link dirty;
	struct link peers;
	struct frame *log; /* of this turn; NULL: nothing new */
	char topic[NAME];
};

/* What a send left over; the oldest first. */
struct rest {
	struct rest *next;
	struct frame *frame;
	uint32_t offset;
	uint32_t length;
};

struct peer {
	struct link in_room;
	struct link dead;
	struct room *room; /* NULL: not upgraded yet */
	struct websocket websocket;
	struct text head; /* a request that did not come whole */
	struct rest *rests;
	size_t behind;
	int descriptor;
	char *name_json;
};

struct bare {
	struct map rooms;
	struct link dirty;
	struct link dead;
	struct frame_pool pool;
	struct arena arena;
	int epoll;
	int listener;
	bool checks;
	char now[CLOCK_TEXT_SIZE]; /* written at most once a turn */
	char buffer[BUFFER];
	char arena_block[16 * 1024];
};

/* Sending */

static void peer_die(struct bare *bare, struct peer *peer) {
	if (!list_is_empty(&peer->dead)) return;
	list_remove(&peer->in_room);
	list_append(&bare->dead, &peer->dead);
}

static void peer_free(struct peer *peer) {
	for (struct rest *rest; (rest = peer->rests);) {
		peer->rests = rest->next;
		frame_drop(rest->frame);
		free(rest);
	}
	close(peer->descriptor);
	websocket_finish(&peer->websocket);
	text_finish(&peer->head);
	free(peer->name_json);
	free(peer);
}

static void peer_watch(struct bare *bare, struct peer *peer) {
	struct epoll_event event = {.events = EPOLLIN | (peer->rests ? EPOLLOUT : 0), .data.ptr = peer};
	epoll_ctl(bare->epoll, EPOLL_CTL_MOD, peer->descriptor, &event);
}

static void peer_keep(struct bare *bare, struct peer *peer, struct frame *frame, size_t offset,
	size_t length) {
	struct rest **end = &peer->rests;
	while (*end) end = &(*end)->next;
	struct rest *rest = malloc(sizeof(*rest));
	if (!rest || peer->behind + length > MAX_BEHIND) {
		free(rest);
		peer_die(bare, peer);
		return;
	}
	*rest = (struct rest){NULL, frame_keep(frame), (uint32_t)offset, (uint32_t)length};
	*end = rest;
	peer->behind += length;
	if (peer->rests == rest) peer_watch(bare, peer);
}

/* Octets that went, 0 when none can now; the peer dies of anything else. */
static size_t peer_send_some(struct bare *bare, struct peer *peer, const char *bytes, size_t length) {
	ssize_t went = send(peer->descriptor, bytes, length, MSG_NOSIGNAL);
	if (went >= 0) return (size_t)went;
	if (errno != EAGAIN && errno != EINTR) peer_die(bare, peer);
	return 0;
}

static void peer_send(struct bare *bare, struct peer *peer, struct frame *frame, size_t length) {
	if (!list_is_empty(&peer->dead)) return;
	size_t went = peer->rests ? 0 : peer_send_some(bare, peer, frame->bytes, length);
	if (went < length && list_is_empty(&peer->dead))
		peer_keep(bare, peer, frame, went, length - went);
}

static void peer_send_text(struct bare *bare, struct peer *peer, struct slice bytes) {
	AUTO(frame) frame = frame_copy(bytes.bytes, bytes.length);
	if (frame) peer_send(bare, peer, frame, frame->used);
	else peer_die(bare, peer);
}

static void peer_flush(struct bare *bare, struct peer *peer) {
	for (struct rest *rest; (rest = peer->rests);) {
		size_t went = peer_send_some(bare, peer, rest->frame->bytes + rest->offset, rest->length);
		rest->offset += (uint32_t)went;
		rest->length -= (uint32_t)went;
		peer->behind -= went;
		if (rest->length > 0) return;
		peer->rests = rest->next;
		frame_drop(rest->frame);
		free(rest);
	}
	peer_watch(bare, peer);
}

static void room_flush(struct bare *bare, struct room *room) {
	struct frame *log = TAKE(room->log);
	LIST_EACH_SAFE(link, &room->peers)
		peer_send(bare, CONTAINER_OF(link, struct peer, in_room), log, log->used);
	frame_drop(log);
	list_remove(&room->dirty);
}

/* Envelopes */

static char *room_grow(struct bare *bare, struct room *room, size_t length) {
	if (room->log && frame_room(room->log) < length) room_flush(bare, room);
	if (!room->log) {
		room->log = frame_open(&bare->pool, length);
		if (!room->log) return NULL;
		list_append(&bare->dirty, &room->dirty);
	}
	char *at = room->log->bytes + room->log->used;
	room->log->used += (uint32_t)length;
	return at;
}

static void envelope_deliver(struct bare *bare, struct peer *peer, const struct envelope_form *form) {
	char *at = room_grow(bare, peer->room, websocket_head_size(form->length) + form->length);
	if (!at) {
		peer_die(bare, peer);
		return;
	}
	at += websocket_head(at, WEBSOCKET_OP_TEXT, form->length);
	for (size_t i = 0; i < form->count; i++) {
		memcpy(at, form->pieces[i].bytes, form->pieces[i].length);
		at += form->pieces[i].length;
	}
}

static void peer_text(struct bare *bare, struct peer *peer, struct slice text) {
	struct envelope envelope;
	struct envelope_refusal refusal;
	struct envelope_form form = {.pieces = {text}, .count = 1, .length = text.length};
	if (bare->checks) {
		arena_reset(&bare->arena);
		if (!envelope_read(&envelope, text, &bare->arena, &refusal)) {
			peer_die(bare, peer);
			return;
		}
		if (!bare->now[0]) clock_write(clock_wall_ms(), bare->now);
		envelope_write(&envelope, envelope.dialect, slice_of(peer->name_json),
			slice_of(bare->now), &form);
	}
	envelope_deliver(bare, peer, &form);
}

static void peer_frames(struct bare *bare, struct peer *peer, struct slice bytes) {
	struct websocket_message message;
	while (list_is_empty(&peer->dead) &&
		websocket_next(&peer->websocket, &bytes, &message) != WEBSOCKET_MORE) {
		AUTO_TEXT struct text answer = {0};
		text_init(&answer, 0);
		switch (message.event) {
		case WEBSOCKET_TEXT: peer_text(bare, peer, message.payload); break;
		case WEBSOCKET_PING:
			websocket_write(&answer, WEBSOCKET_SERVER, WEBSOCKET_OP_PONG, message.payload);
			peer_send_text(bare, peer, text_slice(&answer));
			break;
		case WEBSOCKET_PONG: break;
		default:
			websocket_write_close(&answer, WEBSOCKET_SERVER, WEBSOCKET_NORMAL, SLICE_NONE);
			peer_send_text(bare, peer, text_slice(&answer));
			peer_die(bare, peer);
		}
	}
}

/* Joining */

static struct room *room_find(struct bare *bare, struct slice topic) {
	struct room *room = map_find(&bare->rooms, topic);
	if (room || topic.length == 0 || topic.length >= NAME) return room;
	room = calloc(1, sizeof(*room));
	if (!room) return NULL;
	memcpy(room->topic, topic.bytes, topic.length);
	list_init(&room->dirty);
	list_init(&room->peers);
	if (map_add(&bare->rooms, slice_of(room->topic), room, NULL)) return room;
	free(room);
	return NULL;
}

static bool peer_greet(struct bare *bare, struct peer *peer, const char *accept) {
	AUTO_TEXT struct text payload = {0}, welcome = {0}, answer = {0};
	text_init(&payload, 0);
	text_init(&welcome, 0);
	text_init(&answer, 0);
	text_printf(&payload, "{\"event\":\"welcome\",\"participant\":{\"id\":%s,\"privilege\":\"full\"},"
			      "\"participants\":[],\"history\":{\"enabled\":false,\"limit\":0},\"protocol\":\"mcpx/v0.1\"}",
		peer->name_json);
	envelope_compose(&welcome, ENVELOPE_V01, ENVELOPE_SYSTEM, SLICE_NONE, SLICE_NONE,
		text_slice(&payload));
	text_printf(&answer, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"
			     "Connection: Upgrade\r\nSec-WebSocket-Accept: %s\r\n\r\n",
		accept);
	websocket_write(&answer, WEBSOCKET_SERVER, WEBSOCKET_OP_TEXT, text_slice(&welcome));
	if (text_failed(&payload) || text_failed(&welcome) || text_failed(&answer)) return false;
	peer_send_text(bare, peer, text_slice(&answer));
	return true;
}

static bool peer_join(struct bare *bare, struct peer *peer, const struct http1_head *head) {
	AUTO_TEXT struct text topic = {0}, name = {0}, name_json = {0};
	char accept[29];
	text_init(&topic, NAME);
	text_init(&name, NAME);
	text_init(&name_json, 0);
	if (!head->upgrades || !slice_is(head->path, "/v0/ws") ||
		!http1_query(head->query, "topic", &topic) || !http1_query(head->query, "id", &name) ||
		!websocket_accept(http1_field(head, "Sec-WebSocket-Key"), accept))
		return false;
	text_json(&name_json, text_slice(&name));
	if (text_failed(&topic) || text_failed(&name)) return false;
	peer->name_json = text_take(&name_json);
	struct room *room = room_find(bare, text_slice(&topic));
	if (!room || !peer->name_json || !peer_greet(bare, peer, accept)) return false;
	peer->room = room;
	list_append(&room->peers, &peer->in_room);
	return true;
}

static void peer_request(struct bare *bare, struct peer *peer, struct slice bytes) {
	struct http1_head head;
	struct http1_fault fault;
	size_t used;
	text_add(&peer->head, bytes);
	enum http1_result result = http1_request(text_slice(&peer->head), &head, &used, &fault);
	if (result == HTTP1_MORE && !text_failed(&peer->head)) return;
	if (result != HTTP1_READY || !peer_join(bare, peer, &head)) {
		peer_die(bare, peer);
		return;
	}
	struct slice rest = slice_make(peer->head.bytes + used, peer->head.length - used);
	peer_frames(bare, peer, rest);
	text_finish(&peer->head);
}

/* The turn */

static void peer_read(struct bare *bare, struct peer *peer) {
	ssize_t got = recv(peer->descriptor, bare->buffer, BUFFER, 0);
	if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
	if (got <= 0) {
		peer_die(bare, peer);
		return;
	}
	struct slice bytes = slice_make(bare->buffer, (size_t)got);
	if (peer->room) peer_frames(bare, peer, bytes);
	else peer_request(bare, peer, bytes);
}

static void accept_all(struct bare *bare) {
	const int flags = SOCK_NONBLOCK | SOCK_CLOEXEC;
	for (int descriptor; (descriptor = accept4(bare->listener, NULL, NULL, flags)) >= 0;) {
		int yes = 1;
		setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes));
		struct peer *peer = calloc(1, sizeof(*peer));
		struct epoll_event event = {.events = EPOLLIN, .data.ptr = peer};
		if (!peer || epoll_ctl(bare->epoll, EPOLL_CTL_ADD, descriptor, &event) < 0) {
			free(peer);
			close(descriptor);
			continue;
		}
		peer->descriptor = descriptor;
		list_init(&peer->in_room);
		list_init(&peer->dead);
		text_init(&peer->head, HTTP1_HEAD);
		websocket_init(&peer->websocket, WEBSOCKET_SERVER, MAX_MESSAGE);
	}
}

static void bare_turn(struct bare *bare) {
	struct epoll_event events[EVENTS];
	int count = epoll_wait(bare->epoll, events, EVENTS, -1);
	bare->now[0] = '\0';
	for (int i = 0; i < count; i++) {
		struct peer *peer = events[i].data.ptr;
		if (!peer) {
			accept_all(bare);
			continue;
		}
		if ((events[i].events & EPOLLOUT) && list_is_empty(&peer->dead)) peer_flush(bare, peer);
		if ((events[i].events & ~EPOLLOUT) && list_is_empty(&peer->dead)) peer_read(bare, peer);
	}
	while (!list_is_empty(&bare->dirty))
		room_flush(bare, CONTAINER_OF(bare->dirty.next, struct room, dirty));
	for (struct link *link; (link = list_pop(&bare->dead));)
		peer_free(CONTAINER_OF(link, struct peer, dead));
}

static unsigned bare_listen(struct bare *bare) {
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t size = sizeof(address);
	struct epoll_event event = {.events = EPOLLIN};
	bare->epoll = epoll_create1(EPOLL_CLOEXEC);
	bare->listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (bind(bare->listener, (struct sockaddr *)&address, size) < 0 ||
		listen(bare->listener, 4096) < 0 ||
		getsockname(bare->listener, (struct sockaddr *)&address, &size) < 0 ||
		epoll_ctl(bare->epoll, EPOLL_CTL_ADD, bare->listener, &event) < 0)
		return 0;
	return ntohs(address.sin_port);
}

int main(int argc, char **argv) {
	bool no_check = argc == 2 && strcmp(argv[1], "--no-check") == 0;
	if (argc > 1 && !no_check) {
		fprintf(stderr, "usage: bare_epoll [--no-check]\n");
		return 2;
	}
	struct bare *bare = calloc(1, sizeof(*bare));
	if (!bare) return 1;
	bare->checks = !no_check;
	map_init(&bare->rooms);
	list_init(&bare->dirty);
	list_init(&bare->dead);
	frame_pool_init(&bare->pool, 32);
	arena_init(&bare->arena, bare->arena_block, sizeof(bare->arena_block), 0);
	unsigned port = bare_listen(bare);
	if (!port) {
		perror("bare_epoll: cannot listen");
		return 1;
	}
	printf("ready %u\n", port);
	fflush(stdout);
	for (;;) bare_turn(bare);
}
