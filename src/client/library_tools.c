/* SPDX-License-Identifier: Apache-2.0 */
/* Library tools: what is offered, and requests on their way to an answer. */
#include "client/library.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

struct tool {
	struct link link;
	struct hustings *hustings;
	struct hustings_tool offer; /* name is ours, the other strings are gone */
	char *name;
};

struct hustings_request {
	struct link link;
	struct hustings *hustings;
	struct peer_question *question;
	void (*cancelled)(void *context, struct hustings_request *request);
	void *context;
	char tool[MCP_SERVER_NAME + 1];
};

_Static_assert((int)HUSTINGS_EFFECT_DESTRUCTIVE == (int)MCP_EFFECT_DESTRUCTIVE,
	"effects are the same numbers");

/* ---- Requests ---- */

static void run(void *context, struct peer_question *question,
	const struct scan_value *arguments) {
	struct tool *tool = context;
	struct hustings_request *request = calloc(1, sizeof *request);
	if (!request) {
		peer_refuse(question, JSONRPC_INTERNAL_ERROR, SLICE("no memory"), SLICE_NONE);
		return;
	}
	request->hustings = tool->hustings;
	request->question = question;
	request->cancelled = tool->offer.cancelled;
	request->context = tool->offer.context;
	snprintf(request->tool, sizeof request->tool, "%s", tool->name);
	list_append(&tool->hustings->requests, &request->link);
	peer_question_set(question, request);
	tool->offer.run(tool->offer.context, request, library_json(arguments->text));
}

void library_request_cancelled(void *context, struct peer_question *question) {
	struct hustings_request *request = peer_question_context(question);
	(void)context;
	if (request && request->cancelled) request->cancelled(request->context, request);
}

/* The question that the request stood for. */
static struct peer_question *take(struct hustings_request *request) {
	struct peer_question *question = request->question;
	list_remove(&request->link);
	free(request);
	return question;
}

void library_tools_finish(struct hustings *hustings) {
	LIST_EACH_SAFE(link, &hustings->requests)
		peer_answer(take(CONTAINER_OF(link, struct hustings_request, link)), SLICE("{}"));
	LIST_EACH_SAFE(at, &hustings->tools) {
		struct tool *tool = CONTAINER_OF(at, struct tool, link);
		list_remove(&tool->link);
		free(tool->name);
		free(tool);
	}
}

/* ---- Answers ---- */

static void note_answered(struct hustings *hustings) {
	if (hustings->answered) hustings->answered(hustings);
}

static bool is_sound(struct slice json, bool must_be_object) {
	struct scan_value root;
	struct scan_fault fault;
	return scan_check(json, SCAN_DEPTH - 4, &root, &fault) &&
		(!must_be_object || root.type == SCAN_OBJECT);
}

void hustings_answer_text(struct hustings_request *request, const char *text) {
	struct hustings *hustings = request->hustings;
	mcp_server_answer_text(take(request), slice_of(text), false);
	note_answered(hustings);
}

void hustings_answer_json(struct hustings_request *request, const char *json) {
	struct hustings *hustings = request->hustings;
	if (!is_sound(slice_of(json), false)) {
		hustings_answer_failure(request, "the tool's answer is no sound JSON");
		return;
	}
	mcp_server_answer_json(take(request), slice_of(json));
	note_answered(hustings);
}

void hustings_answer_result(struct hustings_request *request, const char *result) {
	struct hustings *hustings = request->hustings;
	if (!is_sound(slice_of(result), true)) {
		hustings_answer_failure(request, "the tool's answer is no sound JSON object");
		return;
	}
	peer_answer(take(request), slice_of(result));
	note_answered(hustings);
}

void hustings_answer_failure(struct hustings_request *request, const char *format, ...) {
	struct hustings *hustings = request->hustings;
	char words[1000];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(words, sizeof words, format, arguments);
	va_end(arguments);
	mcp_server_answer_text(take(request), slice_of(words), true);
	note_answered(hustings);
}

void hustings_report(struct hustings_request *request, double progress, double total,
	const char *message) {
	peer_progress(request->question, progress, total, slice_of(message));
}

bool hustings_is_cancelled(const struct hustings_request *request) {
	return peer_is_cancelled(request->question);
}

const char *hustings_request_tool(const struct hustings_request *request) { return request->tool; }

const char *hustings_request_from(const struct hustings_request *request) {
	struct guest *guest;
	const char *id;
	guest_asker(request->question, &guest, &id);
	return id ? id : "";
}

struct hustings_room *hustings_request_room(const struct hustings_request *request) {
	struct guest *guest;
	const char *id;
	guest_asker(request->question, &guest, &id);
	LIST_EACH(link, &request->hustings->rooms) {
		struct hustings_room *room = CONTAINER_OF(link, struct hustings_room, link);
		if (guest && room->guest == guest) return room;
	}
	return NULL;
}

/* ---- Offers ---- */

/* A room that cannot be told now hears nothing: its peers list anew when they come back. */
static void tell_rooms(struct hustings *hustings) {
	LIST_EACH(link, &hustings->rooms) {
		struct guest *guest = CONTAINER_OF(link, struct hustings_room, link)->guest;
		if (membership_state(guest_membership(guest)) == MEMBERSHIP_JOINED)
			(void)guest_tools_changed(guest, NULL);
	}
}

static bool offer(struct tool *tool, const struct hustings_tool *wished, struct fault *why) {
	struct mcp_offer offered = {
		.name = slice_of(tool->name),
		.title = slice_of(wished->title),
		.description = slice_of(wished->description),
		.input_schema = slice_of(wished->schema),
		.output_schema = slice_of(wished->output_schema),
		.effect = (enum mcp_effect)wished->effect,
		.run = run,
		.context = tool,
	};
	return mcp_server_offer(tool->hustings->server, &offered, why);
}

bool hustings_offer(struct hustings *hustings, const struct hustings_tool *wished,
	struct hustings_error *error) {
	struct fault why;
	AUTO_FREE struct tool *tool = calloc(1, sizeof *tool);
	AUTO_FREE char *name = slice_copy(slice_of(wished->name));
	if (!tool || !name) {
		fault_set(&why, FAULT_NO_MEMORY, "no memory for another tool");
		return library_error(error, &why);
	}
	tool->hustings = hustings;
	tool->offer = *wished;
	tool->name = name;
	if (!offer(tool, wished, &why)) return library_error(error, &why);
	list_append(&hustings->tools, &tool->link);
	tool = NULL; /* the list's now, with its name */
	name = NULL;
	tell_rooms(hustings);
	return true;
}

bool hustings_withdraw_tool(struct hustings *hustings, const char *name) {
	LIST_EACH(link, &hustings->tools) {
		struct tool *tool = CONTAINER_OF(link, struct tool, link);
		if (strcmp(tool->name, name) != 0) continue;
		(void)mcp_server_withdraw(hustings->server, slice_of(name));
		list_remove(&tool->link);
		free(tool->name);
		free(tool);
		tell_rooms(hustings);
		return true;
	}
	return false;
}
