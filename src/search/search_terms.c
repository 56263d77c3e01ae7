/* SPDX-License-Identifier: Apache-2.0 */
/* Search terms: a table from text to term, and beside it what a walk over all terms looks at first. */
#include "search/search_terms.h"

#include "base/ident.h"
#include "base/map.h"
#include "search/search_stem.h"

#include <stdlib.h>

void search_terms_init(struct search_terms *terms) {
	*terms = (struct search_terms){0};
	ident_random(terms->seed, sizeof terms->seed);
}

static void term_free(struct search_term *term) {
	if (!term) return;
	for (unsigned i = 0; i < SEARCH_WHOSE; i++) free(term->postings[i].items);
	free(term);
}

void search_terms_finish(struct search_terms *terms) {
	for (uint32_t i = 0; i < terms->count; i++) term_free(terms->list[i]);
	free(terms->places);
	free(terms->list);
	free(terms->letters);
	free(terms->roots);
	free(terms->free);
	*terms = (struct search_terms){0};
}

/* ---- By text ---- */

static uint32_t home_of(const struct search_terms *terms, struct slice text) {
	return (uint32_t)map_hash(terms->seed, text) & (terms->place_count - 1);
}

static uint32_t after(const struct search_terms *terms, uint32_t place) {
	return (place + 1) & (terms->place_count - 1);
}

struct search_term *search_terms_find(const struct search_terms *terms, struct slice text) {
	if (terms->place_count == 0) return NULL;
	for (uint32_t at = home_of(terms, text); terms->places[at]; at = after(terms, at)) {
		struct search_term *term = terms->list[terms->places[at] - 1];
		if (slice_equal(search_term_text(term), text)) return term;
	}
	return NULL;
}

static void place(struct search_terms *terms, const struct search_term *term) {
	uint32_t at = home_of(terms, search_term_text(term));
	while (terms->places[at]) at = after(terms, at);
	terms->places[at] = term->at + 1;
}

/* Whoever stands behind and came past the place that is free now moves up to it. */
static void unplace(struct search_terms *terms, const struct search_term *term) {
	uint32_t gap = home_of(terms, search_term_text(term)), mask = terms->place_count - 1;
	while (terms->places[gap] != term->at + 1) gap = after(terms, gap);
	for (uint32_t at = after(terms, gap); terms->places[at]; at = after(terms, at)) {
		uint32_t home = home_of(terms, search_term_text(terms->list[terms->places[at] - 1]));
		if (((at - home) & mask) < ((at - gap) & mask)) continue;
		terms->places[gap] = terms->places[at];
		gap = at;
	}
	terms->places[gap] = 0;
}

/* At most three of four places are taken. */
static bool make_places(struct search_terms *terms, uint32_t capacity) {
	uint32_t count = terms->place_count ? terms->place_count : 256;
	while (count / 4 * 3 < capacity) count *= 2;
	if (count == terms->place_count) return true;
	uint32_t *places = calloc(count, sizeof *places);
	if (!places) return false;
	free(terms->places);
	terms->octets += (count - terms->place_count) * sizeof *places;
	terms->places = places;
	terms->place_count = count;
	for (uint32_t i = 0; i < terms->count; i++)
		if (terms->list[i]) place(terms, terms->list[i]);
	return true;
}

/* ---- ---- */

uint32_t search_terms_letters(struct slice text) {
	uint32_t letters = 0;
	for (size_t i = 0; i < text.length; i++) {
		unsigned char octet = (unsigned char)text.bytes[i];
		if (octet >= 'a' && octet <= 'z')
			letters |= 1u << (octet - 'a');
		else
			letters |= 1u << (26 + octet % 6);
	}
	return letters;
}

/* FNV-1a: no defence is needed, as two roots that are alike make one more word to look at. */
uint32_t search_terms_root(struct slice stem) {
	uint32_t hash = 2166136261u;
	size_t length = search_stem_root(stem);
	for (size_t i = 0; i < length; i++) hash = (hash ^ (unsigned char)stem.bytes[i]) * 16777619u;
	return hash;
}

