/* SPDX-License-Identifier: Apache-2.0 */
/* Mcp_dispatch: the methods that a face answers itself, by era, and the way of all others. */
#include "gateway/mcp_dispatch.h"

#include "gateway/mcp_aggregate.h"
#include "gateway/mcp_asker.h"
#include "gateway/mcp_call.h"
#include "gateway/mcp_ear.h"
#include "gateway/mcp_hello.h"
#include "gateway/mcp_kernel.h"
#include "gateway/mcp_list.h"
#include "gateway/mcp_lookup.h"
#include "gateway/mcp_params.h"
#include "gateway/mcp_privilege.h"
#include "gateway/mcp_result.h"

#include <stdio.h>

static void answer(struct mcp_stream *stream, unsigned status, struct text *message) {
	struct mcp_stream_user user = {0};
	if (text_failed(message)) {
		text_clear(message);
		jsonrpc_write_error(message, SLICE_NONE, JSONRPC_INTERNAL_ERROR, SLICE("no memory: try again"),
			JSONRPC_PLAIN);
	}
	mcp_stream_join(stream, &user, NULL);
	mcp_stream_finish(&user, status, text_slice(message));
}

static void refuse(struct mcp_stream *stream, unsigned status, struct slice id, int64_t code,
	const char *words, struct slice data) {
	AUTO_TEXT struct text message = {0};
	text_init(&message, 0);
	jsonrpc_write_error(&message, id, code, slice_of(words), data);
	answer(stream, status, &message);
}

static void no_method(const struct mcp_visit *visit, struct mcp_stream *stream,
	const struct mcp_request *request) {
	refuse(stream, visit->is_modern ? 404 : 200, request->message.id.text, JSONRPC_METHOD_NOT_FOUND,
		"there is no such method", JSONRPC_PLAIN);
}

static void say_nothing(struct mcp_stream *stream, const struct mcp_request *request) {
	AUTO_TEXT struct text message = {0};
	text_init(&message, 0);
	jsonrpc_write_result(&message, request->message.id.text, SLICE("{}"));
	answer(stream, 200, &message);
}

static void fail(struct mcp_stream *stream, const struct mcp_request *request, const struct fault *why) {
	AUTO_TEXT struct text message = {0};
	text_init(&message, 0);
	mcp_result_write_fault(&message, request->message.id.text, why);
	answer(stream, 200, &message);
}

/* A resource that no server knows (MCP 2026-07-28: data.uri). */
static void fail_unknown(struct mcp_stream *stream, const struct mcp_request *request,
	const struct fault *why) {
	AUTO_TEXT struct text data = {0};
	text_init(&data, 0);
	text_add_cstr(&data, "{\"uri\":");
	text_json(&data, request->name);
	text_add_char(&data, '}');
	refuse(stream, 200, request->message.id.text, JSONRPC_INVALID_PARAMS, why->text, text_slice(&data));
}

/* A client that knows of such a parameter has it from a list, so the list is known. False: answered. */
static bool params_match(const struct mcp_visit *visit, struct mcp_stream *stream,
	const struct mcp_request *request, struct hosted *hosted, struct slice params) {
	const struct scan_value object = {.text = params, .type = SCAN_OBJECT};
	struct arena *arena = visit->arena;
	struct scan_value value;
	struct slice name;
	struct fault why;
	if (!visit->is_modern || !params.bytes || !slice_is(request->message.method, "tools/call")) return true;
	struct hosted_items *items = hosted_items_known(hosted, HOSTED_MODERN, HOSTED_TOOLS);
	if (!items || !scan_find(&object, "name", &value) || !scan_string(&value, arena, &name)) return true;
	const struct call_asker asker = mcp_asker(visit->principal, (struct mgp_agreed){0});
	const struct hosted_item *item = hosted_items_find(items, name);
	/* What is denied says nothing of its parameters: the gates say that it is not there. */
	if (!item || !mcp_asker_may_call(&asker, hosted, name) || mcp_params_match(item->definition, params, visit->exchange->head, arena, &why))
		return true;
	refuse(stream, 400, request->message.id.text, MCP_HEADER_MISMATCH, why.text, JSONRPC_PLAIN);
	return false;
}

/* A tool that is refused says so as its result, which is what a model gets to read. False: answered. */
static bool may_call(const struct mcp_visit *visit, struct mcp_stream *stream,
	const struct mcp_request *request, struct hosted *hosted) {
	AUTO_TEXT struct text result = {0}, message = {0};
	struct fault why;
	if (!slice_is(request->message.method, "tools/call") ||
		mcp_privilege_allows(visit->face->privileges, visit->principal, hosted_id(hosted), &why))
		return true;
	if (why.code != FAULT_REFUSED) {
		fail(stream, request, &why);
		return false;
	}
	text_init(&result, 0);
	text_init(&message, 0);
	mcp_result_write_words(&result, slice_of(why.text), true, SLICE_NONE);
	mcp_result_write(&message, request->message.id.text, text_slice(&result), visit->is_modern,
		request->message.method, SLICE_NONE);
	answer(stream, 200, &message);
	return false;
}

