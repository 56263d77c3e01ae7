/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target: rules (the first line) and a call's arguments (the rest). Rules that were read stand their
 * own join; the rejection is JSON, and without rules that say so nothing is unrestricted.
 */
#include "validate/code_safety.h"
#include "wire/scan.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds) {
	if (!holds) abort();
}

static void check(const struct code_rules *rules, struct slice arguments, struct arena *arena) {
	AUTO_TEXT struct text rejection = {0};
	struct code_verdict verdict;
	struct scan_value root;
	struct scan_fault fault;
	struct fault why = {0};
	require(code_safety_check(rules, arguments, arena, &verdict, &why));
	require(verdict.is_rejected == (verdict.violations.count > 0));
	require(verdict.violations.count <= CODE_VIOLATIONS);
	require(rules->level != CODE_UNRESTRICTED || !verdict.is_rejected);
	text_init(&rejection, 0);
	code_safety_write_rejection(&rejection, &verdict);
	require(!text_failed(&rejection));
	require(scan_check(text_slice(&rejection), SCAN_DEPTH, &root, &fault) && root.type == SCAN_OBJECT);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	struct slice rest = slice_make(data, size), first;
	struct code_rules rules, floored;
	struct arena arena;
	struct fault why = {0};
	if (size > 32 * 1024 || !slice_split(&rest, '\n', &first)) return 0;
	arena_init(&arena, NULL, 0, 0);
	if (!code_rules_read(first, &arena, &rules, &why)) {
		require(why.code == FAULT_BAD_INPUT);
		code_rules_init(&rules);
	}
	floored = rules;
	code_rules_floor(&floored);
	require(floored.level >= CODE_STANDARD);
	require(code_rules_join(&floored, &rules, &arena, &why));
	check(&rules, rest, &arena);
	check(&floored, rest, &arena);
	arena_finish(&arena);
	return 0;
}
