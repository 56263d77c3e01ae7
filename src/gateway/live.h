/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Live: changes of tokens and privileges reach the connections there are, whoever made them: this
 * gateway's own administration at once, other processes' writes to state.db within a quarter of a
 * second, and a token's expiry when it comes. Loop 0; rooms hear of it by letters.
 */
#ifndef HUSTINGS_GATEWAY_LIVE_H
#define HUSTINGS_GATEWAY_LIVE_H

#include "gateway/gateway.h"

#define LIVE_POLL_MS 200
#define LIVE_SWEEP_MS (3600 * 1000)

struct live *live_open(struct gateway *gateway, struct fault *why) MUST_USE;
void live_close(struct live *live);
/* A connection came in with this principal (kept while it is there) and privilege, and went. The
 * handle is for live_drop(), from any thread. */
struct live_entry;
struct live_entry *live_add(struct live *live, struct principal *principal, struct slice topic,
	enum privilege privilege, struct fault *why) MUST_USE;
void live_drop(struct gateway *gateway, struct live_entry *entry);

/* It sits beside: others of its identity speak for that (decided when it comes in). */
void live_sits_beside(struct live_entry *entry);
/* Whether a connection of that identity is in that topic, or on its way, that does not sit beside. */
bool live_sits(const struct live *live, struct slice id, struct slice topic);

/* Whether the token it came with was revoked since, by whomever. */
bool live_was_revoked(struct live *live, const struct principal *principal);
/* The privilege of a connection of that identity (empty topic: in any). False: there is none. */
bool live_privilege(const struct live *live, struct slice id, struct slice topic,
	enum privilege *privilege) MUST_USE;

/* Tells every island. Empty slices mean any. */
void live_revoke(struct gateway *gateway, struct slice token_id, struct slice id);
void live_promote(struct gateway *gateway, struct slice id, struct slice topic,
	enum privilege privilege);
/* Looks whether another process wrote state.db, now and not at the next poll. */
void live_look(struct live *live);
/* Sessions of browsers may have gone with something else that went: they are looked at with the next poll. */
void live_review_sessions_soon(struct live *live);
/* After a reload: default privilege and identity rules may have changed for those who are here. */
void live_review(struct live *live);

#endif
