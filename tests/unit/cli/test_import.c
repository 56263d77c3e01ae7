/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"

#include "cli/config.h"
#include "cli/config_file.h"
#include "cli/import_values.h"
#include "cli/import_write.h"

#include <stdlib.h>

struct imported {
	struct import_file file;
	struct import_servers servers;
	struct text toml;
};

static void import(struct imported *imported, const char *text, bool is_inline) {
	struct fault why = {0};
	import_file_init(&imported->file);
	import_servers_init(&imported->servers, is_inline);
	text_init(&imported->toml, 0);
	if (!import_file_read(&imported->file, slice_of(text), "fixture", &why)) fail_msg("%s", why.text);
	if (!import_servers_take(&imported->servers, &imported->file, &why)) fail_msg("%s", why.text);
	import_write_toml(&imported->toml, &imported->servers);
}

static void release(struct imported *imported) {
	text_finish(&imported->toml);
	import_servers_finish(&imported->servers);
	import_file_finish(&imported->file);
}

static void check_import(const char *text, const char *toml) {
	struct imported imported;
	import(&imported, text, false);
	if (strcmp(imported.toml.bytes, toml) != 0) fail_msg("got:\n%s", imported.toml.bytes);
	release(&imported);
}

static bool has_note(const struct imported *imported, const char *server, const char *words) {
	for (const struct import_pair *one = imported->servers.notes.first; one; one = one->next)
		if (slice_is(one->name, server) && memmem(one->value.bytes, one->value.length, words, strlen(words)))
			return true;
	return false;
}

static void what_cannot_be_seen_is_written_by_its_number(void **state) {
	(void)state;
	check_import("{\"mcpServers\":{\"a\":{\"command\":\"run\",\"args\":[\"\\u202Egnp.sh\",\"\xc2\x9b\",\"\xc3\xa4\xf0\x9f\x98\x80\"]}}}",
		"[[servers]]\n"
		"id = \"a\"\n"
		"command = \"run\"\n"
		"args = [\"\\u202Egnp.sh\", \"\\u009B\", \"\xc3\xa4\xf0\x9f\x98\x80\"]\n");
}

static void a_claude_desktop_file_becomes_servers(void **state) {
	(void)state;
	check_import(
		"{\"globalShortcut\":\"\",\"mcpServers\":{"
		"\"filesystem\":{\"command\":\"npx\",\"args\":[\"-y\",\"@modelcontextprotocol/server-filesystem\",\"/home/a b\"]},"
		"\"github\":{\"command\":\"docker\",\"args\":[\"run\",\"-i\"],"
		"\"env\":{\"GITHUB_PERSONAL_ACCESS_TOKEN\":\"ghp_0123456789abcdef0123\",\"PORT\":3000,\"GONE\":null}}}}",
		"[[servers]]\n"
		"id = \"filesystem\"\n"
		"command = \"npx\"\n"
		"args = [\"-y\", \"@modelcontextprotocol/server-filesystem\", \"/home/a b\"]\n"
		"\n"
		"[[servers]]\n"
		"id = \"github\"\n"
		"command = \"docker\"\n"
		"args = [\"run\", \"-i\"]\n"
		"[servers.env]\n"
		"GITHUB_PERSONAL_ACCESS_TOKEN = \"${GITHUB_PERSONAL_ACCESS_TOKEN}\"\n"
		"PORT = \"3000\"\n");
}

static void a_claude_code_file_keeps_its_references(void **state) {
	(void)state;
	check_import(
		"{\"mcpServers\":{\"api\":{\"type\":\"http\",\"url\":\"${API_URL:-https://api.example}/mcp\","
		"\"headers\":{\"Authorization\":\"Bearer ${API_KEY}\",\"X-Team\":\"blue\"}},"
		"\"old\":{\"type\":\"sse\",\"url\":\"https://old.example/sse\"}}}",
		"[[servers]]\n"
		"id = \"api\"\n"
		"url = \"${API_URL:-https://api.example}/mcp\"\n"
		"transport = \"http\"\n"
		"[servers.headers]\n"
		"Authorization = \"Bearer ${API_KEY}\"\n"
		"X-Team = \"blue\"\n"
		"\n"
		"[[servers]]\n"
		"id = \"old\"\n"
		"url = \"https://old.example/sse\"\n"
		"transport = \"sse\"\n");
}

