/* SPDX-License-Identifier: Apache-2.0 */
/* Envelope write: what leaves, as pieces of what came and of a few constant words: everything that
 * another dialect does not have other octets for stays where it stood. */
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

/* What the sender left out, put first; what follows begins behind the brace that opens the text. */
static void beginning_write(const struct envelope *envelope, struct slice from_json,
	struct slice ts, struct envelope_form *form) {
	bool has_from = envelope->from.bytes;
	bool has_ts = envelope->ts.bytes;
	if (!has_from) {
		piece_add(form, SLICE("{\"from\":"));
		piece_add(form, from_json);
	}
	if (!has_ts) {
		piece_add(form, has_from ? SLICE("{\"ts\":\"") : SLICE(",\"ts\":\""));
		piece_add(form, ts);
	}
	piece_add(form, has_ts ? SLICE(",") : SLICE("\","));
}

/* A span of the text that another dialect has other octets for. */
struct change {
	struct slice span;
	struct slice before; /* put in its place, or before it ... */
	struct slice after;  /* ... and behind it, when it is kept */
	bool keeps;
};

static void change_add(struct change *changes, size_t *count, struct change change) {
	size_t at = (*count)++;
	for (; at > 0 && changes[at - 1].span.bytes > change.span.bytes; at--) changes[at] = changes[at - 1];
	changes[at] = change;
}

/* In the order in which they stand in the text. */
static size_t changes_find(const struct envelope *envelope, enum envelope_dialect dialect,
	struct change changes[3]) {
	static const struct slice protocols[ENVELOPE_DIALECTS] = {
		[ENVELOPE_V0] = SLICE("\"mcp-x/v0\""),
		[ENVELOPE_V01] = SLICE("\"mcpx/v0.1\""),
	};
	size_t count = 0;
	if (envelope->dialect != dialect)
		change_add(changes, &count,
			(struct change){.span = envelope->protocol_value, .before = protocols[dialect]});
	if (!is_wrapped(envelope, dialect)) return count;
	change_add(changes, &count,
		(struct change){.span = envelope->kind_value.text, .before = SLICE("\"mcp\"")});
	change_add(changes, &count,
		(struct change){.span = envelope->payload.text,
			.before = SLICE("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/chat/message\",\"params\":"),
			.after = SLICE("}"),
			.keeps = true});
	return count;
}

void envelope_write(const struct envelope *envelope, enum envelope_dialect dialect,
	struct slice from_json, struct slice ts, struct envelope_form *form) {
	struct change changes[3];
	size_t count = changes_find(envelope, dialect, changes);
	const char *at = envelope->text.bytes;
	const char *end = at + envelope->text.length;
	form->count = 0;
	form->length = 0;
	if (!envelope->from.bytes || !envelope->ts.bytes) {
		beginning_write(envelope, from_json, ts, form);
		at++;
	}
	for (size_t i = 0; i < count; i++) {
		const struct change *change = &changes[i];
		piece_add(form, slice_make(at, (size_t)(change->span.bytes - at)));
		piece_add(form, change->before);
		if (change->keeps) piece_add(form, change->span);
		if (change->keeps) piece_add(form, change->after);
		at = change->span.bytes + change->span.length;
	}
	piece_add(form, slice_make(at, (size_t)(end - at)));
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
