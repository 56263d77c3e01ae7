/* SPDX-License-Identifier: Apache-2.0 */
/* Entry gates: MCPx v0 4, 9; v0.1 3, 4, 5.3, 7.3, in the order of the table at the end. */
#include "room/entry_gates.h"

#include "room/answers.h"
#include "wire/websocket.h"

/* entry_refuse() answers false: so a refusal reads as one line. */
static enum verdict refused(bool passes) { return passes ? PASS : REFUSE; }

static enum verdict gate_size(struct entry *entry) {
	size_t limit = entry->room->rooms->settings.max_message;
	if (entry->text.length <= limit) return PASS;
	entry->close_code = WEBSOCKET_TOO_LARGE;
	entry->envelope = (struct envelope){0}; /* nobody will read the text */
	return refused(entry_refuse(entry, "too_large",
		"the message has %zu octets; the limit is %zu (gateway.max_message)", entry->text.length, limit));
}

/* Reads the whole text; whatever else is wrong with it is the next gate's to say. */
static enum verdict gate_protocol(struct entry *entry) {
	struct envelope_refusal refusal;
	entry->is_read =
		envelope_read(&entry->envelope, entry->text, &entry->room->rooms->scratch, &refusal);
	if (entry->is_read) return PASS;
	entry_refuse(entry, refusal.word, "%s", refusal.message);
	if (refusal.is_utf8_fault) entry->close_code = WEBSOCKET_NOT_TEXT;
	return strcmp(refusal.gate, "protocol") == 0 ? REFUSE : PASS;
}

static enum verdict check_mcp(struct entry *entry) {
	const struct envelope *envelope = &entry->envelope;
	if (envelope->body.method.type == SCAN_NONE && !envelope_is_response(envelope))
		return refused(entry_refuse(entry, "bad_payload",
			"payload of kind mcp must hold a JSON-RPC message: a method, a result or an error"));
	if (entry->room->rooms->settings.strict_replies && envelope_is_response(envelope) &&
		!envelope->correlation_id.bytes)
		return refused(entry_refuse(entry, "correlation_required",
			"correlation_id must name the request's envelope in a result or error"));
	return PASS;
}

static enum verdict gate_shape(struct entry *entry) {
	const struct envelope *envelope = &entry->envelope;
	if (!entry->is_read) return REFUSE;
	if (envelope->kind == ENVELOPE_MCP) return check_mcp(entry);
	if (envelope->kind == ENVELOPE_PROPOSAL && envelope->body.method.type != SCAN_STRING)
		return refused(entry_refuse(entry, "bad_payload",
			"payload.method of a proposal must be a string: the MCP method that is proposed"));
	if (envelope->kind == ENVELOPE_CHAT && envelope->body.text.type != SCAN_STRING)
		return refused(entry_refuse(entry, "bad_payload", "payload.text of a chat must be a string"));
	return PASS;
}

/* The sender's hash is the key: it is a secret, and whoever finds two texts that are alike under it
 * has deceived nobody but himself. */
static uint64_t text_hash(const struct entry *entry) {
	return map_digest(store_hash(entry->room->rooms->store, entry->principal->id), entry->text);
}

static enum verdict gate_unique(struct entry *entry) {
	entry->id_hash = store_hash(entry->room->rooms->store, entry->envelope.id);
	recent_expect(&entry->room->recent, entry->id_hash);
	entry->text_hash = text_hash(entry);
	const struct recent_id *seen = recent_find(&entry->room->recent, entry->id_hash);
	if (!seen) return PASS;
	entry->is_repeated = seen->text_hash == entry->text_hash;
	if (entry->is_repeated) return PASS;
	return refused(entry_refuse(entry, "duplicate_id",
		"id was used before in this topic: give every envelope a new one"));
}

