/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Server-sent events: each stream is read whole, octet by octet and cut in two at every place.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "wire/sse.h"

struct trace {
	struct text text;
	int stop_after; /* events; 0: never */
	int seen;
};

/* "event|data|id|retry;" */
static bool note(void *context, const struct sse_event *event) {
	struct trace *trace = context;
	text_add(&trace->text, event->event);
	text_add_char(&trace->text, '|');
	text_add(&trace->text, event->data);
	text_add_char(&trace->text, '|');
	text_add(&trace->text, event->id);
	text_add_char(&trace->text, '|');
	if (event->retry_ms >= 0) text_number(&trace->text, event->retry_ms);
	text_add_char(&trace->text, ';');
	return ++trace->seen != trace->stop_after;
}

static bool feed(struct sse *sse, struct slice piece, struct trace *trace, struct fault *why) {
	char *copy = malloc(piece.length ? piece.length : 1);
	assert_non_null(copy);
	memcpy(copy, piece.bytes, piece.length);
	bool is_read = sse_read(sse, slice_make(copy, piece.length), note, trace, why);
	free(copy);
	return is_read;
}

static enum fault_code read_in_pieces(struct slice input, size_t limit, size_t first, size_t then,
	struct trace *trace) {
	struct sse sse;
	struct fault why = {0};
	bool goes_on = true;
	text_clear(&trace->text);
	trace->seen = 0;
	sse_init(&sse, limit);
	for (size_t at = 0, size = first; goes_on && at < input.length; at += size, size = then) {
		if (size > input.length - at) size = input.length - at;
		goes_on = feed(&sse, slice_make(input.bytes + at, size), trace, &why);
	}
	sse_finish(&sse);
	assert_int_equal(goes_on, why.code == FAULT_NONE);
	return why.code;
}

static void expect_as(struct slice input, size_t limit, int stop_after, enum fault_code code,
	const char *expected) {
	struct trace trace = {.stop_after = stop_after};
	text_init(&trace.text, 0);
	assert_int_equal(read_in_pieces(input, limit, input.length, 1, &trace), code);
	assert_string_equal(text_slice(&trace.text).bytes, expected);
	assert_int_equal(read_in_pieces(input, limit, 1, 1, &trace), code);
	assert_string_equal(text_slice(&trace.text).bytes, expected);
	for (size_t cut = 1; cut < input.length; cut++) {
		assert_int_equal(read_in_pieces(input, limit, cut, input.length, &trace), code);
		assert_string_equal(text_slice(&trace.text).bytes, expected);
	}
	text_finish(&trace.text);
}
#define EXPECT(literal, expected) expect_as(SLICE(literal), 1000, 0, FAULT_NONE, expected)

/* ---- Reading ---- */

static void events_have_data_name_and_id(void **state) {
	(void)state;
	EXPECT("data: hello\n\n", "message|hello||;");
	EXPECT("event: add\ndata: 1\nid: 7\n\ndata: 2\n\n", "add|1|7|;message|2|7|;");
	EXPECT("id: 7\nretry: 500\ndata:\n\n", "message||7|500;");
	EXPECT("data: a\ndata: b\ndata\ndata: c\n\n", "message|a\nb\n\nc||;");
	EXPECT("data\n\n", "message|||;");
	EXPECT("data:a:b\n\n", "message|a:b||;");
	EXPECT("data:  two blanks\n\n", "message| two blanks||;");
}

static void lines_end_in_three_ways(void **state) {
	(void)state;
	EXPECT("data: a\r\ndata: b\r\n\r\ndata: c\r\n\r\n", "message|a\nb||;message|c||;");
	EXPECT("data: a\rdata: b\r\rdata: c\r\r", "message|a\nb||;message|c||;");
	EXPECT("data: a\r\ndata: b\rdata: c\n\r\n\n", "message|a\nb\nc||;");
}

static void events_without_data_are_not_told(void **state) {
	(void)state;
	EXPECT("\n\n\r\n", "");
	EXPECT("event: lost\n\ndata: a\n\n", "message|a||;");
	EXPECT("id: 1\n\ndata: a\n\n", "message|a|1|;");
	EXPECT("data: never ended\n", "");
	EXPECT("data: never ended", "");
}

static void comments_and_unknown_fields_are_ignored(void **state) {
	(void)state;
	EXPECT(": ping\n\n:\n\n", "");
	EXPECT(":x\nfoo: bar\nDATA: no\n data: no\ndata : no\ndata: yes\n\n", "message|yes||;");
}

static void ids_are_kept_and_may_be_emptied(void **state) {
	(void)state;
	EXPECT("id: 1\ndata: a\n\nid: 2\0\ndata: b\n\nid\ndata: c\n\n",
		"message|a|1|;message|b|1|;message|c||;");
}

static void retry_is_a_number_told_once(void **state) {
	(void)state;
	EXPECT("retry: 10\n\ndata: a\n\ndata: b\n\n", "message|a||10;message|b||;");
	EXPECT("retry: -1\nretry: 1s\nretry:\nretry: 99999999999\ndata: a\n\n", "message|a||;");
	EXPECT("retry: 2147483647\ndata: a\n\n", "message|a||2147483647;");
}

static void one_byte_order_mark_is_skipped(void **state) {
	(void)state;
	EXPECT("\xEF\xBB\xBF"
	       "data: a\n\n",
		"message|a||;");
	EXPECT("\xEF\xBB\xBF\xEF\xBB\xBF"
	       "data: a\n\n",
		"");
	EXPECT("data: a\n\n\xEF\xBB\xBF"
	       "data: b\n\n",
		"message|a||;");
	EXPECT("\n\xEF\xBB\xBF"
	       "data: b\n\n",
		"");
}

