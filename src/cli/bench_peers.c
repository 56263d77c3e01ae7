/* SPDX-License-Identifier: Apache-2.0 */
/* Bench peers: sockets, handshakes, frames. */
#include "cli/bench_peers.h"

#include "base/clock.h"
#include "base/ident.h"
#include "base/secret.h"
#include "wire/http1.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#define EVENTS 512
#define MAX_MESSAGE (64 * 1024 * 1024)
#define SILENCE_MS 30000 /* without any progress while joining: something is wrong */

bool bench_peers_fail(struct bench_peers *peers, enum fault_code code, const char *format, ...) {
	va_list arguments;
	if (peers->failed) return false;
	peers->failed = true;
	peers->why.code = code;
	va_start(arguments, format);
	vsnprintf(peers->why.text, sizeof peers->why.text, format, arguments);
	va_end(arguments);
	return false;
}

/* Opening */

bool bench_peers_open(struct bench_peers *peers, const char *url, const char *token, size_t count,
	struct fault *why) {
	uint8_t octets[4];
	*peers = (struct bench_peers){.epoll = -1, .token = token};
	if (!bench_target_read(&peers->target, url, "/v0/ws", why)) return false;
	ident_random(octets, sizeof octets);
	secret_hex(octets, sizeof octets, peers->run);
	text_init(&peers->frame, 0);
	bench_target_raise_descriptors();
	peers->list = calloc(count, sizeof *peers->list);
	peers->buffer = malloc(BENCH_BUFFER);
	peers->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (!peers->list || !peers->buffer) return fault_set(why, FAULT_NO_MEMORY, "no memory for %zu peers", count);
	if (peers->epoll < 0) return fault_errno(why, errno, "epoll");
	peers->count = count;
	for (size_t i = 0; i < count; i++)
		peers->list[i] = (struct bench_peer){.descriptor = -1, .number = (unsigned)i};
	return true;
}

void bench_peer_leave(struct bench_peers *peers, struct bench_peer *peer) {
	if (peer->state == BENCH_ABSENT) return;
	if (peer->state == BENCH_HERE) peers->here--;
	close(peer->descriptor);
	websocket_finish(&peer->websocket);
	text_finish(&peer->head);
	text_finish(&peer->outbox);
	peer->descriptor = -1;
	peer->is_upgraded = false;
	peer->state = BENCH_ABSENT;
}

void bench_peers_close(struct bench_peers *peers) {
	for (size_t i = 0; i < peers->count; i++) bench_peer_leave(peers, &peers->list[i]);
	if (peers->epoll >= 0) close(peers->epoll);
	text_finish(&peers->frame);
	free(peers->list);
	free(peers->buffer);
}

/* Joining */

static bool write_request(const struct bench_peers *peers, const struct bench_peer *peer,
	struct text *request) {
	char key[25];
	if (!websocket_new_key(key)) return false;
	char authority[300];
	bench_target_authority(&peers->target, authority, sizeof authority);
	const char *path = peers->target.path;
	text_printf(request, "GET %s%ctopic=bench:%s:%u", path, strchr(path, '?') ? '&' : '?',
		peers->run, peer->room);
	if (!peers->token) text_printf(request, "&id=bench-%s-%u", peers->run, peer->number);
	text_printf(request, "&protocol=mcpx/v0.1 HTTP/1.1\r\nHost: %s\r\nUpgrade: websocket\r\n"
			     "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: %s\r\n",
		authority, key);
	if (peers->token) text_printf(request, "Authorization: Bearer %s\r\n", peers->token);
	text_add_cstr(request, "\r\n");
	return !text_failed(request);
}

