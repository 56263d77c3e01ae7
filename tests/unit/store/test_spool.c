/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Spool, with the system calls and the memory under it answering as the test says.
 */
#include "../failing_malloc.h"
#include "store_rig.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

/* What fallocate() answers: 0 does as asked. */
static int fallocate_error;
static off_t fallocate_upto; /* beyond it ENOSPC; 0: no bound */
static int fallocate_calls;

static int answer_fallocate(int file, int mode, off_t from, off_t length) {
	fallocate_calls++;
	errno = fallocate_error;
	if (fallocate_error) return -1;
	errno = ENOSPC;
	if (fallocate_upto && from + length > fallocate_upto) return -1;
	return fallocate(file, mode, from, length);
}

/* Octets that may still be written before the disk is full; negative: no bound. */
static ssize_t disk_left = -1;

static ssize_t answer_pwrite(int file, const void *octets, size_t length, off_t at) {
	if (disk_left == 0) {
		errno = ENOSPC;
		return -1;
	}
	if (disk_left > 0 && length > (size_t)disk_left) length = (size_t)disk_left;
	if (disk_left > 0) disk_left -= (ssize_t)length;
	return pwrite(file, octets, length, at);
}

static int ftruncate_error;

static int answer_ftruncate(int file, off_t length) {
	errno = ftruncate_error;
	return ftruncate_error ? -1 : ftruncate(file, length);
}

#define fallocate answer_fallocate
#define pwrite answer_pwrite
#define ftruncate answer_ftruncate
#include "store/spool.c"
#include "store/spool_segment.c"
#undef fallocate
#undef pwrite
#undef ftruncate

struct bench {
	struct folder folder;
	struct store *store;
	struct spool *spool;
};

static int set_up(void **state) {
	static struct bench bench;
	fallocate_error = fallocate_calls = ftruncate_error = 0;
	fallocate_upto = 0;
	disk_left = -1;
	malloc_fails_at(0);
	folder_make(&bench.folder);
	bench.store = store_start(&bench.folder, 1);
	bench.spool = store_spool(bench.store, 0);
	*state = &bench;
	return 0;
}

static int tear_down(void **state) {
	struct bench *bench = *state;
	if (bench->store) store_close(bench->store);
	folder_remove(&bench->folder);
	return 0;
}

static void the_room_has(struct bench *bench, uint64_t count) {
	struct history history = {.kind = HISTORY_ROOM, .topic = SLICE("room"), .limit = 100};
	ask(bench->store, &history);
	assert_int_equal(history.recent_count, count);
	history_finish(&history);
}

static void blocks_are_taken_by_the_mebibyte(void **state) {
	struct bench *bench = *state;
	for (uint64_t i = 1; i <= 100; i++) {
		say(bench->store, 0, "room", i);
		commit(bench->store, 0);
	}
	assert_int_equal(fallocate_calls, 1);
	struct fault why = {0};
	assert_true(spool_reserve(bench->spool, SEGMENT_STEP, &why));
	assert_int_equal(fallocate_calls, 2);
	assert_int_equal(bench->spool->current->reserved, 2 * SEGMENT_STEP);
}

static void the_last_blocks_of_a_disk_are_used(void **state) {
	struct bench *bench = *state;
	struct fault why = {0};
	fallocate_upto = 200000;
	assert_true(spool_reserve(bench->spool, 100000, &why));
	assert_true(bench->spool->current->reserved < 200000);
	assert_false(spool_reserve(bench->spool, 200000, &why));
	assert_int_equal(why.code, FAULT_FULL);
	fallocate_upto = 0;
	assert_true(spool_reserve(bench->spool, 200000, &why));
}

static void a_disk_without_a_block_opens_no_segment(void **state) {
	struct bench *bench = *state;
	struct fault why = {0};
	static const int errors[] = {ENOSPC, EDQUOT, EFBIG};
	for (size_t i = 0; i < COUNT_OF(errors); i++) {
		fallocate_error = errors[i];
		assert_false(spool_reserve(bench->spool, 10, &why));
		assert_int_equal(why.code, FAULT_FULL);
		assert_null(bench->spool->current);
	}
	fallocate_error = EIO;
	assert_false(spool_reserve(bench->spool, 10, &why));
	assert_int_equal(why.code, FAULT_IO);
	fallocate_error = 0;
	say(bench->store, 0, "room", 1);
	commit(bench->store, 0);
	the_room_has(bench, 1);
}

static void where_blocks_cannot_be_reserved_zeros_take_them(void **state) {
	struct bench *bench = *state;
	struct fault why = {0};
	struct stat found;
	static const int errors[] = {EOPNOTSUPP, ENOSYS};
	for (uint64_t i = 0; i < COUNT_OF(errors); i++) {
		fallocate_error = errors[i];
		say(bench->store, 0, "room", 2 * i + 1);
		say(bench->store, 0, "room", 2 * i + 2);
		commit(bench->store, 0);
		assert_int_equal(fstat(bench->spool->current->descriptor, &found), 0);
		assert_int_equal(found.st_size, SEGMENT_STEP);
		assert_true(found.st_blocks * 512 >= SEGMENT_STEP);
		the_room_has(bench, 2 * i + 2);
		store_close(bench->store);
		bench->store = store_start(&bench->folder, 1);
		bench->spool = store_spool(bench->store, 0);
	}
	fallocate_error = EOPNOTSUPP;
	disk_left = 70000;
	assert_false(spool_reserve(bench->spool, SEGMENT_STEP, &why));
	assert_int_equal(why.code, FAULT_FULL);
	disk_left = -1;
	the_room_has(bench, 4);
}

