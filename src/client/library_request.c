/* SPDX-License-Identifier: Apache-2.0 */
/* Library request: from a question to its one answer, in the caller's era. */
#include "client/library_request.h"

#include "client/inquiry.h"
#include "flow/authorization.h"
#include "mcp/mcp_modern.h"
#include "mcp/mcp_reply.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- Coming and going ---- */

/* Who asks in a room can be asked back what its initialize to us declared (client/library_face.c). */
static struct caller caller_of(const struct hustings *hustings, const struct peer_question *question) {
	struct caller caller = {.is_modern = false};
	struct guest *guest;
	const char *id;
	if (hustings->caller) return *hustings->caller;
	guest_asker(question, &guest, &id);
	if (guest) caller.abilities = guest_asker_note(question)->abilities & ~LIBRARY_DECLARES;
	return caller;
}

struct hustings_request *library_request_open(struct hustings *hustings, enum request_kind kind,
	struct peer_question *question, struct slice name) {
	struct hustings_request *request = calloc(1, sizeof *request + name.length + 1);
	if (!request) {
		peer_refuse(question, JSONRPC_INTERNAL_ERROR, SLICE("no memory"), JSONRPC_PLAIN);
		return NULL;
	}
	request->hustings = hustings;
	request->kind = kind;
	request->question = question;
	request->caller = caller_of(hustings, question);
	memcpy(request->name, name.bytes, name.length);
	text_init(&request->early, 0);
	list_init(&request->asks);
	list_append(&hustings->requests, &request->link);
	peer_question_set(question, request);
	return request;
}

void library_request_drop_ask(struct request_ask *ask) {
	struct peer_call *call = TAKE(ask->call);
	if (call) peer_cancel(call, SLICE("not needed any more"));
	deadline_clear(&ask->deadline);
	list_remove(&ask->link);
	text_finish(&ask->reply);
	free(ask->method);
	free(ask->params);
	free(ask);
}

static void request_free(struct hustings_request *request) {
	if (request->is_gone) *request->is_gone = true;
	while (!list_is_empty(&request->asks))
		library_request_drop_ask(CONTAINER_OF(request->asks.next, struct request_ask, link));
	task_clear(&request->flush);
	deadline_clear(&request->patience);
	list_remove(&request->link);
	text_finish(&request->early);
	free(request->type);
	free(request->begins);
	free(request->warned);
	free(request);
}

void library_request_cancelled(void *context, struct peer_question *question) {
	struct hustings_request *request = peer_question_context(question);
	(void)context;
	if (!request) return;
	request->is_cancelled = true;
	if (request->cancelled) request->cancelled(request->context, request);
}

static void note_answered(struct hustings *hustings) {
	if (hustings->answered) hustings->answered(hustings);
}

/* The caller got an error before (MCPx ADR-001): the answer follows it under the same request's id. */
static void resolve(struct hustings_request *request, const char *member, struct slice outcome) {
	AUTO_TEXT struct text params = {0};
	struct peer_question *question = TAKE(request->question);
	text_init(&params, 0);
	authorization_write_resolved(&params, peer_question_id(question), slice_of(request->warned), member, outcome);
	peer_question_set(question, NULL);
	if (!text_failed(&params))
		peer_question_tell(question, SLICE("notifications/authorization/resolved"), text_slice(&params));
	peer_question_drop(question);
}

static void resolve_error(struct hustings_request *request, int64_t code, const char *words, struct slice data) {
	AUTO_TEXT struct text error = {0};
	text_init(&error, 0);
	text_printf(&error, "{\"code\":%lld,\"message\":", (long long)code);
	text_json(&error, slice_of(words));
	if (data.length) {
		text_add_cstr(&error, ",\"data\":");
		text_add(&error, data);
	}
	text_add_char(&error, '}');
	resolve(request, "error", text_failed(&error) ? SLICE("{\"code\":-32603,\"message\":\"no memory\"}") : text_slice(&error));
}

static struct peer_question *take(struct hustings_request *request) {
	struct peer_question *question = request->question;
	if (question) peer_question_set(question, NULL);
	request_free(request);
	return question;
}

