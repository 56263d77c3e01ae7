/* SPDX-License-Identifier: Apache-2.0 */
/* Pace: the bucket kept as one moment, so that nothing has to run to refill it. */
#include "room/pace.h"

static uint64_t interval_us(const struct pace_rate *rate) {
	return (uint64_t)rate->span_ms * 1000 / rate->count;
}

bool pace_take(struct pace *pace, const struct pace_rate *rate, uint64_t now_us,
	uint64_t *retry_after_ms) {
	if (rate->count == 0) return true;

	uint64_t each = interval_us(rate), all = each * rate->count;
	uint64_t full_at = pace->full_at_us > now_us ? pace->full_at_us : now_us;
	if (full_at + each > now_us + all) {
		*retry_after_ms = (full_at + each - now_us - all + 999) / 1000;
		return false;
	}
	pace->full_at_us = full_at + each;
	return true;
}

void pace_give(struct pace *pace, const struct pace_rate *rate) {
	if (rate->count == 0) return;
	uint64_t each = interval_us(rate);
	pace->full_at_us -= pace->full_at_us > each ? each : pace->full_at_us;
}
