/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Schema marks: which elements or members of one instance some schema has spoken of, by their place in
 * the text. What unevaluatedItems and unevaluatedProperties ask; nobody keeps them where neither
 * stands. A plain value; larger ones show the arena that they were opened with.
 */
#ifndef HUSTINGS_MCP_SCHEMA_MARKS_H
#define HUSTINGS_MCP_SCHEMA_MARKS_H

#include "base/arena.h"

#define SCHEMA_MARKS_FEW 2 /* words that need no arena */

struct schema_marks {
	uint64_t few[SCHEMA_MARKS_FEW];
	uint64_t *more; /* NULL: the few do */
	size_t count;   /* of what may be marked */
	bool has_all;
};

/* Nothing is marked. False: no memory. */
bool schema_marks_open(struct schema_marks *marks, size_t count, struct arena *arena) MUST_USE;
/* Both of one count. */
void schema_marks_merge(struct schema_marks *to, const struct schema_marks *from);

/* NULL: nobody keeps them. */
static inline void schema_marks_set(struct schema_marks *marks, size_t at) {
	if (!marks || at >= marks->count) return;
	uint64_t *words = marks->more ? marks->more : marks->few;
	words[at / 64] |= UINT64_C(1) << at % 64;
}

static inline bool schema_marks_has(const struct schema_marks *marks, size_t at) {
	if (marks->has_all || at >= marks->count) return true;
	const uint64_t *words = marks->more ? marks->more : marks->few;
	return words[at / 64] >> at % 64 & 1;
}

#endif
