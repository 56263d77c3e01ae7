/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Guest intake: what comes for a guest (client/guest.h), on its way to whoever makes something of it.
 */
#ifndef HUSTINGS_CLIENT_GUEST_INTAKE_H
#define HUSTINGS_CLIENT_GUEST_INTAKE_H

#include "client/guest_options.h"

/* The answer of GET .../participants, a JSON object: who is not known yet has arrived. */
void guest_meet(struct guest *guest, struct slice answer);

/* For guest.c: what its membership and its roster call. */
extern const struct membership_events guest_membership_events;
extern const struct roster_events guest_roster_events;

#endif
