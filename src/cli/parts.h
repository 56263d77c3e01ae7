/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parts: the whole house, built from a configuration: loops and their threads, store, state,
 * identity, tickets, the islands' rooms (each opened on its own thread), connections, live, listener.
 *
 * Loop 0 is the caller's thread: parts_run() is there. Owned: parts_close() after parts_run().
 */
#ifndef HUSTINGS_CLI_PARTS_H
#define HUSTINGS_CLI_PARTS_H

#include "cli/config.h"

struct parts;

struct parts_options {
	const struct config *config; /* borrowed until parts_change() brings another, or parts_close() */
	const char *data;            /* the data folder; borrowed until parts_close() */
	bool is_open;                /* MCPx v0.1 6.1 */
	bool may_be_exposed;         /* open mode on an address that is no loopback */
	struct log *log;
};

struct parts *parts_open(const struct parts_options *options, struct fault *why) MUST_USE;
void parts_close(struct parts *parts); /* NULL is fine */
AUTO_RELEASE(parts, parts_close)

/* Accepts connections from now on; the URL at which it does. */
bool parts_listen(struct parts *parts, struct fault *why) MUST_USE;
const char *parts_url(const struct parts *parts); /* "http://127.0.0.1:7410" */
/* A one-use ticket with which the local user signs in to the console as administrator (wipe it after use). */
bool parts_sign_in_ticket(struct parts *parts, const char *data, char ticket[TICKET_TEXT], struct fault *why) MUST_USE;
void parts_run(struct parts *parts); /* until drained, or parts_drain() twice */

/* On loop 0's thread, as signals are: */
struct loop *parts_loop(struct parts *parts);
struct state *parts_state(struct parts *parts);
/* Nobody comes in, everybody is sent away with 1001, then parts_run() returns. */
void parts_drain(struct parts *parts);
bool parts_is_draining(const struct parts *parts);
/* Another configuration for all that may change while it runs; nothing has changed when this fails. */
bool parts_change(struct parts *parts, const struct config *config, struct fault *why) MUST_USE;

#endif
