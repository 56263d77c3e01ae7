/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Search terms: every word of the index once, with where it stands.
 *
 * A term has two lists of postings: tools, and servers, whose own texts are kept once for all their tools.
 * A posting is a number and a weight of 1..255 in four octets. A term is gone with its last posting, so
 * that what comes and goes leaves nothing behind. Owned; lies in struct search. Loop 0.
 */
#ifndef HUSTINGS_SEARCH_SEARCH_TERMS_H
#define HUSTINGS_SEARCH_SEARCH_TERMS_H

#include "base/dialect.h"
#include "search/search_text.h"

#define SEARCH_NUMBERS (1u << 24) /* numbers of tools and of servers are below */

enum search_whose {
	SEARCH_TOOL,
	SEARCH_SERVER,
	SEARCH_WHOSE
};

struct search_postings {
	uint32_t *items; /* number << 8 | weight, in no order */
	uint32_t count, capacity;
};

struct search_term {
	struct search_postings postings[SEARCH_WHOSE];
	uint32_t at; /* its number */
	uint8_t length;
	char text[];
};

struct search_terms {
	uint32_t *places;     /* number + 1 by a keyed hash of the text, a power of two of them; 0: none */
	uint32_t place_count; /* a map would take six times as much for each term */
	uint64_t seed[2];
	struct search_term **list;            /* by number; NULL: free */
	uint32_t *letters;                    /* by number: which letters it has, a bit each */
	uint32_t *roots;                      /* by number: a hash of its root */
	uint32_t *free;                       /* numbers that are free */
	uint32_t count, capacity, free_count; /* numbers that were given, that fit, that are free */
	size_t octets;                        /* of memory */
};

void search_terms_init(struct search_terms *terms);
void search_terms_finish(struct search_terms *terms);

/* NULL: there is none. */
struct search_term *search_terms_find(const struct search_terms *terms, struct slice text);
static inline struct slice search_term_text(const struct search_term *term) {
	return slice_make(term->text, term->length);
}
/* Adds a posting; a new term where it was none (then *number is its own). False: no memory, nothing was added. */
bool search_terms_add(struct search_terms *terms, struct slice text, enum search_whose whose, uint32_t who,
	uint8_t weight, uint32_t *number) MUST_USE;
/* Takes the posting out; the term too where it was the last. */
void search_terms_remove(struct search_terms *terms, uint32_t number, enum search_whose whose, uint32_t who);

uint32_t search_terms_letters(struct slice text);
uint32_t search_terms_root(struct slice stem);

#endif
