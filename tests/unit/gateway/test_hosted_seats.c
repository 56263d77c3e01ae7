/* SPDX-License-Identifier: Apache-2.0 */
/* A test server that sits in two rooms, one on loop 0 and one on an island of its own, and participants
 * at WebSockets who ask it. */
#include "built.h"
#include "gateway_rig.h"

#include "client/guest.h"
#include "gateway/hosted_seat_parts.h"
#include "gateway/hosted_seats.h"
#include "gateway/inside_uplink.h"
#include "gateway/mcp_face.h"
#include "mcp/mgp_chunk.h"
#include "net/launcher.h"

static struct house house;
static struct hosted_servers *servers;
static struct hosted_seats *seats;
static struct hosted *hosted;
static struct client ann, bob;
static const char *topics[3]; /* NULL ended: on loop 0, and on an island of its own */
static char names[2][32];
static struct fault why;

static void add_server(const char *const *rooms, const char *const *expose) {
	char program[400];
	const char *arguments[] = {program, NULL};
	built_program("tests/mcp_server", program, sizeof program);
	const struct hosted_settings settings = {
		.id = "tools", .arguments = arguments, .rooms = rooms, .expose = expose, .back_off_ms = 10};
	hosted = hosted_add(servers, &settings, &why);
	assert_non_null(hosted);
	assert_true(hosted_start(hosted, &why));
}

static void open_house(size_t max_message) {
	static const uint8_t key[SECRET_HASH_SIZE] = {7};
	house_open(&house, &(struct house_wish){.islands = 2, .max_message = max_message});
	for (unsigned i = 0; i < 2; i++) {
		snprintf(names[i], sizeof names[i], "%s", house_topic(&house, i));
		topics[i] = names[i];
	}
	assert_non_null(servers = hosted_servers_open(house.gateway.loop, &house.log, &why));
	assert_non_null(house.gateway.mcp = mcp_face_open(&house.gateway, servers, key, &why));
	assert_non_null(seats = hosted_seats_open(&house.gateway, servers, &why));
}

static int set_up(void **state) {
	(void)state;
	open_house(0);
	add_server(topics, NULL);
	return 0;
}

static int tear_down(void **state) {
	(void)state;
	hosted_seats_close(seats);
	connections_close(house.gateway.connections);
	mcp_face_close(house.gateway.mcp);
	house.gateway.mcp = NULL;
	hosted_servers_close(servers);
	loop_step(house.gateway.loop, 0);
	assert_non_null(house.gateway.connections = connections_open(&house.gateway, &why));
	house_close(&house);
	return 0;
}

/* ---- Somebody who asks ---- */

/* In the room, and the server too. */
static void enter(struct client *client, const char *id, const char *topic) {
	client_join(client, &house, topic, house_full(&house, id));
	client_hears(client, "\"welcome\"");
	if (!strstr(client->message.bytes, "\"id\":\"tools\"")) client_hears(client, "\"id\":\"tools\"");
}

static void ask(struct client *client, const char *id, const char *method, const char *params) {
	AUTO_TEXT struct text text = {0};
	text_init(&text, 0);
	text_printf(&text,
		"{\"protocol\":\"mcpx/v0.1\",\"id\":\"%s\",\"kind\":\"mcp\",\"to\":[\"tools\"],\"payload\":"
		"{\"jsonrpc\":\"2.0\",\"id\":\"%s\",\"method\":\"%s\",\"params\":%s}}",
		id, id, method, params);
	client_says(client, text.bytes);
}

/* The answer to that envelope. */
static const char *answer_to(struct client *client, const char *id) {
	char words[64];
	snprintf(words, sizeof words, "\"jsonrpc\":\"2.0\",\"id\":\"%s\",\"", id);
	do client_hears(client, words);
	while (strstr(client->message.bytes, "\"method\":"));
	snprintf(words, sizeof words, "\"correlation_id\":\"%s\"", id);
	assert_non_null(strstr(client->message.bytes, words));
	return client->message.bytes;
}

