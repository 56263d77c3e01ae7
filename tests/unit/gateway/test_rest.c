/* SPDX-License-Identifier: Apache-2.0 */
#include "gateway_rig.h"

#define CHAT "{\"kind\":\"chat\",\"payload\":{\"text\":\"hello\"}}"

static struct house house;
static struct client client;
static struct answer answer;
static const char *ann, *root, *shy;

static void open_house(const struct house_wish *wish) {
	house_open(&house, wish);
	ann = house_full(&house, "ann");
	root = house_admin(&house);
	shy = house_token(&house, (struct token_wish){.id = SLICE("shy"), .privilege = PRIVILEGE_RESTRICTED, .topics = SLICE("yard\nteam*")}, NULL);
	client_open(&client, &house);
}

static int set_up(void **state) {
	(void)state;
	open_house(&(struct house_wish){.islands = 1, .max_message = 4096});
	return 0;
}

static int set_up_two_loops(void **state) {
	(void)state;
	open_house(&(struct house_wish){.islands = 3, .max_message = 4096});
	return 0;
}

static int tear_down(void **state) {
	(void)state;
	client_close(&client);
	house_close(&house);
	return 0;
}

static unsigned ask(const char *method, const char *target, const char *token, const char *body) {
	return client_ask(&client, method, target, token, body, &answer);
}

static const char *path(const char *topic, const char *rest) {
	static char target[256];
	snprintf(target, sizeof target, "/v0/topics/%s%s", topic, rest);
	return target;
}

static void a_message_is_in_history_when_it_is_answered(void **state) {
	(void)state;
	for (unsigned i = 0; i < house.gateway.island_count; i++) {
		const char *topic = house_topic(&house, i);
		for (int n = 0; n < 3; n++) assert_int_equal(ask("POST", path(topic, "/messages"), ann, CHAT), 201);
		assert_true(answer_has(&answer, "{\"id\":\""));
		assert_int_equal(ask("GET", path(topic, "/history?limit=2"), ann, NULL), 200);
		assert_true(answer_has(&answer, "\"from\":\"ann\""));
		assert_false(answer_has(&answer, "\"next_before\":null"));
		assert_int_equal(ask("GET", path(topic, "/history"), ann, NULL), 200);
		assert_true(answer_has(&answer, "\"next_before\":null"));
	}
	assert_int_equal(ask("GET", "/v0/topics", ann, NULL), 200);
	for (unsigned i = 0; i < house.gateway.island_count; i++)
		assert_true(answer_has(&answer, house_topic(&house, i)));
}

static void refused_messages_have_their_status(void **state) {
	(void)state;
	static const struct {
		const char *body;
		unsigned status;
		const char *word;
	} table[] = {
		{"", 400, "\"gate\":\"shape\""},
		{"[]", 400, "\"gate\":\"shape\""},
		{"{}", 400, "\"gate\":"},
		{"{\"kind\":\"chat\"", 400, "\"gate\":\"shape\""},
		{"{\"kind\":\"presence\",\"payload\":{}}", 403, ""},
		{"{\"kind\":\"chat\",\"payload\":{\"text\":\"a\"},\"from\":\"bob\"}", 403, ""},
		{"{\"kind\":\"chat\",\"kind\":\"chat\",\"payload\":{\"text\":\"a\"}}", 400, ""},
	};
	for (size_t i = 0; i < COUNT_OF(table); i++) {
		unsigned status = ask("POST", "/v0/topics/yard/messages", ann, table[i].body);
		assert_in_range(status, 400, 403);
		if (i != 4) assert_int_equal(status, table[i].status);
		assert_true(answer_has(&answer, table[i].word));
	}
	AUTO_TEXT struct text large;
	text_init(&large, 0);
	text_printf(&large, "{\"kind\":\"chat\",\"payload\":{\"text\":\"%05000d\"}}", 0);
	assert_int_equal(ask("POST", "/v0/topics/yard/messages", ann, large.bytes), 413);
	assert_int_equal(ask("POST", "/v0/topics/yard/messages", shy,
				 "{\"kind\":\"mcp\",\"payload\":{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"x\"},\"to\":[\"ann\"]}"),
		403);
	assert_true(answer_has(&answer, "-32001"));
	assert_int_equal(ask("POST", "/v0/topics/yard/messages", shy, CHAT), 201);
}

