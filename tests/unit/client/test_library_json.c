/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"

#include "hustings.h"

#include <stdlib.h>

#define TEXT " {\"s\":\"a\\u0062\\n\",\"n\":-12.5,\"i\":3.0,\"t\":true,\"z\":null,\"l\":[1,\"x\",{}],\"o\":{\"s\":2}} "

static struct hustings_json member(const char *name) {
	struct hustings_json value;
	assert_true(hustings_json_find(hustings_json(TEXT), name, &value));
	return value;
}

static void values_are_found_and_read(void **state) {
	struct hustings_json value;
	int64_t integer;
	double number;
	bool boolean = false;
	(void)state;
	assert_true(hustings_json_is_sound(hustings_json(TEXT)));
	char *string = hustings_json_string(member("s"));
	assert_string_equal(string, "ab\n");
	free(string);
	assert_true(hustings_json_number(member("n"), &number) && number == -12.5);
	assert_false(hustings_json_integer(member("n"), &integer));
	assert_true(hustings_json_integer(member("i"), &integer) && integer == 3);
	assert_true(hustings_json_boolean(member("t"), &boolean) && boolean);
	assert_false(hustings_json_boolean(member("z"), &boolean));
	assert_true(hustings_json_find(member("o"), "s", &value));
	assert_false(hustings_json_find(member("l"), "s", &value));
	assert_false(hustings_json_find(hustings_json(TEXT), "missing", &value));
	assert_null(hustings_json_string(member("n")));
	assert_null(hustings_json_string(hustings_json("\"a\\u0000b\"")));
}

static void types_are_letters(void **state) {
	static const char wanted[] = "snnb0ao";
	struct hustings_json name, value;
	size_t at = 0, i = 0;
	(void)state;
	while (hustings_json_each(hustings_json(TEXT), &at, &name, &value)) {
		assert_int_equal(hustings_json_type(value), wanted[i++]);
		assert_int_equal(hustings_json_type(name), 's');
	}
	assert_int_equal(i, sizeof wanted - 1);
	assert_int_equal(hustings_json_type((struct hustings_json){NULL, 0}), 0);
}

static void each_walks_arrays_and_objects(void **state) {
	struct hustings_json name, value;
	size_t at = 0;
	int count = 0;
	(void)state;
	while (hustings_json_each(member("l"), &at, &name, &value)) {
		assert_int_equal(name.length, 0);
		count++;
	}
	assert_int_equal(count, 3);
	at = 0;
	assert_true(hustings_json_each(member("o"), &at, &name, &value));
	assert_int_equal(name.length, 3);
	assert_memory_equal(name.text, "\"s\"", 3);
	assert_false(hustings_json_each(member("o"), &at, NULL, &value));
	at = 0;
	assert_false(hustings_json_each(hustings_json("[]"), &at, NULL, &value));
	assert_false(hustings_json_each(hustings_json("7"), &at, NULL, &value));
}

static void unsound_text_is_told(void **state) {
	(void)state;
	assert_false(hustings_json_is_sound(hustings_json("")));
	assert_false(hustings_json_is_sound(hustings_json(NULL)));
	assert_false(hustings_json_is_sound(hustings_json("{\"a\":1} x")));
	assert_false(hustings_json_is_sound(hustings_json("{'a':1}")));
}

static void quoting_makes_a_json_string(void **state) {
	(void)state;
	char *quoted = hustings_json_quote("a\"b\\\n\x01");
	assert_string_equal(quoted, "\"a\\\"b\\\\\\n\\u0001\"");
	free(quoted);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_are_found_and_read),
		cmocka_unit_test(types_are_letters),
		cmocka_unit_test(each_walks_arrays_and_objects),
		cmocka_unit_test(unsound_text_is_told),
		cmocka_unit_test(quoting_makes_a_json_string),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
