/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzzes the reader of server-sent events. The first octet chooses the limit and how the rest is
 * cut: whole and in pieces the same events are told, and each can be written and read again.
 */
#include "wire/sse.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct told {
	struct text trace;
	size_t limit;
};

static void require(bool holds) {
	if (!holds) abort();
}

static bool compare(void *context, const struct sse_event *event) {
	const struct sse_event *expected = context;
	require(slice_equal(event->event, expected->event) && slice_equal(event->id, expected->id));
	require(slice_equal(event->data, expected->data));
	return false;
}

static void write_and_read(const struct sse_event *event) {
	struct sse again;
	AUTO_TEXT struct text out = {0};
	bool has_nul = event->event.length && memchr(event->event.bytes, 0, event->event.length);
	sse_write(&out, event->event, event->id, event->data);
	require(text_failed(&out) == has_nul);
	if (has_nul) return;
	sse_init(&again, out.length);
	struct sse_event expected = *event;
	struct fault why;
	require(!sse_read(&again, text_slice(&out), compare, &expected, &why));
	require(why.code == FAULT_CLOSED);
	sse_finish(&again);
}

static bool note(void *context, const struct sse_event *event) {
	struct told *told = context;
	require(event->data.length <= told->limit && event->event.length <= told->limit + 7);
	text_printf(&told->trace, "%zu %zu %zu %lld ", event->event.length, event->data.length,
		event->id.length, (long long)event->retry_ms);
	text_add(&told->trace, event->event);
	text_add(&told->trace, event->data);
	text_add(&told->trace, event->id);
	write_and_read(event);
	return true;
}

static void read_in_pieces(const uint8_t *data, size_t size, size_t piece, struct told *told) {
	struct sse sse;
	bool goes_on = true;
	sse_init(&sse, told->limit);
	for (size_t at = 0; goes_on && at < size; at += piece) {
		size_t length = size - at < piece ? size - at : piece;
		char *copy = malloc(length);
		if (!copy) abort();
		memcpy(copy, data + at, length);
		goes_on = sse_read(&sse, slice_make(copy, length), note, told, NULL);
		free(copy);
	}
	sse_finish(&sse);
	text_add_cstr(&told->trace, goes_on ? "" : " refused");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	if (size < 2) return 0;
	struct told whole = {.limit = data[0] & 1 ? 40 : 4000};
	struct told cut = {.limit = whole.limit};
	read_in_pieces(data + 1, size - 1, size, &whole);
	read_in_pieces(data + 1, size - 1, (data[0] >> 1) + 1u, &cut);
	require(slice_equal(text_slice(&whole.trace), text_slice(&cut.trace)));
	text_finish(&whole.trace);
	text_finish(&cut.trace);
	return 0;
}
