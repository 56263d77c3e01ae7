/* SPDX-License-Identifier: Apache-2.0 */
#include "peer_rig.h"

#include <math.h>

static struct peer_rig rig;

static int set_up(void **state) {
	(void)state;
	peer_rig_open(&rig);
	return 0;
}

static int tear_down(void **state) {
	(void)state;
	peer_rig_close(&rig);
	return 0;
}

static struct peer_call *ask(const char *method, const char *params, uint64_t deadline_ms,
	bool progress) {
	struct fault why;
	struct peer_request request = {
		.method = slice_of(method),
		.params = slice_of(params),
		.deadline_ms = deadline_ms,
		.answered = rig_answered,
		.progressed = progress ? rig_progressed : NULL,
		.context = &rig,
	};
	unsigned before = rig.answered;
	struct peer_call *call = peer_ask(rig.peer, &request, &why);
	assert_non_null(call);
	assert_int_equal(rig.answered, before);
	return call;
}

static void reply(unsigned at, const char *rest) {
	char message[512];
	snprintf(message, sizeof message, "{\"jsonrpc\":\"2.0\",\"id\":%lld,%s}", rig_id(&rig, at), rest);
	rig_hear(&rig, message);
}

/* ---- Calls ---- */

static void an_answer_comes_once_and_a_second_one_goes_nowhere(void **state) {
	(void)state;
	(void)ask("x/y", "{\"a\":1}", 0, false);
	assert_non_null(strstr(rig.sent[0], "\"method\":\"x/y\",\"params\":{\"a\":1}}"));
	reply(0, "\"result\":{\"b\":2}");
	assert_int_equal(rig.answered, 1);
	assert_string_equal(rig.result, "{\"b\":2}");
	reply(0, "\"result\":{\"b\":3}");
	assert_int_equal(rig.answered, 1);
	assert_int_equal(peer_calls(rig.peer), 0);
}

static void an_error_is_an_answer_with_its_code(void **state) {
	(void)state;
	(void)ask("x", NULL, 0, false);
	reply(0, "\"error\":{\"code\":-32001,\"message\":\"no\",\"data\":{\"type\":\"t\"}}");
	assert_int_equal(rig.code, -32001);
}

static void ids_are_numbers_that_do_not_begin_alike(void **state) {
	struct peer_rig other;
	char message[128];
	(void)state;
	peer_rig_open(&other);
	(void)ask("x", NULL, 0, false);
	(void)ask("x", NULL, 0, false);
	assert_true(rig_id(&rig, 1) == rig_id(&rig, 0) + 1);
	/* The same digits as a string are another id. */
	snprintf(message, sizeof message, "{\"jsonrpc\":\"2.0\",\"id\":\"%lld\",\"result\":{}}", rig_id(&rig, 0));
	rig_hear(&rig, message);
	assert_int_equal(rig.answered, 0);
	struct fault why;
	struct peer_request request = {.method = SLICE("x"), .answered = rig_answered, .context = &other};
	assert_non_null(peer_ask(other.peer, &request, &why));
	assert_true(rig_id(&other, 0) != rig_id(&rig, 0)); /* one in 2^47 says otherwise */
	assert_true(rig_id(&other, 0) > 0 && rig_id(&other, 0) < (1LL << 48));
	peer_rig_close(&other);
}

static void a_deadline_ends_the_call_and_tells_the_other_side(void **state) {
	char wanted[64];
	(void)state;
	(void)ask("tools/call", "{}", 1, false);
	RIG_UNTIL(rig.loop, rig.answered);
	assert_int_equal(rig.why, FAULT_TIMEOUT);
	assert_int_equal(rig.count, 2);
	snprintf(wanted, sizeof wanted, "\"requestId\":%lld", rig_id(&rig, 0));
	assert_non_null(strstr(rig.sent[1], "notifications/cancelled"));
	assert_non_null(strstr(rig.sent[1], wanted));
	reply(0, "\"result\":{}");
	assert_int_equal(rig.answered, 1);
}

