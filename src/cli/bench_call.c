/* SPDX-License-Identifier: Apache-2.0 */
/* Bench call: one tool, again and again, over Streamable HTTP or direct on a server's stdio. */
#include "cli/bench_kinds.h"

#include "base/clock.h"
#include "cli/bench_http.h"
#include "cli/bench_run.h"
#include "cli/bench_stdio.h"
#include "wire/jsonrpc.h"

#include <stdlib.h>

#define LEGACY "2025-06-18"
#define MODERN "2026-07-28"
#define META "io.modelcontextprotocol/"
#define CLIENT "{\"name\":\"hustings-bench\",\"version\":\"" HUSTINGS_VERSION "\"}"
#define SILENCE_MS 60000 /* without any answer */

static const struct command_option options[] = {
	{"url", "URL", "the endpoint, http://HOST:PORT[/mcp]; without it the server behind -- is called directly"},
	{"token", "TOKEN", "a token for all calls; default: none"},
	{"pid", "PID", "the process whose CPU time and memory are printed"},
	{"tool", "NAME", "the tool (echo)"},
	{"arguments", "JSON", "its arguments ({\"text\":\"hello\"})"},
	{"in-flight", "N", "calls under way at a time, each on a connection of its own (1)"},
	{"calls", "N", "calls that are measured (10000)"},
	{"warm-up", "N", "calls before that (1000)"},
	{"sse", NULL, "the endpoint is one of MCP 2024-11-05: answers come on an event stream"},
	{"modern", NULL, "speak MCP " MODERN ", without a session"},
	{0},
};

static const struct command_form form = {
	.name = "bench call",
	.usage = "(--url URL | -- COMMAND [ARGUMENT]...) [options]",
	.summary = "Calls a tool of any MCP endpoint: times, calls a second, CPU for each.",
	.more = "Examples\n"
		"  hustings bench call --url http://127.0.0.1:7410/mcp --tool files__list --arguments '{}' --in-flight 16\n"
		"  hustings bench call --tool echo -- ./echo_server",
	.options = options,
	.prints = true,
	.has_rest = true,
};

/* One call at a time; over HTTP it is a connection's. */
struct slot {
	uint64_t id;
	uint64_t began_us;
	bool waits; /* for its answer */
	bool posts; /* the server has not taken it yet */
};

struct calling {
	struct bench_run run;
	uint64_t in_flight, calls, warm_up;
	bool is_modern;
	struct slice tool, arguments;
	struct bench_http http;
	struct bench_stdio stdio;
	struct slot *slots;
	struct text headers, body;
	uint64_t left;    /* to be begun */
	uint64_t waiting; /* begun and not answered */
	bool is_measured;
	bool failed;
	struct fault why;
};

static bool fail(struct calling *calling, enum fault_code code, const char *what, struct slice words) {
	if (calling->failed) return false;
	calling->failed = true;
	return fault_set(&calling->why, code, "%s%.*s", what, (int)(words.length < 200 ? words.length : 200),
		words.length ? words.bytes : "");
}

/* Requests */

static void write_headers(struct calling *calling, const char *method) {
	struct text *to = &calling->headers;
	text_clear(to);
	if (!calling->is_modern) {
		text_add_cstr(to, "MCP-Protocol-Version: " LEGACY "\r\n");
		return;
	}
	text_printf(to, "MCP-Protocol-Version: " MODERN "\r\nMcp-Method: %s\r\nMcp-Name: %.*s\r\n", method,
		SLICE_ARGS(calling->tool));
}

static void send_body(struct calling *calling, unsigned number) {
	struct slice body = text_slice(&calling->body);
	if (text_failed(&calling->body) || text_failed(&calling->headers))
		fail(calling, FAULT_NO_MEMORY, "no memory for a request", SLICE_NONE);
	else if (calling->stdio.process) {
		if (!bench_stdio_send(&calling->stdio, body, &calling->why)) calling->failed = true;
	} else
		bench_http_post(&calling->http, number, text_slice(&calling->headers), body);
}

static void write_call(struct calling *calling, uint64_t id) {
	struct text *to = &calling->body;
	text_clear(to);
	text_printf(to, "{\"jsonrpc\":\"2.0\",\"id\":%llu,\"method\":\"tools/call\",\"params\":{\"name\":",
		(unsigned long long)id);
	text_json(to, calling->tool);
	text_add_cstr(to, ",\"arguments\":");
	text_add(to, calling->arguments);
	if (calling->is_modern)
		text_add_cstr(to, ",\"_meta\":{\"" META "protocolVersion\":\"" MODERN "\",\"" META "clientInfo\":" CLIENT ",\"" META "clientCapabilities\":{}}");
	text_add_cstr(to, "}}");
}

