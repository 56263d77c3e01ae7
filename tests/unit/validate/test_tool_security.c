/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"

#include "validate/tool_security.h"

#include <stdio.h>

static struct tool_security *security;
static struct tool_rules rules;
static struct fault why;

static int set_up(void **state) {
	(void)state;
	rules = (struct tool_rules){.is_negotiated = true};
	security = NULL;
	return 0;
}

static int tear_down(void **state) {
	(void)state;
	tool_security_free(security);
	return 0;
}

static bool reads(const char *definition) {
	tool_security_free(security);
	why = (struct fault){.code = FAULT_NONE};
	security = tool_security_read(slice_of(definition), &rules, &why);
	return security != NULL;
}

static void check_shown(const char *wanted) {
	AUTO_TEXT struct text shown = {0};
	text_init(&shown, 0);
	tool_security_write(&shown, security);
	check_text(&shown, wanted);
}

static void check_refused(const char *definition, const char *word) {
	assert_false(reads(definition));
	assert_int_equal(why.code, FAULT_BAD_INPUT);
	if (!strstr(why.text, word)) fail_msg("\"%s\" does not name %s", why.text, word);
}

/* MGP 4.2 */
static void the_example_of_the_specification_is_read_whole(void **state) {
	(void)state;
	assert_true(reads(
		"{\"name\":\"execute_command\",\"security\":{\"risk_level\":\"dangerous\","
		"\"permissions_required\":[\"shell.execute\"],\"side_effects\":[\"filesystem\",\"process\"],"
		"\"validator\":\"sandbox\",\"reversible\":false,\"confirmation_required\":true}}"));
	assert_true(security->is_declared && security->has_claim && !security->is_fallback);
	assert_int_equal(security->claimed, RISK_DANGEROUS);
	assert_int_equal(security->risk, RISK_DANGEROUS);
	assert_int_equal(security->validator, VALIDATOR_SANDBOX);
	assert_int_equal(security->side_effects, TOOL_EFFECT_FILESYSTEM | TOOL_EFFECT_PROCESS);
	assert_int_equal(security->reversible, TOOL_NO);
	assert_int_equal(security->confirmation_required, TOOL_YES);
	assert_true(tool_security_wants_confirmation(security));
	check_shown(
		"{\"risk_level\":\"dangerous\",\"permissions_required\":[\"shell.execute\"],"
		"\"side_effects\":[\"filesystem\",\"process\"],\"validator\":\"sandbox\",\"reversible\":false,"
		"\"confirmation_required\":true}");
}

static void permissions_are_normalised_and_unknown_ones_named(void **state) {
	(void)state;
	assert_true(reads("{\"name\":\"x\",\"security\":{\"permissions_required\":"
			  "[\"filesystem\",\"filesystem.read\",\"network\",\"com.example.own\"]}}"));
	assert_int_equal(security->permission_count, 4);
	check_slice(security->permissions[0], "filesystem.read");
	check_slice(security->permissions[1], "filesystem.write");
	check_slice(security->permissions[2], "network.outbound");
	check_slice(security->permissions[3], "com.example.own");
	assert_int_equal(security->risk, RISK_DANGEROUS);
	check_refused(
		"{\"name\":\"x\",\"security\":{\"permissions_required\":[\"everything\"]}}", "everything");
}

static void check_risk(const char *annotations, const char *object, enum risk_level wanted) {
	char definition[1024];
	snprintf(definition, sizeof definition, "{\"name\":\"x\"%s%s%s%s}",
		annotations[0] ? ",\"annotations\":" : "", annotations, object[0] ? ",\"security\":" : "",
		object);
	assert_true(reads(definition));
	if (security->risk != wanted)
		fail_msg("%s is %s, not %s", definition, risk_level_word(security->risk),
			risk_level_word(wanted));
}

