/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Search stem: an English word without its endings, so that what differs in form alone is one term of the
 * index. Two depths: the stem drops plurals, -ing, -ed and a last e; the root drops what makes other words
 * of a word as well (-ation, -er, -able). Letters are lower case ASCII; every other word stays as it is.
 * Plain functions; any thread.
 */
#ifndef HUSTINGS_SEARCH_SEARCH_STEM_H
#define HUSTINGS_SEARCH_SEARCH_STEM_H

#include "base/slice.h"

/* Shortens the word in place; its new length, at least 1 for a word of at least 1. */
size_t search_stem(char *word, size_t length) MUST_USE;
/* How many octets of the stem its root has; words under 5 octets are their own roots. */
size_t search_stem_root(struct slice stem) MUST_USE;

#endif
