/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Web wire: one connection of a client to the HTTP that the library serves: one request after the
 * other, each answered once, whole or in pieces.
 *
 * Bounded: heads by wire/http1.h, bodies by WEB_BODY, a request by WEB_REQUEST_MS from its first octet,
 * an idle connection by WEB_IDLE_MS, what a client does not take by WEB_BEHIND (it is cut off). A wire
 * frees itself: when its client goes, or its answer was the last one. Owned by the list it stands in;
 * web_wire_close() ends it at once. One thread.
 */
#ifndef HUSTINGS_CLIENT_WEB_WIRE_H
#define HUSTINGS_CLIENT_WEB_WIRE_H

#include "net/stream.h"
#include "wire/http1.h"

#define WEB_BODY ((size_t)16 << 20)
#define WEB_BEHIND ((size_t)8 << 20)
#define WEB_REQUEST_MS 60000
#define WEB_IDLE_MS 120000

struct web_wire;

struct web_wire_events {
	/* A whole request; head and body are borrowed until the return. It is answered now or later. */
	void (*asked)(void *context, struct web_wire *wire, const struct http1_head *head,
		struct slice body);
	/* The client went before it had its answer, or all of its pieces; the wire is no more. */
	void (*gone)(void *context, struct web_wire *wire);
};

/* Takes the descriptor. */
void web_wire_open(struct loop *loop, int descriptor, struct link *list,
	const struct web_wire_events *events, void *context);
void web_wire_close(struct web_wire *wire); /* nothing is told any more */
struct web_wire *web_wire_of(struct link *link);

/* headers: further lines, each with its CRLF; type NULL: no body. */
void web_wire_answer(struct web_wire *wire, unsigned status, struct slice headers, const char *type,
	struct slice body);
/* The head of server-sent events; pieces follow, and the end. */
void web_wire_stream(struct web_wire *wire, struct slice headers);
void web_wire_piece(struct web_wire *wire, struct slice piece);
void web_wire_end(struct web_wire *wire);

void web_wire_set(struct web_wire *wire, void *user); /* a pointer of whoever answers */
void *web_wire_user(const struct web_wire *wire);

#endif
