/* SPDX-License-Identifier: Apache-2.0 */
/* A principal that comes into rooms through MCP: how long it stays, how many, and without memory. */
#include "gateway_rig.h"

#include "failing_malloc.h"
#include "gateway/mcp_room.h"

#define SHORT_MS 40
#define LONG_MS (60 * 60 * 1000)
static uint64_t linger_ms;
#undef MCP_ROOM_LINGER_MS
#define MCP_ROOM_LINGER_MS linger_ms
#undef MCP_ROOM_LOOK_MS
#define MCP_ROOM_LOOK_MS 10
#include "gateway/mcp_room.c"

#define MODERN_HEADERS "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: "
#define MODERN_PARAMS \
	"\"params\":{\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\"," \
	"\"io.modelcontextprotocol/clientCapabilities\":{}}}"

static struct house house;
static struct client client;
static struct answer answer;
static struct hosted_servers *servers;
static char session[64]; /* a header line */

static void begin(unsigned islands) {
	static const uint8_t key[SECRET_HASH_SIZE] = {7};
	struct fault why;
	house_open(&house, &(struct house_wish){.is_open = true, .islands = islands});
	assert_non_null(servers = hosted_servers_open(house.gateway.loop, &house.log, &why));
	assert_non_null(house.gateway.mcp = mcp_face_open(&house.gateway, servers, key, &why));
	client_open(&client, &house);
	session[0] = '\0';
	linger_ms = LONG_MS;
}

static int set_up(void **state) {
	(void)state;
	begin(1);
	return 0;
}

static int set_up_islands(void **state) {
	(void)state;
	begin(2);
	return 0;
}

static int tear_down(void **state) {
	(void)state;
	struct fault why;
	client_close(&client);
	connections_close(house.gateway.connections);
	mcp_face_close(house.gateway.mcp);
	loop_step(house.gateway.loop, 0);
	hosted_servers_close(servers);
	assert_non_null(house.gateway.connections = connections_open(&house.gateway, &why));
	house_close(&house);
	return 0;
}

static unsigned ask(const char *method, const char *target, const char *fields, const char *body) {
	AUTO_TEXT struct text text = {0};
	text_init(&text, 0);
	text_printf(&text, "%s %s HTTP/1.1\r\nHost: 127.0.0.1\r\n%s%s", method, target, session, fields);
	if (body) text_printf(&text, "Content-Type: application/json\r\nContent-Length: %zu\r\n", strlen(body));
	text_printf(&text, "\r\n%s", body ? body : "");
	client_send_octets(&client, text_slice(&text));
	client_answer(&client, &answer);
	return answer.status;
}

static unsigned initialize(const char *target) {
	unsigned status = ask("POST", target, "",
		"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-25\","
		"\"capabilities\":{},\"clientInfo\":{\"name\":\"c\",\"version\":\"1\"}}}");
	struct slice id = http1_field(&answer.head, "Mcp-Session-Id");
	if (id.length) snprintf(session, sizeof session, "Mcp-Session-Id: %.*s\r\n", SLICE_ARGS(id));
	return status;
}

static unsigned list_modern(const char *target) {
	return ask("POST", target, MODERN_HEADERS "resources/list\r\n",
		"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"resources/list\"," MODERN_PARAMS "}");
}

static bool is_there(const char *topic, const char *id) {
	char target[128], words[64];
	snprintf(target, sizeof target, "/v0/topics/%s/participants?id=looker", topic);
	snprintf(words, sizeof words, "{\"id\":\"%s\"", id);
	return ask("GET", target, "", NULL) == 200 && answer_has(&answer, words);
}

static size_t count_rooms(void) {
	size_t count = 0;
	LIST_EACH(link, &house.gateway.mcp->rooms) count++;
	return count;
}