static void an_initialize_is_never_cancelled(void **state) {
	(void)state;
	(void)ask("initialize", "{}", 1, false);
	RIG_UNTIL(rig.loop, rig.answered);
	assert_int_equal(rig.count, 1);
}

static void what_never_left_is_not_cancelled_either(void **state) {
	(void)state;
	rig.tag = "envelope-1";
	rig.recalls = true;
	(void)ask("tools/call", "{}", 1, false);
	RIG_UNTIL(rig.loop, rig.answered);
	assert_int_equal(rig.count, 1);
}

static void a_cancel_of_ours_is_told_and_nobody_called(void **state) {
	(void)state;
	peer_cancel(ask("x", NULL, 0, false), SLICE("enough"));
	assert_int_equal(rig.answered, 0);
	assert_non_null(strstr(rig.sent[1], "\"reason\":\"enough\""));
	reply(0, "\"result\":{}");
	assert_int_equal(rig.answered, 0);
}

static void a_close_ends_every_call_once(void **state) {
	struct fault why;
	(void)state;
	for (int i = 0; i < 3; i++) (void)ask("x", NULL, 0, false);
	fault_set(&why, FAULT_CLOSED, "gone");
	peer_close(TAKE(rig.peer), &why);
	assert_int_equal(rig.answered, 3);
	assert_int_equal(rig.why, FAULT_CLOSED);
	assert_int_equal(rig.count, 3);
}

static void the_peer_may_be_closed_by_the_answer(void **state) {
	(void)state;
	(void)ask("x", NULL, 0, false);
	(void)ask("x", NULL, 0, false);
	rig.closes_when_answered = true;
	reply(0, "\"result\":{}");
	assert_int_equal(rig.answered, 2);
}

static void a_call_that_cannot_leave_is_no_call(void **state) {
	struct fault why;
	struct peer_request request = {.method = SLICE("x"), .answered = rig_answered, .context = &rig};
	(void)state;
	rig.is_deaf = true;
	assert_null(peer_ask(rig.peer, &request, &why));
	assert_int_equal(why.code, FAULT_CLOSED);
	assert_int_equal(peer_calls(rig.peer), 0);
}

static void an_answer_that_names_another_envelope_is_not_ours(void **state) {
	struct jsonrpc message = {.kind = JSONRPC_RESULT, .result = {.text = SLICE("{}"), .type = SCAN_OBJECT}};
	char id[24];
	(void)state;
	rig.tag = "envelope-1";
	(void)ask("x", NULL, 0, false);
	snprintf(id, sizeof id, "%lld", rig_id(&rig, 0));
	message.id = (struct scan_value){.text = slice_of(id), .type = SCAN_NUMBER};
	peer_take(rig.peer, &message, SLICE("e"), SLICE("envelope-2"));
	assert_int_equal(rig.answered, 0);
	peer_take(rig.peer, &message, SLICE("e"), SLICE("envelope-1"));
	assert_int_equal(rig.answered, 1);
}

static void a_refusal_of_the_transport_finds_its_call(void **state) {
	struct fault why;
	(void)state;
	rig.tag = "envelope-1";
	(void)ask("x", NULL, 0, false);
	fault_set(&why, FAULT_REFUSED, "no");
	assert_false(peer_fail(rig.peer, SLICE("envelope-2"), NULL, &why));
	assert_true(peer_fail(rig.peer, SLICE("envelope-1"), NULL, &why));
	assert_int_equal(rig.why, FAULT_REFUSED);
}

