/* SPDX-License-Identifier: Apache-2.0 */
/* What the kernel tells those who listen at the faces, and what it keeps from whom. */
#include "built.h"
#include "gateway_rig.h"

#include "decide/inbox.h"
#include "gateway/mcp_ear.h"
#include "gateway/mcp_face.h"
#include "kernel/governed.h"
#include "kernel/health.h"
#include "kernel/kernel.h"
#include "net/launcher.h"
#include "store/audit.h"

#define NEWS "{\"version\":\"0.2.0\",\"extensions\":[\"lifecycle\",\"audit\"]}"
#define DEAF "{\"version\":\"0.2.0\",\"extensions\":[\"security\"]}"
#define LIFECYCLE "notifications/mgp.lifecycle"
#define AUDIT "notifications/mgp.audit"
#define CHANGED "notifications/tools/list_changed"

/* Whoever listens on a connection of its own; the last one to begin is the last to be told. */
struct hearer {
	struct client client;
	size_t from; /* octets that were looked at before */
};

static struct house house;
static struct hosted_servers *servers;
static struct hosted *hosted;
static struct hearer hearers[8];
static size_t hearer_count;
static const char *root, *ann, *bob;

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
	root = house_admin(&house);
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

static void serve(enum hosted_restart restart) {
	char program[400];
	struct fault why = {0};
	built_program("tests/mcp_server", program, sizeof program);
	const struct hosted_settings settings = {
		.id = "test",
		.arguments = (const char *const[]){program, "--era", "legacy", NULL},
		.eras = HOSTED_ERA_ONLY_LEGACY,
		.restart = restart,
		.children = 1,
		.back_off_ms = 1,
	};
	hosted = hosted_add(servers, &settings, &why);
	if (!hosted || !hosted_start(hosted, &why)) fail_msg("%s", why.text);
	HOUSE_UNTIL(&house, hosted_state(hosted) == HOSTED_CONNECTED);
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

/* A legacy client; mgp NULL: a plain one. */
static struct hearer *listen_at(const char *target, const char *token, const char *mgp) {
	struct hearer *hearer = &hearers[hearer_count++];
	struct answer answer;
	char body[400], session[80];
	*hearer = (struct hearer){.from = 0};
	client_open(&hearer->client, &house);
	snprintf(body, sizeof body,
		"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-25\","
		"\"capabilities\":{%s%s}}}",
		mgp ? "\"mgp\":" : "", mgp ? mgp : "");
	send_to(&hearer->client, "POST", target, token, "", body);
	client_answer(&hearer->client, &answer);
	assert_int_equal(answer.status, 200);
	struct slice id = http1_field(&answer.head, "Mcp-Session-Id");
	assert_int_equal(id.length, 36);
	snprintf(session, sizeof session, "Mcp-Session-Id: %.*s\r\n", SLICE_ARGS(id));
	hearer_next(hearer);
	AUTO_TEXT struct text fields = {0};
	text_init(&fields, 0);
	text_printf(&fields, "%sAccept: text/event-stream\r\n", session);
	send_to(&hearer->client, "GET", target, token, fields.bytes, NULL);
	hears(hearer, "text/event-stream");
	hearer_next(hearer);
	return hearer;
}

/* A modern client that wants news of MGP. */
static struct hearer *listen_modern(const char *token, const char *mgp) {
	struct hearer *hearer = &hearers[hearer_count++];
	char body[700];
	*hearer = (struct hearer){.from = 0};
	client_open(&hearer->client, &house);
	snprintf(body, sizeof body,
		"{\"jsonrpc\":\"2.0\",\"id\":\"l\",\"method\":\"subscriptions/listen\",\"params\":{\"notifications\":{"
		"\"toolsListChanged\":true,\"dev.hustings/mgp\":true},\"_meta\":{"
		"\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\",\"io.modelcontextprotocol/clientCapabilities\":{"
		"%s%s%s}}}}",
		mgp ? "\"extensions\":{\"dev.hustings/mgp\":" : "", mgp ? mgp : "", mgp ? "}" : "");
	send_to(&hearer->client, "POST", "/mcp", token,
		"MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: subscriptions/listen\r\nAccept: text/event-stream\r\n", body);
	hears(hearer, "acknowledged");
	return hearer;
}

static bool may_grant(const char *agent, int64_t expires_at) {
	const struct access_grant wish = {
		.entry = ACCESS_SERVER_GRANT,
		.is_allowed = true,
		.agent = slice_of(agent),
		.server = SLICE("test"),
		.granted_by = SLICE("root"),
		.granted_at = clock_wall_ms(),
		.expires_at = expires_at,
	};
	return access_grant(kernel_means(house.gateway.kernel)->access, &wish, NULL);
}

static void grant(const char *agent) { assert_true(may_grant(agent, 0)); }

static void happens(const char *event, const char *actor, const char *server, const char *source) {
	const struct audit_record record = {
		.event = slice_of(event),
		.actor = slice_of(actor),
		.actor_type = SLICE("agent"),
		.server_id = slice_of(server),
		.result = AUDIT_SUCCESS,
		.source = slice_of(source),
	};
	struct fault why = {0};
	if (!audit_add(store_spool(house.gateway.store, 0), &record, &why)) fail_msg("%s", why.text);
}

/* ---- States ---- */

static void states_are_told_to_whom_they_concern(void **state) {
	(void)state;
	serve(HOSTED_RESTART_ON_FAILURE);
	grant("ann");
	struct hearer *annie = listen_at("/mcp", ann, NEWS), *plain = listen_at("/mcp", ann, NULL);
	struct hearer *deaf = listen_at("/mcp", ann, DEAF), *stranger = listen_at("/mcp", bob, NEWS);
	struct hearer *own = listen_at("/mcp/servers/test", ann, NEWS), *boss = listen_at("/mcp", root, NEWS);
	assert_true(hosted_restart(hosted, NULL));
	hears(boss, "\"new_state\":\"connected\",\"reason\":\"ready\"");
	struct hearer *const those[] = {annie, own, boss};
	for (size_t i = 0; i < COUNT_OF(those); i++) {
		assert_int_equal(heard(those[i], "{\"server_id\":\"test\",\"previous_state\":\"connected\",\"new_state\":\"draining\","
						 "\"reason\":\"operator_request\",\"timestamp\":\"20"),
			1);
		assert_int_equal(heard(those[i], "\"previous_state\":\"draining\",\"new_state\":\"restarting\""), 1);
		assert_int_equal(heard(those[i], "\"previous_state\":\"restarting\",\"new_state\":\"connecting\",\"reason\":\"restart\""), 1);
		assert_int_equal(heard(those[i], LIFECYCLE), 4);
	}
	struct hearer *const others[] = {plain, deaf, stranger};
	for (size_t i = 0; i < COUNT_OF(others); i++) assert_int_equal(heard(others[i], LIFECYCLE), 0);
}

static void a_stop_has_the_reason_that_it_was_asked_for_with(void **state) {
	(void)state;
	serve(HOSTED_RESTART_ON_FAILURE);
	struct hearer *boss = listen_at("/mcp", root, NEWS);
	health_set_reason(governed_of(hosted)->health, "resource_limit");
	assert_true(hosted_stop(hosted, 0, NULL));
	hears(boss, "\"new_state\":\"disconnected\",\"reason\":\"resource_limit\"");
	assert_int_equal(heard(boss, "\"new_state\":\"draining\",\"reason\":\"resource_limit\""), 1);
	assert_true(hosted_start(hosted, NULL));
	hears(boss, "\"new_state\":\"connected\"");
	assert_int_equal(heard(boss, "\"new_state\":\"connecting\",\"reason\":\"start\""), 1);
	assert_true(hosted_stop(hosted, 0, NULL));
	hears(boss, "\"new_state\":\"disconnected\",\"reason\":\"operator_request\"");
}

static void a_failure_that_leads_to_a_restart_is_one_change(void **state) {
	(void)state;
	serve(HOSTED_RESTART_ON_FAILURE);
	struct hearer *boss = listen_at("/mcp", root, NEWS);
	hosted_fail(hosted, "no luck");
	hears(boss, "\"new_state\":\"connected\"");
	assert_int_equal(heard(boss, "\"previous_state\":\"connected\",\"new_state\":\"restarting\",\"reason\":\"no luck\""), 1);
	assert_int_equal(heard(boss, "\"new_state\":\"error\""), 0);
}

static void a_failure_that_does_not_is_told_as_it_is(void **state) {
	(void)state;
	serve(HOSTED_RESTART_NEVER);
	struct hearer *boss = listen_at("/mcp", root, NEWS);
	hosted_fail(hosted, "no luck");
	hears(boss, "\"previous_state\":\"connected\",\"new_state\":\"error\",\"reason\":\"no luck\"");
	hearer_next(boss);
	hosted_fail(hosted, "no luck either"); /* it has failed already */
	assert_true(hosted_start(hosted, NULL));
	hears(boss, "\"previous_state\":\"error\",\"new_state\":\"connecting\"");
	assert_int_equal(heard(boss, "\"new_state\":\"error\""), 0);
}

static void what_fails_and_is_removed_at_once_is_told_of_no_more(void **state) {
	(void)state;
	serve(HOSTED_RESTART_NEVER);
	struct hearer *boss = listen_at("/mcp", root, NEWS);
	hosted_fail(hosted, "no luck");
	hosted_remove(hosted);
	happens("marker", "root", "", "");
	hears(boss, "marker");
	assert_int_equal(heard(boss, LIFECYCLE), 0);
}

/* ---- Audit events ---- */

static void audit_events_are_told_to_whom_they_concern(void **state) {
	(void)state;
	serve(HOSTED_RESTART_NEVER);
	grant("ann");
	struct hearer *annie = listen_at("/mcp", ann, NEWS), *bobby = listen_at("/mcp", bob, NEWS);
	struct hearer *deaf = listen_at("/mcp", root, DEAF), *face = listen_at("/mcp/servers/test", root, NEWS);
	struct hearer *boss = listen_at("/mcp", root, NEWS);
	happens("com.example.ann", "ann", "test", "");
	happens("com.example.bob", "bob", "test", "");
	happens("com.example.ghost", "bob", "no-such-server", "");
	happens("com.example.forged", "ann", "test", "server:test");
	happens("com.example.free", "bob", "", "");
	hears(boss, "com.example.free");
	assert_int_equal(heard(boss, AUDIT), 5);
	assert_int_equal(heard(boss, "\"source\":\"server:test\""), 1);
	assert_int_equal(heard(boss, "\"event_type\":\"com.example.ann\",\"actor\":{\"type\":\"agent\",\"id\":\"ann\"}"), 1);
	assert_int_equal(heard(face, AUDIT), 3); /* ann's, bob's, and what the server claims */
	assert_int_equal(heard(annie, "com.example.ann"), 1);
	assert_int_equal(heard(annie, AUDIT), 1);
	/* What is about a server that bob may not use would tell him that there is one. */
	assert_int_equal(heard(bobby, "com.example.free"), 1);
	assert_int_equal(heard(bobby, AUDIT), 1);
	assert_int_equal(heard(deaf, AUDIT), 0);
}

static void who_comes_later_hears_what_happens_later(void **state) {
	(void)state;
	struct hearer *first = listen_at("/mcp", root, NEWS);
	happens("com.example.one", "ann", "", "");
	hears(first, "com.example.one");
	client_close(&first->client);
	HOUSE_UNTIL(&house, list_is_empty(&house.gateway.mcp->ears));
	happens("com.example.two", "ann", "", ""); /* nobody wants it: it is the last that is listened to */
	loop_step(house.gateway.loop, 0);
	struct hearer *second = listen_at("/mcp", root, NEWS);
	happens("com.example.three", "ann", "", "");
	hears(second, "com.example.three");
	assert_int_equal(heard(second, "com.example.two"), 0);
}

/* ---- Lists ---- */

static void changed_access_is_told_once_to_whom_it_concerns(void **state) {
	(void)state;
	serve(HOSTED_RESTART_NEVER);
	struct access *access = kernel_means(house.gateway.kernel)->access;
	struct hearer *boss = listen_at("/mcp", root, NULL), *bobby = listen_at("/mcp", bob, NULL);
	struct hearer *annie = listen_at("/mcp", ann, NULL);
	struct fault why;
	grant("ann");
	grant("ann");
	hears(annie, CHANGED);
	assert_int_equal(heard(annie, CHANGED), 1);
	hearer_next(annie);
	assert_true(access_revoke(access, ACCESS_SERVER_GRANT, SLICE("ann"), SLICE("test"), SLICE_NONE, &why));
	hears(annie, CHANGED);
	assert_int_equal(heard(bobby, CHANGED) + heard(boss, CHANGED), 0);
}

static void a_grant_that_expires_is_told_of(void **state) {
	(void)state;
	serve(HOSTED_RESTART_NEVER);
	struct hearer *boss = listen_at("/mcp", root, NULL), *annie = listen_at("/mcp", ann, NULL);
	int64_t end;
	do end = clock_wall_ms() + 500;
	while (!may_grant("ann", end));
	loop_step(house.gateway.loop, 0);
	/* Where that has taken so long, one word was for both. */
	unsigned count = clock_wall_ms() < end ? 2 : 1;
	HOUSE_UNTIL(&house, clock_wall_ms() > end && heard(annie, CHANGED) >= count);
	assert_false(access_has_any(kernel_means(house.gateway.kernel)->access, SLICE("ann"), SLICE("test"), ACCESS_OPT_IN));
	assert_int_equal(heard(boss, CHANGED), 0); /* who needs no grant has the lists that it had */
}

static void lists_of_servers_that_one_may_not_use_change_unheard(void **state) {
	(void)state;
	serve(HOSTED_RESTART_NEVER);
	struct hearer *stranger = listen_at("/mcp", bob, NULL), *boss = listen_at("/mcp", root, NULL);
	HOUSE_UNTIL(&house, heard(boss, CHANGED) || hosted_is_known(hosted));
	mcp_ear_changed(house.gateway.mcp, hosted, HOSTED_TOOLS);
	hears(boss, CHANGED);
	assert_int_equal(heard(stranger, CHANGED), 0);
}

/* ---- Modern clients ---- */

static void a_modern_client_hears_what_its_filter_names_and_its_request_speaks(void **state) {
	(void)state;
	serve(HOSTED_RESTART_NEVER);
	struct hearer *plain = listen_modern(root, NULL), *deaf = listen_modern(root, DEAF);
	struct hearer *boss = listen_modern(root, NEWS);
	assert_int_equal(heard(boss, "\"toolsListChanged\":true,\"dev.hustings/mgp\":true"), 1);
	assert_int_equal(heard(plain, "dev.hustings/mgp") + heard(deaf, "dev.hustings/mgp"), 0);
	happens("com.example.ann", "ann", "", "");
	hears(boss, "com.example.ann");
	assert_true(hosted_stop(hosted, 0, NULL));
	hears(boss, "\"new_state\":\"disconnected\"");
	assert_int_equal(heard(boss, "\"io.modelcontextprotocol/subscriptionId\":\"l\"},\"server_id\":\"test\""), 2);
	assert_int_equal(heard(plain, "mgp") + heard(deaf, "mgp"), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(int argc, char **argv) {
	if (launcher_is_inner(argc, argv)) return launcher_inner(argc, argv);

	const struct CMUnitTest tests[] = {
		TEST(states_are_told_to_whom_they_concern),
		TEST(a_stop_has_the_reason_that_it_was_asked_for_with),
		TEST(a_failure_that_leads_to_a_restart_is_one_change),
		TEST(a_failure_that_does_not_is_told_as_it_is),
		TEST(what_fails_and_is_removed_at_once_is_told_of_no_more),
		TEST(audit_events_are_told_to_whom_they_concern),
		TEST(who_comes_later_hears_what_happens_later),
		TEST(changed_access_is_told_once_to_whom_it_concerns),
		TEST(a_grant_that_expires_is_told_of),
		TEST(lists_of_servers_that_one_may_not_use_change_unheard),
		TEST(a_modern_client_hears_what_its_filter_names_and_its_request_speaks),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
