/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Telling: the words of the gateway to one reader alone, in its dialect, sent now. Without memory the
 * seat leaves soon: what a reader is told has no gaps.
 */
#ifndef HUSTINGS_ROOM_TELLING_H
#define HUSTINGS_ROOM_TELLING_H

#include "room/island.h"

/* A JSON payload. */
void telling_send(struct seat *seat, enum envelope_kind kind, struct slice correlation_id,
	struct slice payload);
/* One of kind system that was built, perhaps without memory. */
void telling_system(struct seat *seat, const struct text *payload);
/* A whole envelope that was built, perhaps without memory. */
void telling_text(struct seat *seat, const struct text *envelope);

#endif
