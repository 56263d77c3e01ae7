/* SPDX-License-Identifier: Apache-2.0 */
/* Proposal record: its memory, its JSON, its equality. */
#include "room/proposal_record.h"

#include "base/clock.h"

#include <stdlib.h>

static const char *const status_texts[PROPOSAL_STATUSES] = {
	[PROPOSAL_PENDING] = "pending",
	[PROPOSAL_FULFILLED] = "fulfilled",
	[PROPOSAL_REJECTED] = "rejected",
	[PROPOSAL_WITHDRAWN] = "withdrawn",
	[PROPOSAL_EXPIRED] = "expired",
};

const char *proposal_status_text(enum proposal_status status) { return status_texts[status]; }

static struct slice place(char **at, struct slice from) {
	struct slice copy = {*at, from.length};
	if (from.length) memcpy(*at, from.bytes, from.length);
	*at += from.length;
	return copy;
}

/* A span inside `from` becomes the same span inside `to`. */
static struct slice shift(struct slice span, struct slice from, struct slice to) {
	if (span.length == 0) return SLICE_NONE;
	return slice_make(to.bytes + (span.bytes - from.bytes), span.length);
}

static struct proposal *assemble(struct slice id, struct slice proposer, struct slice to,
	const struct scan_value *payload, struct slice method, struct slice params) {
	size_t length = id.length + proposer.length + to.length + payload->text.length;
	struct proposal *proposal = calloc(1, sizeof *proposal + length);
	if (!proposal) return NULL;
	char *at = (char *)(proposal + 1);
	list_init(&proposal->in_book);
	proposal->id = place(&at, id);
	proposal->proposer = place(&at, proposer);
	proposal->to = place(&at, to);
	proposal->payload = place(&at, payload->text);
	proposal->method = shift(method, payload->text, proposal->payload);
	proposal->params = shift(params, payload->text, proposal->payload);
	return proposal;
}

struct proposal *proposal_make(const struct envelope *envelope, struct slice proposer,
	int64_t created_at, int64_t expires_at) {
	struct proposal *proposal =
		assemble(envelope->id, proposer, envelope->to.type == SCAN_ARRAY ? envelope->to.text : SLICE_NONE,
			&envelope->payload, envelope->body.method.text,
			envelope->body.params.type == SCAN_NONE ? SLICE_NONE : envelope->body.params.text);
	if (!proposal) return NULL;
	proposal->created_at = created_at;
	proposal->expires_at = expires_at;
	return proposal;
}

void proposal_free(struct proposal *proposal) {
	if (!proposal) return;
	free(proposal->settled_by);
	free(proposal->reason);
	free(proposal);
}

void proposal_settle(struct proposal *proposal, enum proposal_status status, struct slice by,
	struct slice reason, int64_t now) {
	proposal->status = status;
	proposal->settled_at = now;
	proposal->settled_by = by.length ? slice_copy(by) : NULL;
	proposal->reason = reason.length ? slice_copy(reason) : NULL;
}

bool proposal_equals(const struct proposal *proposal, const struct envelope *envelope) {
	struct slice to = envelope->to.type == SCAN_ARRAY ? envelope->to.text : SLICE_NONE;
	struct slice params = envelope->body.params.type == SCAN_NONE ? SLICE_NONE : envelope->body.params.text;
	return slice_equal(proposal->to, to) && slice_equal(proposal->method, envelope->body.method.text) &&
		slice_equal(proposal->params, params);
}

static void write_time(struct text *to, const char *name, int64_t wall_ms) {
	char text[CLOCK_TEXT_SIZE];
	clock_write(wall_ms, text);
	text_printf(to, ",\"%s\":\"%s\"", name, text);
}

static void write_string(struct text *to, const char *name, struct slice string) {
	text_printf(to, ",\"%s\":", name);
	text_json(to, string);
}

void proposal_write(const struct proposal *proposal, struct text *to) {
	text_add_cstr(to, "{\"proposalId\":");
	text_json(to, proposal->id);
	write_string(to, "proposer", proposal->proposer);
	if (proposal->to.length) {
		struct scan_value list = {proposal->to, SCAN_ARRAY, false};
		struct scan_walk walk;
		struct scan_member first;
		scan_open(&walk, &list);
		if (scan_next(&walk, &first)) {
			text_add_cstr(to, ",\"target\":");
			text_add(to, first.value.text);
		}
		text_add_cstr(to, ",\"to\":");
		text_add(to, proposal->to);
	}
	text_add_cstr(to, ",\"method\":");
	text_add(to, proposal->method);
	if (proposal->params.length) {
		text_add_cstr(to, ",\"params\":");
		text_add(to, proposal->params);
	}
	text_add_cstr(to, ",\"payload\":");
	text_add(to, proposal->payload);
	text_printf(to, ",\"status\":\"%s\"", proposal_status_text(proposal->status));
	write_time(to, "createdAt", proposal->created_at);
	write_time(to, "expiresAt", proposal->expires_at);
	if (proposal->settled_at) write_time(to, "settledAt", proposal->settled_at);
	if (proposal->settled_by) write_string(to, "settledBy", slice_of(proposal->settled_by));
	if (proposal->reason) write_string(to, "reason", slice_of(proposal->reason));
	text_add_char(to, '}');
}

static bool read_time(const struct scan_value *root, const char *name, int64_t *wall_ms) {
	struct scan_value value;
	if (!scan_find(root, name, &value) || value.type != SCAN_STRING) return false;
	return clock_read(slice_make(value.text.bytes + 1, value.text.length - 2), wall_ms);
}

struct proposal *proposal_read(struct slice record) {
	struct scan_value root, id, proposer, to = {0}, payload, method, params = {0};
	struct scan_fault fault;
	struct slice id_text, proposer_text;
	int64_t created_at, expires_at;
	char scratch[1024];
	struct arena arena;
	struct proposal *proposal = NULL;
	arena_init(&arena, scratch, sizeof scratch, 0);
	if (scan_check(record, SCAN_DEPTH + 1, &root, &fault) && scan_find(&root, "proposalId", &id) &&
		scan_find(&root, "proposer", &proposer) && scan_find(&root, "payload", &payload) &&
		payload.type == SCAN_OBJECT && scan_find(&payload, "method", &method) &&
		scan_string(&id, &arena, &id_text) && scan_string(&proposer, &arena, &proposer_text) &&
		read_time(&root, "createdAt", &created_at) && read_time(&root, "expiresAt", &expires_at)) {
		scan_find(&root, "to", &to);
		scan_find(&payload, "params", &params);
		proposal = assemble(id_text, proposer_text, to.text, &payload, method.text, params.text);
	}
	if (proposal) {
		proposal->created_at = created_at;
		proposal->expires_at = expires_at;
	}
	arena_finish(&arena);
	return proposal;
}
