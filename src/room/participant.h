/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Participant: a principal in a topic (MCPx v0 6), with one seat per connection. Lives while it has
 * a seat.
 */
#ifndef HUSTINGS_ROOM_PARTICIPANT_H
#define HUSTINGS_ROOM_PARTICIPANT_H

#include "room/island.h"

struct participant *participant_open(struct room *room, struct principal *principal,
	enum privilege privilege, struct fault *why) MUST_USE;
void participant_close(struct participant *participant); /* it has no seat any more */
/* The record of MCPx v0 6 and v0.1 4.4.1 as a JSON object: id, name, kind, mcp, privilege; with
 * `connected` also connectedAt. */
void participant_write(const struct participant *participant, bool connected, struct text *to);
/* The same of somebody who has no seat: a principal alone. */
void participant_write_principal(const struct principal *principal, enum privilege privilege,
	struct text *to);

#endif