static void a_message_is_repeated_safely(void **state) {
	(void)state;
	static const char text[] = "{\"id\":\"once\",\"kind\":\"chat\",\"payload\":{\"text\":\"a\"}}";
	assert_int_equal(ask("POST", "/v0/topics/yard/messages", ann, text), 201);
	assert_int_equal(ask("POST", "/v0/topics/yard/messages", ann, text), 201);
	assert_int_equal(ask("POST", "/v0/topics/yard/messages", ann,
				 "{\"id\":\"once\",\"kind\":\"chat\",\"payload\":{\"text\":\"b\"}}"),
		400);
	assert_true(answer_has(&answer, "duplicate_id"));
	assert_int_equal(ask("GET", "/v0/topics/yard/history", ann, NULL), 200);
	assert_false(answer_has(&answer, "\"text\":\"b\""));
}

static void scope_comes_before_existence(void **state) {
	(void)state;
	assert_int_equal(ask("GET", "/v0/topics/elsewhere/history", shy, NULL), 403);
	assert_int_equal(ask("GET", "/v0/topics/yard/history", shy, NULL), 404);
	assert_int_equal(ask("GET", "/v0/topics/team-1/participants", shy, NULL), 404);
	assert_int_equal(ask("POST", "/v0/topics/elsewhere/messages", shy, CHAT), 403);
	assert_int_equal(ask("POST", "/v0/topics/yard/messages", ann, CHAT), 201);
	assert_int_equal(ask("POST", "/v0/topics/elsewhere/messages", ann, CHAT), 201);
	assert_int_equal(ask("GET", "/v0/topics", shy, NULL), 200);
	assert_true(answer_has(&answer, "yard"));
	assert_false(answer_has(&answer, "elsewhere"));
}

static void questions_about_history_are_checked(void **state) {
	(void)state;
	assert_int_equal(ask("POST", "/v0/topics/yard/messages", ann, CHAT), 201);
	static const char *const bad[] = {"?limit=0", "?limit=1001", "?limit=x", "?limit=-1", "?limit=",
		"?before=unknown", "?protocol=mcpx/v7", "?before=%zz"};
	for (size_t i = 0; i < COUNT_OF(bad); i++) {
		char target[64];
		snprintf(target, sizeof target, "/v0/topics/yard/history%s", bad[i]);
		assert_int_equal(ask("GET", target, ann, NULL), 400);
		assert_true(answer_has(&answer, "{\"event\":\"error\",\"code\":\"bad_"));
	}
	assert_int_equal(ask("GET", "/v0/topics/yard/history?before=2000-01-01T00:00:00Z", ann, NULL), 200);
	assert_true(answer_has(&answer, "\"envelopes\":[]"));
}

static void without_history_there_is_an_empty_page(void **state) {
	(void)state;
	tear_down(NULL);
	open_house(&(struct house_wish){.has_no_history = true});
	assert_int_equal(ask("POST", "/v0/topics/yard/messages", ann, CHAT), 201);
	assert_int_equal(ask("GET", "/v0/topics/yard/history", ann, NULL), 200);
	check_slice(answer.body, "{\"topic\":\"yard\",\"envelopes\":[],\"next_before\":null}");
	assert_int_equal(ask("GET", "/v0/topics/other/history", ann, NULL), 404);
}

static void a_ticket_opens_one_door_once(void **state) {
	(void)state;
	char target[256];
	struct client guest;
	struct scan_value root_value, value;
	struct slice ticket;
	assert_int_equal(ask("POST", "/v0/tickets", shy, "{\"topic\":\"elsewhere\"}"), 403);
	assert_int_equal(ask("POST", "/v0/tickets", shy, "{\"topic\":7}"), 400);
	assert_int_equal(ask("POST", "/v0/tickets", shy, "{\"topic\":\"yard\"}"), 201);
	assert_true(answer_has(&answer, "\"expires_in\":30}"));
	assert_true(scan_check(answer.body, SCAN_DEPTH, &root_value, NULL));
	assert_true(scan_find(&root_value, "ticket", &value));
	ticket = slice_make(value.text.bytes + 1, value.text.length - 2);
	snprintf(target, sizeof target, "/v0/ws?topic=yard&ticket=%.*s", SLICE_ARGS(ticket));
	client_open(&guest, &house);
	assert_int_equal(client_upgrade(&guest, target, ""), 101);
	client_hears(&guest, "\"event\":\"welcome\"");
	assert_non_null(strstr(guest.message.bytes, "\"id\":\"shy\""));
	client_close(&guest);
	client_open(&guest, &house);
	assert_int_equal(client_upgrade(&guest, target, ""), 401);
	client_close(&guest);
}