/* Decisions 25, 64, 71 */
static void the_risk_is_the_greatest_of_all_signs(void **state) {
	(void)state;
	check_risk("", "", RISK_MODERATE);
	check_risk("", "{\"risk_level\":\"safe\"}", RISK_MODERATE);
	check_risk("", "{\"risk_level\":\"dangerous\"}", RISK_DANGEROUS);
	check_risk("{}", "", RISK_DANGEROUS);
	check_risk("{\"title\":\"t\"}", "", RISK_DANGEROUS);
	check_risk("{\"readOnlyHint\":true}", "", RISK_SAFE);
	check_risk("{\"readOnlyHint\":true}", "{\"risk_level\":\"safe\"}", RISK_SAFE);
	check_risk("{\"readOnlyHint\":true}", "{\"risk_level\":\"dangerous\"}", RISK_DANGEROUS);
	check_risk("{\"readOnlyHint\":true,\"destructiveHint\":true}", "", RISK_DANGEROUS);
	check_risk("{\"readOnlyHint\":false}", "", RISK_DANGEROUS);
	check_risk("{\"destructiveHint\":false}", "", RISK_MODERATE);
	check_risk("{\"readOnlyHint\":true}", "{\"permissions_required\":[\"memory.read\"]}", RISK_SAFE);
	check_risk(
		"{\"readOnlyHint\":true}", "{\"permissions_required\":[\"memory.write\"]}", RISK_MODERATE);
	check_risk("{\"readOnlyHint\":true}",
		"{\"risk_level\":\"safe\",\"permissions_required\":[\"camera\"]}", RISK_DANGEROUS);
	check_risk("{\"readOnlyHint\":true}", "{\"side_effects\":[\"notification\"]}", RISK_SAFE);
	check_risk("{\"readOnlyHint\":true}", "{\"side_effects\":[\"database\"]}", RISK_MODERATE);
	check_risk("{\"readOnlyHint\":true}", "{\"side_effects\":[\"teleport\"]}", RISK_MODERATE);
	check_risk("{\"readOnlyHint\":true}", "{\"side_effects\":[\"process\"]}", RISK_DANGEROUS);
	check_risk("{\"readOnlyHint\":true}", "{\"validator\":\"sandbox\"}", RISK_MODERATE);
	check_risk("{\"readOnlyHint\":true}", "{\"validator\":\"network_restricted\"}", RISK_MODERATE);
	check_risk("{\"readOnlyHint\":true}", "{\"validator\":\"readonly\"}", RISK_SAFE);
}

static void a_name_counts_whatever_the_tool_declares(void **state) {
	(void)state;
	static const char *const validators[] = {"none", "readonly", "sandbox"};
	for (size_t i = 0; i < COUNT_OF(validators); i++) {
		char definition[256];
		snprintf(definition, sizeof definition,
			"{\"name\":\"execute_command\",\"inputSchema\":{\"properties\":{\"command\":{\"type\":\"string\"}}},"
			"\"annotations\":{\"readOnlyHint\":true},\"security\":{\"risk_level\":\"safe\",\"validator\":\"%s\"}}",
			validators[i]);
		assert_true(reads(definition));
		assert_int_equal(security->risk, RISK_DANGEROUS);
	}
}

static void what_is_malformed_is_refused_by_name(void **state) {
	(void)state;
	check_refused("{}", "name");
	check_refused("[]", "object");
	check_refused("{\"name\":\"t\",\"security\":[]}", "security");
	check_refused("{\"name\":\"t\",\"security\":{\"risk_level\":\"low\"}}", "risk_level");
	check_refused("{\"name\":\"t\",\"security\":{\"validator\":\"magic\"}}", "validator");
	check_refused("{\"name\":\"t\",\"security\":{\"permissions_required\":\"shell\"}}",
		"permissions_required");
	check_refused(
		"{\"name\":\"t\",\"security\":{\"permissions_required\":[1]}}", "permissions_required");
	check_refused("{\"name\":\"t\",\"security\":{\"side_effects\":[true]}}", "side_effects");
	check_refused("{\"name\":\"t\",\"security\":{\"reversible\":\"yes\"}}", "reversible");
	check_refused(
		"{\"name\":\"t\",\"security\":{\"confirmation_required\":1}}", "confirmation_required");
	check_refused("{\"name\":\"t\",\"security\":{\"code_safety\":7}}", "code_safety");
	check_refused("{\"name\":\"t\",\"security\":{\"code_safety\":{\"level\":\"lax\"}}}", "level");
	check_refused("{\"name\":\"t\",\"annotations\":{\"readOnlyHint\":\"true\"}}", "readOnlyHint");
	assert_true(reads("{\"name\":\"t\",\"security\":null,\"annotations\":null}"));
}

