/* SPDX-License-Identifier: Apache-2.0 */
/* Reception: a message of a seat's reader: through the gates, and the answer to its sender alone. */
#include "room/acknowledgement.h"
#include "room/admission.h"
#include "room/announcement.h"
#include "room/leaving.h"
#include "room/room_audit.h"
#include "room/room_log.h"
#include "room/seat.h"
#include "room/telling.h"
#include "wire/websocket.h"

#define PACE_PATIENCE_MS 10000 /* of nothing but pace refusals: then 1008 */

static void announce_violation(const struct entry *entry) {
	AUTO_TEXT struct text payload = {0};
	text_init(&payload, 0);
	text_add_cstr(&payload, "{\"event\":\"violation\",\"participant\":{\"id\":");
	text_add(&payload, principal_id_json(entry->principal));
	text_add_cstr(&payload, "},\"reason\":");
	text_json(&payload, slice_of(entry->message));
	text_add_char(&payload, '}');
	if (!text_failed(&payload))
		announcement_send(entry->room, ENVELOPE_SYSTEM, SLICE_NONE, text_slice(&payload));
}

/* Whether the connection lives on. */
static bool outlives_pace(struct seat *seat, const struct entry *entry) {
	uint64_t now = loop_now(entry->room->rooms->loop);
	if (!entry->gate || strcmp(entry->gate, "pace") != 0) return true;
	if (seat->participant->refused_since == 0) seat->participant->refused_since = now;
	return now - seat->participant->refused_since < PACE_PATIENCE_MS;
}

/* What is refused before the pace gate is not free: a flood of it is refused for its pace. */
static void charge(struct entry *entry) {
	static const char *const before[] = {"size", "protocol", "shape", "unique", "sender"};
	const struct rooms_settings *settings = &entry->room->rooms->settings;
	uint64_t now = loop_now(entry->room->rooms->loop) * 1000;
	for (size_t i = 0; i < COUNT_OF(before); i++) {
		if (strcmp(entry->gate, before[i]) != 0) continue;
		if (pace_take(entry->pace, &settings->pace, now, &entry->retry_after_ms)) return;
		entry->gate = "pace";
		(void)entry_refuse(entry, "rate_limited", "more than %u messages in %u ms (rooms.pace): wait",
			settings->pace.count, settings->pace.span_ms);
	}
}

static bool answer_refusal(struct seat *seat, struct entry *entry) {
	AUTO_TEXT struct text payload = {0};
	enum envelope_kind kind;
	text_init(&payload, 0);
	entry_write_refusal(entry, &kind, &payload);
	if (!text_failed(&payload)) telling_send(seat, kind, entry->envelope.id, text_slice(&payload));
	if (kind == ENVELOPE_MCP && entry->room->rooms->settings.announce_violations)
		announce_violation(entry);
	if (entry->close_code) {
		seat_close(seat, entry->close_code, entry->message);
		return false;
	}
	if (outlives_pace(seat, entry)) return true;
	seat_close(seat, WEBSOCKET_POLICY, "nothing but refused envelopes for ten seconds (rooms.pace)");
	return false;
}

/* A repetition: its sender alone hears it, as the acknowledgement it missed. The first of the two may
 * not be stored yet. */
static void echo(struct seat *seat, const struct entry *entry) {
	struct envelope_form form;
	AUTO_TEXT struct text text = {0};
	text_init(&text, 0);
	envelope_write(&entry->envelope, seat->dialect, principal_id_json(entry->principal),
		slice_make(loop_wall_text(entry->room->rooms->loop), CLOCK_TEXT_SIZE - 1), &form);
	for (size_t i = 0; i < form.count; i++) text_add(&text, form.pieces[i]);
	if (!text_failed(&text))
		acknowledgement_echo(seat, text_slice(&text));
	else
		leaving_mark(seat, LEAVING_NO_MEMORY);
}

/* An undeclared reader speaks: from now on it is spoken to in its dialect. Done before publication,
 * so that its own echo is right already. */
static void learn_dialect(struct seat *seat, const struct slice *text, struct rooms *rooms) {
	struct envelope envelope;
	struct envelope_refusal refusal;
	if (!envelope_read(&envelope, *text, &rooms->scratch, &refusal)) return;
	seat->is_declared = room_log_turn(seat, envelope.dialect);
}

bool seat_receive(struct seat *seat, struct slice text) {
	struct participant *participant = seat->participant;
	struct rooms *rooms = participant->room->rooms;
	if (seat->state == SEAT_JOINING || seat->leaving) return true;
	arena_reset(&rooms->scratch);
	if (!seat->is_declared && text.length <= rooms->settings.max_message)
		learn_dialect(seat, &text, rooms);

	struct entry entry;
	entry_clear(&entry);
	entry.room = participant->room;
	entry.text = text;
	entry.seat = seat;
	entry.participant = participant;
	entry.principal = seat->principal;
	entry.privilege = seat->privilege;
	entry.pace = &participant->pace;
	entry.proposal_pace = &participant->proposal_pace;
	if (!admission_run(&entry)) {
		charge(&entry);
		return answer_refusal(seat, &entry);
	}
	participant->refused_since = 0;
	if (entry.is_repeated && seat->echoes) echo(seat, &entry);
	return true;
}

bool seat_refuse(struct seat *seat, const char *gate, const char *word, const char *message) {
	struct entry entry = {
		.room = seat_room(seat),
		.seat = seat,
		.participant = seat->participant,
		.principal = seat->principal,
		.privilege = seat->privilege,
		.pace = &seat->participant->pace,
		.gate = gate,
	};
	(void)entry_refuse(&entry, word, "%s", message);
	counters_add(entry.room->rooms->counters,
		strcmp(gate, "size") == 0 ? COUNTER_REFUSED_SIZE : COUNTER_REFUSED_SHAPE, 1);
	room_audit_refusal(&entry);
	charge(&entry);
	return answer_refusal(seat, &entry);
}
