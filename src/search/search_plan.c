/* SPDX-License-Identifier: Apache-2.0 */
/* Search plan: words of the query first, then what may stand for each. */
#include "search/search_plan.h"

#include "search/search_near.h"

#include <math.h>

#define TOLD_MOST 96    /* words of a query that are read at all */
#define PAIR_SHARE 1.35 /* others for two words that mean something together are nearer */
#define PAIR_WEIGHT 0.7 /* where its words ask for themselves as well */
#define RARITY 0.9      /* how much more a rare word says */
#define UNKNOWN 0.8f    /* how much a word says that nothing stands for */
#define NUMBER 0.3f     /* how much a number says, of what it would as a word */

struct told {
	char stem[SEARCH_WORD], plain[SEARCH_WORD];
	uint8_t stem_length, plain_length;
	bool is_whole, is_gone, is_empty;
	size_t place;
};

struct telling {
	const struct search_words *words;
	struct told list[TOLD_MOST];
	size_t count;
};

static struct slice stem_of(const struct told *told) {
	return slice_make(told->stem, told->stem_length);
}

static bool told_seen(void *context, const struct search_word *word) {
	struct telling *telling = context;
	if (telling->count == TOLD_MOST) return false;
	struct told *told = &telling->list[telling->count++];
	memcpy(told->stem, word->stem.bytes, word->stem.length);
	memcpy(told->plain, word->plain.bytes, word->plain.length);
	told->stem_length = (uint8_t)word->stem.length;
	told->plain_length = (uint8_t)word->plain.length;
	told->is_whole = word->is_whole;
	told->is_gone = false;
	told->is_empty = search_words_is_empty(telling->words, word->plain, true);
	told->place = word->place;
	return true;
}

/* A word that is a term as a whole is not asked for in parts. */
static void prefer_wholes(struct telling *telling, const struct search_index *index) {
	for (size_t i = 0; i < telling->count; i++) {
		const struct told *whole = &telling->list[i];
		if (!whole->is_whole || !search_index_find(index, stem_of(whole))) continue;
		for (size_t j = i; j-- > 0 && telling->list[j].place >= whole->place;)
			if (!telling->list[j].is_whole) telling->list[j].is_gone = true;
	}
}

static struct search_asked *ask(struct search_plan *plan, struct slice text, bool is_pair) {
	for (size_t i = 0; i < plan->count; i++)
		if (slice_equal(slice_make(plan->asked[i].text, plan->asked[i].length), text)) return NULL;
	if (plan->count == SEARCH_ASKED) return NULL;
	struct search_asked *asked = &plan->asked[plan->count++];
	*asked = (struct search_asked){.length = (uint8_t)text.length, .is_pair = is_pair};
	memcpy(asked->text, text.bytes, text.length);
	return asked;
}

static void choose(struct search_asked *asked, uint32_t term, double nearness) {
	for (size_t i = 0; i < asked->count; i++) {
		if (asked->choices[i].term != term) continue;
		if (asked->choices[i].nearness < nearness) asked->choices[i].nearness = (float)nearness;
		return;
	}
	if (asked->count < SEARCH_CHOICES) asked->choices[asked->count++] = (struct search_choice){.term = term, .nearness = (float)nearness};
}

/* ---- Others ---- */

struct choosing {
	const struct search_index *index;
	struct search_asked *asked;
	double share;
};

static void other_seen(void *context, struct slice stem, double nearness) {
	const struct choosing *choosing = context;
	const struct search_term *term = search_index_find(choosing->index, stem);
	if (term) choose(choosing->asked, term->at, nearness * choosing->share);
}

static bool choose_others(const struct search_index *index, const struct search_words *words, struct search_asked *asked,
	struct slice stem, double share) {
	struct choosing choosing = {.index = index, .asked = asked, .share = share};
	return search_words_others(words, stem, other_seen, &choosing);
}

/* Words of the index that a word looks like, and what may stand for the nearest of them. */
static void choose_near(const struct search_index *index, const struct search_words *words, struct search_asked *asked,
	struct slice stem) {
	struct search_near near[SEARCH_NEAR];
	size_t count = search_near_find(index, stem, near);
	for (size_t i = 0; i < count; i++) {
		choose(asked, near[i].term, near[i].nearness);
		if (near[i].nearness < 0.85f || near[i].nearness < near[0].nearness) continue;
		(void)choose_others(index, words, asked, search_term_text(index->terms.list[near[i].term]), near[i].nearness);
	}
}

static void choose_roots(const struct search_index *index, struct search_asked *asked, struct slice stem) {
	struct search_near near[SEARCH_NEAR];
	size_t count = search_near_roots(index, stem, near);
	for (size_t i = 0; i < count; i++) choose(asked, near[i].term, near[i].nearness);
}

static void choose_all(const struct search_index *index, const struct search_words *words, struct search_asked *asked,
	size_t *unknown, bool is_exact) {
	struct slice stem = slice_make(asked->text, asked->length);
	const struct search_term *term = search_index_find(index, stem);
	asked->is_known = term != NULL;
	if (term) choose(asked, term->at, 1);
	if (!is_exact) {
		choose_roots(index, asked, stem);
		(void)choose_others(index, words, asked, stem, 1);
	}
	asked->is_understood = asked->count > 0;
	if (!term && (*unknown)++ < SEARCH_UNKNOWN_MOST) choose_near(index, words, asked, stem);
}

/* ---- Pairs ---- */

