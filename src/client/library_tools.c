/* SPDX-License-Identifier: Apache-2.0 */
/* Library tools: what is offered everywhere. */
#include "client/authorization_book.h"
#include "client/service_ears.h"
#include "mcp/mcp_header.h"

#include <stdlib.h>

struct tool {
	struct link link;
	struct hustings *hustings;
	struct hustings_tool offer; /* name is ours, the other strings are gone */
	char *name;
	void (*released)(void *context); /* may be NULL */
};

_Static_assert((int)HUSTINGS_EFFECT_DESTRUCTIVE == (int)MCP_EFFECT_DESTRUCTIVE,
	"effects are the same numbers");

/* ---- Requests ---- */

/* It may run, now or after it was approved; the tool may have been withdrawn meanwhile. */
static void go(struct hustings_request *request, const struct scan_value *arguments) {
	LIST_EACH(link, &request->hustings->tools) {
		const struct tool *tool = CONTAINER_OF(link, struct tool, link);
		if (strcmp(tool->name, request->name) != 0) continue;
		request->cancelled = tool->offer.cancelled;
		request->context = tool->offer.context;
		tool->offer.run(tool->offer.context, request, library_json(arguments->text));
		return;
	}
	hustings_answer_failure(request, "the tool is not offered any more");
}

static void run(void *context, struct peer_question *question,
	const struct scan_value *arguments) {
	const struct tool *tool = context;
	struct hustings_request *request =
		library_request_open(tool->hustings, REQUEST_TOOL, question, slice_of(tool->name));
	if (request && authorization_book_lets(request, arguments, go)) go(request, arguments);
}

static void tool_free(struct tool *tool) {
	list_remove(&tool->link);
	if (tool->released) tool->released(tool->offer.context);
	free(tool->name);
	free(tool);
}

void library_tools_finish(struct hustings *hustings) {
	LIST_EACH_SAFE(link, &hustings->tools) {
		struct tool *tool = CONTAINER_OF(link, struct tool, link);
		tool_free(tool);
	}
}

/* ---- Offers ---- */

/* A room that cannot be told now hears nothing: its peers list anew when they come back. */
static void tell_all(struct hustings *hustings) {
	service_ears_tell_changed(hustings, HUSTINGS_TOOLS);
	LIST_EACH(link, &hustings->rooms) {
		struct guest *guest = CONTAINER_OF(link, struct hustings_room, link)->guest;
		if (membership_state(guest_membership(guest)) == MEMBERSHIP_JOINED)
			(void)guest_tools_changed(guest, NULL);
	}
}

/* A tool whose arguments are marked against the rules would be left out by its callers. */
static bool are_marks_sound(const char *schema, struct fault *why) {
	char lent[512];
	struct arena arena;
	struct scan_value root;
	struct scan_fault fault;
	if (!schema || !scan_check(slice_of(schema), SCAN_DEPTH, &root, &fault)) return true;
	arena_init(&arena, lent, sizeof lent, 0);
	bool is_sound = mcp_header_params(&root, NULL, &arena, NULL, NULL, why);
	arena_finish(&arena);
	return is_sound;
}

static bool offer(struct tool *tool, const struct hustings_tool *wished, struct fault *why) {
	struct mcp_offer offered = {
		.name = slice_of(tool->name),
		.title = slice_of(wished->title),
		.description = slice_of(wished->description),
		.input_schema = slice_of(wished->schema),
		.output_schema = slice_of(wished->output_schema),
		.authorization = slice_of(wished->authorization),
		.effect = (enum mcp_effect)wished->effect,
		.run = run,
		.context = tool,
	};
	return are_marks_sound(wished->schema, why) &&
		mcp_server_offer(tool->hustings->server, &offered, why);
}

bool library_offer(struct hustings *hustings, const struct hustings_tool *wished,
	void (*released)(void *context), struct fault *why) {
	AUTO_FREE struct tool *tool = calloc(1, sizeof *tool);
	AUTO_FREE char *name = slice_copy(slice_of(wished->name));
	if (!tool || !name) return fault_set(why, FAULT_NO_MEMORY, "no memory for another tool");
	tool->hustings = hustings;
	tool->offer = *wished;
	tool->name = name;
	tool->released = released;
	if (!offer(tool, wished, why)) return false;
	list_append(&hustings->tools, &tool->link);
	tool = NULL; /* the list's now, with its name */
	name = NULL;
	tell_all(hustings);
	return true;
}

bool hustings_offer(struct hustings *hustings, const struct hustings_tool *wished,
	struct hustings_error *error) {
	struct fault why;
	return library_offer(hustings, wished, NULL, &why) || library_error(error, &why);
}

bool hustings_withdraw_tool(struct hustings *hustings, const char *name) {
	LIST_EACH(link, &hustings->tools) {
		struct tool *tool = CONTAINER_OF(link, struct tool, link);
		if (strcmp(tool->name, name) != 0) continue;
		(void)mcp_server_withdraw(hustings->server, slice_of(name));
		tool_free(tool);
		tell_all(hustings);
		return true;
	}
	return false;
}
