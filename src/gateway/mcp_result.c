/* SPDX-License-Identifier: Apache-2.0 */
/* Mcp_result: members that are missing go in front, the rest follows octet for octet. */
#include "gateway/mcp_result.h"

#include "gateway/mcp_request.h"

#define FRAMING 160 /* octets around a result, about */
#define SERVER_INFO "io.modelcontextprotocol/serverInfo"

static bool is_cacheable(struct slice method) {
	static const char *const methods[] = {"server/discover", "tools/list", "prompts/list",
		"resources/list", "resources/templates/list", "resources/read"};
	for (size_t i = 0; i < COUNT_OF(methods); i++)
		if (slice_is(method, methods[i])) return true;
	return false;
}

static bool has(const struct scan_value *object, const char *key) {
	struct scan_value value;
	return scan_find(object, key, &value);
}

static bool is_empty(const struct scan_value *object) {
	struct scan_walk walk;
	struct scan_member member;
	scan_open(&walk, object);
	return !scan_next(&walk, &member);
}

static void comma(struct text *to, bool *first) {
	if (!*first) text_add_char(to, ',');
	*first = false;
}

static void write_missing(struct text *to, const struct scan_value *result, struct slice method,
	bool *first) {
	if (!has(result, "resultType")) {
		comma(to, first);
		text_add_cstr(to, "\"resultType\":\"complete\"");
	}
	if (!is_cacheable(method)) return;
	if (!has(result, "ttlMs")) {
		comma(to, first);
		text_add_cstr(to, "\"ttlMs\":0");
	}
	if (!has(result, "cacheScope")) {
		comma(to, first);
		text_add_cstr(to, "\"cacheScope\":\"private\"");
	}
}

static void write_meta(struct text *to, const struct scan_value *meta, struct slice server_info) {
	text_add_cstr(to, "\"_meta\":{");
	bool first = true;
	if (server_info.length && !(meta && has(meta, SERVER_INFO))) {
		text_add_cstr(to, "\"" SERVER_INFO "\":");
		text_add(to, server_info);
		first = false;
	}
	struct scan_walk walk;
	struct scan_member member;
	if (meta) {
		for (scan_open(&walk, meta); scan_next(&walk, &member);) {
			comma(to, &first);
			text_printf(to, "\"%.*s\":", SLICE_ARGS(member.key));
			text_add(to, member.value.text);
		}
	}
	text_add_char(to, '}');
}

/* Everything but `_meta`. */
static void write_rest(struct text *to, const struct scan_value *result, bool *first) {
	struct scan_walk walk;
	struct scan_member member;
	for (scan_open(&walk, result); scan_next(&walk, &member);) {
		if (scan_key_is(&member, "_meta")) continue;
		comma(to, first);
		text_printf(to, "\"%.*s\":", SLICE_ARGS(member.key));
		text_add(to, member.value.text);
	}
}

struct slice mcp_result_begin(struct text *to, struct slice id, struct slice result, bool is_modern,
	struct slice method, struct slice server_info) {
	struct scan_value value = {.text = slice_trim(result), .type = SCAN_OBJECT}, meta;
	bool is_object = value.text.length > 1 && value.text.bytes[0] == '{', first = true;
	text_add_cstr(to, "{\"jsonrpc\":\"2.0\",\"id\":");
	text_add(to, id);
	text_add_cstr(to, ",\"result\":");
	if (!is_modern || !is_object) return result;
	text_add_char(to, '{');
	bool has_meta = scan_find(&value, "_meta", &meta);
	bool is_kept = has_meta && meta.type == SCAN_OBJECT;
	write_missing(to, &value, method, &first);
	if (server_info.length || is_kept) {
		comma(to, &first);
		write_meta(to, is_kept ? &meta : NULL, server_info);
	}
	if (has_meta) {
		write_rest(to, &value, &first);
		return SLICE("}");
	}
	if (!first && !is_empty(&value)) text_add_char(to, ',');
	return slice_make(value.text.bytes + 1, value.text.length - 1);
}

void mcp_result_write(struct text *to, struct slice id, struct slice result, bool is_modern,
	struct slice method, struct slice server_info) {
	text_reserve(to, result.length + id.length + server_info.length + FRAMING);
	text_add(to, mcp_result_begin(to, id, result, is_modern, method, server_info));
	text_add_char(to, '}');
}

unsigned mcp_result_status(int64_t code, bool is_modern) {
	if (!is_modern) return 200;
	switch (code) {
	case JSONRPC_METHOD_NOT_FOUND: return 404;
	case JSONRPC_PARSE_ERROR:
	case JSONRPC_INVALID_REQUEST:
	case MCP_HEADER_MISMATCH:
	case MCP_MISSING_CAPABILITY:
	case MCP_UNSUPPORTED_VERSION: return 400;
	default: return 200;
	}
}

void mcp_result_write_fault(struct text *to, struct slice id, const struct fault *why) {
	AUTO_TEXT struct text data = {0};
	text_init(&data, 0);
	text_printf(&data, "{\"type\":\"%s\"}", fault_word(why->code));
	int64_t code = why->code == FAULT_BAD_INPUT || why->code == FAULT_NOT_FOUND
		? JSONRPC_INVALID_PARAMS
		: JSONRPC_INTERNAL_ERROR;
	jsonrpc_write_error(to, id, code, slice_of(why->text), text_slice(&data));
}

void mcp_result_write_words(struct text *to, struct slice words, bool is_error, struct slice structured) {
	text_add_cstr(to, "{\"content\":[{\"type\":\"text\",\"text\":");
	text_json(to, words);
	text_add_cstr(to, "}]");
	if (structured.bytes) {
		text_add_cstr(to, ",\"structuredContent\":");
		text_add(to, structured);
	}
	text_add_cstr(to, is_error ? ",\"isError\":true}" : "}");
}
