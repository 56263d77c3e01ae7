/* SPDX-License-Identifier: Apache-2.0 */
/* Room: opening with what the store keeps, the one timer of a room, closing. */
#include "room/room.h"

#include "room/acknowledgement.h"
#include "room/answers.h"
#include "room/participant.h"
#include "room/presence.h"
#include "room/proposals.h"
#include "room/room_log.h"
#include "room/visitor.h"
#include "room/visitors.h"

#include <stdlib.h>

struct room *room_open(struct rooms *rooms, struct slice topic, struct fault *why) {
	struct room *room = calloc(1, sizeof *room + topic.length);
	if (!room) return fault_null(why, FAULT_NO_MEMORY, "no memory for another room");
	char *name = (char *)(room + 1);
	memcpy(name, topic.bytes, topic.length);
	room->topic = slice_make(name, topic.length);
	room->rooms = rooms;
	room->state = ROOM_LOADING;
	map_init(&room->participants);
	map_init(&room->proposals_by_id);
	recent_init(&room->recent);
	list_init(&room->list);
	list_init(&room->readers);
	list_init(&room->proposals);
	list_init(&room->waiting);
	list_init(&room->visitors);
	list_init(&room->questions);
	list_init(&room->in_rooms);
	list_init(&room->owed);
	if (!map_add(&rooms->by_topic, room->topic, room, NULL)) {
		free(room);
		return fault_null(why, FAULT_NO_MEMORY, "no memory for another room");
	}
	room->idle_since = loop_now(rooms->loop);
	counters_add(rooms->counters, COUNTER_ROOMS, 1);
	return room;
}

void room_close(struct room *room) {
	struct rooms *rooms = room->rooms;
	struct fault why;
	fault_set(&why, FAULT_NOT_READY, "the room was closed before this was stored");
	acknowledgements_fail(room, &why);
	map_remove(&rooms->by_topic, room->topic);
	list_remove(&room->in_rooms);
	deadline_clear(&room->next);
	if (room->loading) room->loading->context = NULL; /* room_loaded() frees it */
	proposals_finish(room);
	visitors_finish(room);
	answers_finish(room);
	room_log_finish(room);
	recent_finish(&room->recent);
	map_finish(&room->participants);
	map_finish(&room->proposals_by_id);
	counters_add(rooms->counters, COUNTER_ROOMS, -1);
	free(room);
}

void room_failed(struct room *room, const struct fault *why) {
	struct link waiting;
	list_init(&waiting);
	list_move(&waiting, &room->waiting);
	room_close(room);
	for (struct link *link; (link = list_pop(&waiting));) {
		struct visitor *visitor = CONTAINER_OF(link, struct visitor, link);
		visitor->ready(visitor, NULL, why);
	}
}

static void room_opened(struct room *room) {
	room->state = ROOM_OPEN;
	room_schedule(room);
	for (struct link *link; (link = list_pop(&room->waiting));) {
		struct visitor *visitor = CONTAINER_OF(link, struct visitor, link);
		visitor->ready(visitor, room, NULL);
	}
}

/* What the store remembers becomes the room's: false with no memory. */
static bool take_memory(struct room *room, const struct history *answer) {
	room->sequence = room->marked = room->stored = answer->last_sequence;
	for (size_t i = 0; i < answer->recent_count; i++) {
		if (!recent_reserve(&room->recent)) return false;
		recent_add(&room->recent, answer->recent[i].id_hash, answer->recent[i].text_hash);
	}
	for (size_t i = 0; i < answer->count; i++)
		if (!proposals_restore(room, answer->records[i].text)) return false;
	return true;
}

static void room_loaded(struct history *answer) {
	struct room *room = answer->context;
	struct fault why;
	if (room) {
		room->loading = NULL;
		if (answer->failed)
			room_failed(room, &answer->why);
		else if (answer->last_sequence == 0 && !room->is_wanted) {
			fault_set(&why, FAULT_NOT_FOUND, "there is no topic %.*s", SLICE_ARGS(room->topic));
			room_failed(room, &why);
		} else if (!take_memory(room, answer)) {
			fault_set(&why, FAULT_NO_MEMORY, "no memory to open the room");
			room_failed(room, &why);
		} else
			room_opened(room);
	}
	history_finish(answer);
	free(answer);
}

bool room_load(struct room *room, struct fault *why) {
	struct history *question = calloc(1, sizeof *question + room->topic.length);
	if (!question) return fault_set(why, FAULT_NO_MEMORY, "no memory to open the room");
	memcpy(question + 1, room->topic.bytes, room->topic.length); /* it may outlive the room */
	question->loop = room->rooms->loop;
	question->answered = room_loaded;
	question->context = room;
	question->kind = HISTORY_ROOM;
	question->topic = slice_make(question + 1, room->topic.length);
	question->limit = RECENT_IDS;
	room->loading = question;
	if (history_ask(room->rooms->store, question, why)) return true;
	room->loading = NULL;
	free(question);
	return false;
}

static void time_passed(struct deadline *deadline) {
	struct room *room = CONTAINER_OF(deadline, struct room, next);
	struct rooms *rooms = room->rooms;
	uint64_t now = loop_now(rooms->loop);
	if (room->heartbeat_at && now >= room->heartbeat_at) {
		room->heartbeat_at = now + (uint64_t)rooms->settings.heartbeat_ms;
		presence_heartbeat(room);
	}
	proposals_expire(room);
	if (room->idle_since && now >= room->idle_since + ROOM_IDLE_MS && room->proposals_open == 0 &&
		!room->is_dirty && !room->is_syncing && list_is_empty(&room->waiting)) {
		room_close(room);
		return;
	}
	room_schedule(room);
}

void room_schedule(struct room *room) {
	room->must_schedule = false;
	const struct rooms *rooms = room->rooms;
	uint64_t now = loop_now(rooms->loop), at = UINT64_MAX;
	int64_t heartbeat_ms = rooms->settings.heartbeat_ms;
	if (heartbeat_ms == 0 || list_is_empty(&room->list))
		room->heartbeat_at = 0;
	else if (room->heartbeat_at == 0 || room->heartbeat_at > now + (uint64_t)heartbeat_ms)
		room->heartbeat_at = now + (uint64_t)heartbeat_ms;
	if (room->heartbeat_at) at = room->heartbeat_at;
	uint64_t expiry = proposals_next_expiry(room);
	if (expiry < at) at = expiry;
	if (room->idle_since && room->proposals_open == 0 && room->idle_since + ROOM_IDLE_MS < at)
		at = room->idle_since + ROOM_IDLE_MS;
	if (at == UINT64_MAX)
		deadline_clear(&room->next);
	else
		deadline_set(rooms->loop, &room->next, at > now ? at - now : 1, time_passed);
}

void room_note_presence(struct room *room) {
	bool is_empty = list_is_empty(&room->list);
	if (is_empty && room->idle_since == 0)
		room->idle_since = loop_now(room->rooms->loop);
	else if (!is_empty && room->idle_since)
		room->idle_since = 0;
	else if (room->heartbeat_at || room->rooms->settings.heartbeat_ms == 0)
		return;
	room_schedule(room);
}

void room_write_participants(const struct room *room, struct text *to) {
	bool is_first = true;
	text_add_char(to, '[');
	LIST_EACH(link, &room->list) {
		const struct participant *participant = CONTAINER_OF(link, struct participant, in_room);
		if (!participant->is_present) continue;
		if (!is_first) text_add_char(to, ',');
		is_first = false;
		participant_write(participant, true, to);
	}
	text_add_char(to, ']');
}
