/* SPDX-License-Identifier: Apache-2.0 */
/* Fuzz target: a prompt of a guided session, behind a LF a person's line. What is shown holds no control character but
 * LF; what is taken as an answer is JSON. */
#include "cli/flow_form.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds) {
	if (!holds) abort();
}

static void talk(const struct prompt *prompt, const struct scan_value *progress, struct slice line) {
	char *shown = NULL;
	size_t length = 0;
	AUTO_TEXT struct text json = {0};
	struct scan_value value;
	struct scan_fault fault;
	text_init(&json, 0);
	FILE *out = open_memstream(&shown, &length);
	require(out != NULL);
	flow_form_show(out, prompt, progress);
	enum flow_form_answer answer = flow_form_read(out, prompt, line, &json);
	flow_form_show_verdict(out, progress);
	fclose(out);
	require(answer != FLOW_FORM_NO_MEMORY);
	if (answer == FLOW_FORM_ANSWER) require(scan_check(text_slice(&json), SCAN_DEPTH, &value, &fault));
	for (size_t i = 0; i < length; i++) require((unsigned char)shown[i] >= ' ' || shown[i] == '\n');
	free(shown);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	struct slice rest = slice_make(data, size), part, line;
	struct scan_value value;
	struct scan_fault fault;
	struct prompt prompt;
	struct arena arena;
	struct fault why;
	if (!slice_split(&rest, '\n', &part) || !scan_check(part, SCAN_DEPTH, &value, &fault)) return 0;
	if (!slice_split(&rest, '\n', &line)) line = SLICE("");
	arena_init(&arena, NULL, 0, 0);
	/* What a path leads to is no matter of a fuzzer. */
	if (prompt_read(&value, &arena, &prompt, &why) && prompt.type != PROMPT_FILE && scan_is_utf8(line)) talk(&prompt, &value, line);
	arena_finish(&arena);
	return 0;
}
