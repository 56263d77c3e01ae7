/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Acknowledgement: something to be told about an accepted envelope that must not be told before the
 * envelope is stored: the echo of a repetition, the answer to an injection.
 *
 * It lies in its owner's struct, which is the owner's again when `done` is called (exactly once, at
 * once where nothing waits to be stored) or acknowledgement_cancel() was.
 */
#ifndef HUSTINGS_ROOM_ACKNOWLEDGEMENT_H
#define HUSTINGS_ROOM_ACKNOWLEDGEMENT_H

#include "room/island.h"

struct acknowledgement;
/* why NULL: everything that the room had accepted is stored and delivered; else it may be lost. */
typedef void acknowledgement_fn(struct acknowledgement *acknowledgement, const struct fault *why);
struct acknowledgement {
	struct link in_room;
	uint64_t sequence;
	acknowledgement_fn *done;
};

void acknowledgement_await(struct room *room, struct acknowledgement *acknowledgement,
	acknowledgement_fn *done);
void acknowledgement_cancel(struct acknowledgement *acknowledgement);

/* Those whose envelopes are stored are told. */
void acknowledgements_settle(struct room *room);
/* All others are told why not. */
void acknowledgements_fail(struct room *room, const struct fault *why);

/* The echo of a repetition, for a seat: sent when it may be; the text is copied. Without
 * memory the seat leaves: its client comes back and asks. */
void acknowledgement_echo(struct seat *seat, struct slice text);
/* The seat goes: it is owed nothing. */
void acknowledgement_forget(struct seat *seat);

#endif
