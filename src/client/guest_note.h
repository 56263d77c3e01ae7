/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Guest note: what whoever answers keeps about a participant that asks (client/guest.h), since its
 * handshake and until it leaves. A plain struct, zero at first; it lies with what the guest knows of
 * that participant.
 */
#ifndef HUSTINGS_CLIENT_GUEST_NOTE_H
#define HUSTINGS_CLIENT_GUEST_NOTE_H

#include "mcp/mgp.h"

struct guest_note {
	unsigned abilities;    /* bits of whoever answers: what it can be asked */
	struct mgp_agreed mgp; /* with this participant */
	void *client;          /* of whoever answers, who frees it when it hears `forgot` (client/guest_options.h) */
};

#endif
