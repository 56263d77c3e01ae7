/* SPDX-License-Identifier: Apache-2.0 */
/* Mcp_params: each marked property of the schema, its argument, its header. */
#include "gateway/mcp_params.h"

#include "gateway/mcp_request.h"

#include <stdio.h>

/* The argument as a header says it: characters of a string, else the JSON text. SLICE_NONE: null or
 * not there. */
static bool read_argument(const struct scan_value *arguments, const struct scan_member *property,
	struct arena *arena, struct slice *argument) {
	struct slice key;
	struct scan_walk walk;
	struct scan_member member;
	*argument = SLICE_NONE;
	if (!scan_key(property, arena, &key)) return false;
	if (arguments->type != SCAN_OBJECT) return true;
	for (scan_open(&walk, arguments); scan_next(&walk, &member);) {
		struct slice name;
		if (!scan_key(&member, arena, &name)) return false;
		if (!slice_equal(name, key)) continue;
		if (member.value.type == SCAN_NULL) return true;
		*argument = member.value.text;
		return member.value.type != SCAN_STRING || scan_string(&member.value, arena, argument);
	}
	return true;
}

static bool check(const struct scan_value *arguments, const struct scan_member *property,
	struct slice suffix, const struct http1_head *head, struct arena *arena, struct fault *why) {
	char name[128];
	struct slice argument;
	int length = snprintf(name, sizeof name, "Mcp-Param-%.*s", SLICE_ARGS(suffix));
	if ((size_t)length >= sizeof name) return true; /* no header could be called so */
	if (!read_argument(arguments, property, arena, &argument))
		return fault_set(why, FAULT_NO_MEMORY, "no memory for the arguments");
	size_t count = http1_field_count(head, name);
	if (!argument.bytes && count == 0) return true;
	if (!argument.bytes)
		return fault_set(why, FAULT_BAD_INPUT, "the header %s stands for an argument that is not there", name);
	if (count == 1 && mcp_request_header_is(http1_field(head, name), argument)) return true;
	return fault_set(why, FAULT_BAD_INPUT, "the header %s is %s", name,
		count ? "not what the argument says" : "missing");
}

bool mcp_params_match(struct slice definition, struct slice params, const struct http1_head *head,
	struct arena *arena, struct fault *why) {
	const struct scan_value tool = {.text = definition, .type = SCAN_OBJECT};
	const struct scan_value call = {.text = params, .type = SCAN_OBJECT};
	struct scan_value properties, arguments = {.type = SCAN_NONE}, mark;
	struct scan_walk walk;
	struct scan_member property;
	if (!scan_path(&tool, &properties, "inputSchema", "properties", NULL)) return true;
	if (properties.type != SCAN_OBJECT) return true;
	if (!scan_find(&call, "arguments", &arguments)) arguments.type = SCAN_NONE;
	for (scan_open(&walk, &properties); scan_next(&walk, &property);) {
		struct slice suffix;
		if (!scan_find(&property.value, "x-mcp-header", &mark) || mark.type != SCAN_STRING) continue;
		if (!scan_string(&mark, arena, &suffix)) return fault_set(why, FAULT_NO_MEMORY, "no memory");
		if (!check(&arguments, &property, suffix, head, arena, why)) return false;
	}
	return true;
}
