/* SPDX-License-Identifier: Apache-2.0 */
/* Room log: framing once, delivering to many; the fan-out's inner loop. */
#include "room/room_log.h"

#include "room/joining.h"
#include "room/seat.h"
#include "wire/websocket.h"

#include <stdlib.h>

#define LANE_WORTHWHILE 4096 /* octets left in a frame that make it worth keeping */

static struct lane_piece *last_piece(struct lane *lane) {
	return lane->count ? &lane->pieces[lane->count - 1] : NULL;
}

/* A piece with room for `length` octets more; NULL: no memory. */
static struct lane_piece *piece_with_room(struct room *room, struct lane *lane, size_t length) {
	struct lane_piece *last = last_piece(lane);
	if (last && frame_room(last->frame) >= length) return last;

	if (lane->count == lane->capacity) {
		unsigned capacity = lane->capacity ? lane->capacity * 2 : 2;
		struct lane_piece *pieces = realloc(lane->pieces, capacity * sizeof *pieces);
		if (!pieces) return NULL;
		lane->pieces = pieces;
		lane->capacity = capacity;
	}
	struct frame *frame = frame_open(loop_pool(room->rooms->loop), length);
	if (!frame) return NULL;
	lane->pieces[lane->count++] = (struct lane_piece){frame, 0, 0, lane->end};
	return last_piece(lane);
}

bool room_log_add(struct room *room, enum envelope_dialect dialect, const struct slice *pieces,
	size_t count, size_t length) {
	struct lane *lane = &room->lanes[dialect];
	char head[10];
	size_t head_length = websocket_head(head, WEBSOCKET_OP_TEXT, length);
	struct lane_piece *piece = piece_with_room(room, lane, head_length + length);
	if (!piece) return false;

	frame_add(piece->frame, head, head_length);
	for (size_t i = 0; i < count; i++) frame_add(piece->frame, pieces[i].bytes, pieces[i].length);
	piece->end = piece->frame->used;
	lane->end += head_length + length;
	return true;
}

void room_log_cut(struct room *room, enum envelope_dialect dialect, uint64_t end) {
	struct lane *lane = &room->lanes[dialect];
	while (lane->count && last_piece(lane)->position >= end && lane->end > end) {
		lane->end = last_piece(lane)->position;
		frame_drop(last_piece(lane)->frame);
		lane->count--;
	}
	if (lane->end <= end) return;
	struct lane_piece *piece = last_piece(lane);
	piece->end = piece->start + (uint32_t)(end - piece->position);
	piece->frame->used = piece->end;
	lane->end = end;
}

void room_log_mark(struct room *room) {
	for (int dialect = 0; dialect < ENVELOPE_DIALECTS; dialect++)
		room->lanes[dialect].ready = room->lanes[dialect].end;
	room->marked = room->sequence;
}

/* ---- Delivery ---- */

/* What a reader still reads of the lane that it has turned away from. */
struct past {
	uint64_t start;
	uint64_t end;
	struct skips *skips;
	enum envelope_dialect dialect;
};

/* One reader's way through a lane. Readers that keep up all want the same range: it is counted once. */
struct delivery {
	struct seat *seat;
	const struct skips *skips;
	const struct frame *counted;
	size_t offset;
	size_t length;
	int64_t texts;
	int64_t delivered;
};

static int64_t count_texts(struct delivery *delivery, const struct frame *frame, size_t offset,
	size_t length) {
	if (delivery->counted == frame && delivery->offset == offset && delivery->length == length)
		return delivery->texts;
	struct slice text, range = slice_make(frame->bytes + offset, length);
	int64_t texts = 0;
	for (size_t at = 0; outlet_text(range, &at, &text);) texts++;
	delivery->counted = frame;
	delivery->offset = offset;
	delivery->length = length;
	delivery->texts = texts;
	return texts;
}

