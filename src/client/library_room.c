/* SPDX-License-Identifier: Apache-2.0 */
/* Library room: joining, leaving, who is there, saying things. */
#include "client/library.h"
#include "client/authorization_book.h"
#include "client/library_face.h"

#include "base/secret.h"

#include <stdlib.h>

#define TOKEN_OCTETS 16384

static const char *const kinds[] = {
	[HUSTINGS_KIND_UNSAID] = NULL,
	[HUSTINGS_KIND_HUMAN] = "human",
	[HUSTINGS_KIND_AGENT] = "agent",
	[HUSTINGS_KIND_ROBOT] = "robot",
};
_Static_assert((int)HUSTINGS_KIND_ROBOT == (int)ROSTER_ROBOT, "kinds are the same numbers");
_Static_assert((int)HUSTINGS_CHOSEN == (int)GUEST_CHOSEN, "strategies are the same numbers");

/* ---- Joining ---- */

static bool give_token(void *context, struct text *token, struct fault *why) {
	const struct hustings_room *room = context;
	char given[TOKEN_OCTETS];
	given[0] = 0;
	bool is_given = room->give_token(room->token_context, given, sizeof given);
	given[sizeof given - 1] = 0;
	if (is_given) text_add_cstr(token, given);
	secret_wipe(given, sizeof given);
	return is_given || fault_set(why, FAULT_NOT_READY, "there is no token now");
}

static struct membership_options membership_of(struct hustings_room *room,
	const struct hustings_room_options *options) {
	const char *url = options->url ? options->url : getenv("HUSTINGS_URL");
	const char *token = options->token;
	if (!token && !options->give_token) token = getenv("HUSTINGS_TOKEN");
	return (struct membership_options){
		.url = url && *url ? url : "http://127.0.0.1:7410",
		.topic = options->topic,
		.token = token && *token ? token : NULL,
		.give_token = options->give_token ? give_token : NULL,
		.token_context = room,
		.id = options->id,
		.name = options->name,
		.kind = (size_t)options->kind < COUNT_OF(kinds) ? kinds[options->kind] : NULL,
		.ca = options->ca,
		.since = options->since,
		.dialect = options->speaks_v0 ? ENVELOPE_V0 : ENVELOPE_V01,
		.history = options->history < 1000 ? options->history : 1000,
		.is_mcp = true,
		.stays = !options->leaves_at_once,
		.is_patient = options->waits_for_gateway,
	};
}

static bool enter(struct hustings_room *room, const struct hustings_room_options *options,
	struct fault *why) {
	struct guest_options wishes = {
		.membership = membership_of(room, options),
		.server = room->hustings->server,
		.strategy = (enum guest_strategy)options->handshakes,
		.capabilities = SLICE("{\"extensions\":{\"" MGP_AUTHORIZATION "\":{}}}"),
		.choose = library_choose,
		.choose_context = room,
		.asked = library_face_asked,
		.asked_context = room,
		.cancelled = library_request_cancelled,
	};
	room->guest = guest_open(room->hustings->loop, &wishes, &library_guest_events, room, why);
	return room->guest && (!options->offers_chat || guest_offer_chat(room->guest, why));
}

struct hustings_room *hustings_join(struct hustings *hustings,
	const struct hustings_room_options *options, const struct hustings_room_events *events,
	void *context, struct hustings_error *error) {
	static const struct hustings_room_events none;
	struct fault why;
	struct hustings_room *room = calloc(1, sizeof *room);
	if (!room) {
		fault_set(&why, FAULT_NO_MEMORY, "no memory for a room");
		return library_error_null(error, &why);
	}
	room->hustings = hustings;
	room->events = events ? events : &none;
	room->context = context;
	room->give_token = options->give_token;
	room->token_context = options->token_context;
	list_init(&room->calls);
	list_init(&room->fetches);
	list_append(&hustings->rooms, &room->link);
	if (enter(room, options, &why)) return room;
	hustings_leave(room);
	return library_error_null(error, &why);
}

void hustings_leave(struct hustings_room *room) {
	if (!room) return;
	library_calls_end(room);
	library_fetches_end(room);
	authorization_book_left(room->hustings, room->guest);
	flow_desk_forget(room->hustings->flows, room->guest, 0);
	guest_close(room->guest);
	list_remove(&room->link);
	free(room);
}

/* ---- Who ---- */

/* The guest's slices are NUL-ended strings of its own. */
const char *hustings_id(const struct hustings_room *room) {
	return membership_id(guest_membership(room->guest)).bytes;
}
const char *hustings_topic(const struct hustings_room *room) {
	return membership_topic(guest_membership(room->guest)).bytes;
}
const char *hustings_last(const struct hustings_room *room) {
	return membership_last(guest_membership(room->guest)).bytes;
}
const char *hustings_privilege(const struct hustings_room *room) {
	return guest_privilege(room->guest).bytes;
}

bool hustings_roster(const struct hustings_room *room, size_t *at,
	struct hustings_participant *participant) {
	const struct roster *roster = guest_roster(room->guest);
	size_t position = 0;
	LIST_EACH(link, &roster->entries) {
		if (position++ < *at) continue;
		*participant = library_participant(CONTAINER_OF(link, struct roster_entry, link));
		*at = position;
		return true;
	}
	return false;
}

bool hustings_find(const struct hustings_room *room, const char *id,
	struct hustings_participant *participant) {
	const struct roster_entry *entry = roster_find(guest_roster(room->guest), slice_of(id));
	if (entry) *participant = library_participant(entry);
	return entry != NULL;
}

/* ---- Saying ---- */

bool hustings_say(struct hustings_room *room, const char *to, const char *text, bool is_markdown,
	struct hustings_error *error) {
	struct fault why;
	return guest_say(room->guest, slice_of(to), slice_of(text), is_markdown, NULL, &why) ||
		library_error(error, &why);
}