bool bench_peer_join(struct bench_peers *peers, unsigned number, unsigned room) {
	struct bench_peer *peer = &peers->list[number];
	struct epoll_event event = {.events = EPOLLIN, .data.ptr = peer};
	AUTO_TEXT struct text request = {0};
	struct fault why;
	text_init(&request, 0);
	peer->room = room;
	peer->began_us = clock_monotonic_us();
	peer->descriptor = bench_target_connect(&peers->target, &why);
	if (peer->descriptor < 0) return bench_peers_fail(peers, why.code, "peer %u: %s", number, why.text);
	peer->state = BENCH_SHAKING;
	peer->joined++;
	websocket_init(&peer->websocket, WEBSOCKET_CLIENT, MAX_MESSAGE);
	text_init(&peer->head, BENCH_BUFFER);
	text_init(&peer->outbox, 0);
	if (!write_request(peers, peer, &request) ||
		send(peer->descriptor, request.bytes, request.length, MSG_NOSIGNAL) != (ssize_t)request.length)
		return bench_peers_fail(peers, FAULT_IO, "peer %u cannot send its handshake", number);
	epoll_ctl(peers->epoll, EPOLL_CTL_ADD, peer->descriptor, &event);
	return true;
}

bool bench_peers_join_all(struct bench_peers *peers, unsigned rooms, unsigned at_a_time,
	struct fault *why) {
	size_t begun = 0, size = peers->count / rooms;
	uint64_t progress = clock_monotonic_ms();
	while (peers->here < peers->count && !peers->failed) {
		size_t before = peers->here;
		while (begun < peers->count && begun - peers->here < at_a_time && !peers->failed) {
			if (bench_peer_join(peers, (unsigned)begun, (unsigned)(begun / size))) begun++;
		}
		if (!bench_peers_step(peers, 1000)) break;
		if (peers->here > before) progress = clock_monotonic_ms();
		if (clock_monotonic_ms() - progress > SILENCE_MS)
			bench_peers_fail(peers, FAULT_TIMEOUT, "%zu of %zu were welcomed, then nothing came for 30 s",
				peers->here, peers->count);
	}
	if (peers->failed && why) *why = peers->why;
	return !peers->failed;
}

/* Sending */

static void watch(const struct bench_peers *peers, struct bench_peer *peer) {
	struct epoll_event event = {.events = EPOLLIN | (peer->outbox.length ? EPOLLOUT : 0),
		.data.ptr = peer};
	epoll_ctl(peers->epoll, EPOLL_CTL_MOD, peer->descriptor, &event);
}

/* How much of it went. */
static size_t send_some(struct bench_peers *peers, const struct bench_peer *peer, struct slice bytes) {
	ssize_t went = send(peer->descriptor, bytes.bytes, bytes.length, MSG_NOSIGNAL);
	if (went >= 0) return (size_t)went;
	if (errno != EAGAIN && errno != EINTR)
		bench_peers_fail(peers, FAULT_CLOSED, "peer %u cannot send: %s", peer->number, strerror(errno));
	return 0;
}

void bench_peer_send(struct bench_peers *peers, struct bench_peer *peer, struct slice text) {
	text_clear(&peers->frame);
	websocket_write(&peers->frame, WEBSOCKET_CLIENT, WEBSOCKET_OP_TEXT, text);
	struct slice frame = text_slice(&peers->frame);
	size_t went = peer->outbox.length ? 0 : send_some(peers, peer, frame);
	if (went == frame.length) return;
	text_add(&peer->outbox, slice_make(frame.bytes + went, frame.length - went));
	if (text_failed(&peer->outbox)) bench_peers_fail(peers, FAULT_NO_MEMORY, "no memory");
	watch(peers, peer);
}

static void flush_outbox(struct bench_peers *peers, struct bench_peer *peer) {
	size_t went = send_some(peers, peer, text_slice(&peer->outbox));
	peer->outbox.length -= went;
	memmove(peer->outbox.bytes, peer->outbox.bytes + went, peer->outbox.length);
	if (peer->outbox.length == 0) watch(peers, peer);
}

/* Reading */

static bool has(struct slice text, const char *part) {
	return memmem(text.bytes, text.length, part, strlen(part)) != NULL;
}

static void take_text(struct bench_peers *peers, struct bench_peer *peer, struct slice text,
	uint64_t now_us) {
	struct slice start = slice_make(text.bytes, text.length < 400 ? text.length : 400);
	if (has(start, "\"event\":\"error\"")) {
		bench_peers_fail(peers, FAULT_REFUSED, "refused (start the gateway with --set rooms.pace=off): %.*s",
			(int)(text.length < 150 ? text.length : 150), text.bytes);
		return;
	}
	bool is_welcome = peer->state == BENCH_SHAKING && has(start, "welcome");
	if (is_welcome) {
		peer->state = BENCH_HERE;
		peers->here++;
	}
	if (is_welcome || has(start, "\"bench-id-")) peers->text(peers->context, peer, text, now_us);
}

