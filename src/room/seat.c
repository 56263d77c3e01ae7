/* SPDX-License-Identifier: Apache-2.0 */
/* Seat: taking and giving up a place among a room's readers. */
#include "room/seat.h"

#include "room/joining.h"
#include "room/participant.h"
#include "room/presence.h"
#include "room/room.h"
#include "room/room_log.h"
#include "room/rooms.h"

#include <stdlib.h>

struct seat *seat_open(struct participant *participant, struct principal *principal,
	struct outlet *outlet, struct fault *why) {
	struct room *room = participant->room;
	struct seat *seat = calloc(1, sizeof *seat);
	if (!seat) return fault_null(why, FAULT_NO_MEMORY, "no memory for another connection");
	seat->participant = participant;
	seat->principal = principal_keep(principal);
	seat->outlet = outlet;
	seat->echoes = true;
	list_append(&participant->seats, &seat->in_participant);
	participant->seat_count++;
	list_append(&room->readers, &seat->in_room);
	seat->dialect = (uint8_t)room->rooms->settings.dialect;
	room->lanes[seat->dialect].readers++;
	seat->start = room->lanes[seat->dialect].end;
	return seat;
}

static void seat_free(struct seat *seat) {
	struct participant *participant = seat->participant;
	struct room *room = participant->room;
	list_remove(&seat->in_room);
	list_remove(&seat->in_participant);
	room->lanes[seat->dialect].readers--;
	if (seat->is_leaving) room->leaving--;
	joining_stop(seat);
	free(seat->skips);
	principal_drop(seat->principal);
	free(seat);
	if (--participant->seat_count > 0) return;
	if (participant->is_present) presence_leave(participant);
	participant_close(participant);
	room_note_presence(room);
}

void seat_leave(struct seat *seat) { seat_free(seat); }

void seat_close(struct seat *seat, unsigned code, const char *reason) {
	struct outlet *outlet = seat->outlet;
	seat_free(seat);
	outlet->events->closed(outlet, code, reason);
}

void seat_leave_soon(struct seat *seat, unsigned code, const char *reason) {
	if (seat->is_leaving) return;
	seat->is_leaving = true;
	seat->close_code = (uint16_t)code;
	seat->close_reason = reason;
	seat_room(seat)->leaving++;
	rooms_dirty(seat_room(seat)); /* so that this pass has an end */
}

void seat_sweep(struct room *room) {
	while (room->leaving > 0) {
		struct seat *found = NULL;
		LIST_EACH(link, &room->readers) {
			struct seat *seat = CONTAINER_OF(link, struct seat, in_room);
			if (!seat->is_leaving) continue;
			found = seat;
			break;
		}
		seat_close(found, found->close_code, found->close_reason);
	}
}

void seat_tell(struct seat *seat, struct slice correlation_id, struct slice payload) {
	AUTO_TEXT struct text text;
	text_init(&text, 0);
	envelope_compose(&text, seat->dialect, ENVELOPE_SYSTEM, seat->principal->id, correlation_id,
		payload);
	if (!text_failed(&text)) room_log_tell(seat, text_slice(&text));
}
