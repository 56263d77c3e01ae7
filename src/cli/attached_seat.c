/* SPDX-License-Identifier: Apache-2.0 */
/* Attached seat: envelopes that concern us, sorted; and who may sit here at all. */
#include "cli/attached_seat.h"

#include "cli/attached_seat_parts.h"

#include <stdlib.h>

#define SCRATCH 4096

static void end(struct attached_seat *seat, const struct fault *why) {
	if (seat->has_ended) return;
	seat->has_ended = true;
	seat->events->ended(seat->context, why);
}

/* ---- The gateway's words ---- */

static bool find_string(const struct scan_value *object, const char *key, struct arena *arena,
	struct slice *string) {
	struct scan_value value;
	return scan_find(object, key, &value) && scan_string(&value, arena, string);
}

/* MCPx v0.1 3.1: everything of kind mcp from a restricted participant is refused, answers too. */
static void note_privilege(struct attached_seat *seat, const struct scan_value *participant,
	bool may_answer, struct arena *arena) {
	struct slice privilege;
	struct fault why;
	if (may_answer || !find_string(participant, "privilege", arena, &privilege) ||
		!slice_is(privilege, "restricted"))
		return;
	fault_set(&why, FAULT_REFUSED,
		"%.*s is restricted here, and its answers would be refused: promote it (hustings promote %.*s), "
		"or set rooms.restricted_may_answer",
		SLICE_ARGS(membership_id(seat->membership)), SLICE_ARGS(membership_id(seat->membership)));
	end(seat, &why);
}

/* An answer that came too fast is sent again; any other that was refused is lost, and its asker has a
 * deadline. */
static void take_refusal(struct attached_seat *seat, const struct envelope *envelope,
	struct arena *arena) {
	struct scan_value value;
	struct slice code;
	int64_t pause = 0;
	if (!envelope->correlation_id.bytes) return;
	if (find_string(&envelope->payload, "code", arena, &code) && slice_is(code, "rate_limited") &&
		scan_find(&envelope->payload, "retry_after_ms", &value) && scan_integer(&value, &pause) &&
		pause >= 0 && membership_again(seat->membership, envelope->correlation_id, (uint64_t)pause))
		return;
	membership_refused(seat->membership, envelope->correlation_id);
}

static void take_system(struct attached_seat *seat, const struct envelope *envelope,
	struct arena *arena) {
	struct scan_value participant;
	struct slice event, id;
	if (!find_string(&envelope->payload, "event", arena, &event)) return;
	if (slice_is(event, "error")) take_refusal(seat, envelope, arena);
	if (slice_is(event, "privilege") && scan_find(&envelope->payload, "participant", &participant) &&
		find_string(&participant, "id", arena, &id) &&
		slice_equal(id, membership_id(seat->membership)))
		note_privilege(seat, &participant, seat->may_answer, arena);
}

static void take_presence(struct attached_seat *seat, const struct envelope *envelope,
	struct arena *arena) {
	struct scan_value participant;
	struct slice event, id;
	if (find_string(&envelope->payload, "event", arena, &event) && slice_is(event, "leave") &&
		scan_find(&envelope->payload, "participant", &participant) &&
		find_string(&participant, "id", arena, &id))
		attached_caller_left(seat, id);
}

/* ---- Messages ---- */

static bool is_to_us(const struct attached_seat *seat, const struct envelope *envelope,
	struct arena *arena) {
	struct slice name, self = membership_id(seat->membership);
	for (size_t at = 0; envelope_recipient(envelope, &at, arena, &name);)
		if (slice_equal(name, self)) return true;
	return false;
}

static void take_mcp(struct attached_seat *seat, const struct envelope *envelope,
	struct arena *arena) {
	struct jsonrpc message;
	int64_t code;
	if (!is_to_us(seat, envelope, arena) ||
		!jsonrpc_read_value(&message, &envelope->payload, arena, &code, NULL))
		return;
	if (slice_starts_with(envelope->from, "system:")) {
		/* A refusal for want of privilege comes as an answer (MCPx v0.1 4.4.2). */
		if (envelope->correlation_id.bytes)
			membership_refused(seat->membership, envelope->correlation_id);
	} else
		attached_caller_take(seat, envelope, &message);
}

