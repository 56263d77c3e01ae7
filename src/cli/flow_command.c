/* SPDX-License-Identifier: Apache-2.0 */
/* Flow command: its words, the link, the talk. */
#include "cli/flow_command.h"

#include "base/clock.h"
#include "cli/flow_talk.h"
#include "cli/message.h"

#include <stdio.h>

static const struct command_option options[] = {
	{"server", "ID", "a hosted server's tool: the words are TOOL [JSON]"},
	{"timeout", "SPAN", "how long to wait for each answer of the gateway (30s)"},
	{0},
};

static const struct command_form form = {
	.name = "flow",
	.usage = "SERVER TOOL [JSON] | TOPIC [PARTICIPANT] TOOL [JSON]",
	.summary = "Calls a tool by a guided session (MCP Flow): what it needs is asked for, one question at a time.",
	.more = "SERVER is a hosted server; where there is none of that name it is a topic, and TOOL is looked for among\n"
		"those in the room. JSON is the object of arguments that are known already. A choice is answered by its\n"
		"number, a file by its path; an empty line takes what stands in brackets. What does not fit is said, and\n"
		"asked for again. Ctrl-C, or the end of the input, cancels the session. With --json each prompt is a line\n"
		"{\"prompt\":...} on stdout, each line of stdin is the JSON of an answer, and the last line is\n"
		"{\"result\":...}. The exit status is 1 when the tool says that it failed, or nothing came of it. Examples:\n"
		"  hustings flow files write_file\n"
		"  hustings flow files write_file '{\"path\":\"notes.txt\"}'\n"
		"  hustings flow demo booking book_table\n"
		"  printf '\"Rome\"\\n3\\n' | hustings flow travel book --json",
	.options = options,
	.least = 1,
	.most = 4,
	.reaches = true,
	.prints = true,
};

/* Whether the gateway hosts a server of that name, as far as we may know: it has a face. */
static bool is_server(const struct flow_link *link, const char *name, bool *is_known, struct fault *why) {
	struct flow_link probe = {.line = link->line, .server = name, .timeout_ms = link->timeout_ms};
	AUTO_TEXT struct text answer = {0};
	struct fault own;
	text_init(&answer, 0);
	bool is_open = flow_link_open(&probe, why);
	*is_known = is_open && flow_link_ask(&probe, "server/discover", SLICE("{}"), &answer, &own);
	flow_link_close(&probe);
	return is_open;
}

/* The words behind TOPIC or SERVER; JSON begins with a brace, or wrongly a bracket, which no tool's name does. */
struct words {
	const char *where, *participant, *tool, *json;
};

static bool read_words(const struct command_line *line, struct words *words) {
	size_t count = line->count;
	char **all = line->words;
	bool has_json = count > 1 && (all[count - 1][0] == '{' || all[count - 1][0] == '[');
	if (has_json) words->json = all[--count];
	if (command_has(line, "server")) {
		words->tool = all[0];
		return count == 1;
	}
	if (count < 2 || count > 3) return false;
	words->where = all[0];
	words->participant = count == 3 ? all[1] : NULL;
	words->tool = all[count - 1];
	return true;
}

static bool check_arguments(struct slice arguments, struct fault *why) {
	struct scan_value root;
	struct scan_fault fault;
	if (!scan_check(arguments, SCAN_DEPTH, &root, &fault))
		return fault_set(why, FAULT_BAD_INPUT, "the arguments are no JSON: octet %zu: %s", fault.offset, fault.what);
	if (root.type == SCAN_OBJECT) return true;
	return fault_set(why, FAULT_BAD_INPUT, "the arguments have to be a JSON object: {\"name\":\"value\"}");
}

static bool aim(struct flow_link *link, const struct words *words, struct fault *why) {
	bool is_known = true;
	link->server = command_value(link->line, "server");
	if (link->server) return true;
	if (words->participant) {
		link->topic = words->where;
		link->participant = slice_of(words->participant);
		return true;
	}
	if (!is_server(link, words->where, &is_known, why)) return false;
	if (is_known) link->server = words->where;
	else link->topic = words->where;
	return true;
}

/* A name that is neither: both are said. */
static void explain(const struct words *words, struct fault *why) {
	if (why->code == FAULT_NOT_FOUND && words->where && !words->participant && strstr(why->text, "there is no topic"))
		fault_set(why, FAULT_NOT_FOUND, "there is no server and no topic %.80s: `hustings server list` and `hustings topic list` list them",
			words->where);
}

int flow_command(int argc, char **argv) {
	int status;
	struct fault why;
	int64_t timeout = 30000;
	bool has_failed = false;
	struct words words = {0};
	AUTO_COMMAND struct command_line line = {0};
	if (!command_read(&line, &form, argc, argv, &status)) return status;
	const char *span = command_value(&line, "timeout");
	if (span && (!clock_span_read(slice_of(span), &timeout, &why) || timeout < 1))
		return command_misuse(&form, "--timeout has to be a span of time like 5s or 2m, not '%s'", span);
	if (!read_words(&line, &words))
		return command_misuse(&form, "the words are SERVER TOOL [JSON], or TOPIC [PARTICIPANT] TOOL [JSON]");
	const struct flow_wishes wishes = {
		.tool = words.tool,
		.arguments = words.json ? slice_of(words.json) : SLICE("{}"),
		.as_json = command_has(&line, "json"),
	};
	if (!check_arguments(wishes.arguments, &why)) return command_misuse(&form, "%s", why.text);
	struct flow_link link = {.line = &line, .timeout_ms = (uint64_t)timeout};
	bool done = aim(&link, &words, &why);
	if (done && link.topic && !message_topic(&line, link.topic, &status)) return status;
	if (done) {
		done = flow_link_open(&link, &why) && flow_talk(&link, &wishes, &has_failed, &why);
		flow_link_close(&link);
	}
	if (done) return has_failed ? COMMAND_FAILED : COMMAND_FINE;
	explain(&words, &why);
	return command_fail(&why);
}