static void an_event_ends_at_the_limit(void **state) {
	(void)state;
	expect_as(SLICE("data: 4567890\n\n"), 13, 0, FAULT_NONE, "message|4567890||;");
	expect_as(SLICE("data: 45678901\n\n"), 13, 0, FAULT_TOO_LARGE, "");
	expect_as(SLICE("data: 123\n\ndata: 123\n\ndata: 12345\ndata: 123\n\n"), 13, 0, FAULT_TOO_LARGE,
		"message|123||;message|123||;");
	expect_as(SLICE("event: 1\ndata: 12345\ndata: 1\n\n"), 13, 0, FAULT_NONE, "1|12345\n1||;");
	expect_as(SLICE("event: 12\ndata: 12345\ndata: 1\n\n"), 13, 0, FAULT_TOO_LARGE, "");
	expect_as(SLICE("\xEF\xBB\xBF"
			"data: 7890\n\n"),
		13, 0, FAULT_NONE, "message|7890||;");
	expect_as(SLICE("\xEF\xBB\xBF"
			"data: 78901\n\n"),
		13, 0, FAULT_TOO_LARGE, "");
	expect_as(SLICE("data"), 0, 0, FAULT_TOO_LARGE, "");
}

static void a_line_without_end_is_refused_at_the_limit(void **state) {
	struct sse sse;
	struct trace trace = {0};
	struct fault why;
	(void)state;
	sse_init(&sse, 100);
	for (int i = 0; i < 100; i++) assert_true(sse_read(&sse, SLICE("x"), note, &trace, NULL));
	assert_false(sse_read(&sse, SLICE("x"), note, &trace, &why));
	assert_int_equal(why.code, FAULT_TOO_LARGE);
	sse_finish(&sse);
}

static void the_reader_may_stop(void **state) {
	(void)state;
	expect_as(SLICE("data: a\n\ndata: b\n\ndata: c\n\n"), 1000, 2, FAULT_CLOSED,
		"message|a||;message|b||;");
}

static void no_memory_is_told(void **state) {
	static const char *const streams[] = {"data: abcd\n", "event: abcd\n", "id: abcd\n",
		"abcdefgh"};
	(void)state;
	for (size_t i = 0; i < COUNT_OF(streams); i++) {
		struct sse sse;
		struct trace trace = {0};
		struct fault why;
		sse_init(&sse, 1000);
		sse.data.limit = sse.event.limit = sse.id.limit = sse.line.limit = 3;
		assert_false(sse_read(&sse, slice_of(streams[i]), note, &trace, &why));
		assert_int_equal(why.code, FAULT_NO_MEMORY);
		sse_finish(&sse);
	}
}

/* ---- Writing ---- */

static void expect_written(struct slice event, struct slice id, struct slice data,
	const char *expected) {
	AUTO_TEXT struct text out = {0};
	sse_write(&out, event, id, data);
	assert_false(text_failed(&out));
	assert_string_equal(out.bytes, expected);
}

static void written_events_hold_what_is_given(void **state) {
	(void)state;
	expect_written(SLICE_NONE, SLICE_NONE, SLICE("{}"), "data: {}\n\n");
	expect_written(SLICE("message"), SLICE("7"), SLICE("{}"),
		"event: message\nid: 7\ndata: {}\n\n");
	expect_written(SLICE_NONE, SLICE("7"), SLICE(""), "id: 7\ndata: \n\n");
	expect_written(SLICE_NONE, SLICE("7"), SLICE_NONE, "id: 7\n\n");
	expect_written(SLICE_NONE, SLICE_NONE, SLICE("a\nb\rc\r\nd\n"),
		"data: a\ndata: b\ndata: c\ndata: d\ndata: \n\n");
	expect_written(SLICE_NONE, SLICE_NONE, SLICE("\r"), "data: \ndata: \n\n");
}

static void names_with_line_ends_fail(void **state) {
	static const struct slice bad[] = {{"a\nb", 3}, {"a\rb", 3}, {"a\0b", 3}};
	(void)state;
	for (size_t i = 0; i < COUNT_OF(bad); i++) {
		AUTO_TEXT struct text event = {0};
		AUTO_TEXT struct text id = {0};
		sse_write(&event, bad[i], SLICE_NONE, SLICE("x"));
		assert_true(text_failed(&event));
		sse_write(&id, SLICE_NONE, bad[i], SLICE("x"));
		assert_true(text_failed(&id));
	}
}

static void what_is_written_can_be_read(void **state) {
	AUTO_TEXT struct text out = {0};
	(void)state;
	sse_write(&out, SLICE("add"), SLICE("\xE2\x82\xAC"), SLICE(" one\n\ntwo: 2\n"));
	sse_write(&out, SLICE_NONE, SLICE_NONE, SLICE(""));
	expect_as(text_slice(&out), 1000, 0, FAULT_NONE,
		"add| one\n\ntwo: 2\n|\xE2\x82\xAC|;message||\xE2\x82\xAC|;");
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(events_have_data_name_and_id),
		cmocka_unit_test(lines_end_in_three_ways),
		cmocka_unit_test(events_without_data_are_not_told),
		cmocka_unit_test(comments_and_unknown_fields_are_ignored),
		cmocka_unit_test(ids_are_kept_and_may_be_emptied),
		cmocka_unit_test(retry_is_a_number_told_once),
		cmocka_unit_test(one_byte_order_mark_is_skipped),
		cmocka_unit_test(an_event_ends_at_the_limit),
		cmocka_unit_test(a_line_without_end_is_refused_at_the_limit),
		cmocka_unit_test(the_reader_may_stop),
		cmocka_unit_test(no_memory_is_told),
		cmocka_unit_test(written_events_hold_what_is_given),
		cmocka_unit_test(names_with_line_ends_fail),
		cmocka_unit_test(what_is_written_can_be_read),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
