/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Token rows: the tokens of DATA/state.db, hashed. Used by the gateway on loop 0 and by commands,
 * at the same time: SQLite settles it, and state_version() tells that another process wrote.
 */
#ifndef HUSTINGS_STORE_TOKEN_ROWS_H
#define HUSTINGS_STORE_TOKEN_ROWS_H

#include "base/fault.h"
#include "base/secret.h"
#include "base/text.h"
#include "store/state.h"

#define TOKEN_ID 24 /* public name of a token: "t_" and 16 hex digits, NUL */

struct token_row {
	char token_id[TOKEN_ID];
	uint8_t hash[SECRET_HASH_SIZE]; /* of the token's text */
	struct slice id;                /* the identity */
	struct slice name;              /* may be empty */
	struct slice kind;              /* "human", "agent", "robot" or empty */
	struct slice mcp_version;       /* may be empty */
	struct slice dialect;           /* may be empty */
	struct slice privilege;         /* "full", "restricted" or empty: the default at entry */
	struct slice topics;            /* LF separated; empty: all */
	struct slice parent;            /* of a session: the token, or a JWT's jti; may be empty */
	bool is_admin;
	bool is_local;      /* minted for the gateway's own local user */
	bool is_session;    /* lives in a browser's cookie, and ends with its parent */
	int64_t created_at; /* wall ms */
	int64_t expires_at; /* wall ms; 0: never */
	int64_t revoked_at; /* wall ms; 0: lives */
};

bool token_add(struct state *state, const struct token_row *row, struct fault *why) MUST_USE;
/* A session, after which its parent has at most `most` of that identity: those that are over go first, then the
 * oldest. FAULT_REFUSED: the parent was revoked, or is a session itself. */
bool token_add_session(struct state *state, const struct token_row *row, int most, struct fault *why) MUST_USE;
/* The row in memory of its own: token_row_free(). NULL with FAULT_NOT_FOUND when there is none.
 * Revoked and expired ones are found too (kept for 7 days, so that they can be told apart). */
struct token_row *token_find(struct state *state, const uint8_t hash[SECRET_HASH_SIZE],
	struct fault *why) MUST_USE;
struct token_row *token_find_id(struct state *state, const char *token_id, struct fault *why) MUST_USE;
void token_row_free(struct token_row *row);
typedef bool token_seen(void *context, const struct token_row *row); /* false: stop */
bool token_each(struct state *state, token_seen *seen, void *context, struct fault *why) MUST_USE;
/* By token_id, with the sessions that were made with it, or (token_id NULL) all of an identity. *count: how
 * many lived before. */
bool token_revoke(struct state *state, const char *token_id, struct slice id, size_t *count,
	struct fault *why) MUST_USE;
/* Removes what expired or was revoked over 7 days ago. */
bool token_sweep(struct state *state, struct fault *why) MUST_USE;

#endif
