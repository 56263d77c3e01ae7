/* SPDX-License-Identifier: Apache-2.0 */
/* Rooms: the island's list of rooms, and its pass end: store what the pass brought, then deliver. */
#include "room/rooms.h"

#include "room/acknowledgement.h"
#include "room/pass.h"
#include "room/presence.h"
#include "room/room.h"
#include "room/room_audit.h"
#include "room/room_log.h"
#include "room/seat.h"
#include "wire/websocket.h"

#include <stdlib.h>

static void pass_end(struct loop_hook *hook);

struct rooms *rooms_open(const struct rooms_options *options, struct fault *why) {
	struct rooms *rooms = calloc(1, sizeof *rooms);
	if (!rooms) return fault_null(why, FAULT_NO_MEMORY, "no memory for the rooms");
	rooms->loop = options->loop;
	rooms->store = options->store;
	rooms->spool = store_spool(options->store, options->index);
	rooms->log = options->log;
	rooms->counters = loop_counters(options->loop);
	rooms->settings = *options->settings;
	rooms->watch = options->watch;
	map_init(&rooms->by_topic);
	list_init(&rooms->dirty);
	list_init(&rooms->syncing);
	arena_init(&rooms->scratch, rooms->lent, sizeof rooms->lent, 0);
	rooms->refusals = refusal_counts_open(rooms, why);
	if (!rooms->refusals) {
		free(rooms);
		return NULL;
	}
	rooms->pass_end.run = pass_end;
	loop_hook_add(rooms->loop, &rooms->pass_end);
	return rooms;
}

void rooms_change(struct rooms *rooms, const struct rooms_settings *settings) {
	rooms->settings = *settings;
	void *value;
	for (size_t at = 0; map_each(&rooms->by_topic, &at, &value);) room_schedule(value);
}

void rooms_drain(struct rooms *rooms) {
	rooms->is_draining = true;
	pass_end(&rooms->pass_end); /* what was said before is heard: calls that end now are told so */
	void *value;
	for (size_t at = 0; map_each(&rooms->by_topic, &at, &value);) {
		struct room *room = value;
		struct fault why;
		fault_set(&why, FAULT_NOT_READY, "the gateway is ending");
		for (struct link *link; (link = list_pop(&room->waiting));) {
			struct visitor *visitor = CONTAINER_OF(link, struct visitor, link);
			visitor->ready(visitor, NULL, &why);
		}
		seats_close(room, NULL, NULL, WEBSOCKET_GOING_AWAY, "the gateway is ending");
	}
}

void rooms_close(struct rooms *rooms) {
	if (!rooms) return;
	refusal_counts_close(rooms->refusals);
	pass_end(&rooms->pass_end);
	loop_hook_remove(&rooms->pass_end);
	void *value;
	for (size_t at = 0; map_each(&rooms->by_topic, &at, &value);) room_close(value);
	map_finish(&rooms->by_topic);
	arena_finish(&rooms->scratch);
	rooms->is_closed = true;
	if (!rooms->sync_runs) free(rooms); /* else synced() does */
}

struct room *rooms_find(struct rooms *rooms, struct slice topic) {
	return map_find(&rooms->by_topic, topic);
}

static struct room *make_room(struct rooms *rooms, struct slice topic, struct fault *why) {
	if (rooms->by_topic.count >= rooms->settings.max_rooms)
		return fault_null(why, FAULT_FULL, "there are %zu rooms, the most allowed (rooms.max_rooms)",
			rooms->by_topic.count);
	return room_open(rooms, topic, why);
}

void rooms_enter(struct rooms *rooms, struct slice topic, enum rooms_entry how,
	struct visitor *visitor) {
	list_init(&visitor->link);
	struct fault why;
	if (rooms->is_draining) {
		fault_set(&why, FAULT_NOT_READY, "the gateway is ending");
		visitor->ready(visitor, NULL, &why);
		return;
	}
	struct room *room = rooms_find(rooms, topic);
	if (!room && !(room = make_room(rooms, topic, &why))) {
		visitor->ready(visitor, NULL, &why);
		return;
	}
	if (how == ROOMS_MAKE) room->is_wanted = true;
	if (room->state == ROOM_OPEN) {
		visitor->ready(visitor, room, NULL);
		return;
	}
	list_append(&room->waiting, &visitor->link);
	if (room->state == ROOM_LOADING && !room->loading && !room_load(room, &why))
		room_failed(room, &why);
}

void rooms_forget(struct visitor *visitor) {
	if (visitor->link.next) list_remove(&visitor->link);
}

/* Whose connections end: empty and NULL mean any. */
struct revocation {
	struct slice token_id;
	struct slice id;
	const struct principal *principal;
};

static bool is_revoked(const struct revocation *revocation, const struct principal *holder) {
	if (revocation->principal) return holder == revocation->principal;
	return (!revocation->token_id.length || slice_equal(principal_text(holder, PRINCIPAL_TOKEN_ID), revocation->token_id)) &&
		(!revocation->id.length || slice_equal(holder->id, revocation->id));
}

static bool is_revoked_seat(const struct seat *seat, const void *context) {
	if (!is_revoked(context, seat->principal)) return false;
	counters_add(seat_room(seat)->rooms->counters, COUNTER_CLOSED_REVOKED, 1);
	return true;
}

