/* SPDX-License-Identifier: Apache-2.0 */
/* JSON-RPC messages of every kind, those that are none, and what is written of them. */
#include "check.h"

#include "wire/jsonrpc.h"

static char lent[4096];
static struct arena arena;

static int arena_begin(void **state) {
	(void)state;
	arena_init(&arena, lent, sizeof(lent), 0);
	return 0;
}

static int arena_end(void **state) {
	(void)state;
	arena_finish(&arena);
	return 0;
}

/* As a text and as a value checked before: both ways must agree. */
static bool read_both(struct jsonrpc *message, const char *text, int64_t *code, struct fault *why) {
	struct scan_value value;
	struct jsonrpc other;
	int64_t other_code = 0;
	bool is_fine = jsonrpc_read(message, slice_of(text), &arena, code, why);
	if (!scan_check(slice_of(text), SCAN_DEPTH, &value, NULL)) {
		assert_false(is_fine);
		return false;
	}
	assert_int_equal(jsonrpc_read_value(&other, &value, &arena, &other_code, NULL), is_fine);
	assert_int_equal(other.id.type, message->id.type);
	assert_true(slice_equal(other.id.text, message->id.text));
	if (!is_fine) assert_int_equal(other_code, *code);
	else assert_int_equal(other.kind, message->kind);
	return is_fine;
}

static void must_read(struct jsonrpc *message, const char *text) {
	struct fault why;
	int64_t code;
	if (!read_both(message, text, &code, &why)) fail_msg("%s: %s", text, why.text);
}

static void must_refuse(const char *text, int64_t wanted) {
	struct jsonrpc message;
	struct fault why = {FAULT_NONE, ""};
	int64_t code = 0;
	if (read_both(&message, text, &code, &why)) fail_msg("passed: %s", text);
	if (code != wanted) fail_msg("%s: %lld: %s", text, (long long)code, why.text);
	assert_int_equal(why.code, FAULT_BAD_INPUT);
}

static void requests_are_read(void **state) {
	(void)state;
	struct jsonrpc message;
	must_read(&message, "{\"jsonrpc\":\"2.0\",\"id\":42,\"method\":\"tools/call\",\"params\":{\"a\":1e400}}");
	assert_int_equal(message.kind, JSONRPC_REQUEST);
	check_slice(message.id.text, "42");
	check_slice(message.method, "tools/call");
	check_slice(message.params.text, "{\"a\":1e400}");
	assert_int_equal(message.result.type, SCAN_NONE);
	must_read(&message, " { \"params\" : [ ] , \"method\" : \"a\\/b\" , \"i\\u0064\" : \"q\\n\" , \"jsonrpc\" : \"2\\u002e0\" } ");
	assert_int_equal(message.kind, JSONRPC_REQUEST);
	check_slice(message.id.text, "\"q\\n\"");
	check_slice(message.method, "a/b");
	check_slice(message.params.text, "[ ]");
	must_read(&message, "{\"jsonrpc\":\"2.0\",\"id\":12345678901234567890123,\"method\":\"ping\"}");
	assert_int_equal(message.params.type, SCAN_NONE);
	check_slice(message.id.text, "12345678901234567890123");
}

static void notifications_are_read(void **state) {
	(void)state;
	struct jsonrpc message;
	must_read(&message, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\",\"x\":{\"id\":1}}");
	assert_int_equal(message.kind, JSONRPC_NOTIFICATION);
	assert_int_equal(message.id.type, SCAN_NONE);
}

static void results_are_read(void **state) {
	(void)state;
	struct jsonrpc message;
	must_read(&message, "{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"result\":{\"content\":[]}}");
	assert_int_equal(message.kind, JSONRPC_RESULT);
	check_slice(message.result.text, "{\"content\":[]}");
	must_read(&message, "{\"jsonrpc\":\"2.0\",\"id\":-1.5,\"result\":null}");
	assert_int_equal(message.result.type, SCAN_NULL);
}

