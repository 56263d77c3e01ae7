/* SPDX-License-Identifier: Apache-2.0 */
/* Calls to a hosted server whose era is not the client's, and what may go wrong with its questions. */
#include "built.h"
#include "gateway_rig.h"

#include "gateway/mcp_face.h"
#include "gateway/mcp_session.h"
#include "net/launcher.h"

#define FORM "\"elicitation\":{\"form\":{}}"
#define MODERN "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\n"
#define META \
	"\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\"," \
	"\"io.modelcontextprotocol/clientCapabilities\":{" FORM "}}"

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

static struct hosted *serve(const char *era, enum hosted_eras_asked eras) {
	char program[400];
	struct fault why = {0};
	built_program("tests/mcp_server", program, sizeof program);
	const struct hosted_settings settings = {
		.id = "test",
		.arguments = (const char *const[]){program, "--era", era, NULL},
		.eras = eras,
		.children = 1,
	};
	struct hosted *hosted = hosted_add(servers, &settings, &why);
	if (!hosted || !hosted_start(hosted, &why)) fail_msg("%s", why.text);
	HOUSE_UNTIL(&house, hosted_state(hosted) == HOSTED_CONNECTED && hosted_is_known(hosted));
	return hosted;
}

static void send_to(struct client *to, const char *method, const char *target, const char *fields,
	const char *body) {
	AUTO_TEXT struct text text = {0};
	text_init(&text, 0);
	text_printf(&text, "%s %s HTTP/1.1\r\nHost: 127.0.0.1\r\n%s%s", method, target, session, fields);
	if (body) text_printf(&text, "Content-Type: application/json\r\nContent-Length: %zu\r\n", strlen(body));
	text_printf(&text, "\r\n%s", body ? body : "");
	client_send_octets(to, text_slice(&text));
}

static unsigned ask(const char *fields, const char *body) {
	send_to(&client, "POST", "/mcp/servers/test", fields, body);
	client_answer(&client, &answer);
	return answer.status;
}

