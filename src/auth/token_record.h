/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Token record: making opaque tokens. A token is "hus_" and 43 characters (32 random octets); only
 * its hash is kept. Default life 24 h.
 */
#ifndef HUSTINGS_AUTH_TOKEN_RECORD_H
#define HUSTINGS_AUTH_TOKEN_RECORD_H

#include "auth/principal.h"
#include "store/token_rows.h"

#define TOKEN_TEXT 48
#define TOKEN_LIFE_MS (24 * 3600 * 1000LL)

struct token_wish {
	struct slice id;
	struct slice name, mcp_version, dialect; /* may be empty */
	struct slice topics;                     /* LF separated; empty: all */
	enum principal_kind kind;
	enum privilege privilege; /* UNSAID: default at entry */
	bool is_admin;
	bool is_local;
	int64_t life_ms; /* 0: TOKEN_LIFE_MS; at most ten years */
};

/* Makes one and writes the token's text (wipe it after use) and its public name. */
bool token_create(struct state *state, const struct token_wish *wish, char token[TOKEN_TEXT],
	char token_id[TOKEN_ID], struct fault *why) MUST_USE;
/* Gives a row its public name and the hash of a new token, whose text it writes (wipe it after use). */
bool token_name(struct token_row *row, char token[TOKEN_TEXT], struct fault *why) MUST_USE;
/* What `token list` and GET /admin/tokens show of a row: a JSON object, no secret. */
void token_write(struct text *to, const struct token_row *row);
bool token_is_one(struct slice bearer); /* has the form of ours */

#endif
