/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The WebSocket reader and writer, RFC 6455: every conversation is read whole, octet by octet and
 * cut in two at every place, and must say the same each time.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "wire/websocket.h"

#define FIN 0x80u
#define LIMIT 100000

static const uint8_t key[4] = {0x37, 0xFA, 0x21, 0x3D};

static void put_octets(struct text *to, const char *octets, size_t length) {
	text_add(to, slice_make(octets, length));
	assert_false(text_failed(to));
}
#define PUT(to, literal) put_octets(to, literal, sizeof(literal) - 1)

/* A frame with that first octet; masked as a client does when `mask`. */
static void put_frame(struct text *to, unsigned first, struct slice payload, bool mask) {
	char head[10];
	size_t size = websocket_head(head, 0, payload.length);
	head[0] = (char)first;
	if (mask) head[1] = (char)((uint8_t)head[1] | 0x80u);
	put_octets(to, head, size);
	if (mask) put_octets(to, (const char *)key, 4);
	for (size_t i = 0; i < payload.length; i++)
		text_add_char(to, (char)((uint8_t)payload.bytes[i] ^ (mask ? key[i & 3] : 0u)));
	assert_false(text_failed(to));
}

static void put(struct text *to, unsigned first, const char *payload) {
	put_frame(to, first, slice_of(payload), true);
}

static const char *const event_words[] = {
	[WEBSOCKET_TEXT] = "text",
	[WEBSOCKET_BINARY] = "binary",
	[WEBSOCKET_PING] = "ping",
	[WEBSOCKET_PONG] = "pong",
	[WEBSOCKET_CLOSE] = "close",
	[WEBSOCKET_FAILED] = "failed",
};

/* "text(hello) close 1000(bye) failed 1002 " */
static void note(struct text *trace, const struct websocket_message *message) {
	text_add_cstr(trace, event_words[message->event]);
	if (message->code) text_printf(trace, " %u", message->code);
	if (message->event == WEBSOCKET_FAILED) {
		assert_true(message->payload.length > 0 && message->payload.length <= 123);
	} else if (message->payload.length > 60) {
		uint32_t sum = 0;
		for (size_t i = 0; i < message->payload.length; i++)
			sum = sum * 31 + (uint8_t)message->payload.bytes[i];
		text_printf(trace, "(%zu octets, %08x)", message->payload.length, sum);
	} else {
		text_printf(trace, "(%.*s)", SLICE_ARGS(message->payload));
	}
	text_add_char(trace, ' ');
}

/* Feeds one piece in memory of exactly its size. */
static void feed(struct websocket *websocket, struct slice piece, struct text *trace) {
	struct websocket_message message;
	char *copy = malloc(piece.length ? piece.length : 1);
	assert_non_null(copy);
	memcpy(copy, piece.bytes, piece.length);
	struct slice bytes = slice_make(copy, piece.length);
	while (websocket_next(websocket, &bytes, &message) != WEBSOCKET_MORE) note(trace, &message);
	assert_int_equal(message.event, WEBSOCKET_MORE);
	assert_int_equal(bytes.length, 0);
	free(copy);
}

static void read_in_pieces(enum websocket_role role, size_t limit, struct slice input, size_t first,
	size_t then, struct text *trace) {
	struct websocket websocket;
	websocket_init(&websocket, role, limit);
	for (size_t at = 0, size = first; at < input.length; at += size, size = then) {
		if (size > input.length - at) size = input.length - at;
		feed(&websocket, slice_make(input.bytes + at, size), trace);
	}
	feed(&websocket, SLICE(""), trace);
	websocket_finish(&websocket);
	websocket_finish(&websocket);
}

static void expect_as(enum websocket_role role, size_t limit, struct text *input,
	const char *expected) {
	AUTO_TEXT struct text trace = {0};
	text_init(&trace, 0);
	struct slice all = text_slice(input);
	size_t cuts = all.length < 300 ? all.length : 40;
	read_in_pieces(role, limit, all, all.length, 1, &trace);
	assert_string_equal(text_slice(&trace).bytes, expected);
	text_clear(&trace);
	read_in_pieces(role, limit, all, 1, 1, &trace);
	assert_string_equal(text_slice(&trace).bytes, expected);
	for (size_t cut = 1; cut < cuts; cut++) {
		text_clear(&trace);
		read_in_pieces(role, limit, all, cut, all.length, &trace);
		assert_string_equal(text_slice(&trace).bytes, expected);
	}
	text_clear(input);
}

