/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Asker: who may ask us for tools: a participant of a room, or the host at the other end of stdin.
 * The first member of every peer's context in this folder, so that a tool can be told.
 */
#ifndef HUSTINGS_CLIENT_ASKER_H
#define HUSTINGS_CLIENT_ASKER_H

#include "client/guest_note.h"

struct guest;

struct asker {
	struct guest *guest;    /* NULL: no room, the host on stdin */
	const char *id;         /* of the participant; "": the host */
	struct guest_note note; /* of whoever answers (guest_asker_note) */
};

#endif
