/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Recent: the ids a topic has seen, its last RECENT_IDS of them, as keyed hashes (MCPx v0 4: ids are
 * unique). With each stands a hash of sender and octets, so that a repetition is told from a clash.
 *
 * Memory grows with use, 32 octets an id, at most 2 MiB. A ring in order of arrival and a table into it.
 */
#ifndef HUSTINGS_ROOM_RECENT_H
#define HUSTINGS_ROOM_RECENT_H

#include "base/dialect.h"

#define RECENT_IDS 65536

struct recent_id {
	uint64_t id_hash;
	uint64_t text_hash;
};

struct recent {
	struct recent_id *ring;
	uint64_t *table;   /* places of the ring's ids; 0: free. Twice as many as the ring has */
	uint32_t capacity; /* of the ring, a power of two, or 0 */
	uint32_t count;
	uint32_t next; /* where the next one goes */
};

void recent_init(struct recent *recent);
void recent_finish(struct recent *recent);
/* The memory that finding and adding it will touch is fetched while the caller does something else. */
void recent_expect(const struct recent *recent, uint64_t id_hash);
/* NULL: not seen. */
const struct recent_id *recent_find(const struct recent *recent, uint64_t id_hash);
/* Makes room for one more, so that recent_add() cannot fail. */
bool recent_reserve(struct recent *recent) MUST_USE;
void recent_add(struct recent *recent, uint64_t id_hash, uint64_t text_hash);

#endif
