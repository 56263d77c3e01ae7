/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Outlet: how bytes leave a room for one reader, whoever that is: a WebSocket, a face of MCP, a
 * hosted server. The room writes WebSocket text frames as a server sends them (unmasked); an outlet
 * that is no WebSocket walks their heads (outlet_texts).
 *
 * The outlet lies in its owner's struct (the door's, the kernel's). The room borrows it from
 * rooms_join() until `closed` was called or outlet_leave() (seat.h) has returned.
 */
#ifndef HUSTINGS_ROOM_OUTLET_H
#define HUSTINGS_ROOM_OUTLET_H

#include "wire/frame.h"

struct outlet;

struct outlet_events {
	/* A range of whole WebSocket frames, to be sent at once or kept (frame_keep) until it can. Called
	 * once a pass for a reader that keeps up. Answers how many octets it holds back now because its reader lags. */
	size_t (*send)(struct outlet *outlet, struct frame *frame, size_t offset, size_t length);
	/* The room lets go: close with this code and reason. The room does not touch it afterwards. */
	void (*closed)(struct outlet *outlet, unsigned code, const char *reason);
	/* The seat is taken: the welcome was sent before this. May be NULL. */
	void (*joined)(struct outlet *outlet);
};

struct outlet {
	const struct outlet_events *events;
};

/* The texts in a range that `send` was given: for (size_t at = 0; outlet_text(range, &at, &text);) */
bool outlet_text(struct slice range, size_t *at, struct slice *text);

#endif