/* A ticket is worth no more than the token behind it. */
static void a_ticket_of_a_revoked_token_opens_nothing(void **state) {
	(void)state;
	char token_id[TOKEN_ID], target[256], ticket[TICKET_TEXT];
	struct fault why;
	size_t count;
	struct client guest;
	const char *token = house_token(&house, (struct token_wish){.id = SLICE("tia")}, token_id);
	assert_int_equal(ask("POST", "/v0/tickets", token, "{\"topic\":\"yard\"}"), 201);
	snprintf(ticket, sizeof ticket, "%.*s", TICKET_TEXT - 1, strchr(answer.body.bytes, ':') + 2);
	assert_true(token_revoke(house.gateway.state, token_id, SLICE_NONE, &count, &why));
	snprintf(target, sizeof target, "/v0/ws?topic=yard&ticket=%s", ticket);
	client_open(&guest, &house);
	assert_int_equal(client_upgrade(&guest, target, ""), 401);
	client_close(&guest);
}

static void participants_are_those_who_sit_there(void **state) {
	(void)state;
	struct client sitting;
	client_join(&sitting, &house, "yard", ann);
	client_hears(&sitting, "welcome");
	assert_int_equal(ask("POST", "/v0/topics/yard/messages", shy, CHAT), 201);
	assert_int_equal(ask("GET", "/v0/topics/yard/participants", root, NULL), 200);
	assert_true(answer_has(&answer, "\"id\":\"ann\""));
	assert_true(answer_has(&answer, "connectedAt"));
	assert_false(answer_has(&answer, "shy"));
	client_hears(&sitting, "hello");
	client_close(&sitting);
}

static void a_proposal_is_withdrawn_by_its_own_and_rejected_by_full_ones(void **state) {
	(void)state;
	static const char text[] = "{\"id\":\"%s\",\"kind\":\"mcp/proposal\",\"payload\":{\"jsonrpc\":\"2.0\","
				   "\"id\":1,\"method\":\"tools/call\",\"params\":{}},\"to\":[\"ann\"]}";
	char body[300];
	for (int i = 0; i < 2; i++) {
		snprintf(body, sizeof body, text, i ? "p-2" : "p-1");
		assert_int_equal(ask("POST", "/v0/topics/yard/messages", shy, body), 201);
	}
	assert_int_equal(ask("GET", "/v0/topics/yard/proposals?status=pending", ann, NULL), 200);
	assert_true(answer_has(&answer, "p-1"));
	assert_int_equal(ask("GET", "/v0/topics/yard/proposals?status=strange", ann, NULL), 400);
	assert_int_equal(ask("POST", "/v0/topics/yard/proposals/p-1/reject", shy, "{}"), 403);
	assert_int_equal(ask("POST", "/v0/topics/yard/proposals/p-1/withdraw", shy, NULL), 200);
	assert_int_equal(ask("POST", "/v0/topics/yard/proposals/p-2/reject", ann, "{\"reason\":\"no\"}"), 200);
	assert_int_equal(ask("POST", "/v0/topics/yard/proposals/p-2/reject", ann, "{\"reason\":7}"), 400);
	assert_int_equal(ask("POST", "/v0/topics/yard/proposals/p-2/reject", ann, "{\"reason\":\"no\"}"), 409);
	assert_int_equal(ask("POST", "/v0/topics/yard/proposals/p-9/reject", ann, NULL), 404);
}

static void a_token_is_made_as_it_was_wished_or_not_at_all(void **state) {
	(void)state;
	static const char *const bad[] = {"", "[]", "{}", "{\"id\":7}", "{\"id\":\"a b\"}",
		"{\"id\":\"x\",\"topic\":\"yard\"}", "{\"id\":\"x\",\"id\":\"y\"}", "{\"id\":\"x\",\"topics\":[]}",
		"{\"id\":\"x\",\"topics\":\"yard\"}", "{\"id\":\"x\",\"privilege\":\"all\"}",
		"{\"id\":\"x\",\"ttl\":\"-1h\"}", "{\"id\":\"x\",\"ttl\":0}", "{\"id\":\"x\",\"admin\":1}",
		"{\"id\":\"x\",\"kind\":\"cat\"}", "{\"id\":\"x\",\"topics\":[\"a..b\"]}"};
	for (size_t i = 0; i < COUNT_OF(bad); i++)
		assert_int_equal(ask("POST", "/admin/tokens", root, bad[i]), 400);
	assert_int_equal(ask("POST", "/admin/tokens", root,
				 "{\"id\":\"max\",\"topics\":[\"yard\"],\"privilege\":\"full\",\"ttl\":\"1h\",\"kind\":\"robot\"}"),
		201);
	assert_true(answer_has(&answer, "{\"token\":\"hus_"));
	assert_true(answer_has(&answer, "\"topics\":[\"yard\"]"));
	assert_int_equal(ask("GET", "/admin/tokens", root, NULL), 200);
	assert_true(answer_has(&answer, "\"id\":\"max\""));
	assert_false(answer_has(&answer, "hus_"));
	assert_int_equal(ask("DELETE", "/admin/tokens/t_0000000000000000", root, NULL), 404);
	assert_int_equal(ask("DELETE", "/admin/tokens", root, NULL), 400);
	assert_int_equal(ask("DELETE", "/admin/tokens?id=max", root, NULL), 200);
	check_slice(answer.body, "{\"revoked\":1}");
}

