/* SPDX-License-Identifier: Apache-2.0 */
/*
 * HTTP/1.1 heads. Every head is read whole, growing octet by octet and cut in two at every place; a
 * refusal must come with the same status each time.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "wire/http1.h"

typedef enum http1_result read_head(struct slice bytes, struct http1_head *head, size_t *used,
	struct http1_fault *fault);

static struct http1_head head;
static char *kept; /* what the spans of `head` point into */

/* Reads from memory of exactly its size. */
static enum http1_result read_exact(read_head *read, struct slice bytes, size_t *used,
	struct http1_fault *fault) {
	free(kept);
	kept = malloc(bytes.length ? bytes.length : 1);
	assert_non_null(kept);
	memcpy(kept, bytes.bytes, bytes.length);
	return read(slice_make(kept, bytes.length), &head, used, fault);
}

static int drop_kept(void **state) {
	(void)state;
	free(kept);
	kept = NULL;
	return 0;
}

/* The status of the refusal, or 0 and the head. */
static unsigned read_in_pieces(read_head *read, struct slice bytes, size_t first, size_t then) {
	struct http1_fault fault = {0, NULL};
	size_t used = 12345, have = first < bytes.length ? first : bytes.length;
	for (;;) {
		enum http1_result result =
			read_exact(read, slice_make(bytes.bytes, have), &used, &fault);
		if (result != HTTP1_READY) assert_int_equal(used, 12345);
		if (result == HTTP1_BAD) {
			assert_non_null(fault.what);
			return fault.status;
		}
		if (result == HTTP1_READY) {
			assert_true(used <= have);
			return 0;
		}
		assert_true(have < bytes.length);
		have = bytes.length - have < then ? bytes.length : have + then;
	}
}

static unsigned status_of(read_head *read, struct slice bytes) {
	size_t step = bytes.length < 2000 ? 1 : 997;
	unsigned status = read_in_pieces(read, bytes, step, step);
	for (size_t cut = 0; cut < bytes.length; cut += step)
		assert_int_equal(read_in_pieces(read, bytes, cut, bytes.length), status);
	assert_int_equal(read_in_pieces(read, bytes, bytes.length, 1), status);
	return status;
}

static void accept_slice(struct slice text) {
	assert_int_equal(status_of(http1_request, text), 0);
}
#define ACCEPT(literal) accept_slice(SLICE(literal))
#define REFUSE(status, literal) \
	assert_int_equal(status_of(http1_request, SLICE(literal)), status)
#define GET "GET / HTTP/1.1\r\n"
#define HOST "Host: a\r\n"
#define END "\r\n"

static void assert_slice(struct slice slice, const char *text) {
	assert_int_equal(slice.length, strlen(text));
	assert_memory_equal(slice.bytes, text, slice.length);
}

/* ---- Requests ---- */

static void a_request_is_taken_apart(void **state) {
	struct http1_fault fault;
	size_t used = 0;
	(void)state;
	ACCEPT("POST /v0/topics/a%2Fb/messages?x=1&y=? HTTP/1.1\r\nHost: localhost:7410\r\n"
	       "content-LENGTH: 12\r\nX-Empty:\r\nX-Blank:  \t \r\nX-Trim: \t a b\t \r\n\r\n");
	assert_slice(head.method, "POST");
	assert_slice(head.target, "/v0/topics/a%2Fb/messages?x=1&y=?");
	assert_slice(head.path, "/v0/topics/a%2Fb/messages");
	assert_slice(head.query, "x=1&y=?");
	assert_slice(head.host, "localhost:7410");
	assert_int_equal(head.minor, 1);
	assert_int_equal(head.status, 0);
	assert_true(head.keep_alive && head.has_length);
	assert_false(head.chunked || head.upgrades || head.expects_continue);
	assert_int_equal(head.length, 12);
	assert_int_equal(head.field_count, 5);
	assert_slice(http1_field(&head, "x-trim"), "a b");
	assert_slice(http1_field(&head, "X-Empty"), "");
	assert_slice(http1_field(&head, "X-Blank"), "");
	assert_null(http1_field(&head, "X-None").bytes);

	assert_int_equal(read_exact(http1_request, SLICE(GET HOST END "body"), &used, &fault),
		HTTP1_READY);
	assert_int_equal(used, sizeof(GET HOST END) - 1);
}

