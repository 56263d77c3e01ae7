/* SPDX-License-Identifier: Apache-2.0 */
#include "config_rig.h"

#include "cli/config_schema.h"
#include "wire/scan.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static struct config *read_with(const char *file, char **environment,
	const struct config_flag_value *flags, size_t flag_count, struct fault *why) {
	const struct config_wish wish = {.file = file, .flags = flags, .flag_count = flag_count, .environment = environment};
	return config_read(&wish, why);
}

/* A file that disappears by itself: it is unlinked once it was read. */
static void write_file(char path[64], const char *text) {
	snprintf(path, 64, "/tmp/hustings-config-XXXXXX");
	int descriptor = mkstemp(path);
	assert_true(descriptor >= 0);
	assert_int_equal(write(descriptor, text, strlen(text)), (ssize_t)strlen(text));
	close(descriptor);
}

static void the_defaults_are_those_of_the_documents(void **state) {
	(void)state;
	struct config *config = config_from("", no_environment);
	struct rooms_settings rooms;
	rooms_settings_default(&rooms);
	assert_string_equal(config->gateway.host, "127.0.0.1");
	assert_int_equal(config->gateway.port, 7410);
	assert_int_equal(config->threads, 1);
	assert_int_equal(config->gateway.max_message, 1024 * 1024);
	assert_int_equal(config->default_privilege, PRIVILEGE_RESTRICTED);
	assert_int_equal(config->log_level, LOG_INFO);
	assert_false(config->has_jwt);
	assert_memory_equal(&config->rooms, &rooms, sizeof rooms);
	config_free(config);
}

static void flags_beat_the_environment_and_that_beats_the_file(void **state) {
	(void)state;
	char path[64];
	char *environment[] = {"HUSTINGS_ROOMS_PACE=2/s", "HUSTINGS_ROOMS_HISTORY=off", NULL};
	const struct config_flag_value flags[] = {{"rooms.pace", "3/s", "--set rooms.pace"},
		{"rooms.pace", "4/s", "--set rooms.pace"}};
	struct fault why = {0};
	write_file(path, "[rooms]\npace = \"1/s\"\nhistory = true\nproposal_ttl = \"9m\"\n");
	struct config *config = read_with(path, no_environment, NULL, 0, &why);
	assert_non_null(config);
	assert_int_equal(config->rooms.pace.count, 1);
	assert_true(config->rooms.history);
	config_free(config);
	config = read_with(path, environment, NULL, 0, &why);
	assert_int_equal(config->rooms.pace.count, 2);
	assert_false(config->rooms.history);
	assert_int_equal(config->rooms.proposal_ttl_ms, 9 * 60000);
	config_free(config);
	config = read_with(path, environment, flags, 2, &why);
	assert_int_equal(config->rooms.pace.count, 4);
	config_free(config);
	assert_int_equal(unlink(path), 0);
}

static void check_read_refused(char **environment, const struct config_flag_value *flags,
	size_t count, const char *beginning, const char *word) {
	char path[64];
	struct fault why = {0};
	write_file(path, "");
	assert_null(read_with(path, environment, flags, count, &why));
	assert_int_equal(unlink(path), 0);
	if (!slice_starts_with(slice_of(why.text), beginning) || !strstr(why.text, word))
		fail_msg("says '%s' instead of '%s... %s'", why.text, beginning, word);
}

static void faults_name_the_variable(void **state) {
	(void)state;
	char *bad_value[] = {"HUSTINGS_ROOMS_PACE=often", NULL};
	char *bad_key[] = {"A=b", "HUSTINGS_ROOMS_PAEC=off", NULL};
	char *no_value[] = {"HUSTINGS_GATEWAY_THREADS=", NULL};
	char *not_ours[] = {"HUSTINGS_TOKEN=x", "HUSTINGS_URL=y", "HUSTINGS_BUILD=z", NULL};
	check_read_refused(bad_value, NULL, 0, "HUSTINGS_ROOMS_PACE: ", "often");
	check_read_refused(bad_key, NULL, 0, "HUSTINGS_ROOMS_PAEC: ", "no such key");
	check_read_refused(no_value, NULL, 0, "HUSTINGS_GATEWAY_THREADS: ", "no integer");

	char path[64];
	struct fault why = {0};
	write_file(path, "");
	struct config *config = read_with(path, not_ours, NULL, 0, &why);
	assert_non_null(config);
	config_free(config);
	assert_int_equal(unlink(path), 0);
}

static void faults_name_the_flag(void **state) {
	(void)state;
	const struct config_flag_value unknown[] = {{"rooms.paec", "off", "--set rooms.paec"}};
	const struct config_flag_value bad[] = {{"gateway.listen", "here", "--listen"}};
	const struct config_flag_value table[] = {{"auth.identities", "x", "--set auth.identities"}};
	check_read_refused(no_environment, unknown, 1, "--set rooms.paec: ", "did you mean rooms.pace?");
	check_read_refused(no_environment, bad, 1, "--listen: ", "HOST:PORT");
	check_read_refused(no_environment, table, 1, "--set auth.identities: ", "array of tables");
}

