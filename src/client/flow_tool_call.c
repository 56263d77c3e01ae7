/* SPDX-License-Identifier: Apache-2.0 */
/* Flow tool call: a pass, a form, the answer to it, and so on until the function ends. */
#include "client/flow_tool_call.h"

#include "client/flow_tool_pass.h"
#include "client/inquiry.h"
#include "flow/prompt_form.h"
#include "flow/prompt_schema.h"
#include "mcp/mcp_reply.h"

#include <stdio.h>
#include <stdlib.h>

#define KEY "answer" /* of inputRequests */
#define SHOWN 32     /* missing arguments that are named */

struct flow_call {
	struct flow_tool *tool;
	struct flow_session *session;
	struct hustings_request *request;
};

/* ---- The form ---- */

/* Why the last answer was refused, before what is asked. */
static void write_message(struct text *to, const struct prompt *prompt, const struct prompt_verdict *verdict) {
	if (verdict && !verdict->is_valid) {
		text_add_cstr(to, verdict->error);
		if (verdict->suggestion[0]) text_printf(to, " (%s)", verdict->suggestion);
		text_add_cstr(to, ". ");
	}
	text_add(to, prompt->message);
}

/* Params of elicitation/create. */
static void write_form(struct text *to, const struct flow_session *session, const struct prompt_verdict *verdict,
	bool is_modern) {
	AUTO_TEXT struct text message = {0};
	char lent[2048];
	struct arena arena;
	struct prompt prompt;
	arena_init(&arena, lent, sizeof lent, 0);
	text_init(&message, 0);
	if (flow_session_prompt(session, &arena, &prompt)) {
		write_message(&message, &prompt, verdict);
		prompt_form_write(to, text_slice(&message), &prompt, 1, is_modern);
	} else
		to->failed = true;
	to->failed |= text_failed(&message);
	arena_finish(&arena);
}

/* What the form was answered with. False: the session is over. */
static bool take_answer(struct flow_session *session, const struct scan_value *result, struct prompt_verdict *verdict) {
	char lent[2048];
	struct arena arena;
	struct prompt prompt;
	struct scan_value value, content = {.type = SCAN_NONE};
	struct flow_response response = {.value.type = SCAN_NONE};
	struct flow_refusal refusal = {.message = "no memory for an answer"};
	int64_t now = clock_wall_ms();
	bool is_accepted = scan_find(result, "action", &value) && slice_is(value.text, "\"accept\"");
	if (!is_accepted) {
		(void)!flow_session_cancel(session, SLICE("the caller did not answer"), now, &refusal);
		return false;
	}
	if (!scan_find(result, "content", &content)) content.type = SCAN_NONE;
	arena_init(&arena, lent, sizeof lent, 0);
	bool is_taken = flow_session_prompt(session, &arena, &prompt) &&
		prompt_form_read(&content, &prompt, &arena, &response.value);
	if (response.value.type == SCAN_NONE) response.value = (struct scan_value){.text = SLICE("null"), .type = SCAN_NULL};
	is_taken = is_taken && flow_session_respond(session, &response, now, verdict, &refusal);
	arena_finish(&arena);
	if (!is_taken) flow_session_fail(session, refusal.message, now);
	return is_taken;
}

/* ---- The end ---- */

static void answer_over(struct hustings_request *request, const struct flow_session *session) {
	const struct scan_value result = {.text = text_slice(&session->result), .type = SCAN_OBJECT};
	struct scan_value data;
	if (session->state == FLOW_COMPLETED && scan_find(&result, "data", &data)) library_request_answer(request, data.text);
	else if (session->state == FLOW_CANCELLED)
		hustings_answer_failure(request, "the caller did not answer what the tool asks: nothing was done");
	else
		hustings_answer_failure(request, "the tool failed: %.*s", SLICE_ARGS(text_slice(&session->summary)));
}

static void write_missing(struct text *to, const struct prompt *prompt) {
	text_printf(to, "%s%.*s (", to->length ? ", " : "", SLICE_ARGS(prompt->name));
	text_add(to, prompt->message);
	text_add_char(to, ')');
}

/* What the schema still wants, and what the tool would ask next. */
static void list_missing(struct text *to, const struct flow_tool *tool, const struct flow_session *session) {
	const struct scan_value definition = {
		.text = mcp_server_definition(tool->hustings->server, slice_of(tool->name)), .type = SCAN_OBJECT};
	const struct scan_value given = {.text = text_slice(&session->given), .type = SCAN_OBJECT};
	struct scan_value schema;
	struct prompt prompts[SHOWN], next;
	struct prompt_schema_count count = {0};
	struct arena arena;
	bool is_named = false;
	arena_init(&arena, NULL, 0, 0);
	if (definition.text.length && scan_find(&definition, "inputSchema", &schema) &&
		prompt_schema_list(&schema, &given, &arena, prompts, SHOWN, &count) != PROMPT_SCHEMA_ASKS)
		count.all = 0;
	bool has_next = flow_session_prompt(session, &arena, &next);
	for (size_t i = 0; i < count.all && i < SHOWN; i++) {
		write_missing(to, &prompts[i]);
		is_named = is_named || (has_next && slice_equal(prompts[i].name, next.name));
	}
	if (has_next && !is_named) write_missing(to, &next);
	arena_finish(&arena);
}

