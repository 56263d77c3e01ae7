/* SPDX-License-Identifier: Apache-2.0 */
/* Library events: each of the guest's, with strings in place of slices. An event for whose strings
 * there is no memory is not told. */
#include "client/authorization_book.h"
#include "client/authorization_outcome.h"
#include "client/authorization_room.h"
#include "client/guest_parts.h"
#include "client/library.h"

#define TELL(room, event, ...) \
	do { \
		if ((room)->events->event) (room)->events->event((room)->context, (room), ##__VA_ARGS__); \
	} while (0)

_Static_assert((int)HUSTINGS_PAST == (int)GUEST_PAST, "moments are the same numbers");

struct strings {
	struct arena arena;
	bool failed;
	char lent[1024];
};

static void strings_init(struct strings *strings) {
	arena_init(&strings->arena, strings->lent, sizeof strings->lent, 0);
	strings->failed = false;
}

static const char *add(struct strings *strings, struct slice slice) {
	return library_string(&strings->arena, slice, &strings->failed);
}

/* ---- The connection ---- */

static void joined(void *context, const struct envelope *welcome, bool again) {
	struct hustings_room *room = context;
	(void)welcome;
	TELL(room, joined, again);
}

static void lost(void *context, const struct fault *why, uint64_t again_in_ms) {
	struct hustings_room *room = context;
	struct hustings_error error;
	(void)library_error(&error, why);
	TELL(room, lost, &error, again_in_ms);
}

static void ended(void *context, const struct fault *why) {
	struct hustings_room *room = context;
	struct hustings_error error;
	(void)library_error(&error, why);
	authorization_outcome_end(room, SLICE_NONE);
	TELL(room, ended, &error);
}

static void missed(void *context) {
	struct hustings_room *room = context;
	TELL(room, missed);
}

static void drained(void *context) {
	struct hustings_room *room = context;
	TELL(room, drained);
}

static void envelope_came(void *context, const struct envelope *envelope,
	enum guest_moment moment) {
	struct hustings_room *room = context;
	const struct guest *guest = room->guest;
	TELL(room, envelope, library_json(envelope->text));
	if (!guest->is_closing) authorization_room_heard(room, envelope, moment);
}

/* ---- People ---- */

static void arrived(void *context, const struct roster_entry *entry) {
	struct hustings_room *room = context;
	struct hustings_participant participant = library_participant(entry);
	authorization_book_arrived(room->hustings, room->guest, slice_of(entry->id));
	TELL(room, arrived, &participant);
}

static void left(void *context, const struct roster_entry *entry) {
	struct hustings_room *room = context;
	struct hustings_participant participant = library_participant(entry);
	authorization_outcome_end(room, slice_of(entry->id));
	TELL(room, left, &participant);
}

bool library_choose(void *context, const struct roster_entry *entry) {
	struct hustings_room *room = context;
	struct hustings_participant participant = library_participant(entry);
	return room->events->choose && room->events->choose(room->context, room, &participant);
}

static void privilege_changed(void *context, struct slice old, struct slice now) {
	struct hustings_room *room = context;
	(void)old;
	TELL(room, privilege, now.bytes); /* the guest's own string */
}

static void tools_changed(void *context, struct slice id) {
	struct hustings_room *room = context;
	struct strings strings;
	strings_init(&strings);
	const char *participant = add(&strings, id);
	if (!strings.failed) TELL(room, tools_changed, participant);
	arena_finish(&strings.arena);
}

/* ---- Words ---- */

static void chat(void *context, const struct guest_chat *said) {
	struct hustings_room *room = context;
	struct strings strings;
	strings_init(&strings);
	struct hustings_chat told = {
		.id = add(&strings, said->id),
		.from = add(&strings, said->from.bytes ? said->from : SLICE("")),
		.text = add(&strings, said->text),
		.replies_to = add(&strings, said->correlation_id),
		.is_markdown = said->is_markdown,
		.is_to_you = said->is_to_us,
		.at = said->at,
		.moment = (enum hustings_moment)said->moment,
	};
	if (!strings.failed) TELL(room, chat, &told);
	arena_finish(&strings.arena);
}

static void proposed(void *context, const struct guest_proposal *proposal) {
	struct hustings_room *room = context;
	struct strings strings;
	strings_init(&strings);
	struct hustings_proposal told = {
		.id = add(&strings, proposal->id),
		.from = add(&strings, proposal->from.bytes ? proposal->from : SLICE("")),
		.to = add(&strings, proposal->to),
		.method = add(&strings, proposal->method),
		.params = library_json(proposal->params),
		.reason = add(&strings, proposal->reason),
		.moment = (enum hustings_moment)proposal->moment,
	};
	if (!strings.failed) TELL(room, proposed, &told);
	arena_finish(&strings.arena);
}

static void settled(void *context, const struct guest_settlement *settlement) {
	struct hustings_room *room = context;
	struct strings strings;
	strings_init(&strings);
	struct hustings_settlement told = {
		.proposal = add(&strings, settlement->proposal),
		.status = add(&strings, settlement->status),
		.by = add(&strings, settlement->by),
		.reason = add(&strings, settlement->reason),
	};
	if (!strings.failed) TELL(room, settled, &told);
	arena_finish(&strings.arena);
}

static void refused(void *context, const struct guest_refusal *refusal) {
	struct hustings_room *room = context;
	struct strings strings;
	strings_init(&strings);
	struct hustings_refusal told = {
		.id = add(&strings, refusal->id),
		.code = add(&strings, refusal->code.bytes ? refusal->code : SLICE("")),
		.message = add(&strings, refusal->message.bytes ? refusal->message : SLICE("")),
		.retry_after = refusal->retry_after_ms,
	};
	if (!strings.failed) TELL(room, refused, &told);
	arena_finish(&strings.arena);
}

const struct guest_events library_guest_events = {
	.joined = joined,
	.lost = lost,
	.ended = ended,
	.envelope = envelope_came,
	.arrived = arrived,
	.left = left,
	.chat = chat,
	.proposed = proposed,
	.settled = settled,
	.tools_changed = tools_changed,
	.privilege = privilege_changed,
	.refused = refused,
	.partly = library_ask_roster,
	.missed = missed,
	.drained = drained,
};