static bool make_place(struct search_terms *terms) {
	if (terms->free_count > 0 || terms->count < terms->capacity) return true;
	uint32_t capacity = terms->capacity ? terms->capacity + terms->capacity / 4 : 192;
	if (!make_places(terms, capacity)) return false;
	struct search_term **list = reallocarray(terms->list, capacity, sizeof(struct search_term *));
	if (!list) return false;
	terms->list = list;
	uint32_t *const held[] = {terms->letters, terms->roots, terms->free};
	uint32_t **const places[] = {&terms->letters, &terms->roots, &terms->free};
	for (size_t i = 0; i < COUNT_OF(held); i++) {
		uint32_t *more = reallocarray(held[i], capacity, sizeof(uint32_t));
		if (!more) return false;
		*places[i] = more;
	}
	terms->octets += (capacity - terms->capacity) * (sizeof(struct search_term *) + 3 * sizeof(uint32_t));
	terms->capacity = capacity;
	return true;
}

static struct search_term *term_make(struct search_terms *terms, struct slice text) {
	if (!make_place(terms)) return NULL;
	struct search_term *term = calloc(1, sizeof *term + text.length);
	if (!term) return NULL;
	memcpy(term->text, text.bytes, text.length);
	term->length = (uint8_t)text.length;
	term->at = terms->free_count > 0 ? terms->free[--terms->free_count] : terms->count++;
	terms->list[term->at] = term;
	terms->letters[term->at] = search_terms_letters(text);
	terms->roots[term->at] = search_terms_root(text);
	place(terms, term);
	terms->octets += sizeof *term + text.length;
	return term;
}

static void term_drop_if_empty(struct search_terms *terms, struct search_term *term) {
	if (term->postings[SEARCH_TOOL].count > 0 || term->postings[SEARCH_SERVER].count > 0) return;
	unplace(terms, term);
	for (unsigned i = 0; i < SEARCH_WHOSE; i++)
		terms->octets -= term->postings[i].capacity * sizeof(uint32_t);
	terms->octets -= sizeof *term + term->length;
	terms->list[term->at] = NULL;
	terms->letters[term->at] = 0;
	terms->roots[term->at] = 0;
	terms->free[terms->free_count++] = term->at;
	term_free(term);
}

static bool postings_resize(struct search_terms *terms, struct search_postings *postings, uint32_t capacity) {
	uint32_t *items = reallocarray(postings->items, capacity, sizeof(uint32_t));
	if (!items) return false;
	terms->octets = terms->octets + capacity * sizeof(uint32_t) - postings->capacity * sizeof(uint32_t);
	postings->items = items;
	postings->capacity = capacity;
	return true;
}

static bool posting_add(struct search_terms *terms, struct search_postings *postings, uint32_t posting) {
	uint32_t count = postings->count;
	if (count == postings->capacity && !postings_resize(terms, postings, count < 4 ? count + 1 : count + count / 4 + 1))
		return false;
	postings->items[postings->count++] = posting;
	return true;
}

static void posting_take_out(struct search_terms *terms, struct search_postings *postings, uint32_t at) {
	postings->items[at] = postings->items[--postings->count];
	/* A list that does not become smaller serves as well. */
	if (postings->count >= 4 && postings->count < postings->capacity / 4)
		(void)!postings_resize(terms, postings, postings->capacity / 2);
}

bool search_terms_add(struct search_terms *terms, struct slice text, enum search_whose whose, uint32_t who,
	uint8_t weight, uint32_t *number) {
	if (text.length == 0 || text.length > SEARCH_WORD) return false;
	struct search_term *term = search_terms_find(terms, text);
	if (!term) term = term_make(terms, text);
	if (!term) return false;
	if (!posting_add(terms, &term->postings[whose], who << 8 | weight)) {
		term_drop_if_empty(terms, term);
		return false;
	}
	*number = term->at;
	return true;
}

void search_terms_remove(struct search_terms *terms, uint32_t number, enum search_whose whose, uint32_t who) {
	struct search_term *term = terms->list[number];
	struct search_postings *postings = &term->postings[whose];
	uint32_t at = 0;
	while (at < postings->count && postings->items[at] >> 8 != who) at++;
	if (at == postings->count) return;
	posting_take_out(terms, postings, at);
	term_drop_if_empty(terms, term);
}
