/* SPDX-License-Identifier: Apache-2.0 */
/* Audit listener: a hub that is counted by the letters under way to it. */
#include "store/audit_listener.h"

#include "store/store_parts.h"

#include <stdatomic.h>
#include <stdlib.h>

struct audit_hub {
	struct loop *loop;
	struct link listeners;
	struct link *next;        /* to be told next; while a letter is told */
	struct link *now;         /* being told; NULL: nobody, or it has ended meanwhile */
	_Atomic unsigned users;   /* letters under way, and the store */
	_Atomic size_t listening; /* how many */
	_Atomic unsigned waiting;
	_Atomic int64_t waiting_octets;
	_Atomic uint64_t missed;
};

struct audit_letter {
	struct letter letter;
	struct audit_hub *hub; /* kept */
	int64_t moment;
	size_t length; /* of the packed record, behind the struct */
};

static void hub_drop(struct audit_hub *hub) {
	if (atomic_fetch_sub(&hub->users, 1) == 1) free(hub);
}

/* ---- Listeners ---- */

static struct audit_hub *hub_open(struct store *store, struct loop *loop) {
	struct audit_hub *hub = atomic_load(&store->audit_hub);
	if (hub || !(hub = calloc(1, sizeof *hub))) return hub;
	hub->loop = loop;
	hub->users = 1;
	list_init(&hub->listeners);
	atomic_store(&store->audit_hub, hub);
	return hub;
}

bool audit_listen(struct store *store, struct loop *loop, struct audit_listener *listener,
	struct fault *why) {
	struct audit_hub *hub = hub_open(store, loop);
	if (!hub) return fault_set(why, FAULT_NO_MEMORY, "no memory to listen to the audit trail");
	listener->hub = hub;
	listener->missed_before = atomic_load(&hub->missed);
	list_append(&hub->listeners, &listener->link);
	atomic_fetch_add(&hub->listening, 1);
	return true;
}

void audit_unlisten(struct audit_listener *listener) {
	struct audit_hub *hub = TAKE(listener->hub);
	if (!hub) return;
	if (hub->next == &listener->link) hub->next = listener->link.next;
	if (hub->now == &listener->link) hub->now = NULL;
	list_remove(&listener->link);
	atomic_fetch_sub(&hub->listening, 1);
}

void audit_hub_close(struct store *store) {
	struct audit_hub *hub = atomic_exchange(&store->audit_hub, NULL);
	if (!hub) return;
	LIST_EACH_SAFE(link, &hub->listeners)
		audit_unlisten(CONTAINER_OF(link, struct audit_listener, link));
	hub_drop(hub);
}

uint64_t audit_missed(const struct store *store) {
	struct audit_hub *hub = atomic_load(&((struct store *)store)->audit_hub);
	return hub ? atomic_load(&hub->missed) : 0;
}

/* ---- Letters ---- */

static void tell_one(struct audit_hub *hub, struct audit_listener *listener,
	const struct audit_record *record, int64_t moment) {
	uint64_t missed = atomic_load(&hub->missed);
	uint64_t more = missed - listener->missed_before;
	listener->missed_before = missed;
	if (more && listener->missed) listener->missed(listener, more);
	if (hub->now) listener->told(listener, record, moment);
}

static void deliver(struct letter *posted) {
	struct audit_letter *letter = CONTAINER_OF(posted, struct audit_letter, letter);
	struct audit_hub *hub = letter->hub;
	struct audit_record record;
	atomic_fetch_sub(&hub->waiting, 1);
	atomic_fetch_sub(&hub->waiting_octets, (int64_t)letter->length);
	if (audit_unpack(slice_make(letter + 1, letter->length), &record)) {
		for (struct link *link = hub->listeners.next; link != &hub->listeners; link = hub->next) {
			hub->next = link->next;
			hub->now = link;
			tell_one(hub, CONTAINER_OF(link, struct audit_listener, link), &record, letter->moment);
		}
		hub->next = hub->now = NULL;
	}
	free(letter);
	hub_drop(hub);
}

static struct audit_letter *letter_make(struct audit_hub *hub, const struct slice *packed, size_t count,
	size_t length) {
	struct audit_letter *letter = malloc(sizeof *letter + length);
	if (!letter) return NULL;
	char *at = (char *)(letter + 1);
	for (size_t i = 0; i < count; i++) {
		if (packed[i].length) memcpy(at, packed[i].bytes, packed[i].length);
		at += packed[i].length;
	}
	letter->hub = hub;
	letter->length = length;
	return letter;
}

/* Counts it among those that wait. False: there is no place for it. */
static bool place_take(struct audit_hub *hub, size_t length) {
	unsigned waiting = atomic_fetch_add(&hub->waiting, 1);
	int64_t octets = atomic_fetch_add(&hub->waiting_octets, (int64_t)length);
	if (waiting < AUDIT_WAITING && octets + (int64_t)length <= AUDIT_WAITING_OCTETS) return true;
	atomic_fetch_sub(&hub->waiting, 1);
	atomic_fetch_sub(&hub->waiting_octets, (int64_t)length);
	return false;
}

void audit_tell(struct store *store, const struct slice *packed, size_t count, int64_t moment) {
	struct audit_hub *hub = atomic_load_explicit(&store->audit_hub, memory_order_acquire);
	if (!hub || atomic_load_explicit(&hub->listening, memory_order_relaxed) == 0) return;
	size_t length = 0;
	for (size_t i = 0; i < count; i++) length += packed[i].length;
	if (!place_take(hub, length)) {
		atomic_fetch_add(&hub->missed, 1);
		return;
	}
	struct audit_letter *letter = letter_make(hub, packed, count, length);
	atomic_fetch_add(&hub->users, 1);
	if (letter) letter->moment = moment;
	if (letter && mailbox_post(hub->loop, &letter->letter, deliver)) return;
	free(letter);
	atomic_fetch_sub(&hub->waiting, 1);
	atomic_fetch_sub(&hub->waiting_octets, (int64_t)length);
	atomic_fetch_add(&hub->missed, 1);
	hub_drop(hub);
}
