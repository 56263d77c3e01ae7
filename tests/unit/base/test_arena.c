/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"
#include "failing_malloc.h"

#include "base/arena.c"

static void pieces_are_aligned_and_apart(void **state) {
	(void)state;
	_Alignas(16) char lent[256];
	struct arena arena;
	for (size_t shift = 0; shift < 16; shift++) {
		arena_init(&arena, lent + shift, sizeof(lent) - shift, 0);
		char *last = NULL;
		for (size_t size = 1; size < 60; size++) {
			char *piece = arena_alloc(&arena, size);
			assert_non_null(piece);
			assert_int_equal((uintptr_t)piece % _Alignof(max_align_t), 0);
			memset(piece, (int)size, size);
			if (last) assert_int_equal(*last, (int)size - 1);
			last = piece;
		}
		arena_finish(&arena);
	}
}

static void the_lent_block_comes_first(void **state) {
	(void)state;
	_Alignas(16) char lent[64];
	struct arena arena;
	arena_init(&arena, lent, sizeof(lent), 0);
	assert_ptr_equal(arena_alloc(&arena, 64), lent);
	assert_int_equal(arena.taken, 0);
	assert_non_null(arena_alloc(&arena, 1));
	assert_true(arena.taken > 0);
	arena_reset(&arena);
	assert_int_equal(arena.taken, 0);
	assert_ptr_equal(arena_alloc(&arena, 1), lent);
	arena_finish(&arena);
}

static void the_limit_is_kept_and_reached(void **state) {
	(void)state;
	struct arena arena;
	arena_init(&arena, NULL, 0, 100000);
	size_t got = 0;
	while (arena_alloc(&arena, 96)) got += 96;
	assert_true(got > 80000);
	assert_true(arena.taken <= 100000);
	assert_null(arena_alloc(&arena, 50000));
	assert_null(arena_alloc(&arena, SIZE_MAX));
	assert_null(arena_alloc(&arena, SIZE_MAX - 8));
	arena_reset(&arena);
	assert_non_null(arena_alloc(&arena, 90000));
	assert_null(arena_alloc(&arena, 90000));
	arena_finish(&arena);
}

static void zeroed_pieces_are_zero_after_a_reset(void **state) {
	(void)state;
	char lent[128];
	struct arena arena;
	memset(lent, 0xff, sizeof(lent));
	arena_init(&arena, lent, sizeof(lent), 0);
	char *piece = arena_zero(&arena, 64);
	assert_non_null(piece);
	for (size_t i = 0; i < 64; i++) assert_int_equal(piece[i], 0);
	assert_non_null(arena_alloc(&arena, 0));
	arena_finish(&arena);
}

static void copies_are_ended(void **state) {
	(void)state;
	struct arena arena;
	struct slice copy = SLICE("untouched");
	arena_init(&arena, NULL, 0, 0);
	assert_true(arena_copy(&arena, slice_make("abcdef", 3), &copy));
	assert_string_equal(copy.bytes, "abc");
	assert_int_equal(copy.length, 3);
	assert_true(arena_copy(&arena, SLICE_NONE, &copy));
	assert_string_equal(copy.bytes, "");
	arena_finish(&arena);
}

static void no_memory_is_said_and_leaves_the_arena_usable(void **state) {
	(void)state;
	struct arena arena;
	struct slice copy = SLICE("untouched");
	arena_init(&arena, NULL, 0, 0);
	malloc_fails_at(1);
	assert_null(arena_alloc(&arena, 10));
	assert_null(arena_zero(&arena, 10));
	assert_false(arena_copy(&arena, SLICE("abc"), &copy));
	check_slice(copy, "untouched");
	malloc_fails_at(0);
	assert_non_null(arena_alloc(&arena, 10));
	arena_finish(&arena);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pieces_are_aligned_and_apart),
		cmocka_unit_test(the_lent_block_comes_first),
		cmocka_unit_test(the_limit_is_kept_and_reached),
		cmocka_unit_test(zeroed_pieces_are_zero_after_a_reset),
		cmocka_unit_test(copies_are_ended),
		cmocka_unit_test(no_memory_is_said_and_leaves_the_arena_usable),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
