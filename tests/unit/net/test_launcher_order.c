/* SPDX-License-Identifier: Apache-2.0 */
/* The source itself, with memory that runs out. */
#include "failing_malloc.h"

#include "net/launcher_order.c"

#include "check.h"

static void an_order_is_read_as_it_was_written(void **state) {
	(void)state;
	struct launcher_order order = {
		.arguments = (const char *const[]){"a", "", "c d", NULL},
		.environment = (const char *const[]){"X=1", NULL},
		.hidden = (const char *const[]){NULL},
		.directory = "/tmp",
		.memory_limit = UINT64_C(1) << 40,
		.descriptor_limit = 7,
		.user = 1000,
		.view = (const char *const[]){"--proc", "/proc", NULL},
		.process_limit = 12,
		.cpu_seconds = 34,
		.has_network = true,
	};
	AUTO_CLOSE int file = launcher_order_write(&order, NULL);
	assert_true(file >= 0);
	AUTO(launcher_order) read = launcher_order_read(file, NULL);
	assert_non_null(read);
	assert_string_equal(read->arguments[0], "a");
	assert_string_equal(read->arguments[1], "");
	assert_string_equal(read->arguments[2], "c d");
	assert_null(read->arguments[3]);
	assert_string_equal(read->environment[0], "X=1");
	assert_null(read->environment[1]);
	assert_non_null(read->hidden);
	assert_null(read->hidden[0]);
	assert_null(read->writable);
	assert_string_equal(read->directory, "/tmp");
	assert_null(read->bubblewrap);
	assert_true(read->memory_limit == order.memory_limit);
	assert_int_equal(read->descriptor_limit, 7);
	assert_int_equal(read->user, 1000);
	assert_string_equal(read->view[1], "/proc");
	assert_null(read->view[2]);
	assert_int_equal(read->process_limit, 12);
	assert_int_equal(read->cpu_seconds, 34);
	assert_true(read->has_network);
}

static void a_torn_order_is_refused(void **state) {
	(void)state;
	struct launcher_order order = {
		.arguments = (const char *const[]){"program", "argument", NULL},
		.environment = (const char *const[]){"X=1", NULL},
	};
	AUTO_CLOSE int file = launcher_order_write(&order, NULL);
	struct stat about;
	assert_int_equal(fstat(file, &about), 0);
	for (off_t length = about.st_size - 5; length >= 0; length--) {
		struct fault why = {0};
		assert_int_equal(ftruncate(file, length), 0);
		assert_null(launcher_order_read(file, &why));
		assert_int_equal(why.code, FAULT_BAD_INPUT);
	}
}

static void an_order_over_its_limit_is_refused(void **state) {
	(void)state;
	struct fault why = {0};
	size_t length = 17 << 20;
	AUTO_FREE char *large = malloc(length + 1);
	assert_non_null(large);
	memset(large, 'x', length);
	large[length] = '\0';
	struct launcher_order order = {
		.arguments = (const char *const[]){"program", large, NULL},
		.environment = (const char *const[]){NULL},
	};
	assert_int_equal(launcher_order_write(&order, &why), -1);
	assert_int_equal(why.code, FAULT_TOO_LARGE);
}

static void an_order_that_finds_no_memory_is_a_fault(void **state) {
	(void)state;
	struct launcher_order order = {
		.arguments = (const char *const[]){"program", NULL},
		.environment = (const char *const[]){"X=1", NULL},
	};
	AUTO_CLOSE int file = launcher_order_write(&order, NULL);
	int call = 1;
	for (;; call++) {
		struct fault why = {0};
		malloc_fails_at(call);
		AUTO(launcher_order) read = launcher_order_read(file, &why);
		malloc_fails_at(0);
		if (read) break;
		assert_int_equal(why.code, FAULT_NO_MEMORY);
	}
	assert_int_equal(call, 4);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_order_is_read_as_it_was_written),
		cmocka_unit_test(a_torn_order_is_refused),
		cmocka_unit_test(an_order_over_its_limit_is_refused),
		cmocka_unit_test(an_order_that_finds_no_memory_is_a_fault),
	};
	return cmocka_run_group_tests_name("launcher_order", tests, NULL, NULL);
}
