/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ws_echo: a WebSocket echo server on 127.0.0.1 for public test suites, made of the gateway's own
 * net and wire code and of nothing else, so that what holds for it holds for the gateway.
 *
 * ws_echo PORT [--max-message N]    port 0: any; prints "ready ws://127.0.0.1:PORT"
 */
#include "base/list.h"
#include "net/acceptor.h"
#include "net/stream.h"
#include "wire/http1.h"
#include "wire/websocket.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#define MAX_MESSAGE (64u << 20)
#define HEAD_PATIENCE 30000  /* ms until the opening handshake is through */
#define CLOSE_PATIENCE 30000 /* ms until the last words are taken */
#define BATCH (64u << 10)    /* octets of answers that are sent in one */
#define BEHIND (1u << 20)    /* octets that may wait before reading stops */

struct server {
	struct loop *loop;
	size_t max_message;
	struct link peers;
	struct text out; /* answers of the peer at hand */
};

/* A connection: owned by its server's list, ends in peer_close(). */
struct peer {
	struct link link;
	struct server *server;
	struct stream *stream;
	struct websocket websocket;
	struct text head; /* the opening request as far as it has come */
	bool is_open;     /* the handshake is through */
};

static void peer_close(struct peer *peer) {
	list_remove(&peer->link);
	websocket_finish(&peer->websocket);
	text_finish(&peer->head);
	free(peer);
}

/* ---- Answers ---- */

static void flush(struct peer *peer) {
	struct text *out = &peer->server->out;
	if (out->length > 0) stream_write(peer->stream, text_slice(out));
	text_clear(out);
	if (out->capacity > BEHIND) text_finish(out);
	if (stream_behind(peer->stream) > BEHIND) stream_pause(peer->stream);
}

/* The last words are in `out`: they go, then the connection. */
static void finish(struct peer *peer) {
	flush(peer);
	stream_finish(peer->stream, CLOSE_PATIENCE);
	peer_close(peer);
}

/* True: the conversation is over. */
static bool answer(struct peer *peer, const struct websocket_message *message) {
	struct text *out = &peer->server->out;
	switch (message->event) {
	case WEBSOCKET_TEXT:
		websocket_write(out, WEBSOCKET_SERVER, WEBSOCKET_OP_TEXT, message->payload);
		break;
	case WEBSOCKET_BINARY:
		websocket_write(out, WEBSOCKET_SERVER, WEBSOCKET_OP_BINARY, message->payload);
		break;
	case WEBSOCKET_PING:
		websocket_write(out, WEBSOCKET_SERVER, WEBSOCKET_OP_PONG, message->payload);
		break;
	case WEBSOCKET_CLOSE: /* RFC 6455 5.5.1: the code comes back */
		websocket_write_close(out, WEBSOCKET_SERVER, message->code, SLICE_NONE);
		return true;
	case WEBSOCKET_FAILED:
		websocket_write_close(out, WEBSOCKET_SERVER, message->code, message->payload);
		return true;
	case WEBSOCKET_PONG:
	case WEBSOCKET_MORE: break;
	}
	if (text_failed(out)) {
		text_clear(out);
		websocket_write_close(out, WEBSOCKET_SERVER, WEBSOCKET_INTERNAL, SLICE("no memory"));
		return true;
	}
	if (out->length >= BATCH) flush(peer);
	return false;
}

/* Answers all that lies in `bytes`; the peer may be gone afterwards. */
static void echo(struct peer *peer, struct slice bytes) {
	struct websocket_message message;
	bool is_over = false;
	while (!is_over && websocket_next(&peer->websocket, &bytes, &message) != WEBSOCKET_MORE)
		is_over = answer(peer, &message);
	if (is_over) finish(peer);
	else flush(peer);
}

/* ---- The opening handshake (RFC 6455 4.2) ---- */

static void refuse(struct peer *peer, unsigned status, const char *what) {
	struct text *out = &peer->server->out;
	const char *wanted = status == 426 ? "Connection: close, Upgrade\r\nUpgrade: websocket\r\n"
					     "Sec-WebSocket-Version: 13\r\n"
					   : "Connection: close\r\n";
	text_printf(out, "HTTP/1.1 %u %s\r\n%sContent-Length: %zu\r\nContent-Type: text/plain\r\n\r\n"
			 "%s\n",
		status, http1_reason(status), wanted, strlen(what) + 1, what);
	finish(peer);
}

static bool has_one(const struct http1_head *head, const char *name) {
	return http1_field_count(head, name) == 1;
}

