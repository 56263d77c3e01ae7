/* SPDX-License-Identifier: Apache-2.0 */
/* Flow tool methods: a table of methods; each is answered first, then what follows from it is told. */
#include "client/flow_tool_methods.h"

#include "client/authorization_book.h"
#include "client/flow_tool_pass.h"
#include "client/guest_parts.h"
#include "client/peers.h"
#include "client/service_parts.h"
#include "flow/flow_message.h"
#include "mcp/mcp_reply.h"
#include "mcp/mcp_server.h"
#include "mcp/peer_call.h"

#define PUSH_MS 10000 /* for an acknowledgement, which nobody waits for */

struct asking {
	struct hustings *hustings;
	struct flow_desk *desk;
	const struct flow_caller *caller;
	struct peer_question *question;
	struct hustings_request *request; /* it begins; NULL: it goes on */
	const struct scan_value *params;
	char principal[FLOW_DESK_PRINCIPAL];
	struct slice id; /* of the session, as it was asked for */
	struct arena arena;
	struct flow_refusal refusal;
};

/* ---- Answers ---- */

static bool refuse(struct asking *asking) {
	AUTO_TEXT struct text data = {0};
	text_init(&data, 0);
	flow_refusal_write_data(&data, &asking->refusal, asking->id);
	if (asking->request)
		library_request_refuse_data(asking->request, asking->refusal.code, asking->refusal.message,
			text_failed(&data) ? SLICE_NONE : text_slice(&data));
	else peer_refuse(asking->question, asking->refusal.code, slice_of(asking->refusal.message),
		text_failed(&data) ? SLICE_NONE : text_slice(&data));
	return false;
}

static void answer(struct asking *asking, const struct text *result) {
	AUTO_TEXT struct text modern = {0}, info = {0};
	if (asking->request) {
		library_request_answer(asking->request, text_failed(result) ? SLICE("{}") : text_slice(result));
		return;
	}
	text_init(&modern, 0);
	text_init(&info, 0);
	if (asking->caller->is_modern) {
		library_write_info(asking->hustings, &info);
		mcp_reply_write_modern(&modern, text_slice(result), text_slice(&info), -1);
	}
	if (text_failed(result) || text_failed(&modern) || text_failed(&info))
		peer_refuse(asking->question, JSONRPC_INTERNAL_ERROR, SLICE("no memory"), JSONRPC_PLAIN);
	else
		peer_answer(asking->question, asking->caller->is_modern ? text_slice(&modern) : text_slice(result));
}

/* ---- Telling ---- */

static void acknowledged(void *context, const struct peer_reply *reply, const struct fault *why) {
	(void)context;
	(void)reply;
	(void)why; /* who hears nothing of it asks interaction.getState */
}

typedef void writer(struct text *to, const struct flow_session *session, struct slice id);

static void push(struct peer *peer, const char *method, writer *write, const struct flow_session *session) {
	AUTO_TEXT struct text params = {0};
	struct fault why;
	text_init(&params, 0);
	write(&params, session, slice_of(session->id));
	const struct peer_request request = {
		.method = slice_of(method),
		.params = text_slice(&params),
		.deadline_ms = PUSH_MS,
		.answered = acknowledged,
	};
	if (!text_failed(&params)) (void)!peer_ask(peer, &request, &why);
}

/* After a step: what is asked next, or what came of it. */
static void tell(const struct asking *asking, struct peer *peer, const struct flow_session *session) {
	if (!peer || asking->caller->is_modern) return;
	if (session->state == FLOW_WAITING_USER) push(peer, "interaction.prompt", flow_write_prompt, session);
	else if (session->state == FLOW_COMPLETED) push(peer, "interaction.complete", flow_write_complete, session);
}

static struct peer *peer_of(const struct hustings *hustings, const struct flow_entry *entry) {
	if (entry->guest) {
		const struct companion *companion = peers_find(&entry->guest->peers, slice_of(entry->id));
		return companion ? companion->peer : NULL;
	}
	LIST_EACH(link, &hustings->services) {
		const struct service *service = CONTAINER_OF(link, struct service, link);
		if (service->number == entry->host) return service->peer;
	}
	return NULL;
}

static void warn(struct flow_desk *desk, struct flow_entry *entry) {
	AUTO_TEXT struct text params = {0};
	struct fault why;
	struct peer *peer = entry->is_modern ? NULL : peer_of(desk->hustings, entry);
	text_init(&params, 0);
	flow_write_warning(&params, entry->session, slice_of(entry->session->id));
	if (peer && !text_failed(&params))
		(void)!peer_tell(peer, SLICE("notifications/interaction/timeout"), text_slice(&params), &why);
}

/* ---- Beginning ---- */

static struct flow_tool *find_tool(struct asking *asking, struct slice name) {
	struct flow_tool *tool = flow_desk_tool(asking->desk, name);
	if (tool) return tool;
	if (mcp_server_definition(asking->hustings->server, name).length)
		(void)flow_refuse(&asking->refusal, FLOW_NOT_INTERACTIVE, NULL, "the tool asks nothing: call it by tools/call");
	else
		(void)flow_refuse(&asking->refusal, FLOW_INVALID_PARAMS, NULL, "params.toolName: no tool of that name is offered");
	return NULL;
}