static void errors_are_read(void **state) {
	(void)state;
	struct jsonrpc message;
	must_read(&message, "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32001,\"message\":\"no\\n\",\"data\":{}}}");
	assert_int_equal(message.kind, JSONRPC_ERROR);
	assert_int_equal(message.code, -32001);
	check_slice(message.message, "no\n");
	check_slice(message.error.text, "{\"code\":-32001,\"message\":\"no\\n\",\"data\":{}}");
	must_read(&message, "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"message\":\"\",\"code\":1.0}}");
	assert_int_equal(message.id.type, SCAN_NULL);
	assert_int_equal(message.code, 1);
	must_read(&message, "{\"jsonrpc\":\"2.0\",\"error\":{\"message\":\"\",\"code\":0}}");
	assert_int_equal(message.id.type, SCAN_NONE);
}

static void text_that_is_no_json_is_a_parse_error(void **state) {
	(void)state;
	static const char *const texts[] = {
		"",
		"{",
		"{\"jsonrpc\":\"2.0\",\"method\":\"a\"",
		"{\"jsonrpc\":\"2.0\",\"method\":\"a\"}}",
		"nul",
		"[1",
		"{\"jsonrpc\":\"2.0\",\"method\":\"\xff\"}",
		"{\"jsonrpc\":\"2.0\",\"method\":\"\\ud800\"}",
		"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[",
	};
	for (size_t i = 0; i < COUNT_OF(texts); i++) must_refuse(texts[i], JSONRPC_PARSE_ERROR);
}

static void json_that_is_no_message_is_an_invalid_request(void **state) {
	(void)state;
	static const char *const texts[] = {
		"null",
		"1",
		"\"{}\"",
		"[]",
		"[{\"jsonrpc\":\"2.0\",\"method\":\"a\"}]",
		"{}",
		"{\"method\":\"a\",\"id\":1}",
		"{\"jsonrpc\":2.0,\"method\":\"a\"}",
		"{\"jsonrpc\":\"1.0\",\"method\":\"a\"}",
		"{\"jsonrpc\":\"2.0\"}",
		"{\"jsonrpc\":\"2.0\",\"id\":1}",
		"{\"jsonrpc\":\"2.0\",\"method\":1}",
		"{\"jsonrpc\":\"2.0\",\"method\":null,\"id\":1}",
		"{\"jsonrpc\":\"2.0\",\"method\":\"a\",\"id\":null}",
		"{\"jsonrpc\":\"2.0\",\"method\":\"a\",\"id\":true}",
		"{\"jsonrpc\":\"2.0\",\"method\":\"a\",\"id\":[1]}",
		"{\"jsonrpc\":\"2.0\",\"method\":\"a\",\"id\":{}}",
		"{\"jsonrpc\":\"2.0\",\"method\":\"a\",\"params\":null}",
		"{\"jsonrpc\":\"2.0\",\"method\":\"a\",\"params\":\"b\"}",
		"{\"jsonrpc\":\"2.0\",\"method\":\"a\",\"params\":1}",
		"{\"jsonrpc\":\"2.0\",\"method\":\"a\",\"id\":1,\"result\":1}",
		"{\"jsonrpc\":\"2.0\",\"method\":\"a\",\"id\":1,\"error\":{\"code\":1,\"message\":\"\"}}",
		"{\"jsonrpc\":\"2.0\",\"result\":1}",
		"{\"jsonrpc\":\"2.0\",\"id\":null,\"result\":1}",
		"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":1,\"error\":{\"code\":1,\"message\":\"\"}}",
		"{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":null}",
		"{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":\"no\"}",
		"{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{}}",
		"{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":1}}",
		"{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":\"1\",\"message\":\"\"}}",
		"{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":1.5,\"message\":\"\"}}",
		"{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":1,\"message\":null}}",
		"{\"jsonrpc\":\"2.0\",\"method\":\"a\",\"method\":\"b\"}",
		"{\"jsonrpc\":\"2.0\",\"method\":\"a\",\"id\":1,\"id\":1}",
		"{\"jsonrpc\":\"2.0\",\"method\":\"a\",\"m\\u0065thod\":\"b\",\"id\":1,\"id\":2}",
	};
	for (size_t i = 0; i < COUNT_OF(texts); i++) must_refuse(texts[i], JSONRPC_INVALID_REQUEST);
}

