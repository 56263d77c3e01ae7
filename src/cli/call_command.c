/* SPDX-License-Identifier: Apache-2.0 */
/* Call command: handshake, perhaps a question to the user, the call, its result. */
#include "cli/call_command.h"

#include "cli/beside.h"
#include "cli/message.h"
#include "cli/tool_list.h"
#include "cli/tool_result.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define ARGUMENTS_MOST (16u << 20)

static const struct command_option options[] = {
	{"timeout", "SPAN", "how long to wait for everything (30s)"},
	{"yes", NULL, "do not ask before a tool that says it may destroy something"},
	{0},
};

static const struct command_form form = {
	.name = "call",
	.usage = "TOPIC PARTICIPANT TOOL [JSON]",
	.summary = "Calls a tool of a participant and prints the result's text.",
	.more = "JSON is the object of arguments; `-` reads it from stdin. With --json the result is printed as it\n"
		"came. The exit status is 1 when the tool says that it failed. Examples:\n"
		"  hustings call demo notes add_note '{\"title\":\"milk\",\"text\":\"two litres\"}'\n"
		"  hustings call demo files read_text_file '{\"path\":\"README.md\"}' --json | jq .content",
	.options = options,
	.least = 3,
	.most = 4,
	.reaches = true,
	.prints = true,
};

struct calling {
	struct beside beside;
	const struct command_line *line;
	struct slice participant;
	struct slice tool;
	struct slice arguments;
	uint64_t timeout_ms;
	struct errand *errand;
	bool has_failed; /* the tool says so; it has been printed */
};

static void fail(struct calling *calling, const struct fault *why) {
	struct fault own = *why;
	beside_explain(calling->line->words[0], &own);
	beside_done(&calling->beside, &own);
}

/* ---- The answer ---- */

static void print_error(struct calling *calling, const struct peer_reply *reply) {
	struct fault why;
	char words[200];
	text_display_in(words, sizeof words, reply->message);
	fault_set(&why, FAULT_REFUSED, "%.*s answers with error %lld: %s", SLICE_ARGS(calling->participant),
		(long long)reply->code, words);
	fail(calling, &why);
}

static void print_result(struct calling *calling, struct slice result) {
	AUTO_TEXT struct text text = {0};
	struct fault why;
	bool as_json = command_has(calling->line, "json"), is_error = false;
	text_init(&text, 0);
	if (!tool_result_write(&text, result, isatty(STDOUT_FILENO), &is_error)) as_json = true;
	if (as_json) {
		text_clear(&text);
		text_add(&text, result);
		text_add_char(&text, '\n');
	}
	calling->has_failed = is_error;
	fault_set(&why, FAULT_NO_MEMORY, "no memory for the result");
	if (text_failed(&text)) {
		fail(calling, &why);
		return;
	}
	if (is_error && !as_json) fwrite(text.bytes, 1, text.length, stderr);
	else if (!command_print(text_slice(&text))) calling->has_failed = true;
	beside_done(&calling->beside, NULL);
}

static void called(void *context, const struct errand_result *result, const struct fault *why) {
	struct calling *calling = context;
	calling->errand = NULL;
	if (why) fail(calling, why);
	else if (result->reply->result.bytes) print_result(calling, result->reply->result);
	else print_error(calling, result->reply);
}

/* For people alone: how far it is. */
static void progressed(void *context, const struct scan_value *params) {
	struct scan_value progress, total, message;
	(void)context;
	if (!scan_find(params, "progress", &progress)) return;
	fprintf(stderr, "  %.*s", SLICE_ARGS(progress.text));
	if (scan_find(params, "total", &total)) fprintf(stderr, "/%.*s", SLICE_ARGS(total.text));
	if (scan_find(params, "message", &message)) {
		char shown[120];
		text_display_in(shown, sizeof shown, message.text);
		fprintf(stderr, " %s", shown);
	}
	fputc('\n', stderr);
}

static void call(struct calling *calling) {
	struct fault why;
	const struct errand_options wishes = {
		.kind = ERRAND_CALL,
		.to = calling->participant,
		.name = calling->tool,
		.body = calling->arguments,
		.deadline_ms = calling->timeout_ms,
		.done = called,
		.progressed = isatty(STDERR_FILENO) ? progressed : NULL,
		.context = calling,
	};
	calling->errand = errand_open(calling->beside.guest, &wishes, &why);
	if (!calling->errand) fail(calling, &why);
}

