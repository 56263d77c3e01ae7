/* SPDX-License-Identifier: Apache-2.0 */
/* Mcp_hello: the facts of a server, or of the house, in the asker's era. */
#include "gateway/mcp_hello.h"

#include "gateway/mcp_find.h"
#include "gateway/mcp_news.h"
#include "gateway/mcp_result.h"
#include "kernel/flow_methods.h"
#include "kernel/governed.h"
#include "kernel/kernel.h"
#include "kernel/permissions.h"

#include <stdio.h>
#include <stdlib.h>

struct hello {
	struct mcp_stream_user user;
	struct mcp_face *face;
	struct principal *principal; /* kept */
	char target[MCP_TARGET];     /* as the session's */
	char *id;                    /* JSON text */
	bool is_modern;
	bool searches;            /* mcp_find.h */
	enum era_version version; /* legacy, as the next */
	unsigned abilities;
	struct mgp_agreed mgp;
	struct mcp_session *session; /* kept; NULL: one is to be opened */
	struct hosted_wait *wait;
};

static void release(struct hello *hello) {
	principal_drop(hello->principal);
	mcp_session_drop(hello->session);
	free(hello->id);
	free(hello);
}

static void gone(struct mcp_stream_user *user) {
	struct hello *hello = CONTAINER_OF(user, struct hello, user);
	if (hello->wait) hosted_items_cancel(hello->wait);
	release(hello);
}

static void finish(struct hello *hello, struct text *message) {
	if (text_failed(message)) {
		text_clear(message);
		jsonrpc_write_error(message, slice_of(hello->id), JSONRPC_INTERNAL_ERROR, SLICE("no memory: try again"),
			JSONRPC_PLAIN);
	}
	mcp_stream_finish(&hello->user, 200, text_slice(message));
	release(hello);
}

static void fail(struct hello *hello, const struct fault *why) {
	AUTO_TEXT struct text message = {0};
	text_init(&message, 0);
	mcp_result_write_fault(&message, slice_of(hello->id), why);
	finish(hello, &message);
}

#define HOUSE_CAPABILITIES \
	"{\"tools\":{\"listChanged\":true},\"prompts\":{\"listChanged\":true}," \
	"\"resources\":{\"listChanged\":true,\"subscribe\":true},\"completions\":{},\"logging\":{}}"
#define HOUSE_INFO "{\"name\":\"hustings\",\"version\":\"" HUSTINGS_VERSION "\"}"

static const struct hosted_facts house = {
	.capabilities = {HOUSE_CAPABILITIES, sizeof HOUSE_CAPABILITIES - 1},
	.server_info = {HOUSE_INFO, sizeof HOUSE_INFO - 1},
};

static const struct hosted_facts *facts_of(const struct hello *hello, const struct hosted *hosted) {
	if (!hello->target[0]) return &house;
	return hosted_facts(hosted,
		hosted_era_for(hosted, hello->is_modern ? HOSTED_MODERN : HOSTED_LEGACY));
}

static void write_instructions(const struct hello *hello, struct text *to, const struct hosted_facts *facts,
	const struct hosted *hosted) {
	const struct call_asker asker = mcp_asker(hello->principal, hello->mgp);
	if (!hello->searches && !facts->instructions.bytes) return;
	text_add_cstr(to, ",\"instructions\":");
	if (hello->searches)
		mcp_find_write_instructions(to, facts->instructions, hello->face, hosted, &asker);
	else text_json(to, facts->instructions);
}

