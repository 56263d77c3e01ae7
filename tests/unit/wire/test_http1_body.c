/* SPDX-License-Identifier: Apache-2.0 */
/*
 * HTTP/1.1 bodies: each is read whole, octet by octet and cut in two at every place, with the same
 * outcome, and never an octet of the next request.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "wire/http1.h"

#define REST "GET /next"

static struct http1_head chunked = {.chunked = true, .minor = 1};
static struct http1_head head;

/* Reads one piece from memory of exactly its size; adds what it got to `data`. */
static enum http1_result read_piece(struct http1_body *body, struct slice piece, struct text *data,
	size_t *used, struct http1_fault *fault) {
	struct slice got;
	char *copy = malloc(piece.length ? piece.length : 1);
	assert_non_null(copy);
	memcpy(copy, piece.bytes, piece.length);
	struct slice bytes = slice_make(copy, piece.length);
	enum http1_result result;
	do {
		size_t before = bytes.length;
		result = http1_body_next(body, &bytes, &got, fault);
		text_add(data, got);
		if (result == HTTP1_MORE) assert_true(bytes.length == 0 || bytes.length < before);
	} while (result == HTTP1_MORE && bytes.length > 0);
	*used += piece.length - bytes.length;
	free(copy);
	return result;
}

/* "data" when whole, "data..." when more is wanted, "400" when refused. */
static void outcome(const struct http1_head *of, uint64_t limit, struct slice input, size_t first,
	size_t then, struct text *trace) {
	struct http1_body body;
	struct http1_fault fault = {0, NULL};
	enum http1_result result = HTTP1_MORE;
	size_t used = 0;
	text_clear(trace);
	http1_body_init(&body, of, limit);
	for (size_t at = 0, size = first; result == HTTP1_MORE; at += size, size = then) {
		if (size > input.length - at) size = input.length - at;
		result = read_piece(&body, slice_make(input.bytes + at, size), trace, &used, &fault);
		if (at + size == input.length) break;
	}
	assert_int_equal(body.taken, trace->length);
	if (result == HTTP1_MORE) text_add_cstr(trace, "...");
	if (result == HTTP1_READY) {
		struct slice nothing = SLICE("x"), piece;
		assert_true(used + strlen(REST) == input.length || used == input.length);
		assert_int_equal(http1_body_next(&body, &nothing, &piece, &fault), HTTP1_READY);
		assert_int_equal(nothing.length, 1);
	}
	if (result == HTTP1_BAD) {
		struct slice nothing = SLICE("x"), piece;
		assert_non_null(fault.what);
		text_clear(trace);
		text_printf(trace, "%u", fault.status);
		assert_int_equal(http1_body_next(&body, &nothing, &piece, &fault), HTTP1_BAD);
	}
}

static void expect_slice(const struct http1_head *of, uint64_t limit, struct slice input,
	const char *expected) {
	AUTO_TEXT struct text trace = {0};
	outcome(of, limit, input, input.length, 1, &trace);
	assert_string_equal(text_slice(&trace).bytes, expected);
	outcome(of, limit, input, 1, 1, &trace);
	assert_string_equal(text_slice(&trace).bytes, expected);
	for (size_t cut = 0; cut < input.length && cut < 300; cut++) {
		outcome(of, limit, input, cut, input.length, &trace);
		assert_string_equal(text_slice(&trace).bytes, expected);
	}
}
#define EXPECT(of, limit, literal, expected) expect_slice(of, limit, SLICE(literal), expected)
#define CHUNKS(literal, expected) EXPECT(&chunked, 1000, literal, expected)

static const struct http1_head *with_length(uint64_t length) {
	head = (struct http1_head){.has_length = true, .length = length, .minor = 1};
	return &head;
}

static const struct http1_head *answer(unsigned status) {
	head = (struct http1_head){.status = status, .minor = 1};
	return &head;
}

/* ---- By length ---- */