static void a_write_that_fails_anywhere_stores_nothing(void **state) {
	struct bench *bench = *state;
	struct fault why = {0};
	say(bench->store, 0, "room", 1);
	commit(bench->store, 0);
	for (ssize_t left = 0;; left += 13) {
		for (uint64_t i = 2; i <= 6; i++) say(bench->store, 0, "room", i);
		if (left >= (ssize_t)bench->spool->length) break;
		disk_left = left;
		assert_false(spool_commit(bench->spool, &why));
		disk_left = -1;
		assert_int_equal(why.code, FAULT_FULL);
		assert_true(spool_is_empty(bench->spool));
	}
	assert_int_equal(bench->spool->next_number, 1);
	commit(bench->store, 0);
	the_room_has(bench, 6);
}

static void a_segment_that_cannot_be_mended_is_followed_by_another(void **state) {
	struct bench *bench = *state;
	struct fault why = {0};
	say(bench->store, 0, "room", 1);
	commit(bench->store, 0);
	say(bench->store, 0, "room", 2);
	disk_left = 20;
	ftruncate_error = EIO;
	assert_false(spool_commit(bench->spool, &why));
	disk_left = -1;
	ftruncate_error = 0;
	assert_null(bench->spool->current);
	say(bench->store, 0, "room", 2);
	commit(bench->store, 0);
	assert_int_equal(bench->spool->next_number, 2);
	the_room_has(bench, 2);
}

static void no_memory_refuses_a_record_and_keeps_the_others(void **state) {
	struct bench *bench = *state;
	struct fault why = {0};
	static char filler[40000];
	memset(filler, 'x', sizeof filler);
	struct spool_record record = {.kind = SPOOL_ENVELOPE, .sequence = 2, .topic = SLICE("room")};
	struct slice piece = slice_make(filler, sizeof filler);
	malloc_fails_at(1);
	assert_false(spool_add(bench->spool, &record, &piece, 1, &why));
	assert_int_equal(why.code, FAULT_NO_MEMORY);
	malloc_fails_at(0);
	say(bench->store, 0, "room", 1);
	malloc_fails_at(1);
	assert_false(spool_add(bench->spool, &record, &piece, 1, &why));
	assert_int_equal(why.code, FAULT_NO_MEMORY);
	malloc_fails_at(0);
	commit(bench->store, 0);
	the_room_has(bench, 1);
}

static void the_memory_of_a_large_pass_is_given_back(void **state) {
	struct bench *bench = *state;
	struct fault why = {0};
	static char filler[600 * 1024];
	memset(filler, 'x', sizeof filler);
	struct slice piece = slice_make(filler, sizeof filler);
	for (uint64_t i = 1; i <= 3; i++) {
		struct spool_record record = {.kind = SPOOL_ENVELOPE, .sequence = i, .topic = SLICE("room")};
		assert_true(spool_add(bench->spool, &record, &piece, 1, &why));
	}
	assert_true(bench->spool->capacity > KEPT_CAPACITY);
	commit(bench->store, 0);
	assert_int_equal(bench->spool->capacity, 0);
	say(bench->store, 0, "room", 4);
	commit(bench->store, 0);
	assert_true(bench->spool->capacity > 0);
	the_room_has(bench, 4);
}

static void a_name_reads_as_it_was_written_and_nothing_else_does(void **state) {
	(void)state;
	struct segment_name name = {0x1234567890abcdef, 0xffff, 0xffffffff}, read;
	char text[SEGMENT_NAME];
	segment_name_write(&name, text);
	assert_string_equal(text, "1234567890abcdef-ffff-ffffffff.spool");
	assert_true(segment_name_read(text, &read));
	assert_int_equal(segment_name_compare(&name, &read), 0);
	static const char *const others[] = {"", "x", "1234567890ABCDEF-ffff-ffffffff.spool",
		"1234567890abcdef-ffff-ffffffff.spoo", "1234567890abcdef-ffff-ffffffff.spool ",
		" 234567890abcdef-ffff-ffffffff.spool", "-234567890abcdef-ffff-ffffffff.spool",
		"0x34567890abcdef-ffff-ffffffff.spool"};
	for (size_t i = 0; i < COUNT_OF(others); i++) assert_false(segment_name_read(others[i], &read));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
	const struct CMUnitTest tests[] = {
		TEST(blocks_are_taken_by_the_mebibyte),
		TEST(the_last_blocks_of_a_disk_are_used),
		TEST(a_disk_without_a_block_opens_no_segment),
		TEST(where_blocks_cannot_be_reserved_zeros_take_them),
		TEST(a_write_that_fails_anywhere_stores_nothing),
		TEST(a_segment_that_cannot_be_mended_is_followed_by_another),
		TEST(no_memory_refuses_a_record_and_keeps_the_others),
		TEST(the_memory_of_a_large_pass_is_given_back),
		cmocka_unit_test(a_name_reads_as_it_was_written_and_nothing_else_does),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
