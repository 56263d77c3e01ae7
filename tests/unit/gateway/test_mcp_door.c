/* SPDX-License-Identifier: Apache-2.0 */
/* The face of all servers, where there are none: what it answers by itself, in both eras. */
#include "gateway_rig.h"

#include "gateway/mcp_face.h"
#include "gateway/mcp_session.h"

#define MODERN_META \
	"\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\"," \
	"\"io.modelcontextprotocol/clientCapabilities\":{}}"

static struct house house;
static struct client client;
static struct answer answer;
static struct hosted_servers *servers;
static char session[64]; /* a header line */

static int set_up(void **state) {
	(void)state;
	static const uint8_t key[SECRET_HASH_SIZE] = {7};
	struct fault why;
	house_open(&house, &(struct house_wish){.is_open = true});
	assert_non_null(servers = hosted_servers_open(house.gateway.loop, &house.log, &why));
	assert_non_null(house.gateway.mcp = mcp_face_open(&house.gateway, servers, key, &why));
	client_open(&client, &house);
	session[0] = '\0';
	return 0;
}

static int tear_down(void **state) {
	(void)state;
	client_close(&client);
	connections_close(house.gateway.connections);
	mcp_face_close(house.gateway.mcp);
	hosted_servers_close(servers);
	struct fault why;
	assert_non_null(house.gateway.connections = connections_open(&house.gateway, &why));
	house_close(&house);
	return 0;
}

static void send_to(const char *method, const char *target, const char *fields, const char *body) {
	AUTO_TEXT struct text text = {0};
	text_init(&text, 0);
	text_printf(&text, "%s %s HTTP/1.1\r\nHost: 127.0.0.1\r\n%s%s", method, target, session, fields);
	if (body) text_printf(&text, "Content-Type: application/json\r\nContent-Length: %zu\r\n", strlen(body));
	text_printf(&text, "\r\n%s", body ? body : "");
	client_send_octets(&client, text_slice(&text));
}

static unsigned ask(const char *method, const char *target, const char *fields, const char *body) {
	send_to(method, target, fields, body);
	client_answer(&client, &answer);
	return answer.status;
}

static void initialize(const char *target, const char *version) {
	char body[256];
	snprintf(body, sizeof body,
		"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"%s\","
		"\"capabilities\":{},\"clientInfo\":{\"name\":\"c\",\"version\":\"1\"}}}",
		version);
	assert_int_equal(ask("POST", target, "", body), 200);
	struct slice id = http1_field(&answer.head, "Mcp-Session-Id");
	assert_int_equal(id.length, 36);
	snprintf(session, sizeof session, "Mcp-Session-Id: %.*s\r\n", SLICE_ARGS(id));
}

static const char ping[] = "{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"ping\"}";

static void a_session_begins_with_initialize_and_ends_with_delete(void **state) {
	(void)state;
	assert_int_equal(ask("POST", "/mcp", "", ping), 400);
	initialize("/mcp", "2025-06-18");
	assert_true(answer_has(&answer, "\"protocolVersion\":\"2025-06-18\""));
	assert_int_equal(ask("POST", "/mcp", "",
				 "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}"),
		202);
	assert_int_equal(ask("POST", "/mcp", "", ping), 200);
	assert_true(answer_has(&answer, "{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"result\":{}}"));
	assert_int_equal(ask("DELETE", "/mcp", "", NULL), 204);
	assert_int_equal(ask("POST", "/mcp", "", ping), 404);
	assert_int_equal(ask("DELETE", "/mcp", "", NULL), 404);
}

static void a_session_keeps_the_version_that_it_began_with(void **state) {
	(void)state;
	initialize("/mcp", "2025-06-18");
	assert_int_equal(ask("POST", "/mcp", "MCP-Protocol-Version: 2025-11-25\r\n", ping), 200);
	assert_int_equal(ask("POST", "/mcp", "MCP-Protocol-Version: 2025-06-19\r\n", ping), 400);
	assert_true(answer_has(&answer, "-32602"));
	initialize("/mcp", "2025-06-19");
	assert_true(answer_has(&answer, "\"protocolVersion\":\"2025-11-25\""));
}

static void a_session_exists_for_its_own_principal_alone(void **state) {
	(void)state;
	initialize("/mcp?id=ann", "2025-11-25");
	assert_int_equal(ask("POST", "/mcp?id=ann", "", ping), 200);
	assert_int_equal(ask("POST", "/mcp?id=bob", "", ping), 404);
	assert_int_equal(ask("DELETE", "/mcp", "", NULL), 404);
}

static void open_many(const char *id, int count) {
	struct fault why;
	struct principal *principal =
		identity_guest(house.gateway.identity, slice_of(id), SLICE_NONE, SLICE_NONE, SLICE_NONE, &why);
	assert_non_null(principal);
	for (int i = 0; i < count; i++)
		assert_non_null(mcp_session_open(house.gateway.mcp, principal, SLICE(""), &why));
	principal_drop(principal);
}

