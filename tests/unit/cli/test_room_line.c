/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"
#include "cli/room_line.h"

#define HEAD "\"protocol\":\"mcpx/v0.1\",\"id\":\"0123456789abcdef\",\"ts\":\"2026-11-22T05:04:52Z\""

static void show(struct text *to, const char *json, const struct room_line_style *style) {
	char lent[2048];
	struct arena arena;
	struct envelope envelope;
	struct envelope_refusal refusal;
	text_clear(to);
	arena_init(&arena, lent, sizeof lent, 0);
	assert_true(envelope_read(&envelope, slice_of(json), &arena, &refusal));
	room_line_write(to, &envelope, style);
	arena_finish(&arena);
}

static void check_line(const char *json, const char *line) {
	const struct room_line_style style = {.is_utc = true, .self = SLICE("me")};
	AUTO_TEXT struct text text = {0};
	text_init(&text, 0);
	show(&text, json, &style);
	check_text(&text, line);
}

static void chats_of_both_forms_look_alike(void **state) {
	(void)state;
	check_line("{" HEAD ",\"from\":\"alice\",\"kind\":\"chat\",\"payload\":{\"text\":\"hi\"}}",
		"05:04:52 alice: hi\n");
	check_line("{" HEAD ",\"from\":\"alice\",\"kind\":\"mcp\",\"payload\":{\"jsonrpc\":\"2.0\",\"method\":"
		   "\"notifications/chat/message\",\"params\":{\"text\":\"hi\"}}}",
		"05:04:52 alice: hi\n");
}

static void further_lines_of_a_chat_have_a_margin(void **state) {
	(void)state;
	check_line("{" HEAD ",\"from\":\"alice\",\"kind\":\"chat\",\"payload\":{\"text\":\"a\\r\\n05:04:52 bob: no\"}}",
		"05:04:52 alice: a\n           05:04:52 bob: no\n");
}

static void further_lines_of_a_result_have_a_margin(void **state) {
	(void)state;
	check_line("{" HEAD ",\"from\":\"files\",\"to\":[\"root\"],\"kind\":\"mcp\",\"correlation_id\":\"x\",\"payload\":"
		   "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[{\"type\":\"text\","
		   "\"text\":\"[DIR] a\\r\\n[FILE] b\\u0007\\n\"}]}}}",
		"05:04:52 files > root: [DIR] a\n           [FILE] b\\x07\n");
}

static void what_could_confuse_a_terminal_is_not_sent_to_it(void **state) {
	const struct room_line_style style = {.is_utc = true};
	AUTO_TEXT struct text text = {0};
	(void)state;
	text_init(&text, 0);
	show(&text, "{" HEAD ",\"from\":\"alice\",\"kind\":\"chat\",\"payload\":{\"text\":\"\\u001b[2J\\u202e\\u0000\"}}",
		&style);
	assert_false(text_failed(&text));
	for (size_t i = 0; i + 1 < text.length; i++) assert_true((unsigned char)text.bytes[i] >= ' ');
	assert_null(strstr(text.bytes, "\xe2\x80\xae"));
}

static void requests_and_answers_name_both_sides(void **state) {
	(void)state;
	check_line("{" HEAD ",\"from\":\"alice\",\"to\":[\"notes\"],\"kind\":\"mcp\",\"payload\":{\"jsonrpc\":\"2.0\","
		   "\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"add\",\"arguments\":{\"a\":1}}}}",
		"05:04:52 alice > notes: tools/call add {\"a\":1}\n");
	check_line("{" HEAD ",\"from\":\"notes\",\"to\":[\"alice\"],\"kind\":\"mcp\",\"correlation_id\":\"x\",\"payload\":"
		   "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"fine\"}]}}}",
		"05:04:52 notes > alice: fine\n");
	check_line("{" HEAD ",\"from\":\"notes\",\"to\":[\"alice\"],\"kind\":\"mcp\",\"correlation_id\":\"x\",\"payload\":"
		   "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"isError\":true,\"content\":[{\"type\":\"text\",\"text\":\"no\"}]}}}",
		"05:04:52 notes > alice: failed: no\n");
	check_line("{" HEAD ",\"from\":\"notes\",\"to\":[\"alice\"],\"kind\":\"mcp\",\"correlation_id\":\"x\",\"payload\":"
		   "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32601,\"message\":\"no such\"}}}",
		"05:04:52 notes > alice: error -32601 no such\n");
	check_line("{" HEAD ",\"from\":\"notes\",\"to\":[\"alice\"],\"kind\":\"mcp\",\"correlation_id\":\"x\",\"payload\":"
		   "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"tools\":[{},{}]}}}",
		"05:04:52 notes > alice: 2 tools\n");
}

