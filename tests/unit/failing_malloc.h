/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Failing malloc: memory that runs out at a chosen call.
 *
 * A test includes this header and then the .c file it torments; every malloc, calloc and realloc of
 * that file goes through here, those of the test and of other files do not. After
 * malloc_fails_at(n) the n-th call fails and so does every later one; 0: none fails.
 */
#ifndef HUSTINGS_TESTS_FAILING_MALLOC_H
#define HUSTINGS_TESTS_FAILING_MALLOC_H

#include <stdbool.h>
#include <stdlib.h>

static int malloc_left = -1; /* calls that still succeed; negative: all */

static inline void malloc_fails_at(int call) {
	malloc_left = call ? call - 1 : -1;
}

static inline bool malloc_may(void) {
	if (malloc_left < 0) return true;
	if (malloc_left == 0) return false;
	malloc_left--;
	return true;
}

static inline void *failing_malloc(size_t size) {
	return malloc_may() ? malloc(size) : NULL;
}

static inline void *failing_calloc(size_t count, size_t size) {
	return malloc_may() ? calloc(count, size) : NULL;
}

static inline void *failing_realloc(void *held, size_t size) {
	return malloc_may() ? realloc(held, size) : NULL;
}

#define malloc(size) failing_malloc(size)
#define calloc(count, size) failing_calloc(count, size)
#define realloc(held, size) failing_realloc(held, size)

#endif