void library_requests_finish(struct hustings *hustings) {
	LIST_EACH_SAFE(link, &hustings->requests) {
		struct hustings_request *request = CONTAINER_OF(link, struct hustings_request, link);
		struct peer_question *question = take(request);
		if (question) peer_answer(question, SLICE("{}"));
	}
}

/* ---- Answers ---- */

static void answer_modern(struct hustings *hustings, struct peer_question *question,
	struct slice result, bool is_resource) {
	AUTO_TEXT struct text modern = {0}, info = {0};
	text_init(&modern, 0);
	text_init(&info, 0);
	library_write_info(hustings, &info);
	mcp_reply_write_modern(&modern, result, text_slice(&info), is_resource ? 0 : -1);
	if (text_failed(&modern) || text_failed(&info))
		peer_refuse(question, JSONRPC_INTERNAL_ERROR, SLICE("no memory"), JSONRPC_PLAIN);
	else
		peer_answer(question, text_slice(&modern));
}

/* For when the caller comes again. False: it is here. */
static bool keep_early(struct hustings_request *request, struct slice words, int64_t code) {
	if (request->question || request->is_cancelled) return false;
	text_clear(&request->early);
	text_add(&request->early, words);
	request->early_code = code;
	return true;
}

void library_request_answer(struct hustings_request *request, struct slice result) {
	struct hustings *hustings = request->hustings;
	bool is_modern = request->caller.is_modern, is_resource = request->kind == REQUEST_RESOURCE;
	if (keep_early(request, result, 0)) return;
	if (request->warned && request->question) resolve(request, "result", result);
	struct peer_question *question = take(request);
	if (question && is_modern) answer_modern(hustings, question, result, is_resource);
	else if (question) peer_answer(question, result);
	note_answered(hustings);
}

void library_request_refuse_data(struct hustings_request *request, int64_t code, const char *words,
	struct slice data) {
	struct hustings *hustings = request->hustings;
	if (keep_early(request, slice_of(words), code)) return;
	if (request->warned && request->question) resolve_error(request, code, words, data);
	struct peer_question *question = take(request);
	if (question) peer_refuse(question, code, slice_of(words), data);
	note_answered(hustings);
}

void library_request_refuse(struct hustings_request *request, int64_t code, const char *words) {
	library_request_refuse_data(request, code, words, JSONRPC_PLAIN);
}

void library_request_answer_raw(struct hustings_request *request, struct slice result) {
	struct hustings *hustings = request->hustings;
	struct peer_question *question = take(request);
	if (question) peer_answer(question, result);
	note_answered(hustings);
}

static void answer_text(struct hustings_request *request, struct text *result) {
	if (text_failed(result)) library_request_refuse(request, JSONRPC_INTERNAL_ERROR, "no memory");
	else library_request_answer(request, text_slice(result));
}

static bool read_json(const char *json, struct scan_value *root) {
	struct scan_fault fault;
	return json && scan_check(slice_of(json), SCAN_DEPTH - 4, root, &fault);
}

void hustings_answer_text(struct hustings_request *request, const char *words) {
	AUTO_TEXT struct text result = {0};
	text_init(&result, 0);
	switch (request->kind) {
	case REQUEST_TOOL: mcp_reply_write_text(&result, slice_of(words), false); break;
	case REQUEST_PROMPT: mcp_reply_write_prompt(&result, slice_of(words)); break;
	case REQUEST_RESOURCE:
		mcp_reply_write_resource(&result, slice_of(request->name), slice_of(request->type),
			slice_of(words), false);
		break;
	case REQUEST_COMPLETION:
		library_request_refuse(request, JSONRPC_INTERNAL_ERROR, "an array of strings is due");
		return;
	}
	answer_text(request, &result);
}

void hustings_answer_json(struct hustings_request *request, const char *json) {
	AUTO_TEXT struct text result = {0};
	struct scan_value root;
	if (!read_json(json, &root)) {
		hustings_answer_failure(request, "the answer is no sound JSON");
		return;
	}
	text_init(&result, 0);
	if (request->kind == REQUEST_TOOL) mcp_reply_write_json(&result, slice_of(json));
	else if (request->kind == REQUEST_COMPLETION && root.type == SCAN_ARRAY)
		mcp_reply_write_completions(&result, &root);
	else {
		hustings_answer_text(request, json);
		return;
	}
	answer_text(request, &result);
}

