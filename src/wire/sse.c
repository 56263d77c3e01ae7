/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sse: the stream as HTML 9.2.6 interprets it. A line that lies whole in the caller's bytes is read
 * there; only a line that is cut is kept.
 */
#include "wire/sse.h"

#define BYTE_ORDER_MARK "\xEF\xBB\xBF"
#define KEPT ((size_t)64 * 1024)            /* memory that one large event needed is not kept for small ones */
#define LONGEST_RETRY ((uint64_t)INT32_MAX) /* in milliseconds: 24 days */

void sse_init(struct sse *sse, size_t limit) {
	*sse = (struct sse){.retry_ms = -1, .limit = limit};
	text_init(&sse->line, limit);
	text_init(&sse->data, limit);
	text_init(&sse->event, limit);
	text_init(&sse->id, limit);
}

void sse_finish(struct sse *sse) {
	text_finish(&sse->line);
	text_finish(&sse->data);
	text_finish(&sse->event);
	text_finish(&sse->id);
}

static void forget(struct text *text) {
	if (text->capacity > KEPT) text_finish(text);
	else text_clear(text);
}

static bool has_room(const struct sse *sse, size_t more, struct fault *why) {
	size_t held = sse->data.length + sse->event.length;
	if (held <= sse->limit && more <= sse->limit - held) return true;
	return fault_set(why, FAULT_TOO_LARGE,
		"server-sent event: over %zu octets; send smaller events or raise the limit", sse->limit);
}

static bool is_kept(const struct text *text, struct fault *why) {
	return !text_failed(text) ||
		fault_set(why, FAULT_NO_MEMORY, "server-sent event: no memory for it");
}

static bool replace(struct text *text, struct slice value, struct fault *why) {
	text_clear(text);
	text_add(text, value);
	return is_kept(text, why);
}

static bool add_data(struct sse *sse, struct slice value, struct fault *why) {
	if (sse->has_data) text_add_char(&sse->data, '\n');
	text_add(&sse->data, value);
	sse->has_data = true;
	return is_kept(&sse->data, why);
}

/* Fields of other names are ignored, as the standard wants. */
static bool read_field(struct sse *sse, struct slice name, struct slice value, struct fault *why) {
	uint64_t number;
	if (slice_is(name, "data")) return add_data(sse, value, why);
	if (slice_is(name, "event")) return replace(&sse->event, value, why);
	if (slice_is(name, "id")) {
		bool has_nul = value.length > 0 && memchr(value.bytes, '\0', value.length);
		return has_nul || replace(&sse->id, value, why);
	}
	if (slice_is(name, "retry") && slice_number(value, LONGEST_RETRY, &number))
		sse->retry_ms = (int64_t)number;
	return true;
}

static bool dispatch(struct sse *sse, sse_seen *seen, void *context, struct fault *why) {
	bool goes_on = true;
	if (sse->has_data) {
		struct sse_event event = {
			.event = sse->event.length > 0 ? text_slice(&sse->event) : SLICE("message"),
			.data = text_slice(&sse->data),
			.id = text_slice(&sse->id),
			.retry_ms = sse->retry_ms,
		};
		sse->retry_ms = -1;
		goes_on = seen(context, &event);
	}
	forget(&sse->data);
	forget(&sse->event);
	sse->has_data = false;
	return goes_on || fault_set(why, FAULT_CLOSED, "server-sent events: the reader stopped");
}

static bool read_line(struct sse *sse, struct slice line, sse_seen *seen, void *context,
	struct fault *why) {
	if (!has_room(sse, line.length, why)) return false;
	if (!sse->started && slice_starts_with(line, BYTE_ORDER_MARK))
		line = slice_make(line.bytes + 3, line.length - 3);
	sse->started = true;
	if (line.length == 0) return dispatch(sse, seen, context, why);

	const char *colon = memchr(line.bytes, ':', line.length);
	size_t name = colon ? (size_t)(colon - line.bytes) : line.length;
	size_t start = name + (colon ? 1 : 0);
	if (start < line.length && line.bytes[start] == ' ') start++;
	if (name == 0) return true; /* a comment */
	return read_field(sse, slice_make(line.bytes, name),
		slice_make(line.bytes + start, line.length - start), why);
}

static size_t line_length(struct slice bytes) {
	const char *lf = memchr(bytes.bytes, '\n', bytes.length);
	size_t length = lf ? (size_t)(lf - bytes.bytes) : bytes.length;
	const char *cr = length > 0 ? memchr(bytes.bytes, '\r', length) : NULL;
	return cr ? (size_t)(cr - bytes.bytes) : length;
}

static bool keep_piece(struct sse *sse, struct slice piece, struct fault *why) {
	if (!has_room(sse, sse->line.length + piece.length, why)) return false;
	text_add(&sse->line, piece);
	return is_kept(&sse->line, why);
}

bool sse_read(struct sse *sse, struct slice bytes, sse_seen *seen, void *context,
	struct fault *why) {
	while (bytes.length > 0) {
		bool is_second_half = sse->after_cr && bytes.bytes[0] == '\n';
		sse->after_cr = false;
		if (is_second_half) {
			bytes = slice_make(bytes.bytes + 1, bytes.length - 1);
			continue;
		}
		size_t length = line_length(bytes);
		struct slice line = slice_make(bytes.bytes, length);
		if (length == bytes.length) return keep_piece(sse, line, why);

		sse->after_cr = bytes.bytes[length] == '\r';
		bytes = slice_make(bytes.bytes + length + 1, bytes.length - length - 1);
		if (sse->line.length > 0) {
			if (!keep_piece(sse, line, why)) return false;
			line = text_slice(&sse->line);
		}
		if (!read_line(sse, line, seen, context, why)) return false;
		forget(&sse->line);
	}
	return true;
}

/* ---- Writing ---- */

static bool has_line_end(struct slice value) {
	return value.length > 0 &&
		(memchr(value.bytes, '\n', value.length) || memchr(value.bytes, '\r', value.length) || memchr(value.bytes, '\0', value.length));
}

static void write_line(struct text *to, const char *name, struct slice value) {
	text_add_cstr(to, name);
	text_add(to, SLICE(": "));
	text_add(to, value);
	text_add_char(to, '\n');
}

static void write_field(struct text *to, const char *name, struct slice value) {
	if (!value.bytes) return;
	if (has_line_end(value)) to->failed = true;
	write_line(to, name, value);
}

void sse_write(struct text *to, struct slice event, struct slice id, struct slice data) {
	write_field(to, "event", event);
	write_field(to, "id", id);
	bool goes_on = data.bytes;
	while (goes_on) {
		size_t length = data.length > 0 ? line_length(data) : 0;
		write_line(to, "data", slice_make(data.bytes, length));
		goes_on = length < data.length;
		if (!goes_on) break;
		bool is_pair = data.bytes[length] == '\r' && length + 1 < data.length &&
			data.bytes[length + 1] == '\n';
		size_t used = length + (is_pair ? 2 : 1);
		data = slice_make(data.bytes + used, data.length - used);
	}
	text_add_char(to, '\n');
}
