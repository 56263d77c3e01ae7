/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"

#include "client/web_wire.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#define PATIENCE_MS 60000
#define UNTIL(condition) \
	do { \
		uint64_t end_ = clock_monotonic_ms() + PATIENCE_MS; \
		while (!(condition)) { \
			assert_true(clock_monotonic_ms() < end_); \
			loop_step(loop, 5); \
			hear(); \
		} \
	} while (0)

static struct loop *loop;
static struct link wires;
static int ours = -1;
static struct {
	unsigned asked, gone;
	bool holds, is_over;
	struct web_wire *wire;
	char method[20], path[100], body[200];
	char heard[4000];
	size_t length;
} seen;

static void hear(void) {
	ssize_t got = recv(ours, seen.heard + seen.length, sizeof seen.heard - 1 - seen.length, MSG_DONTWAIT);
	if (got > 0) seen.length += (size_t)got;
	else if (got == 0 || errno == ECONNRESET) seen.is_over = true;
	seen.heard[seen.length] = '\0';
}

static void asked(void *context, struct web_wire *wire, const struct http1_head *head,
	struct slice body) {
	(void)context;
	seen.asked++;
	seen.wire = wire;
	snprintf(seen.method, sizeof seen.method, "%.*s", SLICE_ARGS(head->method));
	snprintf(seen.path, sizeof seen.path, "%.*s", SLICE_ARGS(head->path));
	snprintf(seen.body, sizeof seen.body, "%.*s", SLICE_ARGS(body));
	if (!seen.holds) web_wire_answer(wire, 200, SLICE("X: 1\r\n"), "text/plain", slice_of(seen.path));
}

static void gone(void *context, struct web_wire *wire) {
	(void)context;
	assert_ptr_equal(wire, seen.wire);
	seen.gone++;
}

static int set_up(void **state) {
	static const struct web_wire_events events = {asked, gone};
	int pair[2];
	struct fault why;
	(void)state;
	memset(&seen, 0, sizeof seen);
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
	loop = loop_open(&why);
	assert_non_null(loop);
	list_init(&wires);
	ours = pair[0];
	web_wire_open(loop, pair[1], &wires, &events, NULL);
	return 0;
}

static int tear_down(void **state) {
	(void)state;
	close(ours);
	LIST_EACH_SAFE(link, &wires) web_wire_close(web_wire_of(link));
	loop_close(loop);
	return 0;
}

static void tell(const char *words) {
	assert_int_equal(send(ours, words, strlen(words), MSG_NOSIGNAL), (ssize_t)strlen(words));
}

static unsigned count(const char *words) {
	unsigned found = 0;
	for (const char *at = seen.heard; (at = strstr(at, words)); at++) found++;
	return found;
}

static void requests_are_answered_in_order_however_they_come(void **state) {
	(void)state;
	tell("GET /a HTTP/1.1\r\nHost: x\r\n\r\nPOST /b HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhe");
	UNTIL(count("HTTP/1.1 200 OK") == 1);
	assert_int_equal(seen.asked, 1);
	tell("llo");
	UNTIL(count("HTTP/1.1 200 OK") == 2);
	assert_string_equal(seen.body, "hello");
	tell("POST /c HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n3\r\ncde\r\n0\r\n\r\n");
	UNTIL(count("HTTP/1.1 200 OK") == 3);
	assert_string_equal(seen.body, "abcde");
	assert_non_null(strstr(seen.heard, "X: 1\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\n/a"));
	assert_false(seen.is_over);
}

static void who_asks_to_close_is_closed_after_the_answer(void **state) {
	(void)state;
	tell("GET /a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
	UNTIL(seen.is_over);
	assert_non_null(strstr(seen.heard, "Connection: close\r\n"));
	assert_non_null(strstr(seen.heard, "\r\n\r\n/a"));
	assert_int_equal(seen.gone, 0);
}

static void what_is_no_http_is_refused_and_closed(void **state) {
	(void)state;
	tell("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n");
	UNTIL(seen.is_over);
	assert_non_null(strstr(seen.heard, "HTTP/1.1 400 "));
	assert_int_equal(seen.asked, 0);
}

static void a_body_over_the_limit_is_refused(void **state) {
	(void)state;
	tell("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999\r\n\r\nx");
	UNTIL(seen.is_over);
	assert_non_null(strstr(seen.heard, "HTTP/1.1 413 "));
	assert_int_equal(seen.asked, 0);
}

static void an_expectation_is_met_before_the_body_comes(void **state) {
	(void)state;
	tell("POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
	UNTIL(count("100 Continue") == 1);
	assert_int_equal(seen.asked, 0);
	tell("ok");
	UNTIL(count("200 OK") == 1);
	assert_string_equal(seen.body, "ok");
}

static void a_stream_has_pieces_and_an_end(void **state) {
	(void)state;
	seen.holds = true;
	tell("GET /a HTTP/1.1\r\nHost: x\r\n\r\n");
	UNTIL(seen.asked);
	web_wire_stream(seen.wire, SLICE_NONE);
	web_wire_piece(seen.wire, SLICE("data: 1\n\n"));
	web_wire_answer(seen.wire, 200, SLICE_NONE, NULL, SLICE_NONE); /* too late for that */
	UNTIL(count("9\r\ndata: 1\n\n\r\n") == 1);
	assert_non_null(strstr(seen.heard, "Transfer-Encoding: chunked\r\n"));
	web_wire_end(seen.wire);
	UNTIL(count("0\r\n\r\n") == 1);
	seen.holds = false;
	tell("GET /b HTTP/1.1\r\nHost: x\r\n\r\n");
	UNTIL(count("\r\n\r\n/b") == 1);
}

static void a_client_that_goes_before_its_answer_is_told_of_once(void **state) {
	(void)state;
	seen.holds = true;
	tell("GET /a HTTP/1.1\r\nHost: x\r\n\r\n");
	UNTIL(seen.asked);
	shutdown(ours, SHUT_RDWR);
	UNTIL(seen.gone);
	UNTIL(list_is_empty(&wires));
	assert_int_equal(seen.gone, 1);
}

static void a_client_that_takes_nothing_is_cut_off(void **state) {
	(void)state;
	AUTO_FREE char *much = calloc(1, 1 << 20);
	assert_non_null(much);
	seen.holds = true;
	tell("GET /a HTTP/1.1\r\nHost: x\r\n\r\n");
	UNTIL(seen.asked);
	web_wire_stream(seen.wire, SLICE_NONE);
	for (int i = 0; i < 20; i++) web_wire_piece(seen.wire, slice_make(much, 1 << 20));
	uint64_t ends_at = clock_monotonic_ms() + PATIENCE_MS;
	while (!seen.gone) {
		assert_true(clock_monotonic_ms() < ends_at);
		loop_step(loop, 5);
	}
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(requests_are_answered_in_order_however_they_come, set_up, tear_down),
		cmocka_unit_test_setup_teardown(who_asks_to_close_is_closed_after_the_answer, set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_is_no_http_is_refused_and_closed, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_body_over_the_limit_is_refused, set_up, tear_down),
		cmocka_unit_test_setup_teardown(an_expectation_is_met_before_the_body_comes, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_stream_has_pieces_and_an_end, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_client_that_goes_before_its_answer_is_told_of_once, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_client_that_takes_nothing_is_cut_off, set_up, tear_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
