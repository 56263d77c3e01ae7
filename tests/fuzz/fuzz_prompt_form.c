/* SPDX-License-Identifier: Apache-2.0 */
/* Fuzz target: a tool's input schema, behind a LF the arguments so far, behind another the content of a form. The form
 * is JSON, in either era; what is read of the content is JSON, and is either accepted or
 * refused with a sentence. */
#include "flow/prompt_check.h"
#include "flow/prompt_form.h"
#include "flow/prompt_schema.h"

#include <stdlib.h>

#define FIELDS 16

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds) {
	if (!holds) abort();
}

static void show(const struct prompt *prompts, size_t count, bool is_modern) {
	AUTO_TEXT struct text form = {0};
	struct scan_value root;
	struct scan_fault fault;
	text_init(&form, 0);
	prompt_form_write(&form, SLICE("What is missing"), prompts, count, is_modern);
	require(!text_failed(&form) && scan_check(text_slice(&form), SCAN_DEPTH, &root, &fault) && root.type == SCAN_OBJECT);
}

static void read(const struct prompt *prompt, const struct scan_value *content, struct arena *arena) {
	struct scan_value value, again;
	struct scan_fault fault;
	struct prompt_verdict verdict;
	require(prompt_form_read(content, prompt, arena, &value));
	if (value.type != SCAN_NONE) require(scan_check(value.text, SCAN_DEPTH, &again, &fault) && again.type == value.type);
	require(prompt_check(prompt, &value, arena, &verdict));
	require(verdict.is_valid == (verdict.error[0] == '\0'));
	if (prompt->rules.is_required && value.type == SCAN_NONE) require(!verdict.is_valid);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	struct slice rest = slice_make(data, size), parts[3] = {SLICE_NONE, SLICE_NONE, SLICE_NONE};
	struct scan_value values[3];
	struct scan_fault fault;
	struct prompt prompts[FIELDS];
	struct prompt_schema_count count;
	struct arena arena;
	for (size_t i = 0; i < COUNT_OF(parts); i++)
		if (!slice_split(&rest, '\n', &parts[i]) || !scan_check(parts[i], SCAN_DEPTH / 2, &values[i], &fault)) return 0;
	arena_init(&arena, NULL, 0, 0);
	if (prompt_schema_list(&values[0], &values[1], &arena, prompts, FIELDS, &count) == PROMPT_SCHEMA_ASKS) {
		size_t shown = count.all < FIELDS ? count.all : FIELDS;
		require(count.absent <= count.all);
		show(prompts, shown, false);
		show(prompts, shown, true);
		for (size_t i = 0; i < shown; i++) read(&prompts[i], &values[2], &arena);
	}
	arena_finish(&arena);
	return 0;
}
