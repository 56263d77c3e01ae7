/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mcp_stream: the answer to one POST (or GET) of MCP over HTTP: one JSON text, or server-sent events
 * as soon as something has to be said before the answer (MCP transports).
 *
 * One stream serves one request, or all requests of a batch; each is a user of it and gives one
 * answer. The stream is open until its last user has finished, or until the client went: then every
 * user hears `gone` once, and what is said afterwards goes nowhere. Loop 0. A stream frees itself.
 */
#ifndef HUSTINGS_GATEWAY_MCP_STREAM_H
#define HUSTINGS_GATEWAY_MCP_STREAM_H

#include "gateway/exchange.h"

#define MCP_STREAM_BEHIND (1024 * 1024) /* octets not taken: what may be left out is left out */
#define MCP_STREAM_SLOW (256 * 1024)    /* octets not taken: who can wait should */

struct mcp_stream;

/* Lies in the user's struct; zeroed: it uses none. */
struct mcp_stream_user {
	struct link link;
	struct mcp_stream *stream; /* NULL: none, or gone */
	void (*gone)(struct mcp_stream_user *user);
	/* The client has taken all that was said so far; may be NULL. Must not end anything. */
	void (*drained)(struct mcp_stream_user *user);
	bool only_listens;
};

/* Whether Accept allows an answer; 406 is answered where it allows none. NULL: answered already. */
struct mcp_stream *mcp_stream_open(struct exchange *exchange, bool is_batch) MUST_USE;
/* `users` are counted before they answer: the stream ends with the last. */
void mcp_stream_join(struct mcp_stream *stream, struct mcp_stream_user *user,
	void (*gone)(struct mcp_stream_user *user));
/* A further line of the answer's head ("Name: value"), as long as nothing was said. */
void mcp_stream_header(struct mcp_stream_user *user, const char *line);
/* From now on: events, whose head leaves at once. False: the client takes none, or is gone. */
bool mcp_stream_events(struct mcp_stream_user *user);
/* Nobody waits for its answer: a stream of such users alone ends with the gateway at once. */
void mcp_stream_only_listens(struct mcp_stream_user *user);
/* An event of that name, which is no message of MCP. */
void mcp_stream_event(struct mcp_stream_user *user, const char *name, struct slice data);
/* A comment, so that whoever stands between sees that the stream is alive. */
void mcp_stream_beat(struct mcp_stream_user *user);
size_t mcp_stream_behind(const struct mcp_stream_user *user); /* octets not taken */
size_t mcp_stream_users(const struct mcp_stream_user *user);  /* of the same stream, itself too */
/* A message that is no answer. False: it was not said (no events are taken, gone, or too far
 * behind and `may_drop`). */
bool mcp_stream_say(struct mcp_stream_user *user, struct slice message, bool may_drop);
/* The same of one that may be left out, whose event has that number as its id; 0: none. */
bool mcp_stream_say_numbered(struct mcp_stream_user *user, struct slice message, uint64_t number);
/* The same of a message in pieces. */
bool mcp_stream_say_in_pieces(struct mcp_stream_user *user, const struct exchange_body *message, bool may_drop);
/* The user's answer, or SLICE_NONE for none; then it uses the stream no more. `status` counts only
 * for a single JSON answer. */
void mcp_stream_finish(struct mcp_stream_user *user, unsigned status, struct slice message);
/* The same with a message in pieces. */
void mcp_stream_finish_in_pieces(struct mcp_stream_user *user, unsigned status,
	const struct exchange_body *message);
/* Gives the stream on to another user, who joins it before anything else is done with it. */
struct mcp_stream *mcp_stream_leave(struct mcp_stream_user *user);
bool mcp_stream_is_used(const struct mcp_stream_user *user);

#endif