static void a_promotion_answers_with_both_privileges(void **state) {
	(void)state;
	struct client sitting;
	client_join(&sitting, &house, "yard", shy);
	client_hears(&sitting, "welcome");
	assert_int_equal(ask("POST", "/admin/participants/shy/promote?topic=yard", root, NULL), 200);
	assert_true(answer_has(&answer, "\"oldPrivilege\":\"restricted\",\"newPrivilege\":\"full\""));
	client_hears(&sitting, "\"event\":\"privilege\"");
	assert_int_equal(ask("POST", "/admin/participants/shy/demote", root, NULL), 200);
	assert_true(answer_has(&answer, "\"oldPrivilege\":\"full\",\"newPrivilege\":\"restricted\""));
	client_hears(&sitting, "\"privilege\":\"restricted\"");
	assert_int_equal(ask("POST", "/admin/participants/a%20b/promote", root, NULL), 400);
	assert_int_equal(ask("POST", "/admin/participants/shy/promote?topic=a..b", root, NULL), 400);
	client_close(&sitting);
}

static void the_audit_trail_tells_who_promoted_whom(void **state) {
	(void)state;
	assert_int_equal(ask("POST", "/admin/participants/shy/promote", root, NULL), 200);
	assert_int_equal(ask("GET", "/admin/audit?event=privilege&limit=1", root, NULL), 200);
	assert_true(answer_has(&answer, "\"actor\":\"root\""));
	assert_true(answer_has(&answer, "\"target\":\"shy\""));
	assert_int_equal(ask("GET", "/admin/audit?since=yesterday", root, NULL), 400);
	assert_int_equal(ask("GET", "/admin/audit?limit=5000", root, NULL), 400);
}

static void who_asks_and_goes_leaves_the_question_to_itself(void **state) {
	(void)state;
	for (int i = 0; i < 20; i++) {
		struct client leaver;
		client_open(&leaver, &house);
		for (unsigned island = 0; island < house.gateway.island_count; island++) {
			client_request(&leaver, "POST", path(house_topic(&house, island), "/messages"), ann, CHAT);
			client_request(&leaver, "GET", "/v0/topics", ann, NULL);
			client_request(&leaver, "GET", "/admin/audit", root, NULL);
		}
		client_close(&leaver);
	}
	assert_int_equal(ask("GET", "/v0/topics", ann, NULL), 200);
	HOUSE_UNTIL(&house, connections_count(house.gateway.connections) == 1);
}

#define ON_ONE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
#define ON_THREE(test) cmocka_unit_test_setup_teardown(test, set_up_two_loops, tear_down)

int main(void) {
	const struct CMUnitTest tests[] = {
		ON_ONE(a_message_is_in_history_when_it_is_answered),
		ON_THREE(a_message_is_in_history_when_it_is_answered),
		ON_ONE(refused_messages_have_their_status),
		ON_THREE(refused_messages_have_their_status),
		ON_ONE(a_message_is_repeated_safely),
		ON_ONE(scope_comes_before_existence),
		ON_THREE(scope_comes_before_existence),
		ON_ONE(questions_about_history_are_checked),
		ON_ONE(without_history_there_is_an_empty_page),
		ON_ONE(a_ticket_opens_one_door_once),
		ON_ONE(a_ticket_of_a_revoked_token_opens_nothing),
		ON_ONE(participants_are_those_who_sit_there),
		ON_THREE(participants_are_those_who_sit_there),
		ON_ONE(a_proposal_is_withdrawn_by_its_own_and_rejected_by_full_ones),
		ON_ONE(a_token_is_made_as_it_was_wished_or_not_at_all),
		ON_ONE(a_promotion_answers_with_both_privileges),
		ON_THREE(a_promotion_answers_with_both_privileges),
		ON_ONE(the_audit_trail_tells_who_promoted_whom),
		ON_ONE(who_asks_and_goes_leaves_the_question_to_itself),
		ON_THREE(who_asks_and_goes_leaves_the_question_to_itself),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
