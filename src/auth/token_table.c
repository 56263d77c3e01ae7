/* SPDX-License-Identifier: Apache-2.0 */
#include "auth/token_table.h"

#include "base/clock.h"

#include <stdlib.h>

struct token_entry {
	struct principal *principal; /* kept */
	uint8_t hash[SECRET_HASH_SIZE];
};

void token_table_init(struct token_table *table) {
	map_init(&table->principals);
	table->mark = (struct state_mark){0};
}

void token_table_clear(struct token_table *table) {
	void *value;
	for (size_t at = 0; map_each(&table->principals, &at, &value);) {
		struct token_entry *entry = value;
		principal_drop(entry->principal);
		free(entry);
	}
	map_finish(&table->principals);
	token_table_init(table);
}

static bool has_expired(const struct principal *principal) {
	return principal->expires_at && principal->expires_at <= clock_wall_ms();
}

struct principal *token_table_find(struct token_table *table, const struct state *state,
	const uint8_t hash[SECRET_HASH_SIZE]) {
	if (!state_is_as_marked(state, &table->mark)) {
		token_table_clear(table);
		table->mark = state_mark_take(state);
		return NULL;
	}
	const struct token_entry *entry = map_find(&table->principals, slice_make(hash, SECRET_HASH_SIZE));
	return entry && !has_expired(entry->principal) ? principal_keep(entry->principal) : NULL;
}

void token_table_add(struct token_table *table, const uint8_t hash[SECRET_HASH_SIZE],
	struct principal *principal) {
	if (!table->mark.taken_at) return;
	if (table->principals.count >= TOKEN_TABLE) {
		struct state_mark mark = table->mark;
		token_table_clear(table);
		table->mark = mark;
	}
	struct token_entry *entry = malloc(sizeof *entry);
	if (!entry) return;
	memcpy(entry->hash, hash, sizeof entry->hash);
	entry->principal = principal;
	if (map_add(&table->principals, slice_make(entry->hash, sizeof entry->hash), entry, NULL))
		principal_keep(principal);
	else
		free(entry);
}
