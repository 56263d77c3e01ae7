/* SPDX-License-Identifier: Apache-2.0 */
/* Server tools: the face of one server, or of all, asked by MCP. */
#include "cli/server_tools.h"

#include "cli/face_ask.h"
#include "cli/tool_list.h"
#include "cli/tool_talk.h"

#include <stdio.h>
#include <unistd.h>

static bool find_tools(const struct face_question *question, struct mcp_listing *listing,
	struct fault *why) {
	AUTO_TEXT struct text json = {0};
	struct slice cursor;
	text_init(&json, 0);
	return face_ask_tools(question, &json, why) &&
		mcp_listing_add(listing, text_slice(&json), &cursor, why);
}

/* ---- List ---- */

int server_tools_list(const struct command_line *line, const char *server, uint64_t timeout_ms) {
	struct reach reach = {0};
	struct fault why;
	AUTO_TEXT struct text shown = {0};
	const struct face_question question = {.reach = &reach, .server = server, .timeout_ms = timeout_ms};
	struct slice name = slice_of(server ? server : "all servers");
	text_init(&shown, 0);
	AUTO(mcp_listing) listing = mcp_listing_open(&why);
	bool done = listing && reach_find(line, false, &reach, &why) && find_tools(&question, listing, &why);
	reach_finish(&reach);
	if (!done) return command_fail(&why);
	if (command_has(line, "json")) {
		tool_list_write_json(&shown, server ? name : SLICE(""), listing);
		text_add_char(&shown, '\n');
	} else
		tool_list_write(&shown, name, listing);
	return command_print(text_slice(&shown)) ? COMMAND_FINE : COMMAND_FAILED;
}

/* ---- Call ---- */

static bool is_confirmed(const struct face_question *question, struct fault *why) {
	AUTO(mcp_listing) listing = mcp_listing_open(why);
	if (!listing || !find_tools(question, listing, why)) return false;
	const struct mcp_tool *tool = mcp_listing_find(listing, question->name);
	if (!tool || !tool_list_is_dangerous(tool) || tool_talk_confirm(question->name)) return true;
	return fault_set(why, FAULT_REFUSED, "not called");
}

int server_tools_call(const struct command_line *line, const char *server, const char *tool,
	struct slice arguments, uint64_t timeout_ms) {
	struct reach reach = {0};
	struct fault why;
	AUTO_TEXT struct text params = {0}, result = {0};
	bool has_failed = false, is_attended = isatty(STDIN_FILENO) && isatty(STDERR_FILENO);
	text_init(&params, 0);
	text_init(&result, 0);
	text_add_cstr(&params, "{\"name\":");
	text_json(&params, slice_of(tool));
	text_add_cstr(&params, ",\"arguments\":");
	text_add(&params, arguments);
	text_add_char(&params, '}');
	const struct face_question question = {
		.reach = &reach,
		.server = server,
		.method = "tools/call",
		.name = slice_of(tool),
		.params = text_slice(&params),
		.timeout_ms = timeout_ms,
		.is_attended = is_attended,
	};
	bool done = reach_find(line, false, &reach, &why) &&
		(!is_attended || command_has(line, "yes") || is_confirmed(&question, &why)) &&
		face_ask(&question, &result, &why);
	reach_finish(&reach);
	if (done) done = tool_talk_print(text_slice(&result), command_has(line, "json"), &has_failed, &why);
	if (!done) return command_fail(&why);
	return has_failed ? COMMAND_FAILED : COMMAND_FINE;
}
