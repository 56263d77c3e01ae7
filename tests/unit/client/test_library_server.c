/* SPDX-License-Identifier: Apache-2.0 */
/* Both ends of MCP by the library itself: `one` serves over HTTP, `two` asks, in either era. */
#include "check.h"

#include "client/web_host.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#define PATIENCE_MS 60000
#define UNTIL(condition) \
	do { \
		uint64_t end_ = clock_monotonic_ms() + PATIENCE_MS; \
		while (!(condition)) { \
			assert_true(clock_monotonic_ms() < end_); \
			hustings_step(one, 5); \
			hustings_step(two, 5); \
		} \
	} while (0)

static struct hustings *one, *two;
static struct hustings_server *server;

static struct {
	unsigned ready, ended, answered, progressed, logged, told, changed, updated, listed, items;
	unsigned elicited, sampled, rooted, withdrawn, cancelled, replied;
	enum hustings_status status, end;
	enum hustings_list list;
	bool is_error, holds, disconnects;
	int64_t code;
	char text[400], json[1000], name[100], uri[100], level[20];
	struct hustings_request *held;
	struct hustings_question *question;
} seen;

/* ---- What `one` offers ---- */

static void run_echo(void *context, struct hustings_request *request,
	struct hustings_json arguments) {
	char words[300];
	(void)context;
	snprintf(words, sizeof words, "%.*s", (int)arguments.length, arguments.text);
	hustings_log(request, "info", "echo", "{\"n\":1}");
	hustings_report(request, 1, 2, "half");
	hustings_report(request, 2, 2, NULL);
	hustings_answer_json(request, words);
}

static void run_held(void *context, struct hustings_request *request,
	struct hustings_json arguments) {
	(void)context;
	(void)arguments;
	assert_null(seen.held);
	seen.held = request;
}

static void held_cancelled(void *context, struct hustings_request *request) {
	(void)context;
	assert_true(hustings_is_cancelled(request));
	seen.cancelled++;
}

static void replied(void *context, const struct hustings_answer *answer,
	const struct hustings_error *error) {
	struct hustings_request *request = context;
	char json[300];
	seen.replied++;
	if (answer) snprintf(json, sizeof json, "%.*s", (int)answer->json.length, answer->json.text);
	if (error) hustings_answer_failure(request, "%s", hustings_status_word(error->status));
	else if (answer->code) hustings_answer_failure(request, "%s", answer->text);
	else hustings_answer_json(request, json);
}

static void run_elicit(void *context, struct hustings_request *request,
	struct hustings_json arguments) {
	struct hustings_error error;
	(void)context;
	(void)arguments;
	if (!hustings_elicit(request, "Who?", "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\",\"default\":\"x\"},\"b\":{\"type\":\"integer\"}}}", 0, replied, request, &error))
		hustings_answer_unable(request, "elicitation/create");
}

static void run_ask(void *context, struct hustings_request *request,
	struct hustings_json arguments) {
	struct hustings_error error;
	(void)arguments;
	if (!hustings_ask_back(request, "k", context, "{\"messages\":[],\"maxTokens\":1}", 0, replied, request, &error))
		hustings_answer_failure(request, "%s", error.text);
}

static void read_resource(void *context, struct hustings_request *request) {
	(void)context;
	hustings_answer_text(request, hustings_request_name(request));
}

static void get_prompt(void *context, struct hustings_request *request,
	struct hustings_json arguments) {
	(void)context;
	(void)arguments;
	hustings_answer_text(request, "words");
}

static void offer_all(void) {
	struct hustings_error error;
	const struct hustings_tool tools[] = {
		{.name = "echo", .run = run_echo, .schema = "{\"type\":\"object\",\"properties\":{\"where\":{\"type\":\"string\",\"x-mcp-header\":\"Where\"}}}"},
		{.name = "held", .run = run_held, .cancelled = held_cancelled},
		{.name = "elicit", .run = run_elicit},
		{.name = "sample", .run = run_ask, .context = "sampling/createMessage"},
		{.name = "roots", .run = run_ask, .context = "roots/list"},
	};
	const struct hustings_resource resource = {.uri = "a:1", .name = "one", .read = read_resource};
	const struct hustings_prompt prompt = {.name = "p", .get = get_prompt};
	const struct hustings_tool unsound = {.name = "unsound", .run = run_echo, .schema = "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"number\",\"x-mcp-header\":\"A\"}}}"};
	for (size_t i = 0; i < COUNT_OF(tools); i++) assert_true(hustings_offer(one, &tools[i], &error));
	assert_false(hustings_offer(one, &unsound, &error));
	assert_int_equal(error.status, HUSTINGS_BAD_INPUT);
	assert_true(hustings_offer_resource(one, &resource, &error));
	assert_true(hustings_offer_prompt(one, &prompt, &error));
}

