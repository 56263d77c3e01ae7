/* SPDX-License-Identifier: Apache-2.0 */
/* Call params: members read in one walk, and written again where one has to go or come. */
#include "kernel/call_params.h"

static bool has_trace(const struct scan_value *value, struct arena *arena, char id[TRACE_SIZE]) {
	struct slice words;
	return value->type == SCAN_STRING && scan_string(value, arena, &words) && trace_id_read(words, id);
}

/* The members that count, each where it stands first; SCAN_NONE: it is not there. */
struct members {
	struct scan_value trace_id, meta, name, tool_name, arguments, mgp;
};

static void take(struct scan_value *to, const struct scan_member *member, const char *key) {
	if (to->type == SCAN_NONE && scan_key_is(member, key)) *to = member->value;
}

static void read_members(struct slice params, struct members *members) {
	const struct scan_value object = {.text = params, .type = SCAN_OBJECT};
	struct scan_walk walk;
	struct scan_member member;
	*members = (struct members){.name.type = SCAN_NONE};
	if (!params.length) return;
	for (scan_open(&walk, &object); scan_next(&walk, &member);) {
		take(&members->trace_id, &member, "trace_id");
		take(&members->meta, &member, "_meta");
		take(&members->name, &member, "name");
		take(&members->tool_name, &member, "toolName");
		take(&members->arguments, &member, "arguments");
		take(&members->mgp, &member, "_mgp");
	}
}

/* params.trace_id, then the request's own, then _meta.traceparent (docs/protocol.md). */
static void read_trace(struct call *call, const struct members *members) {
	struct scan_value parent;
	struct slice words;
	if (has_trace(&members->trace_id, &call->arena, call->trace)) return;
	if (call->inner.trace.length && trace_id_read(call->inner.trace, call->trace)) return;
	if (members->meta.type == SCAN_OBJECT && scan_find(&members->meta, "traceparent", &parent) &&
		scan_string(&parent, &call->arena, &words) && trace_parent_read(words, call->trace))
		return;
	trace_id_mint(call->trace);
}

/* MGP 12.3, of who has agreed on it. */
static bool wants_stream(const struct call *call, const struct scan_value *mgp) {
	struct scan_value flag;
	bool is_wanted = false;
	return (call->asker.mgp.extensions & MGP_STREAMING) && scan_find(mgp, "stream", &flag) &&
		scan_boolean(&flag, &is_wanted) && is_wanted;
}

bool call_params_read(struct call *call, struct fault *why) {
	struct members members;
	read_members(call->inner.params, &members);
	read_trace(call, &members);
	call->wants_stream = wants_stream(call, &members.mgp);
	if (call->is_guided) members.name = members.tool_name;
	else if (!call->is_tool)
		return true;
	if (members.name.type == SCAN_STRING && !scan_string(&members.name, &call->arena, &call->name))
		return fault_set(why, FAULT_NO_MEMORY, "no memory for the request: try again");
	if (call->is_tool) call->arguments = members.arguments;
	return true;
}

static const char *comma(const struct text *to) { return to->length > 1 ? "," : ""; }

static bool may_stream(const struct call *call) {
	enum hosted_era era = hosted_era_for(call->hosted, call->inner.era);
	return call->governed->agreed[era].extensions & call->asker.mgp.extensions & MGP_STREAMING;
}

/* Asked for a stream is a server that knows what that is, for who knows it too. */
static void write_mgp(const struct scan_member *mgp, bool may_stream, struct text *to) {
	struct scan_walk walk;
	struct scan_member member;
	const char *before = "{";
	bool is_object = mgp->value.type == SCAN_OBJECT;
	if (may_stream || !is_object) {
		text_printf(to, "%s\"_mgp\":", comma(to));
		text_add(to, mgp->value.text);
		return;
	}
	for (scan_open(&walk, &mgp->value); scan_next(&walk, &member);) {
		if (scan_key_is(&member, "stream")) continue;
		if (before[0] == '{') text_printf(to, "%s\"_mgp\":", comma(to));
		text_printf(to, "%s\"%.*s\":", before, SLICE_ARGS(member.key));
		text_add(to, member.value.text);
		before = ",";
	}
	if (before[0] == ',') text_add_char(to, '}');
}

static void write_params(const struct call *call, bool speaks_mgp, struct text *to) {
	const struct scan_value params = {.text = call->inner.params, .type = SCAN_OBJECT};
	struct scan_walk walk;
	struct scan_member member;
	text_add_char(to, '{');
	if (params.text.length)
		for (scan_open(&walk, &params); scan_next(&walk, &member);) {
			bool is_mgp = scan_key_is(&member, "_mgp");
			if (is_mgp && speaks_mgp) write_mgp(&member, may_stream(call), to);
			if (is_mgp || scan_key_is(&member, "trace_id")) continue;
			text_printf(to, "%s\"%.*s\":", comma(to), SLICE_ARGS(member.key));
			text_add(to, member.value.text);
		}
	if (speaks_mgp) text_printf(to, "%s\"trace_id\":\"%s\"", comma(to), call->trace);
	text_add_char(to, '}');
}

/* A plain asker's members are its own, whatever their names. */
static bool has_to_change(const struct call *call, bool speaks_mgp) {
	const struct scan_value params = {.text = call->inner.params, .type = SCAN_OBJECT};
	struct scan_value value;
	if (speaks_mgp) return true;
	return call->asker.mgp.is_active && params.text.length &&
		(scan_find(&params, "trace_id", &value) || scan_find(&params, "_mgp", &value));
}

bool call_params_settle(struct call *call, struct fault *why) {
	enum hosted_era era = hosted_era_for(call->hosted, call->inner.era);
	bool speaks_mgp = call->governed->agreed[era].is_active;
	if (!has_to_change(call, speaks_mgp)) return true;
	AUTO_TEXT struct text params = {0};
	text_init(&params, 0);
	write_params(call, speaks_mgp, &params);
	if (text_failed(&params)) return fault_set(why, FAULT_NO_MEMORY, "no memory for the request: try again");
	return call_set_params(call, text_slice(&params), why);
}

bool call_params_rename(struct call *call, struct slice tool, struct fault *why) {
	const struct scan_value params = {.text = call->inner.params, .type = SCAN_OBJECT};
	struct scan_walk walk;
	struct scan_member member;
	AUTO_TEXT struct text renamed = {0};
	text_init(&renamed, 0);
	text_add_cstr(&renamed, "{\"name\":");
	text_json(&renamed, tool);
	if (params.text.length)
		for (scan_open(&walk, &params); scan_next(&walk, &member);) {
			if (scan_key_is(&member, "name")) continue;
			text_printf(&renamed, ",\"%.*s\":", SLICE_ARGS(member.key));
			text_add(&renamed, member.value.text);
		}
	text_add_char(&renamed, '}');
	if (text_failed(&renamed)) return fault_set(why, FAULT_NO_MEMORY, "no memory for the request: try again");
	return call_set_params(call, text_slice(&renamed), why);
}
