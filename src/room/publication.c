/* SPDX-License-Identifier: Apache-2.0 */
/* Publication: the one place where an envelope enters a room's log and journal. */
#include "room/publication.h"

#include "room/pass.h"
#include "room/room_log.h"

/* What is stored: the envelope as filled in, in its own dialect. */
static bool journal(const struct publication *publication, const struct envelope_form *form,
	struct fault *why) {
	struct room *room = publication->room;
	const struct envelope *envelope = publication->envelope;
	struct spool_record record = {
		.kind = SPOOL_ENVELOPE,
		.sequence = room->sequence + 1,
		.moment = envelope->ts.bytes ? envelope->moment : loop_wall(room->rooms->loop),
		.id_hash = publication->id_hash,
		.text_hash = publication->text_hash,
		.topic = room->topic,
	};
	if (record.id_hash == 0) record.id_hash = store_hash(room->rooms->store, envelope->id);
	if (!spool_reserve(room->rooms->spool, form->length, why)) return false;
	if (!spool_add(room->rooms->spool, &record, form->pieces, form->count, why)) return false;
	room->sequence++;
	room->gathered_in = room->rooms->commits + 1;
	return true;
}

bool publication_make(const struct publication *publication, struct fault *why) {
	struct room *room = publication->room;
	enum envelope_dialect own = publication->envelope->dialect;
	uint64_t ends[ENVELOPE_DIALECTS];
	struct envelope_form form;
	for (int dialect = 0; dialect < ENVELOPE_DIALECTS; dialect++) {
		ends[dialect] = room->lanes[dialect].end;
		if (room->lanes[dialect].readers == 0) continue;
		envelope_write(publication->envelope, dialect, publication->from_json, publication->ts, &form);
		if (room_log_add(room, dialect, form.pieces, form.count, form.length)) continue;
		for (int done = 0; done < dialect; done++) room_log_cut(room, done, ends[done]);
		return fault_set(why, FAULT_NO_MEMORY, "no memory to pass the envelope on");
	}
	if (publication->is_kept) {
		envelope_write(publication->envelope, own, publication->from_json, publication->ts, &form);
		if (!journal(publication, &form, why)) {
			for (int done = 0; done < ENVELOPE_DIALECTS; done++) room_log_cut(room, done, ends[done]);
			return false;
		}
	}
	if (publication->mute) {
		enum envelope_dialect heard = publication->mute->dialect;
		room_log_skip(publication->mute, ends[heard], room->lanes[heard].end);
	}
	pass_note(room);
	return true;
}
