/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Search words: what the index knows of English before it has seen a tool: words that say nothing, words of
 * everyday that tools call by another one, and which deed a verb is. Opened once for an index; read alone
 * from then on; any thread.
 */
#ifndef HUSTINGS_SEARCH_SEARCH_WORDS_H
#define HUSTINGS_SEARCH_SEARCH_WORDS_H

#include "base/fault.h"
#include "base/slice.h"

enum search_deed {
	SEARCH_ANY,    /* unsaid */
	SEARCH_READ,   /* get, list, search */
	SEARCH_CREATE, /* create, add, upload */
	SEARCH_CHANGE, /* update, rename, move */
	SEARCH_DELETE,
	SEARCH_SEND,
	SEARCH_RUN, /* run, start, stop */
	SEARCH_DEEDS
};

struct search_words;

struct search_words *search_words_open(struct fault *why) MUST_USE;
void search_words_close(struct search_words *words); /* NULL is fine */

/* A word of grammar, or (is_question) one with which people ask for anything at all. By its plain form. */
bool search_words_is_empty(const struct search_words *words, struct slice plain, bool is_question);
/* Of a verb's stem; SEARCH_ANY: it is none that is known. */
enum search_deed search_words_deed(const struct search_words *words, struct slice stem);
const char *search_words_deed_word(enum search_deed deed);

/* Other words for a stem, or for "first second", a pair of stems: stems with how near they are, 0..1. */
typedef void search_words_seen(void *context, struct slice stem, double nearness);
/* False: none are known. */
bool search_words_others(const struct search_words *words, struct slice stem, search_words_seen *seen, void *context);

#endif