/* Nobody can be asked (MCP Flow, graceful degradation). */
static void refuse_plain(struct hustings_request *request, const struct flow_tool *tool,
	const struct flow_session *session) {
	AUTO_TEXT struct text missing = {0};
	text_init(&missing, 0);
	if (!tool->has_schema) {
		library_request_refuse_data(request, FLOW_NOT_INTERACTIVE, "the tool asks its caller, who can be asked nothing",
			SLICE("{\"type\":\"not_interactive\"}"));
		return;
	}
	list_missing(&missing, tool, session);
	if (text_failed(&missing)) hustings_answer_failure(request, "arguments are missing");
	else hustings_answer_failure(request, "arguments are missing: %s. Call again with all of them.", missing.bytes);
}

/* ---- Legacy ---- */

static void call_free(struct flow_call *call) {
	flow_session_free(call->session);
	flow_tool_drop(call->tool);
	free(call);
}

static void call_end(struct flow_call *call) {
	answer_over(call->request, call->session);
	call_free(call);
}

/* It stands for somebody who cannot be asked, as the room face does for its clients. */
static void call_end_unasked(struct flow_call *call) {
	refuse_plain(call->request, call->tool, call->session);
	call_free(call);
}

static void cancelled(void *context, struct hustings_request *request) {
	struct flow_call *call = context;
	(void)request;
	flow_session_fail(call->session, "cancelled", clock_wall_ms());
	call_end(call);
}

static void replied(void *context, const struct hustings_answer *answer, const struct hustings_error *error);

static void ask_legacy(struct flow_call *call, const struct prompt_verdict *verdict) {
	AUTO_TEXT struct text params = {0};
	struct hustings_error error = {.text = "no memory for a question"};
	text_init(&params, 0);
	write_form(&params, call->session, verdict, false);
	bool is_asked = !text_failed(&params) &&
		hustings_ask_back(call->request, NULL, "elicitation/create", params.bytes, (uint64_t)call->session->timeout_ms,
			replied, call, &error);
	if (is_asked) return;
	flow_session_fail(call->session, error.text, clock_wall_ms());
	call_end(call);
}

static void go_on(struct flow_call *call) {
	struct flow_session *session = call->session;
	if (call->tool->is_withdrawn) flow_session_fail(session, "the tool is not offered any more", clock_wall_ms());
	else flow_tool_pass(call->tool, session, hustings_request_from(call->request));
	if (session->state == FLOW_WAITING_USER) ask_legacy(call, NULL);
	else call_end(call);
}

static void replied(void *context, const struct hustings_answer *answer, const struct hustings_error *error) {
	struct flow_call *call = context;
	struct prompt_verdict verdict = {.is_valid = true};
	struct flow_refusal refusal;
	struct scan_value result;
	struct scan_fault fault;
	int64_t now = clock_wall_ms();
	bool is_read = answer && scan_check(library_slice(answer->json), SCAN_DEPTH, &result, &fault);
	if (!flow_session_lives(call->session, now, &refusal)) flow_session_fail(call->session, refusal.message, now);
	else if (error) flow_session_fail(call->session, error->text, now);
	else if (answer->code == JSONRPC_METHOD_NOT_FOUND) {
		call_end_unasked(call);
		return;
	} else if (!is_read) flow_session_fail(call->session, "the caller refused to be asked", now);
	else if (take_answer(call->session, &result, &verdict)) {
		if (verdict.is_valid) go_on(call);
		else ask_legacy(call, &verdict);
		return;
	}
	call_end(call);
}

/* Takes the session. */
static void begin_legacy(struct flow_tool *tool, struct flow_session *session, struct hustings_request *request) {
	struct flow_call *call = calloc(1, sizeof *call);
	if (!call) {
		flow_session_free(session);
		hustings_answer_failure(request, "no memory for another call");
		return;
	}
	*call = (struct flow_call){flow_tool_keep(tool), session, request};
	request->context = call;
	request->cancelled = cancelled;
	ask_legacy(call, NULL);
}

/* ---- Modern ---- */

static void ask_modern(struct flow_desk *desk, const struct flow_session *session, const struct prompt_verdict *verdict,
	struct hustings_request *request) {
	AUTO_TEXT struct text result = {0}, token = {0};
	struct fault why;
	text_init(&result, 0);
	text_init(&token, 0);
	text_add_cstr(&result, "{\"resultType\":\"input_required\",\"inputRequests\":{\"" KEY "\":{\"method\":\"elicitation/create\",\"params\":");
	write_form(&result, session, verdict, true);
	if (!flow_token_write(&token, session, &desk->key, &why)) {
		hustings_answer_failure(request, "%s", why.text);
		return;
	}
	text_printf(&result, "}},\"requestState\":\"%s\"}", token.bytes);
	if (text_failed(&result)) hustings_answer_failure(request, "no memory for a question");
	else library_request_answer_raw(request, text_slice(&result));
}

