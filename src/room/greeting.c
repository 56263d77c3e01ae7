/* SPDX-License-Identifier: Apache-2.0 */
/* Greeting: who is here, what was said. */
#include "room/greeting.h"

#include "room/participant.h"
#include "room/telling.h"

bool greeting_write_stored(struct text *to, struct slice stored, enum envelope_dialect dialect,
	struct arena *arena) {
	struct envelope envelope;
	struct envelope_refusal refusal;
	struct envelope_form form;
	if (!envelope_read(&envelope, stored, arena, &refusal)) return false;
	envelope_write(&envelope, dialect, SLICE_NONE, SLICE_NONE, &form);
	for (size_t i = 0; i < form.count; i++) text_add(to, form.pieces[i]);
	return true;
}

bool greeting_replay(struct seat *seat, struct slice stored) {
	struct arena *arena = &seat->participant->room->rooms->scratch;
	AUTO_TEXT struct text text = {0};
	text_init(&text, 0);
	arena_reset(arena);
	if (!greeting_write_stored(&text, stored, seat->dialect, arena) || text_failed(&text)) return false;
	telling_text(seat, &text);
	return true;
}

static void write_others(const struct room *room, const struct participant *self, struct text *to) {
	size_t listed = 0, total = 0;
	text_add_cstr(to, ",\"participants\":[");
	LIST_EACH(link, &room->list) {
		const struct participant *participant = CONTAINER_OF(link, struct participant, in_room);
		if (participant == self || !participant->is_present) continue;
		if (total++ >= GREETING_PARTICIPANTS) continue;
		if (listed++) text_add_char(to, ',');
		participant_write(participant, false, to);
	}
	text_add_char(to, ']');
	if (total > listed) text_printf(to, ",\"participants_total\":%zu", total);
}

static void write_history(const struct seat *seat, const struct history *history, struct text *to) {
	struct rooms *rooms = seat->participant->room->rooms;
	text_printf(to, ",\"history\":{\"enabled\":%s,\"limit\":%d",
		rooms->settings.history ? "true" : "false", GREETING_LIMIT);
	if (history) {
		text_add_cstr(to, ",\"envelopes\":[");
		for (size_t i = 0, listed = 0; i < history->count; i++) {
			size_t before = to->length;
			if (listed) text_add_char(to, ',');
			arena_reset(&rooms->scratch);
			if (greeting_write_stored(to, history->records[i].text, seat->dialect, &rooms->scratch))
				listed++;
			else
				to->length = before;
		}
		text_add_char(to, ']');
	}
	text_add_char(to, '}');
}

void greeting_send(struct seat *seat, const struct history *history) {
	const struct participant *participant = seat->participant;
	AUTO_TEXT struct text payload = {0};
	text_init(&payload, 0);
	text_add_cstr(&payload, "{\"event\":\"welcome\",\"participant\":");
	participant_write_principal(seat->principal, seat->privilege, &payload);
	write_others(participant->room, participant, &payload);
	write_history(seat, history, &payload);
	/* Who only answers can know beforehand whether that is any use (MCPx v0.1 3.1). */
	if (participant->room->rooms->settings.restricted_may_answer)
		text_add_cstr(&payload, ",\"restrictedMayAnswer\":true");
	text_printf(&payload, ",\"protocol\":\"%s\"}", envelope_dialect_text(seat->dialect));
	telling_system(seat, &payload);
}
