/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"

#include "kernel/definition.h"

static struct arena arena;
static struct hosted_settings settings;
static struct fault why;

static bool reads(const char *json) {
	why = (struct fault){.code = FAULT_NONE};
	return definition_read(slice_of(json), &arena, &settings, &why);
}

static void check_refused(const char *json, const char *word) {
	assert_false(reads(json));
	assert_int_equal(why.code, FAULT_BAD_INPUT);
	if (!strstr(why.text, word)) fail_msg("\"%s\" does not name %s", why.text, word);
}

static int set_up(void **state) {
	(void)state;
	arena_init(&arena, NULL, 0, 0);
	return 0;
}

static int tear_down(void **state) {
	(void)state;
	arena_finish(&arena);
	return 0;
}

static void a_process_is_read_whatever_the_order_of_its_members(void **state) {
	(void)state;
	static const char *const orders[] = {
		"{\"id\":\"files\",\"command\":\"npx\",\"args\":[\"-y\",\"a b\"],\"env\":{\"A\":\"1=2\"},\"cwd\":\"/srv\"}",
		"{\"args\":[\"-y\",\"a b\"],\"cwd\":\"/srv\",\"env\":{\"A\":\"1=2\"},\"command\":\"npx\",\"id\":\"files\"}",
	};
	for (size_t i = 0; i < COUNT_OF(orders); i++) {
		assert_true(reads(orders[i]));
		assert_string_equal(settings.id, "files");
		assert_string_equal(settings.arguments[0], "npx");
		assert_string_equal(settings.arguments[1], "-y");
		assert_string_equal(settings.arguments[2], "a b");
		assert_null(settings.arguments[3]);
		assert_string_equal(settings.environment[0], "A=1=2");
		assert_null(settings.environment[1]);
		assert_string_equal(settings.directory, "/srv");
		assert_null(settings.url);
	}
}

static void a_remote_server_is_read(void **state) {
	(void)state;
	assert_true(reads("{\"id\":\"far\",\"url\":\"https://mcp.example/sse\",\"transport\":\"sse\","
			  "\"headers\":{\"Authorization\":\"Bearer k\"},\"share\":\"all\",\"rooms\":[\"demo\",\"lab\"]}"));
	assert_null(settings.arguments);
	assert_true(settings.is_sse);
	assert_string_equal(settings.headers[0], "Authorization: Bearer k");
	assert_int_equal(settings.share, HOSTED_SHARE_ALL);
	assert_string_equal(settings.rooms[1], "lab");
	assert_null(settings.rooms[2]);
}

static void what_does_not_fit_is_refused_by_name(void **state) {
	(void)state;
	check_refused("[]", "object");
	check_refused("{\"id\":\"a\"", "object");
	check_refused("{\"command\":\"x\"}", "id");
	check_refused("{\"id\":\"a\",\"id\":\"b\",\"command\":\"x\"}", "twice");
	check_refused("{\"id\":\"a\",\"comand\":\"x\"}", "comand");
	check_refused("{\"id\":7,\"command\":\"x\"}", "id");
	check_refused("{\"id\":\"a\",\"command\":\"\"}", "command");
	check_refused("{\"id\":\"a\",\"args\":[\"x\"]}", "args");
	check_refused("{\"id\":\"a\",\"command\":\"x\",\"args\":\"y\"}", "args");
	check_refused("{\"id\":\"a\",\"command\":\"x\",\"args\":[1]}", "args");
	check_refused("{\"id\":\"a\",\"command\":\"x\",\"env\":{\"A=B\":\"c\"}}", "env");
	check_refused("{\"id\":\"a\",\"command\":\"x\",\"env\":{\"\":\"c\"}}", "env");
	check_refused("{\"id\":\"a\",\"url\":\"http://h/\",\"headers\":{\"A\":\"b\\r\\nC: d\"}}", "headers");
	check_refused("{\"id\":\"a\",\"url\":\"http://h/\",\"command\":\"x\"}", "url");
	check_refused("{\"id\":\"a\",\"url\":\"http://h/\",\"env\":{\"A\":\"b\"}}", "url");
	check_refused("{\"id\":\"a\",\"url\":\"http://h/\",\"transport\":\"stdio\"}", "transport");
	check_refused("{\"id\":\"a\",\"command\":\"x\",\"transport\":\"sse\"}", "transport");
	check_refused("{\"id\":\"a\",\"command\":\"x\",\"transport\":\"pigeon\"}", "transport");
	check_refused("{\"id\":\"a\",\"command\":\"x\",\"share\":\"none\"}", "share");
	check_refused("{\"id\":\"a\",\"command\":\"x\",\"rooms\":[\"\"]}", "rooms");
	check_refused("{\"id\":\"a\",\"command\":\"x\\u0000y\"}", "command");
}

