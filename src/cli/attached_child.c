/* SPDX-License-Identifier: Apache-2.0 */
/* Attached child: lines of a process, read as one side of a JSON-RPC conversation. */
#include "cli/attached_child.h"

#include "mcp/era.h"
#include "net/child.h"

#include <stdlib.h>

#define SCRATCH 4096

struct attached_child {
	struct loop *loop;
	const struct attached_child_events *events;
	void *context;
	struct child *child;
	struct peer *peer;
	struct text facts;
	bool is_ready;
	struct fault why; /* a failed handshake: the true reason of its end */
};

/* ---- The conversation ---- */

static bool send_line(void *context, struct slice message, struct slice about, char *sent,
	struct fault *why) {
	struct attached_child *child = context;
	(void)about;
	(void)sent;
	return child_write(child->child, message, why);
}

/* It was told that we offer nothing, so there is nothing to ask but whether we live. */
static void asked(void *context, struct peer_question *question, const struct jsonrpc *request) {
	(void)context;
	if (slice_is(request->method, "ping")) peer_answer(question, SLICE("{}"));
	else peer_refuse(question, JSONRPC_METHOD_NOT_FOUND, SLICE("this client offers nothing"), JSONRPC_PLAIN);
}

static void told(void *context, const struct jsonrpc *notification) {
	struct attached_child *child = context;
	if (child->is_ready) child->events->told(child->context, notification);
}

static const struct peer_events peer_table = {.send = send_line, .asked = asked, .told = told};

/* ---- The handshake (MCP lifecycle) ---- */

static void fail(struct attached_child *child, const char *what) {
	fault_before(&child->why, "%s: ", what);
	child_stop(child->child, 0);
}

static void introduced(void *context, const struct peer_reply *reply, const struct fault *why) {
	struct attached_child *child = context;
	if (why) {
		if (why->code != FAULT_TIMEOUT) return; /* it has ended, which is told by itself */
		child->why = *why;
		fail(child, "does not answer initialize");
		return;
	}
	if (!reply->result.bytes) {
		char words[160];
		text_display_in(words, sizeof words, reply->message);
		fault_set(&child->why, FAULT_REFUSED, "%s", words);
		fail(child, "refuses initialize");
		return;
	}
	text_add(&child->facts, reply->result);
	if (text_failed(&child->facts) ||
		!peer_tell(child->peer, SLICE("notifications/initialized"), SLICE_NONE, &child->why)) {
		fail(child, "fails initialize");
		return;
	}
	child->is_ready = true;
	child->events->ready(child->context);
}

static bool introduce(struct attached_child *child, struct fault *why) {
	AUTO_TEXT struct text params = {0};
	text_init(&params, 0);
	text_printf(&params,
		"{\"protocolVersion\":\"%s\",\"capabilities\":{},"
		"\"clientInfo\":{\"name\":\"hustings-attach\",\"version\":\"%s\"}}",
		era_version_text(ERA_ROOMS), HUSTINGS_VERSION);
	if (text_failed(&params)) return fault_set(why, FAULT_NO_MEMORY, "no memory for a handshake");
	const struct peer_request request = {
		.method = SLICE("initialize"),
		.params = text_slice(&params),
		.deadline_ms = ATTACHED_START_MS,
		.answered = introduced,
		.context = child,
	};
	return peer_ask(child->peer, &request, why) != NULL;
}

/* ---- The process ---- */

static void line_came(void *context, struct slice line) {
	struct attached_child *child = context;
	char lent[SCRATCH];
	struct arena arena;
	struct jsonrpc message;
	int64_t code;
	arena_init(&arena, lent, sizeof lent, 0);
	if (jsonrpc_read(&message, line, &arena, &code, NULL))
		peer_take(child->peer, &message, SLICE_NONE, SLICE_NONE);
	else if (slice_trim(line).length)
		child->events->said(child->context, line); /* some servers greet people on stdout */
	arena_finish(&arena);
}

static void error_line_came(void *context, struct slice line) {
	struct attached_child *child = context;
	child->events->said(child->context, line);
}

static void ended(void *context, int status, const struct fault *why) {
	struct attached_child *child = context;
	struct fault own = child->why.code ? child->why : *why;
	(void)status;
	child->is_ready = false;
	peer_close(TAKE(child->peer), &own);
	child->events->ended(child->context, &own);
}

struct attached_child *attached_child_open(struct loop *loop, const char *const *arguments,
	const char *const *environment, const struct attached_child_events *events, void *context,
	struct fault *why) {
	static const struct child_events child_table = {
		.line = line_came,
		.error_line = error_line_came,
		.ended = ended,
	};
	struct attached_child *child = calloc(1, sizeof *child);
	if (!child) return fault_null(why, FAULT_NO_MEMORY, "no memory for a child");
	child->loop = loop;
	child->events = events;
	child->context = context;
	text_init(&child->facts, 0);
	const struct child_options options = {
		.arguments = arguments,
		.environment = environment,
		.sandbox = CHILD_CONTAINED,
	};
	child->peer = peer_open(loop, &peer_table, child, why);
	if (child->peer) child->child = child_open(loop, &options, &child_table, child, why);
	if (child->child && introduce(child, why)) return child;
	attached_child_close(child);
	return NULL;
}

void attached_child_close(struct attached_child *child) {
	if (!child) return;
	struct fault why;
	fault_set(&why, FAULT_CLOSED, "the server was ended");
	child_close(TAKE(child->child));
	peer_close(TAKE(child->peer), &why);
	text_finish(&child->facts);
	free(child);
}

void attached_child_stop(struct attached_child *child, uint64_t patience_ms) {
	child_stop(child->child, patience_ms);
}

bool attached_child_is_ready(const struct attached_child *child) { return child->is_ready; }
struct slice attached_child_facts(const struct attached_child *child) {
	return text_slice(&child->facts);
}

struct peer_call *attached_child_ask(struct attached_child *child,
	const struct peer_request *request, struct fault *why) {
	if (!child->is_ready) return fault_null(why, FAULT_NOT_READY, "the server is not running");
	return peer_ask(child->peer, request, why);
}
