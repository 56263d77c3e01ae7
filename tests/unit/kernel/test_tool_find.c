/* SPDX-License-Identifier: Apache-2.0 */
/* The index follows the servers; discover, request, session and what an agent may make itself. */
#include "kernel_rig.h"

#include "kernel/mgp_method.h"
#include "kernel/mgp_tools_request.h"
#include "kernel/tool_creation.h"
#include "kernel/tool_index.h"
#include "kernel/tool_sessions.h"

#define TOOL(name, words, security) \
	"{\"name\":\"" name "\",\"description\":\"" words "\",\"inputSchema\":{\"$schema\":\"x\", \"type\":\"object\"},\"annotations\":{\"readOnlyHint\":true}" security "}"
#define READ TOOL("read_file", "Read a text file from disk", "")
#define WEATHER TOOL("get_weather", "Tell the weather forecast of a city", "")
#define RUN TOOL("run_code", "Run a program", ",\"security\":{\"risk_level\":\"dangerous\",\"permissions_required\":[\"code_execution\"]}")

static const struct policy free_policy = {
	.permissions = PERMISSION_AUTO_APPROVE,
	.access = ACCESS_OPT_OUT,
	.approval = APPROVAL_AUTO_APPROVE,
};

static struct kernel_rig rig;
static struct {
	unsigned answered;
	int64_t code;
	char result[16000], message[300];
} got;
static struct mgp_ask held;
static struct arena held_arena;

static void begin(const char *tools, const struct policy *policy) {
	const struct policy kernel = {.permissions = PERMISSION_AUTO_APPROVE};
	kernel_rig_open(&rig, &kernel);
	fake_write(&rig, "capabilities", FAKE_CAN("\"security\"", "\"code_execution\""));
	fake_write(&rig, "tools", tools);
	fake_start(&rig, policy);
}

static int tear_down(void **state) {
	(void)state;
	arena_finish(&held_arena);
	kernel_rig_close(&rig);
	return 0;
}

static void answered(struct mgp_ask *ask, const struct hosted_answer *answer) {
	(void)ask;
	got.answered++;
	got.code = answer->code;
	snprintf(got.result, sizeof got.result, "%.*s", SLICE_ARGS(answer->result));
	snprintf(got.message, sizeof got.message, "%.*s", SLICE_ARGS(answer->message));
}

/* What it was lent is gone when it returns, and the answer may come later. */
static void start(const char *method, const char *who, const char *params) {
	static char lent[6000], name[64];
	snprintf(lent, sizeof lent, "%s", params);
	snprintf(name, sizeof name, "%s", who);
	arena_init(&held_arena, NULL, 0, 0);
	held = (struct mgp_ask){
		.means = kernel_means(rig.kernel),
		.asker = {.principal = slice_of(name), .mgp = SPEAKS_MGP},
		.params = {.text = slice_of(lent), .type = SCAN_OBJECT},
		.arena = &held_arena,
		.answered = answered,
	};
	memset(&got, 0, sizeof got);
	mgp_method_ask(&held, slice_of(method));
	arena_finish(&held_arena);
	memset(lent, '?', sizeof lent);
	memset(name, '?', sizeof name);
}

static void ask_as(const char *method, const char *who, const char *params) {
	start(method, who, params);
	rig_until(&rig.of, got.answered);
	assert_int_equal(got.answered, 1);
}
static void ask(const char *method, const char *params) { ask_as(method, "ann", params); }

static bool has(const char *words) { return strstr(got.result, words) != NULL; }

static size_t indexed(void) { return tool_index_count(kernel_means(rig.kernel)->tool_index); }

/* ---- The index ---- */

static void the_first_question_waits_for_the_first_list(void **state) {
	(void)state;
	begin("[" READ "," WEATHER "]", &free_policy);
	start("mgp/tools/discover", "ann", "{\"query\":\"read a file\",\"max_results\":1}");
	assert_int_equal(got.answered, 0);
	rig_until(&rig.of, got.answered && indexed() == 2);
	if (!has("\"total_available\":2")) ask("mgp/tools/discover", "{\"query\":\"read a file\",\"max_results\":1}"); /* it took too long */
	assert_true(has("\"name\":\"read_file\"") && has("\"total_available\":2"));
	assert_true(has("\"inputSchema\":{\"type\":\"object\"}") && has("\"semantic_source\":\"lexical\""));
	assert_true(has("\"security\":{\"risk_level\":") && has("\"annotations\""));
	assert_false(has("get_weather"));
}

