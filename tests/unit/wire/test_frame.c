/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"
#include "failing_malloc.h"

#include "wire/frame.c"

static void a_frame_holds_what_was_copied(void **state) {
	(void)state;
	AUTO(frame) frame = frame_copy("hello", 5);
	assert_non_null(frame);
	assert_int_equal(frame->used, 5);
	assert_int_equal(frame->capacity, 5);
	assert_memory_equal(frame->bytes, "hello", 5);
	assert_int_equal(frame_room(frame), 0);
	AUTO(frame) empty = frame_copy(NULL, 0);
	assert_non_null(empty);
	assert_int_equal(empty->used, 0);
}

static void a_frame_grows_at_its_end_and_moves_nothing(void **state) {
	(void)state;
	AUTO(frame) frame = frame_open(NULL, 8);
	assert_non_null(frame);
	const char *bytes = frame->bytes;
	frame_add(frame, "abcd", 4);
	assert_int_equal(frame_room(frame), 4);
	frame_add(frame, "efgh", 4);
	assert_int_equal(frame_room(frame), 0);
	assert_ptr_equal(frame->bytes, bytes);
	assert_memory_equal(frame->bytes, "abcdefgh", 8);
}

static void a_frame_lives_until_its_last_keeper_drops_it(void **state) {
	(void)state;
	struct frame_pool pool;
	frame_pool_init(&pool, 1);
	struct frame *frame = frame_open(&pool, 1);
	assert_non_null(frame);
	assert_ptr_equal(frame_keep(frame), frame);
	frame_drop(frame);
	assert_int_equal(pool.count, 0);
	frame_drop(frame);
	assert_int_equal(pool.count, 1);
	frame_drop(NULL);
	frame_pool_finish(&pool);
	assert_int_equal(pool.count, 0);
}

static void the_frame_used_last_comes_first(void **state) {
	(void)state;
	struct frame_pool pool;
	frame_pool_init(&pool, 4);
	struct frame *first = frame_open(&pool, 100);
	struct frame *second = frame_open(&pool, FRAME_USUAL);
	assert_true(first && second);
	assert_int_equal(first->capacity, FRAME_USUAL);
	frame_add(second, "used", 4);
	frame_drop(first);
	frame_drop(second);
	assert_int_equal(pool.count, 2);
	struct frame *again = frame_open(&pool, 10);
	assert_ptr_equal(again, second);
	assert_int_equal(again->used, 0);
	assert_int_equal(again->references, 1);
	assert_int_equal(pool.count, 1);
	frame_drop(again);
	frame_pool_finish(&pool);
}

static void a_large_frame_is_nobodys_pool_frame(void **state) {
	(void)state;
	struct frame_pool pool;
	frame_pool_init(&pool, 4);
	struct frame *frame = frame_open(&pool, FRAME_USUAL + 1);
	assert_non_null(frame);
	assert_int_equal(frame->capacity, FRAME_USUAL + 1);
	assert_null(frame->pool);
	frame_drop(frame);
	assert_int_equal(pool.count, 0);
	frame_pool_finish(&pool);
}

static void a_full_pool_frees_what_is_dropped(void **state) {
	(void)state;
	struct frame_pool pool;
	frame_pool_init(&pool, 1);
	struct frame *first = frame_open(&pool, 1);
	struct frame *second = frame_open(&pool, 1);
	assert_true(first && second);
	frame_drop(first);
	frame_drop(second);
	assert_int_equal(pool.count, 1);
	frame_pool_finish(&pool);
}

static void a_frame_may_outlive_the_contents_of_its_pool(void **state) {
	(void)state;
	struct frame_pool pool;
	frame_pool_init(&pool, 3);
	struct frame *frame = frame_open(&pool, 1);
	assert_non_null(frame);
	frame_pool_finish(&pool);
	frame_drop(frame);
	assert_int_equal(pool.count, 0);
	assert_null(pool.free);
}

static void a_frame_of_one_holder_grows_with_what_it_holds(void **state) {
	(void)state;
	struct frame *frame = frame_copy("abc", 3);
	assert_non_null(frame);
	assert_int_equal(frame_room(frame), 0);
	struct frame *larger = frame_grow(frame, 1000);
	assert_non_null(larger);
	assert_int_equal(frame_room(larger), 997);
	frame_add(larger, "def", 3);
	assert_memory_equal(larger->bytes, "abcdef", 6);
	assert_null(frame_grow(larger, (size_t)UINT32_MAX + 1));
	assert_int_equal(larger->used, 6);
	frame_drop(larger);
}

static void without_memory_there_is_no_frame(void **state) {
	(void)state;
	struct frame_pool pool;
	frame_pool_init(&pool, 1);
	malloc_fails_at(1);
	assert_null(frame_open(&pool, 1));
	assert_null(frame_open(NULL, 1));
	assert_null(frame_copy("a", 1));
	malloc_fails_at(0);
	assert_null(frame_open(NULL, (size_t)UINT32_MAX + 1));
	frame_pool_finish(&pool);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_frame_holds_what_was_copied),
		cmocka_unit_test(a_frame_grows_at_its_end_and_moves_nothing),
		cmocka_unit_test(a_frame_lives_until_its_last_keeper_drops_it),
		cmocka_unit_test(the_frame_used_last_comes_first),
		cmocka_unit_test(a_large_frame_is_nobodys_pool_frame),
		cmocka_unit_test(a_full_pool_frees_what_is_dropped),
		cmocka_unit_test(a_frame_may_outlive_the_contents_of_its_pool),
		cmocka_unit_test(a_frame_of_one_holder_grows_with_what_it_holds),
		cmocka_unit_test(without_memory_there_is_no_frame),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