/* Alike, whether there is no such server or none that the asker may use (kernel/call_gates.c). */
static void refuse_unknown_tool(const struct mcp_visit *visit, struct mcp_stream *stream,
	const struct mcp_request *request) {
	struct mgp_agreed mgp = mcp_asker_mgp(visit->session, request, visit->arena);
	bool may_all = visit->principal->is_admin || visit->principal->is_local;
	int64_t code = may_all ? MGP_TOOL_NOT_FOUND : MGP_ACCESS_DENIED;
	AUTO_TEXT struct text data = {0};
	text_init(&data, 0);
	if (mgp.is_active) mgp_error_write(&data, code, NULL, NULL);
	refuse(stream, 200, request->message.id.text, mgp.is_active ? code : JSONRPC_INVALID_PARAMS, CALL_NO_SUCH_TOOL,
		mgp.is_active ? text_slice(&data) : JSONRPC_PLAIN);
}

static void pass_on_known(const struct mcp_visit *visit, struct mcp_stream *stream,
	const struct mcp_request *request);

/* To the server that is to answer it. */
static void pass(const struct mcp_visit *visit, struct mcp_stream *stream,
	const struct mcp_request *request, bool may_wait) {
	struct fault why;
	struct slice params = SLICE_NONE;
	struct hosted *hosted = visit->hosted;
	const struct call_asker asker = mcp_asker(visit->principal, (struct mgp_agreed){0});
	if (!hosted)
		hosted = mcp_aggregate_find(visit->face, &asker, request, visit->is_modern, visit->arena,
			&params, &why);
	if (!hosted && why.code == FAULT_UNSUPPORTED) {
		no_method(visit, stream, request);
		return;
	}
	if (!hosted && may_wait && why.code == FAULT_NOT_FOUND &&
		mcp_lookup(visit, stream, request, pass_on_known))
		return;
	if (!hosted && why.code == FAULT_NOT_FOUND && slice_is(request->message.method, "tools/call")) {
		refuse_unknown_tool(visit, stream, request);
		return;
	}
	if (!hosted && why.code == FAULT_NOT_FOUND && slice_is(request->message.method, "resources/read")) {
		fail_unknown(stream, request, &why);
		return;
	}
	if (!hosted) {
		fail(stream, request, &why);
		return;
	}
	if (!may_call(visit, stream, request, hosted) ||
		!params_match(visit, stream, request, hosted, params.bytes ? params : request->params))
		return;
	const struct mcp_wish wish = {
		.face = visit->face,
		.stream = stream,
		.principal = visit->principal,
		.session = visit->session,
		.target = visit->target,
		.answerer = &mcp_call_servers,
		.who = hosted,
		.request = request,
		.mgp = mcp_asker_mgp(visit->session, request, visit->arena),
		.params = params,
	};
	mcp_call_start(&wish);
}

static void pass_on_known(const struct mcp_visit *visit, struct mcp_stream *stream,
	const struct mcp_request *request) {
	pass(visit, stream, request, false);
}

static void pass_on(const struct mcp_visit *visit, struct mcp_stream *stream,
	const struct mcp_request *request) {
	pass(visit, stream, request, true);
}

/* ---- Hosted servers behind a face ---- */

bool mcp_dispatch_searches(const struct mcp_visit *visit) {
	if (visit->behind || !visit->face->gateway->kernel) return false;
	return visit->session ? visit->session->searches : visit->searches;
}

static void hello(const struct mcp_visit *visit, struct mcp_stream *stream,
	const struct mcp_request *request) {
	mcp_hello(visit->face, stream, visit->principal, visit->hosted, visit->session, request,
		visit->is_modern, mcp_dispatch_searches(visit));
}

static void list(const struct mcp_visit *visit, struct mcp_stream *stream,
	const struct mcp_request *request) {
	const struct mcp_list_wish wish = {
		.face = visit->face,
		.principal = visit->principal,
		.session = visit->session ? slice_of(visit->session->id) : SLICE_NONE,
		.mgp = mcp_asker_mgp(visit->session, request, visit->arena),
		.hosted = visit->hosted,
		.request = request,
		.is_modern = visit->is_modern,
		.searches = mcp_dispatch_searches(visit),
	};
	mcp_list(&wish, stream);
}

