/* SPDX-License-Identifier: Apache-2.0 */
#include "gateway_rig.h"

#include "gateway/routes.h"

static struct house house;
static const char *ann, *root;

static int set_up(void **state) {
	(void)state;
	house_open(&house, &(struct house_wish){.is_open = false});
	ann = house_full(&house, "ann");
	root = house_admin(&house);
	return 0;
}

static int tear_down(void **state) {
	(void)state;
	house_close(&house);
	return 0;
}

/* The route's path with a name in every "*". */
static const char *target_of(const struct route *route) {
	static char target[256];
	size_t length = 0;
	for (const char *at = route->path; *at; at++)
		length += (size_t)snprintf(target + length, sizeof target - length, "%.*s", *at == '*' ? 4 : 1,
			*at == '*' ? "name" : at);
	return target;
}

static void no_route_but_the_public_ones_answers_without_a_token(void **state) {
	(void)state;
	house.gateway.settings.authorization_servers[0] = "https://issuer.example";
	for (const struct route *route = routes; route->path; route++) {
		unsigned status = house_ask(&house, route->method, target_of(route), NULL, NULL);
		bool is_open = route->need == ROUTE_PUBLIC || route->need == ROUTE_METRICS;
		if (strcmp(route->path, "/assets/*") == 0)
			assert_int_equal(status, 404);            /* for everybody: there is no asset of that name */
		else if (strcmp(route->path, "/v0/session") == 0) /* to sign in takes a body, to sign out nothing */
			assert_int_equal(status, strcmp(route->method, "POST") == 0 ? 400 : strcmp(route->method, "GET") == 0 ? 401
															      : 204);
		else if (route->need == ROUTE_HANDLER)
			assert_int_equal(status, 426); /* the WebSocket asks when it is one */
		else
			assert_int_equal(status, is_open ? 200 : 401);
	}
}

static void administration_needs_an_administrator(void **state) {
	(void)state;
	for (const struct route *route = routes; route->path; route++) {
		if (route->need != ROUTE_ADMIN) continue;
		assert_int_equal(house_ask(&house, route->method, target_of(route), ann, NULL), 403);
		assert_int_not_equal(house_ask(&house, route->method, target_of(route), root, NULL), 403);
	}
}

static void a_path_with_other_methods_names_them(void **state) {
	(void)state;
	struct client client;
	struct answer answer;
	client_open(&client, &house);
	assert_int_equal(client_ask(&client, "PUT", "/admin/tokens", NULL, NULL, &answer), 405);
	check_slice(http1_field(&answer.head, "Allow"), "GET, HEAD, POST, DELETE");
	assert_true(answer_has(&answer, "{\"event\":\"error\",\"code\":\"method_not_allowed\""));
	client_close(&client);
}

static void what_nobody_wrote_is_404(void **state) {
	(void)state;
	static const char *const targets[] = {"/no/such/page", "/healthz/", "//healthz", "/v0", "/v0/topics/",
		"/a/b/c/d/e/f/g/h/i/j", "/../healthz", "/v0/topics/a/b/history", "/v0/topics/a/HISTORY"};
	for (size_t i = 0; i < COUNT_OF(targets); i++)
		assert_int_equal(house_ask(&house, "GET", targets[i], root, NULL), 404);
}

static void segments_are_decoded_one_by_one(void **state) {
	(void)state;
	assert_int_equal(house_ask(&house, "GET", "/%68ealthz", NULL, NULL), 200);
	assert_int_equal(house_ask(&house, "GET", "/v0%2Ftopics", root, NULL), 404);
	assert_int_equal(house_ask(&house, "GET", "/v0/topics/%zz/history", root, NULL), 400);
	assert_int_equal(house_ask(&house, "GET", "/v0/topics/a%00b/history", root, NULL), 400);
	assert_int_equal(house_ask(&house, "GET", "/v0/topics/%FF/history", root, NULL), 400);
	assert_int_equal(house_ask(&house, "POST", "/v0/topics/team%2Fa/messages", ann,
				 "{\"kind\":\"chat\",\"payload\":{\"text\":\"hello\"}}"),
		201);
	assert_int_equal(house_ask(&house, "GET", "/v0/topics/team%2Fa/history", ann, NULL), 200);
}

static void a_wrong_token_is_told_from_none(void **state) {
	(void)state;
	struct client client;
	struct answer answer;
	client_open(&client, &house);
	assert_int_equal(client_ask(&client, "GET", "/v0/topics", NULL, NULL, &answer), 401);
	assert_true(answer_has(&answer, "token_required"));
	assert_true(http1_field_count(&answer.head, "WWW-Authenticate") == 1);
	assert_int_equal(client_ask(&client, "GET", "/v0/topics",
				 "hus_0123456789012345678901234567890123456789012", NULL, &answer),
		401);
	assert_true(answer_has(&answer, "unknown_token"));
	client_send(&client, "GET /v0/topics HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Basic eA==\r\n\r\n");
	client_answer(&client, &answer);
	assert_int_equal(answer.status, 401);
	assert_true(answer_has(&answer, "bad_token"));
	client_close(&client);
}

static void figures_are_not_for_whoever_comes_through_a_proxy(void **state) {
	(void)state;
	struct client client;
	struct answer answer;
	client_open(&client, &house);
	assert_int_equal(client_ask(&client, "GET", "/metrics", NULL, NULL, &answer), 200);
	client_send(&client, "GET /metrics HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Forwarded-For: 192.0.2.1\r\n\r\n");
	client_answer(&client, &answer);
	assert_int_equal(answer.status, 401);
	client_close(&client);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_route_but_the_public_ones_answers_without_a_token),
		cmocka_unit_test(administration_needs_an_administrator),
		cmocka_unit_test(a_path_with_other_methods_names_them),
		cmocka_unit_test(what_nobody_wrote_is_404),
		cmocka_unit_test(segments_are_decoded_one_by_one),
		cmocka_unit_test(a_wrong_token_is_told_from_none),
		cmocka_unit_test(figures_are_not_for_whoever_comes_through_a_proxy),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
