/* SPDX-License-Identifier: Apache-2.0 */
#include "room_scene.h"

#include "room/entry_gates.h"
#include "wire/websocket.h"

#define HEAD "{\"protocol\":\"mcpx/v0.1\",\"id\":\"e1\","
#define CALL "\"payload\":{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\"}}"

struct row {
	const char *gate;
	const char *word; /* NULL: it passes */
	const char *text;
};

static void check_row(const struct row *row, enum privilege privilege) {
	struct scene scene;
	struct guest alice;
	char code[80], gate[80];
	scene_open(&scene);
	guest_init(&alice, &scene, "alice");
	alice.joining.privilege = privilege;
	guest_join(&alice, "room:a");
	guest_clear(&alice);
	assert_true(guest_says(&alice, row->text));
	scene_pass(&scene);
	snprintf(code, sizeof code, "\"code\":\"%s\"", row->word ? row->word : "none");
	snprintf(gate, sizeof gate, "\"gate\":\"%s\"", row->gate);
	if (guest_texts(&alice) != 1) fail_msg("%s: answered %u times", row->text, guest_texts(&alice));
	if (!row->word && guest_heard(&alice, "\"event\":\"error\"")) fail_msg("refused: %s", alice.heard.bytes);
	if (row->word && (!guest_heard(&alice, code) || !guest_heard(&alice, gate)))
		fail_msg("%s: wanted %s %s, heard %s", row->text, code, gate, alice.heard.bytes);
	if (row->word) assert_non_null(strstr(scene.store.audits, "refused alice "));
	assert_int_equal(scene_counter(&scene, COUNTER_ENVELOPES_IN), row->word ? 0 : 1);
	guest_finish(&alice);
	scene_close(&scene);
}

static void every_gate_refuses_in_its_own_word(void **state) {
	(void)state;
	static const struct row rows[] = {
		{"protocol", "bad_protocol", "{\"protocol\":\"mcpx/v2\",\"id\":\"e1\",\"kind\":\"chat\",\"payload\":{}}"},
		{"shape", "bad_json", HEAD "\"kind\":"},
		{"shape", "bad_envelope", HEAD "\"kind\":\"chat\"}"},
		{"shape", "bad_envelope", "[]"},
		{"shape", "duplicate_key", HEAD "\"id\":\"e2\",\"kind\":\"chat\",\"payload\":{\"text\":\"\"}}"},
		{"shape", "bad_payload", HEAD "\"kind\":\"mcp\",\"payload\":{}}"},
		{"shape", "bad_payload", HEAD "\"kind\":\"mcp/proposal\",\"payload\":{\"method\":1}}"},
		{"shape", "bad_payload", HEAD "\"kind\":\"chat\",\"payload\":{\"text\":1}}"},
		{"shape", "correlation_required", HEAD "\"kind\":\"mcp\",\"payload\":{\"id\":1,\"result\":{}}}"},
		{"shape", "correlation_required", HEAD "\"kind\":\"mcp\",\"payload\":{\"id\":1,\"error\":{}}}"},
		{"sender", "reserved_id", "{\"protocol\":\"mcpx/v0.1\",\"id\":\"system:1\",\"kind\":\"chat\",\"payload\":{\"text\":\"\"}}"},
		{"sender", "bad_sender", HEAD "\"from\":\"bob\",\"kind\":\"chat\",\"payload\":{\"text\":\"\"}}"},
		{"sender", "bad_sender", HEAD "\"from\":\"system:gateway\",\"kind\":\"chat\",\"payload\":{\"text\":\"\"}}"},
		{"kind", "reserved_kind", HEAD "\"kind\":\"presence\",\"payload\":{}}"},
		{"kind", "reserved_kind", HEAD "\"kind\":\"system\",\"payload\":{}}"},
		{"kind", "bad_kind", HEAD "\"kind\":\"MCP\",\"payload\":{}}"},
		{"kind", "bad_kind", HEAD "\"kind\":\" mcp\",\"payload\":{}}"},
		{"address", "one_recipient", HEAD "\"kind\":\"mcp\"," CALL},
		{"address", "one_recipient", HEAD "\"kind\":\"mcp\",\"to\":[]," CALL},
		{"address", "one_recipient", HEAD "\"kind\":\"mcp\",\"to\":[\"a\",\"b\"]," CALL},
		{"", NULL, HEAD "\"kind\":\"mcp\",\"to\":[\"b\"]," CALL},
		{"", NULL, HEAD "\"kind\":\"mc\\u0070\",\"to\":[\"b\"]," CALL},
		{"", NULL, HEAD "\"from\":\"alice\",\"kind\":\"chat\",\"payload\":{\"text\":\"\"}}"},
		{"", NULL, HEAD "\"kind\":\"mcp\",\"payload\":{\"method\":\"notifications/x\"}}"},
		{"", NULL, HEAD "\"kind\":\"mcp\",\"to\":[\"a\",\"b\"],\"payload\":{\"method\":\"notifications/x\"}}"},
		{"", NULL, HEAD "\"kind\":\"mcp\",\"correlation_id\":\"q\",\"payload\":{\"id\":1,\"result\":{}}}"},
		{"", NULL, HEAD "\"kind\":\"mcp/proposal\",\"payload\":{\"method\":\"tools/call\"}}"},
		{"", NULL, HEAD "\"kind\":\"chat\",\"payload\":{\"text\":\"hi\"}}"},
	};
	for (size_t i = 0; i < COUNT_OF(rows); i++) check_row(&rows[i], PRIVILEGE_FULL);
}