static void listen_known(const struct mcp_visit *visit, struct mcp_stream *stream,
	const struct mcp_request *request) {
	mcp_ear_listen(visit->face, stream, visit->principal, visit->target, request, mcp_dispatch_searches(visit));
}

/* At the face of all, which server has a resource has to be known first. */
static void listen_to(const struct mcp_visit *visit, struct mcp_stream *stream,
	const struct mcp_request *request) {
	struct scan_value uris;
	bool names_some = scan_path(&request->message.params, &uris, "notifications", "resourceSubscriptions", NULL) &&
		uris.type == SCAN_ARRAY && scan_count(&uris) > 0;
	if (visit->hosted || !names_some || !mcp_lookup(visit, stream, request, listen_known))
		listen_known(visit, stream, request);
}

/* Which resources one server has is the server's to say. */
static bool find_resource(const struct mcp_visit *visit, struct slice uri, struct hosted **hosted,
	struct fault *why) {
	const struct call_asker asker = mcp_asker(visit->principal, (struct mgp_agreed){0});
	*hosted = visit->hosted;
	if (!*hosted) *hosted = mcp_aggregate_resource(visit->face, &asker, uri, visit->is_modern);
	if (*hosted && mcp_asker_may_use_all(&asker, *hosted)) return true;
	*hosted = NULL;
	return fault_set(why, FAULT_NOT_FOUND, "params.uri: no server knows it");
}

static const struct mcp_behind servers = {
	.hello = hello,
	.list = list,
	.listen = listen_to,
	.ask = pass_on,
	.find_resource = find_resource,
};

static const struct mcp_behind *behind(const struct mcp_visit *visit) {
	return visit->behind ? visit->behind : &servers;
}

/* ---- Legacy ---- */

static void set_level(const struct mcp_visit *visit, struct mcp_stream *stream,
	const struct mcp_request *request) {
	static const char *const levels[] = {"debug", "info", "notice", "warning", "error", "critical",
		"alert", "emergency"};
	struct scan_value level;
	if (request->message.params.type == SCAN_OBJECT &&
		scan_find(&request->message.params, "level", &level) && level.type == SCAN_STRING) {
		struct slice word = slice_make(level.text.bytes + 1, level.text.length - 2);
		for (size_t i = 0; i < COUNT_OF(levels); i++) {
			if (!slice_is(word, levels[i])) continue;
			snprintf(visit->session->log_level, sizeof visit->session->log_level, "%s", levels[i]);
			say_nothing(stream, request);
			return;
		}
	}
	refuse(stream, 200, request->message.id.text, JSONRPC_INVALID_PARAMS,
		"params.level has to be one of debug, info, notice, warning, error, critical, alert, emergency",
		JSONRPC_PLAIN);
}

static void subscribe_known(const struct mcp_visit *visit, struct mcp_stream *stream,
	const struct mcp_request *request) {
	struct hosted *hosted;
	struct fault why;
	bool is_done = behind(visit)->find_resource(visit, request->name, &hosted, &why) &&
		mcp_session_subscribe(visit->session, hosted, request->name, &why);
	if (is_done) say_nothing(stream, request);
	else if (why.code == FAULT_UNSUPPORTED) no_method(visit, stream, request);
	else fail(stream, request, &why);
}

static void subscribe(const struct mcp_visit *visit, struct mcp_stream *stream,
	const struct mcp_request *request, bool is_wanted) {
	struct hosted *hosted;
	if (!request->name.bytes)
		refuse(stream, 200, request->message.id.text, JSONRPC_INVALID_PARAMS,
			"params.uri has to be a string", JSONRPC_PLAIN);
	else if (!is_wanted) {
		mcp_session_unsubscribe(visit->session, request->name);
		say_nothing(stream, request);
	} else if (visit->behind || behind(visit)->find_resource(visit, request->name, &hosted, NULL) ||
		!mcp_lookup(visit, stream, request, subscribe_known))
		subscribe_known(visit, stream, request);
}

static void legacy(const struct mcp_visit *visit, struct mcp_stream *stream,
	const struct mcp_request *request) {
	struct slice method = request->message.method;
	enum hosted_kind kind;
	if (slice_is(method, "initialize"))
		behind(visit)->hello(visit, stream, request);
	else if (slice_is(method, "ping"))
		say_nothing(stream, request);
	else if (slice_is(method, "logging/setLevel"))
		set_level(visit, stream, request);
	else if (slice_is(method, "resources/subscribe"))
		subscribe(visit, stream, request, true);
	else if (slice_is(method, "resources/unsubscribe"))
		subscribe(visit, stream, request, false);
	else if (mcp_list_kind(method, &kind))
		behind(visit)->list(visit, stream, request);
	else if (!mcp_kernel_ask(visit, stream, request))
		behind(visit)->ask(visit, stream, request);
}

