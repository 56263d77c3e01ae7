/* SPDX-License-Identifier: Apache-2.0 */
/* The kernel's clients at the faces: events on the stream of a modern request, and on that of a session. */
#include "gateway_rig.h"

#include "decide/inbox.h"
#include "gateway/mcp_face.h"
#include "kernel/events.h"
#include "kernel/kernel.h"
#include "net/launcher.h"

#define SPEAKS "{\"version\":\"0.2.0\",\"extensions\":[\"bidirectional\"]}"
#define BOTH "Accept: application/json, text/event-stream\r\n"

/* Whoever listens on a connection of its own; the last one to begin is the last to be told. */
struct hearer {
	struct client client;
	size_t from; /* octets that were looked at before */
};

static struct house house;
static struct hosted_servers *servers;
static struct hearer hearers[8];
static size_t hearer_count;
static const char *ann, *bob;

static int set_up(void **state) {
	(void)state;
	static const uint8_t key[SECRET_HASH_SIZE] = {7};
	struct gateway *gateway = &house.gateway;
	struct fault why = {0};
	house_open(&house, &(struct house_wish){.islands = 1});
	const struct inbox_options inbox = {
		.state = gateway->state,
		.loop = gateway->loop,
		.spool = store_spool(gateway->store, 0),
		.log = &house.log,
	};
	assert_non_null(gateway->inbox = inbox_open(&inbox, &why));
	assert_non_null(servers = hosted_servers_open(gateway->loop, &house.log, &why));
	const struct kernel_options kernel = {
		.loop = gateway->loop,
		.log = &house.log,
		.servers = servers,
		.state = gateway->state,
		.spool = store_spool(gateway->store, 0),
		.store = gateway->store,
		.inbox = gateway->inbox,
		.policy = {.permissions = PERMISSION_AUTO_APPROVE, .access = ACCESS_OPT_IN},
	};
	assert_non_null(gateway->kernel = kernel_open(&kernel, &why));
	assert_non_null(gateway->mcp = mcp_face_open(gateway, servers, key, &why));
	ann = house_full(&house, "ann");
	bob = house_full(&house, "bob");
	hearer_count = 0;
	return 0;
}

static int tear_down(void **state) {
	(void)state;
	struct gateway *gateway = &house.gateway;
	struct fault why;
	for (size_t i = 0; i < hearer_count; i++) client_close(&hearers[i].client);
	connections_close(gateway->connections);
	mcp_face_close(gateway->mcp);
	kernel_close(gateway->kernel);
	hosted_servers_close(servers);
	inbox_close(gateway->inbox);
	loop_step(gateway->loop, 0);
	assert_non_null(gateway->connections = connections_open(gateway, &why));
	house_close(&house);
	return 0;
}

/* ---- Listening ---- */

static void send_to(struct client *to, const char *method, const char *target, const char *token,
	const char *fields, const char *body) {
	AUTO_TEXT struct text text = {0};
	text_init(&text, 0);
	text_printf(&text, "%s %s HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer %s\r\n%s", method, target, token, fields);
	if (body) text_printf(&text, "Content-Type: application/json\r\nContent-Length: %zu\r\n", strlen(body));
	text_printf(&text, "\r\n%s", body ? body : "");
	client_send_octets(to, text_slice(&text));
}

/* How often these words came since the last hearer_next(). */
static unsigned heard(struct hearer *hearer, const char *words) {
	unsigned count = 0;
	client_read(&hearer->client);
	struct text *got = &hearer->client.got;
	const char *at = got->bytes + hearer->from;
	for (; (at = memmem(at, (size_t)(got->bytes + got->length - at), words, strlen(words))); at += strlen(words)) count++;
	return count;
}

static void hearer_next(struct hearer *hearer) {
	client_read(&hearer->client);
	hearer->from = hearer->client.got.length;
}

static void hears(struct hearer *hearer, const char *words) {
	uint64_t until = clock_monotonic_ms() + PATIENCE_MS;
	while (!heard(hearer, words)) {
		if (clock_monotonic_ms() > until)
			fail_msg("never heard %s, but %.*s", words, (int)hearer->client.got.length, hearer->client.got.bytes);
		loop_step(house.gateway.loop, 5);
	}
	loop_step(house.gateway.loop, 0);
}

static struct hearer *next_hearer(void) {
	struct hearer *hearer = &hearers[hearer_count++];
	*hearer = (struct hearer){.from = 0};
	client_open(&hearer->client, &house);
	return hearer;
}

/* ---- Modern ---- */

