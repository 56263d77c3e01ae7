/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Flow book: the guided sessions that are open (MCP Flow, session management): whose they are, until when, stored
 * sealed before anybody hears of a step, and there again after a restart. What is over may be read for as long as
 * its session would have lived, while there is room; what has expired is known as that for a while (flow_tombs.h).
 *
 * A session belongs to its principal and to the MCP session that it began in; after a restart to the principal
 * alone (docs/protocol.md). For everybody else it does not exist. One that is not stored is one of stateless mode
 * whose tool runs, or has run. Bounded: FLOW_SESSIONS and FLOW_OPEN_OCTETS open ones, so many of one principal as
 * its options say; FLOW_OVER and FLOW_OVER_OCTETS of those that are over. Loop 0. Owned: flow_book_open(),
 * flow_book_close().
 */
#ifndef HUSTINGS_KERNEL_FLOW_BOOK_H
#define HUSTINGS_KERNEL_FLOW_BOOK_H

#include "base/log.h"
#include "flow/flow_session.h"
#include "kernel/flow_tombs.h"
#include "net/loop.h"
#include "room/pace.h"
#include "store/state.h"

#define FLOW_SESSIONS 100000                 /* open ones, in all */
#define FLOW_OPEN_OCTETS ((size_t)512 << 20) /* beyond, none begins */
#define FLOW_OVER 4096                       /* those that are over, in all; the oldest leaves */
#define FLOW_OVER_OCTETS ((size_t)64 << 20)  /* the same */

struct flow_book;
struct flow_entry;
struct flow_owner; /* flow_book.c's own: a principal that has sessions */

struct flow_book_events {
	/* Four fifths of its time are over. */
	void (*warns)(void *context, struct flow_entry *entry);
	/* It leaves the book, for whatever reason but its close: a call of it is to be given up. */
	void (*leaves)(void *context, struct flow_entry *entry);
};

struct flow_entry { /* a session in the book; `driver` is the owner's, who frees what it stands for */
	struct link link;
	struct flow_book *book;
	struct flow_session *session; /* another one when a step was taken back */
	struct flow_owner *owner;
	size_t octets;     /* that it counts for */
	size_t more;       /* of them its driver's */
	bool is_over;      /* and counts as that */
	bool is_stored;    /* else it is gone with the gateway */
	bool was_restored; /* its MCP session is of an earlier run, and counts for nothing */
	struct deadline due;
	struct pace pace; /* of what is asked of it; begins anew with the gateway */
	char *token;      /* by which its client knows it; NULL: by its id */
	void *driver;
};

struct flow_book_options {
	struct loop *loop;
	struct state *state;
	struct log *log;
	const uint8_t *key; /* SEAL_KEY octets (base/seal.h); copied */
	const struct flow_book_events *events;
	void *context;
	uint64_t most_of_one; /* open sessions of a principal */
};

/* Sessions that worked when the gateway ended are in error: a tool does not run twice. What cannot be opened is
 * left out, and logged. */
struct flow_book *flow_book_open(const struct flow_book_options *options, struct fault *why) MUST_USE;
/* Sessions stay in the store; drivers must be gone. NULL is fine. */
void flow_book_close(struct flow_book *book);
void flow_book_limit(struct flow_book *book, uint64_t most_of_one); /* for those that begin from now on */

/* Takes the session, and stores it if it is to be. NULL: *refusal (too many, or it cannot be stored); the session
 * is freed. */
struct flow_entry *flow_book_add(struct flow_book *book, struct flow_session *session, bool is_stored,
	struct flow_refusal *refusal) MUST_USE;
/* NULL: -32001, or what ended it for one of this principal's that has expired. `session`: the MCP session. */
struct flow_entry *flow_book_find(struct flow_book *book, struct slice id, struct slice principal,
	struct slice session, struct flow_refusal *refusal);
/* After each step, before it is answered: what is over is stored no more. False: it could not be stored, and the
 * session is again as it was when it was saved last; or in error, where that cannot be read. */
bool flow_book_save(struct flow_entry *entry, struct flow_refusal *refusal) MUST_USE;
/* The same of a step that has happened already, and cannot be taken back: what cannot be stored is logged. */
void flow_book_settle(struct flow_entry *entry);
/* The same of one that its server leads, of which the store knows no more than that it began. */
void flow_book_touch(struct flow_entry *entry);
/* It goes, whatever it is. `code` (FLOW_SESSION_EXPIRED, FLOW_TIMEOUT): it is known as that for a while; 0: not. */
void flow_book_remove(struct flow_entry *entry, int code);

size_t flow_book_count(const struct flow_book *book);  /* that are not over */
size_t flow_book_octets(const struct flow_book *book); /* of all, as they were saved last */
/* Those that are not over; NULL begins, NULL ends. */
struct flow_entry *flow_book_next(const struct flow_book *book, const struct flow_entry *after);
/* Those that are over, in the same way. */
struct flow_entry *flow_book_next_over(const struct flow_book *book, const struct flow_entry *after);

#endif