static bool is_unambiguous(struct asking *asking, struct slice object) {
	bool has_twins = false;
	if (object.length && !scan_has_duplicates(object, &asking->arena, &has_twins))
		return flow_refuse(&asking->refusal, FLOW_INTERNAL, "no_memory", "no memory: try again");
	return !has_twins || flow_refuse(&asking->refusal, FLOW_INVALID_PARAMS, NULL, "params.initialParams names something twice");
}

static struct flow_session *make(struct asking *asking, const struct flow_tool *tool, const struct flow_start *start) {
	const struct flow_wish wish = {
		.principal = slice_of(asking->principal),
		.tool = slice_of(tool->name),
		.initial_params = start->initial_params,
		.context = start->context,
		.timeout_ms = start->timeout_ms,
	};
	if (!is_unambiguous(asking, start->initial_params) ||
		!flow_desk_has_room(asking->desk, slice_of(asking->principal), &asking->refusal))
		return NULL;
	struct flow_session *session = flow_session_begin(&wish, &tool->limits, clock_wall_ms(), &asking->refusal);
	if (session && flow_session_activate(session, &asking->refusal)) return session;
	flow_session_free(session);
	return NULL;
}

static bool fail(struct asking *asking, struct flow_session *session, const char *what) {
	(void)flow_refuse(&asking->refusal, FLOW_INTERNAL, "tool_failed", "%s%.*s", what, SLICE_ARGS(text_slice(&session->summary)));
	flow_session_free(session);
	return refuse(asking);
}

static bool begin(struct asking *asking, struct flow_tool *tool, const struct flow_start *start) {
	AUTO_TEXT struct text result = {0};
	const struct guest *guest = asking->caller->guest;
	struct flow_session *session = make(asking, tool, start);
	if (!session) return refuse(asking);
	flow_tool_pass(tool, session, flow_caller_from(asking->caller));
	if (session->state == FLOW_ERROR) return fail(asking, session, "the tool failed: ");
	if (guest && guest->is_closing) return fail(asking, session, "the tool's owner is leaving");
	if (!flow_desk_add(asking->desk, session, asking->caller)) {
		(void)flow_refuse(&asking->refusal, FLOW_INTERNAL, "no_memory", "no memory: try again");
		return refuse(asking);
	}
	struct peer *peer = peer_question_peer(asking->question);
	text_init(&result, 0);
	flow_write_started(&result, session, slice_of(session->id));
	answer(asking, &result);
	if (session->state == FLOW_COMPLETED) tell(asking, peer, session);
	return true;
}

static struct flow_caller caller_of(const struct hustings_request *request) {
	struct flow_caller caller = {.id = "", .is_modern = request->caller.is_modern};
	const struct peer *peer = peer_question_peer(request->question);
	const char *id = NULL;
	guest_asker(request->question, &caller.guest, &id);
	if (id) caller.id = id;
	LIST_EACH(link, &request->hustings->services) {
		const struct service *service = CONTAINER_OF(link, struct service, link);
		if (service->peer == peer && peer) caller.host = service->number;
	}
	return caller;
}

/* It may begin, now or after it was approved (client/authorization_book.h). */
static void start_now(struct hustings_request *request, const struct scan_value *arguments) {
	char lent[1024];
	AUTO_FREE char *begins = TAKE(request->begins);
	struct scan_value params = {.text = slice_of(begins), .type = SCAN_OBJECT};
	const struct flow_caller caller = caller_of(request);
	struct flow_start start;
	struct asking asking = {
		.hustings = request->hustings,
		.desk = request->hustings->flows,
		.caller = &caller,
		.question = request->question,
		.request = request,
		.params = &params,
	};
	(void)arguments;
	flow_caller_principal(&caller, asking.principal);
	arena_init(&asking.arena, lent, sizeof lent, 0);
	struct flow_tool *tool = flow_message_start(&params, &asking.arena, &start, &asking.refusal) ? find_tool(&asking, start.tool) : NULL;
	if (tool) (void)begin(&asking, tool, &start);
	else (void)refuse(&asking);
	arena_finish(&asking.arena);
}

static bool start(struct asking *asking) {
	struct scan_value arguments = {.text = SLICE("{}"), .type = SCAN_OBJECT};
	struct flow_start start;
	struct flow_tool *tool = NULL;
	if (flow_message_start(asking->params, &asking->arena, &start, &asking->refusal)) tool = find_tool(asking, start.tool);
	if (!tool) return refuse(asking);
	if (start.initial_params.length) arguments.text = start.initial_params;
	struct hustings_request *request =
		library_request_open(asking->hustings, REQUEST_TOOL, asking->question, slice_of(tool->name));
	if (!request) return true;
	request->begins = slice_copy(asking->params->text);
	if (!request->begins) library_request_refuse(request, JSONRPC_INTERNAL_ERROR, "no memory");
	else if (authorization_book_lets(request, &arguments, start_now)) start_now(request, &arguments);
	return true;
}

