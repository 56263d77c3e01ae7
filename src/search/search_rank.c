/* SPDX-License-Identifier: Apache-2.0 */
/* Search rank: word by word over the postings, then once over all tools. */
#include "search/search_rank.h"

#define SERVER_SHARE 0.85f /* what a server's word counts for its tools */
#define BOTH_SHARE 0.45f   /* of the smaller, where a tool and its server have the word */
#define FULL 0.75f         /* the share of all weights with which a tool answers in full */

#define LONG 4    /* words of a question that count in full */
#define LESS 0.6f /* each after them, of the one before */

/* What a tool counts that does what was asked for, something else, or the one of both that deletes. */
#define SAME_DEED 1.08f
#define OTHER_DEED 0.94f
#define DELETES 0.8f

/* Sums of one word, by tool and by server, of those that have it. */
struct summing {
	struct search_index *index;
	uint32_t tools, sites;
};

void search_rank_raise(float *held, float value, uint32_t who, uint32_t *touched, uint32_t *count) {
	if (*held == 0) touched[(*count)++] = who;
	if (*held < value) *held = value;
}

static void sum_choice(struct summing *summing, const struct search_term *term, float weight) {
	struct search_scratch *scratch = &summing->index->scratch;
	const struct search_postings *tools = &term->postings[SEARCH_TOOL], *sites = &term->postings[SEARCH_SERVER];
	for (uint32_t i = 0; i < tools->count; i++) {
		uint32_t who = tools->items[i] >> 8;
		float value = weight * (float)(tools->items[i] & 255) / 255;
		search_rank_raise(&scratch->owns[who], value, who, scratch->touched, &summing->tools);
	}
	for (uint32_t i = 0; i < sites->count; i++) {
		uint32_t who = sites->items[i] >> 8;
		float value = weight * (float)(sites->items[i] & 255) / 255;
		search_rank_raise(&scratch->sites[who], value, who, scratch->touched_sites, &summing->sites);
	}
}

float search_rank_both(float own, float site) {
	site *= SERVER_SHARE;
	return own > site ? own + BOTH_SHARE * site : site + BOTH_SHARE * own;
}

/* What a server has of the word is its tool's; an entry in `touched` where it had none itself. */
static void give(struct summing *summing, uint32_t tool, float site) {
	struct search_scratch *scratch = &summing->index->scratch;
	float *own = &scratch->owns[tool];
	if (*own == 0) scratch->touched[summing->tools++] = tool;
	*own = search_rank_both(*own, site);
}

static void give_to_all(struct summing *summing) {
	const struct search_index *index = summing->index;
	for (uint32_t i = 0; i < index->tool_places; i++) {
		float site = index->scratch.sites[index->scratch.site_of[i]];
		if (site > 0 && index->tools[i]) give(summing, i, site);
	}
}

/* Server by server; where they have a good part of all tools, once over those, which is the quicker. */
static void spread(struct summing *summing) {
	struct search_index *index = summing->index;
	const uint32_t *touched = index->scratch.touched_sites;
	size_t tools = 0;
	for (uint32_t i = 0; i < summing->sites; i++) tools += index->by_number[touched[i]]->by_name.count;
	bool is_common = tools > index->tool_places / 8;
	if (is_common) give_to_all(summing);
	for (uint32_t i = 0; i < summing->sites; i++) {
		float site = index->scratch.sites[touched[i]];
		index->scratch.sites[touched[i]] = 0;
		if (is_common) continue;
		LIST_EACH(link, &index->by_number[touched[i]]->tools)
			give(summing, CONTAINER_OF(link, struct search_tool, in_site)->number, site);
	}
}

static void sum_asked(struct search_index *index, const struct search_asked *asked) {
	struct summing summing = {.index = index};
	struct search_scratch *scratch = &index->scratch;
	for (size_t i = 0; i < asked->count; i++)
		sum_choice(&summing, index->terms.list[asked->choices[i].term], asked->choices[i].weight);
	spread(&summing);
	for (uint32_t i = 0; i < summing.tools; i++) {
		float *held = &scratch->owns[scratch->touched[i]];
		scratch->totals[scratch->touched[i]] += *held;
		*held = 0;
	}
}

static int order(const struct search_ranked *a, const struct search_ranked *b) {
	if (a->score != b->score) return a->score > b->score ? -1 : 1;
	int servers = strcmp(a->tool->site->id, b->tool->site->id);
	return servers ? servers : strcmp(search_tool_name(a->tool).bytes, search_tool_name(b->tool).bytes);
}

size_t search_rank_keep(struct search_ranked *ranked, size_t count, size_t most, struct search_ranked one) {
	size_t at = count;
	if (count == most && (most == 0 || order(&one, &ranked[count - 1]) >= 0)) return count;
	if (count < most)
		count++;
	else
		at--;
	for (; at > 0 && order(&one, &ranked[at - 1]) < 0; at--) ranked[at] = ranked[at - 1];
	ranked[at] = one;
	return count;
}

static float by_deed(enum search_deed asked, enum search_deed has) {
	if (asked == SEARCH_ANY || has == SEARCH_ANY) return 1;
	if (asked == has) return SAME_DEED;
	return asked == SEARCH_DELETE || has == SEARCH_DELETE ? DELETES : OTHER_DEED;
}

/* What is low becomes lower still: between tools that fit and those that share a word with anything. */
static float bent(float score) {
	return score >= 1 ? score : score * score * (3 - 2 * score);
}

/* What all words weigh; of a long question the lesser ones less and less, as no tool does all that it tells. */
static float weight_of_all(const struct search_plan *plan) {
	float weights[SEARCH_ASKED], all = 0, share = 1;
	for (size_t i = 0; i < plan->count; i++) {
		size_t at = i;
		for (; at > 0 && weights[at - 1] < plan->asked[i].weight; at--) weights[at] = weights[at - 1];
		weights[at] = plan->asked[i].weight;
	}
	for (size_t i = 0; i < plan->count; i++) {
		if (i >= LONG) share *= LESS;
		all += share * weights[i];
	}
	return all;
}

size_t search_rank_run(struct search_index *index, const struct search_plan *plan, float least,
	struct search_ranked *ranked, size_t most) {
	float all = weight_of_all(plan);
	size_t count = 0;
	for (size_t i = 0; i < plan->count; i++) sum_asked(index, &plan->asked[i]);
	for (uint32_t i = 0; i < index->tool_places; i++) {
		float total = index->scratch.totals[i];
		if (total == 0) continue;
		index->scratch.totals[i] = 0;
		/* Most cannot come among the best: they are told without a look at the tool. */
		if (count > 0 && count == most && bent(total / (all * FULL) * SAME_DEED) < ranked[most - 1].score) continue;
		const struct search_tool *tool = index->tools[i];
		float score = bent(total / (all * FULL) * by_deed(plan->deed, tool->deed));
		struct search_ranked one = {.tool = tool, .score = score};
		if (score < least || !search_index_sees_tool(index, tool)) continue;
		count = search_rank_keep(ranked, count, most, one);
	}
	return count;
}
