/* SPDX-License-Identifier: Apache-2.0 */
/* Mcp_params: each marked argument, its header. */
#include "gateway/mcp_params.h"

#include "gateway/mcp_request.h"
#include "mcp/mcp_header.h"

#include <stdio.h>

struct check {
	const struct http1_head *head;
	struct arena *arena;
	struct fault why; /* FAULT_NONE: all match so far */
};

/* 3 and 3.0 are one number, whoever wrote it (MCP 2026-07-28 transports). */
static bool is_same_number(struct slice header, const struct scan_value *value) {
	struct scan_value other;
	struct scan_fault fault;
	int64_t told, meant;
	return value->type == SCAN_NUMBER && scan_check(header, 1, &other, &fault) &&
		other.type == SCAN_NUMBER && scan_integer(&other, &told) && scan_integer(value, &meant) &&
		told == meant;
}

static bool matches(struct check *check, const char *name, const struct scan_value *value) {
	struct slice header = http1_field(check->head, name);
	return mcp_request_header_is(header, mcp_header_value(value, check->arena)) ||
		is_same_number(header, value);
}

static bool seen(void *context, const struct mcp_header_param *param) {
	struct check *check = context;
	char name[128];
	int length = snprintf(name, sizeof name, "Mcp-Param-%.*s", SLICE_ARGS(param->name));
	if ((size_t)length >= sizeof name) return true; /* no header could be called so */
	size_t count = http1_field_count(check->head, name);
	bool is_given = param->value.type != SCAN_NONE;
	if (!is_given && count == 0) return true;
	if (!is_given)
		return fault_set(&check->why, FAULT_BAD_INPUT,
			"the header %s stands for an argument that is not there", name);
	if (count == 1 && matches(check, name, &param->value)) return true;
	return fault_set(&check->why, FAULT_BAD_INPUT, "the header %s is %s", name,
		count ? "not what the argument says" : "missing");
}

bool mcp_params_match(struct slice definition, struct slice params, const struct http1_head *head,
	struct arena *arena, struct fault *why) {
	const struct scan_value tool = {.text = definition, .type = SCAN_OBJECT};
	const struct scan_value call = {.text = params, .type = SCAN_OBJECT};
	struct check check = {.head = head, .arena = arena};
	struct scan_value schema, arguments;
	struct fault own;
	if (!scan_find(&tool, "inputSchema", &schema)) return true;
	if (!scan_find(&call, "arguments", &arguments)) arguments.type = SCAN_NONE;
	if (mcp_header_params(&schema, &arguments, arena, seen, &check, &own)) return true;
	/* Marks against the rules name no headers. */
	if (!check.why.code && own.code == FAULT_BAD_INPUT) return true;
	if (why) *why = check.why.code ? check.why : own;
	return false;
}
