/* SPDX-License-Identifier: Apache-2.0 */
#include "peer_rig.h"

#include "mcp/mcp_server.h"

static struct peer_rig rig;
static struct mcp_server *server;

static void on_asked(void *context, struct peer_question *question, const struct jsonrpc *request) {
	(void)context;
	mcp_server_asked(server, question, request);
}
static const struct peer_events server_events = {.send = rig_send, .asked = on_asked};

static int set_up(void **state) {
	struct fault why;
	(void)state;
	peer_rig_open(&rig);
	peer_close(rig.peer, NULL);
	rig.peer = peer_open(rig.loop, &server_events, &rig, &why);
	server = mcp_server_open(SLICE("s"), SLICE("2"), SLICE("be kind"), ERA_NEWEST, &why);
	assert_non_null(rig.peer);
	assert_non_null(server);
	return 0;
}

static int tear_down(void **state) {
	(void)state;
	peer_rig_close(&rig);
	mcp_server_close(server);
	return 0;
}

static void run_echo(void *context, struct peer_question *question,
	const struct scan_value *arguments) {
	++*(unsigned *)context;
	mcp_server_answer_json(question, arguments->text);
}

static unsigned runs;

static bool offer(const char *name, const char *schema, struct fault *why) {
	struct mcp_offer offered = {
		.name = slice_of(name),
		.input_schema = slice_of(schema),
		.run = run_echo,
		.context = &runs,
	};
	return mcp_server_offer(server, &offered, why);
}

/* Asks with id 1 and hands out what came back. */
static const char *ask(const char *method, const char *params) {
	char message[600];
	unsigned before = rig.count;
	snprintf(message, sizeof message, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%s\"%s%s}", method,
		params ? ",\"params\":" : "", params ? params : "");
	rig_hear(&rig, message);
	assert_int_equal(rig.count, before + 1);
	return rig.sent[before];
}

static void initialize_settles_the_version_and_says_who_we_are(void **state) {
	(void)state;
	const char *answer = ask("initialize", "{\"protocolVersion\":\"2025-03-26\",\"capabilities\":{}}");
	assert_string_equal(answer, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"protocolVersion\":\"2025-03-26\","
				    "\"capabilities\":{\"tools\":{\"listChanged\":true}},\"serverInfo\":{\"name\":\"s\",\"version\":\"2\"},"
				    "\"instructions\":\"be kind\"}}");
	assert_non_null(strstr(ask("initialize", "{\"protocolVersion\":\"3000-01-01\"}"), "\"2025-11-25\""));
	assert_non_null(strstr(ask("initialize", "{}"), "-32602"));
	assert_non_null(strstr(ask("initialize", NULL), "-32602"));
}

static void who_stands_for_another_server_says_its_name(void **state) {
	struct fault why;
	(void)state;
	assert_true(mcp_server_stand_for(server, SLICE("{\"name\":\"other\",\"title\":\"O\"}"),
		SLICE("{\"prompts\":{}}"), &why));
	assert_string_equal(ask("initialize", "{\"protocolVersion\":\"2025-06-18\"}"),
		"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"protocolVersion\":\"2025-06-18\","
		"\"capabilities\":{\"prompts\":{}},\"serverInfo\":{\"name\":\"other\",\"title\":\"O\"},"
		"\"instructions\":\"be kind\"}}");
}

static void ping_is_answered_and_unknown_methods_are_too(void **state) {
	(void)state;
	assert_non_null(strstr(ask("ping", NULL), "\"result\":{}"));
	assert_non_null(strstr(ask("resources/list", "{}"), "-32601"));
}