static void one_empty_line_before_a_request_is_left_over(void **state) {
	struct http1_fault fault;
	size_t used = 0;
	(void)state;
	ACCEPT("\r\n" GET HOST END);
	assert_int_equal(read_exact(http1_request, SLICE("\r\n" GET HOST END), &used, &fault),
		HTTP1_READY);
	assert_int_equal(used, 2 + sizeof(GET HOST END) - 1);
	REFUSE(400, "\r\n\r\n" GET HOST END);
	REFUSE(400, "\n" GET HOST END);
	REFUSE(400, "\rG");
	REFUSE(400, "\r\r\n" GET HOST END);
}

static void nothing_is_not_a_head_yet(void **state) {
	struct http1_fault fault;
	size_t used;
	(void)state;
	assert_int_equal(read_exact(http1_request, SLICE(""), &used, &fault), HTTP1_MORE);
	assert_int_equal(http1_request(SLICE_NONE, &head, &used, &fault), HTTP1_MORE);
	assert_int_equal(http1_response(SLICE_NONE, &head, &used, &fault), HTTP1_MORE);
	assert_int_equal(read_exact(http1_request, SLICE(GET HOST), &used, &fault), HTTP1_MORE);
	assert_int_equal(read_exact(http1_request, SLICE(GET HOST "\r"), &used, &fault), HTTP1_MORE);
}

static void absolute_targets_name_the_host(void **state) {
	(void)state;
	ACCEPT("GET http://b:81/p/q?r HTTP/1.1\r\n" HOST END);
	assert_slice(head.host, "b:81");
	assert_slice(head.path, "/p/q");
	assert_slice(head.query, "r");
	ACCEPT("GET HTTPS://[::1]?r HTTP/1.1\r\n" HOST END);
	assert_slice(head.host, "[::1]");
	assert_slice(head.path, "/");
	assert_slice(head.query, "r");
	ACCEPT("GET http://b HTTP/1.1\r\n" HOST END);
	assert_slice(head.path, "/");
	assert_null(head.query.bytes);
	ACCEPT("GET /http://b HTTP/1.1\r\n" HOST END);
	assert_slice(head.host, "a");
	REFUSE(400, "GET http:// HTTP/1.1\r\n" HOST END);
	REFUSE(400, "GET http:///p HTTP/1.1\r\n" HOST END);
	REFUSE(400, "GET https:// HTTP/1.1\r\n" HOST END);
	REFUSE(400, "GET http://user@b/ HTTP/1.1\r\n" HOST END);
	REFUSE(400, "GET ftp://b/ HTTP/1.1\r\n" HOST END);
	REFUSE(400, "OPTIONS * HTTP/1.1\r\n" HOST END);
	REFUSE(400, "CONNECT a:80 HTTP/1.1\r\n" HOST END);
}

static void request_lines_have_two_single_blanks(void **state) {
	(void)state;
	REFUSE(400, " GET / HTTP/1.1\r\n" HOST END);
	REFUSE(400, "GET  / HTTP/1.1\r\n" HOST END);
	REFUSE(400, "GET /  HTTP/1.1\r\n" HOST END);
	REFUSE(400, "GET\t/ HTTP/1.1\r\n" HOST END);
	REFUSE(400, "GET / HTTP/1.1 \r\n" HOST END);
	REFUSE(400, "GET / x HTTP/1.1\r\n" HOST END);
	REFUSE(400, "GET /\r\n" HOST END);
	REFUSE(400, "GET / \r\n" HOST END);
	REFUSE(400, "GET\r\n" HOST END);
	REFUSE(400, "\r\n\r\n");
}

