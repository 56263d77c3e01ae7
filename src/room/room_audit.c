/* SPDX-License-Identifier: Apache-2.0 */
/* Room audit: records into the island's spool, and the minute's counts. */
#include "room/room_audit.h"

#include "store/audit.h"

#include <stdio.h>
#include <stdlib.h>

#define MINUTE_MS 60000

struct refusal_count {
	struct slice key; /* gate, topic and principal in this allocation, NUL between them */
	struct slice gate, topic, actor;
	char word[32];
	int64_t count; /* since the last record */
};

struct refusal_counts {
	struct rooms *rooms;
	struct map by_key;
	struct deadline minute;
};

static void write_record(struct rooms *rooms, const struct audit_record *record) {
	struct fault why;
	if (!audit_add(rooms->spool, record, &why))
		log_write(rooms->log, LOG_WARNING, "audit: a record was not written: %s", why.text);
}

static void write_refusal(struct rooms *rooms, const struct refusal_count *count, int64_t times,
	struct slice detail) {
	struct audit_record record = {
		.event = SLICE("refused"),
		.actor = count->actor,
		.topic = count->topic,
		.gate = count->gate,
		.result = slice_of(count->word),
		.detail = detail,
		.count = times,
	};
	write_record(rooms, &record);
}

static void forget(struct refusal_counts *counts, struct refusal_count *count) {
	map_remove(&counts->by_key, count->key);
	free(count);
}

static void minute_passed(struct deadline *deadline) {
	struct refusal_counts *counts = CONTAINER_OF(deadline, struct refusal_counts, minute);
	void *value;
	for (size_t at = 0; map_each(&counts->by_key, &at, &value);) {
		struct refusal_count *count = value;
		if (count->count) {
			write_refusal(counts->rooms, count, count->count, SLICE("counted over a minute"));
			count->count = 0;
		} else
			forget(counts, count);
	}
	if (counts->by_key.count)
		deadline_set(counts->rooms->loop, &counts->minute, MINUTE_MS, minute_passed);
}

struct refusal_counts *refusal_counts_open(struct rooms *rooms, struct fault *why) {
	struct refusal_counts *counts = calloc(1, sizeof *counts);
	if (!counts) return fault_null(why, FAULT_NO_MEMORY, "no memory for the rooms");
	counts->rooms = rooms;
	map_init(&counts->by_key);
	return counts;
}

void refusal_counts_close(struct refusal_counts *counts) {
	void *value;
	deadline_clear(&counts->minute);
	for (size_t at = 0; map_each(&counts->by_key, &at, &value);) {
		struct refusal_count *count = value;
		if (count->count) write_refusal(counts->rooms, count, count->count, SLICE_NONE);
		forget(counts, count);
	}
	map_finish(&counts->by_key);
	free(counts);
}

static struct slice place(char **at, struct slice from) {
	struct slice copy = {*at, from.length};
	memcpy(*at, from.bytes, from.length);
	*at += from.length + 1;
	return copy;
}

/* NULL: no memory. */
static struct refusal_count *count_open(const struct entry *entry) {
	struct slice gate = slice_of(entry->gate), topic = entry->room->topic, actor = entry->principal->id;
	size_t length = gate.length + topic.length + actor.length + 3;
	struct refusal_count *count = calloc(1, sizeof *count + length);
	if (!count) return NULL;
	char *at = (char *)(count + 1);
	count->key = slice_make(at, length);
	count->gate = place(&at, gate);
	count->topic = place(&at, topic);
	count->actor = place(&at, actor);
	snprintf(count->word, sizeof count->word, "%s", entry->word);
	return count;
}

void room_audit_refusal(const struct entry *entry) {
	struct rooms *rooms = entry->room->rooms;
	struct refusal_counts *counts = rooms->refusals;
	struct refusal_count *count = count_open(entry);
	if (!count) return;
	struct refusal_count *known = map_find(&counts->by_key, count->key);
	if (known) {
		known->count++;
		free(count);
		return;
	}
	write_refusal(rooms, count, 1, slice_of(entry->message));
	if (counts->by_key.count >= REFUSALS_COUNTED || !map_add(&counts->by_key, count->key, count, NULL)) {
		free(count);
		return;
	}
	if (counts->minute.at == 0)
		deadline_set(rooms->loop, &counts->minute, MINUTE_MS, minute_passed);
}

void room_audit_presence(const struct participant *participant, const char *event) {
	struct audit_record record = {
		.event = slice_of(event),
		.actor = participant->principal->id,
		.topic = participant->room->topic,
		.result = slice_of(privilege_text(participant->privilege)),
	};
	write_record(participant->room->rooms, &record);
}

void room_audit_proposal(const struct room *room, const struct proposal *proposal, struct slice by) {
	struct audit_record record = {
		.event = SLICE("proposal"),
		.actor = by,
		.topic = room->topic,
		.target = proposal->id,
		.result = slice_of(proposal_status_text(proposal->status)),
	};
	write_record(room->rooms, &record);
}