static void a_vs_code_file_with_comments_and_inputs_is_read(void **state) {
	(void)state;
	struct imported imported;
	import(&imported,
		"{\n// asked once\n\"inputs\":[{\"type\":\"promptString\",\"id\":\"perplexity-key\","
		"\"description\":\"Perplexity API key\",\"password\":true,},],\n"
		"\"servers\":{\"perplexity\":{/* local */\"type\":\"stdio\",\"command\":\"${userHome}/bin/perplexity\","
		"\"args\":[\"--root=${workspaceFolder}\",\"http://a//b,]\",],"
		"\"env\":{\"KEY_OF_IT\":\"${input:perplexity-key}\",\"HOST\":\"${env:HOST_NAME}\"},\"dev\":{\"watch\":\"x\"},},},}",
		false);
	assert_string_equal(imported.toml.bytes,
		"[[servers]]\n"
		"id = \"perplexity\"\n"
		"command = \"${HOME}/bin/perplexity\"\n"
		"args = [\"--root=${WORKSPACE_FOLDER}\", \"http://a//b,]\"]\n"
		"[servers.env]\n"
		"KEY_OF_IT = \"${PERPLEXITY_KEY}\"\n"
		"HOST = \"${HOST_NAME}\"\n");
	assert_true(has_note(&imported, "perplexity", "dev is not taken over"));
	const struct import_variable *folder = imported.servers.variables;
	check_slice(folder->name, "WORKSPACE_FOLDER");
	check_slice(folder->next->name, "PERPLEXITY_KEY");
	check_slice(folder->next->what, "input \"Perplexity API key\" of perplexity");
	release(&imported);
}

static void servers_in_the_settings_of_vs_code_are_found(void **state) {
	(void)state;
	check_import("{\"editor.tabSize\":4,\"mcp\":{\"inputs\":[],\"servers\":{\"a\":{\"command\":\"a\"}}}}",
		"[[servers]]\nid = \"a\"\ncommand = \"a\"\n");
}

static void a_codex_file_becomes_servers(void **state) {
	(void)state;
	struct imported imported;
	import(&imported,
		"model = \"gpt\"\n"
		"[mcp_servers.docs]\n"
		"command = \"npx\"\n"
		"args = [\"-y\", \"docs\", \"--pattern=${x}\"]\n"
		"env_vars = [\"LOCAL_TOKEN\"]\n"
		"startup_timeout_sec = 20\n"
		"[mcp_servers.docs.env]\n"
		"MODE = \"fast\"\n"
		"[mcp_servers.figma]\n"
		"url = \"https://mcp.figma.example/mcp\"\n"
		"bearer_token_env_var = \"FIGMA_TOKEN\"\n"
		"http_headers = { \"X-Region\" = \"eu\" }\n"
		"env_http_headers = { \"X-Account\" = \"ACCOUNT\" }\n"
		"[mcp_servers.off]\n"
		"command = \"off\"\n"
		"enabled = false\n",
		false);
	assert_string_equal(imported.toml.bytes,
		"[[servers]]\n"
		"id = \"docs\"\n"
		"command = \"npx\"\n"
		"args = [\"-y\", \"docs\", \"--pattern=$${x}\"]\n"
		"[servers.env]\n"
		"LOCAL_TOKEN = \"${LOCAL_TOKEN}\"\n"
		"MODE = \"fast\"\n"
		"\n"
		"[[servers]]\n"
		"id = \"figma\"\n"
		"url = \"https://mcp.figma.example/mcp\"\n"
		"[servers.headers]\n"
		"Authorization = \"Bearer ${FIGMA_TOKEN}\"\n"
		"X-Region = \"eu\"\n"
		"X-Account = \"${ACCOUNT}\"\n");
	assert_true(has_note(&imported, "docs", "startup_timeout_sec is not taken over"));
	assert_true(has_note(&imported, "off", "left out: it is switched off there"));
	release(&imported);
}

static void ids_are_made_valid_and_unique(void **state) {
	(void)state;
	struct imported imported;
	import(&imported,
		"{\"mcpServers\":{\"My server!\":{\"command\":\"a\"},\"My  server\":{\"command\":\"b\"},"
		"\"\xe5\xa4\xa9\":{\"command\":\"c\"},\"my-server\":{\"command\":\"d\"},"
		"\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\":{\"command\":\"e\"}}}",
		false);
	const struct import_server *server = imported.servers.first;
	assert_string_equal(server->id, "My-server");
	assert_true(has_note(&imported, "My-server", "is called \"My server!\" there"));
	server = server->next;
	assert_string_equal(server->id, "My-server-2");
	server = server->next;
	assert_string_equal(server->id, "server");
	server = server->next;
	assert_string_equal(server->id, "my-server-3");
	server = server->next;
	assert_int_equal(strlen(server->id), IMPORT_ID);
	release(&imported);
}

static const char two_keys[] =
	"{\"mcpServers\":{\"one\":{\"command\":\"a\",\"env\":{\"API_KEY\":\"first secret\"}},"
	"\"two\":{\"command\":\"b\",\"args\":[\"--api-key\",\"abc\",\"--token=def\",\"--port\",\"80\"],"
	"\"env\":{\"API_KEY\":\"second secret\"}},"
	"\"three\":{\"url\":\"https://c.example?api_key=x\",\"headers\":{\"Authorization\":\"Bearer third secret\"},"
	"\"env\":{\"API_KEY\":\"first secret\",\"DATABASE\":\"postgres://me:pw@host/db\"}}}}";

