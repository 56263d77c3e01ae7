/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Publication: an accepted envelope becomes the room's: gathered for the journal, framed once per
 * dialect that has readers. Nothing is delivered before the pass end has stored it.
 */
#ifndef HUSTINGS_ROOM_PUBLICATION_H
#define HUSTINGS_ROOM_PUBLICATION_H

#include "room/island.h"

struct publication {
	struct room *room;
	const struct envelope *envelope;
	struct slice from_json; /* the sender where the envelope does not name it */
	struct slice ts;        /* the same for the time */
	bool is_kept;           /* goes into history */
	uint64_t id_hash;       /* of kept ones */
	uint64_t text_hash;
	struct seat *mute; /* a reader that does not want it; NULL */
};

/* All or nothing. False: FAULT_NO_MEMORY or FAULT_FULL (the disk). */
bool publication_make(const struct publication *publication, struct fault *why) MUST_USE;

#endif