static void came(void *context, const struct envelope *envelope, enum membership_origin origin) {
	struct attached_seat *seat = context;
	char lent[SCRATCH];
	struct arena arena;
	if (origin != MEMBERSHIP_OTHERS || seat->has_ended) return;
	bool is_gateway = slice_starts_with(envelope->from, "system:");
	arena_init(&arena, lent, sizeof lent, 0);
	if (envelope->kind == ENVELOPE_MCP) take_mcp(seat, envelope, &arena);
	else if (envelope->kind == ENVELOPE_SYSTEM && is_gateway) take_system(seat, envelope, &arena);
	else if (envelope->kind == ENVELOPE_PRESENCE && is_gateway) take_presence(seat, envelope, &arena);
	arena_finish(&arena);
}

/* ---- Coming and going ---- */

static void joined(void *context, const struct envelope *welcome, bool again) {
	struct attached_seat *seat = context;
	struct scan_value participant, allowed;
	char lent[512];
	struct arena arena;
	arena_init(&arena, lent, sizeof lent, 0);
	seat->may_answer = false;
	if (scan_find(&welcome->payload, "restrictedMayAnswer", &allowed) &&
		!scan_boolean(&allowed, &seat->may_answer))
		seat->may_answer = false;
	if (scan_find(&welcome->payload, "participant", &participant))
		note_privilege(seat, &participant, seat->may_answer, &arena);
	arena_finish(&arena);
	if (!seat->has_ended) seat->events->joined(seat->context, again);
}

static void lost(void *context, const struct fault *why, uint64_t again_in_ms) {
	struct attached_seat *seat = context;
	seat->events->lost(seat->context, why, again_in_ms);
}

static void drained(void *context) {
	struct attached_seat *seat = context;
	seat->events->drained(seat->context);
}

static void ended(void *context, const struct fault *why) { end(context, why); }

static const struct membership_events membership_table = {joined, came, lost, drained, ended};

struct attached_seat *attached_seat_open(struct loop *loop,
	const struct attached_seat_options *options, const struct attached_seat_events *events,
	void *context, struct fault *why) {
	struct attached_seat *seat = calloc(1, sizeof *seat);
	if (!seat) return fault_null(why, FAULT_NO_MEMORY, "no memory for a seat");
	seat->loop = loop;
	seat->events = events;
	seat->context = context;
	seat->exposed = options->exposed;
	seat->max_message = options->max_message;
	text_init(&seat->facts, 0);
	attached_pages_init(&seat->pages);
	map_init(&seat->callers);
	seat->membership = membership_open(loop, &options->membership, &membership_table, seat, why);
	if (seat->membership) return seat;
	attached_seat_close(seat);
	return NULL;
}

void attached_seat_close(struct attached_seat *seat) {
	if (!seat) return;
	attached_callers_finish(seat);
	membership_close(seat->membership);
	attached_pages_finish(&seat->pages);
	text_finish(&seat->facts);
	free(seat);
}

bool attached_seat_is_drained(const struct attached_seat *seat) {
	return membership_is_drained(seat->membership);
}

/* ---- The server ---- */

static void tell_all(struct attached_seat *seat, struct slice method, struct slice params) {
	AUTO_TEXT struct text text = {0};
	text_init(&text, 0);
	jsonrpc_write_notification(&text, method, params);
	/* Full or without memory: who lists again later sees the change all the same. */
	if (!text_failed(&text))
		(void)!membership_send(seat->membership, ENVELOPE_MCP, NULL, 0, SLICE_NONE, text_slice(&text), NULL,
			NULL);
}

bool attached_seat_serve(struct attached_seat *seat, struct attached_child *child,
	struct fault *why) {
	AUTO_TEXT struct text facts = {0};
	text_init(&facts, 0);
	attached_pages_forget(&seat->pages);
	if (child && !attached_facts_write(&facts, attached_child_facts(child), seat->exposed, why))
		return false;
	seat->child = child;
	if (!child) return true; /* whoever comes now still hears who sits here */
	struct text before = seat->facts;
	seat->facts = facts;
	facts = before;
	if (seat->was_served) tell_all(seat, SLICE("notifications/tools/list_changed"), SLICE_NONE);
	seat->was_served = true;
	return true;
}

void attached_seat_told(struct attached_seat *seat, const struct jsonrpc *notification) {
	bool tools;
	if (!attached_is_told(notification->method, seat->exposed, &tools)) return;
	if (tools) attached_pages_forget(&seat->pages);
	tell_all(seat, notification->method,
		notification->params.type == SCAN_NONE ? SLICE_NONE : notification->params.text);
}