static void methods_are_tokens(void **state) {
	(void)state;
	ACCEPT("M-SEARCH / HTTP/1.1\r\n" HOST END);
	REFUSE(400, "G(T / HTTP/1.1\r\n" HOST END);
	REFUSE(400, "G\xC3\x84T / HTTP/1.1\r\n" HOST END);
	REFUSE(400, "G\0T / HTTP/1.1\r\n" HOST END);
	REFUSE(400, "\x16\x03\x01\x02");
	ACCEPT("ABCDEFGHIJKLMNOPQRSTUVWXYZABCDEF / HTTP/1.1\r\n" HOST END);
	REFUSE(400, "ABCDEFGHIJKLMNOPQRSTUVWXYZABCDEFG / HTTP/1.1\r\n" HOST END);
}

static void targets_hold_no_character_that_must_be_escaped(void **state) {
	(void)state;
	ACCEPT("GET /%20%zz-._~!$&'()*+,;=:@/?{}|^`[] HTTP/1.1\r\n" HOST END);
	REFUSE(400, "GET /#f HTTP/1.1\r\n" HOST END);
	REFUSE(400, "GET /\\ HTTP/1.1\r\n" HOST END);
	REFUSE(400, "GET /\" HTTP/1.1\r\n" HOST END);
	REFUSE(400, "GET /<> HTTP/1.1\r\n" HOST END);
	REFUSE(400, "GET /\xC3\xBC HTTP/1.1\r\n" HOST END);
	REFUSE(400, "GET /\x7F HTTP/1.1\r\n" HOST END);
	REFUSE(400, "GET /\0 HTTP/1.1\r\n" HOST END);
	REFUSE(400, "GET /\t HTTP/1.1\r\n" HOST END);
	REFUSE(400, "GET /\r HTTP/1.1\r\n" HOST END);
}

static void versions_are_1_0_and_1_1(void **state) {
	(void)state;
	ACCEPT("GET / HTTP/1.0\r\n" HOST END);
	assert_int_equal(head.minor, 0);
	REFUSE(505, "GET / HTTP/1.2\r\n" HOST END);
	REFUSE(505, "GET / HTTP/2.0\r\n" HOST END);
	REFUSE(505, "GET / HTTP/0.9\r\n" HOST END);
	REFUSE(505, "PRI / HTTP/2.0\r\n\r\nSM\r\n\r\n");
	REFUSE(400, "GET / http/1.1\r\n" HOST END);
	REFUSE(400, "GET / HTTP/1.10\r\n" HOST END);
	REFUSE(400, "GET / HTTP/1\r\n" HOST END);
	REFUSE(400, "GET / HTTP/1,1\r\n" HOST END);
	REFUSE(400, "GET / HTTP/1.x\r\n" HOST END);
	REFUSE(400, "GET / HTTPS/1.1\r\n" HOST END);
}

/* ---- Lines and fields ---- */

static void lines_end_with_cr_and_lf(void **state) {
	(void)state;
	REFUSE(400, "GET / HTTP/1.1\n" HOST END);
	REFUSE(400, GET "Host: a\n" END);
	REFUSE(400, GET HOST "\n");
	REFUSE(400, GET HOST "\rx");
	REFUSE(400, "GET / HTTP/1.1\r" HOST END);
	REFUSE(400, GET "Host: a\r\r\n" END);
	REFUSE(400, GET "Host: a\rX: b\r\n" END);
	REFUSE(400, GET HOST "\r\r\n");
}

static void folded_lines_are_refused(void **state) {
	(void)state;
	REFUSE(400, GET HOST "X: a\r\n b\r\n" END);
	REFUSE(400, GET HOST "X: a\r\n\tb\r\n" END);
	REFUSE(400, GET " Host: a\r\n" END);
	REFUSE(400, GET HOST " \r\n");
}

