/* SPDX-License-Identifier: Apache-2.0 */
/* Presence: small envelopes of the gateway's own, in the room's log with everything else. */
#include "room/presence.h"

#include "room/announcement.h"
#include "room/participant.h"
#include "room/room_audit.h"
#include "room/room_log.h"
#include "room/seat.h"

static void tell_all(struct participant *participant, const char *event) {
	AUTO_TEXT struct text payload;
	text_init(&payload, 0);
	text_printf(&payload, "{\"event\":\"%s\",\"participant\":", event);
	participant_write(participant, false, &payload);
	text_add_char(&payload, '}');
	if (!text_failed(&payload))
		announcement_send(participant->room, ENVELOPE_PRESENCE, SLICE_NONE, text_slice(&payload));
}

void presence_join(struct participant *participant, struct seat *newcomer) {
	struct lane *lane = &participant->room->lanes[newcomer->dialect];
	uint64_t before = lane->end;
	tell_all(participant, "join");
	room_log_skip(newcomer, before, lane->end);
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

void presence_promote(struct participant *participant, enum privilege privilege) {
	enum privilege before = participant->privilege;
	if (before == privilege) return;
	participant->privilege = privilege;
	AUTO_TEXT struct text payload;
	text_init(&payload, 0);
	text_add_cstr(&payload, "{\"event\":\"privilege\",\"participant\":{\"id\":");
	text_add(&payload, participant->principal->id_json);
	text_printf(&payload, ",\"privilege\":\"%s\",\"oldPrivilege\":\"%s\"}}",
		privilege_text(privilege), privilege_text(before));
	if (text_failed(&payload)) return;
	LIST_EACH(link, &participant->seats)
		seat_tell(CONTAINER_OF(link, struct seat, in_participant), SLICE_NONE, text_slice(&payload));
}
