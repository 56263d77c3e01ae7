/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Identity: from a bearer to a principal, and from a principal and a topic to a privilege (MCPx v0
 * 5.1, v0.1 5.1). Opaque tokens come from the store, JWTs are verified by auth/jwt.
 *
 * Loop 0 alone. The order of privilege: explicit promotion or demotion, token or claim, identity
 * rules, default.
 */
#ifndef HUSTINGS_AUTH_IDENTITY_H
#define HUSTINGS_AUTH_IDENTITY_H

#include "auth/principal.h"
#include "base/log.h"
#include "net/loop.h"
#include "store/token_rows.h"

struct identity_rule {   /* [[auth.identities]] */
	char id[136];    /* a name, or a pattern with one * at its end */
	char topic[136]; /* empty: every topic; may end in * */
	enum privilege privilege;
	enum principal_kind kind; /* UNSAID: leaves it */
	bool is_admin;
};

struct jwt_settings; /* auth/jwt.h */

struct identity_settings {
	bool is_open; /* MCPx v0.1 6.1 */
	enum privilege default_privilege;
	const struct identity_rule *rules; /* copied */
	size_t rule_count;
	const struct jwt_settings *jwt; /* NULL: no JWT is accepted; copied */
};

struct identity;

struct identity *identity_open(struct loop *loop, struct state *state,
	const struct identity_settings *settings, struct log *log, struct fault *why) MUST_USE;
/* After a reload: new settings, for those who come from now on. The old stay on failure. */
bool identity_change(struct identity *identity, const struct identity_settings *settings,
	struct fault *why) MUST_USE;
void identity_close(struct identity *identity);

/* Who a bearer is. `found` is called exactly once, often before this returns (a JWT may wait for its
 * keys): the principal is the callee's to drop, or NULL with why: FAULT_REFUSED and a word for the
 * client ("unknown_token", "expired_token", "revoked_token", "bad_token") at why->text's front. */
typedef void identity_found(void *context, struct principal *principal, const struct fault *why);
void identity_ask(struct identity *identity, struct slice bearer, identity_found *found, void *context);
/* Nobody waits any more for what is still open for this context. */
void identity_forget(struct identity *identity, void *context);

/* In open mode: the principal of ?id= (SLICE_NONE: guest-XXXX is made up). */
struct principal *identity_guest(struct identity *identity, struct slice id, struct slice name,
	struct slice kind, struct slice mcp_version, struct fault *why) MUST_USE;

/* The privilege there, and (when asked for) a sentence of where it comes from. */
bool identity_privilege(struct identity *identity, const struct principal *principal,
	struct slice topic, enum privilege *privilege, struct text *reason, struct fault *why) MUST_USE;

bool identity_is_open(const struct identity *identity);

#endif