static void lists_are_bounded(void **state) {
	(void)state;
	AUTO_TEXT struct text definition = {0};
	for (int more = 0; more < 2; more++) {
		text_init(&definition, 0);
		text_add_cstr(
			&definition, "{\"name\":\"t\",\"security\":{\"permissions_required\":[\"shell\"");
		for (int i = 1; i < TOOL_SECURITY_LIST + more; i++)
			text_add_cstr(&definition, ",\"shell\"");
		text_add_cstr(&definition, "]}}");
		assert_int_equal(reads(definition.bytes), !more);
		text_finish(&definition);
	}
	assert_non_null(strstr(why.text, "64"));
}

static void check_fallback(
	const char *name, const char *properties, const char *annotations, enum validator wanted) {
	char definition[1024];
	snprintf(definition, sizeof definition,
		"{\"name\":\"%s\",\"annotations\":%s,\"inputSchema\":{\"type\":\"object\",\"properties\":%s}}",
		name, annotations, properties);
	assert_true(reads(definition));
	if (security->validator != wanted)
		fail_msg("%s gets %s", definition, validator_word(security->validator));
	assert_int_equal(security->is_fallback, wanted != VALIDATOR_NONE);
}

/* MGP 8.2.2 */
static void a_tool_that_declares_no_validator_gets_one_that_fits(void **state) {
	(void)state;
	static const char command[] = "{\"command\":{\"type\":\"string\"}}", code[] = "{\"code\":{}}",
			  url[] = "{\"url\":{}}", none[] = "{}";
	check_fallback("execute_command", command, none, VALIDATOR_SANDBOX);
	check_fallback("executeCommand", none, none, VALIDATOR_SANDBOX);
	check_fallback("run_shell", none, none, VALIDATOR_SANDBOX);
	check_fallback("bash", command, none, VALIDATOR_SANDBOX);
	check_fallback("shell.exec", none, none, VALIDATOR_SANDBOX);
	check_fallback("run_tests", command, none, VALIDATOR_SANDBOX);
	check_fallback("run_python", code, none, VALIDATOR_CODE_SAFETY);
	check_fallback("execute_code", code, none, VALIDATOR_CODE_SAFETY);
	check_fallback("python_repl", code, none, VALIDATOR_CODE_SAFETY);
	check_fallback("fetch", url, none, VALIDATOR_NETWORK_RESTRICTED);
	check_fallback("httpRequest", "{\"target_url\":{}}", none, VALIDATOR_NETWORK_RESTRICTED);
	check_fallback("download", "{\"x\":{\"format\":\"uri\"}}", none, VALIDATOR_NETWORK_RESTRICTED);
	check_fallback("query", "{\"sql\":{}}", "{\"readOnlyHint\":true}", VALIDATOR_READONLY);
	check_fallback("query_db", "{\"query\":{}}", "{\"readOnlyHint\":true}", VALIDATOR_READONLY);

	check_fallback("query", "{\"sql\":{}}", none, VALIDATOR_NONE);
	check_fallback("search", "{\"query\":{}}", "{\"readOnlyHint\":true}", VALIDATOR_NONE);
	check_fallback("analyze_python_code", code, none, VALIDATOR_NONE);
	check_fallback("fetch_user", "{\"id\":{}}", none, VALIDATOR_NONE);
	check_fallback("save_link", url, none, VALIDATOR_NONE);
	check_fallback("run_report", "{\"id\":{}}", none, VALIDATOR_NONE);
	check_fallback("shell_sort", "{\"list\":{}}", none, VALIDATOR_NONE);
	check_fallback("show_commands", "{\"topic\":{}}", none, VALIDATOR_NONE);
	check_fallback("publish", "{\"text\":{}}", none, VALIDATOR_NONE);
}