/* `id`: of the envelope, as in ask(); the room takes each once. */
static void introduce(struct client *client, const char *id, const char *capabilities) {
	char params[256];
	snprintf(params, sizeof params,
		"{\"protocolVersion\":\"2025-06-18\",\"capabilities\":%s,\"clientInfo\":{\"name\":\"c\",\"version\":\"1\"}}",
		capabilities);
	ask(client, id, "initialize", params);
	assert_non_null(strstr(answer_to(client, id), "\"capabilities\":{\"tools\":{"));
}

static void is_idle(void) { HOUSE_UNTIL(&house, hosted_asks(hosted) == 0); }

/* ---- Tests ---- */

static void a_server_answers_under_its_own_names(void **state) {
	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		enter(&ann, "ann", topics[i]);
		assert_non_null(strstr(ann.message.bytes, "\"kind\":\"agent\""));
		introduce(&ann, "hello", "{}");
		ask(&ann, "l1", "tools/list", "{}");
		assert_non_null(strstr(answer_to(&ann, "l1"), "{\"name\":\"echo\",\"inputSchema\":{\"type\":\"object\"}}"));
		assert_null(strstr(ann.message.bytes, "nextCursor"));
		ask(&ann, "c1", "tools/call", "{\"name\":\"count\",\"arguments\":{}}");
		assert_non_null(strstr(answer_to(&ann, "c1"), "\"result\":"));
		ask(&ann, "c2", "tools/call", "[]");
		assert_non_null(strstr(answer_to(&ann, "c2"), "\"code\":-32602"));
		ask(&ann, "p1", "ping", "{}");
		assert_non_null(strstr(answer_to(&ann, "p1"), "\"result\":{}"));
		ask(&ann, "r1", "resources/list", "{}");
		assert_non_null(strstr(answer_to(&ann, "r1"), "\"code\":-32601"));
		client_close(&ann);
	}
}

static void a_list_comes_in_pages_that_fit(void **state) {
	(void)state;
	unsigned pages = 0, tools = 0;
	char cursor[32] = "", params[64], id[16];
	enter(&ann, "ann", topics[1]);
	do {
		snprintf(id, sizeof id, "l%u", ++pages);
		snprintf(params, sizeof params, cursor[0] ? "{\"cursor\":\"%s\"}" : "{}", cursor);
		ask(&ann, id, "tools/list", params);
		const char *page = answer_to(&ann, id), *next = strstr(page, "\"nextCursor\":\"");
		for (const char *at = page; (at = strstr(at, "{\"name\":")); at++) tools++;
		cursor[0] = '\0';
		if (next) assert_int_equal(sscanf(next, "\"nextCursor\":\"%31[0-9]", cursor), 1);
	} while (cursor[0]);
	assert_int_equal(tools, 16);
	assert_true(pages > 1);
	ask(&ann, "bad", "tools/list", "{\"cursor\":\"x\"}");
	assert_non_null(strstr(answer_to(&ann, "bad"), "\"code\":-32602"));
	client_close(&ann);
}

static void progress_comes_to_who_wants_it(void **state) {
	(void)state;
	enter(&ann, "ann", topics[1]);
	ask(&ann, "c1", "tools/call", "{\"name\":\"steps\",\"arguments\":{},\"_meta\":{\"progressToken\":\"mine\"}}");
	client_hears(&ann, "{\"progressToken\":\"mine\",\"progress\":1,\"total\":3}");
	assert_non_null(strstr(ann.message.bytes, "\"to\":[\"ann\"]"));
	client_hears(&ann, "{\"progressToken\":\"mine\",\"progress\":3,\"total\":3}");
	(void)answer_to(&ann, "c1");
	client_close(&ann);
}

#define SPEAKS(extensions) "{\"mgp\":{\"version\":\"0.2.0\",\"extensions\":[" extensions "]}}"

