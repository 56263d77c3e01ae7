/* SPDX-License-Identifier: Apache-2.0 */
#include "archive_rig.h"

#include "base/clock.h"
#include "store/audit_chain.h"
#include "store/audit_question.h"
#include "store/retention.h"
#include "wire/scan.h"

#include <sys/wait.h>

static void write_one(struct shelf *shelf, const char *event, const char *actor) {
	struct fault why = {0};
	struct audit_record record = {
		.event = slice_of(event),
		.actor = slice_of(actor),
		.topic = SLICE("room"),
		.result = SLICE("ok"),
	};
	if (!audit_write_file(shelf->folder.path, &record, &why)) fail_msg("%s", why.text);
}

static void fill(struct shelf *shelf, int count) {
	for (int i = 0; i < count; i++) write_one(shelf, "joined", "alice");
}

static struct audit_verdict verify(struct shelf *shelf) {
	struct audit_verdict verdict;
	struct fault why = {0};
	if (!audit_verify(shelf->folder.path, &verdict, &why)) fail_msg("%s", why.text);
	return verdict;
}

static void run(struct shelf *shelf, const char *sql) {
	struct fault why = {0};
	if (!database_run(shelf->archive->database, sql, &why)) fail_msg("%s", why.text);
}

static void an_unharmed_trail_verifies(void **state) {
	struct shelf *shelf = *state;
	fill(shelf, 12);
	struct audit_verdict verdict = verify(shelf);
	assert_int_equal(verdict.rows, 12);
	assert_int_equal(verdict.first, 1);
	assert_int_equal(verdict.broken, 0);
	assert_false(verdict.tail_cut);
}

static void an_empty_trail_verifies(void **state) {
	struct audit_verdict verdict = verify(*state);
	assert_int_equal(verdict.rows, 0);
	assert_int_equal(verdict.broken, 0);
	assert_false(verdict.tail_cut);
}

static void a_row_that_was_changed_is_found(void **state) {
	struct shelf *shelf = *state;
	static const char *const columns[] = {
		"event = 'left'",
		"actor = 'bob'",
		"topic = 'other'",
		"target = 'x'",
		"gate = 'x'",
		"result = 'refused'",
		"detail = 'x'",
		"count = 2",
		"moment = moment + 1",
		"mac = zeroblob(32)",
		"actor = 'alicero', topic = 'om'",
		"actor_type = 'human'",
		"trace_id = '550e8400-e29b-41d4-a716-446655440000'",
		"server_id = 'files'",
		"tool_name = 'read'",
		"details = '{}'",
		"details = ''",
	};
	fill(shelf, 5);
	for (size_t i = 0; i < COUNT_OF(columns); i++) {
		char sql[128];
		run(shelf, "CREATE TEMP TABLE held AS SELECT * FROM audit");
		snprintf(sql, sizeof sql, "UPDATE audit SET %s WHERE row = 3", columns[i]);
		run(shelf, sql);
		struct audit_verdict verdict = verify(shelf);
		assert_int_equal(verdict.broken, 3);
		assert_int_equal(verdict.rows, 2);
		run(shelf, "DELETE FROM audit; INSERT INTO audit SELECT * FROM held; DROP TABLE held");
		assert_int_equal(verify(shelf).broken, 0);
	}
}

static void a_row_taken_out_is_found(void **state) {
	struct shelf *shelf = *state;
	fill(shelf, 5);
	run(shelf, "DELETE FROM audit WHERE row = 2");
	assert_int_equal(verify(shelf).broken, 2);
}

static void a_beginning_taken_away_is_found(void **state) {
	struct shelf *shelf = *state;
	fill(shelf, 5);
	run(shelf, "DELETE FROM audit WHERE row <= 2");
	assert_int_equal(verify(shelf).broken, 1);
}

static void a_tail_cut_off_is_told(void **state) {
	struct shelf *shelf = *state;
	fill(shelf, 5);
	run(shelf, "DELETE FROM audit WHERE row >= 4");
	struct audit_verdict verdict = verify(shelf);
	assert_int_equal(verdict.broken, 0);
	assert_int_equal(verdict.rows, 3);
	assert_true(verdict.tail_cut);
	run(shelf, "DELETE FROM audit");
	assert_true(verify(shelf).tail_cut);
}

static void a_head_that_was_taken_away_is_told(void **state) {
	struct shelf *shelf = *state;
	char path[128];
	fill(shelf, 5);
	snprintf(path, sizeof path, "%s/audit.head", shelf->folder.path);
	assert_int_equal(unlink(path), 0);
	assert_true(verify(shelf).tail_cut);
	FILE *head = fopen(path, "w");
	assert_non_null(head);
	fputs("5 nonsense\n", head);
	fclose(head);
	assert_true(verify(shelf).tail_cut);
}

