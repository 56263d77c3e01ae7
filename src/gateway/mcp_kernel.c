/* SPDX-License-Identifier: Apache-2.0 */
/* Mcp_kernel: from a request to a method of the kernel, and back. */
#include "gateway/mcp_kernel.h"

#include "gateway/mcp_admitted.h"
#include "gateway/mcp_asker.h"
#include "gateway/mcp_call.h"
#include "gateway/mcp_ear.h"
#include "gateway/mcp_find.h"
#include "gateway/mcp_kernel_client.h"
#include "gateway/mcp_privilege.h"
#include "gateway/mcp_result.h"
#include "kernel/kernel.h"
#include "kernel/mgp_method.h"
#include "mcp/mcp_reply.h"

#include <stdio.h>
#include <stdlib.h>

struct errand {
	struct mcp_stream_user user;
	struct mgp_ask ask;
	struct mcp_face *face;
	struct mcp_session *session; /* kept; NULL: modern, and `client` is who asks */
	struct mgp_client client;
	struct principal *principal; /* kept */
	char target[MCP_TARGET];
	uint64_t admitted_at; /* loop ms, while it is held */
	struct task over;     /* the same: nothing is left to be told */
	bool may_be_held;     /* it subscribes: its stream stays open behind the answer */
	bool is_held;
	char *id; /* JSON text */
	bool is_modern;
	bool is_tool; /* it came as tools/call */
	bool finds;   /* the same, for a model: mcp_find.h */
};

static void errand_free(struct errand *errand) {
	mgp_client_end(&errand->client);
	task_clear(&errand->over);
	mcp_session_drop(errand->session);
	principal_drop(errand->principal);
	free(errand->id);
	free(errand);
}

static void gone(struct mcp_stream_user *user) {
	struct errand *errand = CONTAINER_OF(user, struct errand, user);
	mgp_ask_cancel(&errand->ask);
	errand_free(errand);
}

/* ---- A modern request as the kernel's client ---- */

static struct errand *errand_of(struct mgp_client *client) { return CONTAINER_OF(client, struct errand, client); }

static void end_held(struct task *task) {
	struct errand *errand = CONTAINER_OF(task, struct errand, over);
	mcp_stream_finish(&errand->user, 200, SLICE_NONE);
	errand_free(errand);
}

/* Later: whoever is told may be among others. */
static void end_later(struct errand *errand) {
	if (errand->is_held) loop_later(errand->face->gateway->loop, &errand->over, end_held);
}

static void is_free(struct mgp_client *client) { end_later(errand_of(client)); }

static bool tell(struct mgp_client *client, const char *method, const struct scan_value *params) {
	struct errand *errand = errand_of(client);
	AUTO_TEXT struct text message = {0};
	if (!errand->is_held) return false;
	if (!mcp_is_admitted(errand->face->gateway, errand->principal, &errand->admitted_at)) {
		end_later(errand);
		return false;
	}
	text_init(&message, 0);
	jsonrpc_write_notification(&message, slice_of(method), params->text);
	return !text_failed(&message) && mcp_stream_say(&errand->user, text_slice(&message), true);
}

static struct hosted_ask *find(struct mgp_client *client, struct slice id) {
	const struct errand *errand = errand_of(client);
	return mcp_call_find(errand->face, NULL, errand->principal, slice_of(errand->target), id);
}

static void list_changed(struct mgp_client *client) {
	const struct errand *errand = errand_of(client);
	mcp_ear_tell_tools_changed(errand->face, errand->principal->id, slice_of(errand->target));
}

static void write_call_name(struct mgp_client *client, struct text *to, struct slice server, struct slice tool) {
	mcp_kernel_client_write_name(to, slice_of(errand_of(client)->target), server, tool);
}

static bool find_tool(struct mgp_client *client, struct slice name, struct arena *arena, struct hosted **hosted,
	struct slice *tool) {
	const struct errand *errand = errand_of(client);
	(void)arena;
	return mcp_kernel_client_find_tool(errand->face, errand->principal, slice_of(errand->target), true, name, hosted, tool);
}

static bool may_call(struct mgp_client *client, struct hosted *hosted, struct fault *why) {
	const struct errand *errand = errand_of(client);
	return mcp_privilege_allows(errand->face->privileges, errand->principal, hosted_id(hosted), why);
}

static const struct mgp_client_face modern = {
	.tell = tell,
	.find = find,
	.list_changed = list_changed,
	.write_call_name = write_call_name,
	.find_tool = find_tool,
	.may_call = may_call,
	.is_free = is_free,
};

/* The answer is the first event of a stream that stays open (docs/protocol.md). False: nothing was said. */
static bool hold(struct errand *errand, struct slice message) {
	if (!errand->may_be_held || list_is_empty(&errand->client.ties) || !mcp_stream_events(&errand->user)) return false;
	errand->is_held = true;
	errand->admitted_at = loop_now(errand->face->gateway->loop);
	(void)mcp_stream_say(&errand->user, message, false);
	mcp_stream_only_listens(&errand->user);
	return true;
}

/* ---- The answer ---- */