static void the_least_recently_used_session_gives_way(void **state) {
	(void)state;
	initialize("/mcp?id=ann", "2025-11-25");
	open_many("many", 2 * MCP_SESSIONS); /* who has many loses its own */
	assert_int_equal(house.gateway.mcp->sessions.count, MCP_SESSIONS_OF_ONE + 1);
	assert_int_equal(ask("POST", "/mcp?id=ann", "", ping), 200);
	open_many("some", MCP_SESSIONS - MCP_SESSIONS_OF_ONE - 1);
	assert_int_equal(house.gateway.mcp->sessions.count, MCP_SESSIONS);
	open_many("more", MCP_SESSIONS / 4); /* of others, those of long ago go first: ann's was used since */
	assert_int_equal(ask("POST", "/mcp?id=ann", "", ping), 200);
	for (int i = 0; i < 5; i++) open_many((const char *[]){"a", "b", "c", "d", "e"}[i], MCP_SESSIONS / 4);
	assert_int_equal(ask("POST", "/mcp?id=ann", "", ping), 404);
	assert_int_equal(house.gateway.mcp->sessions.count, MCP_SESSIONS);
}

static void what_is_no_message_is_refused(void **state) {
	(void)state;
	assert_int_equal(ask("POST", "/mcp", "", "{\"jsonrpc\":\"2.0\","), 400);
	assert_true(answer_has(&answer, "-32700"));
	assert_int_equal(ask("POST", "/mcp", "", "{\"id\":3,\"method\":\"ping\"}"), 400);
	assert_true(answer_has(&answer, "\"id\":3"));
	assert_int_equal(ask("POST", "/mcp", "Accept: image/png\r\n", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":"
								      "\"initialize\",\"params\":{\"protocolVersion\":\"2025-06-18\"}}"),
		406);
	assert_int_equal(ask("GET", "/mcp", "", NULL), 405);
	assert_int_equal(ask("POST", "/mcp/servers/none", "", ping), 404);
	client_send(&client, "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 2\r\n\r\n{}");
	client_answer(&client, &answer);
	assert_int_equal(answer.status, 415);
}

static void a_batch_is_for_those_who_know_batches(void **state) {
	(void)state;
	static const char batch[] = "[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"},"
				    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"},"
				    "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"nothing\"},7]";
	initialize("/mcp", "2025-03-26");
	assert_int_equal(ask("POST", "/mcp", "", batch), 200);
	assert_true(answer_has(&answer, "[{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}},"
					"{\"jsonrpc\":\"2.0\",\"id\":2,\"error\":{\"code\":-32601"));
	assert_true(answer_has(&answer, "\"id\":null,\"error\":{\"code\":-32600"));
	assert_int_equal(ask("POST", "/mcp", "", "[{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}]"),
		202);
	assert_int_equal(ask("POST", "/mcp", "", "[]"), 400);
	session[0] = '\0';
	initialize("/mcp", "2025-06-18");
	assert_int_equal(ask("POST", "/mcp", "", batch), 400);
}

#define VERSION "MCP-Protocol-Version: 2026-07-28\r\n"

static void a_modern_request_says_what_it_is(void **state) {
	(void)state;
	assert_int_equal(ask("POST", "/mcp", VERSION "Mcp-Method: tools/list\r\n",
				 "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\",\"params\":{" MODERN_META "}}"),
		200);
	assert_true(answer_has(&answer, "\"resultType\":\"complete\""));
	assert_true(answer_has(&answer, "\"tools\":[]"));
	assert_int_equal(ask("POST", "/mcp", VERSION "Mcp-Method: tools/list\r\n",
				 "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\",\"params\":{}}"),
		400);
	assert_true(answer_has(&answer, "\"id\":1,\"error\":{\"code\":-32602"));
	assert_int_equal(ask("POST", "/mcp", VERSION "Mcp-Method: tools/call\r\n",
				 "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\",\"params\":{" MODERN_META "}}"),
		400);
	assert_true(answer_has(&answer, "-32020"));
	assert_int_equal(ask("POST", "/mcp", VERSION "Mcp-Method: ping\r\n",
				 "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":{" MODERN_META "}}"),
		404);
	assert_true(answer_has(&answer, "-32601"));
}

static void a_version_that_is_not_spoken_is_named_with_those_that_are(void **state) {
	(void)state;
	assert_int_equal(ask("POST", "/mcp", "MCP-Protocol-Version: 2099-01-01\r\nMcp-Method: tools/list\r\n",
				 "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\",\"params\":{\"_meta\":{"
				 "\"io.modelcontextprotocol/protocolVersion\":\"2099-01-01\","
				 "\"io.modelcontextprotocol/clientCapabilities\":{}}}}"),
		400);
	assert_true(answer_has(&answer, "-32022"));
	assert_true(answer_has(&answer, "{\"supported\":[\"2026-07-28\"],\"requested\":\"2099-01-01\"}"));
}

