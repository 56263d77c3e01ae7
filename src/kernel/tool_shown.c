/* SPDX-License-Identifier: Apache-2.0 */
/* Tool shown: member by member. */
#include "kernel/tool_shown.h"

#include "kernel/tool_filter.h"

static bool find(const struct scan_value *object, const char *name, struct scan_value *value) {
	return scan_find(object, name, value) && value->type != SCAN_NULL;
}

/* Which dialect a schema is written in changes nothing for who writes arguments. */
static void write_schema(struct text *to, const struct scan_value *schema) {
	struct scan_walk walk;
	struct scan_member member;
	const char *before = "";
	if (schema->type != SCAN_OBJECT) {
		scan_compact(to, schema->text);
		return;
	}
	text_add_char(to, '{');
	for (scan_open(&walk, schema); scan_next(&walk, &member);) {
		if (scan_key_is(&member, "$schema")) continue;
		text_printf(to, "%s\"%.*s\":", before, SLICE_ARGS(member.key));
		scan_compact(to, member.value.text);
		before = ",";
	}
	text_add_char(to, '}');
}

static void copy(struct text *to, const struct scan_value *definition, const char *name) {
	struct scan_value value;
	if (!find(definition, name, &value)) return;
	text_printf(to, ",\"%s\":", name);
	scan_compact(to, value.text);
}

static void write_call_name(struct text *to, const struct tool_showing *showing) {
	const struct mgp_client_face *face = showing->client ? showing->client->face : NULL;
	AUTO_TEXT struct text name = {0};
	if (!face) return;
	text_init(&name, 0);
	if (face->write_call_name)
		face->write_call_name(showing->client, &name, hosted_id(showing->hosted), showing->tool->name);
	else
		text_add(&name, showing->tool->name);
	if (text_failed(&name)) to->failed = true;
	text_add_cstr(to, ",\"call_name\":");
	text_json(to, text_slice(&name));
}

static void write_status(struct text *to, const struct tool_showing *showing) {
	enum hosted_state state = hosted_state(showing->hosted);
	if (tool_leave_of(governed_of(showing->hosted), showing->tool, NULL) == TOOL_DEFERRED)
		text_add_cstr(to, ",\"status\":\"pending_approval\"");
	else if (state != HOSTED_CONNECTED)
		text_printf(to, ",\"status\":\"%s\"", hosted_state_word(state));
}

void tool_show(struct text *to, const struct tool_showing *showing) {
	const struct scan_value definition = {.text = showing->tool->definition, .type = SCAN_OBJECT};
	bool has_security = (showing->asker->mgp.extensions & MGP_SECURITY) != 0;
	struct scan_value value;
	text_add_cstr(to, "{\"name\":");
	text_json(to, showing->tool->name);
	text_add_cstr(to, ",\"server_id\":");
	text_json(to, hosted_id(showing->hosted));
	write_call_name(to, showing);
	text_add_cstr(to, ",\"description\":");
	if (scan_find(&definition, "description", &value) && value.type == SCAN_STRING) text_add(to, value.text);
	else text_add_cstr(to, "\"\"");
	if (showing->relevance >= 0) text_printf(to, ",\"relevance_score\":%.2f", showing->relevance);
	text_add_cstr(to, ",\"inputSchema\":");
	if (find(&definition, "inputSchema", &value)) write_schema(to, &value);
	else text_add_cstr(to, "{\"type\":\"object\"}");
	if (has_security) {
		copy(to, &definition, "outputSchema");
		copy(to, &definition, "annotations");
		text_add_cstr(to, ",\"security\":");
		if (showing->tool->security) tool_security_write(to, showing->tool->security);
		else text_add_cstr(to, "{\"risk_level\":\"dangerous\"}");
	}
	write_status(to, showing);
	text_add_char(to, '}');
}
