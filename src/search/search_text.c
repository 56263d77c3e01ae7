/* SPDX-License-Identifier: Apache-2.0 */
/* Search text: one pass over characters; a word ends where its kind of character does. */
#include "search/search_text.h"

#include "search/search_stem.h"

#include <assert.h>

#define WHOLE_MOST 3 /* parts of a word that is told whole */
#define BLOB 48      /* octets in a row from which on they are no words */

enum kind {
	GAP,
	LOWER,
	UPPER,
	DIGIT,
	WIDE,
	LETTER
}; /* LETTER: of a script without pairs and capitals */

struct reader {
	search_text_seen *seen;
	void *context;
	char part[SEARCH_WORD + 4];
	char whole[SEARCH_WORD + 4];
	size_t part_length, whole_length;
	size_t place, first, parts;
	enum kind last;
	char pair[8]; /* the character before, of a run of wide ones */
	size_t pair_length;
	bool pair_told;
};

/* Latin-1 and Latin Extended-A by their plain letter; '?' is none. */
static const char latin_one[] = "aaaaaaaceeeeiiiidnooooo?ouuuuytsaaaaaaaceeeeiiiidnooooo?ouuuuyty";
static const char latin_more[] = "aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiiiiijjkkklllllll"
				 "lllnnnnnnnnnoooooooorrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs";
static_assert(sizeof latin_one == 65 && sizeof latin_more == 129, "a letter for each");

static bool is_wide(uint32_t character) {
	return (character >= 0x2e80 && character <= 0x9fff && character != 0x3000 &&
		       !(character >= 0x3001 && character <= 0x3004) && !(character >= 0x3008 && character <= 0x3020)) ||
		(character >= 0xac00 && character <= 0xd7a3) || (character >= 0xf900 && character <= 0xfaff) ||
		(character >= 0x20000 && character <= 0x3ffff);
}

static enum kind plain_kind(uint32_t character, char *letter) {
	*letter = (char)character;
	if (character >= 'a' && character <= 'z') return LOWER;
	if (character >= '0' && character <= '9') return DIGIT;
	if (character < 'A' || character > 'Z') return GAP;
	*letter = (char)(character + 32);
	return UPPER;
}

/* The kind of a character, and its letter where it has one of ASCII; else *letter is 0. */
static enum kind kind_of(uint32_t character, char *letter) {
	if (character < 0x80) return plain_kind(character, letter);
	*letter = 0;
	if (character >= 0xc0 && character < 0x180) {
		*letter = character < 0x100 ? latin_one[character - 0xc0] : latin_more[character - 0x100];
		return *letter == '?' ? GAP : LOWER;
	}
	if (character >= 0xff10 && character <= 0xff5a) return plain_kind(character - 0xfee0, letter);
	if (is_wide(character)) return WIDE;
	/* Punctuation, signs, arrows, private and hidden characters separate. */
	if (character < 0xc0 || (character >= 0x2000 && character < 0x2c00) || (character >= 0x3000 && character < 0x3021) ||
		(character >= 0xd800 && character < 0xf900) || character >= 0xfb00)
		return GAP;
	return LETTER;
}

static bool tell(struct reader *reader, const char *plain, size_t length, size_t place, bool is_whole) {
	char stem[SEARCH_WORD];
	memcpy(stem, plain, length);
	struct search_word word = {
		.stem = slice_make(stem, search_stem(stem, length)),
		.plain = slice_make(plain, length),
		.place = place,
		.is_whole = is_whole,
	};
	return reader->seen(reader->context, &word);
}

static bool end_part(struct reader *reader) {
	if (reader->part_length == 0) return true;
	size_t length = reader->part_length;
	reader->part_length = 0;
	if (reader->parts++ == 0) reader->first = reader->place;
	return tell(reader, reader->part, length, reader->place++, false);
}

static bool end_word(struct reader *reader) {
	if (!end_part(reader)) return false;
	size_t parts = reader->parts, length = reader->whole_length;
	reader->parts = 0;
	reader->whole_length = 0;
	if (parts < 2 || parts > WHOLE_MOST || length > SEARCH_WORD) return true;
	return tell(reader, reader->whole, length, reader->first, true);
}

