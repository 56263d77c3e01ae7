/* SPDX-License-Identifier: Apache-2.0 */
/* Proposals: what was proposed, and what became of it. */
#include "room/proposals.h"

#include "room/announcement.h"
#include "room/pass.h"
#include "room/proposal_record.h"
#include "room/room_audit.h"

#include <stdlib.h>

static void journal(struct room *room, const struct proposal *proposal, enum spool_kind kind) {
	if (!room->rooms->settings.history) return;
	AUTO_TEXT struct text json = {0};
	struct fault why;
	text_init(&json, 0);
	proposal_write(proposal, &json);
	struct spool_record record = {
		.kind = kind,
		.moment = loop_wall(room->rooms->loop),
		.id_hash = store_hash(room->rooms->store, proposal->id),
		.topic = room->topic,
	};
	struct slice text = text_slice(&json);
	if (text_failed(&json) || !spool_add(room->rooms->spool, &record, &text, 1, &why))
		log_write(room->rooms->log, LOG_WARNING, "room: a proposal's state could not be kept");
	pass_note(room);
}

static void tell_watch(const struct room *room, const struct proposal *proposal) {
	const struct rooms_watch *watch = &room->rooms->watch;
	if (watch->changed) watch->changed(watch->context, room, proposal);
}

static struct proposal *oldest_settled(const struct room *room) {
	LIST_EACH(link, &room->proposals) {
		struct proposal *proposal = CONTAINER_OF(link, struct proposal, in_book);
		if (proposal->status != PROPOSAL_PENDING) return proposal;
	}
	return NULL;
}

static void forget(struct room *room, struct proposal *proposal) {
	map_remove(&room->proposals_by_id, proposal->id);
	list_remove(&proposal->in_book);
	room->proposals_count--;
	if (proposal->status == PROPOSAL_PENDING) {
		room->proposals_open--;
		counters_add(room->rooms->counters, COUNTER_PROPOSALS_OPEN, -1);
	}
	proposal_free(proposal);
}

static bool book(struct room *room, struct proposal *proposal) {
	while (room->proposals_count - room->proposals_open >= PROPOSALS_SHOWN)
		forget(room, oldest_settled(room));
	struct proposal *same = map_find(&room->proposals_by_id, proposal->id);
	if (same && same->status != PROPOSAL_PENDING) forget(room, same); /* of long ago */
	if (!map_add(&room->proposals_by_id, proposal->id, proposal, NULL)) return false;
	list_append(&room->proposals, &proposal->in_book);
	room->proposals_count++;
	room->proposals_open++;
	counters_add(room->rooms->counters, COUNTER_PROPOSALS, 1);
	counters_add(room->rooms->counters, COUNTER_PROPOSALS_OPEN, 1);
	return true;
}

bool proposals_have_room(struct entry *entry) {
	struct room *room = entry->room;
	size_t limit = room->rooms->settings.max_proposals;
	if (entry->envelope.kind != ENVELOPE_PROPOSAL) return true;
	const struct proposal *same = map_find(&room->proposals_by_id, entry->envelope.id);
	if (same && same->status == PROPOSAL_PENDING) {
		entry->gate = "unique";
		return entry_refuse(entry, "duplicate_id", "an open proposal of this topic has that id");
	}
	if (room->proposals_open < limit) return true;
	entry->gate = "address";
	counters_add(room->rooms->counters, COUNTER_REFUSED_ADDRESS, 1);
	return entry_refuse(entry, "too_many_proposals",
		"%zu proposals are open in this room, the most allowed (rooms.max_proposals): wait for one to be "
		"settled or withdraw one",
		limit);
}

/* The book's side of a change: status, event for the room, journal, audit. */
static void settle(struct room *room, struct proposal *proposal, enum proposal_status status,
	const struct principal *by, struct slice reason) {
	proposal_settle(proposal, status, by ? by->id : SLICE_NONE, reason,
		loop_wall(room->rooms->loop));
	room->proposals_open--;
	counters_add(room->rooms->counters, COUNTER_PROPOSALS_OPEN, -1);
	journal(room, proposal, SPOOL_SETTLED);

	AUTO_TEXT struct text payload = {0};
	text_init(&payload, 0);
	text_add_cstr(&payload, "{\"event\":\"proposal\",\"proposalId\":");
	text_json(&payload, proposal->id);
	text_printf(&payload, ",\"status\":\"%s\"", proposal_status_text(status));
	if (by) {
		text_add_cstr(&payload, ",\"by\":");
		text_add(&payload, principal_id_json(by));
	}
	if (reason.length) {
		text_add_cstr(&payload, ",\"reason\":");
		text_json(&payload, reason);
	}
	text_add_char(&payload, '}');
	if (!text_failed(&payload))
		announcement_keep(room, ENVELOPE_SYSTEM, proposal->id, text_slice(&payload));
	room_audit_proposal(room, proposal, by ? by->id : SLICE_NONE);
	tell_watch(room, proposal);
}

