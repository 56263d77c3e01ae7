/* SPDX-License-Identifier: Apache-2.0 */
/* Answers: open requests by the hash of their envelope's id and of whom they were sent to. */
#include "room/answers.h"

#include <stdlib.h>

struct question {
	struct link in_room;
	uint64_t id_hash;
	uint64_t to_hash;
};

static struct question *find(const struct entry *entry) {
	const struct store *store = entry->room->rooms->store;
	uint64_t id_hash = store_hash(store, entry->envelope.correlation_id);
	uint64_t to_hash = store_hash(store, entry->principal->id);
	LIST_EACH(link, &entry->room->questions) {
		struct question *question = CONTAINER_OF(link, struct question, in_room);
		if (question->id_hash == id_hash && question->to_hash == to_hash) return question;
	}
	return NULL;
}

bool answers_may(const struct entry *entry) {
	const struct envelope *envelope = &entry->envelope;
	if (!entry->room->rooms->settings.restricted_may_answer) return false;
	/* A method beside the result would be a notification, or a request, in an answer's clothes. */
	if (!envelope_is_response(envelope) || envelope->body.method.type != SCAN_NONE) return false;
	return envelope->correlation_id.bytes && find(entry) != NULL;
}

static void forget(struct room *room, struct question *question) {
	list_remove(&question->in_room);
	room->question_count--;
	free(question);
}

static bool has_restricted(const struct participant *participant) {
	LIST_EACH(link, &participant->seats)
		if (CONTAINER_OF(link, struct seat, in_participant)->privilege == PRIVILEGE_RESTRICTED) return true;
	return false;
}

static void note(const struct entry *entry) {
	struct room *room = entry->room;
	const struct participant *target = map_find(&room->participants, entry->envelope.recipient);
	if (!target || !has_restricted(target)) return;
	struct question *question = malloc(sizeof *question);
	if (!question) return; /* its answer will be refused: the safe side */
	question->id_hash = entry->id_hash;
	question->to_hash = store_hash(room->rooms->store, entry->envelope.recipient);
	list_append(&room->questions, &question->in_room);
	if (++room->question_count > ANSWERS_OPEN)
		forget(room, CONTAINER_OF(room->questions.next, struct question, in_room));
}

void answers_follow(const struct entry *entry) {
	const struct envelope *envelope = &entry->envelope;
	if (!entry->room->rooms->settings.restricted_may_answer || envelope->kind != ENVELOPE_MCP) return;
	if (envelope_is_request(envelope)) {
		if (envelope->recipients == 1) note(entry);
	} else if (envelope_is_response(envelope) && envelope->correlation_id.bytes) {
		struct question *question = find(entry);
		if (question) forget(entry->room, question);
	}
}

void answers_finish(struct room *room) {
	LIST_EACH_SAFE(link, &room->questions)
		forget(room, CONTAINER_OF(link, struct question, in_room));
}
