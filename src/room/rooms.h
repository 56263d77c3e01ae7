/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rooms: all rooms of one loop: opening, finding, the pass end, drain. Everything here and in the
 * headers it names is for the loop's thread; the gateway comes by mailbox.
 *
 * Owned: rooms_close() after its participants were sent away with rooms_drain().
 */
#ifndef HUSTINGS_ROOM_ROOMS_H
#define HUSTINGS_ROOM_ROOMS_H

#include "room/island.h"
#include "room/visitor.h"

struct rooms_options {
	struct loop *loop;
	struct store *store; /* borrowed; its spool `index` is the island's journal */
	unsigned index;
	struct log *log;
	const struct rooms_settings *settings; /* copied */
	struct rooms_watch watch;
};

struct rooms *rooms_open(const struct rooms_options *options, struct fault *why) MUST_USE;
void rooms_close(struct rooms *rooms);
void rooms_change(struct rooms *rooms, const struct rooms_settings *settings);
/* Everybody leaves with 1001; nobody comes in any more. */
void rooms_drain(struct rooms *rooms);

struct room *rooms_find(struct rooms *rooms, struct slice topic);

enum rooms_entry {
	ROOMS_MAKE,  /* makes the topic where it is new */
	ROOMS_KNOWN, /* only a topic that is open or has history */
};
void rooms_enter(struct rooms *rooms, struct slice topic, enum rooms_entry how,
	struct visitor *visitor);
void rooms_forget(struct visitor *visitor); /* it does not wait any more; harmless when it did not */

/* Live changes. Empty slices mean any. Revoked ones leave with 4003. */
void rooms_revoke(struct rooms *rooms, struct slice token_id, struct slice id);
/* The one connection that came in with this principal. */
void rooms_expire(struct rooms *rooms, const struct principal *principal);
/* An explicit promotion or demotion (MCPx v0.1 10.3): the participant is told, at once. */
void rooms_promote(struct rooms *rooms, struct slice id, struct slice topic,
	enum privilege privilege);

#endif
