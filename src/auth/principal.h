/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Principal: who somebody is, as the gateway itself found out: never what a message says.
 *
 * One allocation, immutable once made, counted across threads (atomically: it travels from loop 0
 * to a room's loop and stays known to both). principal_keep(), principal_drop(). Every connection has
 * one of its own: it is kept small, what is seldom asked is found behind its id.
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

/* What was found out about somebody. The texts are the finder's. */
struct principal_facts {
	enum principal_kind kind;
	enum privilege privilege;      /* of the token or claim; PRIVILEGE_UNSAID: none was said */
	enum principal_kind said_kind; /* what the token or claim said, before the rules of the configuration */
	bool said_admin;
	bool is_admin;
	bool is_local;   /* the gateway's own local user */
	bool is_open;    /* named by ?id= in open mode: no token stands behind it */
	bool is_session; /* came by the token of a browser's cookie */
	bool has_dialect;
	enum envelope_dialect dialect;
	int64_t expires_at; /* wall ms; 0: never */
	struct slice id;
	struct slice name;        /* may be empty */
	struct slice mcp_version; /* may be empty */
	struct slice topics;      /* LF separated; a name may end in *; empty: all */
	struct slice token_id;    /* of a token or a JWT's jti; may be empty */
};

enum principal_text {
	PRINCIPAL_NAME,
	PRINCIPAL_MCP_VERSION,
	PRINCIPAL_TOPICS,
	PRINCIPAL_TOKEN_ID,
	PRINCIPAL_TEXTS
};

/* The facts, small: the enumerations in an octet each, the texts one behind the other. */
struct principal {
	_Atomic unsigned references;
	uint8_t kind;
	uint8_t privilege;
	uint8_t dialect;
	uint8_t said_kind;
	bool said_admin;
	bool is_admin;
	bool is_local;
	bool is_open;
	bool is_session;
	bool has_dialect;
	uint16_t ends[PRINCIPAL_TEXTS]; /* of the texts behind the id; the first begins at 0 */
	int64_t expires_at;
	struct slice id; /* in this allocation, between quotes */
};

/* Copies. NULL: no memory, or the id is none, or the texts are too long (FAULT_BAD_INPUT). */
struct principal *principal_make(const struct principal_facts *facts, struct fault *why) MUST_USE;
/* The same principal with what it says of itself where nobody said it of it: empty slices say
 * nothing. NULL: no memory, or FAULT_BAD_INPUT. */
struct principal *principal_describe(const struct principal *principal, struct slice name,
	struct slice kind, struct slice mcp_version, struct fault *why) MUST_USE;
struct principal *principal_keep(struct principal *principal);
void principal_drop(struct principal *principal); /* NULL is fine */
AUTO_RELEASE(principal, principal_drop)

struct slice principal_text(const struct principal *principal, enum principal_text which);
/* The id as a JSON string: an identity has no octet that JSON would not take as it is. */
static inline struct slice principal_id_json(const struct principal *principal) {
	return slice_make(principal->id.bytes - 1, principal->id.length + 2);
}

bool principal_may_enter(const struct principal *principal, struct slice topic); /* its scope */
const char *principal_kind_text(enum principal_kind kind);                       /* "human", ..., "" */
bool principal_kind_read(struct slice text, enum principal_kind *kind) MUST_USE;

#endif
