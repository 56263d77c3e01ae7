/* SPDX-License-Identifier: Apache-2.0 */
#include "peer_rig.h"

#include "mcp/mcp_client.h"

static struct peer_rig rig;
static struct mcp_client client;
static unsigned ready, listed;
static enum fault_code why_not;
static size_t tools;

static int set_up(void **state) {
	(void)state;
	ready = listed = 0;
	why_not = FAULT_NONE;
	tools = 0;
	peer_rig_open(&rig);
	mcp_client_init(&client, rig.peer, NULL);
	return 0;
}

static int tear_down(void **state) {
	(void)state;
	mcp_client_finish(&client);
	peer_rig_close(&rig);
	return 0;
}

static void on_ready(struct mcp_client *told, const struct fault *why) {
	assert_ptr_equal(told, &client);
	ready++;
	why_not = why ? why->code : FAULT_NONE;
}

static void on_listed(void *context, struct mcp_listing *listing, const struct fault *why) {
	(void)context;
	listed++;
	why_not = why ? why->code : FAULT_NONE;
	tools = listing ? mcp_listing_count(listing) : 0;
}

static void introduce_as(const char *capabilities) {
	struct fault why;
	struct mcp_introduction self = {
		.version = ERA_ROOMS,
		.capabilities = slice_of(capabilities),
		.name = SLICE("n"),
		.software = SLICE("1"),
	};
	assert_true(mcp_client_introduce(&client, &self, 0, on_ready, &why));
	assert_int_equal(client.state, MCP_CLIENT_INTRODUCING);
}

static void introduce(void) { introduce_as("{}"); }

static void reply(unsigned at, const char *rest) {
	char message[600];
	snprintf(message, sizeof message, "{\"jsonrpc\":\"2.0\",\"id\":%lld,%s}", rig_id(&rig, at), rest);
	rig_hear(&rig, message);
}

#define WELCOME(version) "\"result\":{\"protocolVersion\":\"" version "\",\"capabilities\":{\"tools\":{}}," \
			 "\"serverInfo\":{\"name\":\"Server\",\"version\":\"1\"}}"

static void the_handshake_has_three_steps(void **state) {
	(void)state;
	introduce();
	assert_non_null(strstr(rig.sent[0], "\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-06-18\","
					    "\"capabilities\":{},\"clientInfo\":{\"name\":\"n\",\"version\":\"1\"}}}"));
	reply(0, WELCOME("2025-03-26"));
	assert_int_equal(ready, 1);
	assert_int_equal(client.state, MCP_CLIENT_READY);
	assert_int_equal(client.version, ERA_2025_03_26);
	assert_true(client.has_tools);
	assert_string_equal(client.server_name, "Server");
	assert_string_equal(rig.sent[1], "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
}

static void a_version_that_is_not_known_ends_the_handshake(void **state) {
	static const char *const answers[] = {
		WELCOME("1999-01-01"),
		"\"result\":{}",
		"\"result\":7",
		"\"result\":{\"protocolVersion\":5}",
	};
	(void)state;
	for (unsigned i = 0; i < COUNT_OF(answers); i++) {
		introduce();
		reply(i, answers[i]);
		assert_int_equal(ready, i + 1);
		assert_int_equal(why_not, FAULT_UNSUPPORTED);
		assert_int_equal(client.state, MCP_CLIENT_NEW);
	}
}

static void an_error_ends_the_handshake_and_it_may_be_tried_again(void **state) {
	(void)state;
	introduce();
	reply(0, "\"error\":{\"code\":-32603,\"message\":\"busy\"}");
	assert_int_equal(why_not, FAULT_REFUSED);
	introduce();
	reply(1, WELCOME("2025-11-25"));
	assert_int_equal(why_not, FAULT_NONE);
	assert_int_equal(client.state, MCP_CLIENT_READY);
}

static void forgetting_gives_up_a_handshake_under_way(void **state) {
	(void)state;
	introduce();
	mcp_client_forget(&client);
	assert_int_equal(client.state, MCP_CLIENT_NEW);
	reply(0, WELCOME("2025-06-18"));
	assert_int_equal(ready, 0);
	assert_int_equal(rig.count, 1);
}

#define TOOL(name) "{\"name\":\"" name "\",\"inputSchema\":{}}"

static void every_page_is_asked_for(void **state) {
	struct fault why;
	(void)state;
	assert_non_null(mcp_client_list(&client, 0, on_listed, NULL, &why));
	reply(0, "\"result\":{\"tools\":[" TOOL("a") "],\"nextCursor\":\"x\\\"y\"}");
	assert_int_equal(listed, 0);
	assert_non_null(strstr(rig.sent[1], "\"params\":{\"cursor\":\"x\\\"y\"}"));
	reply(1, "\"result\":{\"tools\":[" TOOL("b") "," TOOL("c") "]}");
	assert_int_equal(listed, 1);
	assert_int_equal(tools, 3);
}

static void a_cursor_that_leads_to_itself_is_refused(void **state) {
	struct fault why;
	(void)state;
	assert_non_null(mcp_client_list(&client, 0, on_listed, NULL, &why));
	reply(0, "\"result\":{\"tools\":[" TOOL("a") "],\"nextCursor\":\"x\"}");
	reply(1, "\"result\":{\"tools\":[" TOOL("b") "],\"nextCursor\":\"x\"}");
	assert_int_equal(listed, 1);
	assert_int_equal(why_not, FAULT_BAD_INPUT);
	assert_int_equal(rig.count, 2);
}

static void a_list_under_way_ends_with_its_peer(void **state) {
	struct fault why, over;
	(void)state;
	assert_non_null(mcp_client_list(&client, 0, on_listed, NULL, &why));
	fault_set(&over, FAULT_CLOSED, "over");
	mcp_client_finish(&client);
	peer_close(TAKE(rig.peer), &over);
	assert_int_equal(listed, 1);
	assert_int_equal(why_not, FAULT_CLOSED);
}

static void a_list_may_be_given_up(void **state) {
	struct fault why;
	(void)state;
	struct mcp_client_walk *walk = mcp_client_list(&client, 0, on_listed, NULL, &why);
	assert_non_null(walk);
	mcp_client_list_cancel(walk);
	assert_non_null(strstr(rig.sent[1], "notifications/cancelled"));
	assert_int_equal(listed, 0);
}

#define SPEAKS(extensions) "\"result\":{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{\"mgp\":{\"version\":" \
			   "\"0.2.0\",\"extensions\":[" extensions "]}},\"serverInfo\":{\"name\":\"s\",\"version\":\"1\"}}"

static void mgp_is_what_both_have_said(void **state) {
	(void)state;
	introduce_as("{\"mgp\":{\"version\":\"0.2.0\",\"extensions\":[\"streaming\",\"audit\"]}}");
	reply(0, SPEAKS("\"streaming\",\"bidirectional\""));
	assert_true(client.mgp.is_active);
	assert_int_equal(client.mgp.extensions, MGP_STREAMING);
	mcp_client_forget(&client);
	introduce();
	reply(2, SPEAKS("\"streaming\""));
	assert_false(client.mgp.is_active);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(the_handshake_has_three_steps),
		TEST(mgp_is_what_both_have_said),
		TEST(a_version_that_is_not_known_ends_the_handshake),
		TEST(an_error_ends_the_handshake_and_it_may_be_tried_again),
		TEST(forgetting_gives_up_a_handshake_under_way),
		TEST(every_page_is_asked_for),
		TEST(a_cursor_that_leads_to_itself_is_refused),
		TEST(a_list_under_way_ends_with_its_peer),
		TEST(a_list_may_be_given_up),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