static void ask_pair(struct search_plan *plan, const struct search_index *index, const struct search_words *words,
	struct told *first, struct told *second) {
	char text[2 * SEARCH_WORD + 1];
	memcpy(text, first->stem, first->stem_length);
	text[first->stem_length] = ' ';
	memcpy(text + first->stem_length + 1, second->stem, second->stem_length);
	struct slice pair = slice_make(text, (size_t)first->stem_length + 1 + second->stem_length);
	struct search_asked other = {0};
	if (!choose_others(index, words, &other, pair, PAIR_SHARE) || other.count == 0) return;
	struct search_asked *asked = ask(plan, pair, true);
	if (!asked) return;
	asked->is_understood = true;
	asked->count = other.count;
	memcpy(asked->choices, other.choices, sizeof other.choices);
	asked->weight = PAIR_WEIGHT;
	if (!first->is_empty && !second->is_empty) return;
	asked->weight = 1;
	first->is_gone = second->is_gone = true;
}

/* "fire crawl" is firecrawl where that is a term: both words may stand for it. */
static void choose_joined(struct search_plan *plan, const struct search_index *index, const struct told *first,
	const struct told *second) {
	char text[2 * SEARCH_WORD];
	size_t length = (size_t)first->plain_length + second->stem_length;
	if (length < 6 || length > SEARCH_WORD) return;
	memcpy(text, first->plain, first->plain_length);
	memcpy(text + first->plain_length, second->stem, second->stem_length);
	const struct search_term *term = search_index_find(index, slice_make(text, length));
	if (!term) return;
	for (size_t i = 0; i < plan->count; i++) {
		struct slice asked = slice_make(plan->asked[i].text, plan->asked[i].length);
		if (slice_equal(asked, stem_of(first)) || slice_equal(asked, stem_of(second)))
			choose(&plan->asked[i], term->at, 1);
	}
}

static void each_pair(struct search_plan *plan, const struct search_index *index, const struct search_words *words,
	struct telling *telling, bool is_joining) {
	struct told *first = NULL;
	for (size_t i = 0; i < telling->count; i++) {
		struct told *second = &telling->list[i];
		if (second->is_whole) continue;
		if (first && is_joining) choose_joined(plan, index, first, second);
		if (first && !is_joining) ask_pair(plan, index, words, first, second);
		first = second;
	}
}

/* ---- Weights ---- */

/* How much a term says, 0..1: the fewer tools have it, the more. */
static float weight_of(const struct search_index *index, uint32_t at) {
	const struct search_term *term = index->terms.list[at];
	double tools = index->seen_tools + 1.0, servers = index->seen_sites + 1.0;
	double by_servers = tools * search_index_count(index, term, SEARCH_SERVER) / servers;
	double has = search_index_count(index, term, SEARCH_TOOL);
	if (by_servers > has) has = by_servers;
	return (float)pow(log(1 + tools / (has + 0.5)) / log(1 + tools / 0.5), RARITY);
}

static bool is_number(const struct search_asked *asked) {
	for (size_t i = 0; i < asked->length; i++)
		if (asked->text[i] < '0' || asked->text[i] > '9') return false;
	return true;
}

/* Another word for one that is known says no more than that does, however rare it is. */
static void weigh(const struct search_index *index, struct search_asked *asked) {
	float share = asked->is_pair ? asked->weight : is_number(asked) ? NUMBER
									: 1;
	float best = 0, own = asked->is_known ? weight_of(index, asked->choices[0].term) : 1;
	for (size_t i = 0; i < asked->count; i++) {
		struct search_choice *choice = &asked->choices[i];
		float weight = weight_of(index, choice->term);
		choice->weight = (weight < own ? weight : own) * choice->nearness * share;
		if (choice->weight > best) best = choice->weight;
	}
	asked->weight = asked->count > 0 ? best : UNKNOWN * share;
}

/* Where no word is understood and less than half of them look like any, nothing was asked. */
static bool is_gibberish(const struct search_plan *plan) {
	size_t alike = 0;
	for (size_t i = 0; i < plan->count; i++) {
		if (plan->asked[i].is_understood) return false;
		alike += plan->asked[i].count > 0;
	}
	return 2 * alike < plan->count;
}

/* ---- ---- */

static enum search_deed deed_of(const struct search_words *words, const struct telling *telling) {
	for (size_t i = 0; i < telling->count && i < 6; i++) {
		const struct told *told = &telling->list[i];
		enum search_deed deed = search_words_deed(words, stem_of(told));
		if (deed != SEARCH_ANY && !told->is_whole) return deed;
	}
	return SEARCH_ANY;
}

void search_plan_make(struct search_plan *plan, const struct search_index *index, const struct search_words *words,
	struct slice query, bool is_exact) {
	struct telling telling;
	size_t unknown = 0;
	telling.words = words;
	telling.count = 0;
	plan->count = 0;
	(void)search_text_each(query, SEARCH_QUERY, told_seen, &telling);
	plan->deed = deed_of(words, &telling);
	prefer_wholes(&telling, index);
	if (!is_exact) each_pair(plan, index, words, &telling, false);
	size_t pairs = plan->count;
	for (size_t i = 0; i < telling.count; i++)
		if (!telling.list[i].is_gone && !telling.list[i].is_empty) (void)ask(plan, stem_of(&telling.list[i]), false);
	/* A query of nothing but empty words asks for them. */
	for (size_t i = 0; i < telling.count && plan->count == 0; i++) (void)ask(plan, stem_of(&telling.list[i]), false);
	for (size_t i = pairs; i < plan->count; i++) choose_all(index, words, &plan->asked[i], &unknown, is_exact);
	if (!is_exact) each_pair(plan, index, words, &telling, true);
	for (size_t i = 0; i < plan->count; i++) weigh(index, &plan->asked[i]);
	if (is_gibberish(plan)) plan->count = 0;
}