static void expect(struct text *input, const char *expected) {
	expect_as(WEBSOCKET_SERVER, LIMIT, input, expected);
}

/* ---- Messages ---- */

static void whole_messages_are_handed_out_in_order(void **state) {
	AUTO_TEXT struct text in = {0};
	(void)state;
	put(&in, FIN | 1, "hello");
	put(&in, FIN | 2, "\x01\xFF");
	put(&in, FIN | 1, "");
	put(&in, FIN | 2, "");
	put(&in, FIN | 1, "gr\xC3\xBC\xC3\x9F \xE2\x82\xAC \xF0\x9F\x8E\xB6 a line of more than 32");
	expect(&in, "text(hello) binary(\x01\xFF) text() binary() "
		    "text(gr\xC3\xBC\xC3\x9F \xE2\x82\xAC \xF0\x9F\x8E\xB6 a line of more than 32) ");
}

static void a_whole_message_stays_where_it_lies(void **state) {
	AUTO_TEXT struct text in = {0};
	struct websocket websocket;
	struct websocket_message message;
	(void)state;
	put(&in, FIN | 1, "hello");
	struct slice bytes = text_slice(&in);
	websocket_init(&websocket, WEBSOCKET_SERVER, LIMIT);
	assert_int_equal(websocket_next(&websocket, &bytes, &message), WEBSOCKET_TEXT);
	assert_ptr_equal(message.payload.bytes, in.bytes + 6);
	assert_null(websocket.partial);
	assert_int_equal(websocket_next(&websocket, &bytes, &message), WEBSOCKET_MORE);
	assert_null(websocket.partial);
}

static void lengths_of_all_forms_are_read(void **state) {
	static const size_t lengths[] = {124, 125, 126, 127, 128, 65535, 65536, LIMIT};
	AUTO_TEXT struct text in = {0};
	AUTO_TEXT struct text payload = {0};
	AUTO_TEXT struct text expected = {0};
	(void)state;
	for (size_t i = 0; i < COUNT_OF(lengths); i++) {
		uint32_t sum = 0;
		text_clear(&payload);
		text_clear(&expected);
		while (payload.length < lengths[i])
			text_add_char(&payload, (char)('a' + payload.length % 23));
		for (size_t at = 0; at < lengths[i]; at++) sum = sum * 31 + (uint8_t)payload.bytes[at];
		put_frame(&in, FIN | 1, text_slice(&payload), true);
		put(&in, FIN | 1, "next");
		text_printf(&expected, "text(%zu octets, %08x) text(next) ", lengths[i], sum);
		expect(&in, expected.bytes);
	}
}

static void fragments_are_joined_and_controls_pass_between_them(void **state) {
	AUTO_TEXT struct text in = {0};
	(void)state;
	put(&in, 1, "one ");
	put(&in, FIN | 9, "ping");
	put(&in, 0, "two ");
	put(&in, 0, "");
	put(&in, FIN | 10, "");
	put(&in, FIN | 0, "three");
	put(&in, 2, "");
	put(&in, FIN | 0, "");
	put(&in, 1, "\xF0\x9F");
	put(&in, FIN | 9, "");
	put(&in, 0, "\x8E");
	put(&in, FIN | 0, "\xB6");
	expect(&in, "ping(ping) pong() text(one two three) binary() ping() text(\xF0\x9F\x8E\xB6) ");
}

static void many_small_fragments_grow_one_message(void **state) {
	AUTO_TEXT struct text in = {0};
	AUTO_TEXT struct text trace = {0};
	(void)state;
	put(&in, 2, "x");
	for (int i = 0; i < 2000; i++) put(&in, 0, "x");
	put(&in, FIN | 0, "");
	text_init(&trace, 0);
	read_in_pieces(WEBSOCKET_SERVER, 2001, text_slice(&in), 7, 7, &trace);
	assert_true(slice_starts_with(text_slice(&trace), "binary(2001 octets"));
}