static void ask_modern(struct hearer *hearer, const char *token, const char *method, const char *accept,
	const char *params) {
	AUTO_TEXT struct text body = {0}, fields = {0};
	text_init(&body, 0);
	text_init(&fields, 0);
	text_printf(&body,
		"{\"jsonrpc\":\"2.0\",\"id\":\"m\",\"method\":\"%s\",\"params\":{%s,\"_meta\":{"
		"\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\",\"io.modelcontextprotocol/clientCapabilities\":{"
		"\"extensions\":{\"dev.hustings/mgp\":" SPEAKS "}}}}}",
		method, params);
	text_printf(&fields, "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: %s\r\n%s", method, accept);
	send_to(&hearer->client, "POST", "/mcp", token, fields.bytes, body.bytes);
}

static void take_id(struct hearer *hearer, char id[EVENTS_ID]) {
	hears(hearer, "\"subscription_id\":\"sub-");
	const char *at = memmem(hearer->client.got.bytes, hearer->client.got.length, "\"sub-", 5);
	snprintf(id, EVENTS_ID, "%.40s", at + 1);
}

static const char *about(const char *id, const char *more) {
	static char params[200];
	snprintf(params, sizeof params, "\"subscription_id\":\"%s\"%s", id, more);
	return params;
}

static struct hearer *subscribe(const char *token, const char *accept, char id[EVENTS_ID]) {
	struct hearer *hearer = next_hearer();
	ask_modern(hearer, token, "mgp/events/subscribe", accept, "\"channels\":[\"system.*\"]");
	take_id(hearer, id);
	return hearer;
}

static void happens(const char *channel) {
	const struct event_raised raised = {.channel = slice_of(channel), .severity = EVENT_INFO, .data = SLICE("{}")};
	events_raise(kernel_means(house.gateway.kernel)->events, &raised);
}

static bool is_wanted(void) { return events_are_wanted(kernel_means(house.gateway.kernel)->events); }

static void a_modern_subscription_is_held_open(void **state) {
	char id[EVENTS_ID];
	(void)state;
	struct hearer *annie = subscribe(ann, BOTH, id), *other = next_hearer();
	assert_int_equal(heard(annie, "text/event-stream"), 1);
	assert_int_equal(heard(annie, "\"id\":\"m\",\"result\":{"), 1);
	assert_int_equal(heard(annie, "\"subscribed\":[\"system.*\"],\"unsupported\":[]"), 1);
	happens("system.one");
	hears(annie, "\"method\":\"notifications/mgp.event\"");
	assert_int_equal(heard(annie, "\"seq\":1,\"channel\":\"system.one\""), 1);
	assert_false(annie->client.ended);
	/* Another's request does not know it; one's own ends it, and with it the stream. */
	ask_modern(other, bob, "mgp/events/unsubscribe", BOTH, about(id, ""));
	hears(other, "no such subscription");
	ask_modern(next_hearer(), ann, "mgp/events/unsubscribe", BOTH, about(id, ""));
	hears(annie, "0\r\n\r\n");
	assert_false(is_wanted());
}

static void what_a_modern_client_missed_may_be_asked_for(void **state) {
	char id[EVENTS_ID];
	(void)state;
	struct hearer *annie = subscribe(ann, BOTH, id), *again = next_hearer();
	happens("system.one");
	hears(annie, "system.one");
	client_close(&annie->client);
	HOUSE_UNTIL(&house, !events_next(kernel_means(house.gateway.kernel)->events, NULL)->client);
	happens("system.two");
	ask_modern(again, ann, "mgp/events/replay", BOTH, about(id, ",\"after_seq\":1"));
	hears(again, "\"next_seq\":3,\"gap\":false");
	assert_int_equal(heard(again, "system.two"), 1);
	assert_int_equal(heard(again, "system.one"), 0);
}

static void a_client_without_events_polls(void **state) {
	char id[EVENTS_ID];
	(void)state;
	struct hearer *annie = subscribe(ann, "Accept: application/json\r\n", id), *again = next_hearer();
	assert_int_equal(heard(annie, "application/json"), 1);
	assert_int_equal(heard(annie, "text/event-stream"), 0);
	happens("system.one");
	ask_modern(again, ann, "mgp/events/replay", "Accept: application/json\r\n", about(id, ""));
	hears(again, "\"next_seq\":2,\"gap\":false");
	assert_int_equal(heard(again, "system.one"), 1);
}

static void listening_hears_events_too(void **state) {
	char id[EVENTS_ID];
	(void)state;
	struct hearer *annie = next_hearer(), *bobby = next_hearer();
	ask_modern(annie, ann, "subscriptions/listen", BOTH, "\"notifications\":{\"dev.hustings/mgp\":true}");
	ask_modern(bobby, bob, "subscriptions/listen", BOTH, "\"notifications\":{\"dev.hustings/mgp\":true}");
	hears(annie, "acknowledged");
	hears(bobby, "acknowledged");
	subscribe(ann, "Accept: application/json\r\n", id);
	happens("system.one");
	hears(annie, "\"channel\":\"system.one\"");
	assert_int_equal(heard(bobby, "system.one"), 0);
}

