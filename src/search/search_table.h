/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Search table: the words that search_words.c opens its map from. Constant text, lower case, blanks between
 * words; "shut_down" is two words in a row. Any thread.
 */
#ifndef HUSTINGS_SEARCH_SEARCH_TABLE_H
#define HUSTINGS_SEARCH_SEARCH_TABLE_H

#include "base/dialect.h"

/* Words of which each may stand for any other. */
extern const char *const search_table_alike[];
extern const size_t search_table_alike_count;

/* What people say, and what tools are called that do it; not the other way round. */
struct search_saying {
	const char *said, *tools;
};
extern const struct search_saying search_table_sayings[];
extern const size_t search_table_sayings_count;

/* Verbs by enum search_deed, from SEARCH_READ on. */
extern const char *const search_table_verbs[];
extern const size_t search_table_verbs_count;

extern const char search_table_grammar[];
extern const char search_table_asking[];

#endif
