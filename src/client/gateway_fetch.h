/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Gateway_fetch: a guest's questions to its gateway over REST (MCPx v0 5.3): history, who is there,
 * proposals and what to do with them. Uses the guest's token. Owned until `done` was called or
 * gateway_fetch_close(); a guest that is closed takes its fetches with it only by their owner.
 */
#ifndef HUSTINGS_CLIENT_GATEWAY_FETCH_H
#define HUSTINGS_CLIENT_GATEWAY_FETCH_H

#include "client/guest.h"
#include "net/fetch.h"

struct gateway_fetch;

/* Exactly once, never before gateway_fetch_open() returned. `body` is JSON text of an object that
 * was checked, borrowed; why otherwise: FAULT_REFUSED with the gateway's words, FAULT_NOT_FOUND (404),
 * or the network's. */
typedef void gateway_fetch_done(void *context, struct slice body, const struct fault *why);

/* `path` stands behind /v0/topics/{topic}, with its query: "/history?limit=10". `body`: JSON text,
 * length 0: a GET. The desk stays until the end. */
struct gateway_fetch *gateway_fetch_open(struct guest *guest, struct fetch_desk *desk,
	struct slice path, struct slice body, gateway_fetch_done *done, void *context,
	struct fault *why) MUST_USE;
void gateway_fetch_close(struct gateway_fetch *fetch); /* `done` is not called; NULL is fine */

/* "/history?limit=N&before=ID"; limit 0: the gateway's default; before empty: the newest. */
void gateway_fetch_write_history(struct text *to, unsigned limit, struct slice before);
/* "/proposals/ID/VERB" */
void gateway_fetch_write_proposal(struct text *to, struct slice id, const char *verb);

#endif
