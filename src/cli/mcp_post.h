/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mcp_post: one HTTP request of the stdio face to MCP's Streamable HTTP: a POST, the GET of a
 * session's stream, or its DELETE; the answer is one JSON text or server-sent events.
 *
 * Owned: mcp_post_open(), mcp_post_close() - not within `message`. One thread. No deadline: a host
 * has its own.
 */
#ifndef HUSTINGS_CLI_MCP_POST_H
#define HUSTINGS_CLI_MCP_POST_H

#include "cli/mcp_line.h"
#include "net/fetch.h"

#define MCP_POST_MOST ((size_t)256 * 1024 * 1024) /* octets of one message */

struct mcp_post;

struct mcp_post_events {
	/* A JSON text without line ends, perhaps none of JSON-RPC; the slice is the callee's to read. */
	void (*message)(void *context, struct slice json);
	/* Once; not after mcp_post_close(). why NULL: the answer is whole, whatever its status. */
	void (*done)(void *context, const struct fault *why);
};

struct mcp_post_options {
	struct fetch_desk *desk;
	const char *method; /* "POST", "GET", "DELETE" */
	const char *url;
	const char *token;           /* "": none */
	const char *ca;              /* NULL: the system's */
	const char *session;         /* "": none */
	const char *version;         /* "": not settled; a modern line names its own */
	struct slice last_event;     /* length 0: none */
	const struct mcp_line *line; /* NULL: not a modern one */
	struct slice body;
};

struct mcp_post *mcp_post_open(const struct mcp_post_options *options,
	const struct mcp_post_events *events, void *context, struct fault *why) MUST_USE;
void mcp_post_close(struct mcp_post *post); /* NULL is fine */

unsigned mcp_post_status(const struct mcp_post *post);         /* 0: there was no head */
bool mcp_post_is_stream(const struct mcp_post *post);          /* server-sent events */
struct slice mcp_post_session(const struct mcp_post *post);    /* Mcp-Session-Id of the head */
struct slice mcp_post_last_event(const struct mcp_post *post); /* length 0: none had an id */
int64_t mcp_post_retry_ms(const struct mcp_post *post);        /* -1: not said */

#endif
