/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decision: one question to a human, and what became of it: the record that proposals,
 * authorizations (ADR-001), permissions (MGP 3), callbacks (MGP 13.4), quarantines, registrations
 * and calls have in common.
 *
 * Owned by the inbox (decide/inbox.h) and changed by it alone; everybody else reads. All slices lie
 * in the decision's own memory and live as long as it does. Loop 0. The only faults are those of
 * memory and of a wish that is out of bounds.
 */
#ifndef HUSTINGS_DECIDE_DECISION_H
#define HUSTINGS_DECIDE_DECISION_H

#include "base/fault.h"
#include "base/list.h"
#include "base/secret.h"
#include "decide/decision_wish.h"

#define DECISION_ID 11 /* "d-7f3k2m9q" and NUL */

enum decision_state {
	DECISION_PENDING,
	DECISION_APPROVED,
	DECISION_DENIED,
	DECISION_EXPIRED,   /* nobody answered in time, or an approval's time is over */
	DECISION_WITHDRAWN, /* by who asked */
	DECISION_REVOKED,   /* an approval that was taken back */
	DECISION_USED,      /* an approval of a call that was made */
	DECISION_STATES
};

struct decision {
	struct link in_book;
	char id[DECISION_ID];
	enum decision_kind kind;
	enum decision_state state;
	uint8_t digest[SECRET_HASH_SIZE]; /* decision_digest.h */
	struct slice requester, server, tool, topic, message, arguments;
	struct slice permissions;     /* LF between them; empty: none */
	struct slice deciders;        /* the same; empty: administrators */
	int64_t created_at;           /* wall ms, as all that follow */
	int64_t expires_at;           /* without an answer until then it is a no */
	int64_t decided_at;           /* 0: nobody has */
	int64_t valid_until;          /* 0: an approval is good for one use */
	int64_t used_at;              /* 0: the approval had no effect yet */
	struct slice decided_by;      /* empty: nobody, or time */
	struct slice reason;          /* the decider's words */
	struct slice answer;          /* JSON: of a callback; {"only":[...]} of a permission; empty: none */
	uint64_t version;             /* changes so far, from 1 */
	char *settled;                /* the memory of the three above; decision.c's own */
	struct decision_asker *asker; /* who waits (decide/inbox.h); NULL: nobody, or not any more */
	size_t octets;                /* of memory */
};

const char *decision_kind_text(enum decision_kind kind);    /* "proposal" */
const char *decision_state_text(enum decision_state state); /* "pending" */
bool decision_kind_read(struct slice text, enum decision_kind *kind) MUST_USE;
bool decision_state_read(struct slice text, enum decision_state *state) MUST_USE;

/* Whether it is a yes: approved, or used. */
bool decision_is_yes(const struct decision *decision);
/* Whether an approval is good for one call alone, unless it has an end (decisions 21). */
bool decision_is_single_use(const struct decision *decision);
/* Whether it can still change: pending, or an approval that may still be used or revoked. */
bool decision_is_open(const struct decision *decision);
/* Of a permission decision: whether that one was approved, be it with all or by `only`. */
bool decision_grants(const struct decision *decision, struct slice permission);
/* Whether it was asked for in a room, and only who has full privilege there decides: of authorizations and proposals. */
bool decision_is_of_room(const struct decision *decision);
/* Whether everybody who has full privilege in that room decides: of those, where nobody is named. */
bool decision_is_open_to(const struct decision *decision, struct slice topic);
/* Whether that name is among the deciders; nobody is when there are none. */
bool decision_names(const struct decision *decision, struct slice who);

/* A pending one without an id. FAULT_BAD_INPUT, FAULT_TOO_LARGE (names the field), FAULT_NO_MEMORY. */
struct decision *decision_make(const struct decision_wish *wish, int64_t now, struct fault *why) MUST_USE;
void decision_free(struct decision *decision); /* NULL is fine */
AUTO_RELEASE(decision, decision_free)

/* What is said of an answer; copied. */
struct decision_words {
	struct slice by;
	struct slice reason;
	struct slice answer;
	int64_t valid_until;
};
/* What it will be in another state, in two steps, so that it is stored in between: `next` shares the
 * memory of `decision`, and is either what the decision becomes or dropped. `words` NULL: nobody said
 * anything, what was said before stays. False: no memory. */
bool decision_change(const struct decision *decision, enum decision_state state,
	const struct decision_words *words, int64_t now, struct decision *next, struct fault *why) MUST_USE;
void decision_become(struct decision *decision, const struct decision *next);
void decision_drop(const struct decision *decision, struct decision *next);

#endif
