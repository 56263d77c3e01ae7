/* SPDX-License-Identifier: Apache-2.0 */
/* Search words: the tables, stemmed once, behind maps. */
#include "search/search_words.h"

#include "base/arena.h"
#include "base/map.h"
#include "search/search_stem.h"
#include "search/search_table.h"

#include <stdlib.h>

#define MEMORY ((size_t)2 * 1024 * 1024)
#define ALIKE 0.64  /* how near words are of which each may stand for the other */
#define SAYING 0.64 /* a tool's word to what people say */

struct other {
	struct other *next;
	struct slice stem;
	double nearness;
};

struct entry {
	struct slice text;
	struct other *others;
	enum search_deed deed;
	bool is_grammar, is_asking;
};

struct search_words {
	struct arena arena;
	struct map stems;  /* text to struct entry */
	struct map plains; /* the same of words as they are written */
};

static const char *const deed_words[SEARCH_DEEDS] = {
	[SEARCH_ANY] = "any",
	[SEARCH_READ] = "read",
	[SEARCH_CREATE] = "create",
	[SEARCH_CHANGE] = "change",
	[SEARCH_DELETE] = "delete",
	[SEARCH_SEND] = "send",
	[SEARCH_RUN] = "run",
};

const char *search_words_deed_word(enum search_deed deed) {
	return deed < SEARCH_DEEDS ? deed_words[deed] : "unknown";
}

static struct entry *entry_of(struct search_words *words, struct map *map, struct slice text) {
	struct entry *entry = map_find(map, text);
	if (entry) return entry;
	entry = arena_zero(&words->arena, sizeof *entry);
	if (!entry || !arena_copy(&words->arena, text, &entry->text)) return NULL;
	return map_add(map, entry->text, entry, NULL) ? entry : NULL;
}

/* "shut_down" by the stems of its two words, with a blank between them. */
static struct slice stemmed(struct slice word, char to[64]) {
	size_t length = 0;
	struct slice part;
	while (slice_split(&word, '_', &part)) {
		if (length + part.length + 1 > 63) break;
		if (length > 0) to[length++] = ' ';
		memcpy(to + length, part.bytes, part.length);
		length += search_stem(to + length, part.length);
	}
	return slice_make(to, length);
}

static bool join(struct search_words *words, struct slice from, struct slice to, double nearness) {
	char texts[2][64];
	struct slice stem = stemmed(to, texts[1]);
	if (memchr(stem.bytes, ' ', stem.length)) return true; /* a pair is asked with, never found */
	struct entry *entry = entry_of(words, &words->stems, stemmed(from, texts[0]));
	if (!entry || slice_equal(entry->text, stem)) return entry;
	for (struct other *other = entry->others; other; other = other->next) {
		if (!slice_equal(other->stem, stem)) continue;
		if (other->nearness < nearness) other->nearness = nearness;
		return true;
	}
	struct other *other = arena_zero(&words->arena, sizeof *other);
	if (!other || !arena_copy(&words->arena, stem, &other->stem)) return false;
	other->nearness = nearness;
	other->next = entry->others;
	entry->others = other;
	return true;
}

static bool read_alike(struct search_words *words, struct slice row) {
	struct slice first, second;
	for (struct slice rest = row; slice_split(&rest, ' ', &first);)
		for (struct slice again = row; slice_split(&again, ' ', &second);)
			if (!slice_equal(first, second) && !join(words, first, second, ALIKE)) return false;
	return true;
}

static bool read_saying(struct search_words *words, const struct search_saying *saying) {
	struct slice word;
	for (struct slice rest = slice_of(saying->tools); slice_split(&rest, ' ', &word);)
		if (!join(words, slice_of(saying->said), word, SAYING)) return false;
	return true;
}

static bool read_verbs(struct search_words *words, const char *verbs, enum search_deed deed) {
	struct slice word;
	char text[64];
	for (struct slice rest = slice_of(verbs); slice_split(&rest, ' ', &word);) {
		struct entry *entry = entry_of(words, &words->stems, stemmed(word, text));
		if (!entry) return false;
		if (entry->deed == SEARCH_ANY) entry->deed = deed;
	}
	return true;
}

static bool read_empty(struct search_words *words, const char *list, bool is_grammar) {
	struct slice word;
	for (struct slice rest = slice_of(list); slice_split(&rest, ' ', &word);) {
		struct entry *entry = entry_of(words, &words->plains, word);
		if (!entry) return false;
		*(is_grammar ? &entry->is_grammar : &entry->is_asking) = true;
	}
	return true;
}

static bool read_tables(struct search_words *words) {
	for (size_t i = 0; i < search_table_alike_count; i++)
		if (!read_alike(words, slice_of(search_table_alike[i]))) return false;
	for (size_t i = 0; i < search_table_sayings_count; i++)
		if (!read_saying(words, &search_table_sayings[i])) return false;
	for (size_t i = 0; i < search_table_verbs_count; i++)
		if (!read_verbs(words, search_table_verbs[i], SEARCH_READ + i)) return false;
	return read_empty(words, search_table_grammar, true) && read_empty(words, search_table_asking, false);
}

struct search_words *search_words_open(struct fault *why) {
	struct search_words *words = calloc(1, sizeof *words);
	if (!words) return fault_null(why, FAULT_NO_MEMORY, "no memory for the words of the tool search");
	arena_init(&words->arena, NULL, 0, MEMORY);
	map_init(&words->stems);
	map_init(&words->plains);
	if (read_tables(words)) return words;
	search_words_close(words);
	return fault_null(why, FAULT_NO_MEMORY, "no memory for the words of the tool search");
}

void search_words_close(struct search_words *words) {
	if (!words) return;
	map_finish(&words->stems);
	map_finish(&words->plains);
	arena_finish(&words->arena);
	free(words);
}

bool search_words_is_empty(const struct search_words *words, struct slice plain, bool is_question) {
	const struct entry *entry = map_find(&words->plains, plain);
	return entry && (entry->is_grammar || (is_question && entry->is_asking));
}

enum search_deed search_words_deed(const struct search_words *words, struct slice stem) {
	const struct entry *entry = map_find(&words->stems, stem);
	return entry ? entry->deed : SEARCH_ANY;
}

bool search_words_others(const struct search_words *words, struct slice stem, search_words_seen *seen, void *context) {
	const struct entry *entry = map_find(&words->stems, stem);
	if (!entry || !entry->others) return false;
	for (const struct other *other = entry->others; other; other = other->next)
		seen(context, other->stem, other->nearness);
	return true;
}