static void a_progress_token_joins_the_meta_that_is_there(void **state) {
	char wanted[200], message[200];
	(void)state;
	(void)ask("x", "{\"a\":[1, 2],\"_meta\":{\"k\":\"v\",\"progressToken\":\"old\"}}", 0, true);
	snprintf(wanted, sizeof wanted, "\"params\":{\"_meta\":{\"progressToken\":%lld,\"k\":\"v\"},\"a\":[1, 2]}",
		rig_id(&rig, 0));
	assert_non_null(strstr(rig.sent[0], wanted));
	snprintf(message, sizeof message, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":"
					  "{\"progressToken\":%lld,\"progress\":1}}",
		rig_id(&rig, 0));
	rig_hear(&rig, message);
	assert_int_equal(rig.progressed, 1);
	reply(0, "\"result\":{}");
	rig_hear(&rig, message);
	assert_int_equal(rig.progressed, 1);
	assert_int_equal(rig.told, 0);
}

/* ---- Questions ---- */

static void a_question_is_answered_with_its_id_as_it_stands(void **state) {
	(void)state;
	rig_hear(&rig, "{\"jsonrpc\":\"2.0\",\"id\":\"7\\u0041\",\"method\":\"m\"}");
	assert_int_equal(rig.asked, 1);
	peer_answer(rig.questions[0], SLICE("{\"ok\":1}"));
	assert_string_equal(rig.sent[0], "{\"jsonrpc\":\"2.0\",\"id\":\"7\\u0041\",\"result\":{\"ok\":1}}");
	rig_hear(&rig, "{\"jsonrpc\":\"2.0\",\"id\":10000000000000000000000,\"method\":\"m\"}");
	peer_refuse(rig.questions[1], -32000, SLICE("no"), SLICE("{\"type\":\"t\"}"));
	assert_string_equal(rig.sent[1], "{\"jsonrpc\":\"2.0\",\"id\":10000000000000000000000,\"error\":"
					 "{\"code\":-32000,\"message\":\"no\",\"data\":{\"type\":\"t\"}}}");
}

static void a_cancelled_question_is_answered_into_the_void(void **state) {
	(void)state;
	rig_hear(&rig, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\"}");
	rig_hear(&rig, "{\"jsonrpc\":\"2.0\",\"id\":\"1\",\"method\":\"m\"}");
	rig_hear(&rig, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":\"1\"}}");
	assert_int_equal(rig.cancelled, 1);
	assert_false(peer_is_cancelled(rig.questions[0]));
	assert_true(peer_is_cancelled(rig.questions[1]));
	peer_answer(rig.questions[1], SLICE("{}"));
	assert_int_equal(rig.count, 0);
	peer_answer(rig.questions[0], SLICE("{}"));
	assert_int_equal(rig.count, 1);
}

static void a_question_outlives_its_peer(void **state) {
	struct fault why;
	(void)state;
	rig_hear(&rig, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\"}");
	fault_set(&why, FAULT_CLOSED, "gone");
	peer_close(TAKE(rig.peer), &why);
	assert_int_equal(rig.cancelled, 1);
	assert_null(peer_question_peer(rig.questions[0]));
	peer_answer(rig.questions[0], SLICE("{}"));
	assert_int_equal(rig.count, 0);
}

static void progress_goes_only_to_who_wants_it_and_is_a_number(void **state) {
	(void)state;
	rig_hear(&rig, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\"}");
	peer_progress(rig.questions[0], 1, 2, SLICE_NONE);
	assert_int_equal(rig.count, 0);
	rig_hear(&rig, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"m\",\"params\":{\"_meta\":{\"progressToken\":\"p\"}}}");
	peer_progress(rig.questions[1], 0.25, 2, SLICE("a\"b"));
	assert_non_null(strstr(rig.sent[0],
		"{\"progressToken\":\"p\",\"progress\":0.25,\"total\":2,\"message\":\"a\\\"b\"}"));
	peer_progress(rig.questions[1], INFINITY, 0, SLICE_NONE);
	assert_int_equal(rig.count, 1);
	peer_answer(rig.questions[0], SLICE("{}"));
	peer_answer(rig.questions[1], SLICE("{}"));
}

