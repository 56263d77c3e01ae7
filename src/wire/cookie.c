/* SPDX-License-Identifier: Apache-2.0 */
/* Cookie: pairs between semicolons. */
#include "wire/cookie.h"

bool cookie_next(struct slice *rest, struct slice name, struct slice *value) {
	struct slice pair;
	while (slice_split(rest, ';', &pair)) {
		pair = slice_trim(pair);
		const char *equals = pair.length ? memchr(pair.bytes, '=', pair.length) : NULL;
		if (!equals) continue;
		size_t length = (size_t)(equals - pair.bytes);
		if (!slice_equal(slice_trim(slice_make(pair.bytes, length)), name)) continue;
		*value = slice_trim(slice_make(equals + 1, pair.length - length - 1));
		return true;
	}
	return false;
}

size_t cookie_count(struct slice header, struct slice name, struct slice *value) {
	struct slice other;
	size_t count = 0;
	while (cookie_next(&header, name, count ? &other : value)) count++;
	return count;
}

size_t cookie_find(const struct http1_head *head, struct slice name, struct slice *value) {
	struct slice first = SLICE_NONE, other;
	size_t count = 0;
	for (size_t i = 0; i < head->field_count; i++) {
		const struct http1_field *field = &head->fields[i];
		if (!slice_equal_ignoring_case(field->name, SLICE("Cookie"))) continue;
		count += cookie_count(field->value, name, count ? &other : &first);
	}
	if (count) *value = first;
	return count;
}
