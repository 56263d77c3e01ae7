/* SPDX-License-Identifier: Apache-2.0 */
/* Mcp_room: came in, heard, left. */
#include "gateway/mcp_room.h"

#include "gateway/inside_uplink.h"
#include "gateway/live.h"
#include "gateway/mcp_ear.h"
#include "gateway/mcp_kept.h"
#include "gateway/mcp_result.h"
#include "gateway/mcp_room_calls.h"
#include "gateway/mcp_room_errand.h"
#include "gateway/mcp_room_island.h"
#include "gateway/mcp_room_tools.h"
#include "gateway/mcp_room_uri.h"

#include <stdio.h>
#include <stdlib.h>

/* A request that waits until its principal is in the room. */
struct waiter {
	struct link link; /* of the room's */
	struct mcp_stream_user user;
	struct deadline deadline;
	mcp_room_then *then;
	struct mcp_kept kept;
};

/* ---- Waiters ---- */

static void release_waiter(struct waiter *waiter) {
	deadline_clear(&waiter->deadline);
	list_remove(&waiter->link);
	mcp_kept_finish(&waiter->kept);
	free(waiter);
}

static void waiter_gone(struct mcp_stream_user *user) {
	release_waiter(CONTAINER_OF(user, struct waiter, user));
}

static void answer_fault(struct mcp_stream *stream, struct slice id, const struct fault *why) {
	struct mcp_stream_user user = {0};
	AUTO_TEXT struct text message = {0};
	text_init(&message, 0);
	mcp_result_write_fault(&message, id, why);
	mcp_stream_join(stream, &user, NULL);
	mcp_stream_finish(&user, exchange_fault_status(why->code), text_slice(&message));
}

static void fail_waiter(struct waiter *waiter, const struct fault *why) {
	list_remove(&waiter->link);
	answer_fault(mcp_stream_leave(&waiter->user), waiter->kept.request.message.id.text, why);
	release_waiter(waiter);
}

static void waited_in_vain(struct deadline *deadline) {
	struct fault why;
	fault_set(&why, FAULT_TIMEOUT, "the room was not reached in time: try again");
	fail_waiter(CONTAINER_OF(deadline, struct waiter, deadline), &why);
}

static void serve_waiters(struct mcp_room *room) {
	while (room->state == MCP_ROOM_INSIDE && !list_is_empty(&room->waiters)) {
		struct waiter *waiter = CONTAINER_OF(list_pop(&room->waiters), struct waiter, link);
		struct mcp_stream *stream = mcp_stream_leave(&waiter->user);
		room->used_at = loop_now(mcp_room_loop(room));
		waiter->then(room, &waiter->kept.visit, stream, &waiter->kept.request);
		release_waiter(waiter);
	}
}

static void wait(struct mcp_room *room, const struct mcp_visit *visit, struct mcp_stream *stream,
	const struct mcp_request *request, mcp_room_then *then) {
	struct fault why = {.code = FAULT_NO_MEMORY, .text = "no memory for the request: try again"};
	struct waiter *waiter = NULL;
	size_t count = 0;
	LIST_EACH(link, &room->waiters) count++;
	if (count >= MCP_ROOM_WAITERS) fault_set(&why, FAULT_FULL, "too many requests wait for the room: try again");
	else waiter = calloc(1, sizeof *waiter);
	if (waiter) list_init(&waiter->link);
	if (waiter && !mcp_kept_init(&waiter->kept, visit, request)) {
		release_waiter(waiter);
		waiter = NULL;
	}
	if (!waiter) {
		answer_fault(stream, request->message.id.text, &why);
		return;
	}
	waiter->then = then;
	list_append(&room->waiters, &waiter->link);
	mcp_stream_join(stream, &waiter->user, waiter_gone);
	deadline_set(mcp_room_loop(room), &waiter->deadline, MCP_ROOM_ENTER_MS, waited_in_vain);
}

/* ---- The end ---- */

static void free_room(struct task *task) {
	struct mcp_room *room = CONTAINER_OF(task, struct mcp_room, free_later);
	principal_drop(room->principal);
	mcp_room_said_finish(&room->said);
	free(room);
}

static void enter_state(struct mcp_room *room, enum mcp_room_state state) { room->state = state; }

/* Its memory goes at the end of the pass, as the guest's. */
static void end(struct mcp_room *room, const struct fault *why) {
	if (room->state == MCP_ROOM_OVER) return;
	enter_state(room, MCP_ROOM_OVER);
	list_remove(&room->link);
	deadline_clear(&room->idle);
	mcp_room_calls_end(room, why);
	mcp_room_tools_finish(room);
	while (!list_is_empty(&room->waiters))
		fail_waiter(CONTAINER_OF(room->waiters.next, struct waiter, link), why);
	task_clear(&room->tell_tools);
	task_clear(&room->tell_chat);
	task_clear(&room->tell_presence);
	task_clear(&room->serve);
	if (room->meeting) mcp_room_meet_no_more(room);
	guest_close(room->guest);
	loop_later(mcp_room_loop(room), &room->free_later, free_room);
}