static void begin(struct calling *calling, unsigned number) {
	struct slot *slot = &calling->slots[number];
	slot->id += calling->in_flight; /* its remainder is the slot's number */
	slot->waits = true;
	slot->posts = calling->http.has_stream;
	calling->left--;
	calling->waiting++;
	write_call(calling, slot->id);
	slot->began_us = clock_monotonic_us();
	send_body(calling, number);
}

/* Answers */

static bool check_answer(struct calling *calling, const struct jsonrpc *answer) {
	struct scan_value flag;
	bool is_error = false;
	if (answer->kind == JSONRPC_ERROR) return fail(calling, FAULT_REFUSED, "the server says: ", answer->message);
	if (answer->kind != JSONRPC_RESULT) return fail(calling, FAULT_BAD_INPUT, "no answer came", SLICE_NONE);
	if (scan_find(&answer->result, "isError", &flag) && scan_boolean(&flag, &is_error) && is_error)
		return fail(calling, FAULT_REFUSED, "the tool says: ", answer->result.text);
	return true;
}

/* The slot whose answer this is. NULL: failed. */
static struct slot *find_slot(struct calling *calling, struct slice message) {
	char lent[1024];
	struct arena arena;
	struct jsonrpc answer;
	struct slot *slot = NULL;
	int64_t code, id;
	arena_init(&arena, lent, sizeof lent, 0);
	if (!jsonrpc_read(&answer, message, &arena, &code, &calling->why)) calling->failed = true;
	else if (check_answer(calling, &answer)) {
		bool is_known = scan_integer(&answer.id, &id) && id >= 0;
		if (is_known) slot = &calling->slots[(uint64_t)id % calling->in_flight];
		if (!slot || slot->id != (uint64_t)id || !slot->waits) {
			slot = NULL;
			fail(calling, FAULT_BAD_INPUT, "an answer came to a call that is not under way: ", message);
		}
	}
	arena_finish(&arena);
	return slot;
}

/* Both are over, the call and its post. */
static void go_on(struct calling *calling, struct slot *slot) {
	calling->waiting--;
	if (calling->left) begin(calling, (unsigned)(slot - calling->slots));
}

static void answered(struct calling *calling, struct slice message, uint64_t now_us) {
	struct slot *slot = find_slot(calling, message);
	if (!slot) return;
	slot->waits = false;
	if (calling->is_measured) bench_times_add(&calling->run.times, now_us - slot->began_us);
	if (!slot->posts) go_on(calling, slot);
}

static void heard_http(void *context, unsigned line, struct slice message, uint64_t now_us) {
	struct calling *calling = context;
	struct slot *slot = line == BENCH_STREAM ? NULL : &calling->slots[line];
	if (!slot || !(slot->posts || message.length == 0)) {
		answered(calling, message, now_us);
		return;
	}
	slot->posts = false; /* it was taken, like the handshake's notification */
	if (!slot->waits) go_on(calling, slot);
}

/* Servers also tell things of their own accord: only answers have a result or an error. */
static void heard_stdio(void *context, struct slice line, uint64_t now_us) {
	struct calling *calling = context;
	const struct scan_value message = {.text = line, .type = SCAN_OBJECT};
	struct scan_value part;
	bool is_answer = line.length > 1 && line.bytes[0] == '{' &&
		(scan_find(&message, "result", &part) || scan_find(&message, "error", &part));
	if (is_answer) answered(calling, line, now_us);
}

static bool wait_for_all(struct calling *calling) {
	uint64_t progress = clock_monotonic_ms(), before = calling->left + calling->waiting;
	while (calling->waiting && !calling->failed) {
		bool is_fine = calling->stdio.process ? bench_stdio_step(&calling->stdio, 1000, &calling->why)
						      : bench_http_step(&calling->http, 1000);
		if (!is_fine && !calling->failed) {
			calling->failed = true;
			if (calling->http.failed) calling->why = calling->http.why;
		}
		if (calling->left + calling->waiting != before) {
			before = calling->left + calling->waiting;
			progress = clock_monotonic_ms();
		} else if (clock_monotonic_ms() - progress > SILENCE_MS)
			fail(calling, FAULT_TIMEOUT, "nothing was answered for 60 s", SLICE_NONE);
	}
	return !calling->failed;
}

/* The run */