static void send_range(struct delivery *delivery, struct lane_piece *piece, uint64_t from,
	uint64_t to) {
	struct seat *seat = delivery->seat;
	size_t offset = piece->start + (size_t)(from - piece->position), length = (size_t)(to - from);
	delivery->delivered += count_texts(delivery, piece->frame, offset, length);
	if (seat->catching)
		joining_hold(seat, piece->frame, offset, length);
	else
		seat->behind = seat->outlet->events->send(seat->outlet, piece->frame, offset, length);
}

/* The same without the ranges that the reader skips; those lie in order. */
static void send_between(struct delivery *delivery, struct lane_piece *piece, uint64_t from,
	uint64_t to) {
	const struct skips *skips = delivery->skips;
	for (unsigned i = 0; skips && i < skips->count && from < to; i++) {
		if (skips->ranges[i].end <= from) continue;
		if (skips->ranges[i].start >= to) break;
		if (skips->ranges[i].start > from)
			send_range(delivery, piece, from, skips->ranges[i].start);
		from = skips->ranges[i].end;
	}
	if (from < to) send_range(delivery, piece, from, to);
}

static void deliver_lane(struct delivery *delivery, struct lane *lane, uint64_t start, uint64_t end) {
	for (unsigned i = 0; i < lane->count; i++) {
		struct lane_piece *piece = &lane->pieces[i];
		uint64_t from = piece->position, to = piece->position + (piece->end - piece->start);
		if (from < start) from = start;
		if (to > end) to = end;
		if (from < to) send_between(delivery, piece, from, to);
	}
}

static void past_free(struct seat *seat) {
	if (!seat->past) return;
	free(seat->past->skips);
	free(seat->past);
	seat->past = NULL;
}

/* What it had to get in its old dialect lies before everything in its new one. */
static void deliver_past(struct delivery *delivery, struct room *room) {
	struct past *past = delivery->seat->past;
	struct lane *lane = &room->lanes[past->dialect];
	uint64_t end = past->end < lane->ready ? past->end : lane->ready;
	delivery->skips = past->skips;
	deliver_lane(delivery, lane, past->start, end);
	if (past->start < end) past->start = end;
	if (past->start >= past->end) past_free(delivery->seat);
}

/* Drops what everybody has; the rest begins at `ready`. A frame that a lagging reader holds anyway is
 * filled further, so that what it keeps is what it still has to get and not a frame a pass. */
static void lane_trim(struct lane *lane) {
	unsigned kept = 0;
	for (unsigned i = 0; i < lane->count; i++) {
		struct lane_piece piece = lane->pieces[i];
		uint64_t end = piece.position + (piece.end - piece.start);
		bool is_shared = i + 1 == lane->count && piece.frame->references > 1;
		if (end <= lane->ready && !(is_shared && frame_room(piece.frame) >= LANE_WORTHWHILE)) {
			frame_drop(piece.frame);
			continue;
		}
		if (piece.position < lane->ready) {
			piece.start += (uint32_t)(lane->ready - piece.position);
			piece.position = lane->ready;
		}
		lane->pieces[kept++] = piece;
	}
	lane->count = kept;
}

static void forget_skips(struct seat *seat, const struct lane *lane) {
	struct skips *skips = seat->skips;
	unsigned kept = 0;
	for (unsigned i = 0; i < skips->count; i++)
		if (skips->ranges[i].end > lane->ready) skips->ranges[kept++] = skips->ranges[i];
	skips->count = kept;
}

/* A welcome and its replay may be larger than what a lagging reader is allowed; what it has read of
 * them it is not allowed again. */
void room_log_check(struct seat *seat) {
	struct rooms *rooms = seat_room(seat)->rooms;
	if (seat->state == SEAT_LIVE && seat->behind < seat->allowance) seat->allowance = seat->behind;
	if (seat->behind <= rooms->settings.max_behind + seat->allowance || seat->is_leaving) return;
	seat_leave_soon(seat, WEBSOCKET_AGAIN_LATER,
		"too far behind the room: read faster, or come back with since=");
	counters_add(rooms->counters, COUNTER_CLOSED_BEHIND, 1);
}

