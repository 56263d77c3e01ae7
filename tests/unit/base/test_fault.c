/* SPDX-License-Identifier: Apache-2.0 */
#include "base/fault.h"

#include <errno.h>

#include "check.h"

static void a_fault_carries_code_and_sentence(void **state) {
	(void)state;
	struct fault why = {0};
	assert_false(fault_set(&why, FAULT_TOO_LARGE, "field %s: at most %d", "id", 128));
	assert_int_equal(why.code, FAULT_TOO_LARGE);
	assert_string_equal(why.text, "field id: at most 128");
	assert_null(fault_null(&why, FAULT_NOT_FOUND, "no topic %s", "a"));
	assert_int_equal(why.code, FAULT_NOT_FOUND);
	assert_string_equal(why.text, "no topic a");
}

static void nobody_need_ask(void **state) {
	(void)state;
	assert_false(fault_set(NULL, FAULT_IO, "text"));
	assert_null(fault_null(NULL, FAULT_IO, "text"));
	assert_false(fault_errno(NULL, EIO, "text"));
	assert_false(fault_before(NULL, "text"));
}

static void errno_chooses_the_code(void **state) {
	(void)state;
	static const struct {
		int error;
		enum fault_code code;
	} cases[] = {
		{ENOMEM, FAULT_NO_MEMORY},
		{ENOSPC, FAULT_FULL},
		{EDQUOT, FAULT_FULL},
		{EMFILE, FAULT_FULL},
		{ENFILE, FAULT_FULL},
		{ENOENT, FAULT_NOT_FOUND},
		{EACCES, FAULT_REFUSED},
		{ECONNRESET, FAULT_CLOSED},
		{EIO, FAULT_IO},
	};
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct fault why = {0};
		assert_false(fault_errno(&why, cases[i].error, "open %s", "x"));
		assert_int_equal(why.code, cases[i].code);
	}
	struct fault why = {0};
	assert_false(fault_errno(&why, ENOENT, "open %s", "x"));
	assert_string_equal(why.text, "open x: No such file or directory");
}

static void words_go_before_a_sentence(void **state) {
	(void)state;
	struct fault why = {0};
	fault_set(&why, FAULT_BAD_INPUT, "key is unknown");
	assert_false(fault_before(&why, "%s:%d: ", "a.toml", 3));
	assert_string_equal(why.text, "a.toml:3: key is unknown");
	assert_int_equal(why.code, FAULT_BAD_INPUT);
}

static void a_sentence_may_quote_the_fault_itself(void **state) {
	(void)state;
	struct fault why = {0};
	fault_set(&why, FAULT_IO, "inner");
	fault_set(&why, FAULT_CLOSED, "outer: %s", why.text);
	assert_string_equal(why.text, "outer: inner");
}

/* A four-octet character at every place around the end. */
static void a_long_sentence_is_cut_between_characters(void **state) {
	(void)state;
	struct fault why = {0};
	for (int before = 200; before < 260; before++) {
		fault_set(&why, FAULT_IO, "%*s\xf0\x9f\x98\x80\xf0\x9f\x98\x80 and more words behind it "
					  "which surely do not fit",
			before, "");
		size_t length = strlen(why.text);
		assert_true(length < sizeof(why.text));
		if (before <= 235) assert_true(length >= sizeof(why.text) - 4);
		for (size_t at = 0; at < length;) {
			uint32_t character;
			size_t step = slice_character(slice_make(why.text + at, length - at), &character);
			assert_true(step > 0);
			at += step;
		}
	}
	fault_before(&why, "%239s", "\xc3\xa9");
	assert_int_equal(strlen(why.text), 239);
	fault_before(&why, "%600s", "x");
	assert_int_equal(strlen(why.text), 239);
}

static void every_code_has_a_word_of_its_own(void **state) {
	(void)state;
	for (int a = 0; a < FAULT_CODES; a++) {
		assert_non_null(fault_word((enum fault_code)a));
		for (int b = 0; b < a; b++)
			assert_string_not_equal(fault_word((enum fault_code)a), fault_word((enum fault_code)b));
	}
	assert_string_equal(fault_word(FAULT_NO_MEMORY), "no_memory");
	assert_string_equal(fault_word(FAULT_BAD_INPUT), "bad_input");
	assert_string_equal(fault_word(FAULT_CODES), "unknown");
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_fault_carries_code_and_sentence),
		cmocka_unit_test(nobody_need_ask),
		cmocka_unit_test(errno_chooses_the_code),
		cmocka_unit_test(words_go_before_a_sentence),
		cmocka_unit_test(a_sentence_may_quote_the_fault_itself),
		cmocka_unit_test(a_long_sentence_is_cut_between_characters),
		cmocka_unit_test(every_code_has_a_word_of_its_own),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
