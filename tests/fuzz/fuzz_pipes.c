/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a child writes, cut into lines: the same lines whatever the pieces, none over the limit, and
 * together with their LFs the octets that came. The first octet chooses limit, policy and pieces.
 */
#include "net/lines.h"

#include <stdlib.h>

struct told {
	struct text text;
	size_t limit, stop_at, count;
};

static bool tell(void *context, struct slice line) {
	struct told *told = context;
	if (line.length > told->limit) abort();
	text_add(&told->text, line);
	text_add_char(&told->text, '\n');
	return ++told->count != told->stop_at;
}

/* Whether all of it was within the limit; what was told is in `told`. */
static bool feed(struct told *told, enum lines_policy policy, struct slice bytes, size_t piece) {
	struct lines lines;
	struct fault why = {0};
	bool held = true;
	lines_init(&lines, told->limit, policy);
	while (held && bytes.length) {
		size_t length = bytes.length < piece ? bytes.length : piece;
		/* Of exactly its size, so that reading behind it is seen. */
		char *part = malloc(length);
		if (!part) abort();
		memcpy(part, bytes.bytes, length);
		held = lines_feed(&lines, slice_make(part, length), tell, told, &why);
		free(part);
		bytes = slice_make(bytes.bytes + length, bytes.length - length);
	}
	if (held) lines_end(&lines, tell, told);
	else if (why.code != FAULT_TOO_LARGE || policy != LINES_STRICT) abort();
	lines_finish(&lines);
	return held;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	if (size < 1) return 0;
	enum lines_policy policy = data[0] & 1 ? LINES_CUT : LINES_STRICT;
	size_t limit = data[0] >> 1 & 31, piece = 1 + (data[0] >> 6);
	struct slice bytes = slice_make(data + 1, size - 1);
	struct told whole = {.limit = limit}, pieces = {.limit = limit};
	bool held = feed(&whole, policy, bytes, bytes.length ? bytes.length : 1);
	if (held != feed(&pieces, policy, bytes, piece)) abort();
	if (!slice_equal(text_slice(&whole.text), text_slice(&pieces.text))) abort();

	if (policy == LINES_STRICT && held && bytes.length) {
		size_t missing = bytes.bytes[bytes.length - 1] == '\n' ? 0 : 1;
		if (whole.text.length != bytes.length + missing) abort();
		if (memcmp(whole.text.bytes, bytes.bytes, bytes.length) != 0) abort();
	}

	struct told first = {.limit = limit, .stop_at = 1};
	(void)feed(&first, policy, bytes, bytes.length ? bytes.length : 1);
	text_finish(&first.text);
	text_finish(&whole.text);
	text_finish(&pieces.text);
	return 0;
}
