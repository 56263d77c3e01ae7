/* SPDX-License-Identifier: Apache-2.0 */
/* Mcp_room_proposal: proposed, settled, answered. */
#include "gateway/mcp_room_proposal.h"

#include "gateway/mcp_room_calls.h"
#include "gateway/mcp_room_island.h"

#include <stdlib.h>

enum proposal_state {
	PROPOSED,  /* sent */
	BOOKED,    /* the room has it */
	FULFILLED, /* the target's answer is due */
	SETTLED
};

struct room_proposal {
	struct mcp_room_call base;
	struct deadline beat; /* words of progress, while it waits; then the answer's deadline */
	enum proposal_state state;
	uint64_t began_at; /* loop ms, as the next */
	uint64_t ends_at;  /* it has expired by then, whatever was heard of that */
	uint64_t progress; /* the last that was told: it must grow */
	char id[IDENT_UUID_SIZE];
	char fulfilment[ENVELOPE_NAME + 1]; /* the envelope that asks for it; "": none was seen */
	char to[ENVELOPE_IDENTITY + 1];
	char target[ENVELOPE_IDENTITY + 1]; /* whom the fulfilment asks */
	char tool[MCP_SERVER_NAME + 1];
	size_t params_length;
	char params[];
};

static struct room_proposal *proposal_of(struct mcp_room_call *one) {
	return CONTAINER_OF(one, struct room_proposal, base);
}

static void enter_state(struct room_proposal *proposal, enum proposal_state state) {
	proposal->state = state;
}

static void cancel(struct mcp_room_call *one, const char *reason);

/* ---- While it waits ---- */

static void tell_progress(struct room_proposal *proposal, struct slice words) {
	AUTO_TEXT struct text params = {0};
	uint64_t seconds = (loop_now(mcp_room_loop(proposal->base.room)) - proposal->began_at) / 1000;
	if (!proposal->base.call || !mcp_call_wants_progress(proposal->base.call)) return;
	proposal->progress = seconds > proposal->progress ? seconds : proposal->progress + 1;
	text_init(&params, 0);
	text_printf(&params, "{\"progress\":%llu,\"message\":", (unsigned long long)proposal->progress);
	text_json(&params, words);
	text_add_char(&params, '}');
	const struct scan_value value = {.text = text_slice(&params), .type = SCAN_OBJECT};
	if (!text_failed(&params)) mcp_call_progress(proposal->base.call, &value);
}

/* The room was out of reach when it was settled, or never had it. */
static void give_up(struct room_proposal *proposal) {
	struct mcp_call *call = TAKE(proposal->base.call);
	struct fault why;
	fault_set(&why, FAULT_TIMEOUT, "it is not known what became of the proposal: its time is over");
	cancel(&proposal->base, why.text);
	mcp_call_answer(call, NULL, &why);
}

static void beat(struct deadline *deadline) {
	struct room_proposal *proposal = CONTAINER_OF(deadline, struct room_proposal, beat);
	AUTO_TEXT struct text words = {0};
	if (loop_now(mcp_room_loop(proposal->base.room)) >= proposal->ends_at) {
		give_up(proposal);
		return;
	}
	text_init(&words, 0);
	text_printf(&words, "Proposal %s waits for a participant with full privilege to fulfil or reject it",
		proposal->id);
	if (!text_failed(&words)) tell_progress(proposal, text_slice(&words));
	deadline_set(mcp_room_loop(proposal->base.room), deadline, MCP_ROOM_PROPOSAL_BEAT_MS, beat);
}

/* ---- What becomes of it ---- */

/* A result that is an error: a model can make something of that, and does not just try again. */
static void answer_words(struct room_proposal *proposal, struct slice words, const char *status,
	struct slice by, struct slice reason) {
	struct text *to = &proposal->base.result;
	text_add_cstr(to, "{\"content\":[{\"type\":\"text\",\"text\":");
	text_json(to, words);
	text_printf(to, "}],\"isError\":true,\"_meta\":{\"dev.hustings/proposal\":{\"id\":\"%s\",\"status\":",
		proposal->id);
	text_json(to, slice_of(status));
	if (by.bytes) {
		text_add_cstr(to, ",\"by\":");
		text_json(to, by);
	}
	if (reason.bytes) {
		text_add_cstr(to, ",\"reason\":");
		text_json(to, reason);
	}
	text_add_cstr(to, "}}}");
	enter_state(proposal, SETTLED);
	mcp_room_call_answer_later(&proposal->base);
}

