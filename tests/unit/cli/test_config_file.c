/* SPDX-License-Identifier: Apache-2.0 */
#include "config_rig.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static void every_section_reaches_its_part(void **state) {
	(void)state;
	struct config *config = config_from(
		"[gateway]\n"
		"listen = \"[::1]:0\"\n"
		"threads = 3\n"
		"max_message = \"2MiB\"\n"
		"max_behind = 16777216\n"
		"allowed_hosts = [\"rooms.example\", \"rooms.example:8443\"]\n"
		"allowed_origins = [\"https://console.example\"]\n"
		"log_level = \"debug\"\n"
		"[rooms]\n"
		"create = \"admin\"\n"
		"dialect = \"mcp-x/v0\"\n"
		"pace = \"5/min\"\n"
		"proposal_ttl = 90\n"
		"one_recipient = false\n"
		"durability = \"power\"\n"
		"heartbeat = \"30s\"\n"
		"retention = { count = 50, age = \"7d\" }\n"
		"[[rooms.topics]]\n"
		"topic = \"logs/*\"\n"
		"retention.bytes = \"1MiB\"\n"
		"[auth]\n"
		"default_privilege = \"full\"\n"
		"[[auth.identities]]\n"
		"id = \"robot-*\"\n"
		"privilege = \"restricted\"\n"
		"kind = \"robot\"\n"
		"[[auth.identities]]\n"
		"id = \"boss\"\n"
		"admin = true\n",
		no_environment);
	assert_string_equal(config->gateway.host, "::1");
	assert_int_equal(config->gateway.port, 0);
	assert_int_equal(config->threads, 3);
	assert_int_equal(config->gateway.max_message, 2 * 1024 * 1024);
	assert_int_equal(config->rooms.max_message, 2 * 1024 * 1024);
	assert_int_equal(config->rooms.max_behind, 16777216);
	assert_string_equal(config->gateway.allowed_hosts[1], "rooms.example:8443");
	assert_null(config->gateway.allowed_hosts[2]);
	assert_string_equal(config->gateway.allowed_origins[0], "https://console.example");
	assert_int_equal(config->log_level, LOG_DEBUG);
	assert_false(config->rooms.anyone_creates);
	assert_int_equal(config->rooms.dialect, ENVELOPE_V0);
	assert_int_equal(config->rooms.pace.count, 5);
	assert_int_equal(config->rooms.pace.span_ms, 60000);
	assert_int_equal(config->rooms.proposal_ttl_ms, 90000);
	assert_false(config->rooms.one_recipient);
	assert_true(config->rooms.power_safe);
	assert_int_equal(config->rooms.heartbeat_ms, 30000);
	assert_int_equal(config->rule_count, 2);
	assert_string_equal(config->rules[0].topic, "logs/*");
	assert_int_equal(config->rules[0].retention.bytes, 1024 * 1024);
	assert_int_equal(config->rules[0].retention.count, 0);
	assert_string_equal(config->rules[1].topic, "*");
	assert_int_equal(config->rules[1].retention.count, 50);
	assert_int_equal(config->rules[1].retention.age_ms, 7 * 86400000LL);
	assert_int_equal(config->default_privilege, PRIVILEGE_FULL);
	assert_int_equal(config->identities.count, 2);
	const struct identity_rule *rules = config->identities.items;
	assert_string_equal(rules[0].id, "robot-*");
	assert_int_equal(rules[0].privilege, PRIVILEGE_RESTRICTED);
	assert_int_equal(rules[0].kind, PRINCIPAL_ROBOT);
	assert_false(rules[0].is_admin);
	assert_int_equal(rules[1].privilege, PRIVILEGE_UNSAID);
	assert_true(rules[1].is_admin);
	config_free(config);
}

