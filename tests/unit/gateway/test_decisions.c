/* SPDX-License-Identifier: Apache-2.0 */
#include "gateway_rig.h"

#include "decide/inbox.h"
#include "gateway/decision_watch.h"

static struct house house;
static struct client client;
static struct answer answer;
static const char *root, *ann, *olga, *bot;

static void open_house(bool is_open) {
	struct fault why = {0};
	house_open(&house, &(struct house_wish){.islands = 1, .is_open = is_open});
	const struct inbox_options options = {
		.state = house.gateway.state,
		.loop = house.gateway.loop,
		.spool = store_spool(house.gateway.store, 0),
		.log = &house.log,
	};
	house.gateway.inbox = inbox_open(&options, &why);
	if (!house.gateway.inbox) fail_msg("%s", why.text);
	root = house_admin(&house);
	ann = house_token(&house, (struct token_wish){.id = SLICE("ann"), .is_admin = true}, NULL);
	olga = house_full(&house, "olga");
	bot = house_full(&house, "bot");
	client_open(&client, &house);
}

static int set_up(void **state) {
	(void)state;
	open_house(false);
	return 0;
}

static int set_up_open(void **state) {
	(void)state;
	open_house(true);
	return 0;
}

static int tear_down(void **state) {
	(void)state;
	struct inbox *inbox = house.gateway.inbox;
	client_close(&client);
	connections_close(house.gateway.connections);
	inbox_close(inbox);
	struct fault why;
	assert_non_null(house.gateway.connections = connections_open(&house.gateway, &why));
	house_close(&house);
	return 0;
}

static const char *open_one(const char *requester, const char *arguments, const char *decider) {
	static char ids[32][DECISION_ID];
	static unsigned next;
	struct slice deciders[] = {slice_of(decider)};
	struct fault why = {0};
	const struct decision_wish wish = {
		.kind = DECISION_CALL,
		.requester = slice_of(requester),
		.server = SLICE("files"),
		.tool = SLICE("delete"),
		.message = SLICE("deletes \"a\""),
		.arguments = slice_of(arguments),
		.deciders = deciders,
		.decider_count = decider ? 1 : 0,
	};
	const struct decision *decision = inbox_ask(house.gateway.inbox, &wish, NULL, &why);
	if (!decision) fail_msg("%s", why.text);
	char *id = ids[next++ % COUNT_OF(ids)];
	memcpy(id, decision->id, DECISION_ID);
	return id;
}

static unsigned ask(const char *method, const char *target, const char *token, const char *body) {
	return client_ask(&client, method, target, token, body, &answer);
}

static const char *path(const char *id) {
	static char target[64];
	snprintf(target, sizeof target, "/admin/decisions/%s", id ? id : "none");
	return target;
}

static enum decision_state state_of(const char *id) {
	return inbox_find(house.gateway.inbox, slice_of(id))->state;
}

