/* SPDX-License-Identifier: Apache-2.0 */
/* Announcement: composed once, published like any envelope. */
#include "room/announcement.h"

#include "room/publication.h"

static void announce(struct room *room, enum envelope_kind kind, struct slice correlation_id,
	struct slice payload, bool is_kept) {
	char scratch[1024];
	AUTO_TEXT struct text text = {0};
	struct arena arena;
	struct envelope envelope;
	struct envelope_refusal refusal;
	text_init(&text, 0);
	arena_init(&arena, scratch, sizeof scratch, 0);
	envelope_compose(&text, ENVELOPE_V01, kind, SLICE_NONE, correlation_id, payload);
	if (!text_failed(&text) && envelope_read(&envelope, text_slice(&text), &arena, &refusal)) {
		struct publication publication = {.room = room, .envelope = &envelope, .is_kept = is_kept};
		if (!publication_make(&publication, NULL))
			log_write(room->rooms->log, LOG_WARNING, "room: no memory for an announcement");
	}
	arena_finish(&arena);
}

void announcement_send(struct room *room, enum envelope_kind kind, struct slice correlation_id,
	struct slice payload) {
	announce(room, kind, correlation_id, payload, false);
}

void announcement_keep(struct room *room, enum envelope_kind kind, struct slice correlation_id,
	struct slice payload) {
	announce(room, kind, correlation_id, payload, room->rooms->settings.history);
}
