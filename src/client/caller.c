/* SPDX-License-Identifier: Apache-2.0 */
/* Caller: reads capabilities, levels, and the metadata of modern requests. */
#include "client/caller.h"

#include "client/inquiry.h"
#include "mcp/mcp_modern.h"

static const char *const levels[] = {
	"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"};

/* -1: there is no such level. */
static int rank(const char *level) {
	for (size_t i = 0; i < COUNT_OF(levels); i++)
		if (strcmp(level, levels[i]) == 0) return (int)i;
	return -1;
}

static unsigned read_abilities(const struct scan_value *capabilities) {
	struct scan_value elicitation, value;
	unsigned abilities = 0;
	if (scan_find(capabilities, "elicitation", &elicitation) && elicitation.type == SCAN_OBJECT) {
		bool has_url = scan_find(&elicitation, "url", &value);
		/* An empty object means forms (MCP 2025-11-25, elicitation). */
		bool has_form = scan_find(&elicitation, "form", &value) || !has_url;
		abilities |= (has_form ? 1U << INQUIRY_FORM : 0) | (has_url ? 1U << INQUIRY_URL : 0);
	}
	if (scan_find(capabilities, "sampling", &value)) abilities |= 1U << INQUIRY_SAMPLING;
	if (scan_find(capabilities, "roots", &value)) abilities |= 1U << INQUIRY_ROOTS;
	return abilities;
}

void caller_introduce(struct caller *caller, const struct scan_value *params) {
	struct scan_value value;
	*caller = (struct caller){.is_introduced = true, .version = ERA_NEWEST};
	if (scan_find(params, "protocolVersion", &value) && value.type == SCAN_STRING)
		caller->version = era_settle(slice_make(value.text.bytes + 1, value.text.length - 2), ERA_NEWEST);
	if (scan_find(params, "capabilities", &value)) caller->abilities = read_abilities(&value);
}

static bool take_level(struct caller *caller, const struct scan_value *value) {
	char level[CALLER_LEVEL];
	if (value->type != SCAN_STRING || value->text.length - 2 >= sizeof level) return false;
	memcpy(level, value->text.bytes + 1, value->text.length - 2);
	level[value->text.length - 2] = '\0';
	if (rank(level) < 0) return false;
	memcpy(caller->level, level, sizeof level);
	return true;
}

bool caller_set_level(struct caller *caller, const struct scan_value *params) {
	struct scan_value value;
	return scan_find(params, "level", &value) && take_level(caller, &value);
}

bool caller_is_modern(const struct jsonrpc *request) {
	struct scan_value value;
	return slice_is(request->method, "server/discover") ||
		slice_is(request->method, "subscriptions/listen") ||
		scan_path(&request->params, &value, "_meta", MCP_MODERN_PREFIX "protocolVersion", NULL);
}

bool caller_read(struct caller *caller, const struct scan_value *params, int64_t *code,
	struct text *data, struct fault *why) {
	struct scan_value version, value;
	*caller = (struct caller){.is_modern = true, .is_introduced = true};
	*code = JSONRPC_INVALID_PARAMS;
	if (!scan_path(params, &version, "_meta", MCP_MODERN_PREFIX "protocolVersion", NULL) ||
		version.type != SCAN_STRING)
		return fault_set(why, FAULT_BAD_INPUT,
			"params._meta: " MCP_MODERN_PREFIX "protocolVersion is due");
	if (!slice_is(version.text, "\"" MCP_MODERN_VERSION "\"")) {
		*code = MCP_MODERN_UNKNOWN_VERSION;
		text_add_cstr(data, "{\"supported\":[\"" MCP_MODERN_VERSION "\"],\"requested\":");
		text_add(data, version.text);
		text_add_char(data, '}');
		return fault_set(why, FAULT_UNSUPPORTED, "that version of MCP is not spoken here");
	}
	if (!scan_path(params, &value, "_meta", MCP_MODERN_PREFIX "clientCapabilities", NULL) ||
		value.type != SCAN_OBJECT)
		return fault_set(why, FAULT_BAD_INPUT,
			"params._meta: " MCP_MODERN_PREFIX "clientCapabilities is due, an object");
	caller->abilities = read_abilities(&value);
	if (scan_path(params, &value, "_meta", MCP_MODERN_PREFIX "logLevel", NULL) &&
		!take_level(caller, &value))
		return fault_set(why, FAULT_BAD_INPUT, "params._meta: there is no such logLevel");
	return true;
}

bool caller_hears(const struct caller *caller, const char *level) {
	if (caller->level[0]) return rank(level) >= rank(caller->level);
	return !caller->is_modern && caller->is_introduced && rank(level) >= 0;
}
