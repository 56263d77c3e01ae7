/* SPDX-License-Identifier: Apache-2.0 */
/* Scan walk: look-ups over text that was checked before. Containers are skipped by counting
 * brackets outside strings; every step stays inside the span even if the text is not sound. */
#include "wire/scan_run.h"
#include "wire/scan.h"

#include <stdarg.h>

/* `at` is the opening bracket. */
static const char *container_skip(const char *at, const char *end) {
	size_t depth = 0;
	bool is_escaped;
	while ((at = scan_run_flat(at, end)) < end) {
		char found = *at++;
		if (found == '"') at = scan_run_string(at, end, &is_escaped);
		else if (found == '{' || found == '[') depth++;
		else if (depth <= 1) return at;
		else depth--;
	}
	return end;
}

static const char *scalar_skip(const char *at, const char *end) {
	for (; at < end; at++)
		if (*at == ',' || *at == '}' || *at == ']' || scan_is(*at, SCAN_CLASS_BLANK)) break;
	return at;
}

static enum scan_type type_of(char first) {
	switch (first) {
	case '"': return SCAN_STRING;
	case '{': return SCAN_OBJECT;
	case '[': return SCAN_ARRAY;
	case 't':
	case 'f': return SCAN_BOOLEAN;
	case 'n': return SCAN_NULL;
	default: return SCAN_NUMBER;
	}
}

static void value_take(struct scan_walk *walk, struct scan_value *value) {
	const char *start = walk->at;
	value->type = type_of(*start);
	value->escaped = false;
	if (value->type == SCAN_STRING)
		walk->at = scan_run_string(start + 1, walk->end, &value->escaped);
	else if (value->type >= SCAN_ARRAY) walk->at = container_skip(start, walk->end);
	else walk->at = scalar_skip(start, walk->end);
	value->text = slice_make(start, (size_t)(walk->at - start));
}

static bool key_take(struct scan_walk *walk, struct scan_member *member) {
	if (walk->at == walk->end || *walk->at != '"') return false;

	const char *start = walk->at + 1;
	walk->at = scan_run_string(start, walk->end, &member->key_escaped);
	if (walk->at - start < 1) return false;
	member->key = slice_make(start, (size_t)(walk->at - 1 - start));
	walk->at = scan_run_blanks(walk->at, walk->end);
	if (walk->at == walk->end) return false;
	walk->at = scan_run_blanks(walk->at + 1, walk->end);
	return true;
}

void scan_open(struct scan_walk *walk, const struct scan_value *container) {
	*walk = (struct scan_walk){.is_object = container->type == SCAN_OBJECT};
	if (container->type < SCAN_ARRAY || container->text.length < 2) return;

	walk->at = container->text.bytes + 1;
	walk->end = container->text.bytes + container->text.length - 1;
}

bool scan_next(struct scan_walk *walk, struct scan_member *member) {
	walk->at = scan_run_blanks(walk->at, walk->end);
	if (walk->at == walk->end) return false;

	struct scan_member next = {.key = SLICE_NONE};
	if (walk->is_object && !key_take(walk, &next)) walk->at = walk->end;
	if (walk->at == walk->end) return false;
	value_take(walk, &next.value);
	walk->at = scan_run_blanks(walk->at, walk->end);
	if (walk->at < walk->end) walk->at++; /* the comma */
	*member = next;
	return true;
}

bool scan_find(const struct scan_value *object, const char *key, struct scan_value *value) {
	struct scan_walk walk;
	struct scan_member member;
	if (object->type != SCAN_OBJECT) return false;

	for (scan_open(&walk, object); scan_next(&walk, &member);) {
		if (!scan_key_is(&member, key)) continue;
		*value = member.value;
		return true;
	}
	return false;
}

bool scan_path(const struct scan_value *object, struct scan_value *value, ...) {
	struct scan_value at = *object;
	va_list keys;
	va_start(keys, value);
	const char *key;
	bool is_found = true;
	while (is_found && (key = va_arg(keys, const char *))) is_found = scan_find(&at, key, &at);
	va_end(keys);
	if (is_found) *value = at;
	return is_found;
}

size_t scan_count(const struct scan_value *container) {
	struct scan_walk walk;
	struct scan_member member;
	size_t count = 0;
	for (scan_open(&walk, container); scan_next(&walk, &member);) count++;
	return count;
}
