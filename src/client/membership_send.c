/* SPDX-License-Identifier: Apache-2.0 */
/* Membership send: an envelope is written once, kept until its echo, sent when there is a room. */
#include "client/membership.h"
#include "client/membership_parts.h"

#define PACE_PAUSE_MOST 1000 /* ms */

static void write_names(struct text *to, const struct slice *names, size_t count) {
	text_add_cstr(to, ",\"to\":[");
	for (size_t i = 0; i < count; i++) {
		if (i) text_add_char(to, ',');
		text_json(to, names[i]);
	}
	text_add_char(to, ']');
}

static void write_envelope(struct membership *membership, const char *id, enum envelope_kind kind,
	const struct slice *names, size_t count, struct slice correlation_id, struct slice payload,
	struct text *to) {
	text_printf(to, "{\"protocol\":\"%s\",\"id\":\"%s\",\"ts\":\"%s\"",
		envelope_dialect_text(membership->options.dialect), id, loop_wall_text(membership->loop));
	if (membership->id[0]) {
		text_add_cstr(to, ",\"from\":");
		text_json(to, slice_of(membership->id));
	}
	if (count) write_names(to, names, count);
	text_printf(to, ",\"kind\":\"%s\"", envelope_kind_text(kind));
	if (correlation_id.bytes) {
		text_add_cstr(to, ",\"correlation_id\":");
		text_json(to, correlation_id);
	}
	text_add_cstr(to, ",\"payload\":");
	text_add(to, payload);
	text_add_char(to, '}');
}

/* False: it must wait. */
static bool send_item(struct membership *membership, struct outbox_item *item) {
	if (item->is_sent) return true;
	if (item->link.previous != &membership->outbox.items &&
		!CONTAINER_OF(item->link.previous, struct outbox_item, link)->is_sent)
		return false; /* in order */
	if (membership->state != MEMBERSHIP_JOINED || !membership->uplink || membership->pace.at ||
		!uplink_send(membership->uplink, slice_make(item->text, item->length), NULL))
		return false;
	item->is_sent = true;
	if (!membership->options.is_mute) return true;
	outbox_remove(&membership->outbox, item);
	membership_note_drained(membership);
	return true;
}

void membership_flush(struct membership *membership) {
	LIST_EACH_SAFE(link, &membership->outbox.items)
		if (!send_item(membership, CONTAINER_OF(link, struct outbox_item, link))) return;
}

static void tell_drained(struct task *task) {
	struct membership *membership = CONTAINER_OF(task, struct membership, task);
	membership_flush(membership); /* what the socket had no room for before */
	if (outbox_is_empty(&membership->outbox) && membership->events->drained)
		membership->events->drained(membership->context);
}

void membership_note_drained(struct membership *membership) {
	loop_later(membership->loop, &membership->task, tell_drained);
}

/* What the room would end the connection for does not leave. */
static bool check_size(const struct membership *membership, size_t length, struct fault *why) {
	const struct uplink_maker *maker = membership->options.maker;
	size_t most = maker && maker->max_message ? maker->max_message(maker) : SIZE_MAX;
	return length <= most ||
		fault_set(why, FAULT_TOO_LARGE,
			"the envelope has %zu octets, more than a message of this room may have (%zu, "
			"gateway.max_message)",
			length, most);
}

bool membership_send(struct membership *membership, enum envelope_kind kind, const struct slice *to,
	size_t count, struct slice correlation_id, struct slice payload, char id[IDENT_UUID_SIZE],
	struct fault *why) {
	char own[IDENT_UUID_SIZE];
	AUTO_TEXT struct text text = {0};
	if (membership->state == MEMBERSHIP_ENDED)
		return fault_set(why, FAULT_CLOSED, "the room was left");
	text_init(&text, 0);
	ident_uuid(own);
	write_envelope(membership, own, kind, to, count, correlation_id, payload, &text);
	if (text_failed(&text)) return fault_set(why, FAULT_NO_MEMORY, "no memory for an envelope");
	if (!check_size(membership, text.length, why)) return false;
	struct outbox_item *item = outbox_add(&membership->outbox, own, text_slice(&text), why);
	if (!item) return false;
	(void)!send_item(membership, item);
	if (id) memcpy(id, own, sizeof own);
	return true;
}

bool membership_send_raw(struct membership *membership, struct slice text, struct fault *why) {
	if (membership->state != MEMBERSHIP_JOINED)
		return fault_set(why, FAULT_NOT_READY, "not in the room");
	return uplink_send(membership->uplink, text, why);
}

bool membership_withdraw(struct membership *membership, struct slice id) {
	struct outbox_item *item = outbox_find(&membership->outbox, id);
	if (!item || item->is_sent) return false;
	outbox_remove(&membership->outbox, item);
	return true;
}

void membership_refused(struct membership *membership, struct slice id) {
	struct outbox_item *item = outbox_find(&membership->outbox, id);
	if (!item) return;
	outbox_remove(&membership->outbox, item);
	membership_note_drained(membership);
}

static void pace_over(struct deadline *deadline) {
	struct membership *membership = CONTAINER_OF(deadline, struct membership, pace);
	deadline_clear(deadline);
	membership->paced = 0;
	membership_flush(membership);
}

bool membership_again(struct membership *membership, struct slice id, uint64_t in_ms) {
	struct outbox_item *item = outbox_find(&membership->outbox, id);
	if (!item || !item->is_sent) return false;
	item->is_sent = false;
	/* What is refused at once was one too many each: as many pauses make room for all of them. */
	uint64_t pause = in_ms * ++membership->paced;
	if (pause > PACE_PAUSE_MOST) pause = PACE_PAUSE_MOST;
	deadline_set(membership->loop, &membership->pace, pause ? pause : 1, pace_over);
	return true;
}
