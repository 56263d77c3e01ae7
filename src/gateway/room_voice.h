/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Room voice: something said or done in a room in somebody's name, by the gateway, because that one has decided so in
 * the inbox (docs/internals/authorization.md). It passes the gates of the room as what comes by HTTP does; what they refuse
 * is logged. Loop 0; nobody waits for it.
 */
#ifndef HUSTINGS_GATEWAY_ROOM_VOICE_H
#define HUSTINGS_GATEWAY_ROOM_VOICE_H

#include "gateway/gateway.h"

/* An envelope of kind mcp, its `from` the principal; `to` is a JSON array (empty: to all), correlation_id may be empty;
 * all are copied. */
void room_voice_say(struct gateway *gateway, struct slice principal, struct slice topic, struct slice to,
	struct slice correlation_id, struct slice payload);
/* Rejects a proposal of the room's book, if it is still pending. */
void room_voice_reject(struct gateway *gateway, struct slice principal, struct slice topic, struct slice proposal,
	struct slice reason);

#endif
