/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bench peers: many WebSocket participants in one thread, over epoll: as little work as a client
 * can do, so that the server is what is measured.
 *
 * Plain ws:// only. Anything unexpected (a refusal, a close, an error envelope) ends the run with a fault that
 * says it. Owned: bench_peers_close().
 */
#ifndef HUSTINGS_CLI_BENCH_PEERS_H
#define HUSTINGS_CLI_BENCH_PEERS_H

#include "base/fault.h"
#include "base/text.h"
#include "cli/bench_target.h"
#include "wire/websocket.h"

struct bench_peers;

enum bench_state {
	BENCH_ABSENT,
	BENCH_SHAKING,
	BENCH_HERE
};

struct bench_peer {
	enum bench_state state;
	bool is_upgraded;
	int descriptor;
	unsigned number; /* among all */
	unsigned room;
	unsigned joined; /* how often: a callback may have it leave and join anew */
	struct websocket websocket;
	struct text head;   /* the answer to its handshake, while it is partial */
	struct text outbox; /* what the socket did not take */
	uint64_t began_us;  /* its connecting */
};

/* A text message: an envelope that is no presence; `now_us` is when its octets were read. */
typedef void bench_text(void *context, struct bench_peer *peer, struct slice text, uint64_t now_us);

struct bench_peers {
	struct bench_peer *list;
	size_t count;
	size_t here; /* welcomed */
	int epoll;
	const char *token; /* NULL: open mode, ?id= names a peer */
	char run[9];       /* of this run: in topics and ids */
	struct bench_target target;
	bench_text *text;
	void *context;
	bool failed;
	struct fault why;
	struct text frame; /* the one at hand, masked */
	char *buffer;
};

#define BENCH_BUFFER (256 * 1024)

/* url: ws://HOST:PORT[/path] or http://... */
bool bench_peers_open(struct bench_peers *peers, const char *url, const char *token, size_t count,
	struct fault *why) MUST_USE;
void bench_peers_close(struct bench_peers *peers);
/* Peer `number` begins to join a room of this run. */
bool bench_peer_join(struct bench_peers *peers, unsigned number, unsigned room) MUST_USE;
void bench_peer_leave(struct bench_peers *peers, struct bench_peer *peer);
/* Joins all, room after room, so many handshakes at a time. */
bool bench_peers_join_all(struct bench_peers *peers, unsigned rooms, unsigned at_a_time,
	struct fault *why) MUST_USE;
void bench_peer_send(struct bench_peers *peers, struct bench_peer *peer, struct slice text);
/* One round of waiting and reading. False: it failed; peers->why. */
bool bench_peers_step(struct bench_peers *peers, int wait_ms) MUST_USE;
bool bench_peers_fail(struct bench_peers *peers, enum fault_code code, const char *format, ...)
	PRINTF_LIKE(3, 4);

#endif
