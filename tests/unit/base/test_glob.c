/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"

#include "base/glob.c"

static void a_glob_is_a_name_or_a_beginning(void **state) {
	static const struct {
		const char *glob, *name;
		bool fits;
	} cases[] = {
		{"deploy", "deploy", true},
		{"deploy", "deploy2", false},
		{"deploy", "deplo", false},
		{"deploy*", "deploy", true},
		{"deploy*", "deploy2", true},
		{"deploy*", "deplo", false},
		{"deploy*", "Deploy", false},
		{"*", "", true},
		{"*", "anything", true},
		{"", "", true},
		{"", "a", false},
		{"a*b", "a*b", true}, /* not the last octet: an octet */
		{"a*b", "axb", false},
		{"a*b*", "a*bc", true},
		{"a*b*", "axbc", false},
		{"**", "*", true},
		{"**", "a", false},
	};
	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++)
		if (glob_fits(slice_of(cases[i].glob), slice_of(cases[i].name)) != cases[i].fits)
			fail_msg("\"%s\" and \"%s\"", cases[i].glob, cases[i].name);
}

static void it_knows_where_it_ends(void **state) {
	(void)state;
	assert_true(glob_is_open(SLICE("a*")));
	assert_true(glob_is_open(SLICE("*")));
	assert_false(glob_is_open(SLICE("*a")));
	assert_false(glob_is_open(SLICE_NONE));
	check_slice(glob_beginning(SLICE("tool.*")), "tool.");
	check_slice(glob_beginning(SLICE("*")), "");
	check_slice(glob_beginning(SLICE("tool")), "tool");
	check_slice(glob_beginning(SLICE_NONE), "");
	assert_true(glob_fits(SLICE("*"), SLICE_NONE));
	assert_true(glob_fits(SLICE_NONE, SLICE_NONE));
	assert_false(glob_fits(SLICE("a*"), SLICE_NONE));
	assert_true(glob_fits(SLICE("a\0*"), SLICE("a\0b")));
	assert_false(glob_fits(SLICE("a\0*"), SLICE("ab")));
}

static void stars_without_end_are_one_comparison(void **state) {
	static char glob[100001], name[100001];
	(void)state;
	memset(glob, '*', sizeof glob);
	memset(name, '*', sizeof name);
	name[sizeof name - 2] = 'b';
	assert_false(glob_fits(slice_make(glob, sizeof glob), slice_make(name, sizeof name)));
	name[sizeof name - 2] = '*';
	assert_true(glob_fits(slice_make(glob, sizeof glob), slice_make(name, sizeof name)));
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_glob_is_a_name_or_a_beginning),
		cmocka_unit_test(it_knows_where_it_ends),
		cmocka_unit_test(stars_without_end_are_one_comparison),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