/* Those that still wait to come in. */
static void revoke_joining(struct room *room, const struct revocation *revocation) {
	struct link seen;
	struct fault why;
	fault_set(&why, FAULT_REFUSED, "the token was revoked or has expired");
	list_init(&seen);
	for (struct link *link; (link = list_pop(&room->waiting));) {
		struct visitor *visitor = CONTAINER_OF(link, struct visitor, link);
		if (visitor->principal && is_revoked(revocation, visitor->principal))
			visitor->ready(visitor, NULL, &why);
		else
			list_append(&seen, link);
	}
	list_move(&room->waiting, &seen);
}

static void revoke(struct rooms *rooms, const struct revocation *revocation) {
	void *value;
	for (size_t at = 0; map_each(&rooms->by_topic, &at, &value);) {
		revoke_joining(value, revocation);
		seats_close(value, is_revoked_seat, revocation, WEBSOCKET_REVOKED,
			"the token was revoked or has expired");
	}
}

void rooms_revoke(struct rooms *rooms, struct slice token_id, struct slice id) {
	struct revocation revocation = {.token_id = token_id, .id = id};
	revoke(rooms, &revocation);
}

void rooms_expire(struct rooms *rooms, const struct principal *principal) {
	struct revocation revocation = {.principal = principal};
	revoke(rooms, &revocation);
}

void rooms_promote(struct rooms *rooms, struct slice id, struct slice topic,
	enum privilege privilege) {
	void *value;
	for (size_t at = 0; map_each(&rooms->by_topic, &at, &value);) {
		struct room *room = value;
		if (topic.length && !slice_equal(room->topic, topic)) continue;
		LIST_EACH(link, &room->waiting) {
			const struct visitor *visitor = CONTAINER_OF(link, struct visitor, link);
			if (visitor->principal && slice_equal(visitor->principal->id, id))
				*visitor->privilege = privilege;
		}
		struct participant *participant = map_find(&room->participants, id);
		if (participant) presence_promote(participant, privilege);
	}
}

/* Delivers, then sends away who lags or broke a rule; those leave words behind for the others. */
static void deliver(struct room *room) {
	room_log_deliver(room);
	acknowledgements_settle(room);
	if (room->must_schedule) room_schedule(room);
	seat_sweep(room);
}

static void deliver_all(struct rooms *rooms) {
	struct link batch; /* what comes while it is delivered is stored first, in the next round */
	list_init(&batch);
	list_move(&batch, &rooms->dirty);
	for (struct link *link; (link = list_pop(&batch));) {
		struct room *room = CONTAINER_OF(link, struct room, in_rooms);
		room->is_dirty = false;
		room_log_mark(room);
		deliver(room);
	}
}

/* What could not be stored is told to nobody: the room is closed, and forgets what it took; clients
 * come back to what the store has. */
static void close_room(struct room *room, const struct fault *why) {
	log_write(room->rooms->log, LOG_ERROR, "rooms: %.*s is closed: %s",
		SLICE_ARGS(room->topic), why->text);
	room->state = ROOM_CLOSING;
	room->is_dirty = true; /* so that it comes into no list while they leave */
	acknowledgements_fail(room, why);
	seats_close(room, NULL, NULL, WEBSOCKET_INTERNAL,
		"the store failed: what was sent last may not be kept");
	room_failed(room, why); /* whoever came back at once is told to try again */
}

/* The rooms of the commit that failed. */
static void close_unstored(struct rooms *rooms, const struct fault *why) {
	void *value;
	log_write(rooms->log, LOG_ERROR, "rooms: %s", why->text);
	for (size_t at = 0; map_each(&rooms->by_topic, &at, &value);) {
		struct room *room = value;
		if (room->gathered_in == rooms->commits + 1) close_room(room, why);
	}
	rooms->commits++;
}

static void synced(struct letter *letter) {
	struct spool_sync *sync = CONTAINER_OF(letter, struct spool_sync, letter);
	struct rooms *rooms = sync->context;
	struct link batch;
	rooms->sync_runs = false;
	if (rooms->is_closed) {
		free(rooms);
		return;
	}
	list_init(&batch);
	list_move(&batch, &rooms->syncing);
	for (struct link *link; (link = list_pop(&batch));) {
		struct room *room = CONTAINER_OF(link, struct room, in_rooms);
		room->is_syncing = false;
		if (sync->failed) {
			close_room(room, &sync->why);
			continue;
		}
		if (room->is_dirty) list_append(&rooms->dirty, &room->in_rooms);
		deliver(room);
	}
}

/* One sync at a time takes all rooms that wait; what comes meanwhile goes with the next. */
static void start_sync(struct rooms *rooms) {
	LIST_EACH(link, &rooms->dirty) {
		struct room *room = CONTAINER_OF(link, struct room, in_rooms);
		room->is_dirty = false;
		room->is_syncing = true;
		room_log_mark(room);
	}
	list_move(&rooms->syncing, &rooms->dirty);
	rooms->sync_runs = true;
	rooms->sync.context = rooms;
	spool_sync(rooms->spool, &rooms->sync, rooms->loop, synced);
}

static void pass_end(struct loop_hook *hook) {
	struct rooms *rooms = CONTAINER_OF(hook, struct rooms, pass_end);
	/* A round may send somebody away, whose leaving is news for the others: at most all leave. */
	while (rooms->has_failed || !list_is_empty(&rooms->dirty) || !spool_is_empty(rooms->spool)) {
		if (rooms->has_failed || !pass_store(rooms)) {
			rooms->has_failed = false;
			close_unstored(rooms, &rooms->failure);
			continue;
		}
		if (!rooms->settings.power_safe && list_is_empty(&rooms->syncing)) {
			deliver_all(rooms);
			continue;
		}
		if (!rooms->sync_runs && !list_is_empty(&rooms->dirty)) start_sync(rooms);
		return;
	}
}