/* ---- What `two` hears ---- */

static void on_ready(void *context, struct hustings_server *of) {
	assert_ptr_equal(context, &seen);
	(void)of;
	seen.ready++;
}
static void on_ended(void *context, struct hustings_server *of, const struct hustings_error *why) {
	(void)context;
	(void)of;
	seen.ended++;
	seen.end = why->status;
}
static void on_changed(void *context, struct hustings_server *of, enum hustings_list list) {
	(void)context;
	(void)of;
	seen.changed++;
	seen.list = list;
}
static void on_updated(void *context, struct hustings_server *of, const char *uri) {
	(void)context;
	(void)of;
	seen.updated++;
	snprintf(seen.uri, sizeof seen.uri, "%s", uri);
}
static void on_logged(void *context, struct hustings_server *of, const char *level,
	const char *logger, struct hustings_json data) {
	(void)context;
	(void)of;
	assert_string_equal(logger, "echo");
	assert_int_equal(data.length, strlen("{\"n\":1}"));
	snprintf(seen.level, sizeof seen.level, "%s", level);
	seen.logged++;
}
static void on_elicit(void *context, struct hustings_server *of, struct hustings_question *question,
	const struct hustings_elicitation *elicitation) {
	(void)context;
	assert_string_equal(elicitation->message, "Who?");
	assert_true(elicitation->schema.length > 0);
	seen.elicited++;
	if (seen.disconnects) {
		hustings_disconnect(of);
		server = NULL;
	} else if (seen.holds)
		seen.question = question;
	else
		hustings_accept(question, " {\"b\":7}\n");
}
static void on_sample(void *context, struct hustings_server *of, struct hustings_question *question,
	struct hustings_json params) {
	(void)context;
	(void)of;
	assert_true(params.length > 0);
	if (seen.sampled++) hustings_decline(question);
	else hustings_answer_question(question, "{\"role\":\"assistant\",\"model\":\"m\",\"content\":{\"type\":\"text\",\"text\":\"t\"}}");
}
static void on_roots(void *context, struct hustings_server *of, struct hustings_question *question) {
	(void)context;
	(void)of;
	seen.rooted++;
	hustings_answer_question(question, "{\"roots\":[]}");
}
static void on_withdrawn(void *context, struct hustings_server *of,
	struct hustings_question *question) {
	(void)context;
	(void)of;
	assert_ptr_equal(question, seen.question);
	seen.withdrawn++;
}

static const struct hustings_server_events events = {
	.ready = on_ready,
	.ended = on_ended,
	.changed = on_changed,
	.updated = on_updated,
	.logged = on_logged,
	.elicit = on_elicit,
	.sample = on_sample,
	.roots = on_roots,
	.withdrawn = on_withdrawn,
};

static void on_answered(void *context, const struct hustings_answer *answer,
	const struct hustings_error *error) {
	assert_ptr_equal(context, &seen);
	seen.answered++;
	seen.status = error ? error->status : HUSTINGS_FINE;
	if (!answer) return;
	seen.is_error = answer->is_error;
	seen.code = answer->code;
	snprintf(seen.text, sizeof seen.text, "%s", answer->text);
	snprintf(seen.json, sizeof seen.json, "%.*s", (int)answer->json.length, answer->json.text);
}

static void on_progressed(void *context, double progress, double total, const char *message) {
	assert_ptr_equal(context, &seen);
	seen.progressed++;
	assert_int_equal((int)progress, seen.progressed);
	assert_int_equal((int)total, 2);
	if (seen.progressed == 1) assert_string_equal(message, "half");
	else assert_null(message);
}

