/* SPDX-License-Identifier: Apache-2.0 */
/* Lines: from pieces to lines; only an unfinished one is copied. */
#include "net/lines.h"

/* A buffer that one long line needed is not kept for the short ones. */
#define PARTIAL_KEPT ((size_t)64 * 1024)

void lines_init(struct lines *lines, size_t limit, enum lines_policy policy) {
	*lines = (struct lines){.limit = limit, .policy = policy};
	text_init(&lines->partial, 0);
}

void lines_finish(struct lines *lines) {
	text_finish(&lines->partial);
}

static void partial_forget(struct lines *lines) {
	if (lines->partial.capacity > PARTIAL_KEPT) text_finish(&lines->partial);
	else text_clear(&lines->partial);
}

static bool hand_out(struct lines *lines, lines_fn *line, void *context) {
	bool wanted = line(context, text_slice(&lines->partial));
	partial_forget(lines);
	return wanted;
}

static bool keep(struct lines *lines, struct slice part, struct fault *why) {
	text_add(&lines->partial, part);
	if (!text_failed(&lines->partial)) return true;

	partial_forget(lines);
	return fault_set(why, FAULT_NO_MEMORY, "no memory for a line");
}

/* One part of a line, with or without its end. */
static bool take_part(struct lines *lines, struct slice part, bool is_whole, lines_fn *line,
	void *context, bool *wanted, struct fault *why) {
	if (lines->is_skipping) {
		lines->is_skipping = !is_whole;
		return true;
	}

	size_t room = lines->limit - lines->partial.length;
	if (part.length > room && lines->policy == LINES_STRICT)
		return fault_set(why, FAULT_TOO_LARGE, "a line of over %zu octets", lines->limit);

	bool is_cut = part.length > room;
	if (is_cut) part.length = room;
	if (lines->partial.length == 0 && (is_whole || is_cut)) {
		*wanted = line(context, part);
	} else {
		if (!keep(lines, part, why)) return false;
		if (is_whole || is_cut) *wanted = hand_out(lines, line, context);
	}
	lines->is_skipping = is_cut && !is_whole;
	return true;
}

bool lines_feed(struct lines *lines, struct slice bytes, lines_fn *line, void *context,
	struct fault *why) {
	bool wanted = true;
	while (bytes.length && wanted) {
		const char *end = memchr(bytes.bytes, '\n', bytes.length);
		size_t length = end ? (size_t)(end - bytes.bytes) : bytes.length;
		struct slice part = slice_make(bytes.bytes, length);
		if (!take_part(lines, part, end != NULL, line, context, &wanted, why)) return false;

		size_t used = length + (end != NULL);
		bytes = slice_make(bytes.bytes + used, bytes.length - used);
	}
	return true;
}

void lines_end(struct lines *lines, lines_fn *line, void *context) {
	if (lines->partial.length) hand_out(lines, line, context);
	lines->is_skipping = false;
}
