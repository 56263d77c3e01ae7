/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"

#include "client/roster.h"

static struct roster roster;
static unsigned joined, left;

static void on_joined(void *context, const struct roster_entry *entry) {
	(void)context;
	assert_ptr_equal(roster_find(&roster, slice_of(entry->id)), entry);
	joined++;
}
static void on_left(void *context, const struct roster_entry *entry) {
	(void)context;
	assert_null(roster_find(&roster, slice_of(entry->id)));
	left++;
}
static const struct roster_events events = {on_joined, on_left};

static int set_up(void **state) {
	(void)state;
	joined = left = 0;
	roster_init(&roster, &events, NULL);
	return 0;
}

static int tear_down(void **state) {
	(void)state;
	roster_finish(&roster);
	return 0;
}

static void welcome(const char *text) {
	struct scan_value root;
	struct scan_fault fault;
	assert_true(scan_check(slice_of(text), SCAN_DEPTH, &root, &fault));
	roster_welcome(&roster, &root);
}

static void presence(const char *text) {
	struct scan_value root;
	struct scan_fault fault;
	assert_true(scan_check(slice_of(text), SCAN_DEPTH, &root, &fault));
	roster_presence(&roster, &root, SLICE("me"));
}

#define FULL "{\"participants\":[{\"id\":\"a\",\"name\":\"A\\u0041\",\"kind\":\"robot\"," \
	     "\"mcp\":{\"version\":\"2025-06-18\"},\"privilege\":\"full\"},{\"id\":\"b\"}]}"

static void the_welcome_fills_it_and_a_later_one_reconciles(void **state) {
	(void)state;
	welcome(FULL);
	assert_int_equal(roster_count(&roster), 2);
	const struct roster_entry *a = roster_find(&roster, SLICE("a"));
	assert_string_equal(a->name, "AA");
	assert_int_equal(a->kind, ROSTER_ROBOT);
	assert_string_equal(a->mcp_version, "2025-06-18");
	welcome("{\"participants\":[{\"id\":\"c\"},{\"id\":\"a\"}]}");
	assert_int_equal(joined, 3);
	assert_int_equal(left, 1);
	assert_null(roster_find(&roster, SLICE("b")));
	assert_ptr_equal(roster_find(&roster, SLICE("a")), a);
	assert_string_equal(a->name, ""); /* as it is said now */
}

static void presence_adds_and_removes_and_never_ourselves(void **state) {
	(void)state;
	presence("{\"event\":\"join\",\"participant\":{\"id\":\"a\"}}");
	presence("{\"event\":\"heartbeat\",\"participant\":{\"id\":\"a\"}}");
	presence("{\"event\":\"join\",\"participant\":{\"id\":\"me\"}}");
	assert_int_equal(joined, 1);
	presence("{\"event\":\"leave\",\"participant\":{\"id\":\"zoe\"}}");
	presence("{\"event\":\"leave\",\"participant\":{\"id\":\"\\u0061\"}}");
	assert_int_equal(left, 1);
	assert_int_equal(roster_count(&roster), 0);
}

static void a_partial_welcome_removes_nobody(void **state) {
	struct scan_value list;
	struct scan_fault fault;
	(void)state;
	welcome(FULL);
	welcome("{\"participants\":[{\"id\":\"a\"}],\"participants_total\":2}");
	assert_true(roster.is_partial);
	assert_int_equal(left, 0);
	assert_true(scan_check(SLICE("[{\"id\":\"z\"},{\"id\":\"me\"}]"), SCAN_DEPTH, &list, &fault));
	roster_add_all(&roster, &list, SLICE("me"));
	assert_int_equal(roster_count(&roster), 3);
}

static void records_without_an_id_are_nobody(void **state) {
	(void)state;
	welcome("{\"participants\":[{},7,{\"id\":\"\"},{\"id\":5},{\"id\":\"nul\\u0000\"}]}");
	presence("{\"event\":\"join\"}");
	presence("{}");
	assert_int_equal(roster_count(&roster), 0);
}

static void it_is_written_as_presence_get_answers(void **state) {
	AUTO_TEXT struct text text;
	(void)state;
	text_init(&text, 0);
	roster_write(&roster, &text);
	check_text(&text, "{\"participants\":[]}");
	welcome(FULL);
	text_clear(&text);
	roster_write(&roster, &text);
	check_text(&text, "{\"participants\":[{\"id\":\"a\",\"name\":\"AA\",\"kind\":\"robot\",\"mcp\":{\"version\":"
			  "\"2025-06-18\"},\"privilege\":\"full\"},{\"id\":\"b\"}]}");
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(the_welcome_fills_it_and_a_later_one_reconciles),
		TEST(presence_adds_and_removes_and_never_ourselves),
		TEST(a_partial_welcome_removes_nobody),
		TEST(records_without_an_id_are_nobody),
		TEST(it_is_written_as_presence_get_answers),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
