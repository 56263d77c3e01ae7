/* SPDX-License-Identifier: Apache-2.0 */
/* What a participant that speaks MGP answered, for a client that does not. */
#include "check.h"
#include "kernel/call_answer.h"
#include "wire/jsonrpc.h"

static struct text words, data;
static struct hosted_answer answer;

static void strip(const char *result, int64_t code, const char *with) {
	text_clear(&words);
	text_clear(&data);
	answer = (struct hosted_answer){.code = code, .message = SLICE("no"), .data = slice_of(with)};
	if (result) answer.result = slice_of(result);
	call_answer_strip(&words, &data, &answer);
}

static int set_up(void **state) {
	(void)state;
	text_init(&words, 0);
	text_init(&data, 0);
	return 0;
}

static int tear_down(void **state) {
	(void)state;
	text_finish(&words);
	text_finish(&data);
	return 0;
}

#define RESULT(error) \
	"{\"content\":[{\"type\":\"text\",\"text\":\"no\"}],\"structuredContent\":{\"error\":\"" error \
	"\",\"message\":\"no\"},\"isError\":true}"

static void is_result(const char *json) {
	assert_non_null(answer.result.bytes);
	check_text(&words, json);
}

static void a_result_has_no_word_of_mgp(void **state) {
	(void)state;
	strip("{\"content\":[],\"_mgp\":{\"streamed\":true}}", 0, NULL);
	is_result("{\"content\":[]}");
	strip("{\"content\":[]}", 0, NULL);
	assert_true(slice_is(answer.result, "{\"content\":[]}"));
}

static void an_error_of_mgp_is_a_result_in_words(void **state) {
	(void)state;
	strip(NULL, MGP_PERMISSION_DENIED, "{\"type\":\"approval_denied\",\"_mgp\":{}}");
	is_result(RESULT("approval_denied"));
	strip(NULL, MGP_TIMEOUT, "{\"type\":\"timeout\"}");
	is_result(RESULT("timeout"));
	strip(NULL, MGP_TOOL_DISABLED, NULL);
	is_result(RESULT("tool_disabled"));
}

static void a_type_that_is_no_word_is_left_out(void **state) {
	(void)state;
	strip(NULL, MGP_PERMISSION_DENIED, "{\"type\":\"a\\\",\\\"b\"}");
	is_result(RESULT("permission_denied"));
	strip(NULL, MGP_PERMISSION_DENIED, "[]");
	is_result(RESULT("permission_denied"));
}

static void what_is_wrong_with_a_request_stays_an_error(void **state) {
	(void)state;
	strip(NULL, MGP_INVALID_TOOL_ARGS, NULL);
	assert_int_equal(answer.code, JSONRPC_INVALID_PARAMS);
	strip(NULL, MGP_ACCESS_DENIED, "{\"type\":\"access_denied\"}");
	assert_int_equal(answer.code, JSONRPC_INVALID_PARAMS);
	assert_int_equal(answer.data.length, 0);
	strip(NULL, -32603, "{\"_mgp\":{},\"a\":1}");
	assert_int_equal(answer.code, -32603);
	assert_true(slice_is(answer.data, "{\"a\":1}"));
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(a_result_has_no_word_of_mgp),
		TEST(an_error_of_mgp_is_a_result_in_words),
		TEST(a_type_that_is_no_word_is_left_out),
		TEST(what_is_wrong_with_a_request_stays_an_error),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
