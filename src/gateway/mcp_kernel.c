/* SPDX-License-Identifier: Apache-2.0 */
/* Mcp_kernel: from a request to a method of the kernel, and back. */
#include "gateway/mcp_kernel.h"

#include "gateway/mcp_asker.h"
#include "gateway/mcp_result.h"
#include "kernel/kernel.h"
#include "kernel/mgp_method.h"
#include "mcp/mcp_reply.h"

#include <stdlib.h>

struct errand {
	struct mcp_stream_user user;
	struct mgp_ask ask;
	struct principal *principal; /* kept */
	char *id;                    /* JSON text */
	bool is_modern;
	bool is_tool; /* it came as tools/call */
};

static void errand_free(struct errand *errand) {
	principal_drop(errand->principal);
	free(errand->id);
	free(errand);
}

static void gone(struct mcp_stream_user *user) {
	struct errand *errand = CONTAINER_OF(user, struct errand, user);
	mgp_ask_cancel(&errand->ask);
	errand_free(errand);
}

static void write_result(const struct errand *errand, const struct hosted_answer *answer, struct text *to) {
	AUTO_TEXT struct text result = {0};
	text_init(&result, 0);
	if (errand->is_tool) mcp_reply_write_json(&result, answer->result);
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
	if (answer->result.bytes) write_result(errand, answer, &message);
	else {
		status = mcp_result_status(answer->code, errand->is_modern);
		jsonrpc_write_error(&message, slice_of(errand->id), answer->code, answer->message, answer->data);
	}
	if (text_failed(&message)) {
		text_clear(&message);
		jsonrpc_write_error(&message, slice_of(errand->id), JSONRPC_INTERNAL_ERROR, SLICE("no memory: try again"),
			SLICE_NONE);
	}
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
	errand->ask = (struct mgp_ask){
		.means = kernel_means(visit->face->gateway->kernel),
		.asker = mcp_asker(errand->principal, mgp),
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
	bool may_be_tool = !visit->hosted && slice_is(method, "tools/call") && request->name.bytes;
	if (visit->behind || !visit->face->gateway->kernel || (!is_method && !may_be_tool)) return false;
	struct mgp_agreed mgp = mcp_asker_mgp(visit->session, request, visit->arena);
	const struct call_asker asker = mcp_asker(visit->principal, mgp);
	const struct mgp_method *tool = is_method ? NULL : mgp_method_of_tool(request->name, &asker);
	if (!is_method && !tool) return false;
	struct errand *errand = make(visit, stream, request, mgp);
	if (!errand) return true;
	errand->is_tool = tool != NULL;
	errand->ask.params = tool ? arguments_of(request) : object_of(request->params);
	mgp_method_ask(&errand->ask, tool ? slice_of(tool->name) : method);
	return true;
}
