/* SPDX-License-Identifier: Apache-2.0 */
/* Hosted seats: after every change, each server sits where it should. */
#include "gateway/hosted_seats.h"

#include "gateway/hosted_seat.h"

#include <stdlib.h>

struct place {
	struct link link;
	struct hosted *hosted;
	struct hosted_seat *seat;
};

struct hosted_seats {
	struct gateway *gateway;
	struct hosted_servers *servers;
	struct hosted_listener listener;
	struct link places;
	struct task settle;
	struct deadline again; /* there was no memory for a seat */
};

static struct hosted_seats *seats_of(struct hosted_listener *listener) {
	return CONTAINER_OF(listener, struct hosted_seats, listener);
}

static void give_up(struct place *place, const struct fault *why) {
	list_remove(&place->link);
	hosted_seat_close(place->seat, why);
	free(place);
}

static bool sits(const struct hosted_seats *seats, const struct hosted *hosted, const char *topic) {
	LIST_EACH(link, &seats->places) {
		const struct place *place = CONTAINER_OF(link, struct place, link);
		if (place->hosted == hosted && slice_is(hosted_seat_topic(place->seat), topic)) return true;
	}
	return false;
}

static void settle(struct task *task);

static void settle_again(struct deadline *deadline) {
	struct hosted_seats *seats = CONTAINER_OF(deadline, struct hosted_seats, again);
	deadline_clear(deadline);
	settle(&seats->settle);
}

static void sit_down(struct hosted_seats *seats, struct hosted *hosted, const char *topic) {
	struct fault why = {.code = FAULT_NO_MEMORY, .text = "no memory for a seat"};
	struct place *place = calloc(1, sizeof *place);
	if (place) place->seat = hosted_seat_open(seats->gateway, hosted, topic, &why);
	if (place && place->seat) {
		place->hosted = hosted;
		list_append(&seats->places, &place->link);
		return;
	}
	free(place);
	log_write(seats->gateway->log, LOG_ERROR, "server %.*s does not sit in room %s: %s",
		SLICE_ARGS(hosted_id(hosted)), topic, why.text);
	deadline_set(seats->gateway->loop, &seats->again, HOSTED_SEAT_AGAIN_MS, settle_again);
}

static void leave_what_is_down(struct hosted_seats *seats) {
	LIST_EACH_SAFE(link, &seats->places) {
		struct place *place = CONTAINER_OF(link, struct place, link);
		const struct hosted *hosted = place->hosted;
		enum hosted_state state = hosted_state(hosted);
		struct fault why;
		if (state == HOSTED_CONNECTED || state == HOSTED_DRAINING) continue;
		(void)fault_set(&why, FAULT_NOT_READY, "server %.*s is %s%s%s", SLICE_ARGS(hosted_id(hosted)),
			hosted_state_word(state), hosted_reason(hosted)[0] ? ": " : "", hosted_reason(hosted));
		give_up(place, &why);
	}
}

static void settle(struct task *task) {
	struct hosted_seats *seats = CONTAINER_OF(task, struct hosted_seats, settle);
	leave_what_is_down(seats);
	for (struct hosted *hosted = NULL; (hosted = hosted_next(seats->servers, hosted));) {
		const char *const *topic = hosted_settings(hosted)->rooms;
		if (hosted_state(hosted) != HOSTED_CONNECTED || seats->gateway->is_draining) continue;
		for (; topic && *topic; topic++)
			if (!sits(seats, hosted, *topic)) sit_down(seats, hosted, *topic);
	}
}

/* Put off: whoever tells of the change is not through with it, and answers those who wait first. */
static void moved(struct hosted_listener *listener, struct hosted *hosted, enum hosted_state from) {
	struct hosted_seats *seats = seats_of(listener);
	(void)hosted, (void)from;
	loop_later(seats->gateway->loop, &seats->settle, settle);
}

static void removed(struct hosted_listener *listener, struct hosted *hosted) {
	struct hosted_seats *seats = seats_of(listener);
	struct fault why;
	(void)fault_set(&why, FAULT_CLOSED, "server %.*s was removed", SLICE_ARGS(hosted_id(hosted)));
	LIST_EACH_SAFE(link, &seats->places) {
		struct place *place = CONTAINER_OF(link, struct place, link);
		if (place->hosted == hosted) give_up(place, &why);
	}
}

static void changed(struct hosted_listener *listener, struct hosted *hosted, enum hosted_kind kind) {
	LIST_EACH(link, &seats_of(listener)->places) {
		const struct place *place = CONTAINER_OF(link, struct place, link);
		if (place->hosted == hosted) hosted_seat_changed(place->seat, kind);
	}
}

struct hosted_seats *hosted_seats_open(struct gateway *gateway, struct hosted_servers *servers,
	struct fault *why) {
	struct hosted_seats *seats = calloc(1, sizeof *seats);
	if (!seats) return fault_null(why, FAULT_NO_MEMORY, "no memory for seats");
	seats->gateway = gateway;
	seats->servers = servers;
	list_init(&seats->places);
	seats->listener = (struct hosted_listener){.moved = moved, .removed = removed, .changed = changed};
	hosted_listen(servers, &seats->listener);
	return seats;
}

void hosted_seats_close(struct hosted_seats *seats) {
	struct fault why;
	if (!seats) return;
	(void)fault_set(&why, FAULT_CLOSED, "the gateway is ending");
	hosted_unlisten(&seats->listener);
	task_clear(&seats->settle);
	deadline_clear(&seats->again);
	LIST_EACH_SAFE(link, &seats->places)
		give_up(CONTAINER_OF(link, struct place, link), &why);
	free(seats);
}
