/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"
#include "failing_malloc.h"

#include "base/secret_file.c"

#include <dirent.h>
#include <stdio.h>
#include <sys/wait.h>

struct place {
	char folder[64];
	char file[96];
};

static int folder_make(void **state) {
	struct place *place = calloc(1, sizeof(*place));
	if (!place) return -1;
	snprintf(place->folder, sizeof(place->folder), "/tmp/hustings-secret-XXXXXX");
	if (!mkdtemp(place->folder)) return -1;
	snprintf(place->file, sizeof(place->file), "%s/key", place->folder);
	*state = place;
	return 0;
}

static int folder_remove(void **state) {
	struct place *place = *state;
	unlink(place->file);
	int result = rmdir(place->folder); /* fails when anything was left beside the file */
	free(place);
	return result;
}

static void file_write(const char *path, size_t length, mode_t mode) {
	FILE *file = fopen(path, "w");
	assert_non_null(file);
	for (size_t i = 0; i < length; i++) fputc('x', file);
	assert_int_equal(fclose(file), 0);
	assert_int_equal(chmod(path, mode), 0);
}

static void the_first_call_makes_what_the_next_one_reads(void **state) {
	struct place *place = *state;
	uint8_t first[32] = {0}, next[32] = {0}, zeros[32] = {0};
	struct fault why = {0};
	struct stat found;
	assert_true(secret_file(place->file, first, sizeof(first), &why));
	assert_memory_not_equal(first, zeros, sizeof(first));
	assert_true(secret_file(place->file, next, sizeof(next), &why));
	assert_memory_equal(first, next, sizeof(first));
	assert_int_equal(stat(place->file, &found), 0);
	assert_int_equal(found.st_mode & 0777, 0600);
	assert_int_equal(found.st_size, 32);
}

static void what_is_wrong_with_a_file_is_said(void **state) {
	struct place *place = *state;
	uint8_t octets[32] = {7};
	struct fault why = {0};
	file_write(place->file, 32, 0644);
	assert_false(secret_file(place->file, octets, sizeof(octets), &why));
	assert_int_equal(why.code, FAULT_REFUSED);
	assert_non_null(strstr(why.text, "chmod 600"));
	file_write(place->file, 31, 0600);
	assert_false(secret_file(place->file, octets, sizeof(octets), &why));
	assert_int_equal(why.code, FAULT_BAD_INPUT);
	assert_non_null(strstr(why.text, "31 octets instead of 32"));
	assert_false(secret_file(place->folder, octets, sizeof(octets), &why));
	assert_int_equal(why.code, FAULT_BAD_INPUT);
	assert_int_equal(octets[0], 7);
}

static void a_missing_folder_is_not_found(void **state) {
	(void)state;
	uint8_t octets[4];
	struct fault why = {0};
	assert_false(secret_file("/tmp/hustings-no-such-folder/key", octets, sizeof(octets), &why));
	assert_int_equal(why.code, FAULT_NOT_FOUND);
}

static void many_starts_at_once_agree(void **state) {
	struct place *place = *state;
	pid_t children[8];
	uint8_t octets[32];
	struct fault why = {0};
	int ends[2];
	assert_int_equal(pipe(ends), 0);
	for (size_t i = 0; i < COUNT_OF(children); i++) {
		children[i] = fork();
		assert_true(children[i] >= 0);
		if (children[i] != 0) continue;
		bool done = secret_file(place->file, octets, sizeof(octets), &why) &&
			write(ends[1], octets, sizeof(octets)) == sizeof(octets);
		_exit(done ? 0 : 1);
	}
	assert_true(secret_file(place->file, octets, sizeof(octets), &why));
	for (size_t i = 0; i < COUNT_OF(children); i++) {
		uint8_t theirs[32];
		int status = -1;
		assert_int_equal(waitpid(children[i], &status, 0), children[i]);
		assert_int_equal(status, 0);
		assert_int_equal(read(ends[0], theirs, sizeof(theirs)), sizeof(theirs));
		assert_memory_equal(theirs, octets, sizeof(octets));
	}
	close(ends[0]);
	close(ends[1]);
}

static void no_memory_leaves_nothing_beside_the_file(void **state) {
	struct place *place = *state;
	uint8_t octets[32] = {7};
	int call = 1;
	for (;; call++) {
		struct fault why = {0};
		unlink(place->file);
		malloc_fails_at(call);
		bool done = secret_file(place->file, octets, sizeof(octets), &why);
		malloc_fails_at(0);
		if (done) break;
		assert_int_equal(why.code, FAULT_NO_MEMORY);
		assert_int_equal(octets[0], 7);
	}
	assert_true(call > 2);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(the_first_call_makes_what_the_next_one_reads, folder_make,
			folder_remove),
		cmocka_unit_test_setup_teardown(what_is_wrong_with_a_file_is_said, folder_make,
			folder_remove),
		cmocka_unit_test(a_missing_folder_is_not_found),
		cmocka_unit_test_setup_teardown(many_starts_at_once_agree, folder_make, folder_remove),
		cmocka_unit_test_setup_teardown(no_memory_leaves_nothing_beside_the_file, folder_make,
			folder_remove),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
