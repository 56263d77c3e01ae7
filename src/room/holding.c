/* SPDX-License-Identifier: Apache-2.0 */
/* Holding: ranges of counted frames; neighbours are joined. */
#include "room/holding.h"

#include "room/arrears.h"
#include "room/leaving.h"

#include <stdlib.h>

bool holding_begin(struct seat *seat) {
	struct arrears *arrears = arrears_of(seat);
	if (!arrears) return false;
	arrears->catching = calloc(1, sizeof *arrears->catching);
	if (arrears->catching) return true;
	arrears_settle(seat);
	return false;
}

static bool holding_grow(struct catching *catching) {
	if (catching->count < catching->capacity) return true;
	size_t capacity = catching->capacity ? catching->capacity * 2 : 8;
	struct held *held = realloc(catching->held, capacity * sizeof *held);
	if (!held) return false;
	catching->held = held;
	catching->capacity = capacity;
	return true;
}

void holding_add(struct seat *seat, struct frame *frame, size_t offset, size_t length) {
	struct catching *catching = holding_of(seat);
	struct held *last = catching->count ? &catching->held[catching->count - 1] : NULL;
	catching->held_octets += length;
	if (catching->held_octets > seat_room(seat)->rooms->settings.max_behind) {
		leaving_mark(seat, LEAVING_OVERTAKEN);
		return;
	}
	if (last && last->frame == frame && last->offset + last->length == offset) {
		last->length += length;
		return;
	}
	if (!holding_grow(catching)) {
		leaving_mark(seat, LEAVING_NO_MEMORY);
		return;
	}
	catching->held[catching->count++] = (struct held){frame_keep(frame), offset, length};
}

struct held *holding_end(struct seat *seat, size_t *count) {
	struct catching *catching = TAKE(seat->arrears->catching);
	struct held *held = catching->held;
	*count = catching->count;
	free(catching);
	arrears_settle(seat);
	return held;
}

void holding_drop(struct seat *seat) {
	struct catching *catching = holding_of(seat);
	if (!catching) return;
	if (catching->question) catching->question->context = NULL; /* who answers it frees it */
	size_t count;
	struct held *held = holding_end(seat, &count);
	for (size_t i = 0; i < count; i++) frame_drop(held[i].frame);
	free(held);
}
