/* SPDX-License-Identifier: Apache-2.0 */
/* Library server, asking: requests to an MCP server. */
#include "client/catalog.h"
#include "client/library_call.h"
#include "client/library_server_parts.h"
#include "client/turn.h"
#include "mcp/mcp_modern.h"

#include <stdlib.h>

_Static_assert((int)HUSTINGS_TOOLS == (int)MCP_ITEMS_TOOLS &&
		(int)HUSTINGS_PROMPTS == (int)MCP_ITEMS_PROMPTS,
	"lists are the same numbers");

static void *refuse(struct hustings_error *error, enum fault_code code, const char *words) {
	struct fault why;
	fault_set(&why, code, "%s", words);
	return library_error_null(error, &why);
}

/* ---- Requests ---- */

static void answered(void *context, const struct peer_reply *reply, const struct fault *why);

static void cancel_turn(struct hustings_call *call, struct slice reason) {
	turn_cancel(call->way, reason);
}

static void cancel_catalog(struct hustings_call *call, struct slice reason) {
	catalog_cancel(call->way, reason);
}

/* Now that the tool's schema is known, or could not be had: the headers say what they can. */
static void relisted(void *context, const struct mcp_listing *listing, const struct mcp_items *items,
	const struct fault *unlisted) {
	struct hustings_call *call = context;
	AUTO_FREE char *params = TAKE(call->again);
	struct fault why;
	(void)listing;
	(void)items;
	(void)unlisted;
	const struct turn_request request = {
		.method = SLICE("tools/call"),
		.params = slice_of(params),
		.deadline_ms = call->deadline,
		.answered = answered,
		.progressed = call->progressed ? library_call_progressed : NULL,
		.context = call,
	};
	call->cancel = cancel_turn;
	call->way = turn_open(call->server->conversation, &request, &why);
	if (!call->way) library_call_failed(call, &why);
}

/* The server misses a header that the tool's schema asks for: it is listed, and asked again, once
 * (MCP 2026-07-28, transports). */
static bool ask_again(struct hustings_call *call, const struct peer_reply *reply) {
	if (!call->again || !reply || reply->result.bytes || reply->code != MCP_MODERN_HEADER_MISMATCH)
		return false;
	struct catalog *catalog = catalog_open(call->server->conversation, MCP_ITEMS_TOOLS, true,
		call->deadline, relisted, call, NULL);
	if (!catalog) return false;
	call->cancel = cancel_catalog;
	call->way = catalog;
	return true;
}

static void answered(void *context, const struct peer_reply *reply, const struct fault *why) {
	if (!ask_again(context, reply)) library_call_answered(context, reply, why);
}

static struct hustings_call *ask(struct hustings_server *server, struct slice method,
	struct slice params, uint64_t deadline, struct hustings_call model,
	struct hustings_error *error) {
	struct fault why;
	model.cancel = cancel_turn;
	model.server = server;
	model.deadline = deadline;
	if (params.bytes && slice_is(method, "tools/call") && conversation_is_remote(server->conversation))
		model.again = slice_copy(params); /* without memory it is asked once */
	struct hustings_call *call = library_call_make(&server->calls, &model, error);
	if (!call) return NULL;
	const struct turn_request request = {
		.method = method,
		.params = params,
		.deadline_ms = deadline,
		.answered = answered,
		.progressed = model.progressed ? library_call_progressed : NULL,
		.context = call,
	};
	call->way = turn_open(server->conversation, &request, &why);
	if (call->way) return call;
	library_call_free(call);
	return library_error_null(error, &why);
}

/* As it stands between its blanks; false: no sound object. */
static bool read_object(const char *json, struct slice *object) {
	struct scan_value root;
	struct scan_fault fault;
	*object = SLICE_NONE;
	if (!json) return true;
	if (!scan_check(slice_of(json), SCAN_DEPTH - 8, &root, &fault) || root.type != SCAN_OBJECT)
		return false;
	*object = root.text;
	return true;
}