static void a_jwt_section_turns_jwts_on(void **state) {
	(void)state;
	struct config *config = config_from("[auth.jwt]\njwks = \"https://issuer.example/keys\"\n"
					    "audience = \"house\"\n",
		no_environment);
	assert_true(config->has_jwt);
	assert_string_equal(config->jwt.jwks_url, "https://issuer.example/keys");
	assert_null(config->jwt.jwks_file);
	assert_string_equal(config->jwt.audience, "house");
	assert_int_equal(config->jwt.algorithms & (1u << JWT_HS256), 0);
	assert_int_not_equal(config->jwt.algorithms & (1u << JWT_ES256), 0);
	config_free(config);

	config = config_from("[auth.jwt]\nsecret = \"0123456789abcdef0123456789abcdef\"\n", no_environment);
	assert_int_equal(config->jwt.algorithms, 1u << JWT_HS256);
	config_free(config);

	config = config_from("[auth.jwt]\njwks = \"keys.json\"\nalgorithms = [\"HS256\", \"EdDSA\"]\n",
		no_environment);
	assert_string_equal(config->jwt.jwks_file, "keys.json");
	assert_int_equal(config->jwt.algorithms, 1u << JWT_HS256 | 1u << JWT_EDDSA);
	config_free(config);
}

static void faults_name_file_line_and_key(void **state) {
	(void)state;
	check_refused("[rooms]\npace = \"1/s\"\n\npaec = \"1/s\"\n", "t.toml:4: ", "did you mean rooms.pace?");
	check_refused("\n[romos]\npace = \"1/s\"\n", "t.toml:2: ", "romos");
	check_refused("listen = \"127.0.0.1:1\"\n", "t.toml:1: ", "there is no key listen");
	check_refused("\"rooms.pace\" = \"off\"\n", "t.toml:1: ", "rooms.pace");
	check_refused("[rooms]\nrooms = 1\n", "t.toml:2: ", "rooms.rooms");
	check_refused("rooms = 5\n", "t.toml:1: ", "rooms");
	check_refused("[gateway]\n\nmax_message = true\n", "t.toml:3: gateway.max_message: ", "true");
	check_refused("[gateway]\nmax_message = \"much\"\n", "t.toml:2: gateway.max_message: ", "much");
	check_refused("[gateway]\nmax_message = \"1GiB\"\n", "t.toml:2: gateway.max_message: ", "not within");
	check_refused("[gateway]\nthreads = 0\n", "t.toml:2: gateway.threads: ", "1 to 64");
	check_refused("[gateway]\nthreads = 1.5\n", "t.toml:2: gateway.threads: ", "an integer");
	check_refused("[gateway]\nthreads = -1\n", "t.toml:2: gateway.threads: ", "-1");
	check_refused("[gateway]\ntls_cert = 5\n", "t.toml:2: gateway.tls_cert: ", "a string");
	check_refused("[gateway]\nallowed_hosts = \"a\"\n", "t.toml:2: gateway.allowed_hosts: ", "a list");
	check_refused("[gateway]\nallowed_hosts = [1]\n", "t.toml:2: gateway.allowed_hosts: ", "a list");
	check_refused("[gateway]\nallowed_hosts = [\"\"]\n", "t.toml:2: gateway.allowed_hosts: ", "empty");
	check_refused("[rooms]\npace = 5\n", "t.toml:2: rooms.pace: ", "a pace");
	check_refused("[rooms]\npace = [\"1/s\"]\n", "t.toml:2: rooms.pace: ", "a pace");
	check_refused("[rooms]\none_recipient = \"perhaps\"\n", "t.toml:2: rooms.one_recipient: ", "perhaps");
	check_refused("[rooms]\nproposal_ttl = \"soon\"\n", "t.toml:2: rooms.proposal_ttl: ", "soon");
	check_refused("[rooms]\nproposal_ttl = \"10ms\"\n", "t.toml:2: rooms.proposal_ttl: ", "not within");
	check_refused("[rooms]\nproposal_ttl = \"off\"\n", "t.toml:2: rooms.proposal_ttl: ", "off");
	check_refused("[auth]\ndefault_privilege = \"god\"\n", "t.toml:2: auth.default_privilege: ", "god");
	check_refused("[auth]\nidentities = 3\n", "t.toml:2: ", "array of tables");
	check_refused("[[auth.identities]]\nid = \"a\"\n[[auth.identities]]\nidd = \"b\"\n", "t.toml:4: ",
		"auth.identities.id?");
	check_refused("[[auth.identities]]\nid = \"a*b\"\n", "t.toml:2: auth.identities.id: ", "end only");
	check_refused("[auth.jwt]\nalgorithms = [\"HS512\"]\n", "t.toml:2: auth.jwt.algorithms: ", "HS512");
	check_refused("[rooms]\npace = \n", "t.toml:2:", "");
}

