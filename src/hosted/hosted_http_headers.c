/* SPDX-License-Identifier: Apache-2.0 */
/* Hosted HTTP headers: what stands above a message for a remote server. */
#include "hosted/hosted_http_parts.h"

#include "mcp/mcp_modern.h"

#include <stdio.h>

struct lines {
	const char **lines;
	size_t count;
	struct arena *arena;
};

static bool add(struct lines *lines, const struct text *line) {
	struct slice copy;
	if (lines->count + 1 >= HOSTED_HTTP_HEADERS || text_failed(line) ||
		!arena_copy(lines->arena, text_slice(line), &copy))
		return false;
	lines->lines[lines->count++] = copy.bytes;
	lines->lines[lines->count] = NULL;
	return true;
}

static bool add_plain(struct lines *lines, const char *name, struct slice value) {
	AUTO_TEXT struct text line = {0};
	text_init(&line, 0);
	text_printf(&line, "%s: ", name);
	text_add(&line, value);
	return add(lines, &line);
}

/* Known once the handshake is over. */
static struct slice version_of(const struct hosted_http *http) {
	const struct hosted_child *child = http->child;
	const struct hosted_facts *facts = hosted_facts(child->hosted, HOSTED_LEGACY);
	if (child->era == HOSTED_MODERN) return SLICE(MCP_MODERN_VERSION);
	bool is_introduced = child->stage != HOSTED_OPENING || http->is_introduced;
	return is_introduced && facts ? facts->version : SLICE_NONE;
}

const char *const *hosted_http_headers(const struct hosted_http *http, struct arena *arena,
	const char *const *more) {
	const char *const *configured = http->child->hosted->setup.of.headers;
	struct slice version = version_of(http);
	struct lines lines = {.arena = arena, .lines = arena_zero(arena, HOSTED_HTTP_HEADERS * sizeof(char *))};
	if (!lines.lines) return NULL;
	for (; configured && *configured; configured++) {
		if (lines.count + 1 >= HOSTED_HTTP_HEADERS) return NULL;
		lines.lines[lines.count++] = *configured;
	}
	if (http->session && !add_plain(&lines, "Mcp-Session-Id", slice_of(http->session))) return NULL;
	if (version.length && !add_plain(&lines, "MCP-Protocol-Version", version)) return NULL;
	for (; *more; more++) {
		if (lines.count + 1 >= HOSTED_HTTP_HEADERS) return NULL;
		lines.lines[lines.count++] = *more;
	}
	return lines.lines;
}

/* ---- Toward modern servers ---- */

/* libcurl takes "Name:" for a header to be left out, and "Name;" for one without a value. */
static bool add_value(struct lines *lines, const char *name, struct slice value) {
	AUTO_TEXT struct text line = {0};
	text_init(&line, 0);
	if (value.length) mcp_header_write(&line, name, value);
	else text_printf(&line, "%s;", name);
	return add(lines, &line);
}

static bool add_param(void *context, const struct mcp_header_param *param) {
	struct lines *lines = context;
	char name[160];
	if (param->value.type == SCAN_NONE) return true;
	int length = snprintf(name, sizeof name, "Mcp-Param-%.*s", SLICE_ARGS(param->name));
	struct slice value = mcp_header_value(&param->value, lines->arena);
	return length < (int)sizeof name && value.bytes && add_value(lines, name, value);
}

/* A tool whose definition is not known gets none. */
static bool add_params(const struct hosted_http *http, struct slice tool, const struct jsonrpc *message,
	struct lines *lines, struct fault *why) {
	struct hosted_items *items = hosted_items_known(http->child->hosted, HOSTED_MODERN, HOSTED_TOOLS);
	const struct hosted_item *item = items && tool.bytes ? hosted_items_find(items, tool) : NULL;
	struct scan_value definition = {.type = SCAN_OBJECT}, schema, arguments;
	if (!item) return true;
	definition.text = item->definition;
	if (!scan_find(&definition, "inputSchema", &schema)) return true;
	if (!scan_find(&message->params, "arguments", &arguments)) arguments.type = SCAN_NONE;
	if (mcp_header_params(&schema, &arguments, lines->arena, add_param, lines, why)) return true;
	fault_before(why, "tool %.*s: ", (int)(tool.length > 64 ? 64 : tool.length), tool.bytes);
	return false;
}

bool hosted_http_add_routing(const struct hosted_http *http, const struct jsonrpc *message,
	struct arena *arena, const char **more, struct fault *why) {
	struct lines lines = {.lines = more, .arena = arena};
	while (more[lines.count]) lines.count++;
	struct slice name = mcp_header_name(message->method, &message->params, arena);
	if (!add_value(&lines, "Mcp-Method", message->method) ||
		(name.bytes && !add_value(&lines, "Mcp-Name", name)))
		return fault_set(why, FAULT_NO_MEMORY, "no memory for a request");
	return !slice_is(message->method, "tools/call") || add_params(http, name, message, &lines, why);
}
