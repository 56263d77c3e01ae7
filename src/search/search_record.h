/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Search record: what the index keeps of one tool or one server, read from its definition: every word with
 * one weight, the tool's categories, and what kind of deed it does.
 *
 * The weight of a word is that of BM25F with fixed lengths of fields, so that it does not change when other
 * tools come and go: each field counts a word three times at most and by its own length, and the sum is
 * saturated. That is also what makes stuffing a description with a word useless. Everything is bounded: octets
 * that are read of a text, parameters, depth, words (SEARCH_RECORD_*). A plain value of some 14 KB that
 * borrows nothing; loop 0 keeps one.
 */
#ifndef HUSTINGS_SEARCH_SEARCH_RECORD_H
#define HUSTINGS_SEARCH_SEARCH_RECORD_H

#include "base/fault.h"
#include "search/search_text.h"
#include "search/search_words.h"

#define SEARCH_RECORD_WORDS 256     /* different words of a tool */
#define SEARCH_RECORD_TEXT 4096     /* octets of a description */
#define SEARCH_RECORD_HEAD 160      /* of them the beginning, which counts most */
#define SEARCH_RECORD_PARAMETERS 96 /* with nested ones */
#define SEARCH_RECORD_CATEGORIES 8
#define SEARCH_RECORD_CATEGORY 64 /* octets of one */

enum search_field {
	SEARCH_NAME,
	SEARCH_KEYWORDS,
	SEARCH_HEAD,
	SEARCH_REST,
	SEARCH_PARAMETER,
	SEARCH_PARAMETER_TEXT,
	SEARCH_FIELDS
};

struct search_record_word {
	char text[SEARCH_WORD];
	uint8_t length;
	uint8_t weight;               /* 1..255, when all has been read */
	uint8_t times[SEARCH_FIELDS]; /* 3 at most */
};

struct search_record {
	struct search_record_word words[SEARCH_RECORD_WORDS];
	uint16_t places[2 * SEARCH_RECORD_WORDS]; /* number + 1 by hash; 0: none */
	size_t count;
	uint32_t lengths[SEARCH_FIELDS]; /* words told, counted again and again */
	enum search_deed deed;
	char categories[SEARCH_RECORD_CATEGORIES][SEARCH_RECORD_CATEGORY + 1]; /* lower case, NUL ended */
	size_t category_count;
};

/* A tool. False: the definition is no JSON object (bad_input), or no memory. */
bool search_record_tool(struct search_record *record, const struct search_words *words, struct slice server,
	struct slice name, struct slice definition, struct fault *why) MUST_USE;
/* A server's own texts. */
void search_record_server(struct search_record *record, const struct search_words *words, struct slice server,
	struct slice title, struct slice text);

#endif
