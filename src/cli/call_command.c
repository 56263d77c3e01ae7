/* SPDX-License-Identifier: Apache-2.0 */
/* Call command: handshake, perhaps a question to the user, the call, its result. */
#include "cli/call_command.h"

#include "cli/beside.h"
#include "cli/call_stream.h"
#include "cli/message.h"
#include "cli/server_tools.h"
#include "cli/tool_list.h"
#include "cli/tool_talk.h"
#include "mcp/mcp_client.h"
#include "mcp/mgp_chunk.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define ARGUMENTS_MOST (16u << 20)
#define STOP_MS 7000 /* for what was done so far, behind Ctrl-C */
#define SPEAKS_STREAMS "{\"mgp\":{\"version\":\"" MGP_VERSION "\",\"extensions\":[\"streaming\"]}}"

static const struct command_option options[] = {
	{"server", "ID", "a hosted server's tool, instead of a participant's"},
	{"stream", NULL, "print a participant's answer as it comes; on a terminal that is so anyway"},
	{"timeout", "SPAN", "how long to wait for everything (30s)"},
	{"yes", NULL, "do not ask before a tool that says it may destroy something"},
	{0},
};

static const struct command_form form = {
	.name = "call",
	.usage = "TOPIC PARTICIPANT TOOL [JSON] | --server ID TOOL [JSON]",
	.summary = "Calls a tool of a participant, or of a hosted server, and prints the result's text.",
	.more = "JSON is the object of arguments; `-` reads it from stdin. With --json the result is printed as it\n"
		"came, with --stream each part before it. Ctrl-C asks a tool that streams for what it has done so far.\n"
		"The exit status is 1 when the tool says that it failed. A dangerous tool of a hosted server\n"
		"waits until somebody approves (`hustings pending`): --timeout 5m gives the time. Examples:\n"
		"  hustings call demo notes add_note '{\"title\":\"milk\",\"text\":\"two litres\"}'\n"
		"  hustings call demo files read_text_file '{\"path\":\"README.md\"}' --json | jq .content\n"
		"  hustings call --server files list_directory '{\"path\":\".\"}'",
	.options = options,
	.least = 1,
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
	struct call_stream stream;
	bool streams;    /* asks for parts of the answer */
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
	mcp_client_words(words, sizeof words, reply);
	fault_set(&why, FAULT_REFUSED, "%.*s answers with error %lld: %s", SLICE_ARGS(calling->participant),
		(long long)reply->code, words);
	fail(calling, &why);
}

