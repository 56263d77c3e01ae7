/* SPDX-License-Identifier: Apache-2.0 */
/* Mcp_line: one look at a message. */
#include "cli/mcp_line.h"

#include "base/secret.h"
#include "mcp/mcp_modern.h"

static bool read_batch(struct mcp_line *line, const struct scan_value *batch) {
	struct scan_walk walk;
	struct scan_member member;
	struct scan_value method, id;
	line->is_batch = true;
	for (scan_open(&walk, batch); scan_next(&walk, &member);)
		if (scan_find(&member.value, "method", &method) && scan_find(&member.value, "id", &id))
			line->is_request = true;
	return true;
}

static bool read_string(const struct scan_value *object, const char *key, struct arena *arena,
	struct slice *string) {
	struct scan_value value;
	if (!scan_find(object, key, &value) || value.type != SCAN_STRING) return true;
	return scan_string(&value, arena, string);
}

static bool read_params(struct mcp_line *line, struct arena *arena) {
	const struct scan_value *params = &line->message.params;
	struct scan_value meta, id;
	if (params->type != SCAN_OBJECT) return true;
	if (!read_string(params, "name", arena, &line->name)) return false;
	if (!line->name.bytes && !read_string(params, "uri", arena, &line->name)) return false;
	if (slice_is(line->message.method, "notifications/cancelled") && scan_find(params, "requestId", &id))
		line->cancelled = id.text;
	if (!scan_find(params, "_meta", &meta)) return true;
	return read_string(&meta, MCP_MODERN_PREFIX "protocolVersion", arena, &line->version);
}

bool mcp_line_read(struct mcp_line *line, struct slice text, struct arena *arena, int64_t *code,
	struct fault *why) {
	struct scan_value root;
	struct scan_fault fault;
	*line = (struct mcp_line){0};
	bool is_array = text.length && text.bytes[0] == '[';
	if (is_array && scan_check(text, SCAN_DEPTH, &root, &fault)) return read_batch(line, &root);
	if (!jsonrpc_read(&line->message, text, arena, code, why)) return false;
	line->is_request = line->message.kind == JSONRPC_REQUEST;
	if (!read_params(line, arena)) {
		*code = JSONRPC_INTERNAL_ERROR;
		return fault_set(why, FAULT_NO_MEMORY, "no memory for a line");
	}
	line->is_modern = line->version.bytes || slice_is(line->message.method, "server/discover");
	return true;
}

static bool is_plain(struct slice value) {
	if (!value.length || value.bytes[0] == ' ' || value.bytes[value.length - 1] == ' ') return false;
	for (size_t i = 0; i < value.length; i++)
		if (value.bytes[i] < 0x20 || value.bytes[i] > 0x7e) return false;
	return !slice_starts_with(value, "=?base64?");
}

void mcp_line_write_header(struct text *to, const char *name, struct slice value) {
	text_printf(to, "%s: ", name);
	if (is_plain(value)) {
		text_add(to, value);
		return;
	}
	text_add_cstr(to, "=?base64?");
	secret_base64(to, value);
	text_add_cstr(to, "?=");
}

bool mcp_line_has_name_header(const struct mcp_line *line) {
	struct slice method = line->message.method;
	return line->name.bytes && (slice_is(method, "tools/call") || slice_is(method, "prompts/get") || slice_is(method, "resources/read"));
}