static void an_idle_reader_keeps_no_memory(void **state) {
	AUTO_TEXT struct text in = {0};
	AUTO_TEXT struct text trace = {0};
	struct websocket websocket;
	(void)state;
	text_init(&trace, 0);
	put(&in, FIN | 1, "hello");
	put(&in, 1, "a");
	put(&in, FIN | 9, "b");
	put(&in, FIN | 0, "c");
	put(&in, FIN | 9, "d");
	websocket_init(&websocket, WEBSOCKET_SERVER, LIMIT);
	for (size_t i = 0; i < in.length; i++) {
		bool is_between = i == 0 || i == 11 || i == 32;
		if (is_between) assert_null(websocket.partial);
		else assert_non_null(websocket.partial);
		feed(&websocket, slice_make(in.bytes + i, 1), &trace);
	}
	assert_null(websocket.partial);
	assert_string_equal(trace.bytes, "text(hello) ping(b) text(ac) ping(d) ");
}

static void a_client_reads_unmasked_frames(void **state) {
	AUTO_TEXT struct text in = {0};
	(void)state;
	put_frame(&in, FIN | 1, SLICE("hello \xC3\xBC"), false);
	put_frame(&in, 1, SLICE("\xC3"), false);
	put_frame(&in, FIN | 9, SLICE("p"), false);
	put_frame(&in, FIN | 0, SLICE("\xBC"), false);
	put_frame(&in, FIN | 8, SLICE("\x03\xE9gone"), false);
	expect_as(WEBSOCKET_CLIENT, LIMIT, &in,
		"text(hello \xC3\xBC) ping(p) text(\xC3\xBC) close 1001(gone) ");
}

/* ---- Refusals ---- */

static void expect_refused(struct text *in, unsigned code) {
	char expected[40];
	snprintf(expected, sizeof expected, "text(before) failed %u ", code);
	AUTO_TEXT struct text all = {0};
	put(&all, FIN | 1, "before");
	text_add(&all, text_slice(in));
	put(&all, FIN | 1, "never read");
	expect(&all, expected);
	text_clear(in);
}

static void masks_are_required_of_clients_and_refused_of_servers(void **state) {
	AUTO_TEXT struct text in = {0};
	(void)state;
	put_frame(&in, FIN | 1, SLICE("bare"), false);
	expect_refused(&in, 1002);
	put(&in, FIN | 1, "masked");
	expect_as(WEBSOCKET_CLIENT, LIMIT, &in, "failed 1002 ");
}

static void reserved_bits_and_opcodes_are_refused(void **state) {
	static const unsigned firsts[] = {FIN | 0x41, FIN | 0x21, FIN | 0x11, FIN | 0x79, FIN | 0x48,
		FIN | 3, FIN | 4, FIN | 5, FIN | 6, FIN | 7, FIN | 11, FIN | 12, FIN | 13, FIN | 14,
		FIN | 15, 3, 0x42};
	AUTO_TEXT struct text in = {0};
	(void)state;
	for (size_t i = 0; i < COUNT_OF(firsts); i++) {
		put(&in, firsts[i], "x");
		expect_refused(&in, 1002);
	}
}

static void the_first_octet_alone_can_be_refused(void **state) {
	AUTO_TEXT struct text in = {0};
	(void)state;
	PUT(&in, "\xC1");
	expect(&in, "failed 1002 ");
	PUT(&in, "\x80");
	expect(&in, "failed 1002 ");
	PUT(&in, "\x81\x05");
	expect(&in, "failed 1002 ");
	PUT(&in, "\x89\xFE");
	expect(&in, "failed 1002 ");
}

static void control_frames_are_short_and_whole(void **state) {
	AUTO_TEXT struct text in = {0};
	char long_payload[127];
	(void)state;
	memset(long_payload, 'x', 126);
	long_payload[126] = '\0';
	for (unsigned opcode = 8; opcode <= 10; opcode++) {
		put(&in, FIN | opcode, long_payload);
		expect_refused(&in, 1002);
		put(&in, opcode, "\x03\xE8");
		expect_refused(&in, 1002);
		text_add_char(&in, (char)(FIN | opcode));
		put_octets(&in, "\xFF\0\0\0\0\0\1\0\0", 9);
		put_octets(&in, (const char *)key, 4);
		expect_refused(&in, 1002);
	}
	long_payload[125] = '\0';
	put(&in, FIN | 9, long_payload);
	AUTO_TEXT struct text trace = {0};
	text_init(&trace, 0);
	read_in_pieces(WEBSOCKET_SERVER, LIMIT, text_slice(&in), 3, 3, &trace);
	assert_true(slice_starts_with(text_slice(&trace), "ping(125 octets"));
}