/* ---- Going on ---- */

static struct flow_entry *find(struct asking *asking) {
	if (!flow_message_session(asking->params, &asking->arena, &asking->id, &asking->refusal)) return NULL;
	struct flow_entry *entry = flow_desk_find(asking->desk, asking->id, slice_of(asking->principal), &asking->refusal);
	if (!entry) return NULL;
	entry->guest = asking->caller->guest;
	entry->is_modern = asking->caller->is_modern;
	return entry;
}

/* The function may do anything, leave the room too. */
static void go_on(struct asking *asking, struct flow_entry *entry) {
	struct flow_session *session = entry->session;
	struct flow_tool *tool = flow_desk_tool(asking->desk, slice_of(session->tool));
	entry->is_busy = true;
	if (tool) flow_tool_pass(tool, session, flow_caller_from(asking->caller));
	else flow_session_fail(session, "the tool is not offered any more", clock_wall_ms());
	entry->is_busy = false;
}

static bool respond(struct asking *asking) {
	AUTO_TEXT struct text result = {0};
	struct flow_response response;
	struct prompt_verdict verdict;
	struct flow_entry *entry = find(asking);
	if (!entry) return refuse(asking);
	struct flow_session *session = entry->session;
	bool is_taken = flow_message_respond(asking->params, &asking->arena, &response, &asking->refusal) &&
		flow_session_respond(session, &response, clock_wall_ms(), &verdict, &asking->refusal);
	flow_desk_stirred(asking->desk);
	if (!is_taken) return refuse(asking);
	if (verdict.is_valid) go_on(asking, entry);
	flow_desk_stirred(asking->desk);
	struct peer *peer = peer_question_peer(asking->question);
	text_init(&result, 0);
	flow_write_response(&result, &verdict, SLICE_NONE);
	answer(asking, &result);
	tell(asking, peer, session);
	if (entry->is_doomed) flow_desk_remove(asking->desk, entry);
	return true;
}

static bool complete(struct asking *asking) {
	AUTO_TEXT struct text result = {0};
	const struct flow_entry *entry = find(asking);
	if (!entry) return refuse(asking);
	if (entry->session->state != FLOW_COMPLETED) {
		(void)flow_refuse(&asking->refusal, FLOW_INVALID_TRANSITION, NULL, "the session is %s and cannot become completed by its client",
			flow_state_word(entry->session->state));
		return refuse(asking);
	}
	text_init(&result, 0);
	flow_write_completed(&result, entry->session);
	answer(asking, &result);
	return true;
}

static bool cancel(struct asking *asking) {
	AUTO_TEXT struct text result = {0};
	struct flow_entry *entry = find(asking);
	if (!entry) return refuse(asking);
	struct slice reason = flow_message_reason(asking->params, &asking->arena);
	if (!flow_session_cancel(entry->session, reason, clock_wall_ms(), &asking->refusal)) return refuse(asking);
	flow_desk_stirred(asking->desk);
	text_init(&result, 0);
	flow_write_cancelled(&result);
	answer(asking, &result);
	return true;
}

static bool get_state(struct asking *asking) {
	AUTO_TEXT struct text result = {0};
	const struct flow_entry *entry = find(asking);
	if (!entry) return refuse(asking);
	text_init(&result, 0);
	flow_write_state(&result, entry->session, asking->id);
	answer(asking, &result);
	return true;
}

static bool capabilities(struct asking *asking) {
	AUTO_TEXT struct text result = {0};
	text_init(&result, 0);
	text_add_cstr(&result, FLOW_TOOL_CAPABILITIES);
	answer(asking, &result);
	return true;
}

/* ---- The table ---- */

static bool (*const methods[FLOW_METHODS])(struct asking *asking) = {
	[FLOW_METHOD_START] = start,
	[FLOW_METHOD_RESPOND] = respond,
	[FLOW_METHOD_COMPLETE] = complete,
	[FLOW_METHOD_CANCEL] = cancel,
	[FLOW_METHOD_GET_STATE] = get_state,
	[FLOW_METHOD_CAPABILITIES] = capabilities,
};

bool flow_tool_methods_asked(struct hustings *hustings, const struct flow_caller *caller,
	struct peer_question *question, const struct jsonrpc *request) {
	char lent[1024];
	enum flow_method method;
	struct asking asking = {
		.hustings = hustings,
		.desk = hustings->flows,
		.caller = caller,
		.question = question,
		.params = &request->params,
	};
	if (!asking.desk || !flow_method_read(request->method, &method) || !methods[method]) return false;
	asking.desk->warn = warn;
	flow_caller_principal(caller, asking.principal);
	arena_init(&asking.arena, lent, sizeof lent, 0);
	(void)methods[method](&asking);
	arena_finish(&asking.arena);
	return true;
}