static void print_result(struct calling *calling, struct slice result) {
	struct fault why;
	if (!call_stream_end(&calling->stream, result, &calling->has_failed, &why)) {
		fail(calling, &why);
		return;
	}
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

static void streamed(void *context, struct slice method, const struct scan_value *params) {
	struct calling *calling = context;
	struct fault why;
	if (slice_is(method, MGP_PROGRESS_METHOD) && isatty(STDERR_FILENO)) progressed(context, params);
	if (!slice_is(method, MGP_CHUNK_METHOD) || call_stream_take(&calling->stream, params)) return;
	calling->has_failed = true;
	fault_set(&why, FAULT_IO, "nobody reads what is printed");
	beside_done(&calling->beside, &why);
}

/* To people and programs alike: whoever reads it may be who decides. */
static void held(void *context, struct slice reason, uint64_t wait_ms) {
	const struct calling *calling = context;
	char words[200];
	text_display_in(words, sizeof words, reason);
	fprintf(stderr, "%.*s asks somebody first, for %llu s at most%s%s\n", SLICE_ARGS(calling->participant),
		(unsigned long long)(wait_ms / 1000), words[0] ? ": " : "", words);
}

static void call(struct calling *calling) {
	struct fault why;
	const struct errand_options wishes = {
		.kind = ERRAND_CALL,
		.to = calling->participant,
		.name = calling->tool,
		.body = calling->arguments,
		.streamed = calling->streams ? streamed : NULL,
		.deadline_ms = calling->timeout_ms,
		.done = called,
		.progressed = isatty(STDERR_FILENO) ? progressed : NULL,
		.held = held,
		.context = calling,
	};
	calling->errand = errand_open(calling->beside.guest, &wishes, &why);
	if (!calling->errand) fail(calling, &why);
}

/* ---- Ctrl-C (MGP 12.7) ---- */

struct stopping {
	struct errand *errand;
	bool is_in_vain;
};

/* The call's own answer comes behind it, whether it was stopped or done already. */
static void stop_answered(void *context, const struct errand_result *result, const struct fault *why) {
	struct stopping *stopping = context;
	stopping->errand = NULL;
	stopping->is_in_vain = why || !result->reply->result.bytes;
}

static void stop_waiting(struct deadline *deadline) { deadline_clear(deadline); }

/* The answer is what was done until then, and is printed as any. False: nobody could be asked for it. */
static bool stop(struct calling *calling) {
	struct entrance *entrance = &calling->beside.entrance;
	struct deadline patience = {0};
	struct mgp_agreed mgp;
	char params[100];
	struct stopping stopping = {0};
	long long id = calling->errand ? errand_call_id(calling->errand, &mgp) : 0;
	if (!id || !(mgp.extensions & MGP_STREAMING)) return false;
	int length = snprintf(params, sizeof params, "{\"request_id\":%lld,\"reason\":\"user_cancelled\"}", id);
	const struct errand_options wishes = {
		.kind = ERRAND_ASK,
		.to = calling->participant,
		.name = SLICE("mgp/stream/cancel"),
		.body = slice_make(params, (size_t)length),
		.deadline_ms = STOP_MS,
		.done = stop_answered,
		.context = &stopping,
	};
	stopping.errand = errand_open(calling->beside.guest, &wishes, NULL);
	if (!stopping.errand) return false;
	entrance->stopped_by = 0;
	deadline_set(entrance->loop, &patience, STOP_MS, stop_waiting);
	while (calling->errand && patience.at && !stopping.is_in_vain && !entrance->stopped_by)
		loop_step(entrance->loop, -1);
	deadline_clear(&patience);
	if (stopping.errand) errand_cancel(stopping.errand, SLICE("not waited for"));
	return !calling->errand;
}

/* ---- Asking first ---- */

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
	if (tool && tool_list_is_dangerous(tool) && !tool_talk_confirm(calling->tool)) fail(calling, &no);
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
	bool done = beside_open_with(&calling->beside, calling->line, calling->line->words[0],
			    calling->streams ? SLICE(SPEAKS_STREAMS) : SLICE_NONE, ready, calling, &why) &&
		beside_run(&calling->beside, &why);
	if (!done && calling->streams && calling->beside.entrance.stopped_by == SIGINT && stop(calling))
		fault_set(&why, FAULT_CLOSED, "cancelled: this is what was done until then");
	if (calling->errand) errand_cancel(TAKE(calling->errand), SLICE("the user has given up"));
	beside_close(&calling->beside);
	call_stream_finish(&calling->stream);
	if (!done) return command_fail(&why);
	return calling->has_failed ? COMMAND_FAILED : COMMAND_FINE;
}

/* What stands behind TOPIC PARTICIPANT TOOL, or behind TOOL. False: *status says so. */
static bool read_words(const struct command_line *line, struct slice *arguments, struct text *input,
	int *status) {
	size_t named = command_has(line, "server") ? 1 : 3;
	struct fault why;
	*status = COMMAND_USAGE;
	*arguments = line->count > named ? slice_of(line->words[named]) : SLICE("{}");
	if (line->count < named || line->count > named + 1) {
		command_misuse(line->form, named == 1 ? "with --server the words are TOOL [JSON]" : "the words are TOPIC PARTICIPANT TOOL [JSON]");
		return false;
	}
	if (named == 3 && !message_topic(line, line->words[0], status)) return false;
	if (slice_is(*arguments, "-")) {
		if (!read_stdin(input, &why)) {
			*status = command_fail(&why);
			return false;
		}
		*arguments = text_slice(input);
	}
	if (check_arguments(*arguments, &why)) return true;
	command_misuse(line->form, "%s", why.text);
	return false;
}

int call_command(int argc, char **argv) {
	int status;
	struct fault why;
	int64_t timeout = 30000;
	struct slice arguments;
	AUTO_COMMAND struct command_line line = {0};
	AUTO_TEXT struct text input = {0};
	text_init(&input, ARGUMENTS_MOST);
	if (!command_read(&line, &form, argc, argv, &status)) return status;
	const char *span = command_value(&line, "timeout"), *server = command_value(&line, "server");
	if (span && (!clock_span_read(slice_of(span), &timeout, &why) || timeout < 1))
		return command_misuse(&form, "--timeout has to be a span of time like 5s or 2m, not '%s'", span);
	if (!read_words(&line, &arguments, &input, &status)) return status;
	if (server) return server_tools_call(&line, server, line.words[0], arguments, (uint64_t)timeout);
	struct calling calling = {
		.line = &line,
		.participant = slice_of(line.words[1]),
		.tool = slice_of(line.words[2]),
		.arguments = arguments,
		.timeout_ms = (uint64_t)timeout,
	};
	bool as_json = command_has(&line, "json");
	calling.streams = command_has(&line, "stream") || (isatty(STDOUT_FILENO) && !as_json);
	call_stream_init(&calling.stream, as_json);
	return run(&calling);
}