static void a_question_that_nobody_waits_for_ends(void **state) {
	(void)state;
	begin("[" READ "]", &free_policy);
	start("mgp/tools/discover", "ann", "{\"query\":\"read a file\"}");
	assert_int_equal(got.answered, 0);
	mgp_ask_cancel(&held);
	mgp_ask_cancel(&held);
	rig_until(&rig.of, indexed() == 1);
	assert_int_equal(got.answered, 0);
}

static void a_server_of_others_is_not_waited_for(void **state) {
	(void)state;
	const struct policy shut = {.permissions = PERMISSION_AUTO_APPROVE, .access = ACCESS_OPT_IN};
	begin("[" READ "]", &shut);
	start("mgp/tools/discover", "ann", "{\"query\":\"read a file\"}");
	assert_int_equal(got.answered, 1);
	assert_true(has("{\"tools\":[],\"total_available\":0"));
	rig_until(&rig.of, indexed() == 1);
	ask("mgp/tools/categories", "{}");
	assert_string_equal(got.result, "{\"categories\":[],\"total_available\":0}");
	kernel_rig_grant(&rig, "ann", "read_file", true);
	ask("mgp/tools/discover", "{\"query\":\"read a file\"}");
	assert_true(has("\"name\":\"read_file\"") && has("\"total_available\":1"));
}

static void write_many(const char *words, unsigned count) {
	AUTO_TEXT struct text list = {0};
	text_init(&list, 0);
	text_add_char(&list, '[');
	for (unsigned i = 0; i < count; i++)
		text_printf(&list, "%s{\"name\":\"tool_%u\",\"description\":\"%s %u\",\"inputSchema\":{\"type\":\"object\"}}", i ? "," : "", i, words, i);
	text_add_char(&list, ']');
	fake_write(&rig, "tools", list.bytes);
}

static void long_lists_are_put_in_piece_by_piece_and_follow_the_server(void **state) {
	(void)state;
	struct rig_ask made;
	size_t most = 0;
	begin("[" READ "]", &free_policy);
	rig_until(&rig.of, indexed() == 1);
	write_many("Paint a picture", 1500);
	fake_write(&rig, "say", "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}");
	kernel_rig_call(&rig, &made, mgp_asker("ann"), "{\"name\":\"read_file\",\"arguments\":{}}");
	size_t before = indexed();
	rig_until(&rig.of, (most = indexed() > before + most ? indexed() - before : most, before = indexed()) == 1500);
	assert_in_range(most, 1, 400); /* in one or two passes */
	write_many("Paint a picture", 3);
	fake_write(&rig, "say", "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}");
	kernel_rig_call(&rig, &made, mgp_asker("ann"), "{\"name\":\"tool_1\",\"arguments\":{}}");
	rig_until(&rig.of, indexed() == 3);
	hosted_remove(rig.of.hosted);
	assert_int_equal(indexed(), 0);
	ask("mgp/tools/discover", "{\"query\":\"paint\"}");
	assert_true(has("\"total_available\":0"));
	ask("mgp/tools/session", "{}");
	assert_true(has("\"cached\":[]"));
}

static void a_server_that_is_down_keeps_its_tools_with_their_status(void **state) {
	(void)state;
	struct fault why;
	begin("[" READ "]", &free_policy);
	rig_until(&rig.of, indexed() == 1);
	assert_true(hosted_stop(rig.of.hosted, 0, &why));
	rig_until(&rig.of, hosted_state(rig.of.hosted) == HOSTED_DISCONNECTED);
	ask("mgp/tools/discover", "{\"query\":\"read a file\"}");
	assert_true(has("\"name\":\"read_file\"") && has("\"status\":\"disconnected\""));
	ask("mgp/tools/discover", "{\"query\":\"read a file\",\"filter\":{\"status\":\"connected\"}}");
	assert_true(has("\"tools\":[]") && has("\"total_available\":0"));
}

/* ---- Discover ---- */

