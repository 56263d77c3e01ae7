/* SPDX-License-Identifier: Apache-2.0 */
/* Schema marks: one bit each. */
#include "mcp/schema_marks.h"

static size_t words_of(size_t count) {
	return (count + 63) / 64;
}

bool schema_marks_open(struct schema_marks *marks, size_t count, struct arena *arena) {
	*marks = (struct schema_marks){.count = count};
	size_t words = words_of(count);
	if (words <= SCHEMA_MARKS_FEW) return true;
	marks->more = arena_zero(arena, words * sizeof *marks->more);
	return marks->more != NULL;
}

void schema_marks_merge(struct schema_marks *to, const struct schema_marks *from) {
	uint64_t *words = to->more ? to->more : to->few;
	const uint64_t *others = from->more ? from->more : from->few;
	to->has_all |= from->has_all;
	for (size_t i = 0; i < words_of(to->count); i++) words[i] |= others[i];
}
