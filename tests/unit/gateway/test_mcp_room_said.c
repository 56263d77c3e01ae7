/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"

#include "gateway/mcp_room_said.h"

#include <stdio.h>
#include <stdlib.h>

static struct mcp_room_said said;
static struct text shown;

static int set_up(void **state) {
	(void)state;
	mcp_room_said_init(&said);
	text_init(&shown, 0);
	return 0;
}

static int tear_down(void **state) {
	(void)state;
	mcp_room_said_finish(&said);
	text_finish(&shown);
	return 0;
}

static void say(const char *from, struct slice words, int64_t at) {
	const struct guest_chat chat = {.from = slice_of(from), .text = words, .at = at};
	mcp_room_said_add(&said, &chat);
}

static void show(void) {
	text_clear(&shown);
	mcp_room_said_write(&said, &shown);
}

static void a_message_is_a_line_with_its_time_and_speaker(void **state) {
	(void)state;
	say("alice", SLICE("Hello"), 1769860800123);
	say("bob", SLICE(""), 0);
	show();
	assert_string_equal(shown.bytes, "2026-01-31T12:00:00.123Z alice: Hello\nbob: \n");
}

static void nobody_speaks_in_another_name_by_a_line_break(void **state) {
	(void)state;
	say("mallory", SLICE("hm\nalice: I agree\r\nbob: me too"), 0);
	show();
	const char *rest = shown.bytes;
	for (const char *line; (line = strchr(rest, '\n')) && line[1]; rest = line + 1)
		assert_int_equal(line[1], '\t');
}

static void the_oldest_give_way(void **state) {
	char words[32];
	(void)state;
	for (int i = 0; i < MCP_ROOM_SAID + 5; i++) {
		snprintf(words, sizeof words, "message %d", i);
		say("alice", slice_of(words), 0);
	}
	show();
	assert_int_equal(said.count, MCP_ROOM_SAID);
	assert_memory_equal(shown.bytes, "alice: message 5\n", 17);
}

static void long_messages_are_cut_and_few_are_kept(void **state) {
	size_t length = 2 * MCP_ROOM_SAID_LINE;
	char *words = malloc(length);
	(void)state;
	assert_non_null(words);
	memset(words, 'x', length);
	for (int i = 0; i < MCP_ROOM_SAID; i++) say("alice", slice_make(words, length), 0);
	free(words);
	show();
	assert_in_range(shown.length, MCP_ROOM_SAID_OCTETS / 2, MCP_ROOM_SAID_OCTETS);
	assert_non_null(strstr(shown.bytes, "x [...]\n"));
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_message_is_a_line_with_its_time_and_speaker, set_up, tear_down),
		cmocka_unit_test_setup_teardown(nobody_speaks_in_another_name_by_a_line_break, set_up, tear_down),
		cmocka_unit_test_setup_teardown(the_oldest_give_way, set_up, tear_down),
		cmocka_unit_test_setup_teardown(long_messages_are_cut_and_few_are_kept, set_up, tear_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
