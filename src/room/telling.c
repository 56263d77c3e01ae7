/* SPDX-License-Identifier: Apache-2.0 */
/* Telling: composed, framed and sent. */
#include "room/telling.h"

#include "room/leaving.h"
#include "room/room_log.h"

void telling_text(struct seat *seat, const struct text *envelope) {
	if (text_failed(envelope))
		leaving_mark(seat, LEAVING_NO_MEMORY);
	else
		room_log_tell(seat, text_slice(envelope));
}

void telling_send(struct seat *seat, enum envelope_kind kind, struct slice correlation_id,
	struct slice payload) {
	AUTO_TEXT struct text text = {0};
	text_init(&text, 0);
	envelope_compose(&text, seat->dialect, kind, seat->principal->id, correlation_id, payload);
	telling_text(seat, &text);
}

void telling_system(struct seat *seat, const struct text *payload) {
	if (text_failed(payload))
		leaving_mark(seat, LEAVING_NO_MEMORY);
	else
		telling_send(seat, ENVELOPE_SYSTEM, SLICE_NONE, text_slice(payload));
}