void mcp_rooms_close(struct mcp_face *face) {
	struct fault why;
	fault_set(&why, FAULT_CLOSED, "the gateway is ending");
	while (!list_is_empty(&face->rooms))
		end(CONTAINER_OF(face->rooms.next, struct mcp_room, link), &why);
}

static bool has_session(const struct mcp_room *room) {
	LIST_EACH(link, &room->face->session_order) {
		const struct mcp_session *session = CONTAINER_OF(link, struct mcp_session, in_order);
		if (strcmp(session->target, room->target) == 0 &&
			slice_equal(session->principal->id, room->principal->id))
			return true;
	}
	return false;
}

static bool is_surveyed(const struct mcp_room *room) {
	LIST_EACH(link, &room->face->rooms) {
		const struct mcp_room *other = CONTAINER_OF(link, struct mcp_room, link);
		if (!other->is_survey && strcmp(other->topic, room->topic) == 0 && mcp_room_is_restricted(other))
			return true;
	}
	return false;
}

static bool is_needed(const struct mcp_room *room) {
	if (room->is_survey) return is_surveyed(room) || !list_is_empty(&room->listings);
	return !list_is_empty(&room->calls) || !list_is_empty(&room->waiters) ||
		!list_is_empty(&room->listings) || has_session(room) ||
		mcp_ear_is_open(room->face, slice_of(room->target), room->principal->id);
}

static void look(struct deadline *deadline) {
	struct mcp_room *room = CONTAINER_OF(deadline, struct mcp_room, idle);
	uint64_t now = loop_now(mcp_room_loop(room));
	if (is_needed(room)) room->used_at = now;
	if (now - room->used_at < MCP_ROOM_LINGER_MS) {
		deadline_set(mcp_room_loop(room), &room->idle, MCP_ROOM_LOOK_MS, look);
		return;
	}
	struct fault why;
	fault_set(&why, FAULT_CLOSED, "nobody needs it any more");
	end(room, &why);
}

/* ---- What is heard ---- */

static void serve(struct task *task) { serve_waiters(CONTAINER_OF(task, struct mcp_room, serve)); }

/* The roster and what was said lately come behind this, within the same pass. */
static void joined(void *context, const struct envelope *welcome, bool again) {
	struct mcp_room *room = context;
	(void)welcome;
	enter_state(room, MCP_ROOM_INSIDE);
	if (again) mcp_room_tools_again(room);
	loop_later(mcp_room_loop(room), &room->serve, serve);
}

/* Of a gateway that ends nobody comes back: what is still asked there is answered now. */
static void lost(void *context, const struct fault *why, uint64_t again_in_ms) {
	struct mcp_room *room = context;
	struct fault own;
	(void)why, (void)again_in_ms;
	enter_state(room, MCP_ROOM_ENTERING);
	if (!room->face->gateway->is_draining) return;
	fault_set(&own, FAULT_NOT_READY, "the gateway is ending: come back to the next one");
	end(room, &own);
}

static void ended(void *context, const struct fault *why) { end(context, why); }

static void tell_updated(const struct mcp_room *room, enum mcp_room_resource resource) {
	char uri[MCP_ROOM_URI];
	mcp_room_uri_write(uri, slice_of(room->topic), resource);
	mcp_ear_room_updated(room->face, slice_of(room->target), room->principal->id, slice_of(uri));
}

static void tell_chat(struct task *task) {
	tell_updated(CONTAINER_OF(task, struct mcp_room, tell_chat), MCP_ROOM_CHAT);
}

static void tell_presence(struct task *task) {
	tell_updated(CONTAINER_OF(task, struct mcp_room, tell_presence), MCP_ROOM_PRESENCE);
}

static void chat(void *context, const struct guest_chat *said) {
	struct mcp_room *room = context;
	mcp_room_said_add(&room->said, said);
	loop_later(mcp_room_loop(room), &room->tell_chat, tell_chat);
}

static void arrived(void *context, const struct roster_entry *entry) {
	struct mcp_room *room = context;
	mcp_room_tools_arrived(room, entry);
	loop_later(mcp_room_loop(room), &room->tell_presence, tell_presence);
}

static void left(void *context, const struct roster_entry *entry) {
	struct mcp_room *room = context;
	mcp_room_tools_left(room, slice_of(entry->id));
	mcp_room_calls_left(room, slice_of(entry->id));
	loop_later(mcp_room_loop(room), &room->tell_presence, tell_presence);
}