static void a_secret_does_not_become_what_another_server_names(void **state) {
	(void)state;
	check_import(
		"{\"mcpServers\":{"
		"\"a\":{\"command\":\"run\",\"env\":{\"API_KEY\":\"sk-0123456789abcdef\"}},"
		"\"b\":{\"command\":\"run\",\"env\":{\"KEY\":\"${env:API_KEY}\"}},"
		"\"c\":{\"command\":\"run\",\"env\":{\"OTHER_KEY\":\"sk-0123456789abcdef\"}}}}",
		"[[servers]]\n"
		"id = \"a\"\n"
		"command = \"run\"\n"
		"[servers.env]\n"
		"API_KEY = \"${A_API_KEY}\"\n"
		"\n"
		"[[servers]]\n"
		"id = \"b\"\n"
		"command = \"run\"\n"
		"[servers.env]\n"
		"KEY = \"${API_KEY}\"\n"
		"\n"
		"[[servers]]\n"
		"id = \"c\"\n"
		"command = \"run\"\n"
		"[servers.env]\n"
		"OTHER_KEY = \"${OTHER_KEY}\"\n");
}

static void two_secrets_of_one_name_get_two_variables(void **state) {
	(void)state;
	struct imported imported;
	import(&imported, two_keys, false);
	assert_string_equal(imported.toml.bytes,
		"[[servers]]\n"
		"id = \"one\"\n"
		"command = \"a\"\n"
		"[servers.env]\n"
		"API_KEY = \"${API_KEY}\"\n"
		"\n"
		"[[servers]]\n"
		"id = \"two\"\n"
		"command = \"b\"\n"
		"args = [\"--api-key\", \"${TWO_API_KEY}\", \"--token=${TWO_TOKEN}\", \"--port\", \"80\"]\n"
		"[servers.env]\n"
		"API_KEY = \"${TWO_API_KEY_2}\"\n"
		"\n"
		"[[servers]]\n"
		"id = \"three\"\n"
		"url = \"https://c.example?api_key=x\"\n"
		"[servers.env]\n"
		"API_KEY = \"${API_KEY}\"\n"
		"DATABASE = \"${DATABASE}\"\n"
		"[servers.headers]\n"
		"Authorization = \"Bearer ${THREE_AUTHORIZATION}\"\n");
	assert_true(has_note(&imported, "three", "its url seems to hold a secret"));
	release(&imported);
}

static void inline_leaves_secrets_where_they_are(void **state) {
	(void)state;
	struct imported imported;
	import(&imported, two_keys, true);
	assert_non_null(strstr(imported.toml.bytes, "API_KEY = \"first secret\"\n"));
	assert_non_null(strstr(imported.toml.bytes, "Authorization = \"Bearer third secret\"\n"));
	assert_null(imported.servers.variables);
	release(&imported);
}

static void no_secret_stands_in_what_is_written(void **state) {
	(void)state;
	struct imported imported;
	AUTO_TEXT struct text json = {0};
	import(&imported, two_keys, false);
	text_init(&json, 0);
	import_write_json(&json, &imported.servers);
	assert_false(text_failed(&json));
	for (const char *const *one = (const char *const[]){"first secret", "second secret", "third secret", "pw@",
		     "abc", "def", NULL};
		*one; one++) {
		assert_null(strstr(imported.toml.bytes, *one));
		assert_null(strstr(json.bytes, *one));
	}
	release(&imported);
}

static void what_cannot_be_hosted_is_left_out_with_its_reason(void **state) {
	(void)state;
	static const struct {
		const char *server, *words;
	} rows[] = {
		{"{}", "neither command nor url"},
		{"{\"command\":\"a\",\"url\":\"http://b\"}", "both command and url"},
		{"{\"url\":\"ws://b\"}", "no http or https"},
		{"{\"command\":\"a\",\"type\":\"http\"}", "a command speaks stdio alone"},
		{"{\"command\":\"a\",\"type\":\"telnet\"}", "not all of it could be read"},
		{"{\"command\":\"a\",\"args\":\"b\"}", "not all of it could be read"},
		{"{\"command\":[\"a\"]}", "not all of it could be read"},
		{"{\"command\":\"a\",\"disabled\":true}", "switched off"},
	};
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct imported imported;
		AUTO_TEXT struct text text = {0};
		text_init(&text, 0);
		text_printf(&text, "{\"mcpServers\":{\"x\":%s}}", rows[i].server);
		import(&imported, text.bytes, false);
		assert_int_equal(imported.servers.count, 0);
		assert_true(has_note(&imported, "x", rows[i].words));
		release(&imported);
	}
}