static void a_head_that_is_behind_is_fine(void **state) {
	struct shelf *shelf = *state;
	struct audit_link head;
	struct fault why = {0};
	fill(shelf, 2);
	assert_true(audit_head_read(shelf->folder.path, &head, &why));
	assert_int_equal(head.row, 2);
	fill(shelf, 3);
	assert_true(audit_head_write(shelf->folder.path, &head, &why));
	assert_false(verify(shelf).tail_cut);
	head.mac[0] ^= 1;
	assert_true(audit_head_write(shelf->folder.path, &head, &why));
	assert_true(verify(shelf).tail_cut);
}

static void another_key_verifies_nothing(void **state) {
	struct shelf *shelf = *state;
	char path[128];
	fill(shelf, 2);
	snprintf(path, sizeof path, "%s/secret", shelf->folder.path);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(verify(shelf).broken, 1);
}

static void retain(struct shelf *shelf, struct store_retention retention, int64_t now) {
	struct fault why = {0};
	assert_true(database_begin(shelf->archive->database, &why));
	if (!retention_apply_audit(shelf->archive, &retention, now, &why)) fail_msg("%s", why.text);
	assert_true(database_commit(shelf->archive->database, &why));
}

static void retention_leaves_an_anchor_where_checking_begins(void **state) {
	struct shelf *shelf = *state;
	fill(shelf, 10);
	retain(shelf, (struct store_retention){.count = 4}, 0);
	struct audit_verdict verdict = verify(shelf);
	assert_int_equal(verdict.rows, 4);
	assert_int_equal(verdict.first, 7);
	assert_int_equal(verdict.broken, 0);
	assert_false(verdict.tail_cut);
	fill(shelf, 1);
	assert_int_equal(verify(shelf).rows, 5);
	assert_int_equal(verify(shelf).broken, 0);
	retain(shelf, (struct store_retention){.age_ms = 1}, INT64_MAX);
	assert_int_equal(verify(shelf).rows, 0);
	assert_false(verify(shelf).tail_cut);
	fill(shelf, 1);
	assert_int_equal(verify(shelf).rows, 1);
	assert_int_equal(verify(shelf).first, 12);
	assert_int_equal(verify(shelf).broken, 0);
}

static void the_trail_is_bounded_by_octets_too(void **state) {
	struct shelf *shelf = *state;
	fill(shelf, 10); /* of 6 + 5 + 4 + 2 octets each, and 16 of AUDIT_BY_COMMAND */
	retain(shelf, (struct store_retention){.bytes = 330}, 0);
	assert_int_equal(verify(shelf).rows, 10);
	retain(shelf, (struct store_retention){.bytes = 329}, 0);
	assert_int_equal(verify(shelf).rows, 9);
	retain(shelf, (struct store_retention){.bytes = 99}, 0);
	assert_int_equal(verify(shelf).rows, 3);
	retain(shelf, (struct store_retention){.bytes = 99}, 0);
	assert_int_equal(verify(shelf).rows, 3);
	assert_int_equal(verify(shelf).broken, 0);
}

static void several_processes_write_one_chain(void **state) {
	struct shelf *shelf = *state;
	pid_t children[4];
	for (int i = 0; i < 4; i++) {
		children[i] = fork();
		assert_true(children[i] >= 0);
		if (children[i]) continue;
		struct audit_record record = {.event = SLICE("token"), .result = SLICE("ok")};
		bool done = true;
		for (int j = 0; done && j < 5; j++) done = audit_write_file(shelf->folder.path, &record, NULL);
		_exit(done ? 0 : 1);
	}
	for (int i = 0; i < 4; i++) {
		int status;
		assert_int_equal(waitpid(children[i], &status, 0), children[i]);
		assert_int_equal(status, 0);
	}
	struct audit_verdict verdict = verify(shelf);
	assert_int_equal(verdict.rows, 20);
	assert_int_equal(verdict.broken, 0);
	assert_false(verdict.tail_cut);
}

/* ---- Through a store ---- */

static void audit_is_answered(struct audit_question *question) {
	loop_stop(question->loop);
}

static void ask_audit(struct store *store, struct audit_question *question) {
	struct fault why = {0};
	question->loop = loop_open(&why);
	question->answered = audit_is_answered;
	if (!audit_ask(store, question, &why)) fail_msg("%s", why.text);
	loop_run(question->loop);
	loop_close(question->loop);
	if (question->failed) fail_msg("%s", question->why.text);
}

static void note(struct store *store, const char *event, const char *actor, const char *detail) {
	struct fault why = {0};
	struct audit_record record = {
		.event = slice_of(event),
		.actor = slice_of(actor),
		.result = SLICE("ok"),
		.detail = slice_of(detail),
		.gate = SLICE("pace"),
		.target = SLICE("t"),
	};
	if (!audit_add(store_spool(store, 0), &record, &why)) fail_msg("%s", why.text);
	commit(store, 0);
}

/* Rows of the answer, newest first. */
static size_t rows_of(const struct audit_question *question, int64_t *rows, size_t limit) {
	struct scan_value root, records, row;
	struct scan_fault fault;
	struct scan_walk walk;
	struct scan_member member;
	size_t count = 0;
	assert_true(scan_check(text_slice(&question->text), SCAN_DEPTH, &root, &fault));
	assert_true(scan_find(&root, "records", &records));
	for (scan_open(&walk, &records); scan_next(&walk, &member) && count < limit; count++) {
		assert_true(scan_find(&member.value, "row", &row));
		assert_true(scan_integer(&row, &rows[count]));
	}
	return count;
}