static void what_is_wrong_is_named_with_its_limit(void **state) {
	(void)state;
	static const struct {
		const char *method, *params, *words;
	} rows[] = {
		{"mgp/tools/discover", "{\"query\":7}", "params.query"},
		{"mgp/tools/discover", "{\"query\":null}", "params.query"},
		{"mgp/tools/discover", "{\"query\":\"x\",\"strategy\":\"magic\"}", "keyword, semantic or category"},
		{"mgp/tools/discover", "{\"query\":\"x\",\"max_results\":0}", "from 1 to 100"},
		{"mgp/tools/discover", "{\"query\":\"x\",\"max_results\":101}", "from 1 to 100"},
		{"mgp/tools/discover", "{\"query\":\"x\",\"max_results\":1.5}", "params.max_results"},
		{"mgp/tools/discover", "{\"query\":\"x\",\"filter\":[]}", "params.filter"},
		{"mgp/tools/discover", "{\"query\":\"x\",\"filter\":{\"categories\":[\"\"]}}", "params.filter.categories"},
		{"mgp/tools/discover", "{\"query\":\"x\",\"filter\":{\"risk_level_max\":\"low\"}}", "safe, moderate or dangerous"},
		{"mgp/tools/discover", "{\"query\":\"x\",\"filter\":{\"status\":\"up\"}}", "params.filter.status"},
		{"mgp/tools/request", "{}", "params.requirements.capabilities"},
		{"mgp/tools/request", "{\"requirements\":{\"capabilities\":[]}}", "at least one"},
		{"mgp/tools/request", "{\"requirements\":{\"capabilities\":[1]}}", "at most 16 strings"},
		{"mgp/tools/request", "{\"requirements\":{\"capabilities\":[\"x\"],\"input_types\":{}}}", "input_types"},
		{"mgp/tools/request", "{\"requirements\":{\"capabilities\":[\"x\"],\"preferred_risk_level\":\"low\"}}", "preferred_risk_level"},
		{"mgp/tools/session/evict", "{}", "params.tools"},
		{"mgp/tools/session/evict", "{\"tools\":[]}", "1 to 256"},
		{"mgp/tools/session/evict", "{\"tools\":[\"\"]}", "params.tools"},
		{"mgp/tools/categories", "{\"under\":1}", "params.under"},
	};
	AUTO_TEXT struct text large = {0};
	begin("[" READ "]", &free_policy);
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		ask(rows[i].method, rows[i].params);
		assert_int_equal(got.code, -32602);
		if (!strstr(got.message, rows[i].words)) fail_msg("%s: %s", rows[i].params, got.message);
	}
	text_init(&large, 0);
	text_add_cstr(&large, "{\"query\":\"");
	for (int i = 0; i <= 4096; i++) text_add_char(&large, 'x');
	text_add_cstr(&large, "\"}");
	ask("mgp/tools/discover", large.bytes);
	assert_int_equal(got.code, -32602);
	assert_non_null(strstr(got.message, "4096"));
}

static void an_answer_stays_within_its_budget(void **state) {
	(void)state;
	const struct tool_budget budget = {.max_tokens = 8000, .discovery_reserve = 300, .cache_limit = 8000};
	struct fault why;
	size_t count = 0;
	begin("[]", &free_policy);
	write_many("Paint a picture of a house by a lake", 40);
	assert_true(kernel_change_tools(rig.kernel, &budget, NULL, false, &why));
	rig_until(&rig.of, indexed() == 40);
	ask("mgp/tools/discover", "{\"query\":\"paint a picture\",\"max_results\":40}");
	assert_true(has("\"truncated\":true") && has("\"total_available\":40"));
	for (const char *at = got.result; (at = strstr(at, "\"relevance_score\"")); at++) count++;
	assert_in_range(count, 2, 8);
	assert_true(has("\"left_out\":[\"fake.tool_"));
	ask("mgp/tools/discover", "{\"query\":\"paint a picture\"}"); /* a part of it, and nothing is said of the rest */
	assert_false(has("\"truncated\""));
	assert_int_equal(tool_sessions_standing(kernel_means(rig.kernel)->tool_sessions, &(struct call_asker){.principal = SLICE("ann")}, SLICE("fake"), SLICE("nothing")), TOOL_UNKNOWN);
}