static void a_declared_validator_and_configuration_go_before_that(void **state) {
	(void)state;
	static const char *const validators[] = {"fetch_*=none", "special=sandbox", "*=readonly", NULL};
	static const char declared[] =
		"{\"name\":\"execute_command\",\"security\":{\"validator\":\"none\"}}";
	assert_true(reads(declared));
	assert_int_equal(security->validator, VALIDATOR_NONE);
	assert_false(security->is_fallback);
	rules.is_negotiated = false; /* then what it declares is nobody's business */
	assert_true(reads(declared));
	assert_int_equal(security->validator, VALIDATOR_SANDBOX);
	assert_true(security->is_fallback && !security->is_declared);
	rules.validators = validators;
	assert_true(reads(declared));
	assert_int_equal(security->validator, VALIDATOR_READONLY);
	assert_false(security->is_fallback);
	assert_true(reads("{\"name\":\"special\"}"));
	assert_int_equal(security->validator, VALIDATOR_SANDBOX);
	assert_true(reads("{\"name\":\"fetch_url\",\"inputSchema\":{\"properties\":{\"url\":{}}}}"));
	assert_int_equal(security->validator, VALIDATOR_NONE);
}

static void rules_of_configuration_are_checked(void **state) {
	(void)state;
	static const char *const wrong[] = {"x", "=sandbox", "x=", "x=magic", NULL};
	for (size_t i = 0; wrong[i]; i++) {
		assert_false(tool_security_check_rule(wrong[i], &why));
		assert_int_equal(why.code, FAULT_BAD_INPUT);
	}
	assert_true(tool_security_check_rule("a=b=sandbox", &why));
	rules.validators = wrong;
	check_refused("{\"name\":\"x\"}", "TOOL=VALIDATOR");
}

static void code_rules_come_from_the_tool_from_configuration_and_the_sandbox(void **state) {
	(void)state;
	static const char definition[] =
		"{\"name\":\"x\",\"security\":{\"validator\":\"code_safety\",\"code_safety\":"
		"{\"level\":\"unrestricted\",\"max_code_size_bytes\":500}}}";
	assert_true(reads(definition));
	assert_int_equal(security->code.level, CODE_UNRESTRICTED);
	assert_int_equal(security->code.max_size, 500);
	check_shown("{\"risk_level\":\"dangerous\",\"validator\":\"code_safety\",\"code_safety\":"
		    "{\"level\":\"unrestricted\",\"max_code_size_bytes\":500}}");
	rules.is_sandboxed = true;
	assert_true(reads(definition));
	assert_int_equal(security->code.level, CODE_STANDARD);
	rules.code_safety = SLICE("{\"level\":\"strict\"}");
	assert_true(reads(definition));
	assert_int_equal(security->code.level, CODE_STRICT);
	assert_int_equal(security->code.max_size, 500);
	rules.code_safety = SLICE("{\"level\":\"nonsense\"}");
	check_refused(definition, "level");
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			the_example_of_the_specification_is_read_whole, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			permissions_are_normalised_and_unknown_ones_named, set_up, tear_down),
		cmocka_unit_test_setup_teardown(the_risk_is_the_greatest_of_all_signs, set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_is_malformed_is_refused_by_name, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_name_counts_whatever_the_tool_declares, set_up, tear_down),
		cmocka_unit_test_setup_teardown(lists_are_bounded, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			a_tool_that_declares_no_validator_gets_one_that_fits, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			a_declared_validator_and_configuration_go_before_that, set_up, tear_down),
		cmocka_unit_test_setup_teardown(rules_of_configuration_are_checked, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			code_rules_come_from_the_tool_from_configuration_and_the_sandbox, set_up,
			tear_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
