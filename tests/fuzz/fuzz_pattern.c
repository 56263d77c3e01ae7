/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target: a regular expression, a NUL, a text. The search ends within its steps, takes no more than
 * there are, and says the same when it is asked again.
 */
#include "base/pattern.h"
#include "wire/scan.h"

#include <stdlib.h>

#define STEPS 100000

#define MUST(what) \
	do { \
		if (!(what)) abort(); \
	} while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	struct slice text = slice_make(data, size), expression;
	struct fault why = {0};
	if (!slice_split(&text, '\0', &expression) || !scan_is_utf8(text)) return 0;
	AUTO(pattern) pattern = pattern_read(expression, &why);
	MUST(pattern || (why.code != FAULT_NONE && why.text[0]));
	if (!pattern) return 0;

	uint64_t steps = STEPS, again = STEPS;
	enum pattern_answer answer = pattern_match(pattern, text, &steps);
	MUST(steps <= STEPS && pattern_size(pattern) > 0);
	MUST(pattern_match(pattern, text, &again) == answer && again == steps);
	return 0;
}
