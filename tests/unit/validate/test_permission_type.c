/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"

#include "validate/permission_type.h"

static struct permission_type_names names;
static struct fault why;

static bool reads(const char *word) {
	why = (struct fault){.code = FAULT_NONE};
	return permission_type_read(slice_of(word), &names, &why);
}

static void the_eleven_of_the_specification_are_read_with_their_risk(void **state) {
	(void)state;
	static const struct {
		const char *name;
		enum risk_level risk;
	} all[] = {
		{"filesystem.read", RISK_MODERATE},
		{"filesystem.write", RISK_DANGEROUS},
		{"network.outbound", RISK_MODERATE},
		{"network.listen", RISK_DANGEROUS},
		{"shell.execute", RISK_DANGEROUS},
		{"code_execution", RISK_DANGEROUS},
		{"memory.read", RISK_SAFE},
		{"memory.write", RISK_MODERATE},
		{"system.info", RISK_SAFE},
		{"camera", RISK_DANGEROUS},
		{"notification", RISK_SAFE},
	};
	for (size_t i = 0; i < COUNT_OF(all); i++) {
		assert_true(reads(all[i].name));
		assert_int_equal(names.count, 1);
		check_slice(names.names[0], all[i].name);
		assert_int_equal(permission_type_risk(names.names[0]), all[i].risk);
		assert_non_null(permission_type_description(names.names[0]));
		assert_string_equal(permission_types[i].name, all[i].name);
	}
	assert_null(permission_types[COUNT_OF(all)].name);
}

static void short_words_stand_for_names(void **state) {
	(void)state;
	assert_true(reads("shell"));
	check_slice(names.names[0], "shell.execute");
	assert_int_equal(names.count, 1);
	assert_true(reads("network"));
	check_slice(names.names[0], "network.outbound");
	assert_true(reads("filesystem"));
	assert_int_equal(names.count, 2);
	check_slice(names.names[0], "filesystem.read");
	check_slice(names.names[1], "filesystem.write");
}

static void names_of_ones_own_are_reverse_domains(void **state) {
	(void)state;
	assert_true(reads("com.example.custom_permission"));
	check_slice(names.names[0], "com.example.custom_permission");
	assert_int_equal(permission_type_risk(names.names[0]), RISK_MODERATE);
	assert_null(permission_type_description(names.names[0]));
	assert_true(reads("io.github.user.x-y"));
}

static void what_is_neither_is_named(void **state) {
	(void)state;
	static const char *const wrong[] = {"", "root", "filesystem.raed", "filesystem.read.all",
		"network.outbound.x", "Shell", "com.example", "com..example.x", ".com.example",
		"com.exa mple.x", "9.example.x", "shell.execute.now"};
	char longer[PERMISSION_TYPE_NAME + 16] = "com.example.";
	for (size_t i = 0; i < COUNT_OF(wrong); i++) {
		if (reads(wrong[i])) fail_msg("\"%s\" is taken", wrong[i]);
		assert_int_equal(why.code, FAULT_BAD_INPUT);
		assert_non_null(strstr(why.text, wrong[i]));
	}
	memset(longer + 12, 'a', sizeof longer - 13);
	longer[sizeof longer - 1] = '\0';
	assert_false(reads(longer));
	longer[PERMISSION_TYPE_NAME] = '\0';
	assert_true(reads(longer));
}

static void risks_have_words(void **state) {
	(void)state;
	enum risk_level risk = RISK_SAFE;
	assert_string_equal(risk_level_word(RISK_DANGEROUS), "dangerous");
	assert_true(risk_level_read(SLICE("moderate"), &risk));
	assert_int_equal(risk, RISK_MODERATE);
	assert_false(risk_level_read(SLICE("Moderate"), &risk));
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_eleven_of_the_specification_are_read_with_their_risk),
		cmocka_unit_test(short_words_stand_for_names),
		cmocka_unit_test(names_of_ones_own_are_reverse_domains),
		cmocka_unit_test(what_is_neither_is_named),
		cmocka_unit_test(risks_have_words),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
