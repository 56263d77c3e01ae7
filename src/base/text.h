/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Text: slices that borrow, and a builder that owns.
 *
 * A slice is a pointer and a length into bytes that somebody else keeps; it is not NUL ended.
 * A builder grows up to its limit; once anything did not fit (memory or limit) it stays failed and
 * further writes do nothing, so one question at the end is enough: text_failed().
 */
#ifndef HUSTINGS_BASE_TEXT_H
#define HUSTINGS_BASE_TEXT_H

#include "base/dialect.h"
#include "base/fault.h"

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
/* NUL-ended copy from malloc; NULL: no memory. */
char *slice_copy(struct slice slice) MUST_USE;

struct text {
	char *bytes;     /* always NUL ended once anything was written; NULL before */
	size_t length;
	size_t capacity;
	size_t limit;    /* 0: 1 GiB */
	bool failed;
};

void text_init(struct text *text, size_t limit);
void text_finish(struct text *text); /* frees; the builder may be used again */
/* AUTO_TEXT struct text name = { 0 }; is finished at the end of its scope; always with its
 * initialiser, so that a return before text_init() finishes an empty builder. */
void text_auto(struct text *text);
#define AUTO_TEXT __attribute__((cleanup(text_auto)))

void text_add(struct text *text, struct slice slice);
void text_add_cstr(struct text *text, const char *string);
void text_add_char(struct text *text, char character);
void text_printf(struct text *text, const char *format, ...) PRINTF_LIKE(2, 3);
void text_number(struct text *text, int64_t number);
/* A JSON string with its quotes: control characters, quote and backslash escaped, bytes that are
 * not UTF-8 replaced by U+FFFD. */
void text_json(struct text *text, struct slice slice);
/* For people: control characters and bidirectional overrides are left out or shown as \xNN. */
void text_display(struct text *text, struct slice slice);
/* The same into an array of `size` octets (at least 1), NUL ended, cut at a character; its length. */
size_t text_display_in(char *to, size_t size, struct slice slice);
void text_clear(struct text *text); /* empties, keeps the memory, forgets a failure */
bool text_failed(const struct text *text) MUST_USE;
struct slice text_slice(const struct text *text);
/* Hands the NUL-ended bytes out (free them); NULL when failed. The builder is empty afterwards. */
char *text_take(struct text *text) MUST_USE;

#endif
