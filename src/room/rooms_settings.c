/* SPDX-License-Identifier: Apache-2.0 */
/* Rooms settings: their defaults, and a pace as people write it. */
#include "room/rooms_settings.h"

#include "base/clock.h"

/* The span behind the slash: a unit alone ("s", "min", "h", "day") or a span of time ("500ms"). */
static bool span_read(struct slice text, uint32_t *span_ms) {
	static const struct {
		const char *word;
		uint32_t ms;
	} units[] = {{"s", 1000}, {"sec", 1000}, {"m", 60000}, {"min", 60000}, {"h", 3600000},
		{"hour", 3600000}, {"d", 86400000}, {"day", 86400000}};
	for (size_t i = 0; i < COUNT_OF(units); i++) {
		if (!slice_is(text, units[i].word)) continue;
		*span_ms = units[i].ms;
		return true;
	}
	int64_t ms;
	if (text.length == 0 || !clock_span_read(text, &ms, NULL) || ms < 1 || ms > 86400000) return false;
	*span_ms = (uint32_t)ms;
	return true;
}

bool pace_rate_read(struct slice text, struct pace_rate *rate, struct fault *why) {
	if (slice_is(text, "off")) {
		*rate = (struct pace_rate){0, 0};
		return true;
	}
	struct slice rest = text, count_text;
	uint64_t count;
	uint32_t span_ms;
	if (!slice_split(&rest, '/', &count_text) || !slice_number(count_text, 1000000, &count) ||
		count == 0 || !span_read(rest, &span_ms))
		return fault_set(why, FAULT_BAD_INPUT,
			"'%.*s' is no pace: write a count of 1 to 1000000 and a span, like 200/s or 10/min, or off",
			SLICE_ARGS(text));
	if ((uint64_t)span_ms * 1000 < count)
		return fault_set(why, FAULT_BAD_INPUT, "'%.*s' is more than one each microsecond: write off",
			SLICE_ARGS(text));
	*rate = (struct pace_rate){(uint32_t)count, span_ms};
	return true;
}

void rooms_settings_default(struct rooms_settings *settings) {
	*settings = (struct rooms_settings){
		.anyone_creates = true,
		.dialect = ENVELOPE_V01,
		.pace = {200, 1000},
		.proposal_pace = {10, 60000},
		.proposal_ttl_ms = 5 * 60 * 1000,
		.one_recipient = true,
		.strict_replies = true,
		.history = true,
		.max_message = 1024 * 1024,
		.max_behind = 8 * 1024 * 1024,
		.ping_ms = 30 * 1000,
		.max_rooms = 100000,
		.max_participants = 100000,
		.max_connections = 64,
		.max_proposals = 1000,
	};
}