/* ---- Modern (MCP 2026-07-28) ---- */

static bool is_removed(struct slice method) {
	static const char *const methods[] = {"initialize", "ping", "logging/setLevel",
		"resources/subscribe", "resources/unsubscribe"};
	for (size_t i = 0; i < COUNT_OF(methods); i++)
		if (slice_is(method, methods[i])) return true;
	return false;
}

/* What every request has to say of itself. False: answered. */
static bool is_complete(const struct mcp_visit *visit, struct mcp_stream *stream,
	const struct mcp_request *request) {
	struct slice id = request->message.id.text;
	struct fault why;
	if (!request->version.bytes || !request->capabilities.bytes) {
		refuse(stream, 400, id, JSONRPC_INVALID_PARAMS,
			"params._meta needs io.modelcontextprotocol/protocolVersion and /clientCapabilities", JSONRPC_PLAIN);
		return false;
	}
	if (!mcp_request_headers_match(request, visit->exchange->head, &why)) {
		refuse(stream, 400, id, MCP_HEADER_MISMATCH, why.text, JSONRPC_PLAIN);
		return false;
	}
	if (slice_is(request->version, MCP_MODERN)) return true;
	AUTO_TEXT struct text data = {0};
	text_init(&data, 0);
	text_add_cstr(&data, "{\"supported\":[\"" MCP_MODERN "\"],\"requested\":");
	text_json(&data, request->version);
	text_add_char(&data, '}');
	refuse(stream, 400, id, MCP_UNSUPPORTED_VERSION, "this version of MCP is not spoken here",
		text_slice(&data));
	return false;
}

static void modern(const struct mcp_visit *visit, struct mcp_stream *stream,
	const struct mcp_request *request) {
	struct slice method = request->message.method;
	enum hosted_kind kind;
	if (!is_complete(visit, stream, request)) return;
	if (is_removed(method))
		no_method(visit, stream, request);
	else if (slice_is(method, "server/discover"))
		behind(visit)->hello(visit, stream, request);
	else if (slice_is(method, "subscriptions/listen"))
		behind(visit)->listen(visit, stream, request);
	else if (mcp_list_kind(method, &kind))
		behind(visit)->list(visit, stream, request);
	else if (!mcp_kernel_ask(visit, stream, request))
		behind(visit)->ask(visit, stream, request);
}

void mcp_dispatch_request(const struct mcp_visit *visit, struct mcp_stream *stream,
	const struct mcp_request *request) {
	if (request->twice) {
		refuse(stream, visit->is_modern ? 400 : 200, request->message.id.text, JSONRPC_INVALID_PARAMS,
			"a key of params or of params._meta stands there twice, or in another case", JSONRPC_PLAIN);
		return;
	}
	(visit->is_modern ? modern : legacy)(visit, stream, request);
}

/* ---- The rest ---- */

void mcp_dispatch_notice(const struct mcp_visit *visit, const struct jsonrpc *message) {
	struct scan_value id;
	if (!visit->session) return;
	if (message->kind != JSONRPC_NOTIFICATION)
		mcp_call_answered(visit->face, visit->session, message);
	else if (slice_is(message->method, "notifications/cancelled") &&
		message->params.type == SCAN_OBJECT && scan_find(&message->params, "requestId", &id))
		mcp_call_cancel(visit->face, visit->session, id.text);
}

void mcp_dispatch_element(const struct mcp_visit *visit, struct mcp_stream *stream,
	const struct scan_value *message) {
	struct mcp_request request;
	struct fault why;
	int64_t code;
	if (!jsonrpc_read_value(&request.message, message, visit->arena, &code, &why)) {
		refuse(stream, 200, request.message.id.type ? request.message.id.text : SLICE_NONE, code, why.text,
			JSONRPC_PLAIN);
		return;
	}
	if (request.message.kind != JSONRPC_REQUEST) {
		mcp_dispatch_notice(visit, &request.message);
		return;
	}
	if (slice_is(request.message.method, "initialize"))
		refuse(stream, 200, request.message.id.text, JSONRPC_INVALID_REQUEST,
			"initialize does not stand in a batch", JSONRPC_PLAIN);
	else if (mcp_request_read(&request, visit->arena))
		mcp_dispatch_request(visit, stream, &request);
	else
		refuse(stream, 200, request.message.id.text, JSONRPC_INTERNAL_ERROR, "no memory: try again",
			JSONRPC_PLAIN);
}

void mcp_dispatch_end_session(struct mcp_face *face, struct mcp_session *session) {
	mcp_session_keep(session); /* while its calls and its stream end */
	mcp_call_end_session(face, session);
	mcp_ear_end_session(face, session);
	mcp_session_close(session);
	mcp_session_drop(session);
}