static void add(const struct entry *entry) {
	struct room *room = entry->room;
	int64_t now = loop_wall(room->rooms->loop);
	struct proposal *proposal = proposal_make(&entry->envelope, entry->principal->id, now,
		now + room->rooms->settings.proposal_ttl_ms);
	if (!proposal || !book(room, proposal)) {
		proposal_free(proposal);
		log_write(room->rooms->log, LOG_WARNING, "room: no memory to keep a proposal in the book");
		return;
	}
	journal(room, proposal, SPOOL_PROPOSAL);
	room_audit_proposal(room, proposal, entry->principal->id);
	tell_watch(room, proposal);
	room->must_schedule = true;
	pass_note(room);
}

/* The oldest pending one that this request is, octet for octet. */
static struct proposal *equal_proposal(const struct entry *entry) {
	LIST_EACH(link, &entry->room->proposals) {
		struct proposal *proposal = CONTAINER_OF(link, struct proposal, in_book);
		if (proposal->status == PROPOSAL_PENDING && proposal_equals(proposal, &entry->envelope))
			return proposal;
	}
	return NULL;
}

void proposals_follow(const struct entry *entry) {
	const struct envelope *envelope = &entry->envelope;
	struct room *room = entry->room;
	if (envelope->kind == ENVELOPE_PROPOSAL) {
		add(entry);
		return;
	}
	if (room->proposals_open == 0 || envelope->kind != ENVELOPE_MCP ||
		!envelope_is_request(envelope) || entry->privilege != PRIVILEGE_FULL)
		return;
	struct proposal *proposal = envelope->correlation_id.bytes
		? map_find(&room->proposals_by_id, envelope->correlation_id)
		: equal_proposal(entry);
	if (proposal && proposal->status == PROPOSAL_PENDING)
		settle(room, proposal, PROPOSAL_FULFILLED, entry->principal, SLICE_NONE);
}

bool proposals_restore(struct room *room, struct slice record) {
	struct proposal *proposal = proposal_read(record);
	if (!proposal) {
		log_write(room->rooms->log, LOG_WARNING, "room: a stored proposal could not be read: left out");
		return true;
	}
	if (book(room, proposal)) {
		tell_watch(room, proposal);
		return true;
	}
	proposal_free(proposal);
	return false;
}

void proposals_expire(struct room *room) {
	int64_t now = clock_wall_ms();
	LIST_EACH_SAFE(link, &room->proposals) {
		struct proposal *proposal = CONTAINER_OF(link, struct proposal, in_book);
		if (proposal->status == PROPOSAL_PENDING && proposal->expires_at <= now)
			settle(room, proposal, PROPOSAL_EXPIRED, NULL, SLICE_NONE);
	}
}

uint64_t proposals_next_expiry(const struct room *room) {
	int64_t first = INT64_MAX, now = clock_wall_ms();
	if (room->proposals_open == 0) return UINT64_MAX;
	LIST_EACH(link, &room->proposals) {
		const struct proposal *proposal = CONTAINER_OF(link, struct proposal, in_book);
		if (proposal->status == PROPOSAL_PENDING && proposal->expires_at < first)
			first = proposal->expires_at;
	}
	if (first == INT64_MAX) return UINT64_MAX;
	return loop_now(room->rooms->loop) + (first > now ? (uint64_t)(first - now) : 0);
}

void proposals_finish(struct room *room) {
	LIST_EACH_SAFE(link, &room->proposals)
		forget(room, CONTAINER_OF(link, struct proposal, in_book));
}

bool proposals_settle(struct room *room, struct slice id, enum proposals_verb verb,
	const struct principal *by, enum privilege privilege, struct slice reason, struct text *record,
	struct fault *why) {
	struct proposal *proposal = map_find(&room->proposals_by_id, id);
	if (!proposal)
		return fault_set(why, FAULT_NOT_FOUND, "there is no proposal %.*s in %.*s", SLICE_ARGS(id),
			SLICE_ARGS(room->topic));
	if (verb == PROPOSALS_WITHDRAW && !slice_equal(by->id, proposal->proposer))
		return fault_set(why, FAULT_REFUSED, "only its proposer, %.*s, may withdraw it",
			SLICE_ARGS(proposal->proposer));
	if (verb == PROPOSALS_REJECT && privilege != PRIVILEGE_FULL)
		return fault_set(why, FAULT_REFUSED, "only a participant with full privilege may reject it");
	if (proposal->status != PROPOSAL_PENDING)
		return fault_set(why, FAULT_EXISTS, "it is %s already", proposal_status_text(proposal->status));
	settle(room, proposal, verb == PROPOSALS_WITHDRAW ? PROPOSAL_WITHDRAWN : PROPOSAL_REJECTED, by,
		reason);
	if (record) proposal_write(proposal, record);
	return true;
}

void proposals_write(const struct room *room, const char *status, struct text *to) {
	bool is_first = true;
	text_add_char(to, '[');
	LIST_EACH(link, &room->proposals) {
		const struct proposal *proposal = CONTAINER_OF(link, struct proposal, in_book);
		if (status && strcmp(status, proposal_status_text(proposal->status)) != 0) continue;
		if (!is_first) text_add_char(to, ',');
		is_first = false;
		proposal_write(proposal, to);
	}
	text_add_char(to, ']');
}
