/* SPDX-License-Identifier: Apache-2.0 */
/* Reading the trail: page by page in both directions, in every form, and never too much at once. */
#include "archive_rig.h"

#include "store/audit.h"
#include "store/audit_chain.h"
#include "store/audit_question.h"
#include "wire/scan.h"

#include <stdio.h>

static void fill(struct shelf *shelf, int count) {
	for (int i = 1; i <= count; i++) {
		struct fault why = {0};
		struct audit_link newest;
		struct audit_record record = {
			.event = i % 2 ? SLICE("joined") : SLICE("TOOL_EXECUTED"),
			.actor = i % 3 ? SLICE("ann") : SLICE("bob"),
			.result = SLICE("SUCCESS"),
			.count = 1,
		};
		if (!audit_chain_add(shelf->archive, &record, i * 1000, &newest, &why)) fail_msg("%s", why.text);
	}
}

static void answer(struct shelf *shelf, struct audit_question *question) {
	struct fault why = {0};
	if (!audit_answer(shelf->archive, question, &why)) fail_msg("%s", why.text);
}

/* The row numbers of an answer of AUDIT_LINES, a blank behind each. */
static const char *rows_of(const struct audit_question *question) {
	static char rows[512];
	struct slice rest = text_slice(&question->text), line;
	rows[0] = '\0';
	while (rest.length && slice_split(&rest, '\n', &line)) {
		struct scan_value root, row;
		struct scan_fault fault;
		size_t used = strlen(rows);
		assert_true(scan_check(line, SCAN_DEPTH, &root, &fault) && scan_find(&root, "row", &row));
		snprintf(rows + used, sizeof rows - used, "%.*s ", SLICE_ARGS(row.text));
	}
	return rows;
}

static void pages_go_downward_and_upward(void **state) {
	struct shelf *shelf = *state;
	struct audit_question down = {.form = AUDIT_LINES, .limit = 4}, up = {.form = AUDIT_LINES, .limit = 4, .is_upward = true};
	static const char *const downward[] = {"10 9 8 7 ", "6 5 4 3 ", "2 1 "};
	static const char *const upward[] = {"1 2 3 4 ", "5 6 7 8 ", "9 10 "};
	fill(shelf, 10);
	for (size_t i = 0; i < 3; i++) {
		answer(shelf, &down);
		assert_string_equal(rows_of(&down), downward[i]);
		answer(shelf, &up);
		assert_string_equal(rows_of(&up), upward[i]);
		assert_int_equal(down.next == 0, i == 2);
		assert_int_equal(up.next == 0, i == 2);
		down.from = down.next;
		up.from = up.next;
	}
	down.from = 1;
	answer(shelf, &down);
	assert_int_equal(down.count, 0);
	assert_int_equal(down.next, 0);
	up.from = 10;
	answer(shelf, &up);
	assert_int_equal(up.count, 0);
	assert_int_equal(up.next, 0);
	up.from = INT64_MAX;
	answer(shelf, &up);
	assert_int_equal(up.count, 0);
	audit_question_finish(&down);
	audit_question_finish(&up);
}

static void an_empty_trail_has_an_answer(void **state) {
	struct audit_question question = {.form = AUDIT_LIST};
	answer(*state, &question);
	assert_string_equal(question.text.bytes, "{\"records\":[],\"next_before\":null}");
	audit_question_finish(&question);
}

static void every_form_holds_the_same_records(void **state) {
	struct shelf *shelf = *state;
	static const struct {
		enum audit_form form;
		const char *beginning;
	} table[] = {
		{AUDIT_LIST, "{\"records\":[{\"row\":3,\"ts\":\"1970-01-01T00:00:03.000Z\",\"event\":\"joined\""},
		{AUDIT_LINES, "{\"row\":3,\"ts\":\"1970-01-01T00:00:03.000Z\",\"event\":\"joined\",\"actor\":\"bob\","
			      "\"result\":\"SUCCESS\",\"event_type\":\"dev.hustings.participant_joined\",\"count\":1}\n{\"row\":2"},
		{AUDIT_CSV, "3,1970-01-01T00:00:03.000Z,dev.hustings.participant_joined,SUCCESS,1,joined,bob,"},
		{AUDIT_EVENTS, "{\"timestamp\":\"1970-01-01T00:00:03.000Z\",\"trace_id\":\""},
	};
	fill(shelf, 3);
	for (size_t i = 0; i < COUNT_OF(table); i++) {
		struct audit_question question = {.form = table[i].form};
		answer(shelf, &question);
		assert_int_equal(question.count, 3);
		assert_memory_equal(question.text.bytes, table[i].beginning, strlen(table[i].beginning));
		audit_question_finish(&question);
	}
}

