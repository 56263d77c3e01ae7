/* SPDX-License-Identifier: Apache-2.0 */
/* Envelope write: what leaves, as pieces of what came and of a few constant words. */
#include "base/clock.h"
#include "base/ident.h"
#include "wire/envelope.h"

static void piece_add(struct envelope_form *form, struct slice piece) {
	form->pieces[form->count++] = piece;
	form->length += piece.length;
}

static bool is_wrapped(const struct envelope *envelope, enum envelope_dialect dialect) {
	return dialect == ENVELOPE_V0 && envelope->kind == ENVELOPE_CHAT;
}

/* The very octets, with what the sender left out put first. */
static void same_write(const struct envelope *envelope, struct slice from_json, struct slice ts,
		struct envelope_form *form) {
	bool has_from = envelope->from.bytes;
	bool has_ts = envelope->ts.bytes;
	if (has_from && has_ts) {
		piece_add(form, envelope->text);
		return;
	}
	if (!has_from) {
		piece_add(form, SLICE("{\"from\":"));
		piece_add(form, from_json);
	}
	if (!has_ts) {
		piece_add(form, has_from ? SLICE("{\"ts\":\"") : SLICE(",\"ts\":\""));
		piece_add(form, ts);
	}
	piece_add(form, has_ts ? SLICE(",") : SLICE("\","));
	piece_add(form, slice_make(envelope->text.bytes + 1, envelope->text.length - 1));
}

static void head_write(const struct envelope *envelope, enum envelope_dialect dialect,
		struct slice from_json, struct slice ts, struct envelope_form *form) {
	static const struct slice beginnings[ENVELOPE_DIALECTS] = {
		[ENVELOPE_V0] = SLICE("{\"protocol\":\"mcp-x/v0\",\"id\":"),
		[ENVELOPE_V01] = SLICE("{\"protocol\":\"mcpx/v0.1\",\"id\":"),
	};
	piece_add(form, beginnings[dialect]);
	piece_add(form, envelope->id_value.text);
	piece_add(form, SLICE(",\"ts\":\""));
	piece_add(form, envelope->ts.bytes ? envelope->ts : ts);
	piece_add(form, SLICE("\",\"from\":"));
	piece_add(form, envelope->from.bytes ? envelope->from_value.text : from_json);
	if (envelope->to.type != SCAN_NONE) {
		piece_add(form, SLICE(",\"to\":"));
		piece_add(form, envelope->to.text);
	}
	piece_add(form, SLICE(",\"kind\":"));
	piece_add(form, is_wrapped(envelope, dialect) ? SLICE("\"mcp\"") : envelope->kind_value.text);
	if (envelope->correlation_id.bytes) {
		piece_add(form, SLICE(",\"correlation_id\":"));
		piece_add(form, envelope->correlation_value.text);
	}
}

void envelope_write(const struct envelope *envelope, enum envelope_dialect dialect,
		struct slice from_json, struct slice ts, struct envelope_form *form) {
	form->count = 0;
	form->length = 0;
	bool wraps = is_wrapped(envelope, dialect);
	if (envelope->dialect == dialect && !wraps) {
		same_write(envelope, from_json, ts, form);
		return;
	}
	head_write(envelope, dialect, from_json, ts, form);
	piece_add(form, wraps ? SLICE(",\"payload\":{\"jsonrpc\":\"2.0\","
		"\"method\":\"notifications/chat/message\",\"params\":") : SLICE(",\"payload\":"));
	piece_add(form, envelope->payload.text);
	piece_add(form, wraps ? SLICE("}}") : SLICE("}"));
}

void envelope_compose(struct text *text, enum envelope_dialect dialect, enum envelope_kind kind,
		struct slice to, struct slice correlation_id, struct slice payload) {
	char id[IDENT_UUID_SIZE];
	char now[CLOCK_TEXT_SIZE];
	ident_uuid(id);
	clock_write(clock_wall_ms(), now);
	text_printf(text, "{\"protocol\":\"%s\",\"id\":\"%s\",\"ts\":\"%s\"",
		envelope_dialect_text(dialect), id, now);
	text_add(text, SLICE(",\"from\":\"system:gateway\""));
	if (to.bytes) {
		text_add(text, SLICE(",\"to\":["));
		text_json(text, to);
		text_add(text, SLICE("]"));
	}
	text_printf(text, ",\"kind\":\"%s\"", envelope_kind_text(kind));
	if (correlation_id.bytes) {
		text_add(text, SLICE(",\"correlation_id\":"));
		text_json(text, correlation_id);
	}
	text_add(text, SLICE(",\"payload\":"));
	text_add(text, payload);
	text_add(text, SLICE("}"));
}
