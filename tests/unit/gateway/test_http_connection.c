/* SPDX-License-Identifier: Apache-2.0 */
#include "gateway_rig.h"

#define HEAD "HTTP/1.1\r\nHost: 127.0.0.1\r\n"

static struct house house;
static struct client client;
static struct answer answer;

static void open_house(const struct house_wish *wish) {
	house_open(&house, wish);
	client_open(&client, &house);
}

static int set_up(void **state) {
	(void)state;
	open_house(&(struct house_wish){.is_open = true, .max_message = 4096});
	return 0;
}

static int tear_down(void **state) {
	(void)state;
	client_close(&client);
	house_close(&house);
	return 0;
}

static void pipelined_requests_are_answered_in_their_order(void **state) {
	(void)state;
	for (int i = 0; i < 20; i++)
		client_send(&client, i % 2 ? "GET /nowhere " HEAD "\r\n" : "GET /healthz " HEAD "\r\n");
	for (int i = 0; i < 20; i++) {
		client_answer(&client, &answer);
		assert_int_equal(answer.status, i % 2 ? 404 : 200);
	}
	assert_int_equal(client_ask(&client, "GET", "/healthz", NULL, NULL, &answer), 200);
	assert_false(client.ended);
}

static void a_slow_answer_keeps_those_behind_it_waiting(void **state) {
	(void)state;
	client_request(&client, "POST", "/v0/topics/slow/messages?id=ann", NULL,
		"{\"kind\":\"chat\",\"payload\":{\"text\":\"hello\"}}");
	client_send(&client, "GET /healthz " HEAD "\r\nGET /nowhere " HEAD "\r\n");
	static const unsigned wanted[] = {201, 200, 404};
	for (size_t i = 0; i < COUNT_OF(wanted); i++) {
		client_answer(&client, &answer);
		assert_int_equal(answer.status, wanted[i]);
	}
}

static void much_that_comes_behind_a_waiting_request_moves_nothing_of_it(void **state) {
	(void)state;
	AUTO_TEXT struct text more = {0};
	text_init(&more, 0);
	for (int i = 0; i < 20; i++) text_printf(&more, "GET /nowhere " HEAD "Padding: %04096d\r\n\r\n", 0);
	for (int round = 0; round < 3; round++) {
		client_request(&client, "POST", "/v0/topics/mo%76ed/messages?id=ann", NULL,
			"{\"kind\":\"chat\",\"payload\":{\"text\":\"hello\"}}");
		client_request(&client, "GET", "/v0/topics/moved/history?id=ann", NULL, NULL);
		client_send_octets(&client, text_slice(&more));
		client_answer(&client, &answer);
		assert_int_equal(answer.status, 201);
		client_answer(&client, &answer);
		assert_int_equal(answer.status, 200);
		for (int i = 0; i < 20; i++) {
			client_answer(&client, &answer);
			assert_int_equal(answer.status, 404);
		}
	}
}

static void a_request_in_single_octets_is_the_same_request(void **state) {
	(void)state;
	static const char text[] = "POST /v0/topics/bits/messages?id=ann " HEAD
				   "Transfer-Encoding: chunked\r\n\r\n"
				   "10\r\n{\"kind\":\"chat\",\"\r\n16\r\npayload\":{\"text\":\"1\"}}\r\n0\r\n\r\n";
	for (size_t i = 0; i < sizeof text - 1; i++) client_send_octets(&client, slice_make(text + i, 1));
	client_answer(&client, &answer);
	assert_int_equal(answer.status, 201);
	assert_int_equal(client_ask(&client, "GET", "/healthz", NULL, NULL, &answer), 200);
}

static void a_bad_request_ends_the_connection_after_its_answer(void **state) {
	(void)state;
	client_send(&client, "GET /healthz " HEAD "\r\nGET /healthz " HEAD "X : a\r\n\r\nGET /healthz " HEAD "\r\n");
	client_answer(&client, &answer);
	assert_int_equal(answer.status, 200);
	client_answer(&client, &answer);
	assert_int_equal(answer.status, 400);
	assert_true(answer_has(&answer, "\"event\":\"error\",\"code\":\"bad_request\""));
	client_until_end(&client);
	assert_int_equal(client.taken, client.got.length);
}

