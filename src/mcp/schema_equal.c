/* SPDX-License-Identifier: Apache-2.0 */
/* Schema equal: two texts are read side by side, a character at a time where one of them has escapes. */
#include "mcp/schema_equal.h"
#include "mcp/schema_decimal.h"
#include "wire/scan.h"

#define HASH_PRIME UINT64_C(0x100000001b3)

/* What stands between the quotes. */
struct string {
	const char *at;
	const char *end;
	bool is_escaped;
};

static struct string string_of(const struct scan_value *value) {
	const char *start = value->text.bytes + 1;
	return (struct string){start, start + value->text.length - 2, value->escaped};
}

static struct string key_of(const struct scan_member *member) {
	return (struct string){member->key.bytes, member->key.bytes + member->key.length,
		member->key_escaped};
}

static uint32_t unit_read(const char *at) {
	uint32_t unit = 0;
	for (int i = 0; i < 4; i++) {
		uint32_t digit = (uint32_t)(at[i] <= '9' ? at[i] - '0' : (at[i] | 0x20) - 'a' + 10);
		unit = unit << 4 | (digit & 15);
	}
	return unit;
}

static uint32_t escape_next(struct string *string) {
	static const char meanings[] = {
		['b'] = '\b', ['f'] = '\f', ['n'] = '\n', ['r'] = '\r', ['t'] = '\t'};
	const char *at = string->at;
	size_t left = (size_t)(string->end - at);
	if (left < 2 || (at[1] == 'u' && left < 6)) {
		string->at = string->end;
		return '\\';
	}
	unsigned char kind = (unsigned char)at[1];
	if (kind != 'u') {
		string->at += 2;
		return kind < sizeof meanings && meanings[kind] ? (uint32_t)meanings[kind] : kind;
	}
	uint32_t unit = unit_read(at + 2);
	string->at += 6;
	if (unit < 0xd800 || unit > 0xdbff || left < 12) return unit;
	string->at += 6;
	return 0x10000 + ((unit & 0x3ff) << 10) + (unit_read(at + 8) & 0x3ff);
}

static bool character_next(struct string *string, uint32_t *character) {
	if (string->at == string->end) return false;
	if (*string->at == '\\' && string->is_escaped) {
		*character = escape_next(string);
		return true;
	}
	struct slice rest = slice_make(string->at, (size_t)(string->end - string->at));
	size_t length = slice_character(rest, character);
	string->at += length ? length : 1;
	return true;
}

static bool string_equal(struct string a, struct string b) {
	size_t length = (size_t)(a.end - a.at);
	if (!a.is_escaped && !b.is_escaped)
		return length == (size_t)(b.end - b.at) && memcmp(a.at, b.at, length) == 0;
	uint32_t one, other;
	for (;;) {
		bool has_one = character_next(&a, &one), has_other = character_next(&b, &other);
		if (!has_one || !has_other) return has_one == has_other;
		if (one != other) return false;
	}
}

size_t schema_length(const struct scan_value *value) {
	struct string string = string_of(value);
	uint32_t character;
	size_t length = 0;
	if (string.is_escaped)
		while (character_next(&string, &character)) length++;
	for (; string.at < string.end; string.at++) length += (*string.at & 0xc0) != 0x80;
	return length;
}

/* What one look at that much text costs. */
static uint64_t cost_of(struct slice text) {
	return 1 + text.length / 64;
}

static bool member_find(const struct scan_value *object, struct string name,
	struct scan_value *value, uint64_t *steps) {
	struct scan_walk walk;
	struct scan_member member;
	for (scan_open(&walk, object); scan_next(&walk, &member);) {
		if (!schema_steps_take(steps, cost_of(member.value.text))) return false;
		if (!string_equal(key_of(&member), name)) continue;
		*value = member.value;
		return true;
	}
	return false;
}

bool schema_member_find(const struct scan_value *object, struct slice name,
	struct scan_value *value, uint64_t *steps) {
	const char *start = name.bytes ? name.bytes : "";
	return member_find(object, (struct string){start, start + name.length, false}, value, steps);
}

static bool object_equal(const struct scan_value *a, const struct scan_value *b, uint64_t *steps) {
	struct scan_walk walk;
	struct scan_member member;
	struct scan_value other;
	if (scan_count(a) != scan_count(b)) return false;
	for (scan_open(&walk, a); scan_next(&walk, &member);)
		if (!member_find(b, key_of(&member), &other, steps) ||
			!schema_equal(&member.value, &other, steps))
			return false;
	return true;
}

static bool array_equal(const struct scan_value *a, const struct scan_value *b, uint64_t *steps) {
	struct scan_walk walk, beside;
	struct scan_member element, other;
	scan_open(&walk, a);
	scan_open(&beside, b);
	for (;;) {
		bool has_one = scan_next(&walk, &element), has_other = scan_next(&beside, &other);
		if (!has_one || !has_other) return has_one == has_other;
		if (!schema_equal(&element.value, &other.value, steps)) return false;
	}
}

/* Goes as deep as the values do, which is SCAN_DEPTH at most. */
bool schema_equal(const struct scan_value *a, const struct scan_value *b, uint64_t *steps) {
	if (a->type != b->type || !schema_steps_take(steps, cost_of(a->text))) return false;
	if (slice_equal(a->text, b->text)) return true;

	struct schema_decimal one, other;
	switch (a->type) {
	case SCAN_NUMBER:
		schema_decimal_read(&one, a->text);
		schema_decimal_read(&other, b->text);
		return schema_decimal_compare(&one, &other) == 0;
	case SCAN_STRING: return string_equal(string_of(a), string_of(b));
	case SCAN_ARRAY: return schema_steps_take(steps, cost_of(b->text)) && array_equal(a, b, steps);
	case SCAN_OBJECT: return schema_steps_take(steps, cost_of(b->text)) && object_equal(a, b, steps);
	case SCAN_NONE:
	case SCAN_NULL:
	case SCAN_BOOLEAN: break;
	}
	return false;
}

static uint64_t mixed(uint64_t hash) {
	hash ^= hash >> 31;
	hash *= UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 29;
}

static uint64_t string_hash(struct string string) {
	uint64_t hash = 3;
	uint32_t character;
	while (character_next(&string, &character)) hash = (hash ^ character) * HASH_PRIME;
	return mixed(hash);
}

uint64_t schema_hash(const struct scan_value *value, uint64_t *steps) {
	struct scan_walk walk;
	struct scan_member member;
	struct schema_decimal decimal;
	uint64_t hash = (uint64_t)value->type;
	/* A character at a time takes longer than a look does. */
	if (!schema_steps_take(steps, 4 * cost_of(value->text))) return 0;
	switch (value->type) {
	case SCAN_NUMBER:
		schema_decimal_read(&decimal, value->text);
		return mixed(hash + schema_decimal_hash(&decimal));
	case SCAN_STRING: return string_hash(string_of(value));
	case SCAN_ARRAY:
		for (scan_open(&walk, value); scan_next(&walk, &member);)
			hash = mixed(hash * HASH_PRIME + schema_hash(&member.value, steps));
		return hash;
	case SCAN_OBJECT: /* whatever the order of its members */
		for (scan_open(&walk, value); scan_next(&walk, &member);)
			hash += mixed(string_hash(key_of(&member)) ^ schema_hash(&member.value, steps) * HASH_PRIME);
		return mixed(hash);
	case SCAN_BOOLEAN: return mixed(hash + (value->text.bytes[0] == 't' ? 100 : 200));
	case SCAN_NONE:
	case SCAN_NULL: break;
	}
	return mixed(hash);
}