/* What a server has said of MGP was said to us; its client hears what we say (MGP 2.3). */
static void write_facts(const struct hello *hello, struct text *to, const struct hosted_facts *facts) {
	const struct hosted *hosted = hosted_find(hello->face->servers, slice_of(hello->target));
	const struct governed *governed = hosted ? governed_of(hosted) : NULL;
	AUTO_TEXT struct text permissions = {0};
	text_init(&permissions, 0);
	if (governed) permissions_write_needed(&permissions, governed->permissions);
	AUTO_TEXT struct text flow = {0};
	text_init(&flow, 0);
	bool is_guided = hosted || facts == &house; /* at the face of a room nobody leads sessions */
	if (hello->face->gateway->kernel && is_guided)
		flow_methods_write_capabilities(&flow, kernel_means(hello->face->gateway->kernel), hosted);
	const struct mgp_shown shown = {
		.agreed = hello->mgp,
		.server_id = hello->target[0] ? slice_of(hello->target) : SLICE("hustings"),
		.permissions = text_slice(&permissions),
		.flow = text_slice(&flow),
		.trust = governed ? governed->policy.trust : MGP_TRUSTED,
	};
	AUTO_TEXT struct text capabilities = {0};
	text_init(&capabilities, 0);
	if (hello->searches) mcp_find_write_capabilities(&capabilities, facts->capabilities);
	text_add_cstr(to, "\"capabilities\":");
	mgp_write_capabilities(to, hello->searches ? text_slice(&capabilities) : facts->capabilities, hello->is_modern,
		&shown);
	if (text_failed(&capabilities)) to->failed = true;
	write_instructions(hello, to, facts, hosted);
}

static struct slice info_of(const struct hosted_facts *facts) {
	return facts->server_info.length ? facts->server_info
					 : SLICE("{\"name\":\"unnamed\",\"version\":\"0\"}");
}

static void discover(struct hello *hello, const struct hosted_facts *facts) {
	AUTO_TEXT struct text result = {0}, message = {0};
	text_init(&result, 0);
	text_init(&message, 0);
	text_add_cstr(&result, "{\"supportedVersions\":[\"" MCP_MODERN "\"],");
	write_facts(hello, &result, facts);
	text_add_char(&result, '}');
	mcp_result_write(&message, slice_of(hello->id), text_slice(&result), true, SLICE("server/discover"),
		info_of(facts));
	finish(hello, &message);
}

static void initialize(struct hello *hello, const struct hosted_facts *facts) {
	struct fault why;
	struct mcp_session *session = hello->session;
	if (!session)
		session = mcp_session_open(hello->face, hello->principal, slice_of(hello->target), &why);
	if (!session) {
		fail(hello, &why);
		return;
	}
	session->version = hello->version;
	session->abilities = hello->abilities;
	session->mgp = hello->mgp;
	if (!hello->session) session->searches = hello->searches; /* an old one's stands since its stream began */
	mcp_news_listen(hello->face->news);
	AUTO_TEXT struct text result = {0}, message = {0};
	char line[80];
	text_init(&result, 0);
	text_init(&message, 0);
	text_printf(&result, "{\"protocolVersion\":\"%s\",\"serverInfo\":",
		era_version_text(session->version));
	text_add(&result, info_of(facts));
	text_add_char(&result, ',');
	write_facts(hello, &result, facts);
	text_add_char(&result, '}');
	jsonrpc_write_result(&message, slice_of(hello->id), text_slice(&result));
	snprintf(line, sizeof line, "Mcp-Session-Id: %s", session->id);
	mcp_stream_header(&hello->user, line);
	finish(hello, &message);
}

static void say(struct hello *hello, const struct hosted_facts *facts) {
	if (hello->is_modern) discover(hello, facts);
	else initialize(hello, facts);
}

/* The server has listed its tools, or cannot: by then it has introduced itself. */
static void known(void *context, struct hosted_items *items, const struct fault *why) {
	struct hello *hello = context;
	const struct fault unknown = {.code = FAULT_NOT_READY, .text = "the server has not said what it is"};
	struct hosted *hosted = hosted_find(hello->face->servers, slice_of(hello->target));
	const struct hosted_facts *facts = hosted ? facts_of(hello, hosted) : NULL;
	(void)items;
	hello->wait = NULL;
	if (facts) say(hello, facts);
	else fail(hello, why ? why : &unknown);
}

