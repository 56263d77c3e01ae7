/* SPDX-License-Identifier: Apache-2.0 */
/* Seat: taking and giving up a place among a room's readers. */
#include "room/seat.h"

#include "room/acknowledgement.h"
#include "room/holding.h"
#include "room/leaving.h"
#include "room/participant.h"
#include "room/presence.h"
#include "room/room.h"
#include "room/room_log.h"

#include <stdlib.h>

struct seat *seat_open(struct participant *participant, struct principal *principal,
	struct outlet *outlet, struct fault *why) {
	struct room *room = participant->room;
	struct seat *seat = calloc(1, sizeof *seat);
	if (!seat) return fault_null(why, FAULT_NO_MEMORY, "no memory for another connection");
	seat->participant = participant;
	seat->principal = principal_keep(principal);
	seat->privilege = participant->privilege;
	seat->outlet = outlet;
	seat->echoes = true;
	seat->allowance = 2 * HISTORY_OCTETS;
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
	if (seat->leaving) room->leaving--;
	holding_drop(seat);
	acknowledgement_forget(seat);
	room_log_forget(seat);
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

/* Whoever is sent away may take others along: each is looked at while it is known to be there. */
void seats_close(struct room *room, seat_is_meant *is_meant, const void *context, unsigned code,
	const char *reason) {
	struct link seen;
	list_init(&seen);
	for (struct link *link; (link = list_pop(&room->readers));) {
		struct seat *seat = CONTAINER_OF(link, struct seat, in_room);
		list_append(&seen, link);
		if (!is_meant || is_meant(seat, context)) seat_close(seat, code, reason);
	}
	list_move(&room->readers, &seen);
}

void seat_sweep(struct room *room) {
	if (room->leaving == 0) return;
	struct link seen;
	list_init(&seen);
	for (struct link *link; (link = list_pop(&room->readers));) {
		struct seat *seat = CONTAINER_OF(link, struct seat, in_room);
		list_append(&seen, link);
		if (seat->leaving)
			seat_close(seat, leaving_code(seat->leaving), leaving_words(seat->leaving));
	}
	list_move(&room->readers, &seen);
}
