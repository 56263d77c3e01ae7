/* SPDX-License-Identifier: Apache-2.0 */
/* Membership intake: what arrives: the welcome, echoes of ours, everything else. */
#include "client/membership.h"
#include "client/membership_parts.h"

#define REPLAY_MS 10000 /* after a welcome, in which what was missed arrives */
#define STALE_MS 30000  /* before the welcome: whoever asked has given up */

static bool is_from_gateway(const struct envelope *envelope) {
	return slice_is(envelope->from, "system:gateway");
}

static void read_id(struct membership *membership, const struct envelope *welcome,
	struct arena *arena) {
	struct scan_value value;
	struct slice id;
	if (!scan_path(&welcome->payload, &value, "participant", "id", NULL) ||
		!scan_string(&value, arena, &id) || id.length > ENVELOPE_IDENTITY)
		return;
	memcpy(membership->id, id.bytes, id.length);
	membership->id[id.length] = 0;
}

static void keep_last(struct membership *membership, struct slice id) {
	if (id.length == 0 || id.length >= sizeof membership->last) return;
	memcpy(membership->last, id.bytes, id.length);
	membership->last[id.length] = 0;
}

/* The history in a welcome ends with the envelope to resume from. */
static void note_history(struct membership *membership, const struct envelope *welcome,
	struct arena *arena) {
	struct scan_value list, value;
	struct scan_walk walk;
	struct scan_member member;
	struct slice id = SLICE_NONE;
	if (!scan_path(&welcome->payload, &list, "history", "envelopes", NULL) || list.type != SCAN_ARRAY)
		return;
	for (scan_open(&walk, &list); scan_next(&walk, &member);)
		if (scan_find(&member.value, "id", &value) && !scan_string(&value, arena, &id)) return;
	keep_last(membership, id);
}

static void take_welcome(struct membership *membership, const struct envelope *welcome,
	struct arena *arena) {
	struct scan_value value;
	struct slice event;
	bool gone = false, again = membership->was_joined;
	/* Whatever else may come before it is no room's business. */
	if (welcome->kind != ENVELOPE_SYSTEM || !is_from_gateway(welcome) ||
		!scan_find(&welcome->payload, "event", &value) || !scan_string(&value, arena, &event) ||
		!slice_is(event, "welcome"))
		return;
	read_id(membership, welcome, arena);
	note_history(membership, welcome, arena);
	deadline_clear(&membership->deadline);
	membership->joined_at = loop_now(membership->loop);
	membership->welcome_at = welcome->ts.bytes ? welcome->moment : loop_wall(membership->loop);
	membership->was_joined = true;
	membership_enter(membership, MEMBERSHIP_JOINED);
	membership->gone = &gone;
	membership->events->joined(membership->context, welcome, again);
	if (gone) return;
	membership->gone = NULL;
	membership_flush(membership);
}

/* Only what history holds can be resumed from. */
static void note_last(struct membership *membership, const struct envelope *envelope) {
	bool is_kept = envelope->kind == ENVELOPE_MCP || envelope->kind == ENVELOPE_CHAT ||
		envelope->kind == ENVELOPE_PROPOSAL;
	if (is_kept && !slice_starts_with(envelope->from, "system:")) keep_last(membership, envelope->id);
}

static enum membership_origin origin_of(struct membership *membership,
	const struct envelope *envelope) {
	if (slice_equal(envelope->from, slice_of(membership->id))) {
		struct outbox_item *item = outbox_find(&membership->outbox, envelope->id);
		if (item) {
			outbox_remove(&membership->outbox, item);
			membership_note_drained(membership);
			return MEMBERSHIP_ECHO;
		}
	}
	bool is_replay = membership->is_resuming &&
		loop_now(membership->loop) - membership->joined_at < REPLAY_MS;
	if (is_replay && envelope->ts.bytes && envelope->moment < membership->welcome_at - STALE_MS)
		return MEMBERSHIP_MISSED;
	return MEMBERSHIP_OTHERS;
}

void membership_take(struct membership *membership, struct slice text) {
	struct arena arena;
	struct envelope envelope;
	struct envelope_refusal refusal;
	char lent[1024];
	/* An envelope that cannot be read is no envelope: the gateway is the one to refuse those. */
	arena_init(&arena, lent, sizeof lent, 0);
	if (envelope_read(&envelope, text, &arena, &refusal)) {
		if (membership->state == MEMBERSHIP_ENTERING)
			take_welcome(membership, &envelope, &arena);
		else {
			enum membership_origin origin = origin_of(membership, &envelope);
			note_last(membership, &envelope);
			membership->events->envelope(membership->context, &envelope, origin);
		}
	}
	arena_finish(&arena);
}