static void filters_narrow_what_is_found(void **state) {
	struct shelf *shelf = *state;
	const struct {
		struct audit_filter filter;
		const char *rows;
	} table[] = {
		{{.actor = SLICE("bob")}, "9 6 3 "},
		{{.event = SLICE("joined"), .actor = SLICE("bob")}, "9 3 "},
		{{.event = SLICE("dev.hustings.participant_joined"), .actor = SLICE("bob")}, "9 3 "},
		{{.event = SLICE("TOOL_*"), .actor = SLICE("bob")}, "6 "},
		{{.since = 8000}, "10 9 8 "},
		{{.until = 3000}, "2 1 "},
		{{.since = 4000, .until = 6000}, "5 4 "},
		{{.result = SLICE("SUCCESS"), .since = 9500}, "10 "},
		{{.tool = SLICE("none")}, ""},
		{{.of_claims = true}, ""},
	};
	fill(shelf, 10);
	for (size_t i = 0; i < COUNT_OF(table); i++) {
		struct audit_question question = {.form = AUDIT_LINES, .filter = table[i].filter};
		answer(shelf, &question);
		assert_string_equal(rows_of(&question), table[i].rows);
		audit_question_finish(&question);
	}
}

static void many_claims(struct shelf *shelf, int count) {
	char sql[768];
	snprintf(sql, sizeof sql,
		"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d)"
		"INSERT INTO audit_claims (row, moment, event, actor, topic, target, gate, result, detail, actor_type,"
		" trace_id, server_id, tool_name, details, count, source, total)"
		" SELECT i, i, 'X.y', CASE WHEN i IN (1, %d) THEN 'rare' ELSE 'often' END,"
		" '', '', '', '', '', '', '', '', '', '', 1, 'server:x', i FROM n",
		count, count);
	assert_true(database_run(shelf->archive->database, sql, NULL));
}

static void one_question_looks_at_so_many_rows_alone(void **state) {
	struct shelf *shelf = *state;
	struct audit_question question = {
		.form = AUDIT_LINES, .filter = {.of_claims = true, .actor = SLICE("rare")}};
	many_claims(shelf, AUDIT_ROWS_LOOKED + 10);
	answer(shelf, &question);
	assert_int_equal(question.count, 1);
	assert_int_equal(question.next, 11);
	question.from = question.next;
	answer(shelf, &question);
	assert_string_equal(rows_of(&question), "1 ");
	assert_int_equal(question.next, 0);
	question.from = 0;
	question.is_upward = true;
	answer(shelf, &question);
	assert_string_equal(rows_of(&question), "1 ");
	assert_int_equal(question.next, AUDIT_ROWS_LOOKED);
	question.from = question.next;
	answer(shelf, &question);
	assert_int_equal(question.count, 1);
	assert_int_equal(question.next, 0);
	audit_question_finish(&question);
}

static void counting_goes_on_from_part_to_part(void **state) {
	struct shelf *shelf = *state;
	struct audit_tally tally;
	struct audit_question question = {.form = AUDIT_TALLY, .filter = {.of_claims = true}, .tally = &tally};
	int parts = 0;
	audit_tally_init(&tally);
	many_claims(shelf, AUDIT_ROWS_LOOKED + 10);
	do {
		answer(shelf, &question);
		question.from = question.next;
		parts++;
	} while (question.next);
	assert_int_equal(parts, 2);
	assert_int_equal(tally.rows, AUDIT_ROWS_LOOKED + 10);
	audit_tally_finish(&tally);
	audit_question_finish(&question);
}

static void an_answer_is_bounded_by_count_and_octets(void **state) {
	struct shelf *shelf = *state;
	static char large[60 * 1024];
	struct audit_question question = {.form = AUDIT_LINES, .limit = 100000};
	memset(large, 'x', sizeof large);
	fill(shelf, AUDIT_QUESTION_LIMIT + 1);
	answer(shelf, &question);
	assert_int_equal(question.count, AUDIT_QUESTION_LIMIT);
	assert_int_equal(question.next, 2);
	for (int i = 0; i < 30; i++) {
		struct audit_record record = {.event = SLICE("x"), .detail = slice_make(large, sizeof large), .count = 1};
		struct audit_link newest;
		assert_true(audit_chain_add(shelf->archive, &record, 1, &newest, NULL));
	}
	answer(shelf, &question);
	assert_in_range(question.count, 17, 19);
	assert_int_not_equal(question.next, 0);
	audit_question_finish(&question);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		SHELF_TEST(pages_go_downward_and_upward),
		SHELF_TEST(an_empty_trail_has_an_answer),
		SHELF_TEST(every_form_holds_the_same_records),
		SHELF_TEST(filters_narrow_what_is_found),
		SHELF_TEST(one_question_looks_at_so_many_rows_alone),
		SHELF_TEST(counting_goes_on_from_part_to_part),
		SHELF_TEST(an_answer_is_bounded_by_count_and_octets),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