static void what_does_not_hang_together_is_refused(void **state) {
	(void)state;
	check_refused("[gateway]\ntls_cert = \"a\"\n", "gateway.tls_cert", "gateway.tls_key is missing");
	check_refused("[gateway]\ntls_key = \"a\"\n", "gateway.tls_cert", "gateway.tls_cert is missing");
	check_refused("[gateway]\nmax_message = \"16MiB\"\n", "gateway.max_behind", "gateway.max_message");
	check_refused("[gateway]\nallowed_origins = [\"console.example\"]\n", "gateway.allowed_origins", "no origin");
	check_refused("[gateway]\nallowed_hosts = [\"a b\"]\n", "gateway.allowed_hosts", "no name");
	check_refused("[auth.jwt]\nissuer = \"x\"\n", "auth.jwt needs keys", "auth.jwt.jwks");
	check_refused("[auth.jwt]\nsecret = \"short\"\n", "auth.jwt.secret", "32 octets");
	check_refused("[[auth.identities]]\nprivilege = \"full\"\n", "auth.identities: rule 1", "id");
	check_refused("[[rooms.topics]]\nretention.count = 1\n", "rooms.topics: entry 1", "topic");
}

static void a_secret_is_never_said(void **state) {
	(void)state;
	struct fault why = {0};
	struct config *config = config_new(&why);
	assert_false(config_file_apply(config, slice_of("[auth.jwt]\nsecret = 12345678901234\n"), "t.toml",
			     no_environment, &why) &&
		config_finish(config, &why));
	assert_null(strstr(why.text, "12345678901234"));
	config_free(config);
}

static void variables_are_filled_in(void **state) {
	(void)state;
	char *environment[] = {"PACE=7/s", "EMPTY=", "PATH_OF=/keys", NULL};
	struct config *config = config_from(
		"[rooms]\npace = \"${PACE}\"\nproposal_ttl = \"${TTL:-7m}\"\n"
		"[auth.jwt]\njwks = \"${PATH_OF}/a$${b}/${EMPTY:-c}${EMPTY}.json\"\n",
		environment);
	assert_int_equal(config->rooms.pace.count, 7);
	assert_int_equal(config->rooms.proposal_ttl_ms, 7 * 60000);
	assert_string_equal(config->jwks, "/keys/a${b}/c.json");
	config_free(config);
}

static void an_unset_variable_is_refused_wherever_it_stands(void **state) {
	(void)state;
	check_refused("[rooms]\npace = \"${NONE}\"\n", "t.toml:2: rooms.pace: ", "NONE is not set");
	check_refused("[gateway]\nallowed_hosts = [\"a\", \"${NONE}\"]\n", "t.toml:2: gateway.allowed_hosts: ",
		"NONE");
	check_refused("[[servers]]\nid = \"a\"\n[servers.env]\nKEY = \"${NONE}\"\n", "t.toml:3: servers.env: ", "NONE");
	check_refused("[rooms]\npace = \"${NONE\"\n", "t.toml:2: rooms.pace: ", "no }");
	check_refused("[rooms]\npace = \"${}\"\n", "t.toml:2: rooms.pace: ", "names no variable");
	check_refused("[rooms]\npace = \"${1A}\"\n", "t.toml:2: rooms.pace: ", "names no variable");
	check_refused("[rooms]\npace = \"${A-b}\"\n", "t.toml:2: rooms.pace: ", "names no variable");
}

