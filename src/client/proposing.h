/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Proposing: asking in a room for what we may not do ourselves (MCPx v0.1 4.2), for a guest
 * (client/guest.h).
 */
#ifndef HUSTINGS_CLIENT_PROPOSING_H
#define HUSTINGS_CLIENT_PROPOSING_H

#include "base/ident.h"
#include "client/guest_options.h"

/* mcp/proposal; params is JSON text of an object or bytes NULL, reason may be empty. `id` (may be NULL)
 * takes the envelope's id. */
bool guest_propose(struct guest *guest, struct slice to, struct slice method, struct slice params,
	struct slice reason, char id[IDENT_UUID_SIZE], struct fault *why) MUST_USE;

/* For guest_intake.c. */
void proposing_take(struct guest *guest, const struct envelope *envelope,
	enum guest_moment moment, struct arena *arena);
void proposing_settled(struct guest *guest, const struct envelope *envelope, struct arena *arena);

#endif