static void a_body_has_its_length(void **state) {
	(void)state;
	EXPECT(with_length(5), 5, "hello", "hello");
	EXPECT(with_length(5), 1000, "hello" REST, "hello");
	EXPECT(with_length(6), 1000, "hello", "hello...");
	EXPECT(with_length(0), 1000, REST, "");
	EXPECT(with_length(0), 0, REST, "");
}

static void a_request_without_length_has_no_body(void **state) {
	static const struct http1_head plain = {.minor = 1};
	(void)state;
	EXPECT(&plain, 1000, REST, "");
}

static void a_length_over_the_limit_is_refused_at_once(void **state) {
	(void)state;
	EXPECT(with_length(6), 5, "", "413");
	EXPECT(with_length(INT64_MAX), 1000, "hello", "413");
}

/* ---- Responses ---- */

static void a_response_without_length_ends_with_its_connection(void **state) {
	(void)state;
	EXPECT(answer(200), 5, "hello", "hello...");
	EXPECT(answer(200), 4, "hello", "413");
}

static void some_statuses_have_no_body(void **state) {
	static const unsigned statuses[] = {100, 101, 199, 204, 304};
	(void)state;
	for (size_t i = 0; i < COUNT_OF(statuses); i++) {
		answer(statuses[i]);
		EXPECT(&head, 1000, REST, "");
		head.has_length = true;
		head.length = 5;
		EXPECT(&head, 1000, REST, "");
		head.has_length = false;
		head.chunked = true;
		EXPECT(&head, 1000, REST, "");
	}
	answer(200);
	head.chunked = true;
	EXPECT(&head, 1000, "1\r\nx\r\n0\r\n\r\n" REST, "x");
	head.chunked = false;
	head.has_length = true;
	head.length = 2;
	EXPECT(&head, 1000, "xy" REST, "xy");
}

/* ---- Chunks ---- */

static void chunks_are_joined(void **state) {
	(void)state;
	CHUNKS("0\r\n\r\n" REST, "");
	CHUNKS("5\r\nhello\r\n0\r\n\r\n" REST, "hello");
	CHUNKS("5\r\nhello\r\n1\r\n \r\n00a\r\nbeautiful \r\nA\r\nold world!\r\n000\r\n\r\n" REST,
		"hello beautiful old world!");
	CHUNKS("5\r\nhello\r\n0\r\n\r", "hello...");
	CHUNKS("5\r\nhel", "hel...");
	CHUNKS("4\r\n\r\n\r\n\r\n0\r\n\r\n", "\r\n\r\n");
}

static void extensions_are_skipped_up_to_64_octets(void **state) {
	char text[200];
	(void)state;
	CHUNKS("1;a\r\nx\r\n0;b=\"c\";d\t\r\n\r\n" REST, "x");
	for (int over = 0; over <= 1; over++) {
		int length = snprintf(text, sizeof text, "1;%0*d\r\nx\r\n0\r\n\r\n", 63 + over, 0);
		expect_slice(&chunked, 1000, slice_make(text, (size_t)length), over ? "400" : "x");
	}
	CHUNKS("1;a\0\r\nx\r\n0\r\n\r\n", "400");
	CHUNKS("1;a\nx\r\n0\r\n\r\n", "400");
	CHUNKS("1;a\rx\r\n0\r\n\r\n", "400");
}

static void sizes_are_hexadecimal_and_right_before_the_line_end(void **state) {
	(void)state;
	CHUNKS("\r\nx\r\n0\r\n\r\n", "400");
	CHUNKS(";a\r\nx\r\n0\r\n\r\n", "400");
	CHUNKS("g\r\nx\r\n0\r\n\r\n", "400");
	CHUNKS("+1\r\nx\r\n0\r\n\r\n", "400");
	CHUNKS("-1\r\nx\r\n0\r\n\r\n", "400");
	CHUNKS("0x1\r\nx\r\n0\r\n\r\n", "400");
	CHUNKS(" 1\r\nx\r\n0\r\n\r\n", "400");
	CHUNKS("1 \r\nx\r\n0\r\n\r\n", "400");
	CHUNKS("1 ;a\r\nx\r\n0\r\n\r\n", "400");
	CHUNKS("1\nx\r\n0\r\n\r\n", "400");
	CHUNKS("1\rx\r\n0\r\n\r\n", "400");
	CHUNKS("00000000000000001\r\nx\r\n0\r\n\r\n", "400");
	CHUNKS("0000000000000001\r\nx\r\n0\r\n\r\n", "x");
}