static void answer_settled(struct room_proposal *proposal, const char *status,
	const struct guest_settlement *settlement) {
	AUTO_TEXT struct text words = {0};
	text_init(&words, 0);
	text_printf(&words, "Calling %s of ", proposal->tool);
	text_display(&words, slice_of(proposal->to));
	text_add_cstr(&words, " was proposed, since your privilege here is restricted. The proposal ");
	if (strcmp(status, "expired") == 0)
		text_add_cstr(&words, "has expired: nobody fulfilled it in time");
	else {
		text_printf(&words, "was %s", status);
		if (settlement->by.bytes) text_add_cstr(&words, " by ");
		text_display(&words, settlement->by);
	}
	if (settlement->reason.bytes) {
		text_add_cstr(&words, ": ");
		text_display(&words, settlement->reason);
	}
	text_add_char(&words, '.');
	answer_words(proposal, text_slice(&words), status, settlement->by, settlement->reason);
}

static void too_late(struct deadline *deadline) {
	struct room_proposal *proposal = CONTAINER_OF(deadline, struct room_proposal, beat);
	struct fault why;
	char target[80];
	text_display_in(target, sizeof target, slice_of(proposal->target));
	fault_set(&why, FAULT_TIMEOUT, "the proposal was fulfilled, but %s did not answer in time", target);
	mcp_room_call_answer(&proposal->base, NULL, &why);
}

static void be_fulfilled(struct room_proposal *proposal, struct slice by) {
	AUTO_TEXT struct text words = {0};
	text_init(&words, 0);
	enter_state(proposal, FULFILLED);
	deadline_set(mcp_room_loop(proposal->base.room), &proposal->beat, MCP_ROOM_FULFIL_MS, too_late);
	text_display(&words, by);
	text_add_cstr(&words, " fulfilled the proposal: ");
	text_display(&words, slice_of(proposal->target));
	text_add_cstr(&words, " is to answer");
	if (!text_failed(&words)) tell_progress(proposal, text_slice(&words));
}

static void settled(struct mcp_room_call *one, const struct guest_settlement *settlement) {
	static const char *const ends[] = {"rejected", "withdrawn", "expired"};
	struct room_proposal *proposal = proposal_of(one);
	if (!slice_is(settlement->proposal, proposal->id) || proposal->state > BOOKED) return;
	if (!one->call) {
		enter_state(proposal, SETTLED);
		mcp_room_call_free(one);
		return;
	}
	if (slice_is(settlement->status, "fulfilled")) {
		be_fulfilled(proposal, settlement->by);
		return;
	}
	for (size_t i = 0; i < COUNT_OF(ends); i++)
		if (slice_is(settlement->status, ends[i])) answer_settled(proposal, ends[i], settlement);
}

static void refused(struct mcp_room_call *one, const struct guest_refusal *refusal) {
	struct room_proposal *proposal = proposal_of(one);
	AUTO_TEXT struct text words = {0};
	if (!slice_is(refusal->id, proposal->id) || proposal->state != PROPOSED) return;
	if (!one->call) {
		enter_state(proposal, SETTLED);
		mcp_room_call_free(one);
		return;
	}
	text_init(&words, 0);
	text_add_cstr(&words, "The proposal was not taken: ");
	text_display(&words, refusal->message);
	answer_words(proposal, text_slice(&words), "refused", SLICE_NONE, SLICE_NONE);
}

/* ---- What is heard ---- */

/* As the room's book has it (MCPx v0.1 4.2.1): by name, or octet for octet. */
static bool is_fulfilment(const struct room_proposal *proposal, const struct envelope *envelope) {
	if (envelope->correlation_id.bytes) return slice_is(envelope->correlation_id, proposal->id);
	return slice_is(envelope->body.method.text, "\"tools/call\"") && envelope->recipients == 1 &&
		slice_is(envelope->recipient, proposal->to) &&
		slice_equal(envelope->body.params.text, slice_make(proposal->params, proposal->params_length));
}

/* The last one before the book says that it is fulfilled: an earlier one may have been another's. */
static void note_fulfilment(struct room_proposal *proposal, const struct envelope *envelope) {
	if (proposal->state > BOOKED || !is_fulfilment(proposal, envelope)) return;
	if (envelope->id.length >= sizeof proposal->fulfilment ||
		envelope->recipient.length >= sizeof proposal->target)
		return;
	memcpy(proposal->fulfilment, envelope->id.bytes, envelope->id.length);
	proposal->fulfilment[envelope->id.length] = '\0';
	if (envelope->recipients) memcpy(proposal->target, envelope->recipient.bytes, envelope->recipient.length);
	proposal->target[envelope->recipients ? envelope->recipient.length : 0] = '\0';
}