static void on_listed(void *context, const struct hustings_tool_seen *tools, size_t count,
	const struct hustings_error *error) {
	(void)context;
	assert_null(error);
	seen.listed = (unsigned)count;
	snprintf(seen.name, sizeof seen.name, "%s", tools[0].name);
}

static void on_items(void *context, const struct hustings_item *items, size_t count,
	const struct hustings_error *error) {
	(void)context;
	assert_null(error);
	seen.items = (unsigned)count;
	snprintf(seen.name, sizeof seen.name, "%s", count ? items[0].key : "");
}

/* ---- The rig ---- */

static int set_up(void **state) {
	struct hustings_error error;
	(void)state;
	memset(&seen, 0, sizeof seen);
	server = NULL;
	one = hustings_open("one", "1", &error);
	two = hustings_open("two", NULL, &error);
	assert_non_null(one);
	assert_non_null(two);
	offer_all();
	assert_true(hustings_serve_http(one, NULL, &error));
	assert_false(hustings_serve_http(one, NULL, &error));
	assert_int_equal(error.status, HUSTINGS_EXISTS);
	return 0;
}

static int tear_down(void **state) {
	(void)state;
	hustings_close(two);
	hustings_close(one);
	return 0;
}

static void begin(const char *version) {
	struct hustings_error error;
	const struct hustings_server_options options = {.url = hustings_http_url(one), .version = version};
	memset(&seen, 0, sizeof seen);
	server = hustings_connect(two, &options, &events, &seen, &error);
	assert_non_null(server);
	assert_string_equal(hustings_server_version(server), "");
	UNTIL(seen.ready);
	assert_string_equal(hustings_server_name(server), "one");
	assert_string_equal(hustings_server_version(server), version ? version : "2026-07-28");
}

static void end(void) {
	hustings_disconnect(server);
	server = NULL;
}

static struct hustings_call *call_later(const char *tool, const char *arguments, uint64_t deadline) {
	struct hustings_error error;
	struct hustings_call *call = hustings_server_call(server, tool, arguments, deadline, on_answered,
		on_progressed, &seen, &error);
	assert_non_null(call);
	return call;
}

static void call(const char *tool, const char *arguments) {
	unsigned before = seen.answered;
	seen.is_error = false;
	(void)call_later(tool, arguments, 0);
	UNTIL(seen.answered > before);
}

static const char *const eras[] = {"2025-11-25", "2026-07-28"};

/* ---- Tests ---- */

static void a_header_that_a_tool_asks_for_is_sent_once_it_is_known(void **state) {
	(void)state;
	begin("2026-07-28");
	call("echo", "{\"where\":\"west\"}"); /* the tools were not listed */
	assert_int_equal(seen.status, HUSTINGS_FINE);
	assert_string_equal(seen.text, "{\"where\":\"west\"}");
	struct hustings_call *cancelled = call_later("echo", "{\"where\":\"east\"}", 0);
	hustings_cancel(cancelled, NULL);
	end();
}

static void a_call_brings_its_answer_and_what_was_said_on_the_way(void **state) {
	(void)state;
	for (size_t i = 0; i < COUNT_OF(eras); i++) {
		begin(eras[i]);
		assert_true(hustings_server_set_level(server, "info", NULL));
		assert_false(hustings_server_set_level(server, "no level is as long as this", NULL));
		call("echo", "{\"n\": 1e400}");
		assert_string_equal(seen.text, "{\"n\": 1e400}");
		assert_non_null(strstr(seen.json, "\"structuredContent\":{\"n\": 1e400}"));
		assert_int_equal(seen.progressed, 2);
		assert_int_equal(seen.logged, 1);
		assert_string_equal(seen.level, "info");
		call("none", NULL);
		assert_true(seen.is_error);
		assert_int_equal(seen.code, -32602);
		assert_null(hustings_server_call(server, "echo", "[]", 0, on_answered, NULL, &seen, NULL));
		end();
	}
}

