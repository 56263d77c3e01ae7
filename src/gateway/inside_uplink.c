/* SPDX-License-Identifier: Apache-2.0 */
/* Inside uplink: two halves in one allocation, one on loop 0, the other on the room's loop; letters
 * go between them in order, and the last one frees both. */
#include "gateway/inside_uplink.h"

#include "gateway/exchange.h"
#include "gateway/live.h"
#include "gateway/reserved.h"
#include "mcp/era.h"
#include "room/joining.h"
#include "room/leaving.h"
#include "room/seat.h"
#include "wire/websocket.h"

#include <stdatomic.h>
#include <stdlib.h>

struct inside {
	struct uplink uplink;
	struct gateway_island *island;
	struct letter enter, leave; /* to the room's loop */
	struct letter opened, ended, gone;
	/* Of loop 0. */
	struct gateway *gateway;
	const struct uplink_events *events;
	void *context;
	struct live_entry *live;
	size_t waiting; /* octets on their way to the room */
	bool is_open;
	bool is_over;
	bool is_closed; /* the owner knows it no more */
	/* Of the room's loop. */
	struct outlet outlet;
	struct seat *seat;
	struct joining joining;
	bool is_joining;
	/* Written on the room's loop before `ended` is posted, read afterwards. */
	struct uplink_end end;
	/* Of both. */
	_Atomic size_t behind; /* octets on their way from the room */
	struct principal *principal;
	size_t topic_length;
	char topic[];
};

/* Texts on their way, either way. */
struct parcel {
	struct letter letter;
	struct inside *inside;
	size_t length;
	char bytes[];
};

struct inside_maker {
	struct uplink_maker maker;
	struct gateway *gateway;
	struct principal *principal;
	enum inside_as as;
};

static struct inside *inside_of(struct uplink *uplink) {
	return CONTAINER_OF(uplink, struct inside, uplink);
}

static struct parcel *parcel_make(struct inside *inside, struct slice bytes) {
	struct parcel *parcel = malloc(sizeof *parcel + bytes.length);
	if (!parcel) return NULL;
	parcel->inside = inside;
	parcel->length = bytes.length;
	memcpy(parcel->bytes, bytes.bytes, bytes.length);
	return parcel;
}

static size_t weight_of(const struct parcel *parcel) { return sizeof *parcel + parcel->length; }

/* ---- On loop 0: from the room ---- */

static void tell_opened(struct letter *letter) {
	struct inside *inside = CONTAINER_OF(letter, struct inside, opened);
	if (inside->is_closed) return;
	inside->is_open = true;
	inside->events->opened(inside->context);
}

static void tell_arrived(struct letter *letter) {
	struct parcel *parcel = CONTAINER_OF(letter, struct parcel, letter);
	struct inside *inside = parcel->inside;
	struct slice text, range = slice_make(parcel->bytes, parcel->length);
	for (size_t at = 0; !inside->is_closed && outlet_text(range, &at, &text);)
		inside->events->arrived(inside->context, text);
	atomic_fetch_sub_explicit(&inside->behind, weight_of(parcel), memory_order_relaxed);
	free(parcel);
}

static void tell_ended(struct letter *letter) {
	struct inside *inside = CONTAINER_OF(letter, struct inside, ended);
	if (inside->is_closed) return;
	inside->is_open = false;
	live_drop(inside->gateway, TAKE(inside->live));
	inside->events->ended(inside->context, &inside->end);
}

static void came_home(struct letter *letter) {
	struct parcel *parcel = CONTAINER_OF(letter, struct parcel, letter);
	struct inside *inside = parcel->inside;
	inside->waiting -= weight_of(parcel);
	free(parcel);
	if (inside->waiting == 0 && inside->is_open && !inside->is_closed)
		inside->events->drained(inside->context);
}

static void free_inside(struct letter *letter) {
	struct inside *inside = CONTAINER_OF(letter, struct inside, gone);
	principal_drop(inside->principal);
	free(inside);
}

/* ---- On the room's loop ---- */

static void post_end(struct inside *inside, unsigned status, unsigned code, const struct fault *why) {
	inside->end = (struct uplink_end){.status = status, .code = code, .fault = *why};
	mailbox_answer(inside->gateway->loop, &inside->ended, tell_ended);
}

