/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"
#include "cli/attached_facts.h"
#include "cli/attached_pages.h"

#include <stdio.h>
#include <stdlib.h>

#define BOTH (ATTACHED_RESOURCES | ATTACHED_PROMPTS)

static void what_may_be_exposed_is_read_from_a_list(void **state) {
	struct fault why;
	unsigned exposed = 77;
	(void)state;
	assert_true(attached_exposure_read(SLICE("resources"), &exposed, &why));
	assert_int_equal(exposed, ATTACHED_RESOURCES);
	assert_true(attached_exposure_read(SLICE("prompts, resources"), &exposed, &why));
	assert_int_equal(exposed, BOTH);
	assert_false(attached_exposure_read(SLICE("tools"), &exposed, &why));
	assert_false(attached_exposure_read(SLICE(""), &exposed, &why));
	assert_int_equal(exposed, BOTH);
}

static void tools_alone_are_reached_unless_more_is_exposed(void **state) {
	(void)state;
	assert_int_equal(attached_way_of(SLICE("initialize"), 0), ATTACHED_HANDSHAKE);
	assert_int_equal(attached_way_of(SLICE("ping"), 0), ATTACHED_PING);
	assert_int_equal(attached_way_of(SLICE("tools/list"), 0), ATTACHED_LIST);
	assert_int_equal(attached_way_of(SLICE("tools/call"), 0), ATTACHED_FORWARD);
	assert_int_equal(attached_way_of(SLICE("resources/read"), 0), ATTACHED_UNKNOWN);
	assert_int_equal(attached_way_of(SLICE("resources/read"), ATTACHED_PROMPTS), ATTACHED_UNKNOWN);
	assert_int_equal(attached_way_of(SLICE("resources/read"), ATTACHED_RESOURCES), ATTACHED_FORWARD);
	assert_int_equal(attached_way_of(SLICE("prompts/get"), ATTACHED_PROMPTS), ATTACHED_FORWARD);
	assert_int_equal(attached_way_of(SLICE("completion/complete"), 0), ATTACHED_UNKNOWN);
	assert_int_equal(attached_way_of(SLICE("completion/complete"), ATTACHED_PROMPTS), ATTACHED_FORWARD);
	assert_int_equal(attached_way_of(SLICE("resources/subscribe"), BOTH), ATTACHED_UNKNOWN);
	assert_int_equal(attached_way_of(SLICE("Tools/call"), BOTH), ATTACHED_UNKNOWN);
}

static void the_room_hears_of_lists_that_it_may_use(void **state) {
	bool tools;
	(void)state;
	assert_true(attached_is_told(SLICE("notifications/tools/list_changed"), 0, &tools));
	assert_true(tools);
	assert_false(attached_is_told(SLICE("notifications/resources/list_changed"), 0, &tools));
	assert_true(attached_is_told(SLICE("notifications/resources/list_changed"), BOTH, &tools));
	assert_false(tools);
	assert_false(attached_is_told(SLICE("notifications/message"), BOTH, &tools));
	assert_false(attached_is_told(SLICE("notifications/resources/updated"), BOTH, &tools));
}

static void check_facts(const char *result, unsigned exposed, const char *facts) {
	struct fault why;
	AUTO_TEXT struct text text = {0};
	text_init(&text, 0);
	assert_true(attached_facts_write(&text, slice_of(result), exposed, &why));
	check_text(&text, facts);
}

#define SAID \
	"{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{\"tools\":{\"listChanged\":true},\"logging\":{}," \
	"\"resources\":{\"subscribe\":true,\"listChanged\":true},\"prompts\":{},\"completions\":{}}," \
	"\"serverInfo\":{\"name\":\"x\", \"version\":\"1\"},\"instructions\":\"Be \\u006bind\",\"_meta\":{\"a\":1}}"

static void callers_hear_what_is_exposed_and_nothing_else(void **state) {
	(void)state;
	check_facts(SAID, 0, "{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{\"tools\":{\"listChanged\":true}},"
			     "\"serverInfo\":{\"name\":\"x\", \"version\":\"1\"},\"instructions\":\"Be \\u006bind\"}");
	check_facts(SAID, BOTH, "{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{\"tools\":{\"listChanged\":true},"
				"\"resources\":{\"listChanged\":true},\"prompts\":{},\"completions\":{}},"
				"\"serverInfo\":{\"name\":\"x\", \"version\":\"1\"},\"instructions\":\"Be \\u006bind\"}");
	check_facts("{\"protocolVersion\":\"2024-11-05\"}", BOTH,
		"{\"protocolVersion\":\"2024-11-05\",\"capabilities\":{},\"serverInfo\":{\"name\":\"unnamed\",\"version\":\"0\"}}");
}

