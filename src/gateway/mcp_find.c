/* SPDX-License-Identifier: Apache-2.0 */
/* Mcp_find: which face searches, what it lists, and the words that teach how to ask. */
#include "gateway/mcp_find.h"

#include "gateway/mcp_result.h"
#include "kernel/kernel.h"
#include "kernel/mgp_method.h"
#include "kernel/tool_sessions.h"

#define NAMED 24 /* servers in the instructions; of more there is the count */

static const char *const tools[] = {"mgp_tools_discover", "mgp_tools_request"};

bool mcp_find_read(struct exchange *exchange, bool is_of_all, bool *searches) {
	struct slice word;
	if (!exchange_query(exchange, "tools", &word)) return false;
	*searches = word.bytes ? slice_is(word, "search") : is_of_all && exchange->gateway->settings.tools == GATEWAY_TOOLS_SEARCH;
	if (!word.bytes || *searches || slice_is(word, "all")) return true;
	exchange_error(exchange, 400, "bad_request", "tools has to be all or search");
	return false;
}

bool mcp_find_is_tool(const struct mgp_method *method) {
	for (size_t i = 0; i < COUNT_OF(tools); i++)
		if (strcmp(method->tool, tools[i]) == 0) return true;
	return false;
}

bool mcp_find_is_meant(const struct mcp_request *request) {
	const struct call_asker anybody = {.mgp.extensions = MGP_TOOL_DISCOVERY};
	if (!request->name.bytes || !slice_is(request->message.method, "tools/call")) return false;
	const struct mgp_method *method = mgp_method_of_tool(request->name, &anybody);
	return method && mcp_find_is_tool(method);
}

/* A client puts the text into its model's context, many the structured content as well: it is said once. */
void mcp_find_write_result(struct text *to, const struct hosted_answer *answer) {
	bool is_error = !answer->result.bytes;
	mcp_result_write_words(to, is_error ? answer->message : answer->result, is_error, SLICE_NONE);
}

/* ---- The list ---- */

bool mcp_find_is_listed(const struct call_asker *asker, struct hosted *hosted, const struct tool *tool) {
	const struct governed *governed = governed_of(hosted);
	return governed &&
		tool_sessions_standing(governed->means->tool_sessions, asker, hosted_id(hosted), tool->name) != TOOL_UNKNOWN;
}

void mcp_find_write_tools(struct text *to, const char **before) {
	const struct mgp_method *method;
	for (size_t at = 0; (method = mgp_method_at(at)); at++) {
		if (!mcp_find_is_tool(method)) continue;
		text_add_cstr(to, *before);
		*before = ",";
		mgp_method_write_tool(to, method);
	}
}

/* ---- What the face says of itself ---- */

void mcp_find_write_capabilities(struct text *to, struct slice capabilities) {
	const struct scan_value object = {.text = capabilities, .type = SCAN_OBJECT};
	struct scan_walk walk;
	struct scan_member member;
	text_add_cstr(to, "{\"tools\":{\"listChanged\":true}");
	for (scan_open(&walk, &object); capabilities.bytes && scan_next(&walk, &member);) {
		if (scan_key_is(&member, "tools")) continue;
		text_printf(to, ",\"%.*s\":", SLICE_ARGS(member.key));
		text_add(to, member.value.text);
	}
	text_add_char(to, '}');
}

static void add_servers(struct text *to, struct mcp_face *face, const struct call_asker *asker) {
	size_t count = 0;
	for (struct hosted *one = NULL; (one = hosted_next(face->servers, one));) {
		if (!mcp_asker_may_use(asker, one) || ++count > NAMED) continue;
		text_add_cstr(to, count == 1 ? " Servers here: " : ", ");
		text_add(to, hosted_id(one));
	}
	if (count > NAMED) text_printf(to, " and %zu more", count - NAMED);
	if (count) text_add_char(to, '.');
}

void mcp_find_write_instructions(struct text *to, struct slice instructions, struct mcp_face *face,
	const struct hosted *hosted, const struct call_asker *asker) {
	AUTO_TEXT struct text words = {0};
	text_init(&words, 0);
	if (instructions.bytes) {
		text_add(&words, instructions);
		text_add_cstr(&words, "\n\n");
	}
	text_add_cstr(&words,
		"Most tools here are not listed: for each step ask mgp_tools_discover with a few words for what the step "
		"does, and call what it finds by its call_name. For everything that a task needs at once, ask "
		"mgp_tools_request.");
	if (!hosted) add_servers(&words, face, asker);
	if (text_failed(&words)) to->failed = true;
	else text_json(to, text_slice(&words));
}
