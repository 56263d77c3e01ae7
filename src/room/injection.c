/* SPDX-License-Identifier: Apache-2.0 */
/* Injection: one entry without a seat. */
#include "room/injection.h"

#include "room/admission.h"
#include "room/visitors.h"

#include <stdio.h>

static void write_answer(const struct entry *entry, struct injection *injection) {
	const struct envelope *envelope = &entry->envelope;
	const char *now = loop_wall_text(entry->room->rooms->loop);
	snprintf(injection->id, sizeof injection->id, "%.*s", SLICE_ARGS(envelope->id));
	struct slice ts = envelope->ts.bytes ? envelope->ts : slice_of(now);
	char short_ts[CLOCK_TEXT_SIZE];
	if (ts.length >= sizeof injection->ts) { /* a fraction of very many digits */
		clock_write(envelope->moment, short_ts);
		ts = slice_of(short_ts);
	}
	snprintf(injection->ts, sizeof injection->ts, "%.*s", SLICE_ARGS(ts));
}

bool injection_run(struct room *room, struct injection *injection) {
	arena_reset(&room->rooms->scratch);
	struct participant *participant = map_find(&room->participants, injection->principal->id);
	struct speaker *speaker = participant ? NULL : visitors_find(room, injection->principal->id);
	struct entry entry = {
		.room = room,
		.text = injection->text,
		.participant = participant,
		.principal = injection->principal,
		.privilege = injection->privilege,
	};
	bool is_taken = false;
	enum envelope_kind kind;
	if (participant || speaker) {
		entry.pace = participant ? &participant->pace : &speaker->pace;
		entry.proposal_pace = participant ? &participant->proposal_pace : &speaker->proposal_pace;
		is_taken = admission_run(&entry);
	} else {
		entry.gate = "journal";
		(void)entry_refuse(&entry, "no_memory", "the gateway has no memory for it now: try again");
	}
	if (is_taken) {
		write_answer(&entry, injection);
		return true;
	}
	injection->gate = entry.gate;
	injection->retry_after_ms = entry.retry_after_ms;
	entry_write_refusal(&entry, &kind, &injection->payload);
	return false;
}
