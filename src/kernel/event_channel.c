/* SPDX-License-Identifier: Apache-2.0 */
/* Event channel: names compared octet by octet. */
#include "kernel/event_channel.h"

#include "base/glob.h"

static const char *const severities[EVENT_SEVERITIES] = {
	[EVENT_DEBUG] = "debug",
	[EVENT_INFO] = "info",
	[EVENT_WARNING] = "warning",
	[EVENT_ERROR] = "error",
	[EVENT_CRITICAL] = "critical",
};

static const char *const ours[] = {
	"tool.started",
	"tool.completed",
	"tool.failed",
	"system.server_connected",
	"system.server_disconnected",
	"system.error",
	"security.access_denied",
	"security.validation_failed",
};

const char *event_severity_word(enum event_severity severity) { return severities[severity]; }

bool event_severity_read(struct slice word, enum event_severity *severity) {
	for (int i = 0; i < EVENT_SEVERITIES; i++) {
		if (!slice_is(word, severities[i])) continue;
		*severity = (enum event_severity)i;
		return true;
	}
	return false;
}

static bool is_character(char one) {
	return (one >= 'a' && one <= 'z') || (one >= 'A' && one <= 'Z') || (one >= '0' && one <= '9') || one == '_' ||
		one == '-' || one == ':' || one == '/';
}

bool event_channel_is_sound(struct slice name) {
	struct slice rest = name, part;
	if (!name.length || name.length > EVENT_CHANNEL) return false;
	while (slice_split(&rest, '.', &part)) {
		bool is_last = rest.bytes == NULL;
		if (!part.length) return false;
		if (is_last && slice_is(part, "*")) return true;
		for (size_t i = 0; i < part.length; i++)
			if (!is_character(part.bytes[i])) return false;
	}
	return true;
}

bool event_channel_is_pattern(struct slice name) { return glob_is_open(name); }

bool event_channel_covers(struct slice wanted, struct slice channel) {
	return channel.length >= wanted.length && glob_fits(wanted, channel);
}

bool event_channel_is_standard(struct slice channel) {
	return slice_starts_with(channel, "model.") || slice_starts_with(channel, "system.") ||
		slice_starts_with(channel, "tool.") || slice_starts_with(channel, "security.");
}

bool event_channel_is_ours(struct slice channel) {
	for (size_t i = 0; i < COUNT_OF(ours); i++)
		if (slice_is(channel, ours[i])) return true;
	return false;
}