static void an_empty_query_is_answered_with_the_categories(void **state) {
	(void)state;
	begin("[" READ "," WEATHER "]", &free_policy);
	rig_until(&rig.of, indexed() == 2);
	ask("mgp/tools/discover", "{}");
	assert_true(has("{\"tools\":[],\"categories\":[{\"category\":") && has("\"search_strategy\":\"category\"") && has("\"total_available\":2"));
	ask("mgp/tools/categories", "{\"under\":\"fake\"}");
	assert_true(has("\"category\":\"fake/read\",\"tools\":2}"));
	ask("mgp/tools/discover", "{\"query\":\"\",\"filter\":{\"categories\":[\"FAKE/read\"]}}");
	assert_true(has("\"name\":\"read_file\"") && has("\"name\":\"get_weather\""));
}

/* ---- Request, session ---- */

#define NEEDS(words) "{\"requirements\":{\"capabilities\":[" words "]}}"

static void what_is_met_is_loaded_once(void **state) {
	(void)state;
	begin("[" READ "," WEATHER "]", &free_policy);
	rig_until(&rig.of, indexed() == 2);
	ask("mgp/tools/request", NEEDS("\"weather forecast\",\"read a file\",\"play the trumpet\""));
	assert_true(has("\"status\":\"partial\"") && has("\"tools_unavailable\":[\"play the trumpet\"]"));
	assert_true(has("\"session_tools_count\":2") && !has("\"context_tokens_added\":0"));
	ask("mgp/tools/request", NEEDS("\"weather forecast\",\"read a file\""));
	assert_true(has("\"status\":\"fulfilled\"") && has("\"context_tokens_added\":0"));
	ask("mgp/tools/session", "{}");
	assert_true(has("{\"pinned\":[],\"cached\":[\"") && has("\"max_tokens\":8000"));
	ask("mgp/tools/session/evict", "{\"tools\":[\"fake.read_file\",\"nothing\",\"get_weather\"]}");
	assert_string_equal(got.result, "{\"evicted\":[\"fake.read_file\",\"get_weather\"],\"not_found\":[\"nothing\"],\"pinned\":[],\"total_tokens\":0}");
	ask("mgp/tools/request", NEEDS("\"play the trumpet\""));
	assert_true(has("{\"status\":\"unavailable\",\"tools_loaded\":[]"));
}

static void what_is_called_is_cached(void **state) {
	(void)state;
	static const char *const pinned[] = {"fake.get_weather", NULL};
	const struct tool_budget budget = TOOL_BUDGET;
	struct rig_ask made;
	struct fault why;
	begin("[" READ "," WEATHER "]", &free_policy);
	rig_until(&rig.of, indexed() == 2);
	assert_true(kernel_change_tools(rig.kernel, &budget, pinned, false, &why));
	kernel_rig_call(&rig, &made, mgp_asker("ann"), "{\"name\":\"read_file\",\"arguments\":{}}");
	kernel_rig_call(&rig, &made, mgp_asker("ann"), "{\"name\":\"get_weather\",\"arguments\":{}}");
	kernel_rig_call(&rig, &made, mgp_asker("ann"), "{\"name\":\"no_tool\",\"arguments\":{}}");
	ask("mgp/tools/session", "{}");
	assert_true(has("{\"pinned\":[\"get_weather\"],\"cached\":[\"read_file\"]"));
	ask("mgp/tools/session/evict", "{\"tools\":[\"get_weather\"]}");
	assert_true(has("\"pinned\":[\"get_weather\"]") && has("\"evicted\":[]"));
	ask_as("mgp/tools/session", "bob", "{}");
	assert_true(has("\"cached\":[]"));
}

/* ---- Creating ---- */

#define CREATE "{\"requirements\":{\"capabilities\":[\"play the trumpet\"]},\"task_trace_id\":\"t1\"}"

static void let_create(bool may) {
	const struct tool_budget budget = TOOL_BUDGET;
	struct fault why;
	assert_true(kernel_change_tools(rig.kernel, &budget, NULL, may, &why));
}

static void read_server(char id[HOSTED_ID + 1]) {
	const char *at = strstr(got.result, "\"server_id\":\"made-");
	assert_non_null(at);
	assert_int_equal(sscanf(at, "\"server_id\":\"%64[^\"]\"", id), 1);
}

