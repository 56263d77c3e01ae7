/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Entry: one envelope on its way into a room, from whoever sent it, and what the gates found. A
 * plain value on the stack of its way; spans into the sender's bytes and the island's scratch.
 */
#ifndef HUSTINGS_ROOM_ENTRY_H
#define HUSTINGS_ROOM_ENTRY_H

#include "room/island.h"

#include <stddef.h>
#include <string.h>

struct entry {
	struct room *room;
	struct slice text; /* as it came */
	/* Who sends: a participant's seat, or by injection a principal alone. */
	struct seat *seat;               /* NULL: by injection */
	struct participant *participant; /* NULL: not in the room */
	const struct principal *principal;
	enum privilege privilege;
	struct pace *pace;
	struct pace *proposal_pace;
	/* What the gates found. */
	uint64_t id_hash;
	uint64_t text_hash;
	bool is_read;     /* `envelope` is whole */
	bool is_repeated; /* the same octets of the same sender were published before */
	/* Why it is refused. */
	const char *gate;
	const char *word;
	uint64_t retry_after_ms; /* 0: none */
	unsigned close_code;     /* the connection does not survive it; 0: it does */
	/* Large, and written before they are read: entry_clear() leaves them as they are. */
	struct envelope envelope; /* by the first gates */
	char message[240];        /* by entry_refuse() */
};

static inline void entry_clear(struct entry *entry) {
	memset(entry, 0, offsetof(struct entry, envelope));
}

/* Fills in the refusal; returns false. `word` is stable and static. */
bool entry_refuse(struct entry *entry, const char *word, const char *format, ...) PRINTF_LIKE(3, 4);

/* The words for the sender: the JSON payload of a system error, or for a breach of privilege the
 * MCP error (MCPx v0.1 4.4.2); *kind says which. */
void entry_write_refusal(const struct entry *entry, enum envelope_kind *kind, struct text *payload);

#endif
