/* SPDX-License-Identifier: Apache-2.0 */
/* Mcp_aggregate: names taken apart, uris looked up in what is known. */
#include "gateway/mcp_aggregate.h"

#include "gateway/mcp_names.h"

struct search {
	struct mcp_face *face;
	const struct call_asker *asker;
	enum hosted_era era;
	struct arena *arena;
};

static bool is_shown(const struct search *search, struct hosted *hosted, enum hosted_kind kind) {
	return kind == HOSTED_TOOLS || mcp_asker_may_use_all(search->asker, hosted);
}

/* An item of that server whose name on this face is `name`; only hashed names are compared one by
 * one. */
static bool find_hashed(const struct search *search, struct hosted *hosted, enum hosted_kind kind,
	struct slice name, struct slice *item) {
	struct hosted_items *items = hosted_items_known(hosted, search->era, kind);
	char known[MCP_NAME + 1];
	for (size_t i = 0; items && i < hosted_items_count(items); i++) {
		struct slice key = hosted_items_at(items, i)->key, plain;
		if (!mcp_name_write(known, hosted_id(hosted), key) || !slice_is(name, known)) continue;
		if (mcp_name_is_plain(name, hosted_id(hosted), &plain)) continue;
		*item = key;
		return true;
	}
	return false;
}

static struct hosted *find_named(const struct search *search, enum hosted_kind kind, struct slice name,
	struct slice *item) {
	struct hosted *one = NULL;
	while ((one = hosted_next(search->face->servers, one)))
		if (is_shown(search, one, kind) && mcp_name_is_plain(name, hosted_id(one), item)) return one;
	while ((one = hosted_next(search->face->servers, one)))
		if (is_shown(search, one, kind) && find_hashed(search, one, kind, name, item)) return one;
	return NULL;
}

/* A template may stand for a uri that begins with everything before its first variable. */
static bool has_template(struct hosted_items *items, struct slice uri) {
	for (size_t i = 0; items && i < hosted_items_count(items); i++) {
		struct slice key = hosted_items_at(items, i)->key;
		const char *brace = memchr(key.bytes, '{', key.length);
		size_t length = brace ? (size_t)(brace - key.bytes) : key.length;
		if (uri.length >= length && memcmp(uri.bytes, key.bytes, length) == 0) return true;
	}
	return false;
}

static struct hosted *find_resource(const struct search *search, struct slice uri) {
	struct hosted *one = NULL;
	while ((one = hosted_next(search->face->servers, one))) {
		struct hosted_items *items = hosted_items_known(one, search->era, HOSTED_RESOURCES);
		if (items && hosted_items_find(items, uri) && is_shown(search, one, HOSTED_RESOURCES)) return one;
	}
	while ((one = hosted_next(search->face->servers, one)))
		if (has_template(hosted_items_known(one, search->era, HOSTED_TEMPLATES), uri) &&
			is_shown(search, one, HOSTED_TEMPLATES))
			return one;
	return NULL;
}

static bool keep(const struct search *search, const struct text *text, struct slice *params,
	struct fault *why) {
	if (!text_failed(text) && arena_copy(search->arena, text_slice(text), params)) return true;
	return fault_set(why, FAULT_NO_MEMORY, "no memory for the request: try again");
}

static struct hosted *named(const struct search *search, const struct mcp_request *request,
	enum hosted_kind kind, struct slice *params, struct fault *why) {
	const struct scan_value object = {.text = request->params, .type = SCAN_OBJECT};
	AUTO_TEXT struct text text = {0};
	struct slice item;
	text_init(&text, 0);
	struct hosted *hosted =
		request->name.bytes ? find_named(search, kind, request->name, &item) : NULL;
	if (!hosted)
		return fault_null(why, request->name.bytes ? FAULT_NOT_FOUND : FAULT_BAD_INPUT,
			"params.name: there is no such name here: %s says what there is", hosted_kind_method(kind));
	mcp_name_replace(&text, &object, item);
	return keep(search, &text, params, why) ? hosted : NULL;
}

/* completion/complete: params.ref is {type: ref/prompt, name} or {type: ref/resource, uri}. */
static struct hosted *completed(const struct search *search, const struct mcp_request *request,
	struct slice *params, struct fault *why) {
	const struct scan_value object = {.text = request->params, .type = SCAN_OBJECT};
	AUTO_TEXT struct text text = {0};
	struct scan_value ref, value;
	struct slice name, item;
	struct scan_walk walk;
	struct scan_member member;
	text_init(&text, 0);
	if (!request->params.bytes || !scan_find(&object, "ref", &ref) || ref.type != SCAN_OBJECT)
		return fault_null(why, FAULT_BAD_INPUT, "params.ref has to be an object");
	if (scan_find(&ref, "uri", &value) && scan_string(&value, search->arena, &name)) {
		*params = request->params;
		struct hosted *hosted = find_resource(search, name);
		return hosted ? hosted : fault_null(why, FAULT_NOT_FOUND, "params.ref.uri: no server knows it");
	}
	struct hosted *hosted = NULL;
	if (scan_find(&ref, "name", &value) && scan_string(&value, search->arena, &name))
		hosted = find_named(search, HOSTED_PROMPTS, name, &item);
	if (!hosted) return fault_null(why, FAULT_NOT_FOUND, "params.ref.name: no server knows it");
	const char *before = "{";
	for (scan_open(&walk, &object); scan_next(&walk, &member);) {
		text_printf(&text, "%s\"%.*s\":", before, SLICE_ARGS(member.key));
		if (scan_key_is(&member, "ref")) mcp_name_replace(&text, &ref, item);
		else text_add(&text, member.value.text);
		before = ",";
	}
	text_add_char(&text, '}');
	return keep(search, &text, params, why) ? hosted : NULL;
}

struct hosted *mcp_aggregate_tool(struct mcp_face *face, const struct call_asker *asker, struct slice name,
	bool is_modern, struct slice *tool) {
	const struct search search = {face, asker, is_modern ? HOSTED_MODERN : HOSTED_LEGACY, NULL};
	return find_named(&search, HOSTED_TOOLS, name, tool);
}

struct hosted *mcp_aggregate_find(struct mcp_face *face, const struct call_asker *asker,
	const struct mcp_request *request, bool is_modern, struct arena *arena, struct slice *params,
	struct fault *why) {
	const struct search search = {face, asker, is_modern ? HOSTED_MODERN : HOSTED_LEGACY, arena};
	struct slice method = request->message.method;
	if (slice_is(method, "tools/call")) return named(&search, request, HOSTED_TOOLS, params, why);
	if (slice_is(method, "prompts/get")) return named(&search, request, HOSTED_PROMPTS, params, why);
	if (slice_is(method, "completion/complete")) return completed(&search, request, params, why);
	if (slice_starts_with(method, "resources/") && request->name.bytes) {
		struct hosted *hosted = find_resource(&search, request->name);
		*params = request->params;
		return hosted ? hosted : fault_null(why, FAULT_NOT_FOUND, "params.uri: no server knows it");
	}
	return fault_null(why, FAULT_UNSUPPORTED, "there is no such method here");
}

struct hosted *mcp_aggregate_resource(struct mcp_face *face, const struct call_asker *asker,
	struct slice uri, bool is_modern) {
	const struct search search = {face, asker, is_modern ? HOSTED_MODERN : HOSTED_LEGACY, NULL};
	return find_resource(&search, uri);
}
