/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Slice: a pointer and a length into bytes that somebody else keeps; it is not NUL ended. Nothing
 * here keeps, changes or frees what a slice shows; slice_copy() alone hands memory out.
 */
#ifndef HUSTINGS_BASE_SLICE_H
#define HUSTINGS_BASE_SLICE_H

#include "base/dialect.h"

#include <string.h>

struct slice {
	const char *bytes;
	size_t length;
};

#define SLICE(literal) ((struct slice){(literal), sizeof(literal) - 1})
#define SLICE_NONE ((struct slice){NULL, 0})
/* printf("%.*s", SLICE_ARGS(slice)) */
#define SLICE_ARGS(slice) (int)(slice).length, (slice).bytes ? (slice).bytes : ""

static inline struct slice slice_of(const char *text) {
	return (struct slice){text, text ? strlen(text) : 0};
}
static inline struct slice slice_make(const void *bytes, size_t length) {
	return (struct slice){(const char *)bytes, length};
}
static inline bool slice_equal(struct slice a, struct slice b) {
	return a.length == b.length && (a.length == 0 || memcmp(a.bytes, b.bytes, a.length) == 0);
}
static inline bool slice_is(struct slice slice, const char *text) {
	return slice_equal(slice, slice_of(text));
}
bool slice_equal_ignoring_case(struct slice a, struct slice b); /* ASCII */
bool slice_starts_with(struct slice slice, const char *prefix);
struct slice slice_trim(struct slice slice); /* blanks and tabs at both ends */
/* The part before `separator`; `rest` moves behind it, and is SLICE_NONE behind the last part: "a,"
 * has two parts, "" has one, SLICE_NONE has none. False when rest is at its end. */
bool slice_split(struct slice *rest, char separator, struct slice *part);
/* Decimal digits only, no sign, at most `limit`. */
bool slice_number(struct slice slice, uint64_t limit, uint64_t *number) MUST_USE;
/* Octets of the UTF-8 character that the slice begins with, 1-4; 0: it begins with none. */
size_t slice_character(struct slice slice, uint32_t *character);
/* Control characters and those that hide or turn text around: bidirectional marks, zero-width
 * space, line separators, tags. */
bool slice_character_is_hidden(uint32_t character);
/* The longest beginning of at most `limit` octets that does not end inside a character. */
size_t slice_cut(struct slice slice, size_t limit);
/* Each CR and LF becomes a blank: JSON, which has them between its tokens alone, stays what it is, and
 * fits on one line. */
void slice_blank_line_ends(char *bytes, size_t length);
/* NUL-ended copy from malloc; NULL: no memory. */
char *slice_copy(struct slice slice) MUST_USE;

#endif