static bool shake_hands(struct calling *calling) {
	struct slot *slot = &calling->slots[0];
	if (calling->is_modern) return true;
	write_headers(calling, "initialize");
	text_clear(&calling->body);
	text_printf(&calling->body, "{\"jsonrpc\":\"2.0\",\"id\":%llu,\"method\":\"initialize\",\"params\":"
				    "{\"protocolVersion\":\"" LEGACY "\",\"capabilities\":{},\"clientInfo\":" CLIENT "}}",
		(unsigned long long)slot->id);
	slot->waits = true;
	slot->posts = calling->http.has_stream;
	calling->waiting = 1;
	send_body(calling, 0);
	if (!wait_for_all(calling)) return false;
	text_clear(&calling->body);
	text_add_cstr(&calling->body, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
	calling->waiting = calling->stdio.process ? 0 : 1;
	send_body(calling, 0);
	return wait_for_all(calling);
}

static bool call_so_often(struct calling *calling, uint64_t count) {
	write_headers(calling, "tools/call");
	calling->left = count;
	for (unsigned i = 0; i < calling->in_flight && calling->left && !calling->failed; i++)
		begin(calling, i);
	return wait_for_all(calling);
}

static bool measure(struct calling *calling) {
	struct bench_run *run = &calling->run;
	if (!shake_hands(calling) || !call_so_often(calling, calling->warm_up)) return false;
	calling->is_measured = true;
	if (!bench_run_begin(run, &calling->why)) return false;
	if (!call_so_often(calling, calling->calls)) return false;
	bench_report_add(&run->report, "in_flight", (double)calling->in_flight, "");
	if (!bench_run_end(run, calling->calls, "calls", &calling->why)) return false;
	bench_report_add(&run->report, "p95", bench_times_quantile(&run->times, 95), "us");
	bench_report_times(&run->report, &run->times);
	return true;
}

static bool is_sound_json(struct slice text) {
	struct scan_value root;
	struct scan_fault fault;
	return scan_check(text, SCAN_DEPTH, &root, &fault) && root.type == SCAN_OBJECT;
}

static bool open_all(struct calling *calling) {
	const struct command_line *line = &calling->run.line;
	const char *tool = command_value(line, "tool"), *arguments = command_value(line, "arguments");
	calling->tool = slice_of(tool ? tool : "echo");
	calling->arguments = slice_of(arguments ? arguments : "{\"text\":\"hello\"}");
	calling->is_modern = command_has(line, "modern");
	text_init(&calling->headers, 0);
	text_init(&calling->body, 0);
	if (!is_sound_json(calling->arguments))
		return fault_set(&calling->why, FAULT_BAD_INPUT, "--arguments: not a JSON object");
	calling->slots = calloc(calling->in_flight, sizeof *calling->slots);
	if (!calling->slots) return fault_set(&calling->why, FAULT_NO_MEMORY, "no memory");
	for (uint64_t i = 0; i < calling->in_flight; i++) calling->slots[i].id = i + calling->in_flight;
	const char *url = command_value(line, "url");
	bool is_open = url ? bench_http_open(&calling->http, url, command_value(line, "token"),
				     calling->in_flight, &calling->why)
			   : bench_stdio_open(&calling->stdio, line->rest, &calling->why);
	if (is_open && command_has(line, "sse")) is_open = bench_http_listen(&calling->http, &calling->why);
	calling->http.answered = heard_http;
	calling->stdio.heard = heard_stdio;
	calling->http.context = calling->stdio.context = calling;
	return is_open;
}

static void close_all(struct calling *calling) {
	if (calling->http.count) bench_http_close(&calling->http);
	if (calling->stdio.buffer) bench_stdio_close(&calling->stdio);
	text_finish(&calling->headers);
	text_finish(&calling->body);
	free(calling->slots);
	bench_run_close(&calling->run);
	free(calling);
}

int bench_call(int argc, char **argv) {
	struct calling *calling = calloc(1, sizeof *calling);
	int status = COMMAND_FAILED;
	if (!calling) return status;
	const struct bench_number numbers[] = {
		{"in-flight", 1, 10000, 1, &calling->in_flight},
		{"calls", 1, 1000000000, 10000, &calling->calls},
		{"warm-up", 0, 1000000000, 1000, &calling->warm_up},
		{0},
	};
	if (bench_run_open(&calling->run, &form, numbers, argc, argv, &status)) {
		if (command_value(&calling->run.line, "url") && calling->run.line.rest_count)
			status = command_misuse(&form, "either --url or a command behind --");
		else
			status = open_all(calling) && measure(calling) ? bench_run_print(&calling->run)
								       : command_fail(&calling->why);
	}
	close_all(calling);
	return status;
}