/* MGP is agreed on with each caller by its own handshake (docs/protocol.md). */
static void mgp_is_agreed_on_with_each_participant(void **state) {
	(void)state;
	enter(&ann, "ann", topics[1]);
	enter(&bob, "bob", topics[1]);
	introduce(&ann, "hello", SPEAKS("\"streaming\",\"bidirectional\",\"unheard_of\""));
	assert_non_null(strstr(ann.message.bytes,
		"\"mgp\":{\"version\":\"0.2.0\",\"extensions\":[\"streaming\",\"bidirectional\"],\"permissions_required\":[],"
		"\"server_id\":\"tools\""));
	introduce(&bob, "hello-bob", "{}");
	assert_null(strstr(bob.message.bytes, "\"mgp\""));
	ask(&ann, "c1", "tools/call", "{\"name\":\"steps\",\"arguments\":{}}");
	client_hears(&ann, "\"method\":\"notifications/mgp.stream.progress\"");
	assert_non_null(strstr(ann.message.bytes, "\"to\":[\"ann\"]"));
	assert_non_null(strstr(ann.message.bytes, "\"correlation_id\":\"c1\""));
	assert_non_null(strstr(ann.message.bytes, "\"request_id\":\"c1\""));
	client_hears(&bob, "\"method\":\"notifications/mgp.stream.progress\""); /* a room has no private talk */
	(void)answer_to(&ann, "c1");
	client_close(&ann);
	client_close(&bob);
}

static void who_wants_a_token_gets_what_it_agreed_on(void **state) {
	(void)state;
	enter(&ann, "ann", topics[1]);
	introduce(&ann, "hello", SPEAKS("\"security\""));
	ask(&ann, "c1", "tools/call", "{\"name\":\"steps\",\"arguments\":{},\"_meta\":{\"progressToken\":7}}");
	client_hears(&ann, "{\"progressToken\":7,\"progress\":1,\"total\":3}");
	(void)answer_to(&ann, "c1");
	introduce(&ann, "again", SPEAKS("\"streaming\""));
	ask(&ann, "c2", "tools/call", "{\"name\":\"steps\",\"arguments\":{},\"_meta\":{\"progressToken\":7}}");
	client_hears(&ann, "notifications/mgp.stream.progress");
	(void)answer_to(&ann, "c2");
	introduce(&ann, "plain", "{}");
	ask(&ann, "c3", "tools/call", "{\"name\":\"steps\",\"arguments\":{},\"_meta\":{\"progressToken\":7}}");
	client_hears(&ann, "notifications/progress");
	(void)answer_to(&ann, "c3");
	client_close(&ann);
	is_idle();
}

/* No kernel is behind this house. */
static void its_methods_are_for_who_speaks_mgp(void **state) {
	(void)state;
	enter(&ann, "ann", topics[1]);
	ask(&ann, "p1", "mgp/health/ping", "{}");
	assert_non_null(strstr(answer_to(&ann, "p1"), "\"code\":-32601"));
	introduce(&ann, "hello", SPEAKS("\"lifecycle\""));
	ask(&ann, "p2", "mgp/health/ping", "{}");
	assert_non_null(strstr(answer_to(&ann, "p2"), "\"code\":-32601"));
	client_close(&ann);
}

/* What was agreed on goes with the participant. */
static void who_comes_back_is_a_stranger(void **state) {
	(void)state;
	enter(&ann, "ann", topics[1]);
	introduce(&ann, "hello", SPEAKS("\"streaming\""));
	client_close(&ann);
	enter(&bob, "bob", topics[1]);
	enter(&ann, "ann", topics[1]);
	ask(&ann, "c1", "tools/call", "{\"name\":\"steps\",\"arguments\":{},\"_meta\":{\"progressToken\":7}}");
	client_hears(&ann, "notifications/progress");
	(void)answer_to(&ann, "c1");
	client_close(&ann);
	client_close(&bob);
}

static struct seat_ask *only_ask(const struct hosted_seat *seat) {
	const struct seat_errand *errand = CONTAINER_OF(seat->errands.next, struct seat_errand, link);
	assert_true(errand->link.next == &seat->errands && errand->ask);
	return CONTAINER_OF(errand->ask, struct seat_ask, ask);
}

