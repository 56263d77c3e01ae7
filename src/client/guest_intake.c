/* SPDX-License-Identifier: Apache-2.0 */
/* Guest intake: each envelope is shown as it is, then goes to whoever makes something of it. */
#include "client/guest_intake.h"

#include "client/chat.h"
#include "client/errand.h"
#include "client/guest_parts.h"
#include "client/peers.h"
#include "client/proposing.h"

static struct slice words_of(const struct scan_value *object, const char *name, struct arena *arena) {
	struct scan_value value;
	struct slice words = SLICE_NONE;
	if (scan_find(object, name, &value) && value.type == SCAN_STRING)
		(void)!scan_string(&value, arena, &words);
	return words;
}

/* ---- The gateway's own words ---- */

static void set_privilege(struct guest *guest, struct slice privilege) {
	if (privilege.length >= sizeof guest->privilege || !privilege.bytes) return;
	memcpy(guest->privilege, privilege.bytes, privilege.length);
	guest->privilege[privilege.length] = 0;
	guest->is_restricted = slice_is(privilege, "restricted");
}

static void take_privilege(struct guest *guest, const struct envelope *envelope,
	struct arena *arena) {
	struct scan_value participant;
	char old[sizeof guest->privilege];
	if (!scan_find(&envelope->payload, "participant", &participant)) return;
	if (!slice_equal(words_of(&participant, "id", arena), membership_id(guest->membership))) return;
	memcpy(old, guest->privilege, sizeof old);
	set_privilege(guest, words_of(&participant, "privilege", arena));
	GUEST_TELL(guest, privilege, slice_of(old), slice_of(guest->privilege));
}

static void take_refusal(struct guest *guest, const struct envelope *envelope,
	struct arena *arena) {
	struct guest_refusal refusal = {
		.id = envelope->correlation_id,
		.code = words_of(&envelope->payload, "code", arena),
		.message = words_of(&envelope->payload, "message", arena),
		.gate = words_of(&envelope->payload, "gate", arena),
	};
	struct scan_value value;
	struct fault why;
	char words[200];
	if (scan_find(&envelope->payload, "retry_after_ms", &value))
		(void)!scan_integer(&value, &refusal.retry_after_ms);
	if (guest->options.slows_down && slice_is(refusal.code, "rate_limited") && refusal.id.bytes &&
		refusal.retry_after_ms >= 0 && refusal.retry_after_ms <= GUEST_PAUSE &&
		membership_again(guest->membership, refusal.id, (uint64_t)refusal.retry_after_ms))
		return;
	membership_refused(guest->membership, refusal.id);
	text_display_in(words, sizeof words, refusal.message);
	fault_set(&why, FAULT_REFUSED, "the gateway refused it: %s", words);
	GUEST_TELL(guest, refused, &refusal);
	if (refusal.id.bytes) peers_refused(&guest->peers, refusal.id, NULL, &why);
}

static void take_system(struct guest *guest, const struct envelope *envelope,
	struct arena *arena) {
	struct slice event = words_of(&envelope->payload, "event", arena);
	if (!slice_starts_with(envelope->from, "system:")) return;
	if (slice_is(event, "error")) take_refusal(guest, envelope, arena);
	else if (slice_is(event, "privilege")) take_privilege(guest, envelope, arena);
	else if (slice_is(event, "proposal")) proposing_settled(guest, envelope, arena);
	else if (slice_is(event, "gap")) GUEST_TELL(guest, missed);
}

/* ---- MCP (MCPx v0 4.1, 7) ---- */

static bool is_to_us(const struct guest *guest, const struct envelope *envelope,
	struct arena *arena) {
	struct slice name, self = membership_id(guest->membership);
	for (size_t at = 0; envelope_recipient(envelope, &at, arena, &name);)
		if (slice_equal(name, self)) return true;
	return false;
}

/* A privilege violation of ours (MCPx v0.1 4.4.2): the gateway answers in the target's place. */
static void take_violation(struct guest *guest, const struct envelope *envelope,
	const struct jsonrpc *message) {
	struct peer_reply reply = {.code = message->code, .message = message->message};
	struct scan_value data;
	if (message->kind != JSONRPC_ERROR || !envelope->correlation_id.bytes) return;
	if (scan_find(&message->error, "data", &data)) reply.data = data.text;
	membership_refused(guest->membership, envelope->correlation_id);
	peers_refused(&guest->peers, envelope->correlation_id, &reply, NULL);
}

static bool is_silent(const struct guest *guest, const struct envelope *envelope) {
	const struct guest_options *options = &guest->options;
	return options->is_silent ||
		(options->is_silent_now &&
			options->is_silent_now(options->silent_context, envelope->from, envelope->correlation_id));
}

static void take_message(struct guest *guest, const struct envelope *envelope,
	const struct jsonrpc *message, bool is_ours) {
	bool is_request = message->kind == JSONRPC_REQUEST;
	struct companion *companion;
	if (slice_starts_with(envelope->from, "system:")) {
		take_violation(guest, envelope, message);
		return;
	}
	if (is_request && (!is_ours || is_silent(guest, envelope))) return;
	if (!is_ours && envelope->recipients > 0) return;
	if (errands_hold(guest, envelope->from, message)) return;
	companion = is_request ? peers_need(&guest->peers, envelope->from, NULL)
			       : peers_find(&guest->peers, envelope->from);
	if (companion) peer_take(companion->peer, message, envelope->id, envelope->correlation_id);
	else if (message->kind == JSONRPC_NOTIFICATION &&
		slice_is(message->method, "notifications/tools/list_changed"))
		GUEST_TELL(guest, tools_changed, envelope->from);
}