static void step_modern(struct flow_desk *desk, struct flow_session *session, const struct prompt_verdict *verdict,
	struct hustings_request *request) {
	if (session->state == FLOW_WAITING_USER) ask_modern(desk, session, verdict, request);
	else answer_over(request, session);
}

/* The one answer among `inputResponses`; what was not asked is passed over. */
static bool read_response(const struct scan_value *params, struct scan_value *response) {
	return scan_path(params, response, "inputResponses", KEY, NULL) && response->type == SCAN_OBJECT;
}

static void answer_again(struct flow_desk *desk, struct flow_tool *tool, struct flow_session *session,
	const struct scan_value *params, struct hustings_request *request) {
	struct prompt_verdict verdict = {.is_valid = true};
	struct scan_value response;
	bool is_answered = read_response(params, &response);
	/* Without an answer it is asked once more. */
	if (is_answered && take_answer(session, &response, &verdict) && verdict.is_valid)
		flow_tool_pass(tool, session, "");
	step_modern(desk, session, &verdict, request);
}

static struct flow_session *read_state(struct flow_desk *desk, const struct jsonrpc *request, const struct flow_tool *tool,
	struct flow_refusal *refusal) {
	const struct flow_caller caller = {.id = "", .is_modern = true};
	char principal[FLOW_DESK_PRINCIPAL];
	uint8_t spent[SECRET_HASH_SIZE];
	struct scan_value value;
	struct arena arena;
	struct slice token = SLICE_NONE;
	flow_caller_principal(&caller, principal);
	arena_init(&arena, NULL, 0, 0);
	bool is_string = scan_find(&request->params, "requestState", &value) && scan_string(&value, &arena, &token);
	struct flow_session *session = flow_token_read(is_string ? token : SLICE(""), &desk->key, slice_of(principal), clock_wall_ms(), spent, refusal);
	arena_finish(&arena);
	if (!session) return NULL;
	bool is_whole = strcmp(session->tool, tool->name) == 0 && session->state == FLOW_WAITING_USER;
	bool is_first = is_whole && flow_desk_spend(desk, spent, flow_session_expires_at(session));
	if (is_first) return session;
	(void)flow_refuse(refusal, FLOW_INVALID_PARAMS, NULL,
		is_whole ? "params.requestState was used before: begin without it" : "params.requestState is of another tool");
	flow_session_free(session);
	return NULL;
}

bool flow_tool_call_again(struct hustings *hustings, const struct caller *caller, struct peer_question *question,
	const struct jsonrpc *request, struct slice name) {
	struct flow_tool *tool = flow_desk_tool(hustings->flows, name);
	struct flow_refusal refusal;
	struct scan_value value;
	if (!tool || !caller->is_modern || !scan_find(&request->params, "requestState", &value)) return false;
	struct flow_session *session = read_state(hustings->flows, request, tool, &refusal);
	if (!session) {
		AUTO_TEXT struct text data = {0};
		text_init(&data, 0);
		flow_refusal_write_data(&data, &refusal, SLICE_NONE);
		peer_refuse(question, JSONRPC_INVALID_PARAMS, slice_of(refusal.message), text_failed(&data) ? SLICE_NONE : text_slice(&data));
		return true;
	}
	hustings->caller = caller;
	struct hustings_request *opened = library_request_open(hustings, REQUEST_TOOL, question, name);
	hustings->caller = NULL;
	if (opened) answer_again(hustings->flows, tool, session, &request->params, opened);
	flow_session_free(session);
	return true;
}

/* ---- The call ---- */

static struct flow_session *begin(const struct flow_tool *tool, struct hustings_json arguments,
	struct flow_refusal *refusal) {
	const struct flow_caller caller = {.id = "", .is_modern = true};
	char principal[FLOW_DESK_PRINCIPAL];
	flow_caller_principal(&caller, principal);
	const struct flow_wish wish = {
		.principal = slice_of(principal),
		.tool = slice_of(tool->name),
		.initial_params = library_slice(arguments),
	};
	struct flow_session *session = flow_session_begin(&wish, &tool->limits, clock_wall_ms(), refusal);
	if (session && flow_session_activate(session, refusal)) return session;
	flow_session_free(session);
	return NULL;
}

void flow_tool_call_run(void *context, struct hustings_request *request, struct hustings_json arguments) {
	struct flow_tool *tool = context;
	struct flow_refusal refusal;
	struct flow_session *session = begin(tool, arguments, &refusal);
	if (!session) {
		hustings_answer_failure(request, "%s", refusal.message);
		return;
	}
	flow_tool_pass(tool, session, hustings_request_from(request));
	bool waits = session->state == FLOW_WAITING_USER;
	if (waits && !(request->caller.abilities & (1U << INQUIRY_FORM))) refuse_plain(request, tool, session);
	else if (waits && !request->caller.is_modern) {
		begin_legacy(tool, session, request);
		return;
	} else
		step_modern(tool->hustings->flows, session, NULL, request);
	flow_session_free(session);
}
