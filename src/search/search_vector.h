/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Search vector: what a model makes of a text, kept in one octet for each of its numbers, and how near two are.
 *
 * A vector of 1,536 numbers takes 1.5 KB instead of 6, and one is compared with 3,000 others in half a
 * millisecond; an octet for each number moves a cosine by less than a hundredth. Plain memory from malloc;
 * never changed once it is made; any thread.
 */
#ifndef HUSTINGS_SEARCH_SEARCH_VECTOR_H
#define HUSTINGS_SEARCH_SEARCH_VECTOR_H

#include "base/dialect.h"

#define SEARCH_DIMENSIONS 4096 /* at most */

struct search_vector;

/* NULL: no memory, no or too many numbers, one that is none, or nothing but zeros. free() it. */
struct search_vector *search_vector_make(const float *numbers, size_t count) MUST_USE;
size_t search_vector_dimensions(const struct search_vector *vector);
size_t search_vector_octets(size_t dimensions); /* of memory that one takes */
/* -1..1; 0 where they have not as many numbers. */
double search_vector_cosine(const struct search_vector *a, const struct search_vector *b);

#endif
