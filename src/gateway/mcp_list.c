/* SPDX-License-Identifier: Apache-2.0 */
/* Mcp_list: asked of each, put together when the last has answered. */
#include "gateway/mcp_list.h"

#include "gateway/mcp_find.h"
#include "gateway/mcp_names.h"
#include "gateway/mcp_result.h"
#include "kernel/mgp_method.h"

#include <stdio.h>
#include <stdlib.h>

#define LIST_OCTETS ((size_t)64 << 20) /* of one answer, about */

struct gather;

struct part {
	struct gather *gather;
	struct hosted_wait *wait;
	struct hosted_items *items; /* kept; NULL: it has none, or could not say */
	struct fault why;
	char server[HOSTED_ID + 1];
};

struct gather {
	struct mcp_stream_user user;
	struct mcp_face *face;
	struct principal *principal; /* kept */
	char session[IDENT_UUID_SIZE];
	struct mgp_agreed mgp;
	enum hosted_kind kind;
	bool is_modern;
	bool is_of_all;
	bool searches;
	char *id; /* JSON text */
	size_t pending;
	size_t count;
	struct part parts[];
};

bool mcp_list_kind(struct slice method, enum hosted_kind *kind) {
	for (int i = 0; i < HOSTED_KINDS; i++) {
		if (!slice_is(method, hosted_kind_method((enum hosted_kind)i))) continue;
		*kind = (enum hosted_kind)i;
		return true;
	}
	return false;
}

static void release(struct gather *gather) {
	for (size_t i = 0; i < gather->count; i++) {
		if (gather->parts[i].wait) hosted_items_cancel(gather->parts[i].wait);
		hosted_items_drop(gather->parts[i].items);
	}
	principal_drop(gather->principal);
	free(gather->id);
	free(gather);
}

static void gone(struct mcp_stream_user *user) { release(CONTAINER_OF(user, struct gather, user)); }

/* The definition with the name that it has on this face; everything else octet for octet. */
static void write_renamed(struct text *to, const struct hosted_item *item, const char *server) {
	const struct scan_value definition = {.text = item->definition, .type = SCAN_OBJECT};
	char name[MCP_NAME + 1];
	if (!mcp_name_write(name, slice_of(server), item->key)) to->failed = true;
	else mcp_name_replace(to, &definition, slice_of(name));
}

/* A list of tools at a search face: its two are there, whatever the servers say. */
static bool finds(const struct gather *gather) { return gather->searches && gather->kind == HOSTED_TOOLS; }

static struct call_asker asker_of(const struct gather *gather) {
	struct call_asker asker = mcp_asker(gather->principal, gather->mgp);
	asker.session = slice_of(gather->session);
	return asker;
}

static bool is_shown(const struct gather *gather, struct hosted *hosted, const struct tool *tool) {
	const struct call_asker asker = asker_of(gather);
	return mcp_asker_may_see(&asker, hosted, tool) &&
		(!gather->searches || mcp_find_is_listed(&asker, hosted, tool));
}

/* A governed server's tools are those that the kernel knows, which may be newer than the list that came:
 * pinned, and each shown to who may use it. */
static void write_tools(const struct gather *gather, struct hosted *hosted, const char **before,
	struct text *to) {
	const struct governed *governed = governed_of(hosted);
	enum hosted_era era = hosted_era_for(hosted, gather->is_modern ? HOSTED_MODERN : HOSTED_LEGACY);
	bool has_security = (gather->mgp.extensions & MGP_SECURITY) != 0;
	char name[MCP_NAME + 1] = "";
	const struct tool *tool;
	for (size_t at = 0; (tool = tools_at(governed->tools[era], at)); at++) {
		if (!is_shown(gather, hosted, tool)) continue;
		if (gather->is_of_all && !mcp_name_write(name, hosted_id(hosted), tool->name)) {
			to->failed = true;
			return;
		}
		text_add_cstr(to, *before);
		*before = ",";
		tools_write(to, tool, slice_of(name), has_security);
	}
}

/* The kernel's own, for who speaks MGP; and the two of a search face, once. */
static void write_kernel_tools(const struct gather *gather, const char **before, struct text *to) {
	const struct call_asker asker = asker_of(gather);
	const struct mgp_method *method;
	if (gather->searches) mcp_find_write_tools(to, before);
	for (size_t at = 0; gather->is_of_all && (method = mgp_method_at(at)); at++) {
		if (!mgp_method_of_tool(slice_of(method->tool), &asker)) continue;
		if (gather->searches && mcp_find_is_tool(method)) continue;
		text_add_cstr(to, *before);
		*before = ",";
		mgp_method_write_tool(to, method);
	}
}

