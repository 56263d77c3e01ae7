/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"

#include "flow/flow_message.h"
#include "flow/flow_token.h"

static const struct flow_limits limits = FLOW_LIMITS;
static struct flow_session *session;
static struct flow_refusal refusal;
static struct prompt_verdict verdict;
static struct arena arena;
static struct flow_key key;

static int set_up(void **state) {
	(void)state;
	static const uint8_t octets[FLOW_KEY] = {7};
	const struct flow_wish wish = {.principal = SLICE("ann"), .tool = SLICE("booking"), .server = SLICE("travel"), .initial_params = SLICE("{\"to\":\"Rome\"}")};
	refusal = (struct flow_refusal){0};
	arena_init(&arena, NULL, 0, 0);
	session = flow_session_begin(&wish, &limits, 1000, &refusal);
	return session && flow_key_make(&key, octets) ? 0 : -1;
}

static int tear_down(void **state) {
	(void)state;
	flow_session_free(session);
	arena_finish(&arena);
	return 0;
}

static bool ask(const char *name) {
	const struct prompt prompt = {.type = PROMPT_TEXT, .name = slice_of(name), .message = SLICE("?"), .rules.is_required = true};
	const struct prompt_progress progress = {.current = 1, .total = 3};
	return flow_session_ask(session, &prompt, &progress, 2000, &refusal);
}

static bool answer(const char *json, const char *prompt_id) {
	struct flow_response response = {.prompt_id = slice_of(prompt_id)};
	struct scan_fault fault;
	assert_true(scan_check(slice_of(json), SCAN_DEPTH, &response.value, &fault));
	return flow_session_respond(session, &response, 3000, &verdict, &refusal);
}

static void go_to(enum flow_state state) {
	if (state == FLOW_IDLE) return;
	assert_true(flow_session_activate(session, &refusal));
	if (state == FLOW_ACTIVE) return;
	assert_true(ask("name"));
	if (state == FLOW_WAITING_USER) return;
	if (state == FLOW_CANCELLED) {
		assert_true(flow_session_cancel(session, SLICE("enough"), 3000, &refusal));
		return;
	}
	if (state == FLOW_ERROR) {
		flow_session_fail(session, "broken", 3000);
		return;
	}
	assert_true(answer("\"John\"", NULL));
	if (state == FLOW_PROCESSING) return;
	assert_true(flow_session_complete(session, true, SLICE("{\"ok\":1}"), SLICE("done"), 4000, &refusal));
}

static void a_session_goes_its_way(void **state) {
	(void)state;
	assert_int_equal(strlen(session->id), 40);
	go_to(FLOW_WAITING_USER);
	assert_int_equal(session->state, FLOW_WAITING_USER);
	assert_true(answer("\"John\"", "prompt-1"));
	assert_true(verdict.is_valid);
	assert_int_equal(session->state, FLOW_PROCESSING);
	check_text(&session->given, "{\"to\":\"Rome\",\"name\":\"John\"}");
	assert_true(ask("email"));
	assert_true(answer("\"j@e.com\"", "prompt-2"));
	assert_true(flow_session_complete(session, true, SLICE("{\"ok\":1}"), SLICE("done"), 4000, &refusal));
	check_text(&session->result, "{\"success\":true,\"data\":{\"ok\":1}}");
	assert_int_equal(flow_session_expires_at(session), INT64_MAX);
}

/* Every pair of states, as the table of the text has it. */
static void every_transition_is_allowed_or_refused(void **state) {
	(void)state;
	for (int from = 0; from < FLOW_STATES; from++) {
		for (int to = 0; to < FLOW_STATES; to++) {
			bool is_over = from >= FLOW_COMPLETED;
			bool is_end = to == FLOW_CANCELLED || to == FLOW_ERROR;
			bool is_step = (from == FLOW_IDLE && to == FLOW_ACTIVE) || (from == FLOW_ACTIVE && to == FLOW_WAITING_USER) ||
				(from == FLOW_WAITING_USER && to == FLOW_PROCESSING) || (from == FLOW_PROCESSING && to == FLOW_WAITING_USER) ||
				(from == FLOW_PROCESSING && to == FLOW_COMPLETED) || (from == FLOW_ACTIVE && to == FLOW_PROCESSING);
			assert_int_equal(flow_state_may((enum flow_state)from, (enum flow_state)to), !is_over && (is_end || is_step));
		}
	}
}

static void steps_in_the_wrong_state_change_nothing(void **state) {
	for (int in = 0; in < FLOW_STATES; in++) {
		tear_down(state);
		set_up(state);
		go_to((enum flow_state)in);
		enum flow_state was = session->state;
		if (in != FLOW_WAITING_USER) assert_false(answer("\"x\"", NULL));
		if (in != FLOW_WAITING_USER) assert_int_equal(refusal.code, FLOW_INVALID_TRANSITION);
		if (in != FLOW_ACTIVE && in != FLOW_PROCESSING) assert_false(ask("again"));
		if (in != FLOW_PROCESSING) assert_false(flow_session_complete(session, true, SLICE("{}"), SLICE(""), 5000, &refusal));
		assert_int_equal(session->state, was);
		if (in < FLOW_COMPLETED) continue;
		assert_false(flow_session_cancel(session, SLICE(""), 5000, &refusal));
		assert_int_equal(refusal.code, in == FLOW_CANCELLED ? FLOW_ALREADY_CANCELLED : FLOW_INVALID_TRANSITION);
		flow_session_fail(session, "late", 5000);
		assert_int_equal(session->state, was);
	}
}