static void it_stays_while_its_session_does(void **state) {
	const char *topic = house_topic(&house, house.gateway.island_count - 1);
	char target[64];
	(void)state;
	linger_ms = SHORT_MS;
	snprintf(target, sizeof target, "/mcp/rooms/%s?id=ann", topic);
	assert_int_equal(initialize(target), 200);
	assert_true(answer_has(&answer, "\"instructions\":\"You are in the room"));
	assert_true(is_there(topic, "ann"));
	uint64_t until = clock_monotonic_ms() + 5 * SHORT_MS;
	HOUSE_UNTIL(&house, clock_monotonic_ms() > until);
	assert_true(is_there(topic, "ann"));
	assert_int_equal(ask("DELETE", target, "", NULL), 204);
	HOUSE_UNTIL(&house, count_rooms() == 0);
	session[0] = '\0';
	HOUSE_UNTIL(&house, !is_there(topic, "ann"));
}

static void it_goes_when_its_last_request_is_long_ago(void **state) {
	(void)state;
	assert_int_equal(list_modern("/mcp/rooms/demo?id=ann"), 200);
	assert_true(answer_has(&answer, "hustings://rooms/demo/chat"));
	assert_int_equal(count_rooms(), 1);
	linger_ms = SHORT_MS;
	HOUSE_UNTIL(&house, count_rooms() == 0);
	HOUSE_UNTIL(&house, !is_there("demo", "ann"));
}

static void one_that_nobody_needs_gives_way(void **state) {
	char target[64];
	(void)state;
	for (int i = 0; i < MCP_ROOMS_OF_ONE + 10; i++) {
		snprintf(target, sizeof target, "/mcp/rooms/room-%d?id=ann", i);
		assert_int_equal(list_modern(target), 200);
		assert_int_equal(count_rooms(), i < MCP_ROOMS_OF_ONE ? i + 1 : MCP_ROOMS_OF_ONE);
	}
}

static void those_that_are_needed_do_not(void **state) {
	char target[64], kept[64] = "";
	(void)state;
	for (int i = 0; i < MCP_ROOMS_OF_ONE; i++) {
		session[0] = '\0';
		snprintf(target, sizeof target, "/mcp/rooms/room-%d?id=ann", i);
		assert_int_equal(initialize(target), 200);
		if (i == 0) memcpy(kept, session, sizeof kept);
	}
	session[0] = '\0';
	assert_int_equal(initialize("/mcp/rooms/one-more?id=ann"), 503);
	assert_int_equal(initialize("/mcp/rooms/one-more?id=bob"), 200);
	memcpy(session, kept, sizeof session);
	assert_int_equal(ask("POST", "/mcp/rooms/room-0?id=ann", "", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}"), 200);
}

static void without_memory_it_is_refused_and_then_comes_in(void **state) {
	(void)state;
	unsigned status = 503;
	int call = 1;
	for (; status == 503 && call < 100; call++) {
		malloc_fails_at(call);
		status = list_modern("/mcp/rooms/demo?id=ann");
		malloc_fails_at(0);
		if (status == 503) assert_int_equal(count_rooms(), call > 1 ? 1 : 0);
	}
	assert_int_equal(status, 200);
	assert_in_range(call, 3, 99);
}

static void what_is_no_topic_is_no_room(void **state) {
	(void)state;
	assert_int_equal(initialize("/mcp/rooms/a..b?id=ann"), 400);
	assert_int_equal(initialize("/mcp/rooms/a%20b?id=ann"), 400);
	assert_int_equal(initialize("/mcp/rooms/?id=ann"), 400);
	assert_int_equal(ask("POST", "/mcp/rooms?id=ann", "", "{}"), 404);
	assert_int_equal(count_rooms(), 0);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(it_stays_while_its_session_does, set_up, tear_down),
		cmocka_unit_test_setup_teardown(it_stays_while_its_session_does, set_up_islands, tear_down),
		cmocka_unit_test_setup_teardown(it_goes_when_its_last_request_is_long_ago, set_up, tear_down),
		cmocka_unit_test_setup_teardown(one_that_nobody_needs_gives_way, set_up, tear_down),
		cmocka_unit_test_setup_teardown(those_that_are_needed_do_not, set_up, tear_down),
		cmocka_unit_test_setup_teardown(without_memory_it_is_refused_and_then_comes_in, set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_is_no_topic_is_no_room, set_up, tear_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