static void take_answer(struct room_proposal *proposal, const struct envelope *envelope) {
	char lent[512];
	struct arena arena;
	struct jsonrpc message;
	struct scan_value data;
	int64_t code;
	arena_init(&arena, lent, sizeof lent, 0);
	if (!jsonrpc_read_value(&message, &envelope->payload, &arena, &code, NULL)) {
		arena_finish(&arena);
		return;
	}
	bool is_error = message.kind == JSONRPC_ERROR;
	text_add(&proposal->base.result, is_error ? message.message : message.result.text);
	if (is_error) proposal->base.code = message.code ? message.code : JSONRPC_INTERNAL_ERROR;
	if (is_error && scan_find(&message.error, "data", &data)) text_add(&proposal->base.data, data.text);
	enter_state(proposal, SETTLED);
	mcp_room_call_answer_later(&proposal->base);
	arena_finish(&arena);
}

static void heard(struct mcp_room_call *one, const struct envelope *envelope, enum guest_moment moment) {
	struct room_proposal *proposal = proposal_of(one);
	if (moment == GUEST_OWN && proposal->state == PROPOSED && slice_is(envelope->id, proposal->id)) {
		enter_state(proposal, BOOKED);
		if (!one->call) mcp_room_call_free(one);
		return;
	}
	if (envelope->kind != ENVELOPE_MCP || proposal->state == SETTLED || !one->call) return;
	if (envelope_is_request(envelope))
		note_fulfilment(proposal, envelope);
	else if (proposal->state == FULFILLED && envelope_is_response(envelope) && proposal->fulfilment[0] &&
		slice_is(envelope->correlation_id, proposal->fulfilment) &&
		slice_is(envelope->from, proposal->target))
		take_answer(proposal, envelope);
}

static void left(struct mcp_room_call *one, struct slice id) {
	struct room_proposal *proposal = proposal_of(one);
	AUTO_TEXT struct text words = {0};
	if (proposal->state != FULFILLED || !slice_is(id, proposal->target)) return;
	text_init(&words, 0);
	text_add_cstr(&words, "The proposal was fulfilled, but ");
	text_display(&words, slice_of(proposal->target));
	text_add_cstr(&words, " left the room before it answered.");
	answer_words(proposal, text_slice(&words), "fulfilled", SLICE_NONE, SLICE_NONE);
}

/* ---- The call ---- */

/* False: it has left for the room, or was settled. */
static bool recall(struct room_proposal *proposal) {
	struct guest *guest = proposal->base.room->guest;
	if (proposal->state != PROPOSED ||
		!membership_withdraw(guest_membership(guest), slice_of(proposal->id)))
		return false;
	enter_state(proposal, SETTLED);
	return true;
}

/* Whoever fulfilled it now would do so for nobody: its asker has gone, or its token. */
static void release(struct mcp_room_call *one) {
	struct room_proposal *proposal = proposal_of(one);
	deadline_clear(&proposal->beat);
	if (proposal->state > BOOKED || recall(proposal)) return;
	mcp_room_withdraw(one->room, slice_of(proposal->id), "its call is over");
}

/* One that is on its way may yet be refused, and sent again: it is withdrawn when the room has it. */
static void cancel(struct mcp_room_call *one, const char *reason) {
	struct room_proposal *proposal = proposal_of(one);
	(void)reason;
	one->call = NULL;
	deadline_clear(&proposal->beat);
	if (proposal->state != PROPOSED || recall(proposal)) mcp_room_call_free(one);
}

static const struct mcp_room_way way = {
	.cancel = cancel,
	.release = release,
	.heard = heard,
	.settled = settled,
	.refused = refused,
	.left = left,
};

bool mcp_room_proposal_start(struct mcp_room *room, struct mcp_call *call, struct slice to,
	struct slice tool, struct slice params, struct fault *why) {
	if (!mcp_room_fits(room, params.length, why)) return false;
	struct room_proposal *proposal = calloc(1, sizeof *proposal + params.length);
	if (!proposal || to.length >= sizeof proposal->to) {
		free(proposal);
		return fault_set(why, FAULT_NO_MEMORY, "no memory for the call: try again");
	}
	memcpy(proposal->to, to.bytes, to.length);
	text_display_in(proposal->tool, sizeof proposal->tool, tool);
	memcpy(proposal->params, params.bytes, params.length);
	proposal->params_length = params.length;
	if (!guest_propose(room->guest, to, SLICE("tools/call"), params, SLICE_NONE, proposal->id, why)) {
		free(proposal);
		return false;
	}
	proposal->began_at = loop_now(mcp_room_loop(room));
	proposal->ends_at = proposal->began_at + MCP_ROOM_PROPOSAL_GRACE_MS +
		(uint64_t)room->face->gateway->rooms_settings.proposal_ttl_ms;
	mcp_room_call_begin(&proposal->base, room, call, &way);
	deadline_set(mcp_room_loop(room), &proposal->beat, 1, beat);
	return true;
}
