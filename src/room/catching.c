/* SPDX-License-Identifier: Apache-2.0 */
/* Catching: held frames, questions to the store, and the moment when a seat becomes live. */
#include "room/catching.h"

#include "room/greeting.h"
#include "room/presence.h"
#include "room/room_log.h"
#include "room/seat.h"
#include "wire/websocket.h"

#include <stdlib.h>

struct held {
	struct frame *frame;
	size_t offset;
	size_t length;
};

struct catching {
	struct catching_wish wish;
	struct history *question; /* under way; its context is the seat */
	uint64_t upto;            /* the room's sequence when the seat was taken */
	size_t held_octets;
	size_t count;
	size_t capacity;
	struct held *held;
};

static bool ask(struct seat *seat, enum history_kind kind, uint64_t from);

void joining_hold(struct seat *seat, struct frame *frame, size_t offset, size_t length) {
	struct catching *catching = seat->catching;
	struct held *last = catching->count ? &catching->held[catching->count - 1] : NULL;
	catching->held_octets += length;
	if (catching->held_octets > seat_room(seat)->rooms->settings.max_behind) {
		seat_leave_soon(seat, WEBSOCKET_AGAIN_LATER, "the room went on faster than history was read");
		return;
	}
	if (last && last->frame == frame && last->offset + last->length == offset) {
		last->length += length;
		return;
	}
	if (catching->count == catching->capacity) {
		size_t capacity = catching->capacity ? catching->capacity * 2 : 8;
		struct held *held = realloc(catching->held, capacity * sizeof *held);
		if (!held) {
			seat_leave_soon(seat, WEBSOCKET_INTERNAL, "no memory");
			return;
		}
		catching->held = held;
		catching->capacity = capacity;
	}
	catching->held[catching->count++] = (struct held){frame_keep(frame), offset, length};
}

void joining_stop(struct seat *seat) {
	struct catching *catching = seat->catching;
	if (!catching) return;
	if (catching->question) catching->question->context = NULL; /* answered() frees it */
	for (size_t i = 0; i < catching->count; i++) frame_drop(catching->held[i].frame);
	free(catching->held);
	free(catching);
	seat->catching = NULL;
}

/* Everything before is sent: the held frames follow, and the seat is live. */
static void go_live(struct seat *seat) {
	struct catching *catching = seat->catching;
	seat->catching = NULL;
	seat->state = SEAT_LIVE;
	for (size_t i = 0; i < catching->count; i++) {
		struct held *held = &catching->held[i];
		seat->behind = seat->outlet->events->send(seat->outlet, held->frame, held->offset, held->length);
		frame_drop(held->frame);
	}
	free(catching->held);
	free(catching);
	room_log_check(seat);
}

/* The welcome, and the news of it for the others. */
static void welcome(struct seat *seat, const struct history *history) {
	greeting_send(seat, history);
	if (seat->outlet->events->joined) seat->outlet->events->joined(seat->outlet);
	struct participant *participant = seat->participant;
	if (participant->is_present) return;
	participant->is_present = true;
	presence_join(participant);
}

static void tell_gap(struct seat *seat) {
	AUTO_TEXT struct text payload = {0};
	text_init(&payload, 0);
	text_add_cstr(&payload, "{\"event\":\"gap\",\"since\":");
	text_json(&payload, slice_of(seat->catching->wish.since));
	text_add_char(&payload, '}');
	seat_say(seat, &payload);
}

/* It has missed something that it is not going to get: it is told where, and goes live. */
static void skip_rest(struct seat *seat) {
	tell_gap(seat);
	go_live(seat);
}

/* After the welcome: `since` begins, or the seat goes live. */
static void go_on(struct seat *seat) {
	if (!seat->catching->wish.since[0]) {
		go_live(seat);
		return;
	}
	seat->state = SEAT_CATCHING_UP;
	if (seat->catching->upto && seat_room(seat)->rooms->settings.history &&
		ask(seat, HISTORY_SINCE, 0))
		return;
	skip_rest(seat);
}

static void sent_since(struct seat *seat, struct history *answer) {
	if (answer->failed || !answer->found) {
		skip_rest(seat);
		return;
	}
	uint64_t last = 0;
	for (size_t i = 0; i < answer->count && !seat->is_leaving; i++) {
		if (!greeting_replay(seat, answer->records[i].text)) tell_gap(seat);
		last = answer->records[i].sequence;
	}
	if (seat->is_leaving) return; /* at the end of this pass */
	if (!answer->more)
		go_live(seat);
	else if (!ask(seat, HISTORY_SINCE, last))
		skip_rest(seat);
}

static void answered(struct history *answer) {
	struct seat *seat = answer->context;
	if (seat) {
		seat->catching->question = NULL;
		if (answer->kind == HISTORY_TAIL) {
			welcome(seat, answer->failed ? NULL : answer);
			go_on(seat);
		} else
			sent_since(seat, answer);
	}
	history_finish(answer);
	free(answer);
}

static bool ask(struct seat *seat, enum history_kind kind, uint64_t from) {
	struct catching *catching = seat->catching;
	struct slice topic = seat_room(seat)->topic;
	size_t since_length = strlen(catching->wish.since);
	struct history *question = calloc(1, sizeof *question + topic.length + since_length);
	if (!question) return false;
	char *room = (char *)(question + 1); /* both may be gone before the answer is here */
	memcpy(room, topic.bytes, topic.length);
	memcpy(room + topic.length, catching->wish.since, since_length);
	question->loop = seat_room(seat)->rooms->loop;
	question->answered = answered;
	question->context = seat;
	question->kind = kind;
	question->topic = slice_make(room, topic.length);
	question->limit = kind == HISTORY_TAIL ? catching->wish.history : HISTORY_COUNT;
	if (from == 0) question->after = slice_make(room + topic.length, since_length);
	question->from = from;
	question->upto = catching->upto;
	if (!history_ask(seat_room(seat)->rooms->store, question, NULL)) {
		free(question);
		return false;
	}
	catching->question = question;
	return true;
}

void catching_start(struct seat *seat, const struct catching_wish *wish) {
	static const struct history nothing;
	struct room *room = seat_room(seat);
	if (!wish->since[0] && !wish->history) {
		seat->state = SEAT_LIVE;
		welcome(seat, NULL);
		return;
	}
	struct catching *catching = calloc(1, sizeof *catching);
	/* What was accepted earlier in this pass must be in the spool before the store is asked. */
	if (!catching || !rooms_store_now(room->rooms)) {
		free(catching);
		seat_close(seat, WEBSOCKET_INTERNAL, "history could not be read: come back later");
		return;
	}
	catching->wish = *wish;
	catching->upto = room->sequence;
	seat->catching = catching;
	seat->state = SEAT_JOINING;
	if (room->sequence && wish->history && room->rooms->settings.history &&
		ask(seat, HISTORY_TAIL, 0))
		return;
	welcome(seat, wish->history ? &nothing : NULL);
	go_on(seat);
}