static bool end_run(struct reader *reader) {
	size_t length = reader->pair_length;
	bool is_told = reader->pair_told;
	reader->pair_length = 0;
	reader->pair_told = false;
	return length == 0 || is_told || tell(reader, reader->pair, length, reader->place++, false);
}

static bool wide(struct reader *reader, struct slice character) {
	char both[8];
	if (!end_word(reader)) return false;
	if (reader->pair_length > 0) {
		memcpy(both, reader->pair, reader->pair_length);
		memcpy(both + reader->pair_length, character.bytes, character.length);
		if (!tell(reader, both, reader->pair_length + character.length, reader->place++, false)) return false;
		reader->pair_told = true;
	}
	memcpy(reader->pair, character.bytes, character.length);
	reader->pair_length = character.length;
	return true;
}

/* A part that is full takes no more; the whole word that is too long is not told. */
static void grow(struct reader *reader, struct slice octets) {
	if (reader->part_length + octets.length <= SEARCH_WORD) {
		memcpy(reader->part + reader->part_length, octets.bytes, octets.length);
		reader->part_length += octets.length;
	}
	if (reader->whole_length + octets.length > SEARCH_WORD) {
		reader->whole_length = SEARCH_WORD + 1;
		return;
	}
	memcpy(reader->whole + reader->whole_length, octets.bytes, octets.length);
	reader->whole_length += octets.length;
}

/* fooBar, HTTPServer, sha256: where a new part begins. */
static bool begins_part(const struct reader *reader, enum kind kind, bool lower_follows) {
	if (reader->last == GAP || reader->last == WIDE) return false;
	if (kind == DIGIT || reader->last == DIGIT) return kind != reader->last;
	return kind == UPPER && (reader->last == LOWER || (reader->last == UPPER && lower_follows));
}

static bool step(struct reader *reader, enum kind kind, struct slice octets, bool lower_follows) {
	if (kind != WIDE && !end_run(reader)) return false;
	if (kind == WIDE) return wide(reader, octets);
	if (kind == GAP) return end_word(reader);
	if (begins_part(reader, kind, lower_follows) && !end_part(reader)) return false;
	grow(reader, octets);
	return true;
}

static bool lower_follows(struct slice rest) {
	return rest.length > 1 && rest.bytes[0] >= 'a' && rest.bytes[0] <= 'z' && rest.bytes[1] >= 'a' && rest.bytes[1] <= 'z';
}

/* What follows a blob (base64 and the like: letters of both kinds and digits without an end) that begins here.
 * It says nothing, and its pieces look like words. */
static struct slice without_blob(struct slice text) {
	bool has_lower = false, has_upper = false, has_digit = false, is_blob = false;
	size_t length = 0;
	for (; length < text.length && (length < BLOB || is_blob); length++) {
		char letter = 0, octet = text.bytes[length];
		enum kind kind = (unsigned char)octet < 0x80 ? plain_kind((unsigned char)octet, &letter) : LETTER;
		if (kind == LETTER || (kind == GAP && octet != '+' && octet != '/' && octet != '=')) break;
		has_lower |= kind == LOWER;
		has_upper |= kind == UPPER;
		has_digit |= kind == DIGIT;
		is_blob = length + 1 >= BLOB && has_lower && has_upper && has_digit;
	}
	return is_blob ? slice_make(text.bytes + length, text.length - length) : text;
}

bool search_text_each(struct slice text, size_t octets, search_text_seen *seen, void *context) {
	struct reader reader = {.seen = seen, .context = context, .last = GAP};
	if (text.length > octets) text.length = slice_cut(text, octets);
	text = without_blob(text);
	while (text.length > 0) {
		uint32_t character = 0;
		char letter = 0;
		size_t length = slice_character(text, &character);
		enum kind kind = length > 0 ? kind_of(character, &letter) : GAP;
		struct slice own = letter ? slice_make(&letter, 1) : slice_make(text.bytes, length);
		size_t passed = length > 0 ? length : 1;
		text = slice_make(text.bytes + passed, text.length - passed);
		/* "don't" is one word without its apostrophe. */
		if ((character == '\'' || character == 0x2019) && reader.last != GAP && reader.last != WIDE) continue;
		if (!step(&reader, kind, own, lower_follows(text))) return false;
		reader.last = kind;
		if (kind == GAP) text = without_blob(text);
	}
	return end_run(&reader) && end_word(&reader);
}
