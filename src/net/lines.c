/* SPDX-License-Identifier: Apache-2.0 */
/* Lines: from pieces to lines; only an unfinished one is copied. */
#include "net/lines.h"

/* Memory that one long line needed is not kept for the short ones. */
#define PARTIAL_FIRST ((size_t)4 * 1024)
#define PARTIAL_KEPT ((size_t)64 * 1024)

void lines_init(struct lines *lines, size_t limit, enum lines_policy policy) {
	*lines = (struct lines){.limit = limit, .policy = policy};
}

void lines_finish(struct lines *lines) {
	frame_drop(TAKE(lines->partial));
}

struct frame *lines_frame(const struct lines *lines) {
	return lines->is_handing_out ? lines->partial : NULL;
}

static size_t kept(const struct lines *lines) {
	return lines->partial ? lines->partial->used : 0;
}

static void partial_forget(struct lines *lines) {
	struct frame *partial = lines->partial;
	if (!partial) return;
	if (partial->references > 1 || partial->capacity > PARTIAL_KEPT) frame_drop(TAKE(lines->partial));
	else partial->used = 0;
}

static bool hand_out(struct lines *lines, lines_fn *line, void *context) {
	lines->is_handing_out = true;
	bool wanted = line(context, slice_make(lines->partial->bytes, lines->partial->used));
	lines->is_handing_out = false;
	partial_forget(lines);
	return wanted;
}

/* Room for `more` octets; it doubles, up to the limit. */
static bool reserve(struct lines *lines, size_t more) {
	struct frame *partial = lines->partial;
	size_t needed = kept(lines) + more, capacity = partial ? partial->capacity : PARTIAL_FIRST;
	if (partial && frame_room(partial) >= more) return true;
	while (capacity < needed) capacity *= 2;
	if (capacity > lines->limit && needed <= lines->limit) capacity = lines->limit;
	partial = partial ? frame_grow(partial, capacity) : frame_open(NULL, capacity);
	if (partial) lines->partial = partial;
	return partial != NULL;
}

static bool keep(struct lines *lines, struct slice part, struct fault *why) {
	if (reserve(lines, part.length)) {
		if (part.length) frame_add(lines->partial, part.bytes, part.length);
		return true;
	}
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

	size_t room = lines->limit - kept(lines);
	if (part.length > room && lines->policy == LINES_STRICT)
		return fault_set(why, FAULT_TOO_LARGE, "a line of over %zu octets", lines->limit);

	bool is_cut = part.length > room;
	if (is_cut) part.length = room;
	if (kept(lines) == 0 && (is_whole || is_cut)) {
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
	if (kept(lines)) hand_out(lines, line, context);
	lines->is_skipping = false;
}
