/* SPDX-License-Identifier: Apache-2.0 */
/* Search near: how near two words are, and the best of all terms. */
#include "search/search_near.h"

#define FUZZY_LEAST 4 /* octets of a word that may be misspelt */
#define LONG_WORD 8   /* from here on two letters may be wrong */
#define FIRST_LEAST 6 /* octets of a word whose first letter may be the wrong one */
#define THREES_LEAST 0.6
#define ROOT_NEARNESS 0.85f

unsigned search_near_distance(struct slice a, struct slice b, unsigned most) {
	unsigned rows[3][SEARCH_WORD + 1];
	size_t apart = a.length > b.length ? a.length - b.length : b.length - a.length;
	if (apart > most || a.length > SEARCH_WORD || b.length > SEARCH_WORD) return most + 1;
	for (unsigned j = 0; j <= b.length; j++) rows[0][j] = j;
	for (size_t i = 1; i <= a.length; i++) {
		unsigned *row = rows[i % 3], *above = rows[(i + 2) % 3], *before = rows[(i + 1) % 3], least;
		row[0] = least = (unsigned)i;
		for (size_t j = 1; j <= b.length; j++) {
			unsigned best = above[j - 1] + (a.bytes[i - 1] != b.bytes[j - 1]);
			if (above[j] + 1 < best) best = above[j] + 1;
			if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
			if (i > 1 && j > 1 && a.bytes[i - 1] == b.bytes[j - 2] && a.bytes[i - 2] == b.bytes[j - 1] &&
				before[j - 2] + 1 < best)
				best = before[j - 2] + 1;
			row[j] = best;
			if (best < least) least = best;
		}
		if (least > most) return most + 1;
	}
	return rows[a.length % 3][b.length] > most ? most + 1 : rows[a.length % 3][b.length];
}

/* Of the threes of letters of both, how many they share (the measure of Dice). */
static double threes(struct slice a, struct slice b) {
	size_t longer = a.length > b.length ? a.length - 2 : b.length - 2, both = a.length - 2 + b.length - 2;
	if (a.length < 5 || b.length < 5 || 2 * (both - longer) < THREES_LEAST * both) return 0;
	size_t shared = 0;
	uint32_t used = 0; /* of b; words have fewer than 32 */
	for (size_t i = 0; i + 3 <= a.length; i++)
		for (size_t j = 0; j + 3 <= b.length; j++)
			if (!(used >> j & 1) && memcmp(a.bytes + i, b.bytes + j, 3) == 0) {
				used |= 1u << j;
				shared++;
				break;
			}
	return 2.0 * (double)shared / (double)both;
}

static double misspelt(struct slice word, struct slice term) {
	if (word.length < FUZZY_LEAST || term.length < 3) return 0;
	unsigned most = word.length < LONG_WORD ? 1 : 2;
	unsigned distance = search_near_distance(word, term, most);
	if (distance > most) return 0;
	double nearness = distance == 1 ? 0.9 : 0.75;
	/* The first letter is seldom the wrong one, and of a short word it makes another. */
	if (word.bytes[0] == term.bytes[0]) return nearness;
	return word.length < FIRST_LEAST ? 0 : nearness - 0.12;
}

static double inside(struct slice word, struct slice term) {
	struct slice longer = word.length > term.length ? word : term, shorter = word.length > term.length ? term : word;
	if (shorter.length < FUZZY_LEAST || shorter.length == longer.length) return 0;
	const char *at = memmem(longer.bytes, longer.length, shorter.bytes, shorter.length);
	if (!at) return 0;
	double share = (double)shorter.length / (double)longer.length;
	if (at != longer.bytes && share < 0.5) return 0;
	return (at == longer.bytes ? 0.55 : 0.35) + 0.3 * share;
}

static double nearness_of(struct slice word, struct slice term) {
	double best = misspelt(word, term), other = inside(word, term);
	if (other > best) best = other;
	if (best > 0) return best;
	other = threes(word, term);
	return other >= THREES_LEAST ? 0.7 * other : 0;
}

/* Terms with so few letters of their own, and so few of the word's missing, are worth a look. */
static bool may_be_near(uint32_t word, uint32_t term) {
	int missing = __builtin_popcount(word & ~term), more = __builtin_popcount(term & ~word);
	return missing <= 2 ? more <= 2 || missing == 0 : more == 0;
}

/* Of two that are as near, the one that comes first by its letters: which is the older may be a secret. */
static bool is_nearer(const struct search_terms *terms, struct search_near a, struct search_near b) {
	if (a.nearness != b.nearness) return a.nearness > b.nearness;
	struct slice first = search_term_text(terms->list[a.term]), second = search_term_text(terms->list[b.term]);
	int letters = memcmp(first.bytes, second.bytes, first.length < second.length ? first.length : second.length);
	return letters ? letters < 0 : first.length < second.length;
}

static size_t keep(const struct search_terms *terms, struct search_near near[SEARCH_NEAR], size_t count,
	struct search_near one) {
	size_t at = count < SEARCH_NEAR ? count++ : SEARCH_NEAR;
	while (at > 0 && is_nearer(terms, one, near[at - 1])) {
		if (at < SEARCH_NEAR) near[at] = near[at - 1];
		at--;
	}
	if (at < SEARCH_NEAR) near[at] = one;
	return count;
}

size_t search_near_find(const struct search_index *index, struct slice stem, struct search_near near[SEARCH_NEAR]) {
	const struct search_terms *terms = &index->terms;
	uint32_t letters = search_terms_letters(stem);
	size_t count = 0;
	for (uint32_t i = 0; i < terms->count; i++) {
		if (!terms->letters[i] || !may_be_near(letters, terms->letters[i])) continue;
		double nearness = nearness_of(stem, search_term_text(terms->list[i]));
		if (nearness > 0 && search_index_sees(index, terms->list[i]))
			count = keep(terms, near, count, (struct search_near){i, (float)nearness});
	}
	return count;
}

size_t search_near_roots(const struct search_index *index, struct slice stem, struct search_near near[SEARCH_NEAR]) {
	const struct search_terms *terms = &index->terms;
	uint32_t root = search_terms_root(stem);
	size_t count = 0;
	for (uint32_t i = 0; i < terms->count; i++)
		if (terms->roots[i] == root && terms->list[i] && !slice_equal(search_term_text(terms->list[i]), stem) &&
			search_index_sees(index, terms->list[i]))
			count = keep(terms, near, count, (struct search_near){i, ROOT_NEARNESS});
	return count;
}