static void the_table_names_the_nine_gates_in_their_order(void **state) {
	(void)state;
	static const char *const names[] = {"size", "protocol", "shape", "unique", "sender", "pace", "kind",
		"privilege", "address"};
	for (size_t i = 0; i < COUNT_OF(names); i++) {
		assert_string_equal(entry_gates[i].name, names[i]);
		assert_int_equal(entry_gates[i].refused, COUNTER_REFUSED_SIZE + (int)i);
	}
	assert_null(entry_gates[COUNT_OF(names)].name);
}

static void too_large_a_message_is_told_and_ends_the_connection(void **state) {
	(void)state;
	struct scene scene;
	struct guest alice;
	scene_open(&scene);
	scene.settings.max_message = 100;
	scene_change(&scene);
	guest_comes(&alice, &scene, "alice");
	char text[160];
	memset(text, ' ', sizeof text);
	assert_false(seat_receive(alice.seat, slice_make(text, 101)));
	assert_int_equal(alice.code, WEBSOCKET_TOO_LARGE);
	assert_int_equal(guest_heard(&alice, "too_large"), 1);
	assert_int_equal(scene_counter(&scene, COUNTER_REFUSED_SIZE), 1);
	guest_finish(&alice);
	scene_close(&scene);
}

static void what_is_not_utf8_is_told_and_ends_the_connection(void **state) {
	(void)state;
	struct scene scene;
	struct guest alice;
	scene_open(&scene);
	guest_comes(&alice, &scene, "alice");
	assert_false(guest_says(&alice, HEAD "\"kind\":\"chat\",\"payload\":{\"text\":\"\xff\"}}"));
	assert_int_equal(alice.code, WEBSOCKET_NOT_TEXT);
	assert_int_equal(guest_heard(&alice, "bad_json"), 1);
	guest_finish(&alice);
	scene_close(&scene);
}

static void an_id_of_another_is_a_clash_and_an_own_one_a_repetition(void **state) {
	(void)state;
	struct scene scene;
	struct guest alice, bob;
	scene_open(&scene);
	guest_comes(&alice, &scene, "alice");
	guest_comes(&bob, &scene, "bob");
	scene_pass(&scene);
	assert_true(guest_chats(&alice, "x"));
	scene_pass(&scene);
	guest_clear(&alice);
	guest_clear(&bob);
	assert_true(guest_chats(&bob, "x"));
	assert_true(guest_chats(&alice, "x"));
	assert_true(guest_says(&alice, "{\"protocol\":\"mcpx/v0.1\",\"id\":\"x\",\"kind\":\"chat\",\"payload\":{\"text\":\"no\"}}"));
	scene_pass(&scene);
	assert_int_equal(guest_texts(&bob), 1);
	assert_int_equal(guest_heard(&bob, "duplicate_id"), 1);
	assert_int_equal(guest_texts(&alice), 2);
	assert_int_equal(guest_heard(&alice, "\"id\":\"x\""), 1);
	assert_int_equal(guest_heard(&alice, "duplicate_id"), 1);
	assert_int_equal(scene_counter(&scene, COUNTER_REFUSED_UNIQUE), 2);
	guest_finish(&alice);
	guest_finish(&bob);
	scene_close(&scene);
}

