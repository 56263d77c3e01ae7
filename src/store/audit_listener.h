/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Audit listener: who hears of every audit record as it is added: `audit --follow`, subscriptions,
 * the audit server, the file.
 *
 * Listeners live on loop 0. A record is copied into a letter to that loop, on whichever loop it was
 * added; nobody waits for anybody, and without a listener nothing is copied. What waits is bounded by
 * AUDIT_WAITING records and AUDIT_WAITING_OCTETS; beyond, records are left out for the listeners (not
 * for the trail) and counted. A listener hears of claims too; its own filter decides (audit_filter.h).
 *
 * A record is told when it was gathered, so a listener may have heard of one that a kill in the same
 * moment kept from being stored.
 */
#ifndef HUSTINGS_STORE_AUDIT_LISTENER_H
#define HUSTINGS_STORE_AUDIT_LISTENER_H

#include "base/list.h"
#include "store/audit_record.h"
#include "store/store.h"

#define AUDIT_WAITING 16384
#define AUDIT_WAITING_OCTETS (8LL * 1024 * 1024)

/* Lies in its owner's struct; zeroed: it listens to nothing. */
struct audit_listener {
	struct link link;
	struct audit_hub *hub; /* NULL: does not listen */
	/* On loop 0, not inside audit_add(); slices during the call. May unlisten itself and others, and
	 * may add records, of which it hears later. */
	void (*told)(struct audit_listener *listener, const struct audit_record *record, int64_t moment);
	/* So many were left out since the last call; before the next `told`. May be NULL. */
	void (*missed)(struct audit_listener *listener, uint64_t count);
	uint64_t missed_before;
};

/* `loop` is loop 0, the same each time; on its thread. It hears of records added from now on. */
bool audit_listen(struct store *store, struct loop *loop, struct audit_listener *listener,
	struct fault *why) MUST_USE;
void audit_unlisten(struct audit_listener *listener); /* one that does not listen is fine */
uint64_t audit_missed(const struct store *store);     /* in all; any thread */

/* For the files of this folder: of audit_add(), and of the store's end (letters still under way go
 * nowhere; listeners are none any more). */
void audit_tell(struct store *store, const struct slice *packed, size_t count, int64_t moment);
void audit_hub_close(struct store *store);

#endif