static void tools_are_listed_as_they_were_offered(void **state) {
	struct fault why;
	struct mcp_offer offered = {
		.name = SLICE("wipe"),
		.title = SLICE("Wipe \"all\""),
		.description = SLICE("d"),
		.output_schema = SLICE("{\"type\":\"object\"}"),
		.effect = MCP_EFFECT_DESTRUCTIVE,
		.is_idempotent = true,
		.run = run_echo,
		.context = &runs,
	};
	(void)state;
	assert_true(mcp_server_offer(server, &offered, &why));
	assert_string_equal(ask("tools/list", NULL), "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"tools\":[{\"name\":\"wipe\","
						     "\"title\":\"Wipe \\\"all\\\"\",\"description\":\"d\",\"inputSchema\":{\"type\":\"object\",\"properties\":{}},"
						     "\"outputSchema\":{\"type\":\"object\"},\"annotations\":{\"readOnlyHint\":false,\"destructiveHint\":true,"
						     "\"idempotentHint\":true}}]}}");
	assert_true(mcp_server_withdraw(server, SLICE("wipe")));
	assert_false(mcp_server_withdraw(server, SLICE("wipe")));
	assert_non_null(strstr(ask("tools/list", "{}"), "\"tools\":[]"));
}

static void long_lists_come_in_pages(void **state) {
	struct fault why;
	char name[16];
	(void)state;
	for (int i = 0; i < MCP_SERVER_PAGE + 1; i++) {
		snprintf(name, sizeof name, "t%d", i);
		assert_true(offer(name, NULL, &why));
	}
	assert_non_null(strstr(ask("tools/list", "{}"), "\"nextCursor\":\"100\"}"));
	const char *second = ask("tools/list", "{\"cursor\":\"100\"}");
	assert_non_null(strstr(second, "\"tools\":[{\"name\":\"t100\""));
	assert_null(strstr(second, "nextCursor"));
	assert_non_null(strstr(ask("tools/list", "{\"cursor\":\"102\"}"), "-32602"));
	assert_non_null(strstr(ask("tools/list", "{\"cursor\":\"-1\"}"), "-32602"));
	assert_non_null(strstr(ask("tools/list", "{\"cursor\":1}"), "-32602"));
}

static void a_call_reaches_its_tool_with_its_octets(void **state) {
	struct fault why;
	(void)state;
	runs = 0;
	assert_true(offer("echo", NULL, &why));
	const char *answer = ask("tools/call", "{\"name\":\"ech\\u006f\",\"arguments\":{\"a\" : 1e400}}");
	assert_int_equal(runs, 1);
	assert_non_null(strstr(answer, "\"structuredContent\":{\"a\" : 1e400},\"isError\":false"));
	assert_non_null(strstr(ask("tools/call", "{\"name\":\"echo\"}"), "\"structuredContent\":{}"));
	assert_non_null(strstr(ask("tools/call", "{\"name\":\"echo\",\"arguments\":[]}"), "-32602"));
	assert_non_null(strstr(ask("tools/call", "{\"name\":\"other\"}"), "-32602"));
	assert_non_null(strstr(ask("tools/call", "{}"), "-32602"));
	assert_int_equal(runs, 2);
}

static void unsound_offers_are_refused(void **state) {
	struct fault why;
	(void)state;
	assert_false(offer("", NULL, &why));
	assert_int_equal(why.code, FAULT_BAD_INPUT);
	assert_false(offer("a b", NULL, &why));
	assert_false(offer("a", "[]", &why));
	assert_false(offer("a", "{", &why));
	assert_int_equal(mcp_server_count(server), 0);
	assert_true(offer("a", "{}", &why));
	assert_false(offer("a", "{}", &why));
	assert_int_equal(why.code, FAULT_EXISTS);
	assert_int_equal(mcp_server_count(server), 1);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(initialize_settles_the_version_and_says_who_we_are),
		TEST(who_stands_for_another_server_says_its_name),
		TEST(ping_is_answered_and_unknown_methods_are_too),
		TEST(tools_are_listed_as_they_were_offered),
		TEST(long_lists_come_in_pages),
		TEST(a_call_reaches_its_tool_with_its_octets),
		TEST(unsound_offers_are_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
