/* SPDX-License-Identifier: Apache-2.0 */
/* Presence: small envelopes of the gateway's own, in the room's log with everything else. */
#include "room/presence.h"

#include "room/announcement.h"
#include "room/participant.h"
#include "room/room_audit.h"
#include "room/room_log.h"
#include "room/telling.h"

static void tell_all(struct participant *participant, const char *event) {
	AUTO_TEXT struct text payload = {0};
	text_init(&payload, 0);
	text_printf(&payload, "{\"event\":\"%s\",\"participant\":", event);
	participant_write(participant, false, &payload);
	text_add_char(&payload, '}');
	if (!text_failed(&payload))
		announcement_send(participant->room, ENVELOPE_PRESENCE, SLICE_NONE, text_slice(&payload));
}

void presence_join(struct participant *participant) {
	const struct lane *lanes = participant->room->lanes;
	uint64_t before[ENVELOPE_DIALECTS];
	for (int dialect = 0; dialect < ENVELOPE_DIALECTS; dialect++) before[dialect] = lanes[dialect].end;
	tell_all(participant, "join");
	LIST_EACH(link, &participant->seats) {
		struct seat *seat = CONTAINER_OF(link, struct seat, in_participant);
		room_log_skip(seat, before[seat->dialect], lanes[seat->dialect].end);
	}
	room_audit_presence(participant, "joined");
}

void presence_leave(struct participant *participant) {
	tell_all(participant, "leave");
	room_audit_presence(participant, "left");
}

void presence_heartbeat(struct room *room) {
	LIST_EACH(link, &room->list) {
		struct participant *participant = CONTAINER_OF(link, struct participant, in_room);
		if (participant->is_present) tell_all(participant, "heartbeat");
	}
}

static void write_change(struct text *payload, const struct participant *participant,
	enum privilege now, enum privilege before) {
	text_add_cstr(payload, "{\"event\":\"privilege\",\"participant\":{\"id\":");
	text_add(payload, principal_id_json(participant->principal));
	text_printf(payload, ",\"privilege\":\"%s\",\"oldPrivilege\":\"%s\"}}",
		privilege_text(now), privilege_text(before));
}

void presence_promote(struct participant *participant, enum privilege privilege) {
	bool is_another = participant->privilege != privilege;
	participant->privilege = (uint8_t)privilege;
	LIST_EACH(link, &participant->seats) {
		struct seat *seat = CONTAINER_OF(link, struct seat, in_participant);
		enum privilege before = seat->privilege;
		seat->privilege = (uint8_t)privilege;
		if (before == privilege || seat->state == SEAT_JOINING) continue; /* its welcome will say it */
		AUTO_TEXT struct text payload = {0};
		text_init(&payload, 0);
		write_change(&payload, participant, privilege, before);
		telling_system(seat, &payload);
	}
	/* The texts have no event for it: a heartbeat says what a participant is now. */
	if (is_another && participant->is_present) tell_all(participant, "heartbeat");
}