static void lists_resources_and_prompts_are_had_in_both_eras(void **state) {
	struct hustings_error error;
	(void)state;
	for (size_t i = 0; i < COUNT_OF(eras); i++) {
		begin(eras[i]);
		assert_non_null(hustings_server_tools(server, 0, on_listed, &seen, &error));
		UNTIL(seen.listed);
		assert_int_equal(seen.listed, 5);
		assert_string_equal(seen.name, "echo");
		call("echo", "{\"where\":\" \xc3\xa4\"}"); /* goes to the head as well */
		assert_false(seen.is_error);
		assert_non_null(hustings_server_list(server, HUSTINGS_PROMPTS, 0, on_items, &seen, &error));
		UNTIL(seen.items);
		assert_string_equal(seen.name, "p");
		assert_non_null(hustings_server_read(server, "a:1", 0, on_answered, &seen, &error));
		UNTIL(seen.answered == 2);
		assert_non_null(strstr(seen.json, "\"contents\":[{\"uri\":\"a:1\",\"text\":\"a:1\"}]"));
		assert_non_null(hustings_server_read(server, "a:2", 0, on_answered, &seen, &error));
		UNTIL(seen.answered == 3);
		assert_int_equal(seen.code, i ? -32602 : -32002);
		assert_non_null(hustings_server_prompt(server, "p", NULL, 0, on_answered, &seen, &error));
		UNTIL(seen.answered == 4);
		assert_non_null(strstr(seen.json, "\"text\":\"words\""));
		assert_non_null(hustings_server_complete(server, HUSTINGS_PROMPTS, "p", "a", "", NULL, 0, on_answered, &seen, &error));
		UNTIL(seen.answered == 5);
		assert_non_null(strstr(seen.json, "\"values\":[]"));
		assert_non_null(hustings_server_ping(server, 0, on_answered, &seen, &error));
		UNTIL(seen.answered == 6);
		assert_false(seen.is_error);
		end();
	}
}

static void a_server_asks_back_in_both_eras(void **state) {
	(void)state;
	for (size_t i = 0; i < COUNT_OF(eras); i++) {
		begin(eras[i]);
		call("elicit", NULL);
		assert_int_equal(seen.elicited, 1);
		assert_string_equal(seen.text, "{\"action\":\"accept\",\"content\":{\"b\":7,\"a\":\"x\"}}");
		call("roots", NULL);
		assert_int_equal(seen.rooted, 1);
		assert_string_equal(seen.text, "{\"roots\":[]}");
		call("sample", NULL);
		assert_non_null(strstr(seen.text, "\"model\":\"m\""));
		call("sample", NULL); /* which is declined this time */
		assert_true(seen.is_error);
		assert_int_equal(seen.sampled, 2);
		end();
	}
}

static void who_cannot_be_asked_back_is_told_so(void **state) {
	struct hustings_error error;
	(void)state;
	for (size_t i = 0; i < COUNT_OF(eras); i++) {
		const struct hustings_server_options options = {.url = hustings_http_url(one), .version = eras[i]};
		memset(&seen, 0, sizeof seen);
		server = hustings_connect(two, &options, NULL, NULL, &error);
		assert_non_null(server);
		call("elicit", NULL);
		assert_true(seen.is_error);
		assert_int_equal(seen.code, i ? -32021 : 0);
		end();
	}
}

static void a_cancelled_call_is_heard_of_on_the_other_side(void **state) {
	(void)state;
	for (size_t i = 0; i < COUNT_OF(eras); i++) {
		begin(eras[i]);
		struct hustings_call *held = call_later("held", NULL, 0);
		UNTIL(seen.held);
		hustings_cancel(held, "not needed");
		UNTIL(seen.cancelled);
		hustings_answer_text(seen.held, "to nobody");
		call("echo", "{}");
		assert_int_equal(seen.answered, 1);
		end();
	}
}

static void a_call_that_is_not_answered_in_time_ends(void **state) {
	(void)state;
	for (size_t i = 0; i < COUNT_OF(eras); i++) {
		begin(eras[i]);
		(void)call_later("held", NULL, 300);
		UNTIL(seen.answered);
		assert_int_equal(seen.status, HUSTINGS_TIMEOUT);
		UNTIL(seen.cancelled);
		hustings_answer_text(seen.held, "too late");
		end();
	}
}