static void the_id_of_a_refused_message_is_known(void **state) {
	(void)state;
	static const struct {
		const char *text, *id;
	} rows[] = {
		{"{\"id\":7,\"method\":\"a\"}", "7"},
		{"{\"jsonrpc\":\"2.0\",\"id\":\"x\",\"error\":1}", "\"x\""},
		{"{\"id\":7,\"method\":\"a\"", "7"},
		{"{\"id\":[7],\"method\":\"a\"", ""},
		{"{\"method\":\"a\"", ""},
		{"{\"id\":true}", ""},
		{"[{\"id\":7}]", ""},
		{"{\"id\":\"x\",\"method\":", "\"x\""},
	};
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct jsonrpc message;
		int64_t code;
		memset(&message, 0xa5, sizeof(message));
		assert_false(jsonrpc_read(&message, slice_of(rows[i].text), &arena, &code, NULL));
		check_slice(message.id.text, rows[i].id);
		assert_int_equal(message.id.type == SCAN_NONE, rows[i].id[0] == '\0');
	}
}

static void without_memory_escapes_are_refused(void **state) {
	(void)state;
	struct arena poor;
	struct jsonrpc message;
	int64_t code = 0;
	char few[8];
	arena_init(&poor, few, sizeof(few), 1);
	assert_false(jsonrpc_read(&message, SLICE("{\"jsonrpc\":\"2.0\",\"method\":\"tools\\/call\"}"), &poor, &code, NULL));
	assert_int_equal(code, JSONRPC_INVALID_REQUEST);
	arena_finish(&poor);
}

static void what_is_written_is_what_was_given(void **state) {
	(void)state;
	AUTO_TEXT struct text text = {0};
	struct jsonrpc message;
	text_init(&text, 0);
	jsonrpc_write_request(&text, SLICE("42"), SLICE("a\"b"), SLICE("{ \"x\":1e400}"));
	check_text(&text, "{\"jsonrpc\":\"2.0\",\"id\":42,\"method\":\"a\\\"b\",\"params\":{ \"x\":1e400}}");
	must_read(&message, text.bytes);
	text_clear(&text);
	jsonrpc_write_request(&text, SLICE("\"q\""), SLICE("ping"), SLICE_NONE);
	check_text(&text, "{\"jsonrpc\":\"2.0\",\"id\":\"q\",\"method\":\"ping\"}");
	text_clear(&text);
	jsonrpc_write_notification(&text, SLICE("note"), SLICE("[]"));
	check_text(&text, "{\"jsonrpc\":\"2.0\",\"method\":\"note\",\"params\":[]}");
	text_clear(&text);
	jsonrpc_write_notification(&text, SLICE("note"), SLICE_NONE);
	check_text(&text, "{\"jsonrpc\":\"2.0\",\"method\":\"note\"}");
	text_clear(&text);
	jsonrpc_write_result(&text, SLICE("1"), SLICE("{}"));
	check_text(&text, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}");
	text_clear(&text);
	jsonrpc_write_error(&text, SLICE("1"), -32601, SLICE("no \"x\""), SLICE("{\"type\":\"t\"}"));
	check_text(&text, "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32601,\"message\":\"no \\\"x\\\"\","
			  "\"data\":{\"type\":\"t\"}}}");
	must_read(&message, text.bytes);
	check_slice(message.message, "no \"x\"");
	text_clear(&text);
	jsonrpc_write_error(&text, SLICE_NONE, JSONRPC_PARSE_ERROR, SLICE("bad"), SLICE_NONE);
	check_text(&text, "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32700,\"message\":\"bad\"}}");
	must_read(&message, text.bytes);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(requests_are_read),
		cmocka_unit_test(notifications_are_read),
		cmocka_unit_test(results_are_read),
		cmocka_unit_test(errors_are_read),
		cmocka_unit_test(text_that_is_no_json_is_a_parse_error),
		cmocka_unit_test(json_that_is_no_message_is_an_invalid_request),
		cmocka_unit_test(the_id_of_a_refused_message_is_known),
		cmocka_unit_test(without_memory_escapes_are_refused),
		cmocka_unit_test(what_is_written_is_what_was_given),
	};
	return cmocka_run_group_tests(tests, arena_begin, arena_end);
}