struct hustings_call *hustings_server_ask(struct hustings_server *server, const char *method,
	const char *params, uint64_t deadline, hustings_answered *whom, hustings_progressed *progressed,
	void *context, struct hustings_error *error) {
	struct slice object;
	if (!read_object(params, &object))
		return refuse(error, FAULT_BAD_INPUT, "params: JSON text of an object is due");
	return ask(server, slice_of(method), object, deadline,
		(struct hustings_call){.answered = whom, .progressed = progressed, .context = context}, error);
}

/* {"name":words, "arguments":object} */
static struct hustings_call *ask_named(struct hustings_server *server, const char *method,
	const char *key, const char *words, const char *arguments, uint64_t deadline,
	struct hustings_call model, struct hustings_error *error) {
	AUTO_TEXT struct text params = {0};
	struct slice object;
	if (!read_object(arguments, &object))
		return refuse(error, FAULT_BAD_INPUT, "arguments: JSON text of an object is due");
	text_init(&params, 0);
	text_printf(&params, "{\"%s\":", key);
	text_json(&params, slice_of(words));
	if (object.bytes) {
		text_add_cstr(&params, ",\"arguments\":");
		text_add(&params, object);
	}
	text_add_char(&params, '}');
	if (text_failed(&params)) return refuse(error, FAULT_NO_MEMORY, "no memory for a request");
	return ask(server, slice_of(method), text_slice(&params), deadline, model, error);
}

struct hustings_call *hustings_server_call(struct hustings_server *server, const char *tool,
	const char *arguments, uint64_t deadline, hustings_answered *whom,
	hustings_progressed *progressed, void *context, struct hustings_error *error) {
	return ask_named(server, "tools/call", "name", tool, arguments, deadline,
		(struct hustings_call){.answered = whom, .progressed = progressed, .context = context}, error);
}

struct hustings_call *hustings_server_read(struct hustings_server *server, const char *uri,
	uint64_t deadline, hustings_answered *whom, void *context, struct hustings_error *error) {
	return ask_named(server, "resources/read", "uri", uri, NULL, deadline,
		(struct hustings_call){.answered = whom, .context = context}, error);
}

struct hustings_call *hustings_server_prompt(struct hustings_server *server, const char *name,
	const char *arguments, uint64_t deadline, hustings_answered *whom, void *context,
	struct hustings_error *error) {
	return ask_named(server, "prompts/get", "name", name, arguments, deadline,
		(struct hustings_call){.answered = whom, .context = context}, error);
}

struct hustings_call *hustings_server_ping(struct hustings_server *server, uint64_t deadline,
	hustings_answered *whom, void *context, struct hustings_error *error) {
	bool is_modern = conversation_is_modern(server->conversation);
	return ask(server, is_modern ? SLICE("server/discover") : SLICE("ping"), SLICE_NONE, deadline,
		(struct hustings_call){.answered = whom, .context = context}, error);
}

struct hustings_call *hustings_server_complete(struct hustings_server *server,
	enum hustings_list list, const char *key, const char *argument, const char *value,
	const char *known, uint64_t deadline, hustings_answered *whom, void *context,
	struct hustings_error *error) {
	AUTO_TEXT struct text params = {0};
	struct slice object;
	if (list != HUSTINGS_PROMPTS && list != HUSTINGS_TEMPLATES)
		return refuse(error, FAULT_BAD_INPUT, "list: prompts and templates alone have completions");
	if (!read_object(known, &object))
		return refuse(error, FAULT_BAD_INPUT, "known: JSON text of an object is due");
	text_init(&params, 0);
	text_add_cstr(&params, list == HUSTINGS_PROMPTS ? "{\"ref\":{\"type\":\"ref/prompt\",\"name\":" : "{\"ref\":{\"type\":\"ref/resource\",\"uri\":");
	text_json(&params, slice_of(key));
	text_add_cstr(&params, "},\"argument\":{\"name\":");
	text_json(&params, slice_of(argument));
	text_add_cstr(&params, ",\"value\":");
	text_json(&params, slice_of(value));
	text_add_char(&params, '}');
	if (object.bytes) {
		text_add_cstr(&params, ",\"context\":{\"arguments\":");
		text_add(&params, object);
		text_add_char(&params, '}');
	}
	text_add_char(&params, '}');
	if (text_failed(&params)) return refuse(error, FAULT_NO_MEMORY, "no memory for a request");
	return ask(server, SLICE("completion/complete"), text_slice(&params), deadline,
		(struct hustings_call){.answered = whom, .context = context}, error);
}

