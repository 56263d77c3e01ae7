/* SPDX-License-Identifier: Apache-2.0 */
/* Search stem: endings are taken off where enough of a word remains. */
#include "search/search_stem.h"

#define ROOT_LEAST 4 /* octets that a root keeps */

static bool is_vowel(char letter) {
	return letter && strchr("aeiouy", letter);
}

static bool is_plain(const char *word, size_t length) {
	for (size_t i = 0; i < length; i++)
		if (word[i] < 'a' || word[i] > 'z') return false;
	return true;
}

static bool ends(const char *word, size_t length, const char *ending) {
	size_t octets = strlen(ending);
	return length > octets && memcmp(word + length - octets, ending, octets) == 0;
}

static bool has_vowel(const char *word, size_t length) {
	for (size_t i = 0; i < length; i++)
		if (is_vowel(word[i])) return true;
	return false;
}

/* Plurals: queries, boxes, addresses, files; not status, analysis, address. */
static size_t without_plural(char *word, size_t length) {
	if (length < 3 || word[length - 1] != 's') return length;
	if (ends(word, length, "ss") || ends(word, length, "us")) return length;
	if (length > 4 && ends(word, length, "is")) return length; /* analysis; apis are more than one */
	if (length > 4 && ends(word, length, "ies")) {
		word[length - 3] = 'y';
		return length - 2;
	}
	if (ends(word, length, "sses") || ends(word, length, "shes") || ends(word, length, "ches") ||
		ends(word, length, "xes") || ends(word, length, "zzes"))
		return length - 2;
	return length - 1;
}

/* What stands before -ing or -ed: running, run; calling, call. */
static size_t undoubled(const char *word, size_t length) {
	if (length < 4 || word[length - 1] != word[length - 2]) return length;
	return is_vowel(word[length - 1]) || strchr("lsz", word[length - 1]) ? length : length - 1;
}

static size_t without_tense(char *word, size_t length) {
	if (ends(word, length, "ied") && length > 4) {
		word[length - 3] = 'y';
		return length - 2;
	}
	size_t off = ends(word, length, "ing") ? 3 : ends(word, length, "ed") ? 2
									      : 0;
	if (off == 0 || length < off + 3 || !has_vowel(word, length - off)) return length;
	return undoubled(word, length - off);
}

size_t search_stem(char *word, size_t length) {
	if (length < 3 || !is_plain(word, length)) return length;
	size_t left = without_tense(word, without_plural(word, length));
	if (left > 3 && word[left - 1] == 'e') left--;
	return left;
}

/* Longer endings before the shorter ones they end with. */
static const char *const endings[] = {
	"ization",
	"isation",
	"ation",
	"ition",
	"ators",
	"ator",
	"ement",
	"ement",
	"ment",
	"ness",
	"ability",
	"ible",
	"able",
	"abl",
	"ibl",
	"ance",
	"ence",
	"anc",
	"enc",
	"ical",
	"iz",
	"is",
	"ize",
	"ise",
	"iv",
	"ive",
	"ion",
	"ity",
	"ist",
	"ic",
	"al",
	"ly",
	"er",
	"or",
	"at",
	"y",
	"e",
	"i",
};

size_t search_stem_root(struct slice stem) {
	size_t length = stem.length;
	if (length <= ROOT_LEAST || !is_plain(stem.bytes, length)) return length;
	for (int round = 0; round < 3; round++) {
		size_t before = length;
		for (size_t i = 0; i < COUNT_OF(endings) && length == before; i++) {
			size_t octets = strlen(endings[i]);
			if (length >= octets + ROOT_LEAST && ends(stem.bytes, length, endings[i])) length -= octets;
		}
		if (length == before) break;
	}
	return length;
}
