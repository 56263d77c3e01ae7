/* SPDX-License-Identifier: Apache-2.0 */
/* Scan string: the characters that a checked string or key stands for. */
#include "wire/scan_run.h"
#include "wire/scan.h"

/* One escape, or a pair of them, as UTF-8. */
struct character {
	char octets[4];
	size_t length;
};

static uint32_t unit_of(const char *at, const char *end) {
	uint32_t unit = 0;
	for (int i = 0; i < 4 && at < end; i++, at++) {
		uint32_t digit = (uint32_t)(*at <= '9' ? *at - '0' : (*at | 0x20) - 'a' + 10);
		unit = unit << 4 | (digit & 15);
	}
	return unit;
}

static void character_write(struct character *character, uint32_t value) {
	char *to = character->octets;
	if (value < 0x80) {
		*to++ = (char)value;
	} else if (value < 0x800) {
		*to++ = (char)(0xc0 | value >> 6);
		*to++ = (char)(0x80 | (value & 0x3f));
	} else if (value < 0x10000) {
		*to++ = (char)(0xe0 | value >> 12);
		*to++ = (char)(0x80 | (value >> 6 & 0x3f));
		*to++ = (char)(0x80 | (value & 0x3f));
	} else {
		*to++ = (char)(0xf0 | value >> 18);
		*to++ = (char)(0x80 | (value >> 12 & 0x3f));
		*to++ = (char)(0x80 | (value >> 6 & 0x3f));
		*to++ = (char)(0x80 | (value & 0x3f));
	}
	character->length = (size_t)(to - character->octets);
}

/* `at` is a backslash before end; behind what was read. */
static const char *escape_take(const char *at, const char *end, struct character *character) {
	static const char meanings[] = {
		['b'] = '\b', ['f'] = '\f', ['n'] = '\n', ['r'] = '\r', ['t'] = '\t'};
	char kind = end - at < 2 ? '\\' : at[1];
	if (kind != 'u') {
		if (kind > '\\' && kind <= 't' && meanings[(unsigned char)kind])
			kind = meanings[(unsigned char)kind];
		character_write(character, kind & 0x7f);
		return end - at < 2 ? end : at + 2;
	}
	uint32_t value = unit_of(at + 2, end);
	if (value >= 0xd800 && value <= 0xdbff && end - at >= 12) {
		value = 0x10000 + ((value & 0x3ff) << 10) + (unit_of(at + 8, end) & 0x3ff);
		at += 6;
	}
	character_write(character, value);
	return end - at < 6 ? end : at + 6;
}

/* At most as long as what it came from: every escape is longer than its character. */
static size_t characters_write(char *to, struct slice escaped) {
	const char *at = escaped.bytes;
	const char *end = at + escaped.length;
	char *start = to;
	while (at < end) {
		const char *slash = memchr(at, '\\', (size_t)(end - at));
		size_t run = (size_t)((slash ? slash : end) - at);
		memcpy(to, at, run);
		to += run;
		at += run;
		if (!slash) break;

		struct character character;
		at = escape_take(at, end, &character);
		memcpy(to, character.octets, character.length);
		to += character.length;
	}
	return (size_t)(to - start);
}

static bool unescape(struct slice escaped, struct arena *arena, struct slice *plain) {
	char *bytes = arena_alloc(arena, escaped.length + 1);
	if (!bytes) return false;

	size_t length = characters_write(bytes, escaped);
	bytes[length] = '\0';
	*plain = slice_make(bytes, length);
	return true;
}

bool scan_string(const struct scan_value *value, struct arena *arena, struct slice *string) {
	if (value->type != SCAN_STRING || value->text.length < 2) return false;

	struct slice inner = slice_make(value->text.bytes + 1, value->text.length - 2);
	if (value->escaped) return unescape(inner, arena, string);
	*string = inner;
	return true;
}

bool scan_key(const struct scan_member *member, struct arena *arena, struct slice *key) {
	if (member->key_escaped) return unescape(member->key, arena, key);

	*key = member->key;
	return true;
}

bool scan_key_is(const struct scan_member *member, const char *name) {
	struct slice left = slice_of(name);
	if (!member->key_escaped) return slice_equal(member->key, left);

	const char *at = member->key.bytes;
	const char *end = at + member->key.length;
	while (at < end) {
		struct character character = {.octets = {*at}, .length = 1};
		at = *at == '\\' ? escape_take(at, end, &character) : at + 1;
		if (left.length < character.length) return false;
		if (memcmp(left.bytes, character.octets, character.length) != 0) return false;
		left = slice_make(left.bytes + character.length, left.length - character.length);
	}
	return left.length == 0;
}