static void who_runs_code_is_told_to_make_what_is_missing(void **state) {
	(void)state;
	char id[HOSTED_ID + 1], again[HOSTED_ID + 1], params[600];
	begin("[" RUN "]", &free_policy);
	rig_until(&rig.of, indexed() == 1);
	ask("mgp/tools/request", CREATE);
	assert_true(has("\"status\":\"unavailable\"")); /* it is off */
	let_create(true);
	ask("mgp/tools/request", CREATE);
	assert_true(has("\"status\":\"creating\"") && has("mgp/discovery/register") && has("\"name\":\"play_the_trumpet\""));
	read_server(id);
	ask("mgp/tools/request", CREATE);
	read_server(again);
	assert_string_equal(id, again);
	/* Code that may not run is refused; other words than were offered are a question to people. */
	snprintf(params, sizeof params, "{\"id\":\"%s\",\"command\":\"node\",\"args\":[\"-e\",\"require('child_process').execSync('id')\"]}", id);
	ask("mgp/discovery/register", params);
	if (got.code != 1011) fail_msg("%s", got.message);
	assert_non_null(strstr(got.message, "child_process"));
	snprintf(params, sizeof params, "{\"id\":\"%s\",\"command\":\"node\",\"args\":[\"-e\",\"process.stdin.on('data', (line) => process.stdout.write(line))\"]}", id);
	ask_as("mgp/discovery/register", "bob", params);
	assert_true(has("\"status\":\"pending\"")); /* it was offered to somebody else */
	let_create(false);
	ask("mgp/tools/request", CREATE);
	assert_true(has("\"status\":\"unavailable\""));
}

static void who_runs_no_code_makes_nothing(void **state) {
	(void)state;
	begin("[" READ "]", &free_policy);
	kernel_rig_stop(&rig);
	fake_write(&rig, "capabilities", FAKE_CAN("\"security\"", "\"memory.read\""));
	kernel_rig_start(&rig);
	fake_run(&rig, &free_policy);
	rig_until(&rig.of, indexed() == 1);
	let_create(true);
	ask("mgp/tools/request", CREATE);
	assert_true(has("\"status\":\"unavailable\""));
}

/* However many capabilities and tools there are, it is answered once; and whoever leaves in the middle is not. */
static void a_long_request_takes_turns_and_may_be_left(void **state) {
	static const char params[] =
		"{\"context\":\"a picture book\",\"requirements\":{\"capabilities\":[\"paint a pictrue\",\"paint a house\",\"pictures 1\",\"pictures 2\","
		"\"paint 3\",\"paint 4\",\"paint 5\",\"paint 6\",\"paint 7\",\"paint 8\",\"paint 9\",\"paint 10\",\"paint 11\",\"paint 12\",\"paint 13\",\"zzzzzz\"]}}";
	(void)state;
	begin("[]", &free_policy);
	write_many("Paint a picture", 2000);
	rig_until(&rig.of, indexed() == 2000);
	start("mgp/tools/request", "ann", params);
	mgp_ask_cancel(&held); /* harmless where it is answered already */
	ask("mgp/tools/request", params);
	assert_int_equal(got.answered, 1);
	assert_true(has("\"status\":\"partial\"") && has("\"zzzzzz\"]"));
}

int main(int argc, char **argv) {
	if (launcher_is_inner(argc, argv)) return launcher_inner(argc, argv);
#define WITH_RIG(test) cmocka_unit_test_teardown(test, tear_down)
	const struct CMUnitTest tests[] = {
		WITH_RIG(the_first_question_waits_for_the_first_list),
		WITH_RIG(a_question_that_nobody_waits_for_ends),
		WITH_RIG(a_server_of_others_is_not_waited_for),
		WITH_RIG(long_lists_are_put_in_piece_by_piece_and_follow_the_server),
		WITH_RIG(a_server_that_is_down_keeps_its_tools_with_their_status),
		WITH_RIG(what_is_wrong_is_named_with_its_limit),
		WITH_RIG(an_answer_stays_within_its_budget),
		WITH_RIG(a_long_request_takes_turns_and_may_be_left),
		WITH_RIG(an_empty_query_is_answered_with_the_categories),
		WITH_RIG(what_is_met_is_loaded_once),
		WITH_RIG(what_is_called_is_cached),
		WITH_RIG(who_runs_code_is_told_to_make_what_is_missing),
		WITH_RIG(who_runs_no_code_makes_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