static size_t octets_of(const struct part *part) {
	size_t octets = 0;
	for (size_t at = 0; part->items && at < hosted_items_count(part->items); at++)
		octets += hosted_items_at(part->items, at)->definition.length + MCP_NAME;
	return octets;
}

/* A uri names one resource: the server that reading it reaches comes first (mcp_aggregate.h). */
static bool is_listed(const struct gather *gather, size_t parts, struct slice key) {
	if (!gather->is_of_all || gather->kind != HOSTED_RESOURCES) return false;
	for (size_t i = 0; i < parts; i++)
		if (gather->parts[i].items && hosted_items_find(gather->parts[i].items, key)) return true;
	return false;
}

static void write_items(const struct gather *gather, struct text *to) {
	bool is_renamed = gather->is_of_all && (gather->kind == HOSTED_TOOLS || gather->kind == HOSTED_PROMPTS);
	const char *before = "";
	for (size_t i = 0; i < gather->count; i++) {
		const struct part *part = &gather->parts[i];
		if (to->length + octets_of(part) > LIST_OCTETS) continue; /* the others stay whole */
		struct hosted *hosted = hosted_find(gather->face->servers, slice_of(part->server));
		if (gather->kind == HOSTED_TOOLS && part->items && hosted && governed_of(hosted)) {
			write_tools(gather, hosted, &before, to);
			continue;
		}
		for (size_t at = 0; part->items && at < hosted_items_count(part->items); at++) {
			const struct hosted_item *item = hosted_items_at(part->items, at);
			if (is_listed(gather, i, item->key)) continue;
			text_add_cstr(to, before);
			before = ",";
			if (is_renamed) write_renamed(to, item, part->server);
			else text_add(to, item->definition);
		}
	}
	if (gather->kind == HOSTED_TOOLS) write_kernel_tools(gather, &before, to);
}

/* Where somebody may see what others may not, no list is everybody's. */
static bool is_private(const struct gather *gather) {
	if (finds(gather)) return true;
	for (struct hosted *one = NULL; (one = hosted_next(gather->face->servers, one));)
		if (governed_of(one) && governed_of(one)->policy.access != ACCESS_OPT_OUT) return true;
	return false;
}

/* What all of the servers allow; of one that did not say, nothing. */
static void write_life(const struct gather *gather, struct text *to) {
	uint64_t now = loop_now(gather->face->gateway->loop), ttl = UINT64_MAX;
	bool is_public = !is_private(gather);
	if (!gather->is_modern) return;
	for (size_t i = 0; i < gather->count; i++) {
		const struct hosted_items *items = gather->parts[i].items;
		uint64_t one = items ? hosted_items_ttl_ms(items, now) : 0;
		if (one < ttl) ttl = one;
		is_public = is_public && items && hosted_items_are_public(items);
	}
	text_printf(to, ",\"ttlMs\":%llu,\"cacheScope\":\"%s\"",
		gather->count ? (unsigned long long)ttl : 0, gather->count && is_public ? "public" : "private");
}

static struct slice server_info(const struct gather *gather) {
	const struct hosted *hosted = gather->is_of_all || gather->count == 0
		? NULL
		: hosted_find(gather->face->servers, slice_of(gather->parts[0].server));
	const struct hosted_facts *facts =
		hosted ? hosted_facts(hosted, hosted_era_for(hosted, HOSTED_MODERN)) : NULL;
	return facts ? facts->server_info : SLICE_NONE;
}

static void finish(struct gather *gather) {
	AUTO_TEXT struct text result = {0}, message = {0};
	struct slice id = slice_of(gather->id);
	text_init(&result, 0);
	text_init(&message, 0);
	text_printf(&result, "{\"%s\":[", hosted_kind_member(gather->kind));
	write_items(gather, &result);
	text_add_char(&result, ']');
	write_life(gather, &result);
	text_add_char(&result, '}');
	if (!gather->is_of_all && !finds(gather) && gather->count && !gather->parts[0].items && gather->parts[0].why.code)
		mcp_result_write_fault(&message, id, &gather->parts[0].why);
	else if (!text_failed(&result))
		mcp_result_write(&message, id, text_slice(&result), gather->is_modern,
			slice_of(hosted_kind_method(gather->kind)), server_info(gather));
	if (text_failed(&result) || text_failed(&message)) {
		text_clear(&message);
		jsonrpc_write_error(&message, id, JSONRPC_INTERNAL_ERROR, SLICE("no memory for the list: try again"),
			JSONRPC_PLAIN);
	}
	mcp_stream_finish(&gather->user, 200, text_slice(&message));
	release(gather);
}

