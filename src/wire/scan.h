/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Scan: the one reader of JSON that a peer sends. Strict RFC 8259 over UTF-8 in one pass, nothing
 * copied: what it reports are spans of the caller's text, which must live as long as they are used.
 *
 * Refused: bytes that are not UTF-8, lone surrogates (raw or escaped), NUL octets, control
 * characters in strings, numbers that RFC 8259 does not know, trailing text, depth over the limit
 * (counted, never recursed). Numbers are never converted: 1e400 and 30 digits pass as they are.
 * "\u0000" is legal JSON and passes; who needs a name (keys and fields of an envelope) refuses it.
 */
#ifndef HUSTINGS_WIRE_SCAN_H
#define HUSTINGS_WIRE_SCAN_H

#include "base/arena.h"
#include "base/fault.h"
#include "base/text.h"
#include "wire/scan_value.h"

#define SCAN_DEPTH 64 /* containers inside one another, the outermost included */

/* A member of an object; `key` is between the quotes, escapes as they stand. */
struct scan_member {
	struct slice key;
	bool key_escaped;
	struct scan_value value;
	const struct scan_member *parent; /* scan_object level 2 alone: key known, value not yet */
};

struct scan_fault {
	enum scan_error error;
	size_t offset; /* octets from the start */
	const char *what;
};

/* Checks a whole text: one value, blanks around it allowed. False: *fault says what and where. */
bool scan_check(struct slice text, unsigned depth, struct scan_value *root,
	struct scan_fault *fault) MUST_USE;

/* Called for every member of the outermost object (level 1) and of the objects that stand directly
 * in it (level 2, member->parent has their key), in the one pass and in order; the value's span is
 * whole when this is called (a level 2 member comes before its parent). Members may have been told
 * when the text turns out to be unsound. False ends the scan: SCAN_MANY. */
typedef bool scan_seen(void *context, unsigned level, const struct scan_member *member);

/* The same check of a whole text whose root must be an object. */
bool scan_object(struct slice text, unsigned depth, scan_seen *seen, void *context,
	struct scan_fault *fault) MUST_USE;

/* UTF-8 alone, as WebSocket text and names need it. */
bool scan_is_utf8(struct slice text);

/* ---- Over text that was checked before (they trust it, and never read past it) ---- */

/* The members or elements in order: for (scan_open(&walk, value); scan_next(&walk, &member);).
 * In an array the key is SLICE_NONE. */
struct scan_walk {
	const char *at;
	const char *end;
	bool is_object;
};
void scan_open(struct scan_walk *walk, const struct scan_value *container);
bool scan_next(struct scan_walk *walk, struct scan_member *member);
/* The value of the first member of that name (escapes read); false: none, or no object. */
bool scan_find(const struct scan_value *object, const char *key, struct scan_value *value);
/* "params", "_meta", "traceparent", NULL */
bool scan_path(const struct scan_value *object, struct scan_value *value, ...)
	__attribute__((sentinel));
size_t scan_count(const struct scan_value *container);

/* The characters of a string value (quotes and escapes gone). Without escapes: the span itself,
 * else a copy in the arena. False: no string, or no memory. */
bool scan_string(const struct scan_value *value, struct arena *arena,
	struct slice *string) MUST_USE;
/* The characters of a key, like scan_string(). */
bool scan_key(const struct scan_member *member, struct arena *arena, struct slice *key) MUST_USE;
/* Key compare with escapes read. */
bool scan_key_is(const struct scan_member *member, const char *name);
/* Whole numbers written without fraction or exponent (or with zeros only): false when not one or
 * out of range. */
bool scan_integer(const struct scan_value *value, int64_t *integer) MUST_USE;
/* The nearest double; false: none, or infinite. */
bool scan_number(const struct scan_value *value, double *number) MUST_USE;
bool scan_boolean(const struct scan_value *value, bool *boolean) MUST_USE;
/* The text without insignificant white space (for digests). */
void scan_compact(struct text *to, struct slice text);
/* A key twice in one object, at any depth (escapes read). Bounded memory in the arena. */
bool scan_has_duplicates(struct slice text, struct arena *arena, bool *duplicates) MUST_USE;

/* The same of one object's own keys alone, `count` of them or fewer. */
bool scan_has_twins(const struct scan_value *object, size_t count, struct arena *arena,
	bool *twins) MUST_USE;

#endif