static size_t outlet_send(struct outlet *outlet, struct frame *frame, size_t offset, size_t length) {
	struct inside *inside = CONTAINER_OF(outlet, struct inside, outlet);
	struct parcel *parcel = parcel_make(inside, slice_make(frame->bytes + offset, length));
	if (!parcel) {
		leaving_mark(inside->seat, LEAVING_NO_MEMORY);
		return atomic_load_explicit(&inside->behind, memory_order_relaxed);
	}
	size_t weight = weight_of(parcel); /* it may be gone as soon as it is posted */
	size_t before = atomic_fetch_add_explicit(&inside->behind, weight, memory_order_relaxed);
	mailbox_answer(inside->gateway->loop, &parcel->letter, tell_arrived);
	return before + weight;
}

static void outlet_closed(struct outlet *outlet, unsigned code, const char *reason) {
	struct inside *inside = CONTAINER_OF(outlet, struct inside, outlet);
	struct fault why;
	inside->seat = NULL;
	(void)fault_set(&why, FAULT_CLOSED, "the gateway closed the connection: %u %s", code, reason);
	post_end(inside, 0, code, &why);
}

static const struct outlet_events outlet_table = {.send = outlet_send, .closed = outlet_closed};

static void seated(struct joining *joining, struct seat *seat, const struct fault *why) {
	struct inside *inside = CONTAINER_OF(joining, struct inside, joining);
	inside->is_joining = false;
	inside->seat = seat;
	if (seat) mailbox_answer(inside->gateway->loop, &inside->opened, tell_opened);
	else post_end(inside, exchange_fault_status(why->code), 0, why);
}

static void enter_room(struct letter *letter) {
	struct inside *inside = CONTAINER_OF(letter, struct inside, enter);
	inside->is_joining = true;
	joining_start(&inside->joining, inside->island->rooms,
		slice_make(inside->topic, inside->topic_length));
}

static void leave_room(struct letter *letter) {
	struct inside *inside = CONTAINER_OF(letter, struct inside, leave);
	if (inside->is_joining) joining_cancel(&inside->joining);
	if (inside->seat) seat_leave(inside->seat);
	mailbox_answer(inside->gateway->loop, &inside->gone, free_inside);
}

static void take_parcel(struct letter *letter) {
	struct parcel *parcel = CONTAINER_OF(letter, struct parcel, letter);
	struct inside *inside = parcel->inside;
	if (inside->seat) (void)seat_receive(inside->seat, slice_make(parcel->bytes, parcel->length));
	mailbox_answer(inside->gateway->loop, &parcel->letter, came_home);
}

/* ---- On loop 0: to the room ---- */

static bool send_text(struct uplink *uplink, struct slice text, struct fault *why) {
	struct inside *inside = inside_of(uplink);
	if (!inside->is_open) return fault_set(why, FAULT_NOT_READY, "the connection is not open");
	if (inside->waiting > UPLINK_BEHIND)
		return fault_set(why, FAULT_FULL, "the room does not take what is sent fast enough");
	struct parcel *parcel = parcel_make(inside, text);
	if (!parcel) return fault_set(why, FAULT_NO_MEMORY, "no memory for a message");
	inside->waiting += weight_of(parcel);
	mailbox_answer(inside->island->loop, &parcel->letter, take_parcel);
	return true;
}

static void close_inside(struct uplink *uplink, unsigned code) {
	struct inside *inside = inside_of(uplink);
	(void)code; /* nobody reads it: the seat is given up */
	inside->is_closed = true;
	if (inside->live) live_drop(inside->gateway, TAKE(inside->live));
	mailbox_answer(inside->island->loop, &inside->leave, leave_room);
}

static const struct uplink_kind inside_kind = {send_text, close_inside};

/* ---- Making ---- */

static struct inside *inside_make(const struct inside_maker *maker, const struct uplink_wish *wish,
	struct fault *why) {
	struct inside *inside = calloc(1, sizeof *inside + wish->topic.length);
	if (!inside) return fault_null(why, FAULT_NO_MEMORY, "no memory for another connection");
	inside->uplink.kind = &inside_kind;
	inside->gateway = maker->gateway;
	inside->island = gateway_island(maker->gateway, wish->topic);
	inside->outlet.events = &outlet_table;
	inside->topic_length = wish->topic.length;
	memcpy(inside->topic, wish->topic.bytes, wish->topic.length);
	return inside;
}