static void stream(struct seat_ask *ask, int index) {
	char json[200];
	snprintf(json, sizeof json,
		"{\"request_id\":5,\"index\":%d,\"content\":{\"type\":\"text\",\"text\":\"part\"},\"done\":false}", index);
	const struct scan_value params = {.text = slice_of(json), .type = SCAN_OBJECT};
	ask->ask.events->streamed(&ask->ask, SLICE(MGP_CHUNK_METHOD), &params);
}

/* More at once than the room takes: what is left out shows in the index, and the server is held back meanwhile. */
static void a_stream_waits_for_the_room(void **state) {
	(void)state;
	char words[64];
	int heard = 0;
	HOUSE_UNTIL(&house, hosted_state(hosted) == HOSTED_CONNECTED);
	struct hosted_seat *seat = hosted_seat_open(&house.gateway, hosted, "aside", &why);
	assert_non_null(seat);
	HOUSE_UNTIL(&house, membership_state(guest_membership(seat->guest)) == MEMBERSHIP_JOINED);
	enter(&ann, "ann", "aside");
	introduce(&ann, "hello", SPEAKS("\"streaming\""));
	ask(&ann, "c1", "tools/call", "{\"name\":\"hold\",\"arguments\":{},\"_mgp\":{\"stream\":true}}");
	HOUSE_UNTIL(&house, hosted_asks(hosted) == 1 && membership_is_drained(guest_membership(seat->guest)));
	struct seat_ask *one = only_ask(seat);
	for (int i = 0; i < 255; i++) stream(one, i);
	assert_false(one->is_held);
	for (int i = 255; i < 3000; i++) stream(one, i);
	assert_true(one->is_held);
	assert_in_range(membership_waiting(guest_membership(seat->guest)), 1000, 1030);
	HOUSE_UNTIL(&house, !one->is_held);
	stream(one, 3000);
	for (; !strstr(ann.message.bytes, "\"index\":3000,"); heard++) {
		client_hears(&ann, MGP_CHUNK_METHOD);
		snprintf(words, sizeof words, "\"request_id\":\"c1\",\"index\":%d,", heard);
		assert_true(strstr(ann.message.bytes, words) || strstr(ann.message.bytes, "\"index\":3000,"));
	}
	assert_in_range(heard, 1000, 1030);
	ask(&ann, "c2", "tools/call", "{\"name\":\"release\",\"arguments\":{}}");
	assert_non_null(strstr(answer_to(&ann, "c1"), "released"));
	client_close(&ann);
	(void)fault_set(&why, FAULT_CLOSED, "the test is over");
	hosted_seat_close(seat, &why);
}

/* Of our request: the envelope that it is about, and its own ids. */
static void answer_question(struct client *client, const char *about, const char *result) {
	char envelope[IDENT_UUID_SIZE], number[32], words[64];
	snprintf(words, sizeof words, "\"correlation_id\":\"%s\"", about);
	client_hears(client, "\"method\":\"elicitation/create\"");
	assert_non_null(strstr(client->message.bytes, words));
	assert_int_equal(sscanf(strstr(client->message.bytes, ",\"id\":\""), ",\"id\":\"%36[^\"]", envelope), 1);
	assert_int_equal(sscanf(strstr(client->message.bytes, "\"jsonrpc\":\"2.0\",\"id\":"), "\"jsonrpc\":\"2.0\",\"id\":%31[0-9]", number), 1);
	AUTO_TEXT struct text text = {0};
	text_init(&text, 0);
	text_printf(&text,
		"{\"protocol\":\"mcpx/v0.1\",\"id\":\"answer-%s\",\"kind\":\"mcp\",\"to\":[\"tools\"],\"correlation_id\":\"%s\","
		"\"payload\":{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}}",
		about, envelope, number, result);
	client_says(client, text.bytes);
}