static void an_unknown_version_is_refused(void **state) {
	struct fault why;
	AUTO_TEXT struct text text = {0};
	(void)state;
	text_init(&text, 0);
	assert_false(attached_facts_write(&text, SLICE("{\"protocolVersion\":\"1999-01-01\"}"), 0, &why));
	assert_int_equal(why.code, FAULT_UNSUPPORTED);
	assert_false(attached_facts_write(&text, SLICE("{}"), 0, &why));
	assert_int_equal(why.code, FAULT_BAD_INPUT);
	assert_false(attached_facts_write(&text, SLICE("[]"), 0, &why));
	assert_int_equal(text.length, 0);
}

static void a_name_is_harmless_and_short(void **state) {
	AUTO_TEXT struct text text = {0};
	(void)state;
	text_init(&text, 0);
	attached_facts_name(&text, SLICE(SAID));
	check_text(&text, "x 1");
	text_clear(&text);
	attached_facts_name(&text, SLICE("{\"serverInfo\":{\"name\":\"\\u001b[31mred\"}}"));
	assert_null(strchr(text.bytes, '\x1b'));
	text_clear(&text);
	attached_facts_name(&text, SLICE("{}"));
	check_text(&text, "unnamed");
}

/* ---- Pages ---- */

static void pages_are_remembered_until_they_change(void **state) {
	struct attached_pages pages;
	(void)state;
	attached_pages_init(&pages);
	assert_null(attached_pages_find(&pages, SLICE_NONE).bytes);
	attached_pages_keep(&pages, pages.changes, SLICE_NONE, SLICE("{\"tools\":[1]}"));
	attached_pages_keep(&pages, pages.changes, SLICE("\"b\""), SLICE("{\"tools\":[2]}"));
	attached_pages_keep(&pages, pages.changes, SLICE("\"b\""), SLICE("{\"tools\":[3]}"));
	check_slice(attached_pages_find(&pages, SLICE_NONE), "{\"tools\":[1]}");
	check_slice(attached_pages_find(&pages, SLICE("\"b\"")), "{\"tools\":[2]}");
	attached_pages_forget(&pages);
	assert_null(attached_pages_find(&pages, SLICE_NONE).bytes);
	assert_int_equal(pages.octets, 0);
	attached_pages_finish(&pages);
}

static void an_answer_from_before_the_change_is_not_remembered(void **state) {
	struct attached_pages pages;
	(void)state;
	attached_pages_init(&pages);
	unsigned asked_at = pages.changes;
	attached_pages_forget(&pages);
	attached_pages_keep(&pages, asked_at, SLICE_NONE, SLICE("{}"));
	assert_null(attached_pages_find(&pages, SLICE_NONE).bytes);
	attached_pages_finish(&pages);
}

static void what_is_remembered_is_bounded(void **state) {
	struct attached_pages pages;
	char cursor[16];
	(void)state;
	attached_pages_init(&pages);
	for (unsigned i = 0; i < ATTACHED_PAGES + 10; i++) {
		int length = snprintf(cursor, sizeof cursor, "%u", i);
		attached_pages_keep(&pages, 0, slice_make(cursor, (size_t)length), SLICE("{}"));
	}
	assert_int_equal(pages.count, ATTACHED_PAGES);
	attached_pages_forget(&pages);
	char *large = calloc(1, ATTACHED_OCTETS);
	assert_non_null(large);
	attached_pages_keep(&pages, 1, SLICE("1"), slice_make(large, ATTACHED_OCTETS));
	assert_int_equal(pages.count, 0);
	attached_pages_keep(&pages, 1, SLICE("1"), slice_make(large, ATTACHED_OCTETS - 1));
	assert_int_equal(pages.count, 1);
	attached_pages_keep(&pages, 1, SLICE("2"), SLICE("{}"));
	assert_int_equal(pages.count, 1);
	free(large);
	attached_pages_finish(&pages);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_may_be_exposed_is_read_from_a_list),
		cmocka_unit_test(tools_alone_are_reached_unless_more_is_exposed),
		cmocka_unit_test(the_room_hears_of_lists_that_it_may_use),
		cmocka_unit_test(callers_hear_what_is_exposed_and_nothing_else),
		cmocka_unit_test(an_unknown_version_is_refused),
		cmocka_unit_test(a_name_is_harmless_and_short),
		cmocka_unit_test(pages_are_remembered_until_they_change),
		cmocka_unit_test(an_answer_from_before_the_change_is_not_remembered),
		cmocka_unit_test(what_is_remembered_is_bounded),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