static void take_frames(struct bench_peers *peers, struct bench_peer *peer, struct slice bytes,
	uint64_t now_us) {
	struct websocket_message message;
	unsigned joined = peer->joined;
	while (!peers->failed && peer->state != BENCH_ABSENT && peer->joined == joined) {
		switch (websocket_next(&peer->websocket, &bytes, &message)) {
		case WEBSOCKET_MORE: return;
		case WEBSOCKET_TEXT: take_text(peers, peer, message.payload, now_us); break;
		case WEBSOCKET_PING: {
			AUTO_TEXT struct text pong = {0};
			text_init(&pong, 0);
			websocket_write(&pong, WEBSOCKET_CLIENT, WEBSOCKET_OP_PONG, message.payload);
			send_some(peers, peer, text_slice(&pong));
			break;
		}
		case WEBSOCKET_PONG: break;
		default:
			bench_peers_fail(peers, FAULT_CLOSED, "peer %u was closed with %u: %.*s", peer->number, message.code,
				SLICE_ARGS(message.payload));
		}
	}
}

static void take_head(struct bench_peers *peers, struct bench_peer *peer, struct slice bytes,
	uint64_t now_us) {
	struct http1_head head;
	struct http1_fault fault;
	size_t used;
	text_add(&peer->head, bytes);
	if (http1_response(text_slice(&peer->head), &head, &used, &fault) == HTTP1_MORE) return;
	if (text_failed(&peer->head) || !slice_starts_with(text_slice(&peer->head), "HTTP/1.1 101")) {
		struct slice shown = text_slice(&peer->head);
		const char *body = shown.length ? memmem(shown.bytes, shown.length, "\r\n\r\n", 4) : NULL;
		bench_peers_fail(peers, FAULT_REFUSED, "peer %u was not let in: %.*s %.120s", peer->number,
			(int)(shown.length < 30 ? shown.length : 30), shown.bytes, body ? body + 4 : "");
		return;
	}
	/* The rest is moved to the buffer's front: frames may be unmasked in place there. */
	size_t rest = peer->head.length - used;
	memmove(peers->buffer, peer->head.bytes + used, rest);
	text_finish(&peer->head);
	peer->is_upgraded = true;
	take_frames(peers, peer, slice_make(peers->buffer, rest), now_us);
}

static void read_peer(struct bench_peers *peers, struct bench_peer *peer) {
	ssize_t got = recv(peer->descriptor, peers->buffer, BENCH_BUFFER, 0);
	uint64_t now_us = clock_monotonic_us();
	if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
	if (got <= 0) {
		bench_peers_fail(peers, FAULT_CLOSED, "peer %u lost its connection%s%s", peer->number,
			got < 0 ? ": " : "", got < 0 ? strerror(errno) : "");
		return;
	}
	struct slice bytes = slice_make(peers->buffer, (size_t)got);
	if (!peer->is_upgraded) take_head(peers, peer, bytes, now_us);
	else take_frames(peers, peer, bytes, now_us);
}

bool bench_peers_step(struct bench_peers *peers, int wait_ms) {
	struct epoll_event events[EVENTS];
	int count = epoll_wait(peers->epoll, events, EVENTS, wait_ms);
	if (count < 0 && errno != EINTR)
		return bench_peers_fail(peers, FAULT_IO, "epoll: %s", strerror(errno));
	for (int i = 0; i < count && !peers->failed; i++) {
		struct bench_peer *peer = events[i].data.ptr;
		if (peer->state == BENCH_ABSENT) continue;
		if (events[i].events & EPOLLOUT) flush_outbox(peers, peer);
		if (events[i].events & ~(uint32_t)EPOLLOUT) read_peer(peers, peer);
	}
	return !peers->failed;
}