static void handshakes_pings_and_heartbeats_are_not_shown(void **state) {
	(void)state;
	check_line("{" HEAD ",\"from\":\"a\",\"to\":[\"b\"],\"kind\":\"mcp\",\"payload\":{\"jsonrpc\":\"2.0\",\"id\":1,"
		   "\"method\":\"initialize\",\"params\":{}}}",
		"");
	check_line("{" HEAD ",\"from\":\"b\",\"to\":[\"a\"],\"kind\":\"mcp\",\"correlation_id\":\"x\",\"payload\":"
		   "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"protocolVersion\":\"2025-06-18\"}}}",
		"");
	check_line("{" HEAD ",\"from\":\"b\",\"to\":[\"a\"],\"kind\":\"mcp\",\"correlation_id\":\"x\",\"payload\":"
		   "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}}",
		"");
	check_line("{" HEAD ",\"from\":\"system:gateway\",\"kind\":\"presence\",\"payload\":{\"event\":\"heartbeat\","
		   "\"participant\":{\"id\":\"a\"}}}",
		"");
}

static void proposals_show_what_approve_takes(void **state) {
	(void)state;
	check_line("{" HEAD ",\"from\":\"intern\",\"to\":[\"robot\"],\"kind\":\"mcp/proposal\",\"payload\":{\"method\":"
		   "\"tools/call\",\"params\":{\"name\":\"move\",\"arguments\":{}},\"reason\":\"please\"}}",
		"05:04:52 intern proposes 01234567 to robot: tools/call move {} (please)\n");
	check_line("{" HEAD ",\"from\":\"system:gateway\",\"kind\":\"system\",\"payload\":{\"event\":\"proposal\","
		   "\"proposalId\":\"0123456789abcdef\",\"status\":\"rejected\",\"by\":\"alice\",\"reason\":\"no\"}}",
		"05:04:52 * proposal 01234567 rejected by alice: no\n");
}

static void the_gateway_speaks_with_a_star(void **state) {
	(void)state;
	check_line("{" HEAD ",\"from\":\"system:gateway\",\"kind\":\"presence\",\"payload\":{\"event\":\"join\","
		   "\"participant\":{\"id\":\"bob\",\"kind\":\"robot\"}}}",
		"05:04:52 * bob, robot, joined\n");
	check_line("{" HEAD ",\"from\":\"system:gateway\",\"kind\":\"presence\",\"payload\":{\"event\":\"leave\","
		   "\"participant\":{\"id\":\"bob\",\"kind\":\"robot\"}}}",
		"05:04:52 * bob left\n");
	check_line("{" HEAD ",\"from\":\"system:gateway\",\"kind\":\"system\",\"payload\":{\"event\":\"error\",\"code\":"
		   "\"rate_limited\",\"message\":\"slower\"}}",
		"05:04:52 * refused: slower (rate_limited)\n");
	check_line("{" HEAD ",\"from\":\"system:gateway\",\"kind\":\"system\",\"payload\":{\"event\":\"privilege\","
		   "\"participant\":{\"id\":\"me\",\"privilege\":\"full\"}}}",
		"05:04:52 * you are now full\n");
	check_line("{" HEAD ",\"from\":\"system:gateway\",\"kind\":\"system\",\"payload\":{\"event\":\"gap\"}}",
		"05:04:52 * something was missed: what is shown next is live again\n");
}

static void long_arguments_are_cut_at_a_character(void **state) {
	const struct room_line_style style = {.is_utc = true};
	AUTO_TEXT struct text json = {0}, text = {0};
	(void)state;
	text_init(&json, 0);
	text_init(&text, 0);
	text_add_cstr(&json, "{" HEAD ",\"from\":\"a\",\"to\":[\"b\"],\"kind\":\"mcp\",\"payload\":{\"jsonrpc\":\"2.0\",\"id\":1,"
			     "\"method\":\"tools/call\",\"params\":{\"name\":\"x\",\"arguments\":{\"k\":\"");
	for (int i = 0; i < 1000; i++) text_add_cstr(&json, "\xc3\xbc");
	text_add_cstr(&json, "\"}}}}");
	show(&text, json.bytes, &style);
	assert_true(text.length < 320);
	assert_string_equal(text.bytes + text.length - 4, "...\n");
	assert_true(scan_is_utf8(text_slice(&text)));
}