static enum verdict gate_sender(struct entry *entry) {
	const struct envelope *envelope = &entry->envelope;
	if (slice_starts_with(envelope->id, "system:"))
		return refused(entry_refuse(entry, "reserved_id", "id must not begin with system:"));
	if (!envelope->from.bytes || slice_equal(envelope->from, entry->principal->id)) return PASS;
	return refused(entry_refuse(entry, "bad_sender",
		"from must be %.*s, who you are here, or be left out", SLICE_ARGS(entry->principal->id)));
}

static enum verdict gate_pace(struct entry *entry) {
	const struct rooms_settings *settings = &entry->room->rooms->settings;
	uint64_t now = loop_now(entry->room->rooms->loop) * 1000;
	if (entry->seat && entry->seat->is_house) return PASS;
	if (!pace_take(entry->pace, &settings->pace, now, &entry->retry_after_ms))
		return refused(entry_refuse(entry, "rate_limited",
			"more than %u envelopes in %u ms (rooms.pace): wait", settings->pace.count,
			settings->pace.span_ms));
	if (entry->envelope.kind != ENVELOPE_PROPOSAL) return PASS;
	if (pace_take(entry->proposal_pace, &settings->proposal_pace, now, &entry->retry_after_ms))
		return PASS;
	return refused(entry_refuse(entry, "rate_limited",
		"more than %u proposals in %u ms (rooms.proposal_pace): wait", settings->proposal_pace.count,
		settings->proposal_pace.span_ms));
}

static enum verdict gate_kind(struct entry *entry) {
	switch (entry->envelope.kind) {
	case ENVELOPE_MCP:
	case ENVELOPE_PROPOSAL:
	case ENVELOPE_CHAT: return PASS;
	case ENVELOPE_PRESENCE:
	case ENVELOPE_SYSTEM:
		return refused(entry_refuse(entry, "reserved_kind",
			"kind %s is the gateway's own: send mcp, mcp/proposal or chat",
			envelope_kind_text(entry->envelope.kind)));
	default:
		return refused(entry_refuse(entry, "bad_kind",
			"kind must be mcp, mcp/proposal or chat, exactly"));
	}
}

/* MCPx v0.1 3.1, 3.2: restricted participants send no mcp; an answer to an open request to them
 * passes where rooms.restricted_may_answer says so. */
static enum verdict gate_privilege(struct entry *entry) {
	if (entry->envelope.kind != ENVELOPE_MCP) return PASS;
	if (entry->privilege == PRIVILEGE_FULL) return PASS;
	if (answers_may(entry)) return PASS;
	return refused(entry_refuse(entry, "privilege_violation",
		"Restricted participants cannot send MCP messages directly"));
}

static enum verdict gate_address(struct entry *entry) {
	const struct envelope *envelope = &entry->envelope;
	if (!entry->room->rooms->settings.one_recipient || envelope->kind != ENVELOPE_MCP) return PASS;
	if (!envelope_is_request(envelope) || envelope->recipients == 1) return PASS;
	return refused(entry_refuse(entry, "one_recipient",
		"to must name exactly one participant in an MCP request; it names %zu", envelope->recipients));
}

const struct entry_gate entry_gates[] = {
	{"size", gate_size, COUNTER_REFUSED_SIZE},
	{"protocol", gate_protocol, COUNTER_REFUSED_PROTOCOL},
	{"shape", gate_shape, COUNTER_REFUSED_SHAPE},
	{"unique", gate_unique, COUNTER_REFUSED_UNIQUE},
	{"sender", gate_sender, COUNTER_REFUSED_SENDER},
	{"pace", gate_pace, COUNTER_REFUSED_PACE},
	{"kind", gate_kind, COUNTER_REFUSED_KIND},
	{"privilege", gate_privilege, COUNTER_REFUSED_PRIVILEGE},
	{"address", gate_address, COUNTER_REFUSED_ADDRESS},
	{0},
};

bool entry_gates_ask(struct entry *entry) {
	for (const struct entry_gate *gate = entry_gates; gate->name; gate++) {
		if (gate->ask(entry) == PASS) continue;
		entry->gate = gate->name;
		counters_add(entry->room->rooms->counters, gate->refused, 1);
		return false;
	}
	return true;
}