static void a_header_of_other_than_plain_text_is_read(void **state) {
	(void)state;
	/* "wörter__x" */
	assert_int_equal(ask("POST", "/mcp",
				 VERSION "Mcp-Method: tools/call\r\nMcp-Name: =?base64?d8O2cnRlcl9feA==?=\r\n",
				 "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"w\xc3\xb6rter__x\"," MODERN_META "}}"),
		200);
	assert_true(answer_has(&answer, "-32602"));
	assert_int_equal(ask("POST", "/mcp",
				 VERSION "Mcp-Method: tools/call\r\nMcp-Name: =?base64?d8O2cnRlcl9feQ==?=\r\n",
				 "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"w\xc3\xb6rter__x\"," MODERN_META "}}"),
		400);
}

static const char wish_to_listen[] = "{\"jsonrpc\":\"2.0\",\"id\":\"ear\",\"method\":\"subscriptions/listen\",\"params\":{"
				     "\"notifications\":{\"toolsListChanged\":true}," MODERN_META "}}";
#define LISTEN VERSION "Mcp-Method: subscriptions/listen\r\n"

static bool has_heard(const char *words) {
	client_read(&client);
	return client.got.length && memmem(client.got.bytes, client.got.length, words, strlen(words));
}

static void a_stream_comes_in_chunks_and_stays_open(void **state) {
	(void)state;
	send_to("POST", "/mcp", LISTEN, wish_to_listen);
	HOUSE_UNTIL(&house, has_heard("notifications/subscriptions/acknowledged"));
	assert_true(has_heard("Transfer-Encoding: chunked\r\n"));
	assert_true(has_heard("Content-Type: text/event-stream\r\n"));
	assert_true(has_heard("\"io.modelcontextprotocol/subscriptionId\":\"ear\""));
	assert_true(has_heard("\"notifications\":{\"toolsListChanged\":true}"));
	assert_false(list_is_empty(&house.gateway.mcp->ears));
	assert_false(has_heard("\r\n0\r\n"));
}

static void a_stream_whose_client_went_is_forgotten(void **state) {
	(void)state;
	send_to("POST", "/mcp", LISTEN, wish_to_listen);
	HOUSE_UNTIL(&house, has_heard("acknowledged"));
	shutdown(client.descriptor, SHUT_WR);
	HOUSE_UNTIL(&house, list_is_empty(&house.gateway.mcp->ears));
	HOUSE_UNTIL(&house, connections_count(house.gateway.connections) == 0);
}

static void after_a_stream_the_connection_goes_on(void **state) {
	(void)state;
	initialize("/mcp", "2025-06-18");
	send_to("GET", "/mcp", "", NULL);
	HOUSE_UNTIL(&house, has_heard("text/event-stream"));
	send_to("POST", "/mcp", "", ping); /* waits behind the stream */
	struct client other;
	client_open(&other, &house);
	AUTO_TEXT struct text text = {0};
	text_init(&text, 0);
	text_printf(&text, "GET /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\n%s\r\n", session);
	client_send_octets(&other, text_slice(&text)); /* takes the first one's place */
	HOUSE_UNTIL(&house, has_heard("\r\n0\r\n\r\nHTTP/1.1 200 OK"));
	HOUSE_UNTIL(&house, has_heard("{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"result\":{}}"));
	client_close(&other);
}

static void draining_ends_those_who_only_listen(void **state) {
	(void)state;
	initialize("/mcp", "2025-06-18");
	send_to("GET", "/mcp", "", NULL);
	HOUSE_UNTIL(&house, has_heard("text/event-stream"));
	struct client other;
	client_open(&other, &house);
	client_request(&other, "GET", "/healthz", NULL, NULL);
	client_answer(&other, &answer);
	AUTO_TEXT struct text text = {0};
	text_init(&text, 0);
	text_printf(&text, "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n" LISTEN "Content-Length: %zu\r\n\r\n%s", sizeof wish_to_listen - 1, wish_to_listen);
	client_send_octets(&other, text_slice(&text));
	HOUSE_UNTIL(&house, house.gateway.mcp->ears.next->next != &house.gateway.mcp->ears);
	connections_drain(house.gateway.connections);
	client_until_end(&client);
	client_until_end(&other);
	client_close(&other);
	assert_true(list_is_empty(&house.gateway.mcp->ears));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
	const struct CMUnitTest tests[] = {
		TEST(a_session_begins_with_initialize_and_ends_with_delete),
		TEST(a_session_keeps_the_version_that_it_began_with),
		TEST(a_session_exists_for_its_own_principal_alone),
		TEST(the_least_recently_used_session_gives_way),
		TEST(what_is_no_message_is_refused),
		TEST(a_batch_is_for_those_who_know_batches),
		TEST(a_modern_request_says_what_it_is),
		TEST(a_version_that_is_not_spoken_is_named_with_those_that_are),
		TEST(a_header_of_other_than_plain_text_is_read),
		TEST(a_stream_comes_in_chunks_and_stays_open),
		TEST(a_stream_whose_client_went_is_forgotten),
		TEST(after_a_stream_the_connection_goes_on),
		TEST(draining_ends_those_who_only_listen),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
