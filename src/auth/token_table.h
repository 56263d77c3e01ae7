/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Token table: the principals of tokens that were asked for lately, so that a client which sends its token
 * with every request is not looked up in the store each time. It holds only as long as nobody has written to
 * the store, in this process or another, so that a token that is revoked is refused at once.
 *
 * Keys are hashes of tokens. Bounded: TOKEN_TABLE, then it begins anew. Owned by struct identity; loop 0.
 */
#ifndef HUSTINGS_AUTH_TOKEN_TABLE_H
#define HUSTINGS_AUTH_TOKEN_TABLE_H

#include "auth/principal.h"
#include "base/map.h"
#include "base/secret.h"
#include "store/state.h"

#define TOKEN_TABLE 1024

struct token_table {
	struct map principals; /* struct token_entry by hash */
	struct state_mark mark;
};

void token_table_init(struct token_table *table);
void token_table_clear(struct token_table *table); /* to be used again, or never */

/* Kept for the caller; NULL: it is not there, or may not hold any more. Then what is read from the store from
 * now on may be added. */
struct principal *token_table_find(struct token_table *table, const struct state *state,
	const uint8_t hash[SECRET_HASH_SIZE]) MUST_USE;
/* What was read after token_table_find(). Without memory it is not there. */
void token_table_add(struct token_table *table, const uint8_t hash[SECRET_HASH_SIZE],
	struct principal *principal);

#endif