static void a_stale_answer_is_not_taken(void **state) {
	(void)state;
	go_to(FLOW_WAITING_USER);
	assert_true(answer("\"John\"", "prompt-1"));
	assert_true(ask("email"));
	assert_false(answer("\"John\"", "prompt-1"));
	assert_int_equal(refusal.code, FLOW_INVALID_TRANSITION);
	assert_string_equal(refusal.type, "stale_prompt");
	check_text(&session->given, "{\"to\":\"Rome\",\"name\":\"John\"}");
}

static void a_refused_answer_leaves_the_prompt_and_counts(void **state) {
	(void)state;
	go_to(FLOW_WAITING_USER);
	unsigned before = session->prompts_left;
	assert_true(answer("7", "prompt-1"));
	assert_false(verdict.is_valid);
	assert_int_equal(session->state, FLOW_WAITING_USER);
	assert_int_equal(session->prompts_left, before - 1);
	assert_int_equal(session->history.length, 0);
	assert_true(answer("\"John\"", "prompt-1"));
	assert_true(verdict.is_valid);
}

static void too_many_prompts_end_it(void **state) {
	(void)state;
	go_to(FLOW_WAITING_USER);
	for (unsigned i = 0; i < FLOW_PROMPTS - 1; i++) assert_true(answer("7", NULL));
	assert_false(answer("7", NULL));
	assert_int_equal(refusal.code, FLOW_LIMIT);
	assert_string_equal(refusal.type, "too_many_prompts");
	assert_int_equal(session->state, FLOW_ERROR);
}

static void the_last_answer_can_be_taken_back(void **state) {
	(void)state;
	go_to(FLOW_PROCESSING);
	assert_true(ask("email"));
	assert_true(answer("\"j@e.com\"", NULL));
	check_text(&session->given, "{\"to\":\"Rome\",\"name\":\"John\",\"email\":\"j@e.com\"}");
	assert_true(flow_session_back(session, 4000, &refusal));
	check_text(&session->given, "{\"to\":\"Rome\",\"name\":\"John\"}");
	assert_true(ask("email"));
	assert_true(flow_session_back(session, 4000, &refusal)); /* while it waits, the one before */
	check_text(&session->given, "{\"to\":\"Rome\"}");
	assert_int_equal(session->history.length, 0);
	assert_int_equal(session->state, FLOW_PROCESSING);
	assert_false(flow_session_back(session, 4000, &refusal));
	assert_string_equal(refusal.type, "nothing_to_take_back");
}

static void time_runs_out(void **state) {
	(void)state;
	go_to(FLOW_WAITING_USER);
	assert_int_equal(flow_session_expires_at(session), 2000 + FLOW_TIMEOUT_MS);
	assert_int_equal(flow_session_warns_at(session), 2000 + FLOW_TIMEOUT_MS / 5 * 4);
	assert_true(flow_session_lives(session, 2000 + FLOW_TIMEOUT_MS - 1, &refusal));
	assert_false(flow_session_lives(session, 2000 + FLOW_TIMEOUT_MS, &refusal));
	assert_int_equal(refusal.code, FLOW_SESSION_EXPIRED);
	assert_true(answer("\"x\"", NULL));
	assert_false(flow_session_lives(session, 3000 + FLOW_TIMEOUT_MS, &refusal));
	assert_int_equal(refusal.code, FLOW_TIMEOUT);
	session->active_at = 1000 + FLOW_DURATION_MS - 5;
	assert_int_equal(flow_session_expires_at(session), 1000 + FLOW_DURATION_MS);
}

static void check_same(const struct flow_session *one, const struct flow_session *other) {
	AUTO_TEXT struct text a = {0}, b = {0};
	flow_record_write(&a, one);
	flow_record_write(&b, other);
	check_text(&a, b.bytes);
}

static void a_record_is_the_session(void **state) {
	for (int in = 0; in < FLOW_STATES; in++) {
		AUTO_TEXT struct text record = {0};
		struct fault why;
		tear_down(state);
		set_up(state);
		go_to((enum flow_state)in);
		flow_record_write(&record, session);
		struct flow_session *again = flow_record_read(text_slice(&record), &why);
		if (!again) fail_msg("%s", why.text);
		check_same(session, again);
		flow_session_free(again);
		/* Cut anywhere it is none. */
		for (size_t cut = 0; cut < record.length; cut += 7)
			assert_null(flow_record_read(slice_make(record.bytes, cut), &why));
	}
}