static void tools_changed(void *context, struct slice id) { mcp_room_tools_changed(context, id); }

static void privilege(void *context, struct slice old, struct slice now) {
	if (slice_is(old, "restricted") != slice_is(now, "restricted")) mcp_room_tools_other(context);
}

static void partly(void *context) { mcp_room_meet(context); }

static const struct guest_events guest_table = {
	.joined = joined,
	.lost = lost,
	.ended = ended,
	.envelope = mcp_room_calls_heard,
	.arrived = arrived,
	.left = left,
	.chat = chat,
	.settled = mcp_room_calls_settled,
	.tools_changed = tools_changed,
	.privilege = privilege,
	.refused = mcp_room_calls_refused,
	.partly = partly,
};

/* ---- The beginning ---- */

/* The same identity in the same topic, by whatever token. */
static bool is_sibling(const struct mcp_room *room, const struct mcp_room *other) {
	return strcmp(other->topic, room->topic) == 0 && slice_equal(other->principal->id, room->principal->id);
}

/* Whose call it is about, among the siblings. NULL: nobody's, or it could be more than one. */
static const struct mcp_room *asker_of(const struct mcp_room *room, struct slice from, struct slice about) {
	const struct mcp_room *asker = NULL;
	size_t count = 0;
	LIST_EACH(link, &room->face->rooms) {
		const struct mcp_room *other = CONTAINER_OF(link, struct mcp_room, link);
		size_t own = is_sibling(room, other) ? mcp_room_errand_count(other, from, about) : 0;
		if (own) asker = other;
		count += own;
	}
	return count == 1 ? asker : NULL;
}

/* What is about a call is for whoever called. Anything else a connection in its own right answers for
 * the identity, and where there is none, one of those that came by MCP. */
static bool is_silent(void *context, struct slice from, struct slice about) {
	const struct mcp_room *room = context;
	const struct live *live = room->face->gateway->live;
	bool sits = live && live_sits(live, room->principal->id, slice_of(room->topic));
	const struct mcp_room *asker = sits && !about.bytes ? NULL : asker_of(room, from, about);
	if (asker) return asker != room;
	if (sits) return true;
	LIST_EACH(link, &room->face->rooms) {
		const struct mcp_room *other = CONTAINER_OF(link, struct mcp_room, link);
		/* Not by the list's order, which changes while a request is on its way to all of them. */
		if (other < room && other->state == MCP_ROOM_INSIDE && is_sibling(room, other)) return true;
	}
	return false;
}

/* Callbacks of MGP come as elicitation, which mcp_call_ask() brings to every client in its own words. */
#define CAPABILITIES \
	"{\"elicitation\":{},\"sampling\":{},\"roots\":{}," \
	"\"mgp\":{\"version\":\"" MGP_VERSION "\",\"extensions\":[\"streaming\"]}}"

static bool open_guest(struct mcp_room *room, struct fault *why) {
	struct gateway *gateway = room->face->gateway;
	AUTO(uplink_maker) maker = inside_uplink_maker(gateway, room->principal,
		room->is_survey ? INSIDE_AS_HOUSE : INSIDE_AS_VISITOR, why);
	if (!maker) return false;
	const struct guest_options options = {
		.membership = {
			.maker = maker,
			.topic = room->topic,
			.kind = "agent",
			.dialect = ENVELOPE_V01,
			.history = room->is_survey ? 0 : MCP_ROOM_SAID,
			.is_beside = true,
			.stays = true,
		},
		.slows_down = true,
		.most_listed = MCP_ROOM_LIST_OCTETS,
		.forgets_lists = true,
		.is_silent_now = is_silent,
		.silent_context = room,
		.asked = mcp_room_errand_asked,
		.asked_context = room,
		.cancelled = mcp_room_errand_withdrawn,
		.cancelled_context = room,
		.capabilities = SLICE(CAPABILITIES),
	};
	room->guest = guest_open(gateway->loop, &options, &guest_table, room, why);
	return room->guest != NULL;
}

static struct mcp_room *open_room(struct mcp_face *face, struct principal *principal,
	struct slice topic, bool is_survey, struct fault *why) {
	struct mcp_room *room = calloc(1, sizeof *room);
	if (!room) return fault_null(why, FAULT_NO_MEMORY, "no memory for a room");
	room->face = face;
	room->principal = principal_keep(principal);
	room->is_survey = is_survey;
	snprintf(room->topic, sizeof room->topic, "%.*s", SLICE_ARGS(topic));
	snprintf(room->target, sizeof room->target, MCP_TARGET_ROOM "%s", room->topic);
	list_init(&room->waiters);
	list_init(&room->shelves);
	list_init(&room->listings);
	list_init(&room->calls);
	mcp_room_said_init(&room->said);
	if (!open_guest(room, why)) {
		principal_drop(room->principal);
		free(room);
		return NULL;
	}
	list_append(&face->rooms, &room->link);
	room->used_at = loop_now(mcp_room_loop(room));
	deadline_set(mcp_room_loop(room), &room->idle, MCP_ROOM_LOOK_MS, look);
	return room;
}

