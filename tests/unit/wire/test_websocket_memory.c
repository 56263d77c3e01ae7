/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The WebSocket reader without memory. Its source is compiled in here with an allocator that says
 * no at the chosen request, and that shows what was asked for.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

static int requests_until_no; /* 0: always yes */
static size_t largest_request;

static int says_no(size_t size) {
	if (size > largest_request) largest_request = size;
	return requests_until_no > 0 && --requests_until_no == 0;
}

static void *scarce_calloc(size_t count, size_t size) {
	return says_no(count * size) ? NULL : calloc(count, size);
}

static void *scarce_realloc(void *old, size_t size) {
	return says_no(size) ? NULL : realloc(old, size);
}

#define calloc scarce_calloc
#define realloc scarce_realloc
#include "wire/websocket.c"
#undef calloc
#undef realloc

#include <cmocka.h> /* behind it: it has a macro named fail */

static enum websocket_event read_one(struct websocket *websocket, char *octets, size_t length,
	struct websocket_message *message) {
	struct slice bytes = slice_make(octets, length);
	return websocket_next(websocket, &bytes, message);
}

static void no_memory_closes_with_1011(void **state) {
	static const struct {
		const char *octets;
		size_t length;
		int request;
	} cases[] = {
		{"\x81", 1, 1}, /* a cut head */
		{"\x89\x85"
		 "keyz"
		 "pi",
			8, 1}, /* a cut control frame */
		{"\x82\x85"
		 "keyz"
		 "he",
			8, 1}, /* a cut message */
		{"\x82\x85"
		 "keyz"
		 "he",
			8, 2},
		{"\x02\x82"
		 "keyz"
		 "he",
			8, 2}, /* a fragment */
	};
	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct websocket websocket;
		struct websocket_message message;
		char octets[16];
		memcpy(octets, cases[i].octets, cases[i].length);
		websocket_init(&websocket, WEBSOCKET_SERVER, 1000);
		requests_until_no = cases[i].request;
		assert_int_equal(read_one(&websocket, octets, cases[i].length, &message), WEBSOCKET_FAILED);
		assert_int_equal(message.code, WEBSOCKET_INTERNAL);
		assert_null(websocket.partial);
		assert_int_equal(read_one(&websocket, octets, cases[i].length, &message), WEBSOCKET_MORE);
		assert_null(websocket.partial);
	}
	requests_until_no = 0;
}

static void growth_stops_at_the_announced_length(void **state) {
	struct websocket websocket;
	struct websocket_message message;
	char octets[700] = "\x82\xFE\x02\xBC"
			   "\0\0\0\0"; /* 700 of 1 MiB */
	(void)state;
	websocket_init(&websocket, WEBSOCKET_SERVER, 1u << 20);
	assert_int_equal(read_one(&websocket, octets, 9, &message), WEBSOCKET_MORE);
	largest_request = 0;
	memset(octets, 'x', sizeof octets);
	assert_int_equal(read_one(&websocket, octets, 600, &message), WEBSOCKET_MORE);
	assert_int_equal(read_one(&websocket, octets, 99, &message), WEBSOCKET_BINARY);
	assert_int_equal(message.payload.length, 700);
	assert_int_equal(largest_request, 700);
	websocket_finish(&websocket);
}

static void growth_of_fragments_stops_at_the_limit(void **state) {
	struct websocket websocket;
	struct websocket_message message;
	char octets[1000] = "\x02\xFE\x02\xBC"
			    "\0\0\0\0"; /* 700, then 200 of 900 */
	char more[300] = "\x80\xFE\x00\xC8"
			 "\0\0\0\0";
	(void)state;
	websocket_init(&websocket, WEBSOCKET_SERVER, 900);
	assert_int_equal(read_one(&websocket, octets, 708, &message), WEBSOCKET_MORE);
	largest_request = 0;
	assert_int_equal(read_one(&websocket, more, 208, &message), WEBSOCKET_BINARY);
	assert_int_equal(message.payload.length, 900);
	assert_int_equal(largest_request, 900);
	websocket_finish(&websocket);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_memory_closes_with_1011),
		cmocka_unit_test(growth_stops_at_the_announced_length),
		cmocka_unit_test(growth_of_fragments_stops_at_the_limit),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
