/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Outbox: envelopes of ours until the room has echoed them: those that wait for a connection and
 * those under way, in order. After a reconnect all of it is sent again; a room that has an envelope
 * already only echoes it, so nothing is said twice. A plain struct in its owner's. Bounded.
 */
#ifndef HUSTINGS_CLIENT_OUTBOX_H
#define HUSTINGS_CLIENT_OUTBOX_H

#include "base/fault.h"
#include "base/ident.h"
#include "base/list.h"
#include "base/map.h"

#define OUTBOX_ENVELOPES 4096
#define OUTBOX_OCTETS ((size_t)16 << 20)

struct outbox_item {
	struct link link;
	bool is_sent; /* over the connection at hand */
	size_t length;
	char id[IDENT_UUID_SIZE];
	char text[];
};

struct outbox {
	struct link items;
	struct map by_id;
	size_t octets;
};

void outbox_init(struct outbox *outbox);
void outbox_finish(struct outbox *outbox);
/* Copies. FAULT_FULL: wait for echoes. NULL on failure. */
struct outbox_item *outbox_add(struct outbox *outbox, const char id[IDENT_UUID_SIZE],
	struct slice text, struct fault *why) MUST_USE;
struct outbox_item *outbox_find(const struct outbox *outbox, struct slice id);
void outbox_remove(struct outbox *outbox, struct outbox_item *item);
void outbox_unsend(struct outbox *outbox);    /* the connection is gone: all are to be sent again */
void outbox_drop_sent(struct outbox *outbox); /* what the connection died of is not sent again */
static inline bool outbox_is_empty(const struct outbox *outbox) { return list_is_empty(&outbox->items); }

#endif