static void servers_of_single_projects_are_counted(void **state) {
	(void)state;
	struct imported imported;
	import(&imported,
		"{\"projects\":{\"/a\":{\"mcpServers\":{\"x\":{},\"y\":{}}},\"/b\":{}},\"mcpServers\":{\"z\":{\"command\":\"z\"}}}",
		false);
	assert_int_equal(imported.servers.count, 1);
	assert_true(has_note(&imported, "", "2 servers of single projects"));
	release(&imported);
}

static void what_is_no_such_file_is_refused(void **state) {
	(void)state;
	static const struct {
		const char *text, *words;
	} rows[] = {
		{"{}", "neither mcpServers nor servers"},
		{"{\"mcpServers\":[]}", "has to be an object"},
		{"{\"mcpServers\":{\"x\":1}}", "has to be an object"},
		{"{\"mcpServers\":{}}x", "fixture:1: this is no JSON"},
		{"{\n\n\"mcpServers\":}", "fixture:3: this is no JSON"},
		{"{\"mcpServers\":{\"x\":{},\"x\":{}}}", "twice"},
		{"", "no [mcp_servers]"},
		{"mcp_servers = 1", "has to be a table"},
		{"[mcp_servers]\nx = 1", "has to be a table"},
		{"[mcp_servers", "fixture:1"},
		{"{\"mcpServers\":{\"a\\u0000b\":{}}}", "has to be an object"},
	};
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct import_file file;
		struct fault why = {0};
		import_file_init(&file);
		assert_false(import_file_read(&file, slice_of(rows[i].text), "fixture", &why));
		if (!strstr(why.text, rows[i].words)) fail_msg("%s: %s", rows[i].text, why.text);
		import_file_finish(&file);
	}
}

static void what_is_written_is_a_configuration(void **state) {
	(void)state;
	struct imported imported;
	struct fault why = {0};
	char *environment[] = {"API_KEY=a", "TWO_API_KEY=b", "TWO_API_KEY_2=c", "TWO_TOKEN=d", "DATABASE=e",
		"THREE_AUTHORIZATION=f", NULL};
	import(&imported, two_keys, false);
	struct config *config = config_new(&why);
	assert_non_null(config);
	if (!config_file_apply(config, text_slice(&imported.toml), "out.toml", environment, &why))
		fail_msg("%s", why.text);
	config_free(config);
	release(&imported);
}

static void secrets_are_known_by_name_and_by_look(void **state) {
	(void)state;
	for (const char *const *one = (const char *const[]){"GITHUB_TOKEN", "apiKey", "X-Api-Key", "PASSWORD",
		     "AWS_SECRET_ACCESS_KEY", "SENTRY_DSN", "Cookie", NULL};
		*one; one++)
		if (!import_value_is_secret_name(slice_of(*one))) fail_msg("%s", *one);
	for (const char *const *one = (const char *const[]){"PATH", "MAX_TOKENS", "TOKEN_FILE", "KEYBOARD", "PORT",
		     "SSH_PUBLIC_KEY", "", NULL};
		*one; one++)
		if (import_value_is_secret_name(slice_of(*one))) fail_msg("%s", *one);
	assert_true(import_value_is_secret(SLICE("sk-0123456789abcdef")));
	assert_true(import_value_is_secret(SLICE("redis://:secret@host")));
	assert_false(import_value_is_secret(SLICE("redis://host:80/a@b:c")));
	assert_false(import_value_is_secret(SLICE("sk-short")));
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_cannot_be_seen_is_written_by_its_number),
		cmocka_unit_test(a_claude_desktop_file_becomes_servers),
		cmocka_unit_test(a_claude_code_file_keeps_its_references),
		cmocka_unit_test(a_vs_code_file_with_comments_and_inputs_is_read),
		cmocka_unit_test(servers_in_the_settings_of_vs_code_are_found),
		cmocka_unit_test(a_codex_file_becomes_servers),
		cmocka_unit_test(ids_are_made_valid_and_unique),
		cmocka_unit_test(a_secret_does_not_become_what_another_server_names),
		cmocka_unit_test(two_secrets_of_one_name_get_two_variables),
		cmocka_unit_test(inline_leaves_secrets_where_they_are),
		cmocka_unit_test(no_secret_stands_in_what_is_written),
		cmocka_unit_test(what_cannot_be_hosted_is_left_out_with_its_reason),
		cmocka_unit_test(servers_of_single_projects_are_counted),
		cmocka_unit_test(what_is_no_such_file_is_refused),
		cmocka_unit_test(what_is_written_is_a_configuration),
		cmocka_unit_test(secrets_are_known_by_name_and_by_look),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