static void too_many_questions_are_refused_one_by_one(void **state) {
	char message[100];
	static struct peer_question *held[PEER_QUESTIONS];
	(void)state;
	for (int i = 0; i < PEER_QUESTIONS; i++) {
		snprintf(message, sizeof message, "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"m\"}", i);
		rig_hear(&rig, message);
		held[i] = rig.questions[(rig.asked - 1) % 8];
	}
	rig_hear(&rig, "{\"jsonrpc\":\"2.0\",\"id\":\"more\",\"method\":\"m\"}");
	assert_int_equal(rig.asked, PEER_QUESTIONS);
	assert_int_equal(rig.count, 1);
	assert_non_null(strstr(rig.sent[0], "\"id\":\"more\",\"error\":{\"code\":-32603"));
	peer_answer(held[0], SLICE("{}"));
	rig_hear(&rig, "{\"jsonrpc\":\"2.0\",\"id\":\"again\",\"method\":\"m\"}");
	assert_int_equal(rig.asked, PEER_QUESTIONS + 1);
	rig.is_deaf = true;
	peer_answer(rig.questions[(rig.asked - 1) % 8], SLICE("{}"));
	for (int i = 1; i < PEER_QUESTIONS; i++) peer_answer(held[i], SLICE("{}"));
}

static void a_question_with_an_endless_id_is_refused(void **state) {
	AUTO_TEXT struct text message = {0};
	(void)state;
	text_init(&message, 0);
	text_add_cstr(&message, "{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"id\":\"");
	for (int i = 0; i < PEER_ID; i++) text_add_char(&message, 'x');
	text_add_cstr(&message, "\"}");
	rig_hear(&rig, message.bytes);
	assert_int_equal(rig.asked, 0);
	assert_non_null(strstr(rig.sent[0], "\"id\":null,\"error\":{\"code\":-32600"));
}

static void what_is_no_message_is_answered_with_an_error(void **state) {
	(void)state;
	rig_hear(&rig, "nonsense");
	assert_non_null(strstr(rig.sent[0], "\"id\":null,\"error\":{\"code\":-32700"));
	rig_hear(&rig, "{\"jsonrpc\":\"1.0\",\"id\":3,\"method\":\"m\"}");
	assert_non_null(strstr(rig.sent[1], "\"id\":3,\"error\":{\"code\":-32600"));
	assert_int_equal(rig.asked, 0);
}

static void other_notifications_are_told(void **state) {
	(void)state;
	rig_hear(&rig, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
	assert_int_equal(rig.told, 1);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(an_answer_comes_once_and_a_second_one_goes_nowhere),
		TEST(an_error_is_an_answer_with_its_code),
		TEST(ids_are_numbers_that_do_not_begin_alike),
		TEST(a_deadline_ends_the_call_and_tells_the_other_side),
		TEST(an_initialize_is_never_cancelled),
		TEST(what_never_left_is_not_cancelled_either),
		TEST(a_cancel_of_ours_is_told_and_nobody_called),
		TEST(a_close_ends_every_call_once),
		TEST(the_peer_may_be_closed_by_the_answer),
		TEST(a_call_that_cannot_leave_is_no_call),
		TEST(an_answer_that_names_another_envelope_is_not_ours),
		TEST(a_refusal_of_the_transport_finds_its_call),
		TEST(a_progress_token_joins_the_meta_that_is_there),
		TEST(a_question_is_answered_with_its_id_as_it_stands),
		TEST(a_cancelled_question_is_answered_into_the_void),
		TEST(a_question_outlives_its_peer),
		TEST(progress_goes_only_to_who_wants_it_and_is_a_number),
		TEST(too_many_questions_are_refused_one_by_one),
		TEST(a_question_with_an_endless_id_is_refused),
		TEST(what_is_no_message_is_answered_with_an_error),
		TEST(other_notifications_are_told),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