static void a_question_of_a_call_that_ended_is_withdrawn(void **state) {
	(void)state;
	for (size_t i = 0; i < COUNT_OF(eras); i++) {
		begin(eras[i]);
		seen.holds = true;
		struct hustings_call *asked = call_later("elicit", NULL, 0);
		UNTIL(seen.question);
		if (i == 0) end(); /* a legacy server's question is of no call: it goes with the server */
		else {
			hustings_cancel(asked, NULL);
			assert_int_equal(seen.withdrawn, 1);
			hustings_accept(seen.question, NULL); /* goes nowhere */
			end();
		}
		for (int round = 0; round < 5; round++) {
			hustings_step(one, 5);
			hustings_step(two, 5);
		}
		assert_int_equal(seen.answered, 0);
	}
}

static void changes_are_told_to_who_listens(void **state) {
	struct hustings_error error;
	(void)state;
	for (size_t i = 0; i < COUNT_OF(eras); i++) {
		const struct hustings_tool more = {.name = "more", .run = run_echo};
		begin(eras[i]);
		assert_non_null(hustings_server_subscribe(server, "a:1", on_answered, &seen, &error));
		assert_null(hustings_server_subscribe(server, "a:1", on_answered, &seen, &error));
		assert_int_equal(error.status, HUSTINGS_EXISTS);
		UNTIL(seen.answered);
		assert_int_equal(seen.status, HUSTINGS_FINE);
		/* A legacy session's own stream may still be on its way. */
		uint64_t ends_at = clock_monotonic_ms() + PATIENCE_MS;
		while (!seen.updated) {
			assert_true(clock_monotonic_ms() < ends_at);
			hustings_updated(one, "a:2");
			hustings_updated(one, "a:1");
			for (int round = 0; round < 5; round++) {
				hustings_step(one, 5);
				hustings_step(two, 5);
			}
		}
		assert_string_equal(seen.uri, "a:1");
		assert_true(hustings_offer(one, &more, &error));
		UNTIL(seen.changed);
		assert_int_equal(seen.list, HUSTINGS_TOOLS);
		assert_true(hustings_withdraw_tool(one, "more"));
		assert_true(hustings_server_unsubscribe(server, "a:1", &error));
		assert_false(hustings_server_unsubscribe(server, "a:1", &error));
		assert_int_equal(error.status, HUSTINGS_NOT_FOUND);
		call("echo", "{}");
		end();
	}
}

static void a_session_that_the_server_forgot_is_begun_anew(void **state) {
	(void)state;
	begin("2025-11-25");
	call("echo", "{}");
	struct web_face *face = one->web;
	assert_int_equal(face->session_count, 1);
	web_host_leave(CONTAINER_OF(face->sessions.next, struct web_host, link));
	seen.progressed = 0;
	call("echo", "{\"again\":true}");
	assert_int_equal(seen.status, HUSTINGS_FINE);
	assert_string_equal(seen.text, "{\"again\":true}");
	assert_int_equal(seen.ready, 2);

	web_host_leave(CONTAINER_OF(face->sessions.next, struct web_host, link));
	seen.answered = 0;
	for (int i = 0; i < 5; i++)
		assert_non_null(hustings_server_read(server, "a:1", 0, on_answered, &seen, NULL));
	UNTIL(seen.answered == 5);
	assert_int_equal(seen.status, HUSTINGS_FINE);
	assert_int_equal(seen.ready, 3);
	assert_int_equal(seen.ended, 0);
	end();
	UNTIL(face->session_count == 0); /* which was said farewell to */
}

static void whoever_is_asked_may_leave_at_once(void **state) {
	(void)state;
	for (size_t i = 0; i < COUNT_OF(eras); i++) {
		begin(eras[i]);
		seen.disconnects = true;
		(void)call_later("elicit", NULL, 0);
		UNTIL(seen.elicited);
		UNTIL(!server);
		assert_int_equal(seen.answered, 0);
	}
}

