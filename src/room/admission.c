/* SPDX-License-Identifier: Apache-2.0 */
/* Admission: the run through the gates, and publication. */
#include "room/admission.h"

#include "room/answers.h"
#include "room/entry_gates.h"
#include "room/proposals.h"
#include "room/publication.h"
#include "room/room_audit.h"

/* What the house cannot take is not held against who sent it. */
static void give_back(const struct entry *entry) {
	const struct rooms_settings *settings = &entry->room->rooms->settings;
	pace_give(entry->pace, &settings->pace);
	if (entry->envelope.kind == ENVELOPE_PROPOSAL)
		pace_give(entry->proposal_pace, &settings->proposal_pace);
}

static bool publish(struct entry *entry) {
	struct room *room = entry->room;
	struct fault why;
	why.code = FAULT_NO_MEMORY; /* all else is written with it: this is every envelope's way */
	struct publication publication = {
		.room = room,
		.envelope = &entry->envelope,
		.from_json = principal_id_json(entry->principal),
		.ts = slice_make(loop_wall_text(room->rooms->loop), CLOCK_TEXT_SIZE - 1),
		.is_kept = room->rooms->settings.history,
		.id_hash = entry->id_hash,
		.text_hash = entry->text_hash,
		.mute = entry->seat && !entry->seat->echoes ? entry->seat : NULL,
	};
	if (recent_reserve(&room->recent) && publication_make(&publication, &why)) {
		recent_add(&room->recent, entry->id_hash, entry->text_hash);
		counters_add(room->rooms->counters, COUNTER_ENVELOPES_IN, 1);
		return true;
	}
	entry->gate = "journal";
	give_back(entry);
	if (why.code == FAULT_NO_MEMORY)
		return entry_refuse(entry, "no_memory", "the gateway has no memory for it now: try again");
	counters_add(room->rooms->counters, COUNTER_STORAGE_FULL, 1);
	return entry_refuse(entry, why.code == FAULT_FULL ? "storage_full" : "storage_failed",
		"not taken, nobody got it: %s", why.text);
}

bool admission_run(struct entry *entry) {
	if (!entry_gates_ask(entry)) {
		room_audit_refusal(entry);
		return false;
	}
	if (entry->is_repeated) return true;
	if (!proposals_have_room(entry) || !publish(entry)) {
		room_audit_refusal(entry);
		return false;
	}
	proposals_follow(entry);
	answers_follow(entry);
	return true;
}