static void initialize(void) {
	assert_int_equal(ask("", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{"
				 "\"protocolVersion\":\"2025-11-25\",\"capabilities\":{" FORM "}}}"),
		200);
	struct slice id = http1_field(&answer.head, "Mcp-Session-Id");
	assert_int_equal(id.length, 36);
	snprintf(session, sizeof session, "Mcp-Session-Id: %.*s\r\n", SLICE_ARGS(id));
}

static void a_client_that_takes_no_events_cannot_be_asked(void **state) {
	(void)state;
	struct hosted *hosted = serve("modern", HOSTED_ERA_ONLY_MODERN);
	initialize();
	assert_int_equal(ask("Accept: application/json\r\n",
				 "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"ask\"}}"),
		200);
	assert_true(answer_has(&answer, "\"id\":2,\"error\""));
	assert_true(answer_has(&answer, "cannot be asked"));
	assert_int_equal(hosted_asks(hosted), 0);
	assert_true(list_is_empty(&house.gateway.mcp->calls));
}

/* What stands behind `key` in the last answer, up to the next quote. */
static void read_word(const char *key, char *word, size_t size) {
	const char *at = memmem(answer.body.bytes, answer.body.length, key, strlen(key));
	assert_non_null(at);
	at += strlen(key);
	const char *end = memchr(at, '"', (size_t)(answer.body.bytes + answer.body.length - at));
	assert_non_null(end);
	snprintf(word, size, "%.*s", (int)(end - at), at);
}

static unsigned retry(const char *name, const char *state) {
	char body[1200];
	snprintf(body, sizeof body,
		"{\"jsonrpc\":\"2.0\",\"id\":\"again\",\"method\":\"tools/call\",\"params\":{\"name\":\"%s\","
		"\"requestState\":\"%s\",\"inputResponses\":{\"user_input\":{\"action\":\"accept\"}}," META "}}",
		name, state);
	char fields[200];
	snprintf(fields, sizeof fields, MODERN "Mcp-Name: %s\r\n", name);
	return ask(fields, body);
}

static void what_was_answered_while_a_call_is_held_comes_with_its_retry(void **state) {
	(void)state;
	char kept[300];
	struct hosted *hosted = serve("legacy", HOSTED_ERA_ONLY_LEGACY);
	assert_int_equal(ask(MODERN "Mcp-Name: lapse\r\n",
				 "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"lapse\"," META "}}"),
		200);
	assert_true(answer_has(&answer, "input_required"));
	assert_true(answer_has(&answer, "\"user_input\":{\"method\":\"elicitation/create\""));
	read_word("\"requestState\":\"", kept, sizeof kept);
	assert_int_equal(ask(MODERN "Mcp-Name: release\r\n",
				 "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"release\"," META "}}"),
		200);
	assert_true(answer_has(&answer, "done"));
	HOUSE_UNTIL(&house, hosted_asks(hosted) == 0);
	assert_int_equal(retry("echo", kept), 200);
	assert_true(answer_has(&answer, "bad_request_state"));
	assert_int_equal(retry("lapse", kept), 200);
	assert_true(answer_has(&answer, "\"id\":\"again\",\"result\""));
	assert_true(answer_has(&answer, "released"));
	assert_int_equal(retry("lapse", kept), 200);
	assert_true(answer_has(&answer, "bad_request_state"));
	assert_true(list_is_empty(&house.gateway.mcp->calls));
	assert_int_equal(house.gateway.mcp->call_count, 0);
}

static void an_answer_goes_on_with_the_call_that_is_held(void **state) {
	(void)state;
	char kept[300];
	serve("legacy", HOSTED_ERA_ONLY_LEGACY);
	assert_int_equal(ask(MODERN "Mcp-Name: ask\r\n",
				 "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"ask\"," META "}}"),
		200);
	read_word("\"requestState\":\"", kept, sizeof kept);
	assert_int_equal(retry("ask", kept), 200);
	assert_true(answer_has(&answer, "\"id\":\"again\",\"result\""));
	assert_true(answer_has(&answer, "accept"));
}

static void a_key_that_stands_twice_is_refused(void **state) {
	(void)state;
	serve("legacy", HOSTED_ERA_ONLY_LEGACY);
	initialize();
	assert_int_equal(ask("", "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{"
				 "\"name\":\"echo\",\"n\\u0061me\":\"die\",\"arguments\":{}}}"),
		200);
	assert_true(answer_has(&answer, "-32602"));
	assert_int_equal(ask("", "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{"
				 "\"name\":\"echo\",\"arguments\":{\"a\":1,\"b\":1e400},\"_meta\":{\"x\":1}}}"),
		200);
	assert_true(answer_has(&answer, "1e400"));
}

/* The server may be removed by a request that stands behind another's answer. */
static void the_next_request_of_a_connection_waits_for_the_end_of_the_pass(void **state) {
	(void)state;
	struct client other;
	serve("legacy", HOSTED_ERA_ONLY_LEGACY);
	initialize();
	send_to(&client, "POST", "/mcp/servers/test", "",
		"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"hold\"}}");
	send_to(&client, "DELETE", "/mcp/servers/test", "", NULL);
	client_open(&other, &house);
	send_to(&other, "POST", "/mcp/servers/test", "",
		"{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"hold\"}}");
	send_to(&other, "POST", "/mcp/servers/test", "",
		"{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/call\",\"params\":{\"name\":\"hold\"}}");
	struct client third;
	client_open(&third, &house);
	HOUSE_UNTIL(&house, house.gateway.mcp->call_count == 2);
	send_to(&third, "POST", "/mcp/servers/test", "",
		"{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"tools/call\",\"params\":{\"name\":\"release\"}}");
	client_answer(&client, &answer);
	assert_true(answer_has(&answer, "\"id\":1,\"result\""));
	client_answer(&client, &answer);
	assert_int_equal(answer.status, 204);
	client_answer(&other, &answer);
	assert_int_equal(answer.status, 200);
	client_answer(&other, &answer); /* ended with its session, or after it */
	client_answer(&third, &answer);
	HOUSE_UNTIL(&house, house.gateway.mcp->call_count == 0);
	client_close(&other);
	client_close(&third);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(int argc, char **argv) {
	if (launcher_is_inner(argc, argv)) return launcher_inner(argc, argv);

	const struct CMUnitTest tests[] = {
		TEST(a_client_that_takes_no_events_cannot_be_asked),
		TEST(what_was_answered_while_a_call_is_held_comes_with_its_retry),
		TEST(an_answer_goes_on_with_the_call_that_is_held),
		TEST(a_key_that_stands_twice_is_refused),
		TEST(the_next_request_of_a_connection_waits_for_the_end_of_the_pass),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