static void fragments_out_of_order_are_refused(void **state) {
	AUTO_TEXT struct text in = {0};
	(void)state;
	put(&in, FIN | 0, "of nothing");
	expect_refused(&in, 1002);
	put(&in, 0, "of nothing");
	expect_refused(&in, 1002);
	put(&in, 1, "one");
	put(&in, FIN | 1, "another");
	expect_refused(&in, 1002);
	put(&in, 1, "one");
	put(&in, 2, "another");
	expect_refused(&in, 1002);
	put(&in, 1, "one");
	put(&in, FIN | 0, "two");
	put(&in, FIN | 0, "three");
	expect(&in, "text(onetwo) failed 1002 ");
}

static void lengths_use_the_shortest_form(void **state) {
	AUTO_TEXT struct text in = {0};
	(void)state;
	PUT(&in, "\x81\xFE\x00\x7D");
	expect_refused(&in, 1002);
	PUT(&in, "\x81\xFE\x00\x00");
	expect_refused(&in, 1002);
	PUT(&in, "\x81\xFF\0\0\0\0\0\0\xFF\xFF");
	expect_refused(&in, 1002);
	PUT(&in, "\x82\xFF\x80\0\0\0\0\0\0\0");
	expect_refused(&in, 1002);
}

static void sizes_are_refused_at_the_head(void **state) {
	AUTO_TEXT struct text in = {0};
	(void)state;
	PUT(&in, "\x81\x8B");
	expect_as(WEBSOCKET_SERVER, 10, &in, "failed 1009 ");
	PUT(&in, "\x82\xFF\x7F\xFF\xFF\xFF\xFF\xFF\xFF\xFF");
	expect_as(WEBSOCKET_SERVER, SIZE_MAX, &in, "failed 1009 ");
	put(&in, FIN | 1, "0123456789");
	put(&in, 1, "01234");
	put(&in, FIN | 9, "a ping is not part of it");
	put(&in, 0, "56789");
	put(&in, 0, "");
	PUT(&in, "\x80\x81");
	expect_as(WEBSOCKET_SERVER, 10, &in,
		"text(0123456789) ping(a ping is not part of it) failed 1009 ");
	put(&in, FIN | 1, "");
	put(&in, FIN | 1, "x");
	expect_as(WEBSOCKET_SERVER, 0, &in, "text() failed 1009 ");
}

static void a_large_announcement_allocates_nothing_before_its_bytes(void **state) {
	AUTO_TEXT struct text in = {0};
	AUTO_TEXT struct text trace = {0};
	struct websocket websocket;
	(void)state;
	text_init(&trace, 0);
	PUT(&in, "\x82\xFF\0\0\0\0\xFF\xFF\xFF\xFF"
		 "abcd"
		 "xy");
	websocket_init(&websocket, WEBSOCKET_SERVER, SIZE_MAX);
	feed(&websocket, text_slice(&in), &trace);
	assert_non_null(websocket.partial);
	assert_false(websocket.failed);
	websocket_finish(&websocket);
	assert_null(websocket.partial);
}

/* ---- UTF-8 ---- */

static const char *const not_utf8[] = {
	"\x80",
	"\xBF",
	"\xC0\xAF",
	"\xC1\xBF",
	"\xC2",
	"\xC2z",
	"\xE0\x80\x80",
	"\xE0\x9F\xBF",
	"\xE2\x82",
	"\xE2\x28\xA1",
	"\xED\xA0\x80",
	"\xED\xBF\xBF",
	"\xF0\x80\x80\x80",
	"\xF0\x8F\xBF\xBF",
	"\xF0\x9F\x8E",
	"\xF4\x90\x80\x80",
	"\xF5\x80\x80\x80",
	"\xF8\x88\x80\x80\x80",
	"\xFE",
	"\xFF",
	"\xF0\x9F\x8E\xB6\xB6",
	"long ascii before it, over eight octets \xE2\x82 and behind",
};

