/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Text: a builder of bytes that it owns.
 *
 * It grows up to its limit; once anything did not fit (memory or limit) it stays failed and further
 * writes do nothing, so one question at the end is enough: text_failed().
 */
#ifndef HUSTINGS_BASE_TEXT_H
#define HUSTINGS_BASE_TEXT_H

#include "base/dialect.h"
#include "base/fault.h"
#include "base/slice.h"

struct text {
	char *bytes; /* always NUL ended once anything was written; NULL before */
	size_t length;
	size_t capacity;
	size_t limit; /* 0: 1 GiB */
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
/* For who decides about it: the same, but hidden characters as \u{NUMBER}. */
void text_reveal(struct text *text, struct slice slice);
/* The same into an array of `size` octets (at least 1), NUL ended, cut at a character; its length. */
size_t text_display_in(char *to, size_t size, struct slice slice);
/* Memory for so many octets more is taken in one step; a failure is noted like any other. */
void text_reserve(struct text *text, size_t more);
void text_clear(struct text *text); /* empties, keeps the memory, forgets a failure */
bool text_failed(const struct text *text) MUST_USE;
struct slice text_slice(const struct text *text);
/* Hands the NUL-ended bytes out (free them); NULL when failed. The builder is empty afterwards. */
char *text_take(struct text *text) MUST_USE;

#endif
