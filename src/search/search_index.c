/* SPDX-License-Identifier: Apache-2.0 */
/* Search index: numbers for tools and servers, and their postings put in and taken out. */
#include "search/search_index.h"

#include <stdlib.h>

void search_index_init(struct search_index *index, uint32_t most_tools) {
	*index = (struct search_index){.most_tools = most_tools};
	search_terms_init(&index->terms);
	map_init(&index->sites);
}

static void site_free(struct search_site *site) {
	map_finish(&site->by_name);
	free(site->terms);
	free(site);
}

void search_index_finish(struct search_index *index) {
	for (uint32_t i = 0; i < index->tool_places; i++) free(index->tools[i]);
	for (uint32_t i = 0; i < index->site_places; i++)
		if (index->by_number[i]) site_free(index->by_number[i]);
	map_finish(&index->sites);
	search_terms_finish(&index->terms);
	void *const arrays[] = {index->tools, index->by_number, index->free_tools, index->free_sites, index->scratch.totals,
		index->scratch.owns, index->scratch.touched, index->scratch.sites, index->scratch.touched_sites, index->scratch.site_of,
		index->scratch.seen, index->scratch.seen_sites};
	for (size_t i = 0; i < COUNT_OF(arrays); i++) free(arrays[i]);
	*index = (struct search_index){0};
}

struct slice search_tool_name(const struct search_tool *tool) {
	return slice_make(&tool->terms[tool->term_count], tool->name_length);
}

struct slice search_tool_server(const struct search_tool *tool) {
	return slice_make(tool->site->id, tool->site->id_length);
}

struct slice search_tool_categories(const struct search_tool *tool) {
	struct slice name = search_tool_name(tool);
	return slice_make(name.bytes + name.length + 1, tool->category_octets);
}

/* ---- Places by number ---- */

/* More places in an array; what is new is zero. */
#define MORE(array, before, after) \
	({ \
		__typeof__(array) more_ = reallocarray((array), (after), sizeof *(array)); \
		if (more_) { \
			memset(more_ + (before), 0, ((size_t)(after) - (before)) * sizeof *more_); \
			(array) = more_; \
		} \
		more_ != NULL; \
	})

static bool tool_place(struct search_index *index) {
	uint32_t before = index->tool_capacity, after = before ? before + before / 4 + 1 : 64;
	if (index->free_tool_count > 0 || index->tool_places < before) return true;
	if (!MORE(index->tools, before, after) || !MORE(index->free_tools, before, after) ||
		!MORE(index->scratch.totals, before, after) || !MORE(index->scratch.owns, before, after) ||
		!MORE(index->scratch.touched, before, after) || !MORE(index->scratch.seen, before, after) ||
		!MORE(index->scratch.site_of, before, after))
		return false;
	index->tool_capacity = after;
	index->octets += (after - before) * (sizeof(void *) + 3 * sizeof(uint32_t) + 2 * sizeof(float) + 1);
	return true;
}

static bool site_place(struct search_index *index) {
	uint32_t before = index->site_capacity, after = before ? before + before / 2 : 16;
	if (index->free_site_count > 0 || index->site_places < before) return true;
	if (!MORE(index->by_number, before, after) || !MORE(index->free_sites, before, after) ||
		!MORE(index->scratch.sites, before, after) || !MORE(index->scratch.touched_sites, before, after) ||
		!MORE(index->scratch.seen_sites, before, after))
		return false;
	index->site_capacity = after;
	index->octets += (after - before) * (sizeof(void *) + 2 * sizeof(uint32_t) + sizeof(float) + 1);
	return true;
}

/* ---- Postings ---- */

/* Those of the record's words; how many could be put in. */
static uint32_t post(struct search_index *index, enum search_whose whose, uint32_t who, uint32_t *numbers) {
	const struct search_record *record = &index->record;
	for (uint32_t i = 0; i < record->count; i++) {
		const struct search_record_word *word = &record->words[i];
		if (!search_terms_add(&index->terms, slice_make(word->text, word->length), whose, who, word->weight, &numbers[i]))
			return i;
	}
	return (uint32_t)record->count;
}

static void unpost(struct search_index *index, enum search_whose whose, uint32_t who, const uint32_t *numbers, uint32_t count) {
	for (uint32_t i = 0; i < count; i++) search_terms_remove(&index->terms, numbers[i], whose, who);
}

/* ---- Servers ---- */