void hustings_answer_result(struct hustings_request *request, const char *result) {
	struct scan_value root;
	if (read_json(result, &root) && root.type == SCAN_OBJECT) library_request_answer(request, root.text);
	else hustings_answer_failure(request, "the answer is no sound JSON object");
}

void hustings_answer_octets(struct hustings_request *request, const void *octets, size_t length) {
	AUTO_TEXT struct text result = {0};
	text_init(&result, 0);
	mcp_reply_write_resource(&result, slice_of(request->name), slice_of(request->type),
		slice_make(octets, length), true);
	if (request->kind == REQUEST_RESOURCE) answer_text(request, &result);
	else hustings_answer_failure(request, "resources alone are answered with octets");
}

void hustings_answer_failure(struct hustings_request *request, const char *format, ...) {
	AUTO_TEXT struct text result = {0};
	char words[1000];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(words, sizeof words, format, arguments);
	va_end(arguments);
	if (request->kind != REQUEST_TOOL) {
		library_request_refuse(request, JSONRPC_INTERNAL_ERROR, words);
		return;
	}
	text_init(&result, 0);
	mcp_reply_write_text(&result, slice_of(words), true);
	answer_text(request, &result);
}

void hustings_answer_unable(struct hustings_request *request, const char *method) {
	AUTO_TEXT struct text data = {0};
	static const char *const wanted[] = {
		[INQUIRY_FORM] = "\"elicitation\":{\"form\":{}}",
		[INQUIRY_URL] = "\"elicitation\":{\"url\":{}}",
		[INQUIRY_SAMPLING] = "\"sampling\":{}",
		[INQUIRY_ROOTS] = "\"roots\":{}",
	};
	const struct scan_value none = {.type = SCAN_NONE};
	enum inquiry_kind kind;
	if (!request->caller.is_modern || !request->question ||
		!inquiry_kind_of(slice_of(method), &none, &kind)) {
		hustings_answer_failure(request, "the caller cannot be asked back: %s", method);
		return;
	}
	struct hustings *hustings = request->hustings;
	struct peer_question *question = take(request);
	text_init(&data, 0);
	text_printf(&data, "{\"requiredCapabilities\":{%s}}", wanted[kind]);
	peer_refuse(question, MCP_MODERN_LACKING_CAPABILITY, SLICE("the caller cannot be asked back"),
		text_failed(&data) ? SLICE_NONE : text_slice(&data));
	note_answered(hustings);
}

/* ---- On the way ---- */

void hustings_report(struct hustings_request *request, double progress, double total,
	const char *message) {
	if (request->question) peer_progress(request->question, progress, total, slice_of(message));
}

void hustings_log(struct hustings_request *request, const char *level, const char *logger,
	const char *data) {
	AUTO_TEXT struct text params = {0};
	struct scan_value root;
	if (!request->question || !caller_hears(&request->caller, level) || !read_json(data, &root)) return;
	text_init(&params, 0);
	text_printf(&params, "{\"level\":\"%s\"", level);
	if (logger) {
		text_add_cstr(&params, ",\"logger\":");
		text_json(&params, slice_of(logger));
	}
	text_add_cstr(&params, ",\"data\":");
	text_add(&params, root.text);
	text_add_char(&params, '}');
	if (!text_failed(&params))
		peer_question_tell(request->question, SLICE("notifications/message"), text_slice(&params));
}

bool hustings_is_cancelled(const struct hustings_request *request) { return request->is_cancelled; }
const char *hustings_request_name(const struct hustings_request *request) { return request->name; }
const char *hustings_request_tool(const struct hustings_request *request) { return request->name; }

const char *hustings_request_from(const struct hustings_request *request) {
	struct guest *guest = NULL;
	const char *id = NULL;
	if (request->question) guest_asker(request->question, &guest, &id);
	return id ? id : "";
}

struct hustings_room *hustings_request_room(const struct hustings_request *request) {
	struct guest *guest = NULL;
	const char *id;
	if (request->question) guest_asker(request->question, &guest, &id);
	LIST_EACH(link, &request->hustings->rooms) {
		struct hustings_room *room = CONTAINER_OF(link, struct hustings_room, link);
		if (guest && room->guest == guest) return room;
	}
	return NULL;
}
