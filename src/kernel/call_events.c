/* SPDX-License-Identifier: Apache-2.0 */
/* Call events: the call's own facts as data. */
#include "kernel/call_events.h"

#include "store/audit.h"

static struct events *events_of(const struct call *call) { return call->governed->means->events; }

/* The object is left open. */
static void begin(struct text *to, const struct call *call) {
	text_init(to, 0);
	text_add_cstr(to, "{\"server_id\":");
	text_json(to, hosted_id(call->hosted));
	if (call->is_tool || call->is_guided) {
		text_add_cstr(to, ",\"tool_name\":");
		text_json(to, call->name);
	}
	text_add_cstr(to, ",\"agent_id\":");
	text_json(to, call->asker.principal);
	if (call->trace[0]) text_printf(to, ",\"trace_id\":\"%s\"", call->trace);
}

static void raise(const struct call *call, const char *channel, enum event_severity severity, struct text *data) {
	text_add_char(data, '}');
	if (text_failed(data)) return;
	const struct event_raised raised = {
		.channel = slice_of(channel),
		.severity = severity,
		.hosted = call->hosted,
		.tool = call->name,
		.data = text_slice(data),
	};
	events_raise(events_of(call), &raised);
}

static void add_duration(struct text *to, const struct call *call) {
	uint64_t now = loop_now(call->governed->means->loop);
	text_printf(to, ",\"duration_ms\":%llu", (unsigned long long)(now - call->began_at));
}

void call_events_started(struct call *call) {
	AUTO_TEXT struct text data = {0};
	if (!(call->is_tool || call->is_guided) || call->is_announced) return;
	call->is_announced = true;
	if (!events_are_wanted(events_of(call))) return;
	begin(&data, call);
	raise(call, "tool.started", EVENT_INFO, &data);
}

void call_events_ended(const struct call *call, struct slice result, int64_t code) {
	AUTO_TEXT struct text data = {0};
	bool is_fine = slice_equal(result, AUDIT_SUCCESS);
	if (!call->is_announced || !events_are_wanted(events_of(call))) return;
	begin(&data, call);
	add_duration(&data, call);
	if (code) text_printf(&data, ",\"code\":%lld", (long long)code);
	if (slice_equal(result, AUDIT_CANCELLED)) text_add_cstr(&data, ",\"cancelled\":true");
	raise(call, is_fine ? "tool.completed" : "tool.failed", is_fine ? EVENT_INFO : EVENT_ERROR, &data);
}

void call_events_session(struct events *events, const struct hosted *hosted, struct slice tool, struct slice result,
	struct slice data) {
	bool is_fine = slice_equal(result, AUDIT_SUCCESS);
	if (!events_are_wanted(events)) return;
	const struct event_raised raised = {
		.channel = is_fine ? SLICE("tool.completed") : SLICE("tool.failed"),
		.severity = is_fine ? EVENT_INFO : EVENT_ERROR,
		.hosted = hosted,
		.tool = tool,
		.data = data,
	};
	events_raise(events, &raised);
}

static const char *channel_of(int64_t code) {
	switch (code) {
	case MGP_PERMISSION_DENIED:
	case MGP_ACCESS_DENIED: return "security.access_denied";
	case MGP_VALIDATION_BLOCKED:
	case MGP_INVALID_TOOL_ARGS:
	case MGP_CODE_SAFETY_VIOLATION: return "security.validation_failed";
	default: return NULL;
	}
}

void call_events_refused(const struct call *call, bool is_first) {
	const char *channel = channel_of(call->refusal.code);
	if (!events_are_wanted(events_of(call))) return;
	if (channel && is_first) {
		AUTO_TEXT struct text data = {0};
		begin(&data, call);
		text_printf(&data, ",\"code\":%lld,\"gate\":\"%s\"", (long long)call->refusal.code, call_gate_name(call));
		raise(call, channel, EVENT_WARNING, &data);
	}
	if (call->is_announced) call_events_ended(call, AUDIT_FAILED, call->refusal.code);
}

void events_denied(struct events *events, const struct hosted *hosted, struct slice agent) {
	AUTO_TEXT struct text data = {0};
	if (!events_are_wanted(events)) return;
	text_init(&data, 0);
	text_add_cstr(&data, "{\"server_id\":");
	text_json(&data, hosted_id(hosted));
	text_add_cstr(&data, ",\"agent_id\":");
	text_json(&data, agent);
	text_printf(&data, ",\"code\":%d}", MGP_ACCESS_DENIED);
	if (text_failed(&data)) return;
	const struct event_raised raised = {
		.channel = SLICE("security.access_denied"),
		.severity = EVENT_WARNING,
		.hosted = hosted,
		.data = text_slice(&data),
	};
	events_raise(events, &raised);
}
