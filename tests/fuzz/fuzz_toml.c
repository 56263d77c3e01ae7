/* SPDX-License-Identifier: Apache-2.0 */
/* Fuzz target: TOML texts. Whatever comes out is a tree that keeps the header's promises. */
#include "base/toml.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds) {
	if (!holds) abort();
}

static void tree_check(const struct toml *value, bool has_key) {
	require(value->line > 0 && value->column > 0);
	require((value->key != NULL) == has_key);
	bool has_string = value->kind == TOML_STRING || value->kind == TOML_DATE;
	require((value->string != NULL) == has_string);
	require(value->kind == TOML_ARRAY || value->kind == TOML_TABLE || !value->first);
	for (const struct toml *child = value->first; child; child = child->next) {
		tree_check(child, value->kind == TOML_TABLE);
		if (value->kind != TOML_TABLE) continue;
		require(toml_find(value, child->key) == child);
		if (child->next) require(child->line <= child->next->line);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	struct fault why = {0};
	struct toml *root = toml_open(slice_make(data, size), "input", &why);
	if (!root) {
		require(why.code != FAULT_NONE && slice_starts_with(slice_of(why.text), "input:"));
		return 0;
	}
	require(why.code == FAULT_NONE);
	tree_check(root, false);
	toml_close(root);
	return 0;
}
