/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Visitor: somebody who needs a room (rooms_enter): called once it has loaded what the store keeps of
 * it, or with a fault (FAULT_NOT_FOUND: there is no such topic and it may not be made; FAULT_FULL;
 * FAULT_NOT_READY: draining). Often called before rooms_enter() returns. Lies in the caller's struct.
 */
#ifndef HUSTINGS_ROOM_VISITOR_H
#define HUSTINGS_ROOM_VISITOR_H

#include "auth/principal.h"
#include "base/list.h"

struct room;
struct visitor;
typedef void visitor_fn(struct visitor *visitor, struct room *room, const struct fault *why);
struct visitor {
	struct link link;
	visitor_fn *ready;
	/* Who comes to take a seat: a revocation turns it away while it waits, a promotion changes its
	 * privilege. NULL: a question that takes none. */
	const struct principal *principal;
	enum privilege *privilege;
};

#endif
