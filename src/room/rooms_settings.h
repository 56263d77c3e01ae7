/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rooms settings: the `[rooms]` keys as the rooms use them. A plain value; every island has its own
 * copy, replaced whole on reload.
 */
#ifndef HUSTINGS_ROOM_ROOMS_SETTINGS_H
#define HUSTINGS_ROOM_ROOMS_SETTINGS_H

#include "base/fault.h"
#include "wire/envelope.h"

/* A bucket that holds `count` and refills evenly over `span_ms`; count 0: off. */
struct pace_rate {
	uint32_t count;
	uint32_t span_ms;
};

struct rooms_settings {
	bool anyone_creates;            /* rooms.create: "anyone" | "admin" */
	enum envelope_dialect dialect;  /* rooms.dialect: of participants that did not say */
	struct pace_rate pace;          /* rooms.pace, per participant */
	struct pace_rate proposal_pace; /* rooms.proposal_pace, per participant */
	int64_t proposal_ttl_ms;        /* rooms.proposal_ttl */
	bool restricted_may_answer;     /* rooms.restricted_may_answer */
	bool one_recipient;             /* rooms.one_recipient */
	bool strict_replies;            /* rooms.strict_replies */
	bool announce_violations;       /* rooms.announce_violations */
	bool history;                   /* rooms.history; --history */
	bool power_safe;                /* rooms.durability = "power" */
	int64_t heartbeat_ms;           /* rooms.heartbeat; 0: off */
	size_t max_message;             /* gateway.max_message, octets */
	size_t max_behind;              /* gateway.max_behind, octets */
	int64_t ping_ms;                /* gateway.ping: a silent WebSocket is pinged, and closed after as long again */
	size_t max_rooms;               /* rooms.max_rooms, of this island */
	size_t max_participants;        /* rooms.max_participants, of one room */
	size_t max_connections;         /* rooms.max_connections, of one participant in one room */
	size_t max_proposals;           /* rooms.max_proposals, open ones in one room */
};

void rooms_settings_default(struct rooms_settings *settings);
/* "200/s", "10/min", "1000/h", "1/500ms" or "off". */
bool pace_rate_read(struct slice text, struct pace_rate *rate, struct fault *why) MUST_USE;

#endif