static void inside_free(struct inside *inside) {
	if (inside->live) live_drop(inside->gateway, inside->live);
	principal_drop(inside->principal);
	free(inside);
}

static bool describe(struct inside *inside, const struct inside_maker *maker,
	const struct uplink_wish *wish, struct fault *why) {
	inside->principal =
		principal_describe(maker->principal, wish->name, wish->kind, wish->mcp_version, why);
	return inside->principal != NULL;
}

static bool check_entry(const struct inside_maker *maker, struct slice topic, struct fault *why) {
	if (!principal_may_enter(maker->principal, topic))
		return fault_set(why, FAULT_REFUSED, "the token does not hold for this topic");
	if (live_was_revoked(maker->gateway->live, maker->principal))
		return fault_set(why, FAULT_REFUSED, "the token was revoked");
	return maker->as != INSIDE_AS_VISITOR ||
		!reserved_identity(maker->gateway, topic, maker->principal->id, why);
}

static void wish_joining(struct inside *inside, const struct inside_maker *maker,
	const struct uplink_wish *wish) {
	struct joining *joining = &inside->joining;
	joining->seated = seated;
	joining->principal = inside->principal;
	joining->outlet = &inside->outlet;
	joining->may_make = inside->principal->is_admin || maker->as == INSIDE_AS_SERVER;
	joining->has_dialect = true;
	joining->dialect = wish->dialect;
	joining->is_beside = wish->is_beside;
	joining->is_house = maker->as == INSIDE_AS_SERVER;
	joining->is_mute = wish->is_mute;
	joining->history = (uint16_t)(wish->history < UINT16_MAX ? wish->history : UINT16_MAX);
	memcpy(joining->since, wish->since.bytes, wish->since.length);
}

static struct uplink *make_inside(struct uplink_maker *base, struct loop *loop,
	const struct uplink_wish *wish, const struct uplink_events *events, void *context,
	struct fault *why) {
	const struct inside_maker *maker = CONTAINER_OF(base, struct inside_maker, maker);
	struct gateway *gateway = maker->gateway;
	(void)loop; /* loop 0 */
	if (!check_entry(maker, wish->topic, why)) return NULL;
	if (wish->since.length >= CATCHING_SINCE)
		return fault_null(why, FAULT_BAD_INPUT, "since: an envelope's id is due");
	struct inside *inside = inside_make(maker, wish, why);
	if (!inside) return NULL;
	enum privilege *privilege = &inside->joining.privilege;
	inside->events = events;
	inside->context = context;
	bool is_fine = describe(inside, maker, wish, why) &&
		identity_privilege(gateway->identity, inside->principal, wish->topic, privilege, NULL, why) &&
		(inside->live = live_add(gateway->live, inside->principal, wish->topic, *privilege, why));
	if (is_fine && wish->is_beside) live_sits_beside(inside->live);
	if (is_fine) wish_joining(inside, maker, wish);
	if (is_fine && !mailbox_post(inside->island->loop, &inside->enter, enter_room))
		is_fine = fault_set(why, FAULT_FULL, "the rooms are too busy: try again");
	if (is_fine) return &inside->uplink;
	inside_free(inside);
	return NULL;
}

static size_t max_message(const struct uplink_maker *base) {
	return CONTAINER_OF(base, struct inside_maker, maker)->gateway->settings.max_message;
}

static void free_maker(struct uplink_maker *base) {
	struct inside_maker *maker = CONTAINER_OF(base, struct inside_maker, maker);
	principal_drop(maker->principal);
	free(maker);
}

struct uplink_maker *inside_uplink_maker(struct gateway *gateway, struct principal *principal,
	enum inside_as as, struct fault *why) {
	struct inside_maker *maker = calloc(1, sizeof *maker);
	if (!maker) return fault_null(why, FAULT_NO_MEMORY, "no memory for another connection");
	maker->maker = (struct uplink_maker){
		.references = 1,
		.make = make_inside,
		.max_message = max_message,
		.free = free_maker,
	};
	maker->gateway = gateway;
	maker->principal = principal_keep(principal);
	maker->as = as;
	return &maker->maker;
}