static void a_question_goes_to_who_can_answer_it(void **state) {
	(void)state;
	enter(&ann, "ann", topics[1]);
	introduce(&ann, "hello", "{\"elicitation\":{}}");
	ask(&ann, "c1", "tools/call", "{\"name\":\"ask\",\"arguments\":{}}");
	answer_question(&ann, "c1", "{\"action\":\"accept\",\"content\":{\"name\":\"Ann\"}}");
	assert_non_null(strstr(answer_to(&ann, "c1"), "Ann"));
	enter(&bob, "bob", topics[1]);
	introduce(&bob, "hello-bob", "{}");
	ask(&bob, "c2", "tools/call", "{\"name\":\"ask\",\"arguments\":{}}");
	assert_null(strstr(answer_to(&bob, "c2"), "elicitation/create"));
	client_close(&ann);
	client_close(&bob);
}

static void a_call_ends_with_its_cancel_and_with_its_asker(void **state) {
	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		enter(&ann, "ann", topics[i]);
		ask(&ann, "c1", "tools/call", "{\"name\":\"hold\",\"arguments\":{}}");
		HOUSE_UNTIL(&house, hosted_asks(hosted) == 1);
		client_says(&ann, "{\"protocol\":\"mcpx/v0.1\",\"id\":\"n1\",\"kind\":\"mcp\",\"to\":[\"tools\"],\"payload\":"
				  "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":\"c1\"}}}");
		is_idle();
		ask(&ann, "c2", "tools/call", "{\"name\":\"hold\",\"arguments\":{}}");
		HOUSE_UNTIL(&house, hosted_asks(hosted) == 1);
		client_close(&ann);
		is_idle();
	}
}

static void a_dead_server_leaves_and_comes_back(void **state) {
	(void)state;
	enter(&ann, "ann", topics[1]);
	ask(&ann, "c1", "tools/call", "{\"name\":\"die\",\"arguments\":{}}");
	assert_non_null(strstr(answer_to(&ann, "c1"), "\"error\":"));
	client_hears(&ann, "\"event\":\"leave\"");
	client_hears(&ann, "\"event\":\"join\"");
	ask(&ann, "c2", "tools/call", "{\"name\":\"count\",\"arguments\":{}}");
	assert_non_null(strstr(answer_to(&ann, "c2"), "\"result\":"));
	client_close(&ann);
}

static void a_removed_server_answers_what_is_open_and_leaves(void **state) {
	(void)state;
	enter(&ann, "ann", topics[1]);
	ask(&ann, "c1", "tools/call", "{\"name\":\"hold\",\"arguments\":{}}");
	HOUSE_UNTIL(&house, hosted_asks(hosted) == 1);
	hosted_remove(hosted);
	assert_non_null(strstr(answer_to(&ann, "c1"), "server tools was removed"));
	client_hears(&ann, "\"event\":\"leave\"");
	client_close(&ann);
}

static void a_changed_list_is_told_to_the_room(void **state) {
	(void)state;
	enter(&ann, "ann", topics[0]);
	enter(&bob, "bob", topics[1]);
	ask(&ann, "c1", "tools/call", "{\"name\":\"grow\",\"arguments\":{}}");
	client_hears(&bob, "notifications/tools/list_changed");
	assert_non_null(strstr(bob.message.bytes, "\"from\":\"tools\""));
	client_close(&ann);
	client_close(&bob);
}

static void on_ended(void *context, const struct fault *fault) { *(enum fault_code *)context = fault->code; }

