/* SPDX-License-Identifier: Apache-2.0 */
/* Room log: framing once, delivering to many; the fan-out's inner loop. */
#include "room/room_log.h"

#include "room/arrears.h"
#include "room/holding.h"
#include "room/leaving.h"
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

void room_log_send(struct seat *seat, struct frame *frame, size_t offset, size_t length) {
	size_t behind = seat->outlet->events->send(seat->outlet, frame, offset, length);
	seat->behind = behind < UINT32_MAX ? (uint32_t)behind : UINT32_MAX;
}

static void send_range(struct delivery *delivery, struct lane_piece *piece, uint64_t from,
	uint64_t to) {
	struct seat *seat = delivery->seat;
	size_t offset = piece->start + (size_t)(from - piece->position), length = (size_t)(to - from);
	delivery->delivered += count_texts(delivery, piece->frame, offset, length);
	if (holding_of(seat))
		holding_add(seat, piece->frame, offset, length);
	else
		room_log_send(seat, piece->frame, offset, length);
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

static struct past *past_of(const struct seat *seat) {
	return seat->arrears ? seat->arrears->past : NULL;
}

static void past_free(struct seat *seat) {
	struct past *past = past_of(seat);
	if (!past) return;
	free(past->skips);
	free(past);
	seat->arrears->past = NULL;
	arrears_settle(seat);
}

/* What it had to get in its old dialect lies before everything in its new one. */
static void deliver_past(struct delivery *delivery, struct room *room) {
	struct past *past = past_of(delivery->seat);
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

static struct skips *skips_of(const struct seat *seat) {
	return seat->arrears ? seat->arrears->skips : NULL;
}

/* Their memory stays: who skips once does so again. */
static void forget_skips(struct skips *skips, const struct lane *lane) {
	unsigned kept = 0;
	for (unsigned i = 0; i < skips->count; i++)
		if (skips->ranges[i].end > lane->ready) skips->ranges[kept++] = skips->ranges[i];
	skips->count = kept;
}

/* A welcome and its replay may be larger than what a lagging reader is allowed; what it has read of
 * them it is not allowed again. */
void room_log_check(struct seat *seat) {
	if (seat->state == SEAT_LIVE && seat->behind < seat->allowance) seat->allowance = seat->behind;
	if (seat->behind == 0) return; /* nearly all, and nothing else of them needs to be looked at */
	struct rooms *rooms = seat_room(seat)->rooms;
	if (seat->behind <= rooms->settings.max_behind + seat->allowance || seat->leaving) return;
	leaving_mark(seat, LEAVING_BEHIND);
	counters_add(rooms->counters, COUNTER_CLOSED_BEHIND, 1);
}

static void deliver_to(struct delivery *delivery, struct room *room) {
	struct seat *seat = delivery->seat;
	struct lane *lane = &room->lanes[seat->dialect];
	if (past_of(seat)) deliver_past(delivery, room);
	if (seat->start < lane->ready) {
		struct skips *skips = skips_of(seat);
		delivery->skips = skips;
		deliver_lane(delivery, lane, seat->start, lane->ready);
		seat->start = lane->ready;
		if (skips) forget_skips(skips, lane);
	}
	room_log_check(seat);
}

/* Readers are many, and most of them are in no cache: while one is sent to, the outlet of the next and
 * the seat behind it are fetched. */
static void fetch_next(const struct room *room, const struct link *link) {
	if (link->next == &room->readers) return;
	const struct seat *next = CONTAINER_OF(link->next, struct seat, in_room);
	__builtin_prefetch(next->outlet);
	__builtin_prefetch(next->in_room.next);
	__builtin_prefetch((const char *)next->in_room.next + 64);
}

void room_log_deliver(struct room *room) {
	struct delivery delivery = {0};
	LIST_EACH(link, &room->readers) {
		struct seat *seat = CONTAINER_OF(link, struct seat, in_room);
		fetch_next(room, link);
		bool has_news = seat->start < room->lanes[seat->dialect].ready || past_of(seat);
		if (!has_news || seat->leaving) continue;
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
	if (seat->leaving) return;
	struct frame *frame = frame_open(NULL, head_length + text.length);
	if (!frame) {
		leaving_mark(seat, LEAVING_NO_MEMORY);
		return;
	}
	frame_add(frame, head, head_length);
	frame_add(frame, text.bytes, text.length);
	room_log_send(seat, frame, 0, frame->used);
	frame_drop(frame);
	room_log_check(seat);
}

static bool past_open(struct seat *seat, const struct lane *lane) {
	struct arrears *arrears = arrears_of(seat);
	struct past *past = arrears ? malloc(sizeof *past) : NULL;
	if (!past) {
		arrears_settle(seat);
		return false;
	}
	*past = (struct past){seat->start, lane->end, TAKE(arrears->skips), seat->dialect};
	arrears->past = past;
	return true;
}

bool room_log_turn(struct seat *seat, enum envelope_dialect dialect) {
	struct lane *lanes = seat->participant->room->lanes, *old = &lanes[seat->dialect];
	if (dialect == seat->dialect) return true;
	if (past_of(seat)) return false; /* one turn at a time */
	if (seat->start < old->end && !past_open(seat, old)) return false;
	if (skips_of(seat)) skips_of(seat)->count = 0;
	old->readers--;
	lanes[dialect].readers++;
	seat->dialect = (uint8_t)dialect;
	seat->start = lanes[dialect].end;
	return true;
}

void room_log_forget(struct seat *seat) {
	past_free(seat);
	if (!skips_of(seat)) return;
	free(TAKE(seat->arrears->skips));
	arrears_settle(seat);
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
	struct arrears *arrears = arrears_of(seat);
	if (!arrears) return false;
	unsigned capacity = arrears->skips ? arrears->skips->capacity * 2 : 4;
	struct skips *larger =
		realloc(arrears->skips, sizeof *larger + capacity * sizeof larger->ranges[0]);
	if (!larger) {
		arrears_settle(seat);
		return false;
	}
	if (!arrears->skips) larger->count = 0;
	larger->capacity = capacity;
	arrears->skips = larger;
	return true;
}

void room_log_skip(struct seat *seat, uint64_t start, uint64_t end) {
	if (seat->start == start) {
		seat->start = end;
		return;
	}
	struct skips *skips = skips_of(seat);
	if (skips && skips->count && skips->ranges[skips->count - 1].end == start) {
		skips->ranges[skips->count - 1].end = end;
		return;
	}
	if ((!skips || skips->count == skips->capacity) && !skips_grow(seat)) return;
	skips = skips_of(seat);
	skips->ranges[skips->count].start = start;
	skips->ranges[skips->count++].end = end;
}