static void administrators_see_and_answer(void **state) {
	(void)state;
	const char *id = open_one("bot", "{\"path\" : \"a\"}", NULL);
	assert_int_equal(ask("GET", "/admin/decisions", root, NULL), 200);
	assert_true(answer_has(&answer, id));
	assert_true(answer_has(&answer, "\"arguments\":{\"path\" : \"a\"},"));
	assert_true(answer_has(&answer, "\"message\":\"deletes \\\"a\\\"\""));
	assert_true(answer_has(&answer, "\"deciders\":[]"));
	assert_true(answer_has(&answer, "\"version\":"));
	assert_int_equal(ask("GET", "/admin/decisions?state=pending&kind=call", root, NULL), 200);
	assert_true(answer_has(&answer, id));
	assert_int_equal(ask("GET", "/admin/decisions?state=denied", root, NULL), 200);
	assert_false(answer_has(&answer, id));
	assert_int_equal(ask("GET", "/admin/decisions?kind=permission", root, NULL), 200);
	assert_false(answer_has(&answer, id));
	assert_int_equal(ask("GET", path(id), root, NULL), 200);
	assert_true(answer_has(&answer, "\"state\":\"pending\""));
	assert_int_equal(ask("POST", path(id), root, "{\"decision\":\"approve\",\"reason\":\"fine\",\"validUntil\":null}"), 200);
	assert_true(answer_has(&answer, "\"state\":\"approved\""));
	assert_true(answer_has(&answer, "\"decidedBy\":\"root\""));
	assert_true(answer_has(&answer, "\"reason\":\"fine\""));
	assert_int_equal(ask("POST", path(id), ann, "{\"decision\":\"approve\"}"), 409);
	assert_int_equal(ask("DELETE", path(id), ann, NULL), 200);
	assert_true(answer_has(&answer, "\"state\":\"revoked\""));
	assert_int_equal(ask("DELETE", path(id), ann, NULL), 409);
	assert_int_equal(ask("POST", path("d-nowhere"), root, "{\"decision\":\"deny\"}"), 404);
	assert_int_equal(ask("GET", path("d-nowhere"), root, NULL), 404);
	assert_int_equal(ask("DELETE", path("d-nowhere"), root, NULL), 404);
}

static void who_may_not_is_refused(void **state) {
	(void)state;
	const char *id = open_one("bot", "{}", NULL), *own = open_one("root", "{}", NULL);
	assert_int_equal(ask("POST", path(id), olga, "{\"decision\":\"approve\"}"), 403);
	assert_int_equal(ask("POST", path(id), bot, "{\"decision\":\"approve\"}"), 403);
	assert_int_equal(ask("DELETE", path(id), olga, NULL), 403);
	assert_int_equal(ask("GET", path(id), olga, NULL), 403);
	assert_int_equal(ask("POST", path(own), root, "{\"decision\":\"approve\"}"), 403);
	assert_true(answer_has(&answer, "its own"));
	assert_int_equal(ask("POST", path(own), root, "{\"decision\":\"deny\"}"), 403);
	assert_int_equal(ask("GET", "/admin/decisions", olga, NULL), 200);
	assert_false(answer_has(&answer, id));
	assert_int_equal(ask("GET", "/admin/decisions", NULL, NULL), 401);
	assert_int_equal(ask("POST", path(id), NULL, "{\"decision\":\"approve\"}"), 401);
	assert_int_equal(state_of(id), DECISION_PENDING);
	assert_int_equal(state_of(own), DECISION_PENDING);
}

static void a_decider_answers_with_its_own_token(void **state) {
	(void)state;
	const char *id = open_one("bot", "[1]", "olga"), *other = open_one("bot", "[2]", NULL);
	assert_int_equal(ask("GET", "/admin/decisions", olga, NULL), 200);
	assert_true(answer_has(&answer, id));
	assert_false(answer_has(&answer, other));
	assert_int_equal(ask("POST", path(id), root, "{\"decision\":\"approve\"}"), 403);
	assert_int_equal(ask("POST", path(id), olga, "{\"decision\":\"approve\",\"validUntil\":\"1h\"}"), 200);
	assert_true(answer_has(&answer, "\"validUntil\":\"20"));
	assert_int_equal(ask("DELETE", path(id), olga, NULL), 200);
	assert_int_equal(state_of(id), DECISION_REVOKED);
}

static void in_open_mode_a_name_decides_nothing(void **state) {
	(void)state;
	const char *id = open_one("bot", "[1]", "olga");
	char target[128];
	snprintf(target, sizeof target, "%s?id=olga", path(id));
	assert_int_equal(ask("POST", target, NULL, "{\"decision\":\"approve\"}"), 401);
	assert_int_equal(ask("GET", "/admin/decisions?id=olga", NULL, NULL), 401);
	assert_int_equal(ask("DELETE", target, NULL, NULL), 401);
	assert_int_equal(ask("GET", "/admin/decisions", root, NULL), 200);
	assert_int_equal(state_of(id), DECISION_PENDING);
}