static void its_id_is_its_own_in_its_rooms(void **state) {
	(void)state;
	static const struct guest_events table = {.ended = on_ended};
	enum fault_code code = FAULT_NONE;
	char target[96], bearer[128];
	snprintf(target, sizeof target, "/v0/ws?topic=%s", topics[1]);
	snprintf(bearer, sizeof bearer, "Authorization: Bearer %s\r\n", house_full(&house, "tools"));
	client_open(&ann, &house);
	assert_int_equal(client_upgrade(&ann, target, bearer), 409);
	client_close(&ann);
	AUTO(principal) principal = principal_make(&(struct principal_facts){.id = SLICE("tools")}, &why);
	AUTO(uplink_maker) maker = inside_uplink_maker(&house.gateway, principal, INSIDE_AS_VISITOR, &why);
	const struct guest_options options = {.membership = {.maker = maker, .topic = topics[1], .stays = true, .is_patient = true}};
	struct guest *guest = guest_open(house.gateway.loop, &options, &table, &code, &why);
	assert_non_null(guest);
	HOUSE_UNTIL(&house, code != FAULT_NONE);
	assert_int_equal(code, FAULT_EXISTS);
	guest_close(guest);
	snprintf(target, sizeof target, "/v0/ws?topic=%s-other", topics[1]);
	client_open(&ann, &house);
	assert_int_equal(client_upgrade(&ann, target, bearer), 101);
	client_close(&ann);
}

static void who_sends_a_server_away_sees_it_again(void **state) {
	(void)state;
	enter(&ann, "ann", topics[1]);
	live_revoke(&house.gateway, SLICE_NONE, SLICE("tools"));
	client_hears(&ann, "\"event\":\"leave\"");
	client_hears(&ann, "\"event\":\"join\""); /* after HOSTED_SEAT_AGAIN_MS */
	client_close(&ann);
}

/* Whoever quotes what it was sent may answer more than it was sent. */
static void an_error_that_no_envelope_can_hold_costs_nobody_the_seat(void **state) {
	(void)state;
	AUTO_TEXT struct text params = {0};
	text_init(&params, 0);
	text_add_cstr(&params, "{\"name\":\"curse\",\"arguments\":{\"a\":\"");
	for (int i = 0; i < 450; i++) text_add_cstr(&params, "\\\\");
	text_add_cstr(&params, "\"}}");
	enter(&ann, "ann", topics[1]);
	enter(&bob, "bob", topics[1]);
	ask(&bob, "b1", "tools/call", "{\"name\":\"hold\",\"arguments\":{}}");
	HOUSE_UNTIL(&house, hosted_asks(hosted) == 1);
	ask(&ann, "c1", "tools/call", params.bytes);
	assert_non_null(strstr(answer_to(&ann, "c1"), "\"too_large\""));
	assert_int_equal(hosted_asks(hosted), 1);
	ask(&bob, "b2", "tools/call", "{\"name\":\"release\",\"arguments\":{}}");
	assert_non_null(strstr(answer_to(&bob, "b1"), "released"));
	client_close(&ann);
	client_close(&bob);
}

static void a_server_that_rattles_holds_nobody_up(void **state) {
	(void)state;
	unsigned heard = 0;
	enter(&ann, "ann", topics[1]);
	ask(&ann, "c1", "tools/call", "{\"name\":\"rattle\",\"arguments\":{},\"_meta\":{\"progressToken\":1}}");
	for (;; heard++) {
		client_hears(&ann, "\"jsonrpc\"");
		if (strstr(ann.message.bytes, "\"id\":\"c1\",\"result\"")) break;
	}
	assert_in_range(heard, 2, 2500); /* one is our own request */
	client_close(&ann);
}

/* Three may ask at their full pace at once; who answers them all has none. */
static void many_are_answered_at_their_own_pace(void **state) {
	(void)state;
	static const char *const askers[] = {"ann", "bob", "cid"};
	struct client clients[3];
	char id[16];
	for (int i = 0; i < 3; i++) enter(&clients[i], askers[i], topics[0]);
	for (int n = 0; n < 150; n++)
		for (int i = 0; i < 3; i++) {
			snprintf(id, sizeof id, "%s-%d", askers[i], n);
			ask(&clients[i], id, "ping", "{}");
		}
	for (int i = 0; i < 3; i++) {
		snprintf(id, sizeof id, "%s-149", askers[i]);
		(void)answer_to(&clients[i], id);
		client_close(&clients[i]);
	}
	assert_int_equal(counters_read(loop_counters(house.gateway.loop), COUNTER_REFUSED_PACE), 0);
}