static struct search_site *site_make(struct search_index *index, struct slice id, struct fault *why) {
	if (index->sites.count == SEARCH_SERVERS)
		return fault_null(why, FAULT_FULL, "the tool index holds %d servers already", SEARCH_SERVERS);
	struct search_site *site = site_place(index) ? calloc(1, sizeof *site + id.length + 1) : NULL;
	if (!site) return fault_null(why, FAULT_NO_MEMORY, "no memory for another server of the tool index");
	memcpy(site->id, id.bytes, id.length);
	site->id_length = (uint16_t)id.length;
	map_init(&site->by_name);
	list_init(&site->tools);
	if (!map_add(&index->sites, slice_make(site->id, site->id_length), site, NULL)) {
		site_free(site);
		return fault_null(why, FAULT_NO_MEMORY, "no memory for another server of the tool index");
	}
	site->number = index->free_site_count > 0 ? index->free_sites[--index->free_site_count] : index->site_places++;
	index->by_number[site->number] = site;
	index->octets += sizeof *site + id.length + 2 * sizeof(struct map_entry);
	return site;
}

static void site_unpost(struct search_index *index, struct search_site *site) {
	unpost(index, SEARCH_SERVER, site->number, site->terms, site->term_count);
	index->octets -= site->term_count * sizeof(uint32_t);
	free(TAKE(site->terms));
	site->term_count = 0;
}

static void site_drop_if_empty(struct search_index *index, struct search_site *site) {
	if (site->has_text || site->by_name.count > 0) return;
	site_unpost(index, site);
	map_remove(&index->sites, slice_make(site->id, site->id_length));
	index->by_number[site->number] = NULL;
	index->free_sites[index->free_site_count++] = site->number;
	index->octets -= sizeof *site + site->id_length + 2 * sizeof(struct map_entry);
	site_free(site);
}

/* By what the record holds. */
static bool site_post(struct search_index *index, struct search_site *site) {
	uint32_t *terms = reallocarray(NULL, index->record.count + 1, sizeof(uint32_t));
	if (!terms) return false;
	site_unpost(index, site);
	site->terms = terms;
	site->term_count = post(index, SEARCH_SERVER, site->number, terms);
	index->octets += site->term_count * sizeof(uint32_t);
	return site->term_count == index->record.count;
}

bool search_index_server(struct search_index *index, struct slice server, struct fault *why) {
	struct search_site *site = map_find(&index->sites, server);
	if (!site) site = site_make(index, server, why);
	if (!site) return false;
	bool is_posted = site_post(index, site);
	if (is_posted) site->has_text = true;
	site_drop_if_empty(index, site);
	return is_posted || fault_set(why, FAULT_NO_MEMORY, "no memory for a server's words in the tool index");
}

/* ---- Tools ---- */

static void tool_drop(struct search_index *index, struct search_tool *tool) {
	struct search_site *site = tool->site;
	unpost(index, SEARCH_TOOL, tool->number, tool->terms, tool->term_count);
	map_remove(&site->by_name, search_tool_name(tool));
	list_remove(&tool->in_site);
	index->tools[tool->number] = NULL;
	index->free_tools[index->free_tool_count++] = tool->number;
	index->tool_count--;
	index->octets -= sizeof *tool + tool->term_count * sizeof(uint32_t) + tool->name_length + 1u + tool->category_octets +
		2 * sizeof(struct map_entry);
	free(tool);
	site_drop_if_empty(index, site);
}

static struct search_tool *tool_make(const struct search_index *index, struct slice name) {
	const struct search_record *record = &index->record;
	size_t octets = 0;
	for (size_t i = 0; i < record->category_count; i++) octets += strlen(record->categories[i]) + 1;
	struct search_tool *tool = calloc(1, sizeof *tool + record->count * sizeof(uint32_t) + name.length + 1 + octets);
	if (!tool) return NULL;
	char *to = (char *)&tool->terms[record->count];
	memcpy(to, name.bytes, name.length);
	to += name.length + 1;
	for (size_t i = 0; i < record->category_count; i++) to = stpcpy(to, record->categories[i]) + 1;
	tool->term_count = (uint16_t)record->count;
	tool->name_length = (uint16_t)name.length;
	tool->category_octets = (uint16_t)octets;
	tool->deed = (uint8_t)record->deed;
	return tool;
}

/* The tool has a number; its postings, or nothing at all. */
static bool tool_post(struct search_index *index, struct search_tool *tool) {
	uint32_t posted = post(index, SEARCH_TOOL, tool->number, tool->terms);
	if (posted == index->record.count && map_add(&tool->site->by_name, search_tool_name(tool), tool, NULL)) return true;
	unpost(index, SEARCH_TOOL, tool->number, tool->terms, posted);
	return false;
}

