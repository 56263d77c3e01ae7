/* SPDX-License-Identifier: Apache-2.0 */
/* Library question: what MCP servers ask back, and how it is answered. */
#include "client/library_question.h"

#include "client/library_server_parts.h"

#include "mcp/mcp_form.h"

#define DECLINED (-1) /* MCP sampling: the user rejected it */

/* ---- Coming ---- */

static const char *string_of(const struct scan_value *params, const char *name,
	struct arena *arena) {
	struct scan_value value;
	struct slice words;
	bool failed = false;
	if (!scan_find(params, name, &value) || !scan_string(&value, arena, &words)) return NULL;
	return library_string(arena, words, &failed);
}

static void elicit(struct hustings_server *server, struct hustings_question *question) {
	char lent[1024];
	struct arena arena;
	struct scan_value params = *inquiry_params(question), schema;
	struct hustings_elicitation elicitation = {.message = ""};
	arena_init(&arena, lent, sizeof lent, 0);
	const char *message = string_of(&params, "message", &arena);
	if (message) elicitation.message = message;
	if (inquiry_kind(question) == INQUIRY_URL) {
		elicitation.url = string_of(&params, "url", &arena);
		elicitation.id = string_of(&params, "elicitationId", &arena);
	} else if (scan_find(&params, "requestedSchema", &schema))
		elicitation.schema = library_json(schema.text);
	bool is_sound = inquiry_kind(question) != INQUIRY_URL || elicitation.url;
	if (is_sound) server->events->elicit(server->context, server, question, &elicitation);
	else inquiry_refuse(question, JSONRPC_INVALID_PARAMS, SLICE("params.url: a string is due"));
	arena_finish(&arena);
}

void library_question_asked(void *context, struct hustings_question *question) {
	struct hustings_server *server = context;
	inquiry_set(question, server);
	switch (inquiry_kind(question)) {
	case INQUIRY_FORM:
	case INQUIRY_URL: elicit(server, question); break;
	case INQUIRY_SAMPLING:
		server->events->sample(server->context, server, question,
			library_json(inquiry_params(question)->text));
		break;
	case INQUIRY_ROOTS: server->events->roots(server->context, server, question); break;
	case INQUIRY_KINDS: break;
	}
}

void library_question_withdrawn(void *context, struct hustings_question *question) {
	struct hustings_server *server = context;
	if (server->events->withdrawn && !server->is_left)
		server->events->withdrawn(server->context, server, question);
}

/* ---- Answers ---- */

static bool is_elicitation(const struct hustings_question *question) {
	return inquiry_kind(question) == INQUIRY_FORM || inquiry_kind(question) == INQUIRY_URL;
}

static bool read_object(const char *json, struct scan_value *object) {
	struct scan_fault fault;
	return json && scan_check(slice_of(json), SCAN_DEPTH - 8, object, &fault) &&
		object->type == SCAN_OBJECT;
}

static void fill_in(struct hustings_question *question, const struct scan_value *filled) {
	AUTO_TEXT struct text result = {0};
	struct scan_value schema;
	if (!scan_find(inquiry_params(question), "requestedSchema", &schema)) schema.type = SCAN_NONE;
	text_init(&result, 0);
	text_add_cstr(&result, "{\"action\":\"accept\",\"content\":");
	mcp_form_write(&result, &schema, filled);
	text_add_char(&result, '}');
	if (text_failed(&result)) inquiry_refuse(question, JSONRPC_INTERNAL_ERROR, SLICE("no memory"));
	else inquiry_reply(question, text_slice(&result));
}

void hustings_accept(struct hustings_question *question, const char *content) {
	struct scan_value filled = {.type = SCAN_NONE};
	if (!is_elicitation(question) || (content && !read_object(content, &filled)))
		hustings_decline(question);
	else if (inquiry_kind(question) == INQUIRY_URL)
		inquiry_reply(question, SLICE("{\"action\":\"accept\"}"));
	else
		fill_in(question, &filled);
}

void hustings_decline(struct hustings_question *question) {
	if (is_elicitation(question)) inquiry_reply(question, SLICE("{\"action\":\"decline\"}"));
	else inquiry_refuse(question, DECLINED, SLICE("declined"));
}

void hustings_dismiss(struct hustings_question *question) {
	if (is_elicitation(question)) inquiry_reply(question, SLICE("{\"action\":\"cancel\"}"));
	else inquiry_refuse(question, DECLINED, SLICE("nobody answered"));
}

void hustings_answer_question(struct hustings_question *question, const char *result) {
	struct scan_value json;
	if (read_object(result, &json)) inquiry_reply(question, json.text);
	else inquiry_refuse(question, JSONRPC_INTERNAL_ERROR, SLICE("the answer is no sound JSON object"));
}

void hustings_refuse_question(struct hustings_question *question, const char *reason) {
	inquiry_refuse(question, DECLINED, slice_of(reason ? reason : "refused"));
}
