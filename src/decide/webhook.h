/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Webhook: tells one URL of every change of a decision, signed as Standard Webhooks have it
 * (webhook-id, webhook-timestamp, webhook-signature: HMAC-SHA-256 over id.timestamp.body). It only
 * tells: no answer of the receiver decides anything.
 *
 * What is told of one decision arrives in the order of its changes: the next waits for the one before,
 * through up to WEBHOOK_TRIES tries over about an hour; then that one has failed and the next goes out.
 * Any 2xx status is an answer, 410 ends the tries of that message, redirections are not followed. The
 * URL is the operator's own, so it may be on this machine or network. Owned: webhook_close(). Loop 0.
 * The secret is never logged.
 */
#ifndef HUSTINGS_DECIDE_WEBHOOK_H
#define HUSTINGS_DECIDE_WEBHOOK_H

#include "base/log.h"
#include "decide/decision.h"
#include "net/fetch_desk.h"

#define WEBHOOK_TRIES 8
#define WEBHOOK_WAITING 1000              /* messages that were not told yet */
#define WEBHOOK_OCTETS (16 * 1024 * 1024) /* of their bodies */
#define WEBHOOK_AT_ONCE 16                /* requests under way */
#define WEBHOOK_SECRET_LEAST 16           /* octets of the key */

struct webhook;

struct webhook_options { /* all borrowed until webhook_close(), but the two texts: copied */
	struct loop *loop;
	struct fetch_desk *desk;
	struct log *log;          /* may be NULL */
	const char *url;          /* http or https */
	const char *secret;       /* "whsec_BASE64", else its own octets are the key */
	const int64_t *pauses_ms; /* before the second try, the third, ...; 0 at the end; NULL: the hour's */
	/* A message is done with: it arrived (why NULL), or will not. Never inside webhook_tell(). */
	void (*done)(void *context, struct slice id, uint64_t version, const struct fault *why);
	void *context;
};

/* FAULT_BAD_INPUT: the URL or the secret is none; FAULT_NO_MEMORY. */
struct webhook *webhook_open(const struct webhook_options *options, struct fault *why) MUST_USE;
/* What waits goes to another place from now on. The old stays on failure. */
bool webhook_change(struct webhook *webhook, const char *url, const char *secret, struct fault *why) MUST_USE;
/* What waits is dropped, `done` is not called any more. NULL is fine. */
void webhook_close(struct webhook *webhook);

/* Tells of the decision as it is now. False: FAULT_FULL (too many wait), FAULT_NO_MEMORY. */
bool webhook_tell(struct webhook *webhook, const struct decision *decision, struct fault *why) MUST_USE;
size_t webhook_waiting(const struct webhook *webhook);

#endif
