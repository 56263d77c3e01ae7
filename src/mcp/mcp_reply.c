/* SPDX-License-Identifier: Apache-2.0 */
/* Mcp_reply: words around what is answered, which is spliced in. */
#include "mcp/mcp_reply.h"

#include "base/secret.h"
#include "mcp/mcp_modern.h"

void mcp_reply_write_text(struct text *to, struct slice words, bool is_error) {
	text_add_cstr(to, "{\"content\":[{\"type\":\"text\",\"text\":");
	text_json(to, words);
	text_printf(to, "}],\"isError\":%s}", is_error ? "true" : "false");
}

void mcp_reply_write_json(struct text *to, struct slice json) {
	text_add_cstr(to, "{\"content\":[{\"type\":\"text\",\"text\":");
	text_json(to, json);
	text_add_cstr(to, "}]");
	if (slice_starts_with(slice_trim(json), "{")) {
		text_add_cstr(to, ",\"structuredContent\":");
		text_add(to, json);
	}
	text_add_cstr(to, ",\"isError\":false}");
}

bool mcp_reply_is_error(struct slice result) {
	const struct scan_value value = {.text = slice_trim(result), .type = SCAN_OBJECT};
	struct scan_value flag;
	bool is_error = false;
	return value.text.length > 1 && value.text.bytes[0] == '{' && scan_find(&value, "isError", &flag) &&
		scan_boolean(&flag, &is_error) && is_error;
}

void mcp_reply_write_prompt(struct text *to, struct slice words) {
	text_add_cstr(to, "{\"messages\":[{\"role\":\"user\",\"content\":{\"type\":\"text\",\"text\":");
	text_json(to, words);
	text_add_cstr(to, "}}]}");
}

void mcp_reply_write_resource(struct text *to, struct slice uri, struct slice type,
	struct slice words, bool is_blob) {
	text_add_cstr(to, "{\"contents\":[{\"uri\":");
	text_json(to, uri);
	if (type.length) {
		text_add_cstr(to, ",\"mimeType\":");
		text_json(to, type);
	}
	text_add_cstr(to, is_blob ? ",\"blob\":\"" : ",\"text\":");
	if (is_blob) secret_base64(to, words);
	else text_json(to, words);
	text_add_cstr(to, is_blob ? "\"}]}" : "}]}");
}

void mcp_reply_write_completions(struct text *to, const struct scan_value *values) {
	struct scan_walk walk;
	struct scan_member member;
	size_t count = 0;
	text_add_cstr(to, "{\"completion\":{\"values\":[");
	for (scan_open(&walk, values); scan_next(&walk, &member);) {
		if (member.value.type != SCAN_STRING || ++count > MCP_REPLY_COMPLETIONS) continue;
		if (count > 1) text_add_char(to, ',');
		text_add(to, member.value.text);
	}
	text_printf(to, "],\"total\":%zu,\"hasMore\":%s}}", count,
		count > MCP_REPLY_COMPLETIONS ? "true" : "false");
}

/* The members of that object but the named one, each behind a comma. */
static void add_others(struct text *to, const struct scan_value *object, const char *but) {
	struct scan_walk walk;
	struct scan_member member;
	if (object->type != SCAN_OBJECT) return;
	for (scan_open(&walk, object); scan_next(&walk, &member);) {
		if (scan_key_is(&member, but)) continue;
		text_add_cstr(to, ",\"");
		text_add(to, member.key);
		text_add_cstr(to, "\":");
		text_add(to, member.value.text);
	}
}

void mcp_reply_write_modern(struct text *to, struct slice result, struct slice server_info,
	int64_t ttl_ms) {
	struct scan_value root = {.text = result, .type = SCAN_OBJECT}, meta, value;
	if (!scan_find(&root, "_meta", &meta)) meta.type = SCAN_NONE;
	text_add_cstr(to, "{\"_meta\":{\"" MCP_MODERN_PREFIX "serverInfo\":");
	text_add(to, server_info);
	add_others(to, &meta, MCP_MODERN_PREFIX "serverInfo");
	text_add_char(to, '}');
	if (!scan_find(&root, "resultType", &value)) text_add_cstr(to, ",\"resultType\":\"complete\"");
	if (ttl_ms >= 0 && !scan_find(&root, "ttlMs", &value))
		text_printf(to, ",\"ttlMs\":%lld,\"cacheScope\":\"private\"", (long long)ttl_ms);
	add_others(to, &root, "_meta");
	text_add_char(to, '}');
}