static void write_result(const struct errand *errand, const struct hosted_answer *answer, struct text *to) {
	AUTO_TEXT struct text result = {0};
	text_init(&result, 0);
	if (errand->finds) mcp_find_write_result(&result, answer);
	else if (errand->is_tool) mcp_reply_write_json(&result, answer->result);
	else text_add(&result, answer->result);
	if (text_failed(&result)) to->failed = true;
	else
		mcp_result_write(to, slice_of(errand->id), text_slice(&result), errand->is_modern,
			errand->is_tool ? SLICE("tools/call") : SLICE("mgp"), SLICE_NONE);
}

static void answered(struct mgp_ask *ask, const struct hosted_answer *answer) {
	struct errand *errand = CONTAINER_OF(ask, struct errand, ask);
	AUTO_TEXT struct text message = {0};
	unsigned status = 200;
	text_init(&message, 0);
	bool is_for_model = errand->finds && !ask->asker.mgp.is_active; /* even what is refused */
	if (answer->result.bytes || is_for_model) write_result(errand, answer, &message);
	else {
		status = mcp_result_status(answer->code, errand->is_modern);
		jsonrpc_write_error(&message, slice_of(errand->id), answer->code, answer->message, answer->data);
	}
	if (text_failed(&message)) {
		text_clear(&message);
		jsonrpc_write_error(&message, slice_of(errand->id), JSONRPC_INTERNAL_ERROR, SLICE("no memory: try again"),
			JSONRPC_PLAIN);
	}
	if (answer->result.bytes && hold(errand, text_slice(&message))) return;
	mcp_stream_finish(&errand->user, status, text_slice(&message));
	errand_free(errand);
}

static struct errand *make(const struct mcp_visit *visit, struct mcp_stream *stream,
	const struct mcp_request *request, struct mgp_agreed mgp) {
	struct errand *errand = calloc(1, sizeof *errand);
	char *id = slice_copy(request->message.id.text);
	if (!errand || !id) {
		struct mcp_stream_user user = {0};
		free(errand);
		free(id);
		mcp_stream_join(stream, &user, NULL);
		mcp_stream_finish(&user, 503, SLICE("{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32603,"
						    "\"message\":\"no memory: try again\"}}"));
		return NULL;
	}
	errand->id = id;
	errand->is_modern = visit->is_modern;
	errand->principal = principal_keep(visit->principal);
	errand->face = visit->face;
	snprintf(errand->target, sizeof errand->target, "%.*s", SLICE_ARGS(visit->target));
	if (visit->session) mcp_session_keep(errand->session = visit->session);
	else mgp_client_begin(&errand->client, &modern, errand->principal->id, SLICE_NONE);
	errand->ask = (struct mgp_ask){
		.means = kernel_means(visit->face->gateway->kernel),
		.asker = mcp_asker_in(errand->principal, visit->session ? slice_of(visit->session->id) : SLICE_NONE, mgp),
		.client = visit->session ? mcp_kernel_client(visit->session) : &errand->client,
		.hosted = visit->hosted,
		.arena = visit->arena,
		.answered = answered,
	};
	mcp_stream_join(stream, &errand->user, gone);
	return errand;
}

static struct scan_value object_of(struct slice text) {
	return (struct scan_value){.text = text, .type = text.length ? SCAN_OBJECT : SCAN_NONE};
}

/* A tool's arguments are the method's params. */
static struct scan_value arguments_of(const struct mcp_request *request) {
	const struct scan_value params = object_of(request->params);
	struct scan_value arguments;
	if (!params.text.length || !scan_find(&params, "arguments", &arguments) || arguments.type != SCAN_OBJECT)
		return (struct scan_value){.type = SCAN_NONE};
	return arguments;
}

bool mcp_kernel_ask(const struct mcp_visit *visit, struct mcp_stream *stream,
	const struct mcp_request *request) {
	struct slice method = request->message.method;
	bool is_method = mgp_method_is(method);
	bool finds = mcp_dispatch_searches(visit) && mcp_find_is_meant(request);
	bool may_be_tool = finds || (!visit->hosted && slice_is(method, "tools/call") && request->name.bytes);
	if (visit->behind || !visit->face->gateway->kernel || (!is_method && !may_be_tool)) return false;
	struct mgp_agreed mgp = mcp_asker_mgp(visit->session, request, visit->arena);
	if (finds) mgp.extensions |= MGP_TOOL_DISCOVERY;
	const struct call_asker asker = mcp_asker(visit->principal, mgp);
	const struct mgp_method *tool = is_method ? NULL : mgp_method_of_tool(request->name, &asker);
	if (!is_method && !tool) return false;
	struct errand *errand = make(visit, stream, request, mgp);
	if (!errand) return true;
	errand->is_tool = tool != NULL;
	errand->may_be_held = !visit->session && slice_is(method, "mgp/events/subscribe");
	errand->finds = finds;
	errand->ask.params = tool ? arguments_of(request) : object_of(request->params);
	mgp_method_ask(&errand->ask, tool ? slice_of(tool->name) : method);
	return true;
}