static void write_secret(const char *path, const char *octets, size_t length) {
	FILE *file = fopen(path, "w");
	assert_non_null(file);
	assert_int_equal(fwrite(octets, 1, length, file), length);
	assert_int_equal(fclose(file), 0);
}

static void a_file_is_filled_in_without_its_last_line_ends(void **state) {
	(void)state;
	char path[] = "/tmp/hustings-secret-XXXXXX", text[200];
	int descriptor = mkstemp(path);
	assert_true(descriptor >= 0);
	close(descriptor);
	write_secret(path, "two words\r\n\n", 12);
	snprintf(text, sizeof text, "[auth.jwt]\njwks = \"/a/${file:%s}/b\"\n", path);
	struct config *config = config_from(text, no_environment);
	assert_string_equal(config->jwks, "/a/two words/b");
	config_free(config);

	char wrong[200];
	snprintf(wrong, sizeof wrong, "[gateway]\nlisten = \"${file:%s}\"\n", path);
	check_refused(wrong, "t.toml:2: gateway.listen: ", "what stands in the file does not fit: it has to be");

	write_secret(path, "a\0b", 3);
	check_refused(text, "t.toml:2: auth.jwt.jwks: ", "holds more than text");
	assert_int_equal(truncate(path, 64 * 1024 + 1), 0);
	check_refused(text, "t.toml:2: auth.jwt.jwks: ", "larger than 64 KiB");
	unlink(path);
	check_refused(text, "t.toml:2: auth.jwt.jwks: ", path);
	check_refused("[auth.jwt]\njwks = \"${file:/}\"\n", "t.toml:2: auth.jwt.jwks: ", "no plain file");
	check_refused("[auth.jwt]\njwks = \"${file:here}\"\n", "t.toml:2: auth.jwt.jwks: ", "whole path");
}

static void sections_of_later_versions_are_checked_and_named(void **state) {
	(void)state;
	struct config *config = config_from(
		"[kernel]\ntools = \"search\"\npinned = [\"a.b\"]\nregister_allow = [[\"npx\", \"-y\"]]\n"
		"[flow]\nenabled = true\n"
		"[cluster]\n"
		"[[servers]]\nid = \"files\"\ncommand = \"npx\"\nargs = [\"-y\", \"x\"]\nrooms = [\"lobby\"]\n"
		"[servers.mgp]\nextensions = [\"security\"]\ntrust_level = \"standard\"\n"
		"[servers.env]\nA = \"b\"\n"
		"[[servers]]\nid = \"other\"\nurl = \"https://a.example/mcp\"\n",
		no_environment);
	assert_int_equal(config->servers.count, 2);
	assert_true(!config->later.length || !strstr(config->later.bytes, "kernel.tools"));
	config_free(config);
	check_refused("[kernel]\ntolls = \"all\"\n", "t.toml:2: ", "kernel.tools");
	check_refused("[kernel]\ntools = \"some\"\n", "t.toml:2: kernel.tools: ", "some");
	check_refused("[[servers]]\nid = \"a\"\n[servers.mgp]\ntrust = 1\n", "t.toml:4: ", "servers.mgp.trust");
	check_refused("[[servers]]\nenv = { A = 1 }\n", "t.toml:2: servers.env: ", "A in it has to be a string");
	check_refused("[cluster]\nurl = \"nats://a\"\n", "t.toml:1: cluster: ", "no keys");
}

static void a_found_file_holds_servers_alone(void **state) {
	(void)state;
	struct fault why = {0};
	struct config *config = config_new(&why);
	config->is_found = true;
	assert_true(config_file_apply(config, slice_of("[[servers]]\nid = \"a\"\ncommand = \"b\"\n"),
		"./mgp.toml", no_environment, &why));
	assert_false(config_file_apply(config, slice_of("[[servers]]\nid = \"a\"\n[rooms]\npace = \"off\"\n"),
		"./mgp.toml", no_environment, &why));
	assert_int_equal(why.code, FAULT_REFUSED);
	assert_non_null(strstr(why.text, "./mgp.toml:3: "));
	assert_non_null(strstr(why.text, "--config"));
	config_free(config);
}