static void a_list_that_changes_all_the_time_is_told_of_now_and_then(void **state) {
	(void)state;
	char id[16], words[48];
	unsigned heard = 0;
	enter(&ann, "ann", topics[1]);
	for (int n = 0; n < 100; n++) {
		snprintf(id, sizeof id, "g%d", n);
		ask(&ann, id, "tools/call", "{\"name\":\"grow\",\"arguments\":{}}");
		snprintf(words, sizeof words, "\"id\":\"%s\",\"result\"", id);
		do {
			client_hears(&ann, "\"jsonrpc\"");
			heard += strstr(ann.message.bytes, "list_changed") != NULL;
		} while (!strstr(ann.message.bytes, words));
	}
	assert_in_range(heard, 1, 90);
	client_close(&ann);
}

/* The id was free when they came. */
static void whoever_sat_under_its_id_goes_when_it_comes(void **state) {
	(void)state;
	char target[96], bearer[128];
	for (unsigned i = 0; i < 2; i++) {
		client_join(&ann, &house, topics[i], house_full(&house, "tools"));
		client_hears(&ann, "\"welcome\"");
		snprintf(target, sizeof target, "/v0/ws?topic=%s&beside=1", topics[i]);
		snprintf(bearer, sizeof bearer, "Authorization: Bearer %s\r\n", house_full(&house, "tools"));
		client_open(&bob, &house);
		assert_int_equal(client_upgrade(&bob, target, bearer), 101);
		client_hears(&bob, "\"welcome\"");
		add_server(topics, NULL);
		client_is_closed(&ann, WEBSOCKET_REPLACED);
		client_is_closed(&bob, WEBSOCKET_REPLACED);
		hosted_remove(hosted);
		hosted = NULL;
		client_close(&ann);
		client_close(&bob);
	}
}

static int set_up_empty(void **state) {
	(void)state;
	open_house(0);
	hosted = NULL;
	return 0;
}

static int set_up_small(void **state) {
	(void)state;
	open_house(1400);
	add_server(topics, NULL);
	return 0;
}

int main(int argc, char **argv) {
	if (launcher_is_inner(argc, argv)) return launcher_inner(argc, argv);

	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_server_answers_under_its_own_names, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_list_comes_in_pages_that_fit, set_up_small, tear_down),
		cmocka_unit_test_setup_teardown(progress_comes_to_who_wants_it, set_up, tear_down),
		cmocka_unit_test_setup_teardown(mgp_is_agreed_on_with_each_participant, set_up, tear_down),
		cmocka_unit_test_setup_teardown(who_wants_a_token_gets_what_it_agreed_on, set_up, tear_down),
		cmocka_unit_test_setup_teardown(its_methods_are_for_who_speaks_mgp, set_up, tear_down),
		cmocka_unit_test_setup_teardown(who_comes_back_is_a_stranger, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_stream_waits_for_the_room, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_question_goes_to_who_can_answer_it, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_call_ends_with_its_cancel_and_with_its_asker, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_dead_server_leaves_and_comes_back, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_removed_server_answers_what_is_open_and_leaves, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_changed_list_is_told_to_the_room, set_up, tear_down),
		cmocka_unit_test_setup_teardown(its_id_is_its_own_in_its_rooms, set_up, tear_down),
		cmocka_unit_test_setup_teardown(who_sends_a_server_away_sees_it_again, set_up, tear_down),
		cmocka_unit_test_setup_teardown(an_error_that_no_envelope_can_hold_costs_nobody_the_seat, set_up_small, tear_down),
		cmocka_unit_test_setup_teardown(a_server_that_rattles_holds_nobody_up, set_up, tear_down),
		cmocka_unit_test_setup_teardown(many_are_answered_at_their_own_pace, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_list_that_changes_all_the_time_is_told_of_now_and_then, set_up, tear_down),
		cmocka_unit_test_setup_teardown(whoever_sat_under_its_id_goes_when_it_comes, set_up_empty, tear_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