static void sizes_out_of_range_are_refused(void **state) {
	(void)state;
	EXPECT(&chunked, UINT64_MAX, "ffffffffffffffff\r\n", "400");
	EXPECT(&chunked, UINT64_MAX, "7fffffffffffffff\r\nx", "x...");
	EXPECT(&chunked, UINT64_MAX, "8000000000000000\r\nx", "400");
	CHUNKS("3e9\r\nx", "413");
	CHUNKS("3e8\r\nx", "x...");
	EXPECT(&chunked, 3, "2\r\nxx\r\n1\r\nx\r\n0\r\n\r\n", "xxx");
	EXPECT(&chunked, 3, "2\r\nxx\r\n2\r\nxx\r\n0\r\n\r\n", "413");
	EXPECT(&chunked, 0, "0\r\n\r\n", "");
}

static void chunks_end_where_their_size_says(void **state) {
	(void)state;
	CHUNKS("1\r\nxy\r\n0\r\n\r\n", "400");
	CHUNKS("1\r\nx\n0\r\n\r\n", "400");
	CHUNKS("1\r\nx\r0\r\n\r\n", "400");
	CHUNKS("1\r\nx0\r\n\r\n", "400");
	CHUNKS("2\r\nx\r\n0\r\n\r\n", "400");
}

static void trailers_are_checked_and_dropped(void **state) {
	(void)state;
	CHUNKS("0\r\nX-Sum: 1\r\nEmpty:\r\n\r\n" REST, "");
	CHUNKS("0\r\nX-Sum\r\n\r\n", "400");
	CHUNKS("0\r\nX-Sum : 1\r\n\r\n", "400");
	CHUNKS("0\r\n: 1\r\n\r\n", "400");
	CHUNKS("0\r\nX: 1\r\n 2\r\n\r\n", "400");
	CHUNKS("0\r\nX: \0\r\n\r\n", "400");
	CHUNKS("0\r\nX: 1\n\r\n", "400");
	CHUNKS("0\r\nX: 1\rY\r\n\r\n", "400");
	CHUNKS("0\r\n\n", "400");
	CHUNKS("0\r\n\rx", "400");
}

static void trailers_end_at_4_kib(void **state) {
	AUTO_TEXT struct text text = {0};
	(void)state;
	for (int over = 0; over <= 1; over++) {
		text_clear(&text);
		text_add(&text, SLICE("0\r\nX:"));
		while (text.length < (size_t)(3 + 4096 - 2 + over)) text_add_char(&text, 'x');
		text_add(&text, SLICE("\r\n\r\n"));
		expect_slice(&chunked, 1000, text_slice(&text), over ? "400" : "");
	}
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_body_has_its_length),
		cmocka_unit_test(a_request_without_length_has_no_body),
		cmocka_unit_test(a_length_over_the_limit_is_refused_at_once),
		cmocka_unit_test(a_response_without_length_ends_with_its_connection),
		cmocka_unit_test(some_statuses_have_no_body),
		cmocka_unit_test(chunks_are_joined),
		cmocka_unit_test(extensions_are_skipped_up_to_64_octets),
		cmocka_unit_test(sizes_are_hexadecimal_and_right_before_the_line_end),
		cmocka_unit_test(sizes_out_of_range_are_refused),
		cmocka_unit_test(chunks_end_where_their_size_says),
		cmocka_unit_test(trailers_are_checked_and_dropped),
		cmocka_unit_test(trailers_end_at_4_kib),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