static void words_are_read_strictly(void **state) {
	(void)state;
	const char *id = open_one("bot", "{}", NULL);
	static const char *const bad[] = {
		"",
		"approve",
		"[]",
		"{}",
		"{\"decision\":\"yes\"}",
		"{\"decision\":true}",
		"{\"decision\":\"approve\",\"decision\":\"deny\"}",
		"{\"decision\":\"approve\",\"Only\":[\"x\"]}",
		"{\"decision\":\"approve\",\"only\":[]}",
		"{\"decision\":\"approve\",\"only\":[\"x\"]}",
		"{\"decision\":\"approve\",\"only\":\"x\"}",
		"{\"decision\":\"approve\",\"only\":[1]}",
		"{\"decision\":\"approve\",\"validUntil\":\"yesterday\"}",
		"{\"decision\":\"approve\",\"validUntil\":5}",
		"{\"decision\":\"approve\",\"validUntil\":\"2001-01-01T00:00:00Z\"}",
		"{\"decision\":\"approve\",\"validUntil\":\"4000d\"}",
		"{\"decision\":\"approve\",\"reason\":{}}",
		"{\"decision\":\"approve\",\"answer\":1}",
		"{\"decision\":\"deny\",\"validUntil\":\"1h\"}",
	};
	for (size_t i = 0; i < COUNT_OF(bad); i++) assert_int_equal(ask("POST", path(id), root, bad[i]), 400);
	assert_int_equal(state_of(id), DECISION_PENDING);
	static const char *const queries[] = {"?state=open", "?kind=x", "?wait=301", "?wait=-1", "?after=x"};
	for (size_t i = 0; i < COUNT_OF(queries); i++) {
		char target[64];
		snprintf(target, sizeof target, "/admin/decisions%s", queries[i]);
		assert_int_equal(ask("GET", target, root, NULL), 400);
	}
	/* The unknown word is on the trail. */
	HOUSE_UNTIL(&house, (ask("GET", "/admin/audit?event=decision", root, NULL), answer_has(&answer, "unknown_word")));
}

static void a_poll_waits_for_a_question(void **state) {
	(void)state;
	client_request(&client, "GET", "/admin/decisions?state=pending&wait=300", root, NULL);
	for (int i = 0; i < 10; i++) loop_step(house.gateway.loop, 1);
	assert_false(client_has_answer(&client, false, &answer));
	const char *id = open_one("bot", "{}", NULL);
	client_answer(&client, &answer);
	assert_int_equal(answer.status, 200);
	assert_true(answer_has(&answer, id));
	/* With what it saw last, it waits for a change. */
	char target[128];
	snprintf(target, sizeof target, "/admin/decisions?state=pending&wait=300&after=%llu",
		(unsigned long long)inbox_version(house.gateway.inbox));
	client_request(&client, "GET", target, root, NULL);
	for (int i = 0; i < 10; i++) loop_step(house.gateway.loop, 1);
	assert_false(client_has_answer(&client, false, &answer));
	assert_int_equal(house_ask(&house, "POST", path(id), root, "{\"decision\":\"deny\"}"), 200);
	client_answer(&client, &answer);
	assert_true(answer_has(&answer, "{\"decisions\":[],\"version\":"));
	/* An old version is answered at once, and a wait that is over is, too. */
	assert_int_equal(ask("GET", target, root, NULL), 200);
	assert_int_equal(ask("GET", "/admin/decisions?state=pending&wait=1", root, NULL), 200);
	assert_int_equal(house.gateway.decision_watchers, 0);
}

static bool stream_holds(const char *words) {
	client_read(&client);
	return client.got.length && memmem(client.got.bytes, client.got.length, words, strlen(words));
}

static void watch(const char *token) {
	AUTO_TEXT struct text text = {0};
	text_init(&text, 0);
	text_printf(&text, "GET /admin/decisions HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\n"
			   "Authorization: Bearer %s\r\n\r\n",
		token);
	client_send_octets(&client, text_slice(&text));
}

