/* SPDX-License-Identifier: Apache-2.0 */
/* Every test holds on loop 0 and on an island of its own. */
#include "gateway_rig.h"

static struct house house;
static char topic[32];
static const char *ann, *bob;

static void open_house(unsigned island, int64_t ping_ms) {
	house_open(&house, &(struct house_wish){.islands = island + 1, .max_message = 4096, .ping_ms = ping_ms});
	snprintf(topic, sizeof topic, "%s", house_topic(&house, island));
	ann = house_full(&house, "ann");
	bob = house_full(&house, "bob");
}

static int set_up(void **state) {
	(void)state;
	open_house(0, 0);
	return 0;
}

static int set_up_island(void **state) {
	(void)state;
	open_house(1, 0);
	return 0;
}

static int set_up_impatient(void **state) {
	(void)state;
	open_house(0, 100);
	return 0;
}

static int set_up_impatient_island(void **state) {
	(void)state;
	open_house(1, 100);
	return 0;
}

static int tear_down(void **state) {
	(void)state;
	house_close(&house);
	return 0;
}

static void what_came_behind_the_handshake_is_not_lost(void **state) {
	(void)state;
	struct client client;
	struct answer answer;
	AUTO_TEXT struct text text;
	text_init(&text, 0);
	client_open(&client, &house);
	text_printf(&text,
		"GET /v0/ws?topic=%s HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer %s\r\n"
		"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
		"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
		topic, ann);
	websocket_write(&text, WEBSOCKET_CLIENT, WEBSOCKET_OP_TEXT,
		SLICE("{\"protocol\":\"mcpx/v0.1\",\"id\":\"early\",\"kind\":\"chat\",\"payload\":{\"text\":\"a\"}}"));
	client_send_octets(&client, text_slice(&text));
	client_answer(&client, &answer);
	assert_int_equal(answer.status, 101);
	check_slice(http1_field(&answer.head, "Sec-WebSocket-Accept"), "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
	client.is_websocket = true;
	websocket_init(&client.websocket, WEBSOCKET_CLIENT, 1 << 20);
	client_hears(&client, "\"event\":\"welcome\"");
	client_hears(&client, "\"id\":\"early\"");
	client_close(&client);
}

static void the_same_identity_replaces_its_connection(void **state) {
	(void)state;
	struct client first, second;
	client_join(&first, &house, topic, ann);
	client_hears(&first, "welcome");
	client_join(&second, &house, topic, ann);
	client_hears(&second, "welcome");
	client_is_closed(&first, WEBSOCKET_REPLACED);
	client_says(&second, "{\"protocol\":\"mcpx/v0.1\",\"id\":\"b\",\"kind\":\"chat\",\"payload\":{\"text\":\"a\"}}");
	client_hears(&second, "\"id\":\"b\"");
	client_close(&first);
	client_close(&second);
}

static void too_large_a_message_is_told_and_then_closed(void **state) {
	(void)state;
	struct client client;
	AUTO_TEXT struct text text;
	text_init(&text, 0);
	text_printf(&text, "%05000d", 0);
	client_join(&client, &house, topic, ann);
	client_hears(&client, "welcome");
	client_says(&client, text.bytes);
	client_hears(&client, "\"code\":\"too_large\"");
	client_is_closed(&client, WEBSOCKET_TOO_LARGE);
	client_close(&client);
}

static void what_is_no_text_is_told_and_then_closed(void **state) {
	(void)state;
	struct client client;
	client_join(&client, &house, topic, ann);
	client_hears(&client, "welcome");
	client_says(&client, "\"\xff\"");
	client_hears(&client, "\"code\":\"bad_json\"");
	client_is_closed(&client, WEBSOCKET_NOT_TEXT);
	client_close(&client);
}

/* The door closes while it takes the very bytes of which more are left. */
static void nothing_is_taken_behind_what_closed_the_door(void **state) {
	(void)state;
	struct client client, witness;
	AUTO_TEXT struct text bytes;
	text_init(&bytes, 0);
	client_join(&witness, &house, topic, bob);
	client_hears(&witness, "welcome");
	client_join(&client, &house, topic, ann);
	client_hears(&client, "welcome");
	websocket_write(&bytes, WEBSOCKET_CLIENT, WEBSOCKET_OP_TEXT,
		SLICE("{\"protocol\":\"mcpx/v0.1\",\"id\":\"1\",\"kind\":\"chat\",\"payload\":{\"text\":\"before\"}}"));
	websocket_write_close(&bytes, WEBSOCKET_CLIENT, WEBSOCKET_NORMAL, SLICE("bye"));
	websocket_write(&bytes, WEBSOCKET_CLIENT, WEBSOCKET_OP_TEXT,
		SLICE("{\"protocol\":\"mcpx/v0.1\",\"id\":\"2\",\"kind\":\"chat\",\"payload\":{\"text\":\"after\"}}"));
	client_send_octets(&client, text_slice(&bytes));
	client_hears(&witness, "before");
	client_hears(&witness, "\"event\":\"leave\"");
	client_is_closed(&client, WEBSOCKET_NORMAL);
	assert_null(memmem(client.got.bytes, client.got.length, "after", 5));
	client_says(&witness, "{\"protocol\":\"mcpx/v0.1\",\"id\":\"3\",\"kind\":\"chat\",\"payload\":{\"text\":\"last\"}}");
	client_hears(&witness, "\"id\":\"3\"");
	assert_null(memmem(witness.got.bytes, witness.got.length, "after", 5));
	client_close(&client);
	client_close(&witness);
}

/* What nobody may come into is told as HTTP, in the one form of refusals. */
static void a_room_that_may_not_be_made_is_404(void **state) {
	(void)state;
	struct client client;
	char target[64], bearer[128];
	house_close(&house);
	house_open(&house, &(struct house_wish){.has_no_history = true});
	house.gateway.rooms_settings.anyone_creates = false;
	rooms_change(house.gateway.islands[0].rooms, &house.gateway.rooms_settings);
	snprintf(target, sizeof target, "/v0/ws?topic=%s", topic);
	snprintf(bearer, sizeof bearer, "Authorization: Bearer %s\r\n", house_full(&house, "ann"));
	client_open(&client, &house);
	assert_int_equal(client_upgrade(&client, target, bearer), 404);
	assert_non_null(memmem(client.got.bytes, client.got.length, "{\"event\":\"error\",\"code\":\"not_found\"", 35));
	client_close(&client);
}

static void draining_says_goodbye_to_all_and_lets_nobody_in(void **state) {
	(void)state;
	struct client client;
	client_join(&client, &house, topic, ann);
	client_hears(&client, "welcome");
	struct gateway_island *island = gateway_island(&house.gateway, slice_of(topic));
	struct farewell farewell = {.island = island};
	assert_int_equal(sem_init(&farewell.done, 0, 0), 0);
	mailbox_answer(island->loop, &farewell.letter, house_drain_island);
	client_is_closed(&client, WEBSOCKET_GOING_AWAY);
	while (sem_wait(&farewell.done) != 0 && errno == EINTR) continue;
	sem_destroy(&farewell.done);
	client_close(&client);
	char target[64], bearer[128];
	snprintf(target, sizeof target, "/v0/ws?topic=%s", topic);
	snprintf(bearer, sizeof bearer, "Authorization: Bearer %s\r\n", bob);
	client_open(&client, &house);
	assert_int_equal(client_upgrade(&client, target, bearer), 503);
	client_close(&client);
}

static void a_silent_peer_is_pinged_and_then_given_up(void **state) {
	(void)state;
	struct client client;
	client_join(&client, &house, topic, ann);
	client_is_closed(&client, WEBSOCKET_GOING_AWAY);
	client_close(&client);
}

static void connections_are_counted_once(void **state) {
	(void)state;
	struct client client;
	struct gateway_island *island = gateway_island(&house.gateway, slice_of(topic));
	client_join(&client, &house, topic, ann);
	client_hears(&client, "welcome");
	HOUSE_UNTIL(&house, counters_read(loop_counters(island->loop), COUNTER_CONNECTIONS) == 1);
	assert_int_equal(connections_count(house.gateway.connections), 0);
	client_close(&client);
	HOUSE_UNTIL(&house, counters_read(loop_counters(island->loop), COUNTER_CONNECTIONS) == 0);
}

/* Peers that go at any moment of their joining. */
static void whoever_leaves_while_joining_leaves_nothing_behind(void **state) {
	(void)state;
	struct gateway_island *island = gateway_island(&house.gateway, slice_of(topic));
	for (int i = 0; i < 30; i++) {
		struct client client;
		AUTO_TEXT struct text text;
		text_init(&text, 0);
		client_open(&client, &house);
		text_printf(&text,
			"GET /v0/ws?topic=%s-%d&history=5 HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer %s\r\n"
			"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
			"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
			topic, i, ann);
		client_send_octets(&client, text_slice(&text));
		for (int pass = 0; pass < i % 3; pass++) loop_step(house.gateway.loop, 0);
		client_close(&client);
	}
	HOUSE_UNTIL(&house, connections_count(house.gateway.connections) == 0 && counters_read(loop_counters(island->loop), COUNTER_CONNECTIONS) == 0 && counters_read(loop_counters(house.gateway.loop), COUNTER_CONNECTIONS) == 0);
}

#define BOTH(test) \
	cmocka_unit_test_setup_teardown(test, set_up, tear_down), \
		cmocka_unit_test_setup_teardown(test, set_up_island, tear_down)

int main(void) {
	const struct CMUnitTest tests[] = {
		BOTH(what_came_behind_the_handshake_is_not_lost),
		BOTH(the_same_identity_replaces_its_connection),
		BOTH(too_large_a_message_is_told_and_then_closed),
		BOTH(what_is_no_text_is_told_and_then_closed),
		BOTH(nothing_is_taken_behind_what_closed_the_door),
		cmocka_unit_test_setup_teardown(a_room_that_may_not_be_made_is_404, set_up, tear_down),
		BOTH(draining_says_goodbye_to_all_and_lets_nobody_in),
		cmocka_unit_test_setup_teardown(a_silent_peer_is_pinged_and_then_given_up, set_up_impatient, tear_down),
		cmocka_unit_test_setup_teardown(a_silent_peer_is_pinged_and_then_given_up, set_up_impatient_island,
			tear_down),
		BOTH(connections_are_counted_once),
		BOTH(whoever_leaves_while_joining_leaves_nothing_behind),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