static void take_mcp(struct guest *guest, const struct envelope *envelope,
	enum guest_moment moment, struct arena *arena) {
	struct jsonrpc message;
	int64_t code;
	if (chat_take(guest, envelope, moment, arena) || moment != GUEST_LIVE) return;
	if (!jsonrpc_read_value(&message, &envelope->payload, arena, &code, NULL)) return;
	take_message(guest, envelope, &message, is_to_us(guest, envelope, arena));
}

/* ---- Events of the membership ---- */

static void dispatch(struct guest *guest, const struct envelope *envelope,
	enum guest_moment moment, struct arena *arena) {
	switch (envelope->kind) {
	case ENVELOPE_MCP: take_mcp(guest, envelope, moment, arena); break;
	case ENVELOPE_CHAT: (void)chat_take(guest, envelope, moment, arena); break;
	case ENVELOPE_PROPOSAL: proposing_take(guest, envelope, moment, arena); break;
	case ENVELOPE_SYSTEM:
		if (moment == GUEST_LIVE) take_system(guest, envelope, arena);
		break;
	case ENVELOPE_PRESENCE:
		if (moment == GUEST_LIVE && slice_starts_with(envelope->from, "system:"))
			roster_presence(&guest->roster, &envelope->payload, membership_id(guest->membership));
		break;
	case ENVELOPE_OTHER: break;
	}
}

static void show(struct guest *guest, const struct envelope *envelope, enum guest_moment moment) {
	char lent[1024];
	struct arena arena;
	GUEST_TELL(guest, envelope, envelope, moment);
	if (guest->is_closing) return;
	arena_init(&arena, lent, sizeof lent, 0);
	dispatch(guest, envelope, moment, &arena);
	arena_finish(&arena);
}

static void envelope_came(void *context, const struct envelope *envelope,
	enum membership_origin origin) {
	static const enum guest_moment moments[] = {
		[MEMBERSHIP_OTHERS] = GUEST_LIVE,
		[MEMBERSHIP_ECHO] = GUEST_OWN,
		[MEMBERSHIP_MISSED] = GUEST_PAST,
	};
	struct guest *guest = context;
	if (!guest->is_closing) show(guest, envelope, moments[origin]);
}

static void show_history(struct guest *guest, const struct envelope *welcome) {
	struct scan_value list;
	struct scan_walk walk;
	struct scan_member member;
	if (!scan_path(&welcome->payload, &list, "history", "envelopes", NULL)) return;
	if (list.type != SCAN_ARRAY) return;
	for (scan_open(&walk, &list); !guest->is_closing && scan_next(&walk, &member);) {
		char lent[1024];
		struct arena arena;
		struct envelope envelope;
		struct envelope_refusal refusal;
		arena_init(&arena, lent, sizeof lent, 0);
		if (envelope_read(&envelope, member.value.text, &arena, &refusal))
			show(guest, &envelope, GUEST_PAST);
		arena_finish(&arena);
	}
}

static void read_welcome(struct guest *guest, const struct envelope *welcome, bool again) {
	char lent[512];
	struct arena arena;
	struct scan_value participant;
	arena_init(&arena, lent, sizeof lent, 0);
	if (scan_find(&welcome->payload, "participant", &participant))
		set_privilege(guest, words_of(&participant, "privilege", &arena));
	arena_finish(&arena);
	if (again) peers_forget(&guest->peers);
	guest->was_joined = true;
}

static void joined(void *context, const struct envelope *welcome, bool again) {
	struct guest *guest = context;
	if (guest->is_closing) return;
	read_welcome(guest, welcome, again);
	GUEST_TELL(guest, joined, welcome, again);
	roster_welcome(&guest->roster, &welcome->payload);
	if (guest->roster.is_partial) GUEST_TELL(guest, partly);
	show_history(guest, welcome);
	errands_start(guest);
}

static void lost(void *context, const struct fault *why, uint64_t again_in_ms) {
	struct guest *guest = context;
	GUEST_TELL(guest, lost, why, again_in_ms);
}

static void drained(void *context) {
	struct guest *guest = context;
	GUEST_TELL(guest, drained);
}

static void ended(void *context, const struct fault *why) {
	struct guest *guest = context;
	errands_end(guest, why);
	GUEST_TELL(guest, ended, why);
}

const struct membership_events guest_membership_events = {
	.joined = joined,
	.envelope = envelope_came,
	.lost = lost,
	.drained = drained,
	.ended = ended,
};

/* ---- Events of the roster ---- */

static void arrived(void *context, const struct roster_entry *entry) {
	struct guest *guest = context;
	peers_met(&guest->peers, entry);
	GUEST_TELL(guest, arrived, entry);
}

static void left(void *context, const struct roster_entry *entry) {
	struct guest *guest = context;
	peers_left(&guest->peers, slice_of(entry->id));
	GUEST_TELL(guest, left, entry);
}

const struct roster_events guest_roster_events = {.joined = arrived, .left = left};

void guest_meet(struct guest *guest, struct slice answer) {
	struct scan_value root = {.text = slice_trim(answer), .type = SCAN_OBJECT}, participants;
	if (guest->is_closing || !scan_find(&root, "participants", &participants)) return;
	roster_add_all(&guest->roster, &participants, membership_id(guest->membership));
}
