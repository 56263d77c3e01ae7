/* SPDX-License-Identifier: Apache-2.0 */
/* Participant: its place in the room's list, and its record as others see it. */
#include "room/participant.h"

#include <stdlib.h>

struct participant *participant_open(struct room *room, struct principal *principal,
	enum privilege privilege, struct fault *why) {
	size_t limit = room->rooms->settings.max_participants;
	if (room->participants.count >= limit)
		return fault_null(why, FAULT_FULL,
			"the room has %zu participants, the most allowed (rooms.max_participants)", limit);
	struct participant *participant = calloc(1, sizeof *participant);
	if (!participant) return fault_null(why, FAULT_NO_MEMORY, "no memory for another participant");
	if (!map_add(&room->participants, principal->id, participant, NULL)) {
		free(participant);
		return fault_null(why, FAULT_NO_MEMORY, "no memory for another participant");
	}
	participant->room = room;
	participant->principal = principal_keep(principal);
	participant->privilege = (uint8_t)privilege;
	participant->connected_at = loop_wall(room->rooms->loop);
	list_init(&participant->seats);
	list_append(&room->list, &participant->in_room);
	counters_add(room->rooms->counters, COUNTER_PARTICIPANTS, 1);
	return participant;
}

void participant_close(struct participant *participant) {
	struct room *room = participant->room;
	map_remove(&room->participants, participant->principal->id);
	list_remove(&participant->in_room);
	principal_drop(participant->principal);
	counters_add(room->rooms->counters, COUNTER_PARTICIPANTS, -1);
	free(participant);
}

static void write_fields(const struct principal *principal, enum privilege privilege,
	struct text *to) {
	text_add_cstr(to, "{\"id\":");
	text_add(to, principal_id_json(principal));
	struct slice name = principal_text(principal, PRINCIPAL_NAME);
	struct slice mcp_version = principal_text(principal, PRINCIPAL_MCP_VERSION);
	if (name.length) {
		text_add_cstr(to, ",\"name\":");
		text_json(to, name);
	}
	if (principal->kind != PRINCIPAL_UNSAID)
		text_printf(to, ",\"kind\":\"%s\"", principal_kind_text(principal->kind));
	if (mcp_version.length) {
		text_add_cstr(to, ",\"mcp\":{\"version\":");
		text_json(to, mcp_version);
		text_add_char(to, '}');
	}
	text_printf(to, ",\"privilege\":\"%s\"", privilege_text(privilege));
}

void participant_write_principal(const struct principal *principal, enum privilege privilege,
	struct text *to) {
	write_fields(principal, privilege, to);
	text_add_char(to, '}');
}

void participant_write(const struct participant *participant, bool connected, struct text *to) {
	write_fields(participant->principal, participant->privilege, to);
	if (connected) {
		char when[CLOCK_TEXT_SIZE];
		clock_write(participant->connected_at, when);
		text_printf(to, ",\"connectedAt\":\"%s\"", when);
	}
	text_add_char(to, '}');
}