/* At the face of a room: what goes through it, and no method about servers. */
static struct mgp_agreed agree(const struct hello *hello, struct slice capabilities) {
	bool is_room = strncmp(hello->target, MCP_TARGET_ROOM, strlen(MCP_TARGET_ROOM)) == 0;
	return mgp_settle(capabilities, hello->is_modern, is_room ? MGP_STREAMING | MGP_BIDIRECTIONAL : MGP_SPOKEN);
}

static bool read_wishes(struct hello *hello, const struct mcp_request *request) {
	const struct scan_value *params = &request->message.params;
	struct scan_value version, capabilities;
	hello->version = ERA_NEWEST;
	if (params->type != SCAN_OBJECT || !scan_find(params, "protocolVersion", &version) ||
		version.type != SCAN_STRING)
		return false;
	hello->version = era_settle(slice_make(version.text.bytes + 1, version.text.length - 2), ERA_NEWEST);
	if (scan_find(params, "capabilities", &capabilities) && capabilities.type == SCAN_OBJECT) {
		hello->abilities = mcp_request_abilities(capabilities.text);
		hello->mgp = agree(hello, capabilities.text);
	}
	return true;
}

static void ask(struct hello *hello, struct hosted *hosted) {
	struct fault why;
	const struct hosted_facts *facts = facts_of(hello, hosted);
	if (facts) {
		say(hello, facts);
		return;
	}
	hello->wait = hosted_items_ask(hosted, hello->is_modern ? HOSTED_MODERN : HOSTED_LEGACY,
		HOSTED_TOOLS, MCP_HELLO_MS, known, hello, &why);
	if (!hello->wait) fail(hello, &why);
}

/* NULL: answered. */
static struct hello *begin(struct mcp_face *face, struct mcp_stream *stream,
	struct principal *principal, struct slice target, struct mcp_session *session,
	const struct mcp_request *request, bool is_modern) {
	struct hello *hello = calloc(1, sizeof *hello);
	char *id = slice_copy(request->message.id.text);
	if (!hello || !id) {
		struct mcp_stream_user user = {0};
		free(hello);
		free(id);
		mcp_stream_join(stream, &user, NULL);
		mcp_stream_finish(&user, 503, SLICE("{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32603,"
						    "\"message\":\"no memory: try again\"}}"));
		return NULL;
	}
	hello->face = face;
	hello->principal = principal_keep(principal);
	hello->session = session;
	if (session) mcp_session_keep(session);
	hello->id = id;
	hello->is_modern = is_modern;
	snprintf(hello->target, sizeof hello->target, "%.*s", SLICE_ARGS(target));
	mcp_stream_join(stream, &hello->user, gone);
	if (is_modern) hello->mgp = agree(hello, request->capabilities);
	if (is_modern || read_wishes(hello, request)) return hello;
	const struct fault why = {.code = FAULT_BAD_INPUT, .text = "params.protocolVersion has to be a string"};
	fail(hello, &why);
	return NULL;
}

void mcp_hello(struct mcp_face *face, struct mcp_stream *stream, struct principal *principal,
	struct hosted *hosted, struct mcp_session *session, const struct mcp_request *request,
	bool is_modern, bool searches) {
	struct slice target = hosted ? hosted_id(hosted) : SLICE_NONE;
	struct hello *hello = begin(face, stream, principal, target, session, request, is_modern);
	if (!hello) return;
	hello->searches = searches;
	ask(hello, hosted);
}

void mcp_hello_known(struct mcp_face *face, struct mcp_stream *stream, struct principal *principal,
	struct slice target, struct mcp_session *session, const struct mcp_request *request,
	bool is_modern, const struct hosted_facts *facts) {
	struct hello *hello = begin(face, stream, principal, target, session, request, is_modern);
	if (hello) say(hello, facts);
}