static void records_of_a_spool_are_answered_newest_first(void **state) {
	struct shelf *shelf = *state;
	struct store *store = store_start(&shelf->folder, 1);
	int64_t rows[8];
	note(store, "joined", "alice", "");
	note(store, "refused", "bob \"the\" \xc3\xa4", "{\"x\":1}");
	note(store, "joined", "bob", "");
	struct audit_question question = {.limit = 2};
	ask_audit(store, &question);
	assert_int_equal(rows_of(&question, rows, 8), 2);
	assert_int_equal(rows[0], 3);
	assert_int_equal(rows[1], 2);
	assert_non_null(strstr(question.text.bytes, "\"bob \\\"the\\\" \xc3\xa4\""));
	assert_non_null(strstr(question.text.bytes, "\"gate\":\"pace\""));
	assert_non_null(strstr(question.text.bytes, "\"detail\":\"{\\\"x\\\":1}\""));
	assert_non_null(strstr(question.text.bytes, "\"next_before\":2"));
	audit_question_finish(&question);
	question.from = 2;
	ask_audit(store, &question);
	assert_int_equal(rows_of(&question, rows, 8), 1);
	assert_non_null(strstr(question.text.bytes, "\"next_before\":null"));
	audit_question_finish(&question);
	store_close(store);
	assert_int_equal(verify(shelf).rows, 3);
	assert_false(verify(shelf).tail_cut);
}

static void questions_choose_by_actor_event_topic_and_time(void **state) {
	struct shelf *shelf = *state;
	struct store *store = store_start(&shelf->folder, 1);
	int64_t rows[8];
	note(store, "joined", "alice", "");
	note(store, "left", "alice", "");
	note(store, "joined", "bob", "");
	const struct {
		struct audit_question question;
		size_t count;
	} cases[] = {
		{{.filter = {.actor = SLICE("alice")}}, 2},
		{{.filter = {.event = SLICE("joined")}}, 2},
		{{.filter = {.event = SLICE("joined"), .actor = SLICE("bob")}}, 1},
		{{.filter = {.topic = SLICE("room")}}, 0},
		{{.filter = {.since = clock_wall_ms() + 3600000}}, 0},
		{{.filter = {.since = 1}}, 3},
		{{.limit = 100000}, 3},
	};
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct audit_question question = cases[i].question;
		ask_audit(store, &question);
		assert_int_equal(rows_of(&question, rows, 8), cases[i].count);
		audit_question_finish(&question);
	}
	store_close(store);
}

static void a_store_opens_whatever_became_of_the_head(void **state) {
	struct shelf *shelf = *state;
	char path[128];
	snprintf(path, sizeof path, "%s/audit.head", shelf->folder.path);
	store_close(store_start(&shelf->folder, 1));
	assert_int_equal(access(path, F_OK), 0);
	fill(shelf, 2);
	for (int round = 0; round < 2; round++) {
		if (round == 0) assert_int_equal(truncate(path, 0), 0);
		else assert_int_equal(unlink(path), 0);
		struct store *store = store_start(&shelf->folder, 1);
		assert_true(verify(shelf).tail_cut);
		note(store, "joined", "alice", "");
		store_close(store);
		assert_false(verify(shelf).tail_cut);
	}
}

static void a_record_over_its_limit_is_refused(void **state) {
	struct shelf *shelf = *state;
	struct store *store = store_start(&shelf->folder, 1);
	struct fault why = {0};
	static char large[64 * 1024];
	memset(large, 'x', sizeof large);
	struct audit_record record = {.event = SLICE("x"), .detail = slice_make(large, sizeof large)};
	assert_false(audit_add(store_spool(store, 0), &record, &why));
	assert_int_equal(why.code, FAULT_TOO_LARGE);
	assert_true(spool_is_empty(store_spool(store, 0)));
	store_close(store);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		SHELF_TEST(an_unharmed_trail_verifies),
		SHELF_TEST(an_empty_trail_verifies),
		SHELF_TEST(a_row_that_was_changed_is_found),
		SHELF_TEST(a_row_taken_out_is_found),
		SHELF_TEST(a_beginning_taken_away_is_found),
		SHELF_TEST(a_tail_cut_off_is_told),
		SHELF_TEST(a_head_that_was_taken_away_is_told),
		SHELF_TEST(a_head_that_is_behind_is_fine),
		SHELF_TEST(another_key_verifies_nothing),
		SHELF_TEST(retention_leaves_an_anchor_where_checking_begins),
		SHELF_TEST(the_trail_is_bounded_by_octets_too),
		SHELF_TEST(several_processes_write_one_chain),
		SHELF_TEST(records_of_a_spool_are_answered_newest_first),
		SHELF_TEST(questions_choose_by_actor_event_topic_and_time),
		SHELF_TEST(a_store_opens_whatever_became_of_the_head),
		SHELF_TEST(a_record_over_its_limit_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
