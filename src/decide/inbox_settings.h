/* SPDX-License-Identifier: Apache-2.0 */
/* Inbox settings: what the inbox (decide/inbox.h) is opened with, and who hears of it. */
#ifndef HUSTINGS_DECIDE_INBOX_SETTINGS_H
#define HUSTINGS_DECIDE_INBOX_SETTINGS_H

#include "base/list.h"
#include "decide/decision.h"

#define INBOX_OCTETS (32 * 1024 * 1024) /* of all decisions in memory, the settled ones among them */
#define INBOX_SETTLED 1000              /* that are still shown */

enum inbox_early { /* who hears at once that a call waits for its authorization (docs/protocol.md) */
	INBOX_EARLY_DECLARED,
	INBOX_EARLY_ALWAYS,
	INBOX_EARLY_NEVER,
};

struct inbox_settings {                /* [decide]; the texts are copied */
	int64_t ttl_ms;                /* how long a decision is open; 0: 5 min */
	size_t max_open;               /* pending ones, and approvals that still hold, in all; 0: 1,000 */
	size_t max_open_per_requester; /* pending ones of one requester; 0: 32 */
	enum inbox_early early;
	const char *webhook_url;          /* NULL: nobody is told */
	const char *webhook_secret;       /* "whsec_BASE64", or octets; needed with the URL */
	const char *const *policy_hook;   /* a URL alone, or a command and its arguments; NULL ended; NULL: none */
	int64_t hook_deadline_ms;         /* its silence is "ask"; 0: 2 s */
	const int64_t *webhook_pauses_ms; /* between two tries, 0 at the end; NULL: over an hour;
	                                     * borrowed */
};

/* Who asked, intrusive: lies in the asker's struct and stays where it is until `decided` was called,
 * or inbox_leave() or inbox_withdraw(). Zeroed waits for nothing. */
struct decision_asker {
	/* Exactly once, never before inbox_ask() returned, and never inside another call of the inbox: from
	 * a task of the loop. The answer: decision_is_yes(); the decision may be read during the call. The
	 * asker waits for nothing any more and may ask again. */
	void (*decided)(struct decision_asker *asker, const struct decision *decision);
	struct decision *decision; /* the one it waits for; NULL: none */
	struct link in_told;       /* the inbox's own */
};

/* Whoever wants to see every change: called after it was stored, with the decision as it is now. A
 * listener changes nothing in the inbox; it may remove itself. */
struct inbox_listener {
	struct link link;
	void (*changed)(struct inbox_listener *listener, const struct decision *decision);
};

#endif
