/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Inbox: every question to a human, in one place (docs/internals/decisions.md).
 *
 * Whoever needs a yes asks; a person answers by command, REST or console; the asker is told once. A
 * decision is stored in DATA/state.db before anybody hears of it or of its change, and is restored
 * after a restart with its deadline: no answer in time is a no. An approval is bound to a digest of
 * what was asked; it is used once, unless it has an end (decisions 21). Nobody answers its own question.
 * When the asker went before the answer, an approval is good for one use until the question's own
 * deadline (decisions 53); it never runs by itself.
 *
 * Owned: inbox_close(). Loop 0 alone. Every change is audited. Decisions that are handed out are the
 * inbox's and are good until the caller opens another or returns to the loop; whoever wants one later
 * asks by its id.
 */
#ifndef HUSTINGS_DECIDE_INBOX_H
#define HUSTINGS_DECIDE_INBOX_H

#include "base/log.h"
#include "decide/inbox_settings.h"
#include "net/loop.h"
#include "store/spool.h"
#include "store/state.h"

struct inbox;

struct inbox_options {
	struct state *state;                   /* borrowed */
	struct loop *loop;                     /* borrowed */
	struct spool *spool;                   /* loop 0's own, for audit records; NULL: none are written */
	struct log *log;                       /* borrowed; may be NULL */
	const struct inbox_settings *settings; /* NULL: the defaults. The struct is copied */
};

/* Restores what is stored. */
struct inbox *inbox_open(const struct inbox_options *options, struct fault *why) MUST_USE;
/* Open decisions stay in the store; askers hear nothing. NULL is fine. */
void inbox_close(struct inbox *inbox);
/* The gateway ends: what askers take back from now on stays open, for the next run. */
void inbox_rest(struct inbox *inbox);
/* After a reload; for decisions that are opened from now on. False: FAULT_BAD_INPUT, the old stay. */
bool inbox_change(struct inbox *inbox, const struct inbox_settings *settings, struct fault *why) MUST_USE;

/* Opens a decision, or joins the pending one of the very same subject that nobody waits for any more
 * (after a restart, or after inbox_leave()). `asker` NULL: nobody waits. NULL: FAULT_FULL (too many
 * open: in all, or of this requester), FAULT_BAD_INPUT, FAULT_TOO_LARGE, FAULT_NO_MEMORY, or what the
 * store says; then nothing is open and the asker waits for nothing. */
const struct decision *inbox_ask(struct inbox *inbox, const struct decision_wish *wish,
	struct decision_asker *asker, struct fault *why) MUST_USE;
/* The asker goes; its question stays. Harmless when it waits for nothing. */
void inbox_leave(struct inbox *inbox, struct decision_asker *asker);
/* The asker takes its question back: withdrawn. Harmless when it waits for nothing. */
void inbox_withdraw(struct inbox *inbox, struct decision_asker *asker);

/* An approval of that very subject (kind, requester, server, tool, digest of arguments and
 * permissions) which still holds: one with an end, or one that nobody has used yet and nobody waits
 * for; the latter is used up by this call. NULL: there is none (then `why` is untouched unless the use
 * could not be stored: then there is none either). */
const struct decision *inbox_approval(struct inbox *inbox, const struct decision_wish *wish);
/* The pending one of that very subject, whoever waits for it; NULL: there is none. */
const struct decision *inbox_pending(struct inbox *inbox, const struct decision_wish *wish);

const struct decision *inbox_find(struct inbox *inbox, struct slice id);
/* In the order of their opening, the settled ones too: NULL begins, NULL ends. Nothing may be asked
 * or answered between two steps. */
const struct decision *inbox_next(struct inbox *inbox, const struct decision *after);
/* Changes with every change of any decision, over restarts too. */
uint64_t inbox_version(const struct inbox *inbox);
size_t inbox_open_count(const struct inbox *inbox); /* pending ones */
size_t inbox_untold(const struct inbox *inbox);     /* messages that wait for the webhook's receiver */

struct inbox_answer {
	struct slice who; /* a principal's id */
	bool is_admin;
	struct slice topic; /* in which it is a participant with full privilege; empty: none that is known */
	bool is_told;       /* the caller audits what is refused */
	bool approves;
	struct slice reason;      /* may be empty */
	int64_t valid_until;      /* wall ms; 0: one use. Of calls, authorizations and permissions alone */
	struct slice answer;      /* JSON of a callback; empty: none */
	const struct slice *only; /* of a permission: these alone; must be among those asked for */
	size_t only_count;
};
/* FAULT_NOT_FOUND; FAULT_EXISTS (answered already); FAULT_REFUSED (its own question, or no decider of
 * it; an administrator may always deny); FAULT_BAD_INPUT. Denying an approval revokes it. */
const struct decision *inbox_answer(struct inbox *inbox, struct slice id,
	const struct inbox_answer *answer, struct fault *why) MUST_USE;
/* Takes an approval back that still holds: FAULT_NOT_FOUND, FAULT_EXISTS (nothing to revoke: pending,
 * denied, used, over), FAULT_REFUSED (neither a decider of it nor an administrator). */
const struct decision *inbox_revoke(struct inbox *inbox, struct slice id,
	const struct inbox_answer *answer, struct fault *why) MUST_USE;
/* Of a kind that nobody waits for by an asker: its approval has its effect now. False: it has had it, or it could not be
 * stored: then it has none. */
bool inbox_use(struct inbox *inbox, struct slice id, struct fault *why) MUST_USE;
/* What was asked was settled elsewhere, by whoever did it (empty: by time): a pending one becomes that. FAULT_NOT_FOUND,
 * FAULT_EXISTS (it is not pending). */
bool inbox_settle(struct inbox *inbox, struct slice id, enum decision_state state, struct slice by, struct slice reason,
	struct fault *why) MUST_USE;
/* Whether this principal may see it: an administrator, or a decider of it. */
bool inbox_may_see(const struct decision *decision, struct slice who, bool is_admin);
/* [decide] early_error. */
enum inbox_early inbox_early(const struct inbox *inbox);

void inbox_listen(struct inbox *inbox, struct inbox_listener *listener);
void inbox_unlisten(struct inbox_listener *listener); /* harmless twice, and when zeroed */

#endif
