/* SPDX-License-Identifier: Apache-2.0 */
/* Fuzz target: params of mgp/events/subscribe, or of an event that a server tells. What is read is within its bounds,
 * and what is told of it is JSON that is read as the same again. */
#include "kernel/event_window.h"
#include "kernel/event_wish.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds) {
	if (!holds) abort();
}

static void read_wish(const struct scan_value *params, struct arena *arena) {
	struct event_wish wish;
	struct fault why = {0};
	if (!event_wish_read(&wish, params, arena, &why)) {
		require(why.code != 0 && slice_starts_with(slice_of(why.text), "params."));
		return;
	}
	require(wish.count >= 1 && wish.count <= EVENT_CHANNELS && wish.least < EVENT_SEVERITIES);
	for (size_t i = 0; i < wish.count; i++) {
		struct slice channel = wish.channels[i];
		require(event_channel_is_sound(channel) && channel.length <= EVENT_CHANNEL);
		require(event_channel_is_pattern(channel) || event_channel_covers(channel, channel));
		for (size_t j = 0; j < i; j++) require(!slice_equal(channel, wish.channels[j]));
	}
}

static void read_claim(const struct scan_value *params, struct arena *arena) {
	struct event_claim claim, again;
	AUTO_TEXT struct text tail = {0}, text = {0};
	struct scan_value root;
	struct scan_fault fault;
	if (!event_claim_read(&claim, params, arena)) return;
	require(claim.subscription.length >= 1 && claim.subscription.length <= EVENT_SUBSCRIPTION_ID);
	require(event_channel_is_sound(claim.channel) && !event_channel_is_pattern(claim.channel));
	require(claim.data.length <= EVENT_DATA && claim.severity < EVENT_SEVERITIES);
	text_init(&tail, 0);
	text_init(&text, 0);
	text_printf(&tail, ",\"channel\":\"%.*s\",\"timestamp\":\"%.*s\",\"severity\":\"%s\",\"data\":%.*s}", SLICE_ARGS(claim.channel),
		SLICE_ARGS(claim.timestamp), event_severity_word(claim.severity), SLICE_ARGS(claim.data));
	struct event *event = event_make(text_slice(&tail));
	require(event != NULL);
	event_write(&text, event, "sub-1", 1);
	event_drop(event);
	require(scan_check(text_slice(&text), SCAN_DEPTH, &root, &fault) && event_claim_read(&again, &root, arena));
	require(slice_equal(again.channel, claim.channel) && slice_equal(again.timestamp, claim.timestamp) &&
		again.severity == claim.severity && slice_equal(again.data, claim.data) && (claim.is_too_large || slice_equal(again.tool, claim.tool)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	struct scan_value root;
	struct scan_fault fault;
	struct arena arena;
	if (!scan_check(slice_make(data, size), SCAN_DEPTH, &root, &fault)) return 0;
	arena_init(&arena, NULL, 0, 0);
	read_wish(&root, &arena);
	read_claim(&root, &arena);
	arena_finish(&arena);
	return 0;
}
