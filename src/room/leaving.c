/* SPDX-License-Identifier: Apache-2.0 */
/* Leaving: the reasons, with what the client is told. */
#include "room/leaving.h"

#include "room/pass.h"
#include "wire/websocket.h"

static const struct {
	unsigned code;
	const char *words;
} reasons[LEAVINGS] = {
	[LEAVING_NOT] = {WEBSOCKET_NORMAL, ""},
	[LEAVING_NO_MEMORY] = {WEBSOCKET_INTERNAL, "no memory"},
	[LEAVING_BEHIND] = {WEBSOCKET_AGAIN_LATER,
		"too far behind the room: read faster, or come back with since="},
	[LEAVING_OVERTAKEN] = {WEBSOCKET_AGAIN_LATER,
		"the room went on faster than history was read"},
};

unsigned leaving_code(enum leaving why) { return reasons[why].code; }

const char *leaving_words(enum leaving why) { return reasons[why].words; }

void leaving_mark(struct seat *seat, enum leaving why) {
	if (seat->leaving) return;
	seat->leaving = (uint8_t)why;
	seat_room(seat)->leaving++;
	pass_note(seat_room(seat)); /* so that this pass has an end */
}