static void field_names_are_tokens_right_before_the_colon(void **state) {
	(void)state;
	REFUSE(400, GET HOST "X : a\r\n" END);
	REFUSE(400, GET HOST "X\t: a\r\n" END);
	REFUSE(400, GET HOST ": a\r\n" END);
	REFUSE(400, GET HOST "X\r\n" END);
	REFUSE(400, GET HOST "X y: a\r\n" END);
	REFUSE(400, GET HOST "X\0: a\r\n" END);
	REFUSE(400, GET HOST "X\xC3: a\r\n" END);
	REFUSE(400, GET HOST "X[]: a\r\n" END);
	ACCEPT(GET HOST "!#$%&'*+-.^_`|~09azAZ: a\r\n" END);
}

static void values_hold_no_controls(void **state) {
	(void)state;
	ACCEPT(GET HOST "X: a\tb \xC3\xBC \"#<>\\\r\n" END);
	assert_slice(http1_field(&head, "X"), "a\tb \xC3\xBC \"#<>\\");
	REFUSE(400, GET HOST "X: a\0b\r\n" END);
	REFUSE(400, GET HOST "X: a\x01\r\n" END);
	REFUSE(400, GET HOST "X: a\x0B\r\n" END);
	REFUSE(400, GET HOST "X: a\x1F\r\n" END);
	REFUSE(400, GET HOST "X: a\x7F\r\n" END);
}

static void exactly_one_host_is_needed(void **state) {
	(void)state;
	REFUSE(400, GET END);
	REFUSE(400, "GET / HTTP/1.0\r\n" END);
	REFUSE(400, "GET http://b/ HTTP/1.1\r\n" END);
	REFUSE(400, GET HOST HOST END);
	REFUSE(400, GET HOST "hOST: b\r\n" END);
	REFUSE(400, GET "Host:\r\n" END);
	REFUSE(400, GET "Host: a b\r\n" END);
	REFUSE(400, GET "Host: a,b\r\n" END);
	REFUSE(400, GET "Host: a/b\r\n" END);
	REFUSE(400, GET "Host: http://a\r\n" END);
	REFUSE(400, GET "Host: u@a\r\n" END);
	REFUSE(400, GET "Host: a:\r\n" END);
	REFUSE(400, GET "Host: a:70000\r\n" END);
	ACCEPT(GET "Host: [::1]:7410\r\n" END);
}

/* ---- Lengths ---- */

static void lengths_are_single_and_decimal(void **state) {
	(void)state;
	ACCEPT(GET HOST "Content-Length: 9223372036854775807\r\n" END);
	assert_true(head.length == INT64_MAX);
	ACCEPT(GET HOST "Content-Length: 007\r\n" END);
	assert_int_equal(head.length, 7);
	REFUSE(400, GET HOST "Content-Length: 5\r\nContent-Length: 5\r\n" END);
	REFUSE(400, GET HOST "Content-Length: 5\r\ncontent-length: 6\r\n" END);
	REFUSE(400, GET HOST "Content-Length: 5, 5\r\n" END);
	REFUSE(400, GET HOST "Content-Length: +5\r\n" END);
	REFUSE(400, GET HOST "Content-Length: -5\r\n" END);
	REFUSE(400, GET HOST "Content-Length: 5.0\r\n" END);
	REFUSE(400, GET HOST "Content-Length: 0x5\r\n" END);
	REFUSE(400, GET HOST "Content-Length: 5 5\r\n" END);
	REFUSE(400, GET HOST "Content-Length:\r\n" END);
	REFUSE(400, GET HOST "Content-Length: 9223372036854775808\r\n" END);
	REFUSE(400, GET HOST "Content-Length: 99999999999999999999999999\r\n" END);
}

