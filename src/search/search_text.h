/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Search text: the words of any octets, as the index and its questions see them.
 *
 * Letters are lower case, Latin letters lose their accents, identifiers fall into their parts (camelCase,
 * snake_case, digits), and a word that was written with inner capitals is told whole as well. English words
 * are told by their stem. A run of Chinese, Japanese or Korean characters is told by pairs, a single one by
 * itself. Octets that are no UTF-8 separate words. Plain functions; nothing is kept; any thread.
 */
#ifndef HUSTINGS_SEARCH_SEARCH_TEXT_H
#define HUSTINGS_SEARCH_SEARCH_TEXT_H

#include "base/slice.h"

#define SEARCH_WORD 28 /* octets of a word; a longer one is cut at a character */

struct search_word {
	struct slice stem;  /* 1..SEARCH_WORD octets */
	struct slice plain; /* the same before its endings went */
	size_t place;       /* 0, 1, ... in the text; the whole of a word in parts has the place of its first */
	bool is_whole;      /* of a word that was told in parts as well */
};

/* The slices are valid until it returns. False ends the walk. */
typedef bool search_text_seen(void *context, const struct search_word *word);

/* The first `octets` of the text (cut at a character) are read. False: `seen` ended the walk. */
bool search_text_each(struct slice text, size_t octets, search_text_seen *seen, void *context);

#endif