static void a_body_over_the_limit_is_refused_before_it_is_sent(void **state) {
	(void)state;
	client_send(&client, "POST /v0/topics/a/messages " HEAD "Content-Length: 1000000\r\n\r\n");
	client_answer(&client, &answer);
	assert_int_equal(answer.status, 413);
	assert_true(answer_has(&answer, "too_large"));
	client_until_end(&client);
}

static void a_body_that_grows_over_the_limit_is_refused(void **state) {
	(void)state;
	client_send(&client, "POST /v0/topics/a/messages " HEAD "Transfer-Encoding: chunked\r\n\r\n");
	for (int i = 0; i < 40; i++) {
		AUTO_TEXT struct text chunk = {0};
		text_init(&chunk, 0);
		text_printf(&chunk, "400\r\n%01024d\r\n", 0);
		client_send_octets(&client, text_slice(&chunk));
	}
	client_answer(&client, &answer);
	assert_int_equal(answer.status, 413);
}

static void a_continue_is_said_only_to_who_may_go_on(void **state) {
	(void)state;
	client_send(&client, "POST /v0/topics/a/messages?id=ann " HEAD "Expect: 100-continue\r\nContent-Length: 38\r\n\r\n");
	client_answer(&client, &answer);
	assert_int_equal(answer.status, 100);
	client_send(&client, "{\"kind\":\"chat\",\"payload\":{\"text\":\"1\"}}");
	client_answer(&client, &answer);
	assert_int_equal(answer.status, 201);
	client_send(&client, "POST / HTTP/1.1\r\nHost: evil.example\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
	client_answer(&client, &answer);
	assert_int_equal(answer.status, 403);
	client_until_end(&client);
}

static void head_has_the_length_and_no_body(void **state) {
	(void)state;
	client_send(&client, "HEAD /healthz " HEAD "\r\n");
	HOUSE_UNTIL(&house, client_has_answer(&client, true, &answer));
	assert_int_equal(answer.status, 200);
	assert_true(answer.head.length > 0);
	assert_int_equal(client_ask(&client, "GET", "/healthz", NULL, NULL, &answer), 200);
	assert_int_equal(client.taken, client.got.length);
}

static void a_client_that_ends_its_half_gets_all_it_asked_for(void **state) {
	(void)state;
	client_request(&client, "POST", "/v0/topics/half/messages?id=ann", NULL,
		"{\"kind\":\"chat\",\"payload\":{\"text\":\"1\"}}");
	client_request(&client, "GET", "/v0/topics/half/history?id=ann", NULL, NULL);
	shutdown(client.descriptor, SHUT_WR);
	client_answer(&client, &answer);
	assert_int_equal(answer.status, 201);
	client_answer(&client, &answer);
	assert_int_equal(answer.status, 200);
	assert_true(answer_has(&answer, "\"payload\":{\"text\":\"1\"}"));
	client_until_end(&client);
}

static void a_client_that_goes_before_its_answer_is_forgotten(void **state) {
	(void)state;
	struct linger at_once = {.l_onoff = 1};
	for (int i = 0; i < 10; i++) {
		struct client leaver;
		client_open(&leaver, &house);
		client_request(&leaver, "POST", "/v0/topics/gone/messages?id=ann", NULL,
			"{\"kind\":\"chat\",\"payload\":{\"text\":\"1\"}}");
		client_request(&leaver, "GET", "/v0/topics?id=ann", NULL, NULL);
		setsockopt(leaver.descriptor, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
		client_close(&leaver);
	}
	assert_int_equal(client_ask(&client, "GET", "/healthz", NULL, NULL, &answer), 200);
	HOUSE_UNTIL(&house, connections_count(house.gateway.connections) == 1);
}

/* Answers are not gathered without bound for who asks and does not read. */
static void a_client_that_does_not_read_is_not_read_either(void **state) {
	(void)state;
	enum {
		ASKED = 1500
	};
	AUTO_TEXT struct text requests = {0};
	text_init(&requests, 0);
	for (int i = 0; i < ASKED; i++) text_add_cstr(&requests, "GET /metrics " HEAD "\r\n");
	size_t sent = 0;
	for (int idle = 0; idle < 50; idle++) {
		ssize_t now = send(client.descriptor, requests.bytes + sent, requests.length - sent, MSG_NOSIGNAL);
		if (now > 0) sent += (size_t)now;
		loop_step(house.gateway.loop, 0);
	}
	assert_true(counters_read(loop_counters(house.gateway.loop), COUNTER_HTTP_REQUESTS) < ASKED);
	unsigned answered = 0;
	uint64_t until = clock_monotonic_ms() + PATIENCE_MS;
	while (answered < ASKED) {
		if (sent < requests.length) {
			ssize_t now = send(client.descriptor, requests.bytes + sent, requests.length - sent, MSG_NOSIGNAL);
			if (now > 0) sent += (size_t)now;
		}
		while (client_has_answer(&client, false, &answer)) {
			assert_int_equal(answer.status, 200);
			answered++;
		}
		loop_step(house.gateway.loop, 1);
		assert_true(clock_monotonic_ms() < until);
	}
}

static void half_a_request_is_answered_408(void **state) {
	(void)state;
	house.gateway.settings.body_deadline_ms = 20;
	client_send(&client, "POST /v0/topics/a/messages " HEAD "Content-Length: 5\r\n\r\n12");
	client_answer(&client, &answer);
	assert_int_equal(answer.status, 408);
	assert_true(answer_has(&answer, "\"code\":\"timeout\""));
	client_until_end(&client);

	struct client other;
	client_open(&other, &house);
	house.gateway.settings.head_deadline_ms = 20; /* from its first octet on */
	client_send(&other, "GET /heal");
	client_answer(&other, &answer);
	assert_int_equal(answer.status, 408);
	client_close(&other);
}

static void a_connection_that_says_nothing_just_ends(void **state) {
	(void)state;
	tear_down(NULL);
	open_house(&(struct house_wish){.is_open = true, .deadline_ms = 50});
	client_until_end(&client);
	assert_int_equal(client.got.length, 0);
}

static void while_draining_every_answer_closes(void **state) {
	(void)state;
	house.gateway.is_draining = true;
	assert_int_equal(client_ask(&client, "GET", "/readyz", NULL, NULL, &answer), 503);
	assert_true(http1_has_token(&answer.head, "Connection", "close"));
	client_until_end(&client);
}

static void closing_the_house_lets_go_of_who_waits(void **state) {
	(void)state;
	client_request(&client, "POST", "/v0/topics/last/messages?id=ann", NULL,
		"{\"kind\":\"chat\",\"payload\":{\"text\":\"1\"}}");
	loop_step(house.gateway.loop, 0);
	tear_down(NULL);
	open_house(&(struct house_wish){.is_open = true});
	assert_int_equal(client_ask(&client, "GET", "/healthz", NULL, NULL, &answer), 200);
}

static void every_answer_has_its_date_and_is_not_stored(void **state) {
	(void)state;
	client_ask(&client, "GET", "/nowhere", NULL, NULL, &answer);
	assert_int_equal(http1_field(&answer.head, "Date").length, 29);
	check_slice(http1_field(&answer.head, "Cache-Control"), "no-store");
	check_slice(http1_field(&answer.head, "X-Content-Type-Options"), "nosniff");
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(pipelined_requests_are_answered_in_their_order, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_slow_answer_keeps_those_behind_it_waiting, set_up, tear_down),
		cmocka_unit_test_setup_teardown(much_that_comes_behind_a_waiting_request_moves_nothing_of_it, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_request_in_single_octets_is_the_same_request, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_bad_request_ends_the_connection_after_its_answer, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_body_over_the_limit_is_refused_before_it_is_sent, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_body_that_grows_over_the_limit_is_refused, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_continue_is_said_only_to_who_may_go_on, set_up, tear_down),
		cmocka_unit_test_setup_teardown(head_has_the_length_and_no_body, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_client_that_ends_its_half_gets_all_it_asked_for, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_client_that_goes_before_its_answer_is_forgotten, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_client_that_does_not_read_is_not_read_either, set_up, tear_down),
		cmocka_unit_test_setup_teardown(half_a_request_is_answered_408, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_connection_that_says_nothing_just_ends, set_up, tear_down),
		cmocka_unit_test_setup_teardown(while_draining_every_answer_closes, set_up, tear_down),
		cmocka_unit_test_setup_teardown(closing_the_house_lets_go_of_who_waits, set_up, tear_down),
		cmocka_unit_test_setup_teardown(every_answer_has_its_date_and_is_not_stored, set_up, tear_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