static void text_that_is_not_utf8_is_refused(void **state) {
	AUTO_TEXT struct text in = {0};
	(void)state;
	for (size_t i = 0; i < COUNT_OF(not_utf8); i++) {
		put(&in, FIN | 1, not_utf8[i]);
		expect_refused(&in, 1007);
		put(&in, 1, not_utf8[i]);
		put(&in, FIN | 0, "z");
		expect_refused(&in, 1007);
		AUTO_TEXT struct text expected = {0};
		text_add_cstr(&expected, "binary(");
		text_add_cstr(&expected, not_utf8[i]);
		text_add_cstr(&expected, ") ");
		put(&in, FIN | 2, not_utf8[i]);
		expect(&in, expected.bytes);
	}
}

static void bad_text_fails_before_its_frame_is_whole(void **state) {
	AUTO_TEXT struct text in = {0};
	AUTO_TEXT struct text trace = {0};
	struct websocket websocket;
	(void)state;
	text_init(&trace, 0);
	put(&in, 1, "fine so far \xF4\x90 and long after it");
	websocket_init(&websocket, WEBSOCKET_SERVER, LIMIT);
	feed(&websocket, slice_make(in.bytes, 6 + 13), &trace);
	assert_int_equal(trace.length, 0);
	feed(&websocket, slice_make(in.bytes + 6 + 13, 1), &trace);
	assert_string_equal(trace.bytes, "failed 1007 ");
	feed(&websocket, slice_make(in.bytes + 6 + 14, 5), &trace);
	assert_string_equal(trace.bytes, "failed 1007 ");
	assert_null(websocket.partial);
}

static void text_may_not_end_inside_a_character(void **state) {
	AUTO_TEXT struct text in = {0};
	(void)state;
	put(&in, 1, "\xE2\x82");
	put(&in, FIN | 9, "");
	put(&in, FIN | 0, "");
	expect(&in, "ping() failed 1007 ");
}

static void characters_may_be_cut_anywhere(void **state) {
	static const char *const fine[] = {"\xC2\x80", "\xDF\xBF", "\xE0\xA0\x80", "\xED\x9F\xBF",
		"\xEE\x80\x80", "\xEF\xBF\xBF", "\xF0\x90\x80\x80", "\xF4\x8F\xBF\xBF",
		"12345678\xC3\xA4"
		"12345678\xC3\xB6"
		"1234567\xC3\xBC"};
	AUTO_TEXT struct text in = {0};
	(void)state;
	for (size_t i = 0; i < COUNT_OF(fine); i++) {
		char expected[80];
		snprintf(expected, sizeof expected, "text(%s) ", fine[i]);
		put(&in, FIN | 1, fine[i]);
		expect(&in, expected);
		for (size_t cut = 0; cut <= strlen(fine[i]); cut++) {
			put_frame(&in, 1, slice_make(fine[i], cut), true);
			put(&in, FIN | 0, fine[i] + cut);
			expect(&in, expected);
		}
	}
}

/* ---- Closing ---- */

static void put_close(struct text *to, unsigned code, const char *reason) {
	char payload[125] = {(char)(code >> 8), (char)code};
	size_t length = strlen(reason);
	memcpy(payload + 2, reason, length);
	put_frame(to, FIN | 8, slice_make(payload, 2 + length), true);
}

static void close_codes_are_checked(void **state) {
	static const unsigned good[] = {1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012,
		1013, 1014, 3000, 3999, 4000, 4001, 4999};
	static const unsigned bad[] = {0, 1, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000,
		65535};
	AUTO_TEXT struct text in = {0};
	(void)state;
	for (size_t i = 0; i < COUNT_OF(good); i++) {
		char expected[40];
		snprintf(expected, sizeof expected, "close %u(bye) ", good[i]);
		put_close(&in, good[i], "bye");
		put(&in, FIN | 1, "dropped");
		expect(&in, expected);
	}
	for (size_t i = 0; i < COUNT_OF(bad); i++) {
		put_close(&in, bad[i], "");
		expect_refused(&in, 1002);
	}
}

