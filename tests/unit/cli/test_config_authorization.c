/* SPDX-License-Identifier: Apache-2.0 */
/* [servers.authorization] and decide.early_error. */
#include "config_rig.h"

#define SERVER "[[servers]]\nid = \"vault\"\ncommand = \"vault\"\n"

static void a_server_says_who_decides(void **state) {
	(void)state;
	struct config *config = config_from(SERVER
		"[servers.authorization]\n"
		"mode = \"selective\"\n"
		"delegate = \"boss\"\n"
		"deciders = [\"cleo\", \"dora\"]\n"
		"timeout = \"90s\"\n"
		"rules = [{ tool = \"read*\", action = \"allow\" }, { caller = \"mallory\", action = \"deny\" }, { tool = \"drop\" }]\n"
		"[decide]\nearly_error = \"always\"\n",
		no_environment);
	const struct config_server *server = config->servers.items;
	const struct authorization_settings *of = &server->policy.authorization;
	assert_int_equal(of->mode, AUTHORIZATION_SELECTIVE);
	assert_string_equal(of->delegate, "boss");
	assert_int_equal(of->timeout_ms, 90000);
	assert_int_equal(of->rule_count, 3);
	assert_string_equal(of->rules[0].tool, "read*");
	assert_null(of->rules[0].caller);
	assert_int_equal(of->rules[0].action, AUTHORIZATION_ALLOW);
	assert_string_equal(of->rules[1].caller, "mallory");
	assert_int_equal(of->rules[1].action, AUTHORIZATION_DENY);
	assert_int_equal(of->rules[2].action, AUTHORIZATION_ASK);
	assert_string_equal(server->policy.authorization_deciders[1], "dora");
	assert_null(server->policy.authorization_deciders[2]);
	assert_int_equal(config->decide.early, INBOX_EARLY_ALWAYS);
	config_free(config);
}

static void what_is_left_out_is_the_tools_affair(void **state) {
	(void)state;
	struct config *config = config_from(SERVER, no_environment);
	const struct config_server *server = config->servers.items;
	assert_int_equal(server->policy.authorization.mode, AUTHORIZATION_UNSAID);
	assert_null(server->policy.authorization.delegate);
	assert_null(server->policy.authorization_deciders);
	assert_int_equal(server->policy.authorization.timeout_ms, 0);
	assert_int_equal(config->decide.early, INBOX_EARLY_DECLARED);
	config_free(config);
}

static void what_is_wrong_is_named(void **state) {
	(void)state;
	check_refused(SERVER "[servers.authorization]\nmode = \"sometimes\"\n", "t.toml", "always_prompt");
	check_refused(SERVER "[servers.authorization]\nrules = [{ tool = \"x\" }]\n", "server vault: authorization.rules", "selective");
	check_refused(SERVER "[servers.authorization]\nmode = \"selective\"\nrules = [{ too = \"x\" }]\n", "t.toml", "tool");
	check_refused(SERVER "[servers.authorization]\nmode = \"selective\"\nrules = [{ action = \"maybe\" }]\n", "t.toml", "deny");

	check_refused(SERVER "[servers.authorization]\ndeciders = [\"\"]\n", "t.toml:5", "empty");
	check_refused("[decide]\nearly_error = \"soon\"\n", "t.toml", "declared");
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_server_says_who_decides),
		cmocka_unit_test(what_is_left_out_is_the_tools_affair),
		cmocka_unit_test(what_is_wrong_is_named),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
