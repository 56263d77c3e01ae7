/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pattern: a regular expression as ECMAScript writes them (JSON Schema's `pattern`), sought anywhere
 * in a text. It comes from a stranger, so reading and matching it are bounded.
 *
 * Owned: pattern_read() and pattern_free(). Never changed once read; any thread, several at once.
 * Matching takes no memory from malloc unless the search branches out far. \s and \v mean what
 * ECMAScript means by them; \A, \Z and what else PCRE2 knows beyond ECMAScript means what PCRE2 means,
 * but for verbs "(*...)" and \C, which are refused.
 */
#ifndef HUSTINGS_BASE_PATTERN_H
#define HUSTINGS_BASE_PATTERN_H

#include "base/fault.h"
#include "base/slice.h"

#define PATTERN_OCTETS 4096         /* of an expression */
#define PATTERN_NESTING 100         /* brackets inside one another */
#define PATTERN_HEAP_KIB (8u << 10) /* of one search */

struct pattern;

enum pattern_answer {
	PATTERN_DIFFERS,
	PATTERN_MATCHES,
	PATTERN_GIVES_UP, /* the steps or the memory ran out: nobody knows */
};

/* FAULT_BAD_INPUT: no regular expression; FAULT_TOO_LARGE: over a bound above; FAULT_NO_MEMORY. */
struct pattern *pattern_read(struct slice expression, struct fault *why) MUST_USE;
void pattern_free(struct pattern *pattern); /* NULL is fine */
AUTO_RELEASE(pattern, pattern_free)
size_t pattern_size(const struct pattern *pattern); /* octets of memory */

/* `text` is UTF-8 that was checked. Takes what it costs from *steps: one for each step of the search,
 * and one for every 16 octets run through. */
enum pattern_answer pattern_match(const struct pattern *pattern, struct slice text,
	uint64_t *steps) MUST_USE;

#endif