/* ---- Lists ---- */

static void listed(void *context, const struct mcp_listing *listing, const struct mcp_items *items,
	const struct fault *why) {
	struct hustings_call *call = context;
	struct hustings_server *server = call->server;
	if (call->listed) library_call_listed(call, listing, server->conversation, why);
	else library_call_items(call, items, why);
}

static struct hustings_call *list_all(struct hustings_server *server, enum mcp_items_kind kind,
	bool whole, uint64_t deadline, struct hustings_call model, struct hustings_error *error) {
	struct fault why;
	model.cancel = cancel_catalog;
	model.server = server;
	struct hustings_call *call = library_call_make(&server->calls, &model, error);
	if (!call) return NULL;
	call->way = catalog_open(server->conversation, kind, whole, deadline, listed, call, &why);
	if (call->way) return call;
	library_call_free(call);
	return library_error_null(error, &why);
}

struct hustings_call *hustings_server_tools(struct hustings_server *server, uint64_t deadline,
	hustings_listed *whom, void *context, struct hustings_error *error) {
	return list_all(server, MCP_ITEMS_TOOLS, true, deadline,
		(struct hustings_call){.listed = whom, .context = context}, error);
}

struct hustings_call *hustings_server_list(struct hustings_server *server, enum hustings_list list,
	uint64_t deadline, hustings_items_listed *whom, void *context, struct hustings_error *error) {
	if ((unsigned)list >= MCP_ITEMS_KINDS) return refuse(error, FAULT_BAD_INPUT, "there is no such list");
	return list_all(server, (enum mcp_items_kind)list, false, deadline,
		(struct hustings_call){.items_listed = whom, .context = context}, error);
}

/* ---- Subscriptions ---- */

static void cancel_wish(struct hustings_call *call, struct slice reason) {
	struct hustings_server *server = call->server;
	(void)reason;
	listening_forget(&server->listening, call);
}

struct hustings_call *hustings_server_subscribe(struct hustings_server *server, const char *uri,
	hustings_answered *whom, void *context, struct hustings_error *error) {
	struct fault why;
	const struct hustings_call model = {
		.cancel = cancel_wish, .server = server, .answered = whom, .context = context};
	struct hustings_call *call = library_call_make(&server->calls, &model, error);
	if (!call) return NULL;
	if (listening_subscribe(&server->listening, slice_of(uri), answered, call, &why)) return call;
	library_call_free(call);
	return library_error_null(error, &why);
}

bool hustings_server_unsubscribe(struct hustings_server *server, const char *uri,
	struct hustings_error *error) {
	struct fault why;
	if (listening_unsubscribe(&server->listening, slice_of(uri))) return true;
	fault_set(&why, FAULT_NOT_FOUND, "that resource is not subscribed to");
	return library_error(error, &why);
}

/* ---- Words without an answer ---- */

bool hustings_server_tell(struct hustings_server *server, const char *method, const char *params,
	struct hustings_error *error) {
	struct fault why;
	struct slice object;
	bool is_sound = read_object(params, &object) ||
		fault_set(&why, FAULT_BAD_INPUT, "params: JSON text of an object is due");
	return (is_sound && conversation_tell(server->conversation, slice_of(method), object, &why)) ||
		library_error(error, &why);
}
