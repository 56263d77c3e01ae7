/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzzes the header Cookie. The first line is the name that is looked for, the rest the header's value. What is
 * found lies in the value, and is found as often however the header is cut at its semicolons.
 */
#include "wire/cookie.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds) {
	if (!holds) abort();
}

static bool lies_within(struct slice inner, struct slice outer) {
	return inner.bytes >= outer.bytes && inner.bytes + inner.length <= outer.bytes + outer.length;
}

/* As two headers, of which one ends where the other begins. */
static void check_cut(struct slice header, struct slice name, size_t at, size_t count) {
	struct http1_head head = {.field_count = 2};
	struct slice value = SLICE_NONE;
	head.fields[0] = (struct http1_field){SLICE("cookie"), slice_make(header.bytes, at)};
	head.fields[1] = (struct http1_field){SLICE("Cookie"), slice_make(header.bytes + at + 1, header.length - at - 1)};
	require(cookie_find(&head, name, &value) == count);
	require((count > 0) == (value.bytes != NULL));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	struct slice header = slice_make(data, size), name, value = SLICE_NONE;
	if (!slice_split(&header, '\n', &name) || !header.bytes) return 0;
	size_t count = cookie_count(header, name, &value), semicolons = 0;
	for (size_t at = 0; at < header.length; at++) {
		if (header.bytes[at] != ';') continue;
		semicolons++;
		check_cut(header, name, at, count);
	}
	require(count <= semicolons + 1);
	size_t given = 0;
	for (struct slice rest = header, one; cookie_next(&rest, name, &one); given++) require(lies_within(one, header));
	require(given == count);
	if (count == 0) {
		require(!value.bytes);
		return 0;
	}
	require(lies_within(value, header));
	require(!value.length || !memchr(value.bytes, ';', value.length));
	require(slice_equal(value, slice_trim(value)));
	return 0;
}
