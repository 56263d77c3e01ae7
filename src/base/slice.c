/* SPDX-License-Identifier: Apache-2.0 */
/* Slice: the questions one asks of borrowed bytes. */
#include "base/slice.h"

#include <stdlib.h>

static char lowered(char octet) {
	return octet >= 'A' && octet <= 'Z' ? (char)(octet + ('a' - 'A')) : octet;
}

bool slice_equal_ignoring_case(struct slice a, struct slice b) {
	if (a.length != b.length) return false;
	for (size_t i = 0; i < a.length; i++)
		if (lowered(a.bytes[i]) != lowered(b.bytes[i])) return false;
	return true;
}

bool slice_starts_with(struct slice slice, const char *prefix) {
	size_t length = strlen(prefix);
	return length == 0 || (slice.length >= length && memcmp(slice.bytes, prefix, length) == 0);
}

static bool is_blank(char octet) {
	return octet == ' ' || octet == '\t';
}

struct slice slice_trim(struct slice slice) {
	while (slice.length && is_blank(slice.bytes[0]))
		slice = slice_make(slice.bytes + 1, slice.length - 1);
	while (slice.length && is_blank(slice.bytes[slice.length - 1])) slice.length--;
	return slice;
}

bool slice_split(struct slice *rest, char separator, struct slice *part) {
	if (!rest->bytes) return false;

	const char *found = rest->length ? memchr(rest->bytes, separator, rest->length) : NULL;
	if (!found) {
		*part = *rest;
		*rest = SLICE_NONE;
		return true;
	}
	size_t length = (size_t)(found - rest->bytes);
	*part = slice_make(rest->bytes, length);
	*rest = slice_make(found + 1, rest->length - length - 1);
	return true;
}

bool slice_number(struct slice slice, uint64_t limit, uint64_t *number) {
	if (!slice.length) return false;

	uint64_t value = 0;
	for (size_t i = 0; i < slice.length; i++) {
		if (slice.bytes[i] < '0' || slice.bytes[i] > '9') return false;
		unsigned digit = (unsigned)(slice.bytes[i] - '0');
		if (digit > limit || value > (limit - digit) / 10) return false;
		value = value * 10 + digit;
	}
	*number = value;
	return true;
}

static bool is_continuation(unsigned char octet) {
	return (octet & 0xc0) == 0x80;
}

size_t slice_character(struct slice slice, uint32_t *character) {
	static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
	if (!slice.length) return 0;

	const unsigned char *octets = (const unsigned char *)slice.bytes;
	if (octets[0] < 0x80) {
		*character = octets[0];
		return 1;
	}
	size_t length = 2u + (octets[0] >= 0xe0) + (octets[0] >= 0xf0);
	if (octets[0] < 0xc2 || octets[0] > 0xf4 || length > slice.length) return 0;

	uint32_t value = octets[0] & (0x7fu >> length);
	for (size_t i = 1; i < length; i++) {
		if (!is_continuation(octets[i])) return 0;
		value = value << 6 | (octets[i] & 0x3fu);
	}
	if (value < smallest[length] || value > 0x10ffff) return 0;
	if (value >= 0xd800 && value <= 0xdfff) return 0;
	*character = value;
	return length;
}

bool slice_character_is_hidden(uint32_t character) {
	static const struct {
		uint32_t first, last;
	} ranges[] = {
		{0x00, 0x1f},       /* controls */
		{0x7f, 0x9f},       /* and those behind ASCII */
		{0x61c, 0x61c},     /* Arabic letter mark */
		{0x180e, 0x180e},   /* Mongolian vowel separator */
		{0x200b, 0x200b},   /* zero-width space; the joiners are part of scripts and emoji */
		{0x200e, 0x200f},   /* left-to-right and right-to-left marks */
		{0x2028, 0x202e},   /* separators, embeddings and overrides */
		{0x2060, 0x206f},   /* invisible operators and isolates */
		{0xfeff, 0xfeff},   /* byte order mark */
		{0xfff9, 0xfffb},   /* interlinear annotation */
		{0xe0000, 0xe007f}, /* tags: whole sentences that nobody sees */
	};
	for (size_t i = 0; i < COUNT_OF(ranges); i++)
		if (character >= ranges[i].first && character <= ranges[i].last) return true;
	return false;
}

size_t slice_cut(struct slice slice, size_t limit) {
	if (slice.length <= limit) return slice.length;

	/* A character has at most three octets after its first one; text that is no UTF-8 is cut
	 * where the limit says. */
	size_t cut = limit;
	for (int back = 0; back < 4; back++) {
		if (!is_continuation((unsigned char)slice.bytes[cut])) return cut;
		if (cut == 0) break;
		cut--;
	}
	return limit;
}

void slice_blank_line_ends(char *bytes, size_t length) {
	static const char ends[] = {'\n', '\r'};
	for (size_t i = 0; i < sizeof ends; i++)
		for (char *at = bytes; length && (at = memchr(at, ends[i], length - (size_t)(at - bytes)));) *at = ' ';
}

char *slice_copy(struct slice slice) {
	if (slice.length == SIZE_MAX) return NULL;

	char *copy = malloc(slice.length + 1);
	if (!copy) return NULL;
	if (slice.length) memcpy(copy, slice.bytes, slice.length);
	copy[slice.length] = '\0';
	return copy;
}