static void a_long_file_name_leaves_room_for_the_words(void **state) {
	(void)state;
	char name[400];
	struct fault why = {0};
	struct config *config = config_new(&why);
	memset(name, 'd', sizeof name);
	memcpy(name + sizeof name - 12, "/hustings.t", 12);
	assert_false(config_file_apply(config, slice_of("[rooms]\npaec = 1\n"), name, no_environment, &why));
	assert_non_null(strstr(why.text, "/hustings.t:2: there is no key rooms.paec: did you mean rooms.pace?"));
	config_free(config);
}

/* Where the file is */

struct places {
	char folder[64];
	char home[160];
	char *environment[3];
	char mgp[200];
	struct arena memory;
};

static void place(const char *folder, const char *name) {
	char path[300];
	assert_in_range(snprintf(path, sizeof path, "%s/%s", folder, name), 1, sizeof path - 1);
	FILE *file = fopen(path, "w");
	assert_non_null(file);
	fclose(file);
}

static void check_found(struct places *places, const char *named, const char *end, bool is_found) {
	const char *path;
	bool found;
	assert_true(config_file_find(named, places->environment, &places->memory, &path, &found, NULL));
	assert_int_equal(found, is_found);
	if (!end) {
		assert_null(path);
		return;
	}
	assert_non_null(path);
	assert_true(strlen(path) >= strlen(end));
	assert_string_equal(path + strlen(path) - strlen(end), end);
}

static void the_places_of_a_file_have_an_order(void **state) {
	(void)state;
	struct places places = {.folder = "/tmp/hustings-config-XXXXXX"};
	char path[300], before[4096];
	assert_non_null(getcwd(before, sizeof before));
	assert_non_null(mkdtemp(places.folder));
	assert_int_equal(chdir(places.folder), 0);
	snprintf(places.home, sizeof places.home, "HOME=%s", places.folder);
	places.environment[0] = places.home;
	arena_init(&places.memory, NULL, 0, 0);

	check_found(&places, NULL, NULL, false);
	snprintf(path, sizeof path, "%s/.config", places.folder);
	assert_int_equal(mkdir(path, 0700), 0);
	snprintf(path, sizeof path, "%s/.config/mgp", places.folder);
	assert_int_equal(mkdir(path, 0700), 0);
	place(path, "servers.toml");
	check_found(&places, NULL, "/.config/mgp/servers.toml", false);
	place(places.folder, "mgp.toml");
	check_found(&places, NULL, "./mgp.toml", true);
	places.environment[1] = "MGP_CONFIG_PATH=/elsewhere.toml";
	check_found(&places, NULL, "/elsewhere.toml", false);
	check_found(&places, "named.toml", "named.toml", false);

	assert_int_equal(unlink("mgp.toml"), 0);
	assert_int_equal(unlink(".config/mgp/servers.toml"), 0);
	assert_int_equal(rmdir(".config/mgp"), 0);
	assert_int_equal(rmdir(".config"), 0);
	assert_int_equal(chdir(before), 0);
	assert_int_equal(rmdir(places.folder), 0);
	arena_finish(&places.memory);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_section_reaches_its_part),
		cmocka_unit_test(a_jwt_section_turns_jwts_on),
		cmocka_unit_test(faults_name_file_line_and_key),
		cmocka_unit_test(what_does_not_hang_together_is_refused),
		cmocka_unit_test(a_secret_is_never_said),
		cmocka_unit_test(variables_are_filled_in),
		cmocka_unit_test(an_unset_variable_is_refused_wherever_it_stands),
		cmocka_unit_test(a_file_is_filled_in_without_its_last_line_ends),
		cmocka_unit_test(sections_of_later_versions_are_checked_and_named),
		cmocka_unit_test(a_found_file_holds_servers_alone),
		cmocka_unit_test(a_long_file_name_leaves_room_for_the_words),
		cmocka_unit_test(the_places_of_a_file_have_an_order),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
