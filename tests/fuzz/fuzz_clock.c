/* SPDX-License-Identifier: Apache-2.0 */
/* Fuzz target: timestamps, spans and sizes. What is read is written and read again the same. */
#include "base/clock.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	struct slice text = slice_make(data, size);
	struct fault why = {0};
	int64_t value, again;
	if (clock_read(text, &value)) {
		char written[CLOCK_TEXT_SIZE];
		clock_write(value, written);
		if (!clock_read(slice_of(written), &again)) abort();
		/* An offset may carry the first and last days beyond the years that have four digits. */
		bool is_inside = value >= -62167219200000 && value <= 253402300799999;
		if (is_inside && again != value) abort();
	}
	if (clock_span_read(text, &value, &why)) {
		if (value < 0 || why.code != FAULT_NONE) abort();
	} else if (why.code != FAULT_BAD_INPUT) {
		abort();
	}
	why = (struct fault){0};
	if (clock_size_read(text, &value, &why)) {
		if (value < 0 || why.code != FAULT_NONE) abort();
	} else if (why.code != FAULT_BAD_INPUT) {
		abort();
	}
	return 0;
}