static void the_pace_is_held_and_says_when_to_try_again(void **state) {
	(void)state;
	struct scene scene;
	struct guest alice;
	scene_open(&scene);
	scene.settings.pace = (struct pace_rate){2, 86400000};
	scene_change(&scene);
	guest_comes(&alice, &scene, "alice");
	assert_true(guest_chats(&alice, "1"));
	assert_true(guest_chats(&alice, "2"));
	assert_true(guest_chats(&alice, "3"));
	scene_pass(&scene);
	assert_int_equal(guest_heard(&alice, "rate_limited"), 1);
	assert_int_equal(guest_heard(&alice, "retry_after_ms"), 1);
	assert_int_equal(guest_heard(&alice, "\"gate\":\"pace\""), 1);
	assert_int_equal(scene_counter(&scene, COUNTER_REFUSED_PACE), 1);
	guest_finish(&alice);
	scene_close(&scene);
}

static void proposals_have_a_pace_of_their_own_and_count_in_both(void **state) {
	(void)state;
	struct scene scene;
	struct guest alice;
	scene_open(&scene);
	scene.settings.proposal_pace = (struct pace_rate){1, 86400000};
	scene.settings.pace = (struct pace_rate){3, 86400000};
	scene_change(&scene);
	guest_comes(&alice, &scene, "alice");
	assert_true(guest_proposes(&alice, "p1"));
	assert_true(guest_proposes(&alice, "p2"));
	assert_int_equal(guest_heard(&alice, "rooms.proposal_pace"), 1);
	assert_true(guest_chats(&alice, "c1"));
	assert_true(guest_chats(&alice, "c2"));
	assert_int_equal(guest_heard(&alice, "(rooms.pace)"), 1);
	guest_finish(&alice);
	scene_close(&scene);
}

static void replies_may_go_without_correlation_and_requests_to_many_where_the_house_says_so(void **state) {
	(void)state;
	struct scene scene;
	struct guest alice;
	scene_open(&scene);
	scene.settings.strict_replies = scene.settings.one_recipient = false;
	scene_change(&scene);
	guest_comes(&alice, &scene, "alice");
	assert_true(guest_says(&alice, HEAD "\"kind\":\"mcp\",\"payload\":{\"id\":1,\"result\":{}}}"));
	assert_true(guest_says(&alice, "{\"protocol\":\"mcp-x/v0\",\"id\":\"e2\",\"kind\":\"mcp\"," CALL));
	scene_pass(&scene);
	assert_int_equal(scene_counter(&scene, COUNTER_ENVELOPES_IN), 2);
	guest_finish(&alice);
	scene_close(&scene);
}

/* ---- Privilege ---- */

struct hall {
	struct scene scene;
	struct guest alice; /* full */
	struct guest bob;   /* restricted */
};

static void hall_open(struct hall *hall, bool may_answer) {
	scene_open(&hall->scene);
	hall->scene.settings.restricted_may_answer = may_answer;
	scene_change(&hall->scene);
	guest_comes(&hall->alice, &hall->scene, "alice");
	guest_init(&hall->bob, &hall->scene, "bob");
	hall->bob.joining.privilege = PRIVILEGE_RESTRICTED;
	guest_join(&hall->bob, "room:a");
	scene_pass(&hall->scene);
	guest_clear(&hall->alice);
	guest_clear(&hall->bob);
}

static void hall_close(struct hall *hall) {
	guest_finish(&hall->alice);
	guest_finish(&hall->bob);
	scene_close(&hall->scene);
}