static void the_data_folder_comes_from_flag_variable_or_file(void **state) {
	(void)state;
	char path[64];
	char *environment[] = {"HUSTINGS_DATA=/from/variable", NULL};
	const struct config_flag_value flag[] = {{"gateway.data", "/from/flag", "--data"}};
	struct fault why = {0};
	write_file(path, "[gateway]\ndata = \"/from/file\"\n");
	struct config *config = read_with(path, no_environment, NULL, 0, &why);
	assert_string_equal(config->data, "/from/file");
	config_free(config);
	config = read_with(path, environment, NULL, 0, &why);
	assert_string_equal(config->data, "/from/variable");
	config_free(config);
	config = read_with(path, environment, flag, 1, &why);
	assert_string_equal(config->data, "/from/flag");
	config_free(config);
	assert_int_equal(unlink(path), 0);
}

static void a_file_that_cannot_be_read_is_a_fault_with_its_name(void **state) {
	(void)state;
	struct fault why = {0};
	assert_null(read_with("/nonexistent/hustings.toml", no_environment, NULL, 0, &why));
	assert_non_null(strstr(why.text, "/nonexistent/hustings.toml"));
	assert_int_equal(why.code, FAULT_NOT_FOUND);
	assert_null(read_with("/", no_environment, NULL, 0, &why));
	assert_non_null(strstr(why.text, "folder"));
}

static void check_listen(const char *text, const char *host, unsigned port) {
	struct fault why = {0};
	struct config *config = config_new(&why);
	assert_non_null(config);
	bool is_taken = config_assign(config, "gateway.listen", slice_of(text), "--listen", &why);
	assert_int_equal(is_taken, host != NULL);
	if (host) {
		assert_string_equal(config->gateway.host, host);
		assert_int_equal(config->gateway.port, port);
	}
	config_free(config);
}

static void addresses_are_host_and_port(void **state) {
	(void)state;
	check_listen("127.0.0.1:0", "127.0.0.1", 0);
	check_listen("localhost:65535", "localhost", 65535);
	check_listen("[::]:7410", "::", 7410);
	check_listen("127.0.0.1", NULL, 0);
	check_listen(":7410", NULL, 0);
	check_listen("::1:7410", NULL, 0);
	check_listen("[::1]", NULL, 0);
	check_listen("[]:1", NULL, 0);
	check_listen("[a]:1", NULL, 0);
	check_listen("a:65536", NULL, 0);
	check_listen("a:", NULL, 0);
	check_listen("a:-1", NULL, 0);
	check_listen("a:1 ", NULL, 0);
}

static void lists_in_flags_are_parted_by_commas(void **state) {
	(void)state;
	struct fault why = {0};
	struct config *config = config_new(&why);
	assert_true(config_assign(config, "gateway.allowed_hosts", SLICE("a.example, b.example:1"), "f", &why));
	assert_string_equal(config->gateway.allowed_hosts[0], "a.example");
	assert_string_equal(config->gateway.allowed_hosts[1], "b.example:1");
	assert_null(config->gateway.allowed_hosts[2]);
	assert_true(config_assign(config, "gateway.allowed_hosts", SLICE(""), "f", &why));
	assert_null(config->gateway.allowed_hosts[0]);
	assert_false(config_assign(config, "gateway.allowed_hosts", SLICE("a,,b"), "f", &why));

	AUTO_TEXT struct text many = {0};
	for (int i = 0; i < GATEWAY_NAMES; i++) text_printf(&many, "%sh%d.example", i ? "," : "", i);
	assert_true(config_assign(config, "gateway.allowed_hosts", text_slice(&many), "f", &why));
	assert_string_equal(config->gateway.allowed_hosts[GATEWAY_NAMES - 1], "h63.example");
	text_add_cstr(&many, ",one.more");
	assert_false(config_assign(config, "gateway.allowed_hosts", text_slice(&many), "f", &why));
	config_free(config);
}

/* The table itself */

static void every_key_is_found_by_its_name_and_by_its_variable_alone(void **state) {
	(void)state;
	char one[96], other[96];
	for (const struct config_key *key = config_keys; key->name; key++) {
		assert_ptr_equal(config_key_find(config_keys, slice_of(key->name)), key);
		assert_non_null(key->help);
		config_key_variable(key, one);
		for (const struct config_key *next = key + 1; next->name; next++) {
			config_key_variable(next, other);
			assert_string_not_equal(one, other);
		}
	}
}

static void the_schema_names_every_key(void **state) {
	(void)state;
	AUTO_TEXT struct text words = {0}, json = {0};
	struct scan_value root, keys;
	struct scan_fault fault;
	size_t count = 0;
	config_schema_write(&words);
	config_schema_write_json(&json);
	assert_false(text_failed(&words));
	assert_true(scan_check(text_slice(&json), SCAN_DEPTH, &root, &fault));
	assert_true(scan_find(&root, "keys", &keys));
	for (const struct config_key *key = config_keys; key->name; key++, count++)
		assert_non_null(strstr(words.bytes, key->name));
	assert_int_equal(scan_count(&keys), count);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_defaults_are_those_of_the_documents),
		cmocka_unit_test(flags_beat_the_environment_and_that_beats_the_file),
		cmocka_unit_test(faults_name_the_variable),
		cmocka_unit_test(faults_name_the_flag),
		cmocka_unit_test(the_data_folder_comes_from_flag_variable_or_file),
		cmocka_unit_test(a_file_that_cannot_be_read_is_a_fault_with_its_name),
		cmocka_unit_test(addresses_are_host_and_port),
		cmocka_unit_test(lists_in_flags_are_parted_by_commas),
		cmocka_unit_test(every_key_is_found_by_its_name_and_by_its_variable_alone),
		cmocka_unit_test(the_schema_names_every_key),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