/* The same identity, as this token has it. Two that have no id of their own may be of different length. */
static bool is_same(const struct principal *a, const struct principal *b) {
	return a->privilege == b->privilege && a->expires_at == b->expires_at && a->is_admin == b->is_admin &&
		slice_equal(a->id, b->id) &&
		slice_equal(principal_text(a, PRINCIPAL_TOKEN_ID), principal_text(b, PRINCIPAL_TOKEN_ID)) &&
		slice_equal(principal_text(a, PRINCIPAL_TOPICS), principal_text(b, PRINCIPAL_TOPICS));
}

static struct mcp_room *find(struct mcp_face *face, const struct principal *principal,
	struct slice topic, bool is_survey) {
	LIST_EACH(link, &face->rooms) {
		struct mcp_room *room = CONTAINER_OF(link, struct mcp_room, link);
		if (room->is_survey != is_survey || !is_same(room->principal, principal) ||
			!slice_is(topic, room->topic))
			continue;
		list_remove(&room->link);
		list_append(&face->rooms, &room->link);
		room->used_at = loop_now(mcp_room_loop(room));
		return room;
	}
	return NULL;
}

/* The least recently used that nobody needs, nor a request at hand; `of` NULL: anybody's. */
static struct mcp_room *find_free(const struct mcp_face *face, const struct principal *of) {
	uint64_t now = loop_now(face->gateway->loop);
	LIST_EACH(link, &face->rooms) {
		struct mcp_room *room = CONTAINER_OF(link, struct mcp_room, link);
		bool is_meant = !of || slice_equal(room->principal->id, of->id);
		if (is_meant && room->used_at != now && !is_needed(room)) return room;
	}
	return NULL;
}

static bool make_place(struct mcp_face *face, const struct principal *principal, bool is_survey,
	struct fault *why) {
	size_t count = 0, owned = 0;
	LIST_EACH(link, &face->rooms) {
		const struct mcp_room *room = CONTAINER_OF(link, struct mcp_room, link);
		count++;
		owned += slice_equal(room->principal->id, principal->id);
	}
	bool has_many = owned >= MCP_ROOMS_OF_ONE && !is_survey;
	if (!has_many && count < MCP_ROOMS) return true;
	struct mcp_room *leaves = find_free(face, has_many ? principal : NULL);
	if (!leaves)
		return fault_set(why, FAULT_FULL, "%zu rooms are in use through MCP: try again later",
			has_many ? owned : count);
	struct fault replaced;
	fault_set(&replaced, FAULT_CLOSED, "another room has taken its place");
	end(leaves, &replaced);
	return true;
}

static struct mcp_room *need(struct mcp_face *face, struct principal *principal, struct slice topic,
	bool is_survey, struct fault *why) {
	struct mcp_room *room = find(face, principal, topic, is_survey);
	if (room) return room;
	if (face->gateway->is_draining)
		return fault_null(why, FAULT_NOT_READY, "the gateway is ending: come back to the next one");
	if (!make_place(face, principal, is_survey, why)) return NULL;
	return open_room(face, principal, topic, is_survey, why);
}

void mcp_room_enter(const struct mcp_visit *visit, struct mcp_stream *stream,
	const struct mcp_request *request, mcp_room_then *then) {
	struct slice topic = visit->target;
	struct fault why;
	topic = slice_make(topic.bytes + strlen(MCP_TARGET_ROOM), topic.length - strlen(MCP_TARGET_ROOM));
	struct mcp_room *room = need(visit->face, visit->principal, topic, false, &why);
	if (!room) answer_fault(stream, request->message.id.text, &why);
	else if (room->state == MCP_ROOM_INSIDE && list_is_empty(&room->waiters)) then(room, visit, stream, request);
	else wait(room, visit, stream, request, then);
}

struct mcp_room *mcp_room_survey(struct mcp_room *room, struct fault *why) {
	const struct principal_facts facts = {
		.kind = PRINCIPAL_AGENT,
		.privilege = PRIVILEGE_FULL,
		.id = SLICE(MCP_ROOM_SURVEY),
		.name = SLICE("Lists tools for those who may not ask"),
	};
	if (!mcp_room_is_restricted(room)) return room;
	AUTO(principal) principal = principal_make(&facts, why);
	return principal ? need(room->face, principal, slice_of(room->topic), true, why) : NULL;
}