static void codings_are_chunked_alone(void **state) {
	(void)state;
	ACCEPT(GET HOST "Transfer-Encoding: Chunked\r\n" END);
	assert_true(head.chunked && !head.has_length);
	REFUSE(400, GET HOST "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n" END);
	REFUSE(400, GET HOST "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n" END);
	REFUSE(400, GET HOST "Content-Length: 5\r\nTransfer-Encoding: identity\r\n" END);
	REFUSE(400, GET HOST "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n" END);
	REFUSE(400, "GET / HTTP/1.0\r\n" HOST "Transfer-Encoding: chunked\r\n" END);
	REFUSE(501, GET HOST "Transfer-Encoding: gzip, chunked\r\n" END);
	REFUSE(501, GET HOST "Transfer-Encoding: chunked, chunked\r\n" END);
	REFUSE(501, GET HOST "Transfer-Encoding: identity\r\n" END);
	REFUSE(501, GET HOST "Transfer-Encoding: xchunked\r\n" END);
	REFUSE(501, GET HOST "Transfer-Encoding: chunked;q=1\r\n" END);
	REFUSE(501, GET HOST "Transfer-Encoding:\r\n" END);
}

static void one_expectation_is_known(void **state) {
	(void)state;
	ACCEPT(GET HOST "Expect: 100-Continue\r\n" END);
	assert_true(head.expects_continue);
	ACCEPT("GET / HTTP/1.0\r\n" HOST "Expect: 100-continue\r\n" END);
	assert_false(head.expects_continue);
	REFUSE(417, GET HOST "Expect: 200-ok\r\n" END);
	REFUSE(417, GET HOST "Expect: 100-continue\r\nExpect: 100-continue\r\n" END);
}

/* ---- Connections ---- */

static void connections_stay_open_by_version_and_token(void **state) {
	(void)state;
	ACCEPT(GET HOST END);
	assert_true(head.keep_alive);
	ACCEPT(GET HOST "Connection: foo, Close ,bar\r\n" END);
	assert_false(head.keep_alive);
	ACCEPT(GET HOST "Connection: keep-alive\r\nConnection: close\r\n" END);
	assert_false(head.keep_alive);
	ACCEPT(GET HOST "Connection: closed\r\n" END);
	assert_true(head.keep_alive);
	ACCEPT("GET / HTTP/1.0\r\n" HOST END);
	assert_false(head.keep_alive);
	ACCEPT("GET / HTTP/1.0\r\n" HOST "Connection: Keep-Alive\r\n" END);
	assert_true(head.keep_alive);
	ACCEPT("GET / HTTP/1.0\r\n" HOST "Connection: keep-alive, close\r\n" END);
	assert_false(head.keep_alive);
}

#define UPGRADE "Connection: keep-alive, Upgrade\r\nUpgrade: h2c, WebSocket\r\n"

static void upgrades_need_all_of_their_parts(void **state) {
	(void)state;
	ACCEPT(GET HOST UPGRADE END);
	assert_true(head.upgrades);
	ACCEPT(GET HOST UPGRADE "Content-Length: 0\r\n" END);
	assert_true(head.upgrades);
	ACCEPT("POST / HTTP/1.1\r\n" HOST UPGRADE END);
	assert_false(head.upgrades);
	ACCEPT("get / HTTP/1.1\r\n" HOST UPGRADE END);
	assert_false(head.upgrades);
	ACCEPT("GET / HTTP/1.0\r\n" HOST UPGRADE END);
	assert_false(head.upgrades);
	ACCEPT(GET HOST "Connection: Upgrade\r\n" END);
	assert_false(head.upgrades);
	ACCEPT(GET HOST "Upgrade: websocket\r\n" END);
	assert_false(head.upgrades);
	ACCEPT(GET HOST "Connection: Upgrade\r\nUpgrade: websocket2\r\n" END);
	assert_false(head.upgrades);
	ACCEPT(GET HOST UPGRADE "Content-Length: 1\r\n" END);
	assert_false(head.upgrades);
	ACCEPT(GET HOST UPGRADE "Transfer-Encoding: chunked\r\n" END);
	assert_false(head.upgrades);
}