static void without_the_token_there_is_no_entry(void **state) {
	struct hustings_error error;
	const struct hustings_http_options guarded = {.token = "secret"};
	(void)state;
	hustings_close(one);
	one = hustings_open("one", "1", &error);
	offer_all();
	assert_true(hustings_serve_http(one, &guarded, &error));
	struct hustings_server_options options = {.url = hustings_http_url(one)};
	server = hustings_connect(two, &options, &events, &seen, &error);
	assert_non_null(server);
	(void)call_later("echo", NULL, 0);
	UNTIL(seen.ended);
	assert_int_equal(seen.end, HUSTINGS_REFUSED);
	assert_int_equal(seen.answered, 1);
	assert_int_equal(seen.status, HUSTINGS_REFUSED);
	assert_null(hustings_server_call(server, "echo", NULL, 0, on_answered, NULL, &seen, &error));
	assert_int_equal(error.status, HUSTINGS_CLOSED);
	end();
	memset(&seen, 0, sizeof seen);
	options.token = "secret";
	server = hustings_connect(two, &options, &events, &seen, &error);
	call("echo", "{}");
	assert_false(seen.is_error);
	end();
}

static void what_is_no_server_is_refused_or_told(void **state) {
	struct hustings_error error;
	const char *const silent[] = {"sleep", "1000", NULL}, *const missing[] = {"/no/such/program", NULL};
	struct hustings_server_options options = {.url = "ftp://x"};
	(void)state;
	assert_null(hustings_connect(two, &options, &events, &seen, &error));
	assert_int_equal(error.status, HUSTINGS_BAD_INPUT);
	options = (struct hustings_server_options){.url = hustings_http_url(one), .version = "2020-01-01"};
	assert_null(hustings_connect(two, &options, &events, &seen, &error));
	assert_int_equal(error.status, HUSTINGS_UNSUPPORTED);
	options = (struct hustings_server_options){.url = "http://x", .command = silent};
	assert_null(hustings_connect(two, &options, &events, &seen, &error));
	options = (struct hustings_server_options){.command = missing};
	assert_null(hustings_connect(two, &options, &events, &seen, &error));
	assert_int_equal(error.status, HUSTINGS_NOT_FOUND);
	options = (struct hustings_server_options){.command = silent, .patience = 100};
	server = hustings_connect(two, &options, &events, &seen, &error);
	assert_non_null(server);
	UNTIL(seen.ended);
	assert_int_equal(seen.end, HUSTINGS_TIMEOUT);
	end(); /* it does not read its stdin: it is ended while `two` is closed */
}

static void all_may_be_closed_while_everything_is_under_way(void **state) {
	struct hustings_error error;
	(void)state;
	for (size_t i = 0; i < COUNT_OF(eras); i++) {
		begin(eras[i]);
		seen.holds = true;
		(void)call_later("elicit", NULL, 0);
		UNTIL(seen.question);
		(void)call_later("held", NULL, 0);
		UNTIL(seen.held);
		(void)call_later("echo", "{}", 0);
		assert_non_null(hustings_server_subscribe(server, "a:1", on_answered, &seen, &error));
		assert_non_null(hustings_server_tools(server, 0, on_listed, &seen, &error));
	}
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_call_brings_its_answer_and_what_was_said_on_the_way, set_up, tear_down),
		cmocka_unit_test_setup_teardown(lists_resources_and_prompts_are_had_in_both_eras, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_header_that_a_tool_asks_for_is_sent_once_it_is_known, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_server_asks_back_in_both_eras, set_up, tear_down),
		cmocka_unit_test_setup_teardown(who_cannot_be_asked_back_is_told_so, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_cancelled_call_is_heard_of_on_the_other_side, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_call_that_is_not_answered_in_time_ends, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_question_of_a_call_that_ended_is_withdrawn, set_up, tear_down),
		cmocka_unit_test_setup_teardown(changes_are_told_to_who_listens, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_session_that_the_server_forgot_is_begun_anew, set_up, tear_down),
		cmocka_unit_test_setup_teardown(whoever_is_asked_may_leave_at_once, set_up, tear_down),
		cmocka_unit_test_setup_teardown(without_the_token_there_is_no_entry, set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_is_no_server_is_refused_or_told, set_up, tear_down),
		cmocka_unit_test_setup_teardown(all_may_be_closed_while_everything_is_under_way, set_up, tear_down),
	};
	signal(SIGPIPE, SIG_IGN);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
