/* SPDX-License-Identifier: Apache-2.0 */
/* Acknowledgement: a list in the order of the envelopes. */
#include "room/acknowledgement.h"

#include "room/arrears.h"
#include "room/leaving.h"
#include "room/room_log.h"

#include <stdlib.h>

void acknowledgement_await(struct room *room, struct acknowledgement *acknowledgement,
	acknowledgement_fn *done) {
	acknowledgement->done = done;
	acknowledgement->sequence = room->sequence;
	list_init(&acknowledgement->in_room);
	if (room->stored >= room->sequence)
		done(acknowledgement, NULL);
	else
		list_append(&room->owed, &acknowledgement->in_room);
}

void acknowledgement_cancel(struct acknowledgement *acknowledgement) {
	if (acknowledgement->in_room.next) list_remove(&acknowledgement->in_room);
}

void acknowledgements_settle(struct room *room) {
	while (!list_is_empty(&room->owed)) {
		struct acknowledgement *first =
			CONTAINER_OF(room->owed.next, struct acknowledgement, in_room);
		if (first->sequence > room->stored) return;
		list_remove(&first->in_room);
		first->done(first, NULL);
	}
}

void acknowledgements_fail(struct room *room, const struct fault *why) {
	for (struct link *link; (link = list_pop(&room->owed));) {
		struct acknowledgement *first = CONTAINER_OF(link, struct acknowledgement, in_room);
		first->done(first, why);
	}
}

struct echo {
	struct acknowledgement acknowledgement;
	struct link in_seat;
	struct seat *seat;
	size_t length;
	char text[];
};

static void echo_free(struct echo *echo) {
	struct seat *seat = echo->seat;
	acknowledgement_cancel(&echo->acknowledgement);
	list_remove(&echo->in_seat);
	free(echo);
	arrears_settle(seat);
}

static void echo_done(struct acknowledgement *acknowledgement, const struct fault *why) {
	struct echo *echo = CONTAINER_OF(acknowledgement, struct echo, acknowledgement);
	if (!why) room_log_tell(echo->seat, slice_make(echo->text, echo->length));
	echo_free(echo);
}

void acknowledgement_echo(struct seat *seat, struct slice text) {
	struct room *room = seat_room(seat);
	if (room->stored >= room->sequence) {
		room_log_tell(seat, text);
		return;
	}
	struct arrears *arrears = arrears_of(seat);
	struct echo *echo = arrears ? malloc(sizeof *echo + text.length) : NULL;
	if (!echo) {
		arrears_settle(seat);
		leaving_mark(seat, LEAVING_NO_MEMORY);
		return;
	}
	echo->seat = seat;
	echo->length = text.length;
	memcpy(echo->text, text.bytes, text.length);
	list_append(&arrears->echoes, &echo->in_seat);
	acknowledgement_await(room, &echo->acknowledgement, echo_done);
}

void acknowledgement_forget(struct seat *seat) {
	while (seat->arrears && !list_is_empty(&seat->arrears->echoes))
		echo_free(CONTAINER_OF(seat->arrears->echoes.next, struct echo, in_seat));
}