static void the_restricted_send_chat_and_proposals_and_nothing_else(void **state) {
	(void)state;
	struct hall hall;
	hall_open(&hall, false);
	assert_true(guest_chats(&hall.bob, "c"));
	assert_true(guest_proposes(&hall.bob, "p"));
	assert_true(guest_requests(&hall.bob, "r", ""));
	assert_true(guest_says(&hall.bob, HEAD "\"kind\":\"mcp\",\"payload\":{\"method\":\"notifications/chat/message\",\"params\":{}}}"));
	scene_pass(&hall.scene);
	assert_int_equal(guest_heard(&hall.alice, "\"id\":\"c\""), 1);
	assert_int_equal(guest_heard(&hall.alice, "\"id\":\"p\""), 1);
	assert_int_equal(guest_texts(&hall.alice), 2);
	assert_int_equal(guest_heard(&hall.bob, "\"code\":-32001"), 2);
	assert_int_equal(guest_heard(&hall.bob, "\"correlation_id\":\"r\",\"payload\":{\"jsonrpc\":\"2.0\",\"id\":7,\"error\":"), 1);
	assert_int_equal(guest_heard(&hall.bob, "\"correlation_id\":\"e1\",\"payload\":{\"jsonrpc\":\"2.0\",\"id\":null,"), 1);
	assert_int_equal(guest_heard(&hall.bob, "or kind: 'chat'"), 1);
	assert_int_equal(scene_counter(&hall.scene, COUNTER_REFUSED_PRIVILEGE), 2);
	hall_close(&hall);
}

#define ANSWER(id, about, rest) \
	"{\"protocol\":\"mcpx/v0.1\",\"id\":\"" id "\",\"kind\":\"mcp\",\"correlation_id\":\"" about \
	"\",\"payload\":{\"jsonrpc\":\"2.0\",\"id\":7," rest "}}"

static void the_restricted_answer_open_requests_once_where_the_house_says_so(void **state) {
	(void)state;
	struct hall hall;
	hall_open(&hall, true);
	assert_true(guest_requests(&hall.alice, "q1", ""));
	assert_true(guest_says(&hall.bob, ANSWER("a0", "q0", "\"result\":{}")));
	assert_true(guest_says(&hall.bob, ANSWER("a1", "q1", "\"result\":{},\"method\":\"tools/call\"")));
	assert_true(guest_says(&hall.bob, HEAD "\"kind\":\"mcp\",\"correlation_id\":\"q1\",\"payload\":{\"result\":{},\"method\":\"x\"}}"));
	assert_true(guest_requests(&hall.bob, "a2", "\"correlation_id\":\"q1\","));
	assert_int_equal(guest_heard(&hall.bob, "\"code\":-32001"), 4);
	assert_true(guest_says(&hall.bob, ANSWER("a3", "q1", "\"result\":{}")));
	assert_int_equal(guest_heard(&hall.bob, "\"code\":-32001"), 4);
	assert_true(guest_says(&hall.bob, ANSWER("a4", "q1", "\"error\":{}")));
	assert_int_equal(guest_heard(&hall.bob, "\"code\":-32001"), 5);
	scene_pass(&hall.scene);
	assert_int_equal(guest_heard(&hall.alice, "\"id\":\"a3\""), 1);
	hall_close(&hall);
}

static void without_that_setting_answers_are_refused_too(void **state) {
	(void)state;
	struct hall hall;
	hall_open(&hall, false);
	assert_true(guest_requests(&hall.alice, "q1", ""));
	assert_true(guest_says(&hall.bob, ANSWER("a1", "q1", "\"result\":{}")));
	assert_int_equal(guest_heard(&hall.bob, "\"code\":-32001"), 1);
	hall_close(&hall);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_gate_refuses_in_its_own_word),
		cmocka_unit_test(the_table_names_the_nine_gates_in_their_order),
		cmocka_unit_test(too_large_a_message_is_told_and_ends_the_connection),
		cmocka_unit_test(what_is_not_utf8_is_told_and_ends_the_connection),
		cmocka_unit_test(an_id_of_another_is_a_clash_and_an_own_one_a_repetition),
		cmocka_unit_test(the_pace_is_held_and_says_when_to_try_again),
		cmocka_unit_test(proposals_have_a_pace_of_their_own_and_count_in_both),
		cmocka_unit_test(replies_may_go_without_correlation_and_requests_to_many_where_the_house_says_so),
		cmocka_unit_test(the_restricted_send_chat_and_proposals_and_nothing_else),
		cmocka_unit_test(the_restricted_answer_open_requests_once_where_the_house_says_so),
		cmocka_unit_test(without_that_setting_answers_are_refused_too),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