static void who_was_revoked_hears_no_more(void **state) {
	char id[EVENTS_ID], token_id[TOKEN_ID];
	struct fault why;
	size_t count;
	(void)state;
	const char *token = house_token(&house, (struct token_wish){.id = SLICE("eve"), .privilege = PRIVILEGE_FULL}, token_id);
	struct hearer *annie = subscribe(token, BOTH, id);
	happens("system.one");
	hears(annie, "system.one");
	assert_true(token_revoke(house.gateway.state, token_id, SLICE_NONE, &count, &why));
	HOUSE_UNTIL(&house, (happens("system.two"), client_read(&annie->client), annie->client.ended || heard(annie, "0\r\n\r\n")));
}

/* ---- Legacy ---- */

static void open_session(struct hearer *hearer, const char *token, char session[64]) {
	struct answer answer;
	send_to(&hearer->client, "POST", "/mcp", token, "",
		"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-25\","
		"\"capabilities\":{\"mgp\":" SPEAKS "}}}");
	client_answer(&hearer->client, &answer);
	assert_int_equal(answer.status, 200);
	snprintf(session, 64, "Mcp-Session-Id: %.*s\r\n", SLICE_ARGS(http1_field(&answer.head, "Mcp-Session-Id")));
	hearer_next(hearer);
}

static struct hearer *listen_in(const char *token, const char *session, const char *last) {
	struct hearer *hearer = next_hearer();
	AUTO_TEXT struct text fields = {0};
	text_init(&fields, 0);
	text_printf(&fields, "%sAccept: text/event-stream\r\n%s", session, last);
	send_to(&hearer->client, "GET", "/mcp", token, fields.bytes, NULL);
	hears(hearer, "text/event-stream");
	return hearer;
}

static void ask_in(struct hearer *hearer, const char *token, const char *session, const char *method, const char *params) {
	char body[300];
	snprintf(body, sizeof body, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"%s\",\"params\":{%s}}", method, params);
	send_to(&hearer->client, "POST", "/mcp", token, session, body);
	hears(hearer, "\"id\":2");
}

static void a_session_goes_on_behind_its_last_event(void **state) {
	char session[64];
	(void)state;
	struct hearer *asker = next_hearer();
	open_session(asker, ann, session);
	struct hearer *first = listen_in(ann, session, "");
	ask_in(asker, ann, session, "mgp/events/subscribe", "\"channels\":[\"system.*\"]");
	happens("system.one");
	hears(first, "id: 1\n");
	assert_int_equal(heard(first, "\"channel\":\"system.one\""), 1);
	client_close(&first->client);
	HOUSE_UNTIL(&house, list_is_empty(&house.gateway.mcp->ears));
	happens("system.two");
	happens("system.three");
	struct hearer *second = listen_in(ann, session, "Last-Event-ID: 1\r\n");
	hears(second, "id: 3\n");
	assert_int_equal(heard(second, "system.two"), 1);
	assert_int_equal(heard(second, "system.one"), 0);
	struct hearer *third = listen_in(ann, session, "Last-Event-ID: nonsense\r\n");
	happens("system.four");
	hears(third, "id: 4\n");
	assert_int_equal(heard(third, "system.three"), 0);
}

static void a_session_takes_its_subscriptions_with_it(void **state) {
	char session[64];
	(void)state;
	struct hearer *asker = next_hearer();
	open_session(asker, ann, session);
	ask_in(asker, ann, session, "mgp/events/subscribe", "\"channels\":[\"system.*\"]");
	assert_true(is_wanted());
	send_to(&asker->client, "DELETE", "/mcp", ann, session, NULL);
	hears(asker, " 204 ");
	assert_false(is_wanted());
}

static void the_gateways_end_ends_streams(void **state) {
	char id[EVENTS_ID];
	(void)state;
	subscribe(ann, BOTH, id);
	subscribe(bob, BOTH, id);
	assert_true(is_wanted()); /* and the rest is done by tear_down() */
}

int main(int argc, char **argv) {
	if (launcher_is_inner(argc, argv)) return launcher_inner(argc, argv);
#define TEST(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(a_modern_subscription_is_held_open),
		TEST(what_a_modern_client_missed_may_be_asked_for),
		TEST(a_client_without_events_polls),
		TEST(listening_hears_events_too),
		TEST(who_was_revoked_hears_no_more),
		TEST(a_session_goes_on_behind_its_last_event),
		TEST(a_session_takes_its_subscriptions_with_it),
		TEST(the_gateways_end_ends_streams),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