static void a_token_is_its_owners_and_unchanged(void **state) {
	(void)state;
	AUTO_TEXT struct text token = {0};
	uint8_t spent[SECRET_HASH_SIZE];
	struct fault why;
	go_to(FLOW_WAITING_USER);
	assert_true(flow_token_write(&token, session, &key, &why));
	assert_true(flow_token_is_one(text_slice(&token)));
	assert_false(flow_token_is_one(slice_of(session->id)));
	struct flow_session *again = flow_token_read(text_slice(&token), &key, SLICE("ann"), 3000, spent, &refusal);
	assert_non_null(again);
	check_same(session, again);
	flow_session_free(again);
	assert_null(flow_token_read(text_slice(&token), &key, SLICE("bob"), 3000, spent, &refusal));
	assert_int_equal(refusal.code, FLOW_SESSION_NOT_FOUND);
	assert_null(flow_token_read(text_slice(&token), &key, SLICE("ann"), 2000 + FLOW_TIMEOUT_MS, spent, &refusal));
	assert_int_equal(refusal.code, FLOW_SESSION_EXPIRED);
	assert_null(flow_token_read(text_slice(&token), &key, SLICE("bob"), 2000 + FLOW_TIMEOUT_MS, spent, &refusal));
	assert_int_equal(refusal.code, FLOW_SESSION_NOT_FOUND);
	for (size_t i = 0; i < token.length; i += 3) {
		char was = token.bytes[i];
		token.bytes[i] = was == 'A' ? 'B' : 'A';
		assert_null(flow_token_read(text_slice(&token), &key, SLICE("ann"), 3000, spent, &refusal));
		assert_int_equal(refusal.code, FLOW_SESSION_NOT_FOUND);
		token.bytes[i] = was;
	}
	struct flow_key other;
	static const uint8_t octets[FLOW_KEY] = {8};
	assert_true(flow_key_make(&other, octets));
	assert_null(flow_token_read(text_slice(&token), &other, SLICE("ann"), 3000, spent, &refusal));
}

static void messages_are_those_of_the_text(void **state) {
	(void)state;
	AUTO_TEXT struct text words = {0};
	struct scan_value value;
	struct scan_fault fault;
	struct flow_start start;
	struct flow_response response;
	assert_true(scan_check(SLICE("{\"toolName\":\"string\",\"initialParams\":{},\"context\":{},\"timeout\":300000}"), SCAN_DEPTH, &value, &fault));
	assert_true(flow_message_start(&value, &arena, &start, &refusal));
	check_slice(start.tool, "string");
	assert_int_equal(start.timeout_ms, 300000);
	assert_true(scan_check(SLICE("{\"sessionId\":\"session_abc123\",\"response\":{\"value\":\"selected_value\",\"timestamp\":1704067200000,\"metadata\":{}}}"), SCAN_DEPTH, &value, &fault));
	assert_true(flow_message_respond(&value, &arena, &response, &refusal));
	check_slice(response.value.text, "\"selected_value\"");
	assert_true(scan_check(SLICE("{\"sessionId\":\"s\",\"response\":7}"), SCAN_DEPTH, &value, &fault));
	assert_false(flow_message_respond(&value, &arena, &response, &refusal));
	assert_int_equal(refusal.code, FLOW_VALIDATION_FAILED);
	assert_true(scan_check(SLICE("{\"sessionId\":\"s\",\"response\":{\"value\":[{\"x\":1,\"\\u0078\":2}]}}"), SCAN_DEPTH, &value, &fault));
	assert_false(flow_message_respond(&value, &arena, &response, &refusal));
	assert_int_equal(refusal.code, FLOW_VALIDATION_FAILED);
	assert_true(scan_check(SLICE("{\"toolName\":\"string\",\"initialParams\":{\"x\":1,\"x\":2}}"), SCAN_DEPTH, &value, &fault));
	assert_false(flow_message_start(&value, &arena, &start, &refusal));
	assert_int_equal(refusal.code, FLOW_INVALID_PARAMS);
	flow_write_capabilities(&words, false);
	assert_true(scan_check(text_slice(&words), SCAN_DEPTH, &value, &fault));
	text_clear(&words);
	go_to(FLOW_COMPLETED);
	flow_write_state(&words, session, SLICE("session_abc123"));
	assert_true(scan_check(text_slice(&words), SCAN_DEPTH, &value, &fault));
	text_clear(&words);
	flow_write_completed(&words, session);
	check_text(&words, "{\"success\":true,\"finalResult\":{\"success\":true,\"data\":{\"ok\":1}}}");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
	const struct CMUnitTest tests[] = {
		TEST(a_session_goes_its_way),
		TEST(every_transition_is_allowed_or_refused),
		TEST(steps_in_the_wrong_state_change_nothing),
		TEST(a_stale_answer_is_not_taken),
		TEST(a_refused_answer_leaves_the_prompt_and_counts),
		TEST(too_many_prompts_end_it),
		TEST(the_last_answer_can_be_taken_back),
		TEST(time_runs_out),
		TEST(a_record_is_the_session),
		TEST(a_token_is_its_owners_and_unchanged),
		TEST(messages_are_those_of_the_text),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
