/* SPDX-License-Identifier: Apache-2.0 */
/* Server events: one channel a change. */
#include "kernel/server_events.h"

static void raise(struct events *events, const struct hosted *hosted, const char *channel, enum event_severity severity,
	const struct text *data) {
	if (text_failed(data)) return;
	const struct event_raised raised = {
		.channel = slice_of(channel),
		.severity = severity,
		.hosted = hosted,
		.data = text_slice(data),
	};
	events_raise(events, &raised);
}

void server_events_moved(struct events *events, const struct hosted *hosted, enum hosted_state from,
	enum hosted_state to, const char *reason) {
	AUTO_TEXT struct text data = {0};
	if (!events_are_wanted(events)) return;
	text_init(&data, 0);
	text_add_cstr(&data, "{\"server_id\":");
	text_json(&data, hosted_id(hosted));
	text_printf(&data, ",\"previous_state\":\"%s\",\"new_state\":\"%s\",\"reason\":", hosted_state_word(from),
		hosted_state_word(to));
	text_json(&data, slice_of(reason));
	text_add_char(&data, '}');
	if (to == HOSTED_CONNECTED) raise(events, hosted, "system.server_connected", EVENT_INFO, &data);
	else if (from == HOSTED_CONNECTED) raise(events, hosted, "system.server_disconnected", EVENT_WARNING, &data);
	if (to == HOSTED_ERROR) raise(events, hosted, "system.error", EVENT_ERROR, &data);
}

void server_events_spent(struct events *events, const struct hosted *hosted) {
	AUTO_TEXT struct text data = {0};
	if (!events_are_wanted(events)) return;
	text_init(&data, 0);
	text_add_cstr(&data, "{\"server_id\":");
	text_json(&data, hosted_id(hosted));
	text_add_cstr(&data, ",\"restart_limit_exceeded\":true,\"reason\":");
	text_json(&data, slice_of(hosted_reason(hosted)));
	text_add_char(&data, '}');
	raise(events, hosted, "system.error", EVENT_CRITICAL, &data);
}