static void deliver_to(struct delivery *delivery, struct room *room) {
	struct seat *seat = delivery->seat;
	struct lane *lane = &room->lanes[seat->dialect];
	if (seat->past) deliver_past(delivery, room);
	if (seat->start < lane->ready) {
		delivery->skips = seat->skips;
		deliver_lane(delivery, lane, seat->start, lane->ready);
		seat->start = lane->ready;
		if (seat->skips) forget_skips(seat, lane);
	}
	room_log_check(seat);
}

void room_log_deliver(struct room *room) {
	struct delivery delivery = {0};
	LIST_EACH(link, &room->readers) {
		struct seat *seat = CONTAINER_OF(link, struct seat, in_room);
		bool has_news = seat->start < room->lanes[seat->dialect].ready || seat->past;
		if (!has_news || seat->is_leaving) continue;
		delivery.seat = seat;
		deliver_to(&delivery, room);
	}
	for (int dialect = 0; dialect < ENVELOPE_DIALECTS; dialect++) lane_trim(&room->lanes[dialect]);
	room->stored = room->marked;
	counters_add(room->rooms->counters, COUNTER_ENVELOPES_OUT, delivery.delivered);
}

void room_log_tell(struct seat *seat, struct slice text) {
	char head[10];
	size_t head_length = websocket_head(head, WEBSOCKET_OP_TEXT, text.length);
	if (seat->is_leaving) return;
	struct frame *frame = frame_open(NULL, head_length + text.length);
	if (!frame) {
		seat_leave_soon(seat, WEBSOCKET_INTERNAL, "no memory");
		return;
	}
	frame_add(frame, head, head_length);
	frame_add(frame, text.bytes, text.length);
	seat->behind = seat->outlet->events->send(seat->outlet, frame, 0, frame->used);
	frame_drop(frame);
	room_log_check(seat);
}

static bool past_open(struct seat *seat, const struct lane *lane) {
	struct past *past = malloc(sizeof *past);
	if (!past) return false;
	*past = (struct past){seat->start, lane->end, seat->skips, seat->dialect};
	seat->past = past;
	seat->skips = NULL;
	return true;
}

bool room_log_turn(struct seat *seat, enum envelope_dialect dialect) {
	struct lane *lanes = seat->participant->room->lanes, *old = &lanes[seat->dialect];
	if (dialect == seat->dialect) return true;
	if (seat->past) return false; /* one turn at a time */
	if (seat->start < old->end && !past_open(seat, old)) return false;
	if (seat->skips) seat->skips->count = 0;
	old->readers--;
	lanes[dialect].readers++;
	seat->dialect = (uint8_t)dialect;
	seat->start = lanes[dialect].end;
	return true;
}

void room_log_forget(struct seat *seat) {
	past_free(seat);
	free(seat->skips);
	seat->skips = NULL;
}

void room_log_finish(struct room *room) {
	for (int dialect = 0; dialect < ENVELOPE_DIALECTS; dialect++) {
		struct lane *lane = &room->lanes[dialect];
		for (unsigned i = 0; i < lane->count; i++) frame_drop(lane->pieces[i].frame);
		free(lane->pieces);
		*lane = (struct lane){0};
	}
}

static bool skips_grow(struct seat *seat) {
	unsigned capacity = seat->skips ? seat->skips->capacity * 2 : 4;
	struct skips *larger =
		realloc(seat->skips, sizeof *larger + capacity * sizeof larger->ranges[0]);
	if (!larger) return false;
	if (!seat->skips) larger->count = 0;
	larger->capacity = capacity;
	seat->skips = larger;
	return true;
}

void room_log_skip(struct seat *seat, uint64_t start, uint64_t end) {
	if (seat->start == start) {
		seat->start = end;
		return;
	}
	struct skips *skips = seat->skips;
	if (skips && skips->count && skips->ranges[skips->count - 1].end == start) {
		skips->ranges[skips->count - 1].end = end;
		return;
	}
	if ((!skips || skips->count == skips->capacity) && !skips_grow(seat)) return;
	skips = seat->skips;
	skips->ranges[skips->count].start = start;
	skips->ranges[skips->count++].end = end;
}