/* False: it was refused, and the peer is gone. */
static bool shake_hands(struct peer *peer, const struct http1_head *head) {
	char accept[29];
	bool is_version_13 = has_one(head, "Sec-WebSocket-Version") &&
		slice_is(http1_field(head, "Sec-WebSocket-Version"), "13");
	if (!head->upgrades || !is_version_13) {
		refuse(peer, 426, "this is a WebSocket server of version 13");
		return false;
	}
	if (!has_one(head, "Sec-WebSocket-Key") ||
		!websocket_accept(http1_field(head, "Sec-WebSocket-Key"), accept)) {
		refuse(peer, 400, "Sec-WebSocket-Key is not 16 octets in base64");
		return false;
	}
	text_printf(&peer->server->out, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"
					"Connection: Upgrade\r\nSec-WebSocket-Accept: %s\r\n\r\n",
		accept);
	return true;
}

static void open_websocket(struct peer *peer, struct slice bytes) {
	struct http1_head head;
	struct http1_fault fault = {0, NULL};
	size_t used = 0;
	text_add(&peer->head, bytes);
	if (text_failed(&peer->head)) {
		refuse(peer, 431, "the head is too large");
		return;
	}
	enum http1_result result = http1_request(text_slice(&peer->head), &head, &used, &fault);
	if (result == HTTP1_BAD) refuse(peer, fault.status, fault.what);
	if (result != HTTP1_READY || !shake_hands(peer, &head)) return;

	AUTO_TEXT struct text request = peer->head; /* the rest may end the peer */
	text_init(&peer->head, 0);
	peer->is_open = true;
	stream_deadline(peer->stream, 0);
	websocket_init(&peer->websocket, WEBSOCKET_SERVER, peer->server->max_message);
	echo(peer, slice_make(request.bytes + used, request.length - used));
}

/* ---- Connections ---- */

static void peer_arrived(struct stream *stream, struct slice bytes) {
	struct peer *peer = stream_context(stream);
	if (peer->is_open) echo(peer, bytes);
	else open_websocket(peer, bytes);
}

static void peer_drained(struct stream *stream) {
	stream_resume(stream);
}

static void peer_ended(struct stream *stream, const struct fault *why) {
	(void)why;
	struct peer *peer = stream_context(stream);
	stream_close(stream);
	peer_close(peer);
}

static const struct stream_events peer_events = {
	.arrived = peer_arrived,
	.drained = peer_drained,
	.ended = peer_ended,
};

static void accepted(void *context, int descriptor, const char *address) {
	(void)address;
	struct server *server = context;
	struct fault why;
	AUTO_CLOSE int held = descriptor;
	struct peer *peer = calloc(1, sizeof *peer);
	if (!peer) return;

	held = -1;
	peer->server = server;
	text_init(&peer->head, HTTP1_HEAD + LOOP_BUFFER);
	list_append(&server->peers, &peer->link);
	peer->stream = stream_open(server->loop, descriptor, NULL, NULL, &peer_events, peer, &why);
	if (!peer->stream) {
		fprintf(stderr, "ws_echo: %s\n", why.text);
		peer_close(peer);
		return;
	}
	stream_deadline(peer->stream, HEAD_PATIENCE);
}

/* ---- The program ---- */

static void stop(void *context, int number) {
	(void)number;
	loop_stop(context);
}

static bool serve(struct server *server, unsigned port, struct fault *why) {
	if (!loop_signal(server->loop, SIGTERM, stop, server->loop, why)) return false;
	if (!loop_signal(server->loop, SIGINT, stop, server->loop, why)) return false;
	struct acceptor *acceptor =
		acceptor_open(server->loop, "127.0.0.1", port, accepted, server, why);
	if (!acceptor) return false;

	printf("ready ws://127.0.0.1:%u\n", acceptor_port(acceptor));
	fflush(stdout);
	loop_run(server->loop);
	acceptor_close(acceptor);
	LIST_EACH_SAFE(link, &server->peers) {
		struct peer *peer = CONTAINER_OF(link, struct peer, link);
		stream_close(peer->stream);
		peer_close(peer);
	}
	return true;
}

static bool read_arguments(int argc, char **argv, uint64_t *port, uint64_t *max_message) {
	if (argc != 2 && argc != 4) return false;
	if (!slice_number(slice_of(argv[1]), UINT16_MAX, port)) return false;
	if (argc == 2) return true;
	return strcmp(argv[2], "--max-message") == 0 &&
		slice_number(slice_of(argv[3]), UINT32_MAX, max_message);
}

int main(int argc, char **argv) {
	struct server server;
	struct fault why;
	uint64_t port, max_message = MAX_MESSAGE;
	if (!read_arguments(argc, argv, &port, &max_message)) {
		fprintf(stderr, "usage: ws_echo PORT [--max-message N]\n");
		return 2;
	}
	server = (struct server){.max_message = (size_t)max_message, .loop = loop_open(&why)};
	list_init(&server.peers);
	text_init(&server.out, 0);
	bool is_served = server.loop && serve(&server, (unsigned)port, &why);
	if (!is_served) fprintf(stderr, "ws_echo: %s\n", why.text);
	loop_close(server.loop);
	text_finish(&server.out);
	return is_served ? 0 : 1;
}
