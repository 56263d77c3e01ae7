/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"

#include "gateway/mcp_room_uri.h"

static void a_uri_is_read_as_it_is_written(void **state) {
	static const char *const topics[] = {"demo", "room:alpha", "a/b", "x@y.z"};
	(void)state;
	for (size_t i = 0; i < COUNT_OF(topics); i++) {
		for (int resource = 0; resource < MCP_ROOM_RESOURCES; resource++) {
			char uri[MCP_ROOM_URI];
			mcp_room_uri_write(uri, slice_of(topics[i]), (enum mcp_room_resource)resource);
			assert_int_equal(mcp_room_uri_read(slice_of(uri), slice_of(topics[i])), resource);
		}
	}
}

static void a_slash_is_escaped_and_nothing_else(void **state) {
	char uri[MCP_ROOM_URI];
	(void)state;
	mcp_room_uri_write(uri, SLICE("team:a/b"), MCP_ROOM_CHAT);
	assert_string_equal(uri, "hustings://rooms/team:a%2Fb/chat");
	mcp_room_uri_write(uri, SLICE("demo"), MCP_ROOM_PRESENCE);
	assert_string_equal(uri, "hustings://rooms/demo/presence");
}

static void a_uri_of_another_topic_is_none(void **state) {
	(void)state;
	assert_int_equal(mcp_room_uri_read(SLICE("hustings://rooms/lab/chat"), SLICE("demo")), MCP_ROOM_NOTHING);
	assert_int_equal(mcp_room_uri_read(SLICE("hustings://rooms/demo/chat/"), SLICE("demo")), MCP_ROOM_NOTHING);
	assert_int_equal(mcp_room_uri_read(SLICE("hustings://rooms/demo/file"), SLICE("demo")), MCP_ROOM_NOTHING);
	assert_int_equal(mcp_room_uri_read(SLICE(""), SLICE("demo")), MCP_ROOM_NOTHING);
}

static void the_longest_topic_has_room(void **state) {
	char topic[129], uri[MCP_ROOM_URI];
	(void)state;
	memset(topic, '/', 128);
	topic[128] = '\0';
	mcp_room_uri_write(uri, slice_of(topic), MCP_ROOM_PRESENCE);
	assert_int_equal(strlen(uri), strlen("hustings://rooms/") + 3 * 128 + strlen("/presence"));
	assert_int_equal(mcp_room_uri_read(slice_of(uri), slice_of(topic)), MCP_ROOM_PRESENCE);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_uri_is_read_as_it_is_written),
		cmocka_unit_test(a_slash_is_escaped_and_nothing_else),
		cmocka_unit_test(a_uri_of_another_topic_is_none),
		cmocka_unit_test(the_longest_topic_has_room),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