static void a_close_needs_no_code(void **state) {
	AUTO_TEXT struct text in = {0};
	(void)state;
	put(&in, FIN | 8, "");
	put(&in, FIN | 9, "dropped");
	expect(&in, "close 1005() ");
	put(&in, FIN | 8, "\x03");
	expect_refused(&in, 1002);
	put(&in, 1, "never ended");
	put_close(&in, 1000, "");
	put(&in, FIN | 0, "dropped");
	expect(&in, "close 1000() ");
}

static void a_close_reason_is_utf8(void **state) {
	AUTO_TEXT struct text in = {0};
	(void)state;
	put_close(&in, 1000, "\xE2\x82");
	expect_refused(&in, 1007);
	put_close(&in, 1000, "sch\xC3\xB6n");
	expect(&in, "close 1000(sch\xC3\xB6n) ");
}

/* ---- Writing ---- */

static void written_frames_are_read_by_the_other_side(void **state) {
	static const size_t lengths[] = {0, 1, 7, 125, 126, 65535, 65536};
	AUTO_TEXT struct text payload = {0};
	AUTO_TEXT struct text out = {0};
	(void)state;
	for (size_t i = 0; i < COUNT_OF(lengths) * 2; i++) {
		struct websocket reader;
		struct websocket_message message;
		enum websocket_role writer = i & 1 ? WEBSOCKET_CLIENT : WEBSOCKET_SERVER;
		while (payload.length < lengths[i / 2])
			text_add_char(&payload, (char)('a' + payload.length % 7));
		text_clear(&out);
		websocket_write(&out, writer, WEBSOCKET_OP_TEXT, text_slice(&payload));
		size_t expected = websocket_head_size(payload.length) + payload.length + (i & 1 ? 4 : 0);
		assert_int_equal(out.length, expected);
		struct slice bytes = text_slice(&out);
		websocket_init(&reader, i & 1 ? WEBSOCKET_SERVER : WEBSOCKET_CLIENT, SIZE_MAX);
		assert_int_equal(websocket_next(&reader, &bytes, &message), WEBSOCKET_TEXT);
		assert_true(slice_equal(message.payload, text_slice(&payload)));
	}
}

static void clients_mask_with_fresh_keys(void **state) {
	AUTO_TEXT struct text one = {0};
	AUTO_TEXT struct text other = {0};
	bool differ = false;
	(void)state;
	for (int i = 0; i < 4 && !differ; i++) {
		text_clear(&one);
		text_clear(&other);
		websocket_write(&one, WEBSOCKET_CLIENT, WEBSOCKET_OP_PING, SLICE("same"));
		websocket_write(&other, WEBSOCKET_CLIENT, WEBSOCKET_OP_PING, SLICE("same"));
		differ = !slice_equal(text_slice(&one), text_slice(&other));
	}
	assert_true(differ);
}

static void close_frames_are_cut_at_a_character(void **state) {
	AUTO_TEXT struct text out = {0};
	char reason[200] = "";
	(void)state;
	websocket_write_close(&out, WEBSOCKET_SERVER, 1013, SLICE("behind"));
	assert_memory_equal(out.bytes, "\x88\x08\x03\xF5"
				       "behind",
		10);
	assert_int_equal(out.length, 10);

	text_clear(&out);
	websocket_write_close(&out, WEBSOCKET_SERVER, WEBSOCKET_NO_CODE, SLICE("unsaid"));
	assert_memory_equal(out.bytes, "\x88\x00", 2);
	assert_int_equal(out.length, 2);

	for (int i = 0; i < 60; i++) strcat(reason, "\xE2\x82\xAC");
	text_clear(&out);
	websocket_write_close(&out, WEBSOCKET_SERVER, 1008, slice_make(reason + 1, 0));
	assert_int_equal(out.length, 4);
	text_clear(&out);
	websocket_write_close(&out, WEBSOCKET_SERVER, 1008, slice_of(reason));
	assert_int_equal(out.length, 2 + 2 + 123);
	reason[0] = 'a';
	reason[1] = 'b';
	reason[2] = 'c';
	memmove(reason + 1, reason + 2, strlen(reason + 2) + 1);
	text_clear(&out);
	websocket_write_close(&out, WEBSOCKET_SERVER, 1008, slice_of(reason));
	assert_int_equal(out.length, 2 + 2 + 122);
	text_clear(&out);
	websocket_write_close(&out, WEBSOCKET_SERVER, 1008, SLICE("\xFF"));
	assert_int_equal(out.length, 4);
}