static void listed(void *context, struct hosted_items *items, const struct fault *why) {
	struct part *part = context;
	part->wait = NULL;
	if (items) part->items = hosted_items_keep(items);
	else if (why) part->why = *why;
	if (--part->gather->pending == 0) finish(part->gather);
}

static void ask(struct gather *gather, struct hosted *hosted) {
	struct part *part = &gather->parts[gather->count++];
	part->gather = gather;
	snprintf(part->server, sizeof part->server, "%.*s", SLICE_ARGS(hosted_id(hosted)));
	part->wait = hosted_items_ask(hosted, gather->is_modern ? HOSTED_MODERN : HOSTED_LEGACY,
		gather->kind, gather->is_of_all ? MCP_LIST_MS : 0, listed, part, &part->why);
	if (part->wait) gather->pending++;
}

static const char *capability(enum hosted_kind kind) {
	return kind == HOSTED_TOOLS ? "tools" : kind == HOSTED_PROMPTS ? "prompts"
								       : "resources";
}

/* One server that is known not to have such a list has no such method. */
static bool is_missing(const struct gather *gather, const struct hosted *hosted) {
	enum hosted_era era = hosted_era_for(hosted, gather->is_modern ? HOSTED_MODERN : HOSTED_LEGACY);
	return hosted_is_known(hosted) && hosted_facts(hosted, era) &&
		!hosted_offers(hosted, era, capability(gather->kind), NULL);
}

static void refuse(struct gather *gather, int64_t code, struct slice words) {
	AUTO_TEXT struct text message = {0};
	text_init(&message, 0);
	jsonrpc_write_error(&message, gather->id ? slice_of(gather->id) : SLICE_NONE, code, words, JSONRPC_PLAIN);
	mcp_stream_finish(&gather->user, mcp_result_status(code, gather->is_modern), text_slice(&message));
	release(gather);
}

void mcp_list(const struct mcp_list_wish *wish, struct mcp_stream *stream) {
	const struct call_asker asker = mcp_asker(wish->principal, wish->mgp);
	struct hosted_servers *servers = wish->face->servers;
	struct hosted *hosted = wish->hosted;
	size_t most = hosted ? 1 : hosted_count(servers);
	struct gather *gather = calloc(1, sizeof *gather + most * sizeof gather->parts[0]);
	if (!gather) {
		struct mcp_stream_user user = {0};
		mcp_stream_join(stream, &user, NULL);
		mcp_stream_finish(&user, 503, SLICE("{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32603,"
						    "\"message\":\"no memory: try again\"}}"));
		return;
	}
	gather->face = wish->face;
	gather->principal = principal_keep(wish->principal);
	snprintf(gather->session, sizeof gather->session, "%.*s", SLICE_ARGS(wish->session));
	gather->mgp = wish->mgp;
	gather->is_modern = wish->is_modern;
	gather->is_of_all = !hosted;
	gather->searches = wish->searches;
	mcp_stream_join(stream, &gather->user, gone);
	gather->id = slice_copy(wish->request->message.id.text);
	if (!gather->id || !mcp_list_kind(wish->request->message.method, &gather->kind)) {
		refuse(gather, JSONRPC_INTERNAL_ERROR, SLICE("no memory for the list: try again"));
		return;
	}
	if (hosted && !finds(gather) && is_missing(gather, hosted)) {
		refuse(gather, JSONRPC_METHOD_NOT_FOUND, SLICE("the server has no such list"));
		return;
	}
	/* Whose access ended has its session still, and in it an empty list. */
	bool is_of_tools = gather->kind == HOSTED_TOOLS;
	if (hosted && (is_of_tools || mcp_asker_may_use_all(&asker, hosted))) ask(gather, hosted);
	for (struct hosted *one = NULL; !hosted && (one = hosted_next(servers, one));)
		if (is_of_tools ? mcp_asker_may_use(&asker, one) : mcp_asker_may_use_all(&asker, one)) ask(gather, one);
	if (gather->pending == 0) finish(gather);
}