static void lists_are_bounded(void **state) {
	(void)state;
	AUTO_TEXT struct text json = {0};
	text_init(&json, 0);
	text_add_cstr(&json, "{\"id\":\"a\",\"command\":\"x\",\"args\":[\"0\"");
	for (unsigned i = 1; i < DEFINITION_STRINGS; i++) text_add_cstr(&json, ",\"1\"");
	size_t fits = json.length;
	text_add_cstr(&json, "]}");
	assert_true(reads(json.bytes));
	json.length = fits;
	text_add_cstr(&json, ",\"1\"]}");
	check_refused(json.bytes, "args");
	text_clear(&json);
	text_add_cstr(&json, "{\"id\":\"a\",\"cwd\":\"");
	for (unsigned i = 0; i < DEFINITION_OCTETS; i++) text_add_char(&json, 'x');
	text_add_cstr(&json, "\"}");
	assert_false(reads(json.bytes));
	assert_int_equal(why.code, FAULT_TOO_LARGE);
}

static void what_is_secret_is_not_shown(void **state) {
	(void)state;
	AUTO_TEXT struct text shown = {0};
	text_init(&shown, 0);
	assert_true(reads("{\"id\":\"files\",\"command\":\"npx\",\"args\":[\"-y\"],\"env\":{\"KEY\":\"hush\"}}"));
	definition_write(&shown, &settings);
	check_text(&shown, "\"id\":\"files\",\"transport\":\"stdio\",\"command\":\"npx\",\"args\":[\"-y\"],"
			   "\"env\":[\"KEY\"],\"share\":\"principal\"");
	text_clear(&shown);
	assert_true(reads("{\"id\":\"far\",\"url\":\"https://h/\",\"headers\":{\"Authorization\":\"Bearer hush\"}}"));
	definition_write(&shown, &settings);
	check_text(&shown, "\"id\":\"far\",\"transport\":\"http\",\"url\":\"https://h/\","
			   "\"headers\":[\"Authorization\"],\"share\":\"principal\"");
}

static void check_url(const char *url, const char *expected) {
	AUTO_TEXT struct text json = {0}, shown = {0}, wanted = {0};
	text_init(&json, 0);
	text_init(&shown, 0);
	text_init(&wanted, 0);
	text_printf(&json, "{\"id\":\"far\",\"url\":\"%s\"}", url);
	text_printf(&wanted, "\"id\":\"far\",\"transport\":\"http\",\"url\":\"%s\",\"share\":\"principal\"", expected);
	assert_true(reads(json.bytes));
	definition_write(&shown, &settings);
	check_text(&shown, wanted.bytes);
}

static void a_url_keeps_its_secrets(void **state) {
	(void)state;
	check_url("https://h:8/a/b@c", "https://h:8/a/b@c");
	check_url("https://ann:hu@sh@h/a", "https://***@h/a");
	check_url("https://h?key=hush", "https://h?key=***");
	check_url("https://h/a?key=hu=sh&x=1&hush", "https://h/a?key=***&x=***&***");
	check_url("https://h/a#hush", "https://h/a?***");
	check_url("https://h/?", "https://h/?***");
	check_url("ann:hush@h", "***@h");
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_process_is_read_whatever_the_order_of_its_members, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_remote_server_is_read, set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_does_not_fit_is_refused_by_name, set_up, tear_down),
		cmocka_unit_test_setup_teardown(lists_are_bounded, set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_is_secret_is_not_shown, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_url_keeps_its_secrets, set_up, tear_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
