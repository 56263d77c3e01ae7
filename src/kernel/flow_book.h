/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Flow book: the guided sessions that are open (MCP Flow, session management): whose they are, until when, stored
 * sealed before anybody hears of a step, and there again after a restart. What is over may be read for as long as
 * its session would have lived; what has expired is known as that for FLOW_TOMB_MS, without any of its data.
 *
 * A session belongs to its principal and to the MCP session that it began in; after a restart to the principal
 * alone (docs/protocol.md). For everybody else it does not exist. Loop 0. Owned: flow_book_open(),
 * flow_book_close().
 */
#ifndef HUSTINGS_KERNEL_FLOW_BOOK_H
#define HUSTINGS_KERNEL_FLOW_BOOK_H

#include "base/log.h"
#include "base/map.h"
#include "flow/flow_session.h"
#include "net/loop.h"
#include "store/state.h"

#define FLOW_SESSIONS 100000 /* in all */
#define FLOW_TOMB_MS 3600000
#define FLOW_TOMBS 65536 /* the oldest gives way */

struct flow_book;
struct flow_entry;

struct flow_book_events {
	/* Four fifths of its time are over. */
	void (*warns)(void *context, struct flow_entry *entry);
	/* Its time is over: it is in error already, and goes when this returns; a call of it is to be given up. */
	void (*expires)(void *context, struct flow_entry *entry);
};

struct flow_entry { /* a session in the book; `driver` is the owner's, who frees what it stands for */
	struct link link;
	struct flow_book *book;
	struct flow_session *session;
	bool was_restored; /* its MCP session is of an earlier run, and counts for nothing */
	struct deadline due;
	void *driver;
};

struct flow_book_options {
	struct loop *loop;
	struct state *state;
	struct log *log;
	const uint8_t *key; /* SEAL_KEY octets (base/seal.h); copied */
	const struct flow_book_events *events;
	void *context;
	unsigned most_of_one; /* open sessions of a principal */
};

/* Sessions that worked when the gateway ended are in error: a tool does not run twice. What cannot be opened is
 * left out, and logged. */
struct flow_book *flow_book_open(const struct flow_book_options *options, struct fault *why) MUST_USE;
/* Sessions stay in the store; drivers must be gone. NULL is fine. */
void flow_book_close(struct flow_book *book);
void flow_book_limit(struct flow_book *book, unsigned most_of_one); /* for those that begin from now on */

/* Takes the session. NULL: *refusal (too many, or it cannot be stored); the session is freed. */
struct flow_entry *flow_book_add(struct flow_book *book, struct flow_session *session, int64_t now,
	struct flow_refusal *refusal) MUST_USE;
/* NULL: -32001, or -32002 for one of this principal's that has expired. `session`: the MCP session. */
struct flow_entry *flow_book_find(struct flow_book *book, struct slice id, struct slice principal,
	struct slice session, struct flow_refusal *refusal);
/* After each step: as it is now, before it is answered. False: it could not be stored; the caller takes the step
 * back or ends the session. What is over is stored no more. */
bool flow_book_save(struct flow_entry *entry, struct flow_refusal *refusal) MUST_USE;
/* It goes, whatever it is; is_expired: it is known as that for a while. */
void flow_book_remove(struct flow_entry *entry, bool is_expired);

struct flow_entry *flow_book_next(const struct flow_book *book, const struct flow_entry *after);
size_t flow_book_count(const struct flow_book *book); /* that are not over */
size_t flow_book_octets(const struct flow_book *book);

#endif