/* ---- Asking first ---- */

static bool is_confirmed(const struct calling *calling) {
	char answer[16];
	fprintf(stderr, "%.*s says that %.*s may destroy something. Call it? [y/N] ",
		SLICE_ARGS(calling->participant), SLICE_ARGS(calling->tool));
	fflush(stderr);
	if (!fgets(answer, sizeof answer, stdin)) return false;
	return answer[0] == 'y' || answer[0] == 'Y';
}

static void listed(void *context, const struct errand_result *result, const struct fault *why) {
	struct calling *calling = context;
	struct fault no;
	calling->errand = NULL;
	if (why) {
		fail(calling, why);
		return;
	}
	const struct mcp_tool *tool = mcp_listing_find(result->listing, calling->tool);
	fault_set(&no, FAULT_REFUSED, "not called");
	if (tool && tool_list_is_dangerous(tool) && !is_confirmed(calling)) fail(calling, &no);
	else call(calling); /* a tool that is not listed is the server's to refuse */
}

static void ask_first(struct calling *calling) {
	struct fault why;
	const struct errand_options wishes = {
		.kind = ERRAND_LIST,
		.to = calling->participant,
		.deadline_ms = calling->timeout_ms,
		.done = listed,
		.context = calling,
	};
	calling->errand = errand_open(calling->beside.guest, &wishes, &why);
	if (!calling->errand) fail(calling, &why);
}

static void ready(void *context) {
	struct calling *calling = context;
	if (isatty(STDIN_FILENO) && !command_has(calling->line, "yes")) ask_first(calling);
	else call(calling);
}

/* ---- The command line ---- */

static bool read_stdin(struct text *text, struct fault *why) {
	char part[8192];
	text_init(text, ARGUMENTS_MOST);
	for (size_t count; (count = fread(part, 1, sizeof part, stdin));)
		text_add(text, slice_make(part, count));
	if (ferror(stdin)) return fault_errno(why, errno, "cannot read stdin");
	if (text_failed(text))
		return fault_set(why, FAULT_TOO_LARGE, "the arguments have more than %u octets", ARGUMENTS_MOST);
	return true;
}

static bool check_arguments(struct slice arguments, struct fault *why) {
	struct scan_value root;
	struct scan_fault fault;
	if (!scan_check(arguments, SCAN_DEPTH, &root, &fault))
		return fault_set(why, FAULT_BAD_INPUT, "the arguments are no JSON: octet %zu: %s", fault.offset,
			fault.what);
	if (root.type != SCAN_OBJECT)
		return fault_set(why, FAULT_BAD_INPUT, "the arguments have to be a JSON object: {\"name\":\"value\"}");
	return true;
}

static int run(struct calling *calling) {
	struct fault why;
	bool done = beside_open(&calling->beside, calling->line, calling->line->words[0], ready, calling, &why) &&
		beside_run(&calling->beside, &why);
	if (calling->errand) errand_cancel(TAKE(calling->errand), SLICE("the user has given up"));
	beside_close(&calling->beside);
	if (!done) return command_fail(&why);
	return calling->has_failed ? COMMAND_FAILED : COMMAND_FINE;
}

int call_command(int argc, char **argv) {
	int status;
	struct fault why;
	int64_t timeout = 30000;
	AUTO_COMMAND struct command_line line = {0};
	AUTO_TEXT struct text input = {0};
	if (!command_read(&line, &form, argc, argv, &status) ||
		!message_topic(&line, line.words[0], &status))
		return status;
	const char *span = command_value(&line, "timeout");
	if (span && (!clock_span_read(slice_of(span), &timeout, &why) || timeout < 1))
		return command_misuse(&form, "--timeout has to be a span of time like 5s or 2m, not '%s'", span);
	struct slice arguments = line.count > 3 ? slice_of(line.words[3]) : SLICE("{}");
	if (slice_is(arguments, "-")) {
		if (!read_stdin(&input, &why)) return command_fail(&why);
		arguments = text_slice(&input);
	}
	if (!check_arguments(arguments, &why)) return command_misuse(&form, "%s", why.text);
	struct calling calling = {
		.line = &line,
		.participant = slice_of(line.words[1]),
		.tool = slice_of(line.words[2]),
		.arguments = arguments,
		.timeout_ms = (uint64_t)timeout,
	};
	return run(&calling);
}