static bool tool_add(struct search_index *index, struct search_site *site, struct slice name) {
	struct search_tool *tool = tool_place(index) ? tool_make(index, name) : NULL;
	if (!tool) return false;
	tool->site = site;
	bool is_used_again = index->free_tool_count > 0;
	tool->number = is_used_again ? index->free_tools[index->free_tool_count - 1] : index->tool_places;
	if (!tool_post(index, tool)) {
		free(tool);
		return false;
	}
	if (is_used_again)
		index->free_tool_count--;
	else
		index->tool_places++;
	index->tools[tool->number] = tool;
	index->scratch.site_of[tool->number] = site->number;
	list_append(&site->tools, &tool->in_site);
	index->tool_count++;
	index->octets += sizeof *tool + tool->term_count * sizeof(uint32_t) + tool->name_length + 1u + tool->category_octets +
		2 * sizeof(struct map_entry);
	return true;
}

/* A server that was told nothing of is known by its id. */
static struct search_site *site_of(struct search_index *index, struct slice server, struct fault *why) {
	struct search_site *site = map_find(&index->sites, server);
	return site ? site : site_make(index, server, why);
}

static bool site_name(struct search_index *index, struct search_site *site, const struct search_words *words) {
	if (site->term_count > 0) return true;
	search_record_server(&index->record, words, slice_make(site->id, site->id_length), SLICE_NONE, SLICE_NONE);
	return site_post(index, site);
}

bool search_index_put(struct search_index *index, const struct search_words *words, struct slice server,
	struct slice name, struct fault *why) {
	search_index_remove(index, server, name);
	if (index->tool_count >= index->most_tools)
		return fault_set(why, FAULT_FULL, "the tool index holds %u tools already", index->most_tools);
	struct search_site *site = site_of(index, server, why);
	if (!site) return false;
	if (tool_add(index, site, name) && site_name(index, site, words)) return true;
	search_index_remove(index, server, name);
	site = map_find(&index->sites, server);
	if (site) site_drop_if_empty(index, site);
	return fault_set(why, FAULT_NO_MEMORY, "no memory for another tool in the tool index");
}

void search_index_remove(struct search_index *index, struct slice server, struct slice name) {
	struct search_site *site = map_find(&index->sites, server);
	struct search_tool *tool = site ? map_find(&site->by_name, name) : NULL;
	if (tool) tool_drop(index, tool);
}

void search_index_remove_server(struct search_index *index, struct slice server) {
	struct search_site *site = map_find(&index->sites, server);
	if (!site) return;
	site->has_text = true; /* it stays until its tools are gone */
	while (!list_is_empty(&site->tools)) tool_drop(index, CONTAINER_OF(site->tools.next, struct search_tool, in_site));
	site->has_text = false;
	site_drop_if_empty(index, site);
}

/* ---- What a question may see ---- */

void search_index_look(struct search_index *index, search_index_filter *filter, void *context) {
	index->sees_all = !filter;
	index->seen_tools = filter ? 0 : index->tool_count;
	index->seen_sites = filter ? 0 : (uint32_t)index->sites.count;
	if (!filter) return;
	if (index->site_places > 0) memset(index->scratch.seen_sites, 0, index->site_places);
	for (uint32_t i = 0; i < index->tool_places; i++) {
		const struct search_tool *tool = index->tools[i];
		bool is_seen = tool && filter(context, tool);
		index->scratch.seen[i] = is_seen;
		if (!is_seen) continue;
		index->seen_tools++;
		uint8_t *site = &index->scratch.seen_sites[tool->site->number];
		index->seen_sites += !*site;
		*site = 1;
	}
}

bool search_index_sees_tool(const struct search_index *index, const struct search_tool *tool) {
	return index->sees_all || index->scratch.seen[tool->number];
}

static const uint8_t *seen_of(const struct search_index *index, enum search_whose whose) {
	return whose == SEARCH_TOOL ? index->scratch.seen : index->scratch.seen_sites;
}

uint32_t search_index_count(const struct search_index *index, const struct search_term *term, enum search_whose whose) {
	const struct search_postings *postings = &term->postings[whose];
	const uint8_t *seen = seen_of(index, whose);
	uint32_t count = 0;
	if (index->sees_all) return postings->count;
	for (uint32_t i = 0; i < postings->count; i++) count += seen[postings->items[i] >> 8];
	return count;
}

bool search_index_sees(const struct search_index *index, const struct search_term *term) {
	if (index->sees_all) return true;
	for (unsigned whose = 0; whose < SEARCH_WHOSE; whose++) {
		const struct search_postings *postings = &term->postings[whose];
		const uint8_t *seen = seen_of(index, whose);
		for (uint32_t i = 0; i < postings->count; i++)
			if (seen[postings->items[i] >> 8]) return true;
	}
	return false;
}

const struct search_term *search_index_find(const struct search_index *index, struct slice text) {
	const struct search_term *term = search_terms_find(&index->terms, text);
	return term && search_index_sees(index, term) ? term : NULL;
}
