/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Injection: an envelope that comes by HTTP (POST /v0/topics/{t}/messages): the same gates, no seat.
 */
#ifndef HUSTINGS_ROOM_INJECTION_H
#define HUSTINGS_ROOM_INJECTION_H

#include "room/island.h"

struct injection {
	const struct principal *principal; /* borrowed */
	enum privilege privilege;
	struct slice text; /* an envelope; may be written into */
	/* The answer, when accepted: what became of it is delivered at the pass end. */
	char id[ENVELOPE_NAME + 4];
	char ts[64];
	/* The answer, when refused. */
	const char *gate; /* static */
	uint64_t retry_after_ms;
	struct text payload; /* as a system error has it; the caller finishes it */
};

/* True: accepted. False: refused; gate and payload say why ("pace": 429, "privilege": 403, "sender":
 * 403, "size": 413, "journal": 507, else 400). */
bool injection_run(struct room *room, struct injection *injection) MUST_USE;

#endif