static void lists_are_searched_over_all_fields(void **state) {
	(void)state;
	ACCEPT(GET HOST "Accept: a, b ,, c\r\nX: d\r\nACCEPT: e\tf,G\r\nAccept:\r\n" END);
	assert_true(http1_has_token(&head, "accept", "a"));
	assert_true(http1_has_token(&head, "accept", "B"));
	assert_true(http1_has_token(&head, "accept", "c"));
	assert_true(http1_has_token(&head, "accept", "g"));
	assert_false(http1_has_token(&head, "accept", "d"));
	assert_false(http1_has_token(&head, "accept", "e"));
	assert_false(http1_has_token(&head, "none", "a"));
	assert_int_equal(http1_field_count(&head, "Accept"), 3);
	assert_int_equal(http1_field_count(&head, "none"), 0);
}

/* ---- Limits ---- */

static void targets_end_at_8_kib(void **state) {
	AUTO_TEXT struct text text = {0};
	(void)state;
	for (int over = 0; over <= 1; over++) {
		text_clear(&text);
		text_add(&text, SLICE("GET /"));
		while (text.length < (size_t)(4 + 8192 + over)) text_add_char(&text, 'x');
		text_add(&text, SLICE(" HTTP/1.1\r\n" HOST END));
		assert_int_equal(status_of(http1_request, text_slice(&text)), over ? 414 : 0);
	}
	text.length = 4 + 8193;
	assert_int_equal(status_of(http1_request, text_slice(&text)), 414);
}

static void heads_end_at_32_kib(void **state) {
	AUTO_TEXT struct text text = {0};
	(void)state;
	for (int over = 0; over <= 1; over++) {
		text_clear(&text);
		text_add(&text, SLICE(GET HOST "X: "));
		while (text.length < (size_t)(HTTP1_HEAD - 4 + over)) text_add_char(&text, 'x');
		text_add(&text, SLICE("\r\n\r\n"));
		assert_int_equal(status_of(http1_request, text_slice(&text)), over ? 431 : 0);
	}
	text.length = HTTP1_HEAD;
	assert_int_equal(status_of(http1_request, text_slice(&text)), 431);
}

static void fields_end_at_a_hundred(void **state) {
	AUTO_TEXT struct text text = {0};
	(void)state;
	for (int over = 0; over <= 1; over++) {
		text_clear(&text);
		text_add(&text, SLICE(GET HOST));
		for (int i = 1; i < HTTP1_FIELDS + over; i++) text_printf(&text, "X-%d: %d\r\n", i, i);
		text_add(&text, SLICE(END));
		assert_int_equal(status_of(http1_request, text_slice(&text)), over ? 431 : 0);
	}
}

/* ---- Responses ---- */

#define REFUSE_ANSWER(code, literal) \
	assert_int_equal(status_of(http1_response, SLICE(literal)), code)

static void accept_answer(const char *text) {
	assert_int_equal(status_of(http1_response, slice_of(text)), 0);
}

static void a_response_is_taken_apart(void **state) {
	(void)state;
	accept_answer("HTTP/1.1 404 Not \xC3\xBC Found\r\nContent-Length: 3\r\n\r\n");
	assert_int_equal(head.status, 404);
	assert_int_equal(head.length, 3);
	assert_null(head.method.bytes);
	assert_true(head.keep_alive);
	accept_answer("HTTP/1.0 200 \r\n\r\n");
	assert_int_equal(head.status, 200);
	assert_false(head.keep_alive);
	accept_answer("HTTP/1.1 599\r\n\r\n");
	assert_int_equal(head.status, 599);
	accept_answer("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"
		      "Connection: Upgrade\r\n\r\n");
	assert_true(head.upgrades);
	accept_answer("HTTP/1.1 200 OK\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n");
	assert_false(head.upgrades);
}

