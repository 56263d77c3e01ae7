/* SPDX-License-Identifier: Apache-2.0 */
/* The trail when memory runs out: the record stays, what hears of it is told what it missed. */
#include "archive_rig.h"

#include "store/audit.h"
#include "store/audit_chain.h"
#include "store/audit_question.h"

#include "failing_malloc.h"
#include "base/text.c"
#include "store/audit_file.c"
#include "store/audit_listener.c"
#include "store/audit_tally.c"

static void chain(struct shelf *shelf, int count) {
	for (int i = 1; i <= count; i++) {
		struct audit_link newest;
		struct audit_record record = {
			.event = SLICE("joined"), .actor = SLICE("ann"), .server_id = SLICE("files"), .count = 1};
		assert_true(audit_chain_add(shelf->archive, &record, i * 1000, &newest, NULL));
	}
}

/* Every call in its turn, until nothing fails any more. */
static void an_answer_without_memory_is_a_fault(void **state) {
	struct shelf *shelf = *state;
	static const enum audit_form forms[] = {AUDIT_LIST, AUDIT_LINES, AUDIT_CSV, AUDIT_EVENTS, AUDIT_TALLY};
	chain(shelf, 3);
	for (size_t i = 0; i < COUNT_OF(forms); i++) {
		bool done = false;
		for (int call = 1; !done && call < 100; call++) {
			struct audit_tally tally;
			struct audit_question question = {.form = forms[i], .tally = &tally};
			struct fault why = {0};
			audit_tally_init(&tally);
			malloc_fails_at(call);
			done = audit_answer(shelf->archive, &question, &why);
			malloc_fails_at(0);
			if (!done) assert_int_equal(why.code, FAULT_NO_MEMORY);
			audit_question_finish(&question);
			audit_tally_finish(&tally);
		}
		assert_true(done);
	}
}

struct ear {
	struct audit_listener listener;
	int heard;
	uint64_t missed;
};

static void hears(struct audit_listener *listener, const struct audit_record *record, int64_t moment) {
	(void)record, (void)moment;
	CONTAINER_OF(listener, struct ear, listener)->heard++;
}

static void misses(struct audit_listener *listener, uint64_t count) {
	CONTAINER_OF(listener, struct ear, listener)->missed += count;
}

static void a_record_that_cannot_be_told_is_counted_and_kept(void **state) {
	struct shelf *shelf = *state;
	struct store *store = store_start(&shelf->folder, 1);
	struct loop *loop = loop_open(NULL);
	struct ear ear = {.listener = {.told = hears, .missed = misses}};
	struct audit_record record = {.event = SLICE("joined")};
	struct fault why = {0};
	malloc_fails_at(1);
	assert_false(audit_listen(store, loop, &ear.listener, &why));
	assert_int_equal(why.code, FAULT_NO_MEMORY);
	malloc_fails_at(0);
	assert_true(audit_listen(store, loop, &ear.listener, &why));
	malloc_fails_at(1);
	assert_true(audit_add(store_spool(store, 0), &record, &why));
	malloc_fails_at(0);
	assert_true(audit_add(store_spool(store, 0), &record, &why));
	commit(store, 0);
	assert_int_equal(audit_missed(store), 1);
	while (ear.heard < 1) loop_step(loop, -1);
	assert_int_equal(ear.missed, 1);
	audit_unlisten(&ear.listener);
	store_close(store);
	loop_close(loop);
	struct audit_verdict verdict;
	assert_true(audit_verify(shelf->folder.path, &verdict, &why));
	assert_int_equal(verdict.rows, 2);
}

static void a_line_that_has_no_memory_is_lost_to_the_file_alone(void **state) {
	struct shelf *shelf = *state;
	struct store *store = store_start(&shelf->folder, 1);
	struct loop *loop = loop_open(NULL);
	struct ear ear = {.listener = {.told = hears}};
	struct audit_record record = {.event = SLICE("joined")};
	struct fault why = {0};
	char path[160];
	snprintf(path, sizeof path, "%s/lines", shelf->folder.path);
	struct audit_file_settings settings = {.path = path};
	malloc_fails_at(1);
	assert_null(audit_file_open(store, loop, &settings, NULL, &why));
	assert_int_equal(why.code, FAULT_NO_MEMORY);
	malloc_fails_at(0);
	struct audit_file *file = audit_file_open(store, loop, &settings, NULL, &why);
	assert_non_null(file);
	assert_true(audit_listen(store, loop, &ear.listener, &why));
	assert_true(audit_add(store_spool(store, 0), &record, &why));
	commit(store, 0);
	malloc_fails_at(1);
	while (ear.heard < 1) loop_step(loop, -1);
	malloc_fails_at(0);
	assert_int_equal(audit_file_lost(file), 1);
	assert_true(audit_add(store_spool(store, 0), &record, &why));
	commit(store, 0);
	while (ear.heard < 2) loop_step(loop, -1);
	assert_int_equal(audit_file_lost(file), 1);
	audit_file_close(file);
	struct stat found;
	assert_int_equal(stat(path, &found), 0);
	assert_true(found.st_size > 100);
	audit_unlisten(&ear.listener);
	store_close(store);
	loop_close(loop);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		SHELF_TEST(an_answer_without_memory_is_a_fault),
		SHELF_TEST(a_record_that_cannot_be_told_is_counted_and_kept),
		SHELF_TEST(a_line_that_has_no_memory_is_lost_to_the_file_alone),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
