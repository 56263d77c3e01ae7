/* SPDX-License-Identifier: Apache-2.0 */
/* Event wish: read strictly from a client, leniently from a server. */
#include "kernel/event_wish.h"

#include "base/clock.h"

static bool has(const struct event_wish *wish, struct slice channel) {
	for (size_t i = 0; i < wish->count; i++)
		if (slice_equal(wish->channels[i], channel)) return true;
	return false;
}

static bool read_channels(struct event_wish *wish, const struct scan_value *channels, struct arena *arena,
	struct fault *why) {
	struct scan_walk walk;
	struct scan_member member;
	struct slice channel;
	if (scan_count(channels) > EVENT_CHANNELS)
		return fault_set(why, FAULT_BAD_INPUT, "params.channels: at most %d: subscribe more than once", EVENT_CHANNELS);
	for (scan_open(&walk, channels); scan_next(&walk, &member);) {
		if (member.value.type != SCAN_STRING)
			return fault_set(why, FAULT_BAD_INPUT, "params.channels: strings are due");
		if (!scan_string(&member.value, arena, &channel))
			return fault_set(why, FAULT_NO_MEMORY, "no memory for the request: try again");
		if (!event_channel_is_sound(channel))
			return fault_set(why, FAULT_BAD_INPUT,
				"params.channels: a channel has 1 to %d ASCII letters, digits and _-.:/, and \"*\" alone as its last "
				"part",
				EVENT_CHANNEL);
		if (!has(wish, channel)) wish->channels[wish->count++] = channel;
	}
	if (wish->count) return true;
	return fault_set(why, FAULT_BAD_INPUT, "params.channels: at least one channel is due, such as \"tool.*\"");
}

static bool read_filter(struct event_wish *wish, const struct scan_value *params, struct arena *arena,
	struct fault *why) {
	struct scan_value filter, least;
	struct slice word;
	if (!scan_find(params, "filter", &filter) || filter.type == SCAN_NULL) return true;
	if (filter.type != SCAN_OBJECT) return fault_set(why, FAULT_BAD_INPUT, "params.filter: an object is due");
	if (!scan_find(&filter, "min_severity", &least) || least.type == SCAN_NULL) return true;
	if (least.type == SCAN_STRING && scan_string(&least, arena, &word) && event_severity_read(word, &wish->least))
		return true;
	return fault_set(why, FAULT_BAD_INPUT, "params.filter.min_severity: one of " EVENT_SEVERITY_WORDS " is due");
}

bool event_wish_read(struct event_wish *wish, const struct scan_value *params, struct arena *arena,
	struct fault *why) {
	struct scan_value channels;
	wish->count = 0;
	wish->least = EVENT_DEBUG;
	if (params->type != SCAN_OBJECT || !scan_find(params, "channels", &channels) || channels.type != SCAN_ARRAY)
		return fault_set(why, FAULT_BAD_INPUT, "params.channels: an array of channels is due, such as [\"tool.*\"]");
	return read_channels(wish, &channels, arena, why) && read_filter(wish, params, arena, why);
}

/* ---- What a server says ---- */

static struct slice word_of(const struct scan_value *object, const char *name, struct arena *arena, size_t most) {
	struct scan_value value;
	struct slice word;
	if (!scan_find(object, name, &value) || value.type != SCAN_STRING || value.text.length > most + 2 ||
		!scan_string(&value, arena, &word) || word.length > most)
		return SLICE_NONE;
	return word;
}

bool event_claim_read(struct event_claim *claim, const struct scan_value *params, struct arena *arena) {
	struct scan_value data;
	int64_t moment;
	if (params->type != SCAN_OBJECT) return false;
	*claim = (struct event_claim){.severity = EVENT_INFO, .data = SLICE("{}")};
	claim->subscription = word_of(params, "subscription_id", arena, EVENT_SUBSCRIPTION_ID);
	claim->channel = word_of(params, "channel", arena, EVENT_CHANNEL);
	if (!claim->subscription.length || !event_channel_is_sound(claim->channel) ||
		event_channel_is_pattern(claim->channel))
		return false;
	(void)!event_severity_read(word_of(params, "severity", arena, 16), &claim->severity);
	claim->timestamp = word_of(params, "timestamp", arena, 40);
	if (!clock_read(claim->timestamp, &moment)) claim->timestamp = SLICE_NONE;
	if (!scan_find(params, "data", &data)) return true;
	if (data.type != SCAN_OBJECT) return false;
	claim->is_too_large = data.text.length > EVENT_DATA;
	if (!claim->is_too_large) claim->data = data.text;
	claim->tool = word_of(&data, "tool_name", arena, 256);
	return true;
}