static void malformed_responses_are_refused(void **state) {
	(void)state;
	REFUSE_ANSWER(505, "HTTP/2.0 200 OK\r\n\r\n");
	REFUSE_ANSWER(400, "HTTP/1 200 OK\r\n\r\n");
	REFUSE_ANSWER(400, "HTTP/1.1\r\n\r\n");
	REFUSE_ANSWER(400, "HTTP/1.1 \r\n\r\n");
	REFUSE_ANSWER(400, "HTTP/1.1 20\r\n\r\n");
	REFUSE_ANSWER(400, "HTTP/1.1 2000\r\n\r\n");
	REFUSE_ANSWER(400, "HTTP/1.1 2x0 OK\r\n\r\n");
	REFUSE_ANSWER(400, "HTTP/1.1  200 OK\r\n\r\n");
	REFUSE_ANSWER(400, "HTTP/1.1 099 Low\r\n\r\n");
	REFUSE_ANSWER(400, "HTTP/1.1 600 High\r\n\r\n");
	REFUSE_ANSWER(400, "HTTP/1.1 200 O\x01K\r\n\r\n");
	REFUSE_ANSWER(400, "HTTP/1.1 200 OK\n\r\n");
	REFUSE_ANSWER(400, "\r\nHTTP/1.1 200 OK\r\n\r\n");
	REFUSE_ANSWER(400, "SSH-2.0-x\r\n");
	REFUSE_ANSWER(400, "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n");
	REFUSE_ANSWER(501, "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n");
}

static void every_status_has_a_reason(void **state) {
	(void)state;
	assert_string_equal(http1_reason(404), "Not Found");
	assert_string_equal(http1_reason(101), "Switching Protocols");
	assert_string_equal(http1_reason(505), "HTTP Version Not Supported");
	assert_string_equal(http1_reason(499), "Client Error");
	assert_string_equal(http1_reason(599), "Server Error");
	assert_string_equal(http1_reason(7), "Unknown");
	assert_string_equal(http1_reason(1000), "Unknown");
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_request_is_taken_apart),
		cmocka_unit_test(one_empty_line_before_a_request_is_left_over),
		cmocka_unit_test(nothing_is_not_a_head_yet),
		cmocka_unit_test(absolute_targets_name_the_host),
		cmocka_unit_test(request_lines_have_two_single_blanks),
		cmocka_unit_test(methods_are_tokens),
		cmocka_unit_test(targets_hold_no_character_that_must_be_escaped),
		cmocka_unit_test(versions_are_1_0_and_1_1),
		cmocka_unit_test(lines_end_with_cr_and_lf),
		cmocka_unit_test(folded_lines_are_refused),
		cmocka_unit_test(field_names_are_tokens_right_before_the_colon),
		cmocka_unit_test(values_hold_no_controls),
		cmocka_unit_test(exactly_one_host_is_needed),
		cmocka_unit_test(lengths_are_single_and_decimal),
		cmocka_unit_test(codings_are_chunked_alone),
		cmocka_unit_test(one_expectation_is_known),
		cmocka_unit_test(connections_stay_open_by_version_and_token),
		cmocka_unit_test(upgrades_need_all_of_their_parts),
		cmocka_unit_test(lists_are_searched_over_all_fields),
		cmocka_unit_test(targets_end_at_8_kib),
		cmocka_unit_test(heads_end_at_32_kib),
		cmocka_unit_test(fields_end_at_a_hundred),
		cmocka_unit_test(a_response_is_taken_apart),
		cmocka_unit_test(malformed_responses_are_refused),
		cmocka_unit_test(every_status_has_a_reason),
	};
	return cmocka_run_group_tests(tests, NULL, drop_kept);
}
