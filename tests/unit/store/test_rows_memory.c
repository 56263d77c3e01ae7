/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What reads and writes rows, without memory: refused, and right when there is some again.
 */
#include "../failing_malloc.h"
#include "archive_rig.h"

#include "store/history_answer.c"
#include "store/mover_batch.c"
#include "store/spool_record.h"
#include "store/token_rows.c"

static void an_answer_without_memory_is_a_fault(void **state) {
	struct shelf *shelf = *state;
	put(shelf, "room", 1, 10, 1);
	struct history history = {.kind = HISTORY_SINCE, .topic = SLICE("room")};
	malloc_fails_at(1);
	history_answer(shelf->archive, &history, NULL);
	malloc_fails_at(0);
	assert_true(history.failed);
	assert_int_equal(history.why.code, FAULT_NO_MEMORY);
	assert_null(history.memory);
	ask_archive(shelf, &history);
	check_run(&history, 1, 1, 10);
	history_finish(&history);
}

static void a_question_that_could_not_be_moved_for_says_why(void **state) {
	struct shelf *shelf = *state;
	struct fault failed = {0};
	struct history history = {.kind = HISTORY_SINCE, .topic = SLICE("room")};
	fault_set(&failed, FAULT_IO, "the words");
	history_answer(shelf->archive, &history, &failed);
	assert_true(history.failed);
	assert_int_equal(history.why.code, FAULT_IO);
	assert_string_equal(history.why.text, "the words");
	history_finish(&history);
}

static void a_batch_without_memory_is_read_again_later(void **state) {
	(void)state;
	char octets[SPOOL_HEAD];
	struct spool_record record = {.kind = SPOOL_AUDIT};
	struct mover_batch batch = {0};
	struct fault why = {0};
	size_t used;
	spool_record_write(&record, NULL, 0, octets);
	for (int call = 1; call <= 2; call++) {
		malloc_fails_at(call);
		assert_false(mover_batch_read(&batch, slice_make(octets, sizeof octets), &used, &why));
		assert_int_equal(why.code, FAULT_NO_MEMORY);
		malloc_fails_at(0);
	}
	assert_true(mover_batch_read(&batch, slice_make(octets, sizeof octets), &used, &why));
	assert_int_equal(batch.count, 1);
	mover_batch_finish(&batch);
}

static void an_audit_record_that_is_none_is_left_out_and_counted(void **state) {
	struct shelf *shelf = *state;
	static const char *const texts[] = {"{\"event\":\"a\"}", "no json", "{\"event\":1}",
		"{\"event\":\"b\",\"count\":1.5}", "{\"event\":\"c\",\"count\":3}"};
	struct mover_batch batch = {0};
	struct fault why = {0};
	char octets[1024];
	size_t length = 0, used;
	for (size_t i = 0; i < COUNT_OF(texts); i++) {
		struct spool_record record = {.kind = SPOOL_AUDIT};
		struct slice piece = slice_of(texts[i]);
		spool_record_write(&record, &piece, 1, octets + length);
		length += spool_record_size(&record, piece.length);
	}
	assert_true(mover_batch_read(&batch, slice_make(octets, length), &used, &why));
	if (!mover_batch_put_others(&batch, shelf->archive, 0, &why)) fail_msg("%s", why.text);
	assert_int_equal(batch.unreadable, 3);
	assert_int_equal(batch.newest.row, 2);
	assert_int_equal(count_of(shelf, "SELECT sum(count) FROM audit"), 4);
	mover_batch_finish(&batch);
}

static bool never(void *context, const struct token_row *row) {
	(void)context, (void)row;
	fail_msg("a row without memory");
	return true;
}

static void a_token_without_memory_is_no_unknown_token(void **state) {
	struct shelf *shelf = *state;
	struct fault why = {0};
	struct state *tokens = state_open(shelf->folder.path, &why);
	struct token_row row = {.token_id = "t_1", .id = SLICE("alice")};
	assert_true(token_add(tokens, &row, &why));
	malloc_fails_at(1);
	assert_null(token_find(tokens, row.hash, &why));
	assert_int_equal(why.code, FAULT_NO_MEMORY);
	assert_false(token_each(tokens, never, NULL, &why));
	assert_int_equal(why.code, FAULT_NO_MEMORY);
	malloc_fails_at(0);
	struct token_row *found = token_find(tokens, row.hash, &why);
	assert_non_null(found);
	token_row_free(found);
	state_close(tokens);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		SHELF_TEST(an_answer_without_memory_is_a_fault),
		SHELF_TEST(a_question_that_could_not_be_moved_for_says_why),
		cmocka_unit_test(a_batch_without_memory_is_read_again_later),
		SHELF_TEST(an_audit_record_that_is_none_is_left_out_and_counted),
		SHELF_TEST(a_token_without_memory_is_no_unknown_token),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