static void a_full_builder_stays_failed(void **state) {
	AUTO_TEXT struct text out = {0};
	(void)state;
	text_init(&out, 8);
	websocket_write(&out, WEBSOCKET_CLIENT, WEBSOCKET_OP_TEXT, SLICE("too long for it"));
	assert_true(text_failed(&out));
}

/* ---- Handshake ---- */

static void the_accept_key_is_that_of_the_rfc(void **state) {
	char accept[29] = "untouched";
	(void)state;
	assert_true(websocket_accept(SLICE("dGhlIHNhbXBsZSBub25jZQ=="), accept));
	assert_string_equal(accept, "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
}

static void keys_that_are_not_sixteen_octets_are_refused(void **state) {
	static const char *const bad[] = {"", "dGhlIHNhbXBsZSBub25jZQ", "dGhlIHNhbXBsZSBub25jZQ= ",
		"dGhlIHNhbXBsZSBub25j", "dGhlIHNhbXBsZSBub25jZWFi", "dGhlIHNhbXBsZSBub25jZWE=",
		"dGhlIHNhbXBsZSBub25jZR==", "dGhl!HNhbXBsZSBub25jZQ==", "dGhlIHNhbXBsZSBub25jZQ==dGhl"};
	char accept[29] = "untouched";
	(void)state;
	for (size_t i = 0; i < COUNT_OF(bad); i++) {
		assert_false(websocket_accept(slice_of(bad[i]), accept));
		assert_string_equal(accept, "untouched");
	}
}

static void new_keys_are_keys_and_new(void **state) {
	char one[25], other[25], accept[29];
	(void)state;
	assert_true(websocket_new_key(one) && websocket_new_key(other));
	assert_int_equal(strlen(one), 24);
	assert_string_not_equal(one, other);
	assert_true(websocket_accept(slice_of(one), accept));
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole_messages_are_handed_out_in_order),
		cmocka_unit_test(a_whole_message_stays_where_it_lies),
		cmocka_unit_test(lengths_of_all_forms_are_read),
		cmocka_unit_test(fragments_are_joined_and_controls_pass_between_them),
		cmocka_unit_test(many_small_fragments_grow_one_message),
		cmocka_unit_test(an_idle_reader_keeps_no_memory),
		cmocka_unit_test(a_client_reads_unmasked_frames),
		cmocka_unit_test(masks_are_required_of_clients_and_refused_of_servers),
		cmocka_unit_test(reserved_bits_and_opcodes_are_refused),
		cmocka_unit_test(the_first_octet_alone_can_be_refused),
		cmocka_unit_test(control_frames_are_short_and_whole),
		cmocka_unit_test(fragments_out_of_order_are_refused),
		cmocka_unit_test(lengths_use_the_shortest_form),
		cmocka_unit_test(sizes_are_refused_at_the_head),
		cmocka_unit_test(a_large_announcement_allocates_nothing_before_its_bytes),
		cmocka_unit_test(text_that_is_not_utf8_is_refused),
		cmocka_unit_test(bad_text_fails_before_its_frame_is_whole),
		cmocka_unit_test(text_may_not_end_inside_a_character),
		cmocka_unit_test(characters_may_be_cut_anywhere),
		cmocka_unit_test(close_codes_are_checked),
		cmocka_unit_test(a_close_needs_no_code),
		cmocka_unit_test(a_close_reason_is_utf8),
		cmocka_unit_test(written_frames_are_read_by_the_other_side),
		cmocka_unit_test(clients_mask_with_fresh_keys),
		cmocka_unit_test(close_frames_are_cut_at_a_character),
		cmocka_unit_test(a_full_builder_stays_failed),
		cmocka_unit_test(the_accept_key_is_that_of_the_rfc),
		cmocka_unit_test(keys_that_are_not_sixteen_octets_are_refused),
		cmocka_unit_test(new_keys_are_keys_and_new),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
