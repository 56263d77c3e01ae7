/* SPDX-License-Identifier: Apache-2.0 */
/* Mcp_modern: params are spliced, never rebuilt: whatever we do not know passes as it stands. */
#include "mcp/mcp_modern.h"

static bool is_among(const struct scan_member *member, const char *const *names) {
	for (; *names; names++)
		if (scan_key_is(member, *names)) return true;
	return false;
}

/* The members of that object but the named ones, each behind a comma. */
static void add_others(struct text *to, const struct scan_value *object,
	const char *const *but) {
	struct scan_walk walk;
	struct scan_member member;
	if (object->type != SCAN_OBJECT) return;
	for (scan_open(&walk, object); scan_next(&walk, &member);) {
		if (is_among(&member, but)) continue;
		text_add_cstr(to, ",\"");
		text_add(to, member.key);
		text_add_cstr(to, "\":");
		text_add(to, member.value.text);
	}
}

static struct scan_value object_of(struct slice params) {
	return (struct scan_value){.text = params, .type = params.length ? SCAN_OBJECT : SCAN_NONE};
}

static void add_meta(struct text *to, const struct mcp_modern_meta *meta) {
	text_add_cstr(to, "\"" MCP_MODERN_PREFIX "protocolVersion\":");
	text_json(to, meta->version.length ? meta->version : SLICE(MCP_MODERN_VERSION));
	text_add_cstr(to, ",\"" MCP_MODERN_PREFIX "clientCapabilities\":");
	text_add(to, meta->capabilities.length ? meta->capabilities : SLICE("{}"));
	if (meta->client_info.length) {
		text_add_cstr(to, ",\"" MCP_MODERN_PREFIX "clientInfo\":");
		text_add(to, meta->client_info);
	}
	if (meta->log_level.length) {
		text_add_cstr(to, ",\"" MCP_MODERN_PREFIX "logLevel\":");
		text_json(to, meta->log_level);
	}
}

void mcp_modern_write_params(struct text *to, struct slice params,
	const struct mcp_modern_meta *meta) {
	static const char *const ours[] = {MCP_MODERN_PREFIX "protocolVersion",
		MCP_MODERN_PREFIX "clientCapabilities", MCP_MODERN_PREFIX "clientInfo",
		MCP_MODERN_PREFIX "logLevel", NULL};
	static const char *const outer[] = {"_meta", NULL};
	struct scan_value root = object_of(params), theirs = {.type = SCAN_NONE};
	(void)scan_find(&root, "_meta", &theirs);
	text_add_cstr(to, "{\"_meta\":{");
	add_meta(to, meta);
	add_others(to, &theirs, ours);
	text_add_char(to, '}');
	add_others(to, &root, outer);
	text_add_char(to, '}');
}

void mcp_modern_write_retry(struct text *to, struct slice params, struct slice responses,
	struct slice state) {
	static const char *const ours[] = {"inputResponses", "requestState", NULL};
	struct scan_value root = object_of(params);
	text_add_cstr(to, "{\"inputResponses\":");
	text_add(to, responses.length ? responses : SLICE("{}"));
	if (state.length) {
		text_add_cstr(to, ",\"requestState\":");
		text_add(to, state);
	}
	add_others(to, &root, ours);
	text_add_char(to, '}');
}

static bool is_word(const struct scan_value *value, const char *word) {
	struct slice inner = slice_make(value->text.bytes + 1, value->text.length - 2);
	return value->type == SCAN_STRING && !value->escaped && slice_is(inner, word);
}

bool mcp_modern_wants_input(const struct scan_value *result) {
	struct scan_value type;
	return result->type == SCAN_OBJECT && scan_find(result, "resultType", &type) &&
		is_word(&type, "input_required");
}

bool mcp_modern_is_discovery(const struct scan_value *result) {
	struct scan_value versions, capabilities;
	struct scan_walk walk;
	struct scan_member member;
	if (result->type != SCAN_OBJECT || !scan_find(result, "supportedVersions", &versions) ||
		versions.type != SCAN_ARRAY || !scan_find(result, "capabilities", &capabilities))
		return false;
	for (scan_open(&walk, &versions); scan_next(&walk, &member);)
		if (is_word(&member.value, MCP_MODERN_VERSION)) return true;
	return false;
}
