/* SPDX-License-Identifier: Apache-2.0 */
/* Catching: questions to the store, and the moment when a seat becomes live. */
#include "room/catching.h"

#include "room/greeting.h"
#include "room/pass.h"
#include "room/presence.h"
#include "room/room_log.h"
#include "room/seat.h"
#include "room/telling.h"
#include "wire/websocket.h"

#include <stdlib.h>

static bool ask(struct seat *seat, enum history_kind kind, uint64_t from);

/* Everything before is sent: the held frames follow, and the seat is live. */
static void go_live(struct seat *seat) {
	size_t count;
	struct held *held = holding_end(seat, &count);
	seat->state = SEAT_LIVE;
	for (size_t i = 0; i < count; i++) {
		room_log_send(seat, held[i].frame, held[i].offset, held[i].length);
		frame_drop(held[i].frame);
	}
	free(held);
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
	text_json(&payload, slice_of(holding_of(seat)->wish.since));
	text_add_char(&payload, '}');
	telling_system(seat, &payload);
}

/* It has missed something that it is not going to get: it is told where, and goes live. */
static void skip_rest(struct seat *seat) {
	tell_gap(seat);
	go_live(seat);
}

/* After the welcome: `since` begins, or the seat goes live. */
static void go_on(struct seat *seat) {
	if (!holding_of(seat)->wish.since[0]) {
		go_live(seat);
		return;
	}
	seat->state = SEAT_CATCHING_UP;
	if (holding_of(seat)->upto && seat_room(seat)->rooms->settings.history &&
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
	for (size_t i = 0; i < answer->count && !seat->leaving; i++) {
		if (!greeting_replay(seat, answer->records[i].text)) tell_gap(seat);
		last = answer->records[i].sequence;
	}
	if (seat->leaving) return; /* at the end of this pass */
	if (!answer->more)
		go_live(seat);
	else if (!ask(seat, HISTORY_SINCE, last))
		skip_rest(seat);
}

static void answered(struct history *answer) {
	struct seat *seat = answer->context;
	if (seat) {
		holding_of(seat)->question = NULL;
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
	struct catching *catching = holding_of(seat);
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
	/* What was accepted earlier in this pass must be in the spool before the store is asked. */
	if (!holding_begin(seat) || !pass_store_now(room->rooms)) {
		seat_close(seat, WEBSOCKET_INTERNAL, "history could not be read: come back later");
		return;
	}
	struct catching *catching = holding_of(seat);
	catching->wish = *wish;
	catching->upto = room->sequence;
	seat->state = SEAT_JOINING;
	if (room->sequence && wish->history && room->rooms->settings.history &&
		ask(seat, HISTORY_TAIL, 0))
		return;
	welcome(seat, wish->history ? &nothing : NULL);
	go_on(seat);
}
