/* SPDX-License-Identifier: Apache-2.0 */
/* Proposing: asking for what we may not do ourselves, hearing what others ask for and what became of
 * it (MCPx v0.1 4.2). */
#include "client/proposing.h"

#include "client/guest_parts.h"

bool guest_propose(struct guest *guest, struct slice to, struct slice method, struct slice params,
	struct slice reason, char id[IDENT_UUID_SIZE], struct fault *why) {
	AUTO_TEXT struct text payload = {0};
	struct scan_value root;
	struct scan_fault fault;
	if (params.bytes && (!scan_check(params, SCAN_DEPTH - 4, &root, &fault) || root.type != SCAN_OBJECT))
		return fault_set(why, FAULT_BAD_INPUT, "params: a JSON object is due");
	text_init(&payload, 0);
	text_add_cstr(&payload, "{\"method\":");
	text_json(&payload, method);
	if (params.bytes) {
		text_add_cstr(&payload, ",\"params\":");
		text_add(&payload, params);
	}
	if (reason.length) {
		text_add_cstr(&payload, ",\"reason\":");
		text_json(&payload, reason);
	}
	text_add_char(&payload, '}');
	if (text_failed(&payload)) return fault_set(why, FAULT_NO_MEMORY, "no memory for a proposal");
	return membership_send(guest->membership, ENVELOPE_PROPOSAL, &to, to.bytes ? 1 : 0, SLICE_NONE,
		text_slice(&payload), id, why);
}

static struct slice words_of(const struct scan_value *value, struct arena *arena) {
	struct slice words = SLICE_NONE;
	if (value->type == SCAN_STRING) (void)!scan_string(value, arena, &words);
	return words;
}

static struct slice find_words(const struct scan_value *object, const char *name,
	struct arena *arena) {
	struct scan_value value;
	return scan_find(object, name, &value) ? words_of(&value, arena) : SLICE_NONE;
}

void proposing_take(struct guest *guest, const struct envelope *envelope,
	enum guest_moment moment, struct arena *arena) {
	struct guest_proposal proposal = {
		.id = envelope->id,
		.from = envelope->from,
		.to = envelope->recipients ? envelope->recipient : SLICE_NONE,
		.method = words_of(&envelope->body.method, arena),
		.params = envelope->body.params.text,
		.reason = words_of(&envelope->body.reason, arena),
		.moment = moment,
	};
	if (proposal.method.bytes) GUEST_TELL(guest, proposed, &proposal);
}

void proposing_settled(struct guest *guest, const struct envelope *envelope,
	struct arena *arena) {
	struct guest_settlement settlement = {
		.proposal = find_words(&envelope->payload, "proposalId", arena),
		.status = find_words(&envelope->payload, "status", arena),
		.by = find_words(&envelope->payload, "by", arena),
		.reason = find_words(&envelope->payload, "reason", arena),
	};
	if (settlement.proposal.bytes && settlement.status.bytes) GUEST_TELL(guest, settled, &settlement);
}