static void a_stream_tells_every_change_that_one_may_see(void **state) {
	(void)state;
	const char *hidden = open_one("bot", "[0]", NULL), *first = open_one("bot", "[1]", "olga");
	watch(olga);
	HOUSE_UNTIL(&house, stream_holds(first));
	assert_true(stream_holds("Content-Type: text/event-stream"));
	assert_true(stream_holds("event: decision\n"));
	const char *second = open_one("bot", "[\n2]", "olga");
	HOUSE_UNTIL(&house, stream_holds(second));
	assert_int_equal(house_ask(&house, "POST", path(second), olga, "{\"decision\":\"deny\",\"reason\":\"heard\"}"), 200);
	HOUSE_UNTIL(&house, stream_holds("\"reason\":\"heard\""));
	assert_false(stream_holds(hidden));
	assert_int_equal(house.gateway.decision_watchers, 1);
	client_close(&client);
	HOUSE_UNTIL(&house, house.gateway.decision_watchers == 0);
	client_open(&client, &house);
}

static void a_stream_ends_with_its_token(void **state) {
	(void)state;
	watch(olga);
	HOUSE_UNTIL(&house, stream_holds("text/event-stream"));
	assert_int_equal(house_ask(&house, "DELETE", "/admin/tokens?id=olga", root, NULL), 200);
	open_one("bot", "[1]", "olga");
	HOUSE_UNTIL(&house, house.gateway.decision_watchers == 0);
}

static void a_long_list_is_cut_and_a_long_stream_is_whole(void **state) {
	(void)state;
	static char much[DECISION_ARGUMENTS + 1];
	char name[16];
	size_t count = DECISION_FILTER_OCTETS / (DECISION_ARGUMENTS - 64) + 4;
	memset(much, '1', DECISION_ARGUMENTS - 64);
	for (size_t i = 0; i < count; i++) {
		snprintf(name, sizeof name, "bot%zu", i);
		open_one(name, much, NULL);
	}
	assert_int_equal(ask("GET", "/admin/decisions", root, NULL), 200);
	assert_true(answer_has(&answer, ",\"cut\":true}"));
	assert_true(answer_has(&answer, "\"requester\":\"bot0\""));
	snprintf(name, sizeof name, "\"bot%zu\"", count - 1);
	assert_false(answer_has(&answer, name));
	watch(root);
	HOUSE_UNTIL(&house, stream_holds(name));
	const char *id = open_one("late", "{}", NULL);
	HOUSE_UNTIL(&house, stream_holds(id));
}

static void watchers_are_bounded(void **state) {
	(void)state;
	static struct client crowd[DECISION_WATCH_MOST];
	for (size_t i = 0; i < COUNT_OF(crowd); i++) {
		client_open(&crowd[i], &house);
		client_request(&crowd[i], "GET", "/admin/decisions?wait=300", root, NULL);
		HOUSE_UNTIL(&house, house.gateway.decision_watchers == i + 1);
	}
	assert_int_equal(ask("GET", "/admin/decisions?wait=300", root, NULL), 503);
	assert_int_equal(ask("GET", "/admin/decisions", root, NULL), 200);
	for (size_t i = 0; i < COUNT_OF(crowd); i++) client_close(&crowd[i]);
	HOUSE_UNTIL(&house, house.gateway.decision_watchers == 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
	const struct CMUnitTest tests[] = {
		TEST(administrators_see_and_answer),
		TEST(who_may_not_is_refused),
		TEST(a_decider_answers_with_its_own_token),
		cmocka_unit_test_setup_teardown(in_open_mode_a_name_decides_nothing, set_up_open, tear_down),
		TEST(words_are_read_strictly),
		TEST(a_poll_waits_for_a_question),
		TEST(a_stream_tells_every_change_that_one_may_see),
		TEST(a_stream_ends_with_its_token),
		TEST(a_long_list_is_cut_and_a_long_stream_is_whole),
		TEST(watchers_are_bounded),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
