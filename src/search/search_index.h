/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Search index: tools and their servers, each with the terms it stands in, put in and taken out one by one.
 *
 * A server's texts are indexed once, not once for each of its tools; a server is known while it has a tool or
 * a text. Numbers of tools and servers that went are used again. What a question counts with (struct
 * search_scratch) is taken when a tool is put in, so that asking takes no memory. Lies in struct search;
 * loop 0.
 */
#ifndef HUSTINGS_SEARCH_SEARCH_INDEX_H
#define HUSTINGS_SEARCH_SEARCH_INDEX_H

#include "base/fault.h"
#include "base/list.h"
#include "base/map.h"
#include "search/search_record.h"
#include "search/search_terms.h"

#define SEARCH_SERVERS 65536

struct search_site {        /* a server */
	struct map by_name; /* its tools */
	struct link tools;
	uint32_t number;
	uint32_t *terms;
	uint32_t term_count;
	bool has_text;
	uint16_t id_length;
	char id[];
};

struct search_tool {
	struct search_site *site;
	struct link in_site;
	uint32_t number;
	uint16_t term_count, name_length, category_octets;
	uint8_t deed;     /* enum search_deed */
	uint32_t terms[]; /* behind them the name, then categories, each ended by NUL */
};

struct search_scratch { /* by number; zero between two questions */
	float *totals, *owns;
	uint32_t *touched;
	uint32_t *site_of; /* a tool's server; of a number that is free: any */
	float *sites;
	uint32_t *touched_sites;
	uint8_t *seen, *seen_sites; /* whether the question may see it; set anew by each question */
};

struct search_index {
	struct search_terms terms;
	struct map sites;
	struct search_tool **tools; /* by number; NULL: free */
	struct search_site **by_number;
	uint32_t *free_tools, *free_sites;
	uint32_t tool_places, tool_capacity, free_tool_count;
	uint32_t site_places, site_capacity, free_site_count;
	uint32_t tool_count, most_tools;
	struct search_scratch scratch;
	bool sees_all;                   /* the question that is asked now may see everything; */
	uint32_t seen_tools, seen_sites; /* how many it may see */
	struct search_record record;
	size_t octets;
};

void search_index_init(struct search_index *index, uint32_t most_tools);
void search_index_finish(struct search_index *index);

struct slice search_tool_name(const struct search_tool *tool);
struct slice search_tool_server(const struct search_tool *tool);
/* Categories one after the other, each ended by NUL. */
struct slice search_tool_categories(const struct search_tool *tool);

/* From index->record; replaces the tool of that name. False: it is not in the index (full, no_memory). */
bool search_index_put(struct search_index *index, const struct search_words *words, struct slice server,
	struct slice name, struct fault *why) MUST_USE;
/* A server's texts from index->record. */
bool search_index_server(struct search_index *index, struct slice server, struct fault *why) MUST_USE;
/* Nothing is done where there is none. */
void search_index_remove(struct search_index *index, struct slice server, struct slice name);
void search_index_remove_server(struct search_index *index, struct slice server);

/* From now on a question is asked that may see those tools, and servers of which it may see one. Nothing else
 * has a part in it, so that nobody learns from scores what is there. NULL: all. */
typedef bool search_index_filter(void *context, const struct search_tool *tool);
void search_index_look(struct search_index *index, search_index_filter *filter, void *context);
bool search_index_sees_tool(const struct search_index *index, const struct search_tool *tool);
/* How many of those that are seen stand in the term; whether any does. */
uint32_t search_index_count(const struct search_index *index, const struct search_term *term, enum search_whose whose);
bool search_index_sees(const struct search_index *index, const struct search_term *term);
/* NULL: none that is seen has it. */
const struct search_term *search_index_find(const struct search_index *index, struct slice text);

#endif