static void raw_is_one_line_with_the_values_as_they_came(void **state) {
	const struct room_line_style style = {.is_raw = true};
	AUTO_TEXT struct text text = {0};
	(void)state;
	text_init(&text, 0);
	show(&text, "{\n  " HEAD ",\n \"kind\": \"chat\", \"payload\": {\"text\":\"a b\", \"n\": 1e400}\n}", &style);
	check_text(&text, "{" HEAD ",\"kind\":\"chat\",\"payload\":{\"text\":\"a b\",\"n\":1e400}}\n");
}

static void names_are_coloured_only_when_wished(void **state) {
	const struct room_line_style style = {.is_utc = true, .has_colours = true};
	const char *json = "{" HEAD ",\"from\":\"alice\",\"kind\":\"chat\",\"payload\":{\"text\":\"hi\"}}";
	AUTO_TEXT struct text text = {0};
	(void)state;
	text_init(&text, 0);
	show(&text, json, &style);
	assert_non_null(strstr(text.bytes, "\x1b["));
	assert_non_null(strstr(text.bytes, "alice\x1b[0m: hi"));
}

static void a_stream_is_a_line_for_each_part(void **state) {
	(void)state;
	check_line("{" HEAD ",\"from\":\"mind\",\"to\":[\"ann\"],\"kind\":\"mcp\",\"payload\":{\"jsonrpc\":\"2.0\",\"method\":"
		   "\"notifications/mgp.stream.chunk\",\"params\":{\"request_id\":20,\"index\":0,\"content\":{\"type\":\"text\","
		   "\"text\":\"Quantum\\ncomputing\"},\"done\":false}}}",
		"05:04:52 mind > ann: ... Quantum\n           computing\n");
	check_line("{" HEAD ",\"from\":\"mind\",\"to\":[\"ann\"],\"kind\":\"mcp\",\"payload\":{\"jsonrpc\":\"2.0\",\"method\":"
		   "\"notifications/mgp.stream.chunk\",\"params\":{\"request_id\":20,\"index\":0,\"content\":{\"type\":\"x\"}}}}",
		"05:04:52 mind > ann: ... {\"type\":\"x\"}\n");
	check_line("{" HEAD ",\"from\":\"mind\",\"to\":[\"ann\"],\"kind\":\"mcp\",\"payload\":{\"jsonrpc\":\"2.0\",\"method\":"
		   "\"notifications/mgp.stream.progress\",\"params\":{\"request_id\":20,\"progress\":0.5}}}",
		"");
	check_line("{" HEAD ",\"from\":\"mind\",\"to\":[\"ann\"],\"kind\":\"mcp\",\"payload\":{\"jsonrpc\":\"2.0\",\"method\":"
		   "\"notifications/mgp.callback.request\",\"params\":{\"callback_id\":\"cb-1\",\"message\":\"Go on?\","
		   "\"options\":[\"yes\",\"no\"]}}}",
		"05:04:52 mind > ann: asks: Go on? [\"yes\",\"no\"]\n");
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(chats_of_both_forms_look_alike),
		cmocka_unit_test(further_lines_of_a_chat_have_a_margin),
		cmocka_unit_test(further_lines_of_a_result_have_a_margin),
		cmocka_unit_test(what_could_confuse_a_terminal_is_not_sent_to_it),
		cmocka_unit_test(requests_and_answers_name_both_sides),
		cmocka_unit_test(handshakes_pings_and_heartbeats_are_not_shown),
		cmocka_unit_test(proposals_show_what_approve_takes),
		cmocka_unit_test(the_gateway_speaks_with_a_star),
		cmocka_unit_test(long_arguments_are_cut_at_a_character),
		cmocka_unit_test(a_stream_is_a_line_for_each_part),
		cmocka_unit_test(raw_is_one_line_with_the_values_as_they_came),
		cmocka_unit_test(names_are_coloured_only_when_wished),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
