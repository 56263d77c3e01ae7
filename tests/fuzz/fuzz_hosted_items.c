/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target: what a hosted server lists, a page a line; the first octet chooses the list. What is
 * taken has a key of its own, under which it is found, and is an object as it came.
 */
#include "hosted/hosted_parts.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds) {
	if (!holds) abort();
}

static void check(const struct hosted_items *items) {
	struct scan_value root;
	struct scan_fault fault;
	for (size_t i = 0; i < hosted_items_count(items); i++) {
		const struct hosted_item *item = hosted_items_at(items, i);
		require(item->key.length > 0 && hosted_items_find(items, item->key) == item);
		require(scan_check(item->definition, SCAN_DEPTH, &root, &fault) && root.type == SCAN_OBJECT);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	struct fault why = {.code = FAULT_NONE};
	struct slice rest, page, cursor;
	struct scan_value root;
	struct scan_fault fault;
	if (size < 1) return 0;
	struct hosted_items *items = hosted_items_open((enum hosted_kind)(data[0] % HOSTED_KINDS), &why);
	require(items != NULL);
	rest = slice_make(data + 1, size - 1);
	/* A result comes out of a message that was checked. */
	while (slice_split(&rest, '\n', &page) && scan_check(page, SCAN_DEPTH, &root, &fault)) {
		if (hosted_items_add(items, root.text, &cursor, &why)) continue;
		require(why.code == FAULT_BAD_INPUT || why.code == FAULT_TOO_LARGE);
		break;
	}
	check(items);
	hosted_items_drop(items);
	return 0;
}
