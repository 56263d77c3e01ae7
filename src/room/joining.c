/* SPDX-License-Identifier: Apache-2.0 */
/* Joining: from a wish to a live seat. */
#include "room/joining.h"

#include "room/participant.h"
#include "room/room.h"
#include "room/room_log.h"
#include "room/seat.h"
#include "wire/websocket.h"

static void replace_connections(struct participant *participant, const struct seat *by) {
	LIST_EACH_SAFE(link, &participant->seats) {
		struct seat *seat = CONTAINER_OF(link, struct seat, in_participant);
		if (seat == by || (seat->is_beside && !by->is_house)) continue;
		counters_add(participant->room->rooms->counters, COUNTER_CLOSED_REPLACED, 1);
		seat_close(seat, WEBSOCKET_REPLACED, "replaced: the same id came in again");
	}
}

/* The newest connection speaks for the participant: its name, kind and privilege are shown. */
static void take_over(struct participant *participant, struct joining *joining) {
	struct principal *before = participant->principal;
	participant->principal = principal_keep(joining->principal);
	participant->privilege = (uint8_t)joining->privilege;
	map_rekey(&participant->room->participants, participant->principal->id);
	principal_drop(before);
}

/* Decides what becomes of connections that the same identity has already (DESIGN: one identity,
 * several connections). NULL: why. */
static struct seat *take_seat(struct room *room, struct joining *joining, struct fault *why) {
	struct participant *participant = map_find(&room->participants, joining->principal->id);
	bool is_new = !participant;
	if (is_new) participant = participant_open(room, joining->principal, joining->privilege, why);
	if (!participant) return NULL;
	size_t limit = room->rooms->settings.max_connections;
	bool adds = joining->is_beside || joining->principal->kind == PRINCIPAL_HUMAN;
	if (!is_new && adds && participant->seat_count >= limit)
		return fault_null(why, FAULT_FULL,
			"%zu connections of this identity, the most allowed (rooms.max_connections)", limit);
	struct seat *seat = seat_open(participant, joining->principal, joining->outlet, why);
	if (!seat) {
		if (is_new) participant_close(participant);
		return NULL;
	}
	seat->privilege = (uint8_t)joining->privilege;
	seat->is_beside = joining->is_beside;
	seat->is_house = joining->is_house;
	if (!is_new && !joining->is_beside) {
		if (!adds) replace_connections(participant, seat);
		take_over(participant, joining);
	}
	return seat;
}

static void dress_seat(struct seat *seat, const struct joining *joining) {
	if (joining->has_dialect) seat->is_declared = room_log_turn(seat, joining->dialect);
	seat->echoes = !joining->is_mute;
}

static void room_ready(struct visitor *visitor, struct room *room, const struct fault *fault) {
	struct joining *joining = CONTAINER_OF(visitor, struct joining, visitor);
	struct fault why;
	if (!room) {
		joining->seated(joining, NULL, fault);
		return;
	}
	struct seat *seat = take_seat(room, joining, &why);
	if (!seat) {
		room_note_presence(room);
		joining->seated(joining, NULL, &why);
		return;
	}
	dress_seat(seat, joining);
	room_note_presence(room);
	/* `joining` is the caller's again after this: take what is still needed. */
	struct catching_wish wish = {.history = joining->history};
	memcpy(wish.since, joining->since, sizeof wish.since);
	joining->seated(joining, seat, NULL);
	catching_start(seat, &wish);
}

void joining_start(struct joining *joining, struct rooms *rooms, struct slice topic) {
	joining->rooms = rooms;
	joining->visitor.ready = room_ready;
	joining->visitor.principal = joining->principal;
	joining->visitor.privilege = &joining->privilege;
	bool may_make = rooms->settings.anyone_creates || joining->may_make;
	rooms_enter(rooms, topic, may_make ? ROOMS_MAKE : ROOMS_KNOWN, &joining->visitor);
}

void joining_cancel(struct joining *joining) { rooms_forget(&joining->visitor); }
