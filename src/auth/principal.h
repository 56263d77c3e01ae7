/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Principal: who somebody is, as the gateway itself found out: never what a message says.
 *
 * One allocation, immutable once made, counted across threads (atomically: it travels from loop 0
 * to a room's loop and stays known to both). principal_keep(), principal_drop().
 */
#ifndef HUSTINGS_AUTH_PRINCIPAL_H
#define HUSTINGS_AUTH_PRINCIPAL_H

#include "auth/privilege.h"
#include "base/fault.h"
#include "wire/envelope.h"

enum principal_kind {
	PRINCIPAL_UNSAID,
	PRINCIPAL_HUMAN,
	PRINCIPAL_AGENT,
	PRINCIPAL_ROBOT,
	PRINCIPAL_KINDS
};

struct principal {
	_Atomic unsigned references;
	enum principal_kind kind;
	enum privilege privilege; /* of the token or claim; PRIVILEGE_UNSAID: none was said */
	bool is_admin;
	bool is_local; /* the gateway's own local user */
	bool is_open;  /* named by ?id= in open mode: no token stands behind it */
	bool has_dialect;
	enum envelope_dialect dialect;
	int64_t expires_at;       /* wall ms; 0: never */
	struct slice id;          /* all slices lie in this allocation */
	struct slice name;        /* may be empty */
	struct slice mcp_version; /* may be empty */
	struct slice topics;      /* LF separated; a name may end in *; empty: all */
	struct slice token_id;    /* of a token or a JWT's jti; may be empty */
	struct slice id_json;     /* id as a JSON string, quotes included: spliced into envelopes */
};

/* Copies what `like` holds (id_json is made here). NULL: no memory, or the id is none (FAULT_BAD_INPUT). */
struct principal *principal_make(const struct principal *like, struct fault *why) MUST_USE;
struct principal *principal_keep(struct principal *principal);
void principal_drop(struct principal *principal); /* NULL is fine */
AUTO_RELEASE(principal, principal_drop)

bool principal_may_enter(const struct principal *principal, struct slice topic); /* its scope */
const char *principal_kind_text(enum principal_kind kind);                       /* "human", ..., "" */
bool principal_kind_read(struct slice text, enum principal_kind *kind) MUST_USE;

#endif
