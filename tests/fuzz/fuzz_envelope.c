/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target: an envelope that is read is written for both dialects, and what was written is read
 * again as the same envelope with the same payload octets.
 */
#include "base/clock.h"
#include "wire/envelope.h"

#include <stdlib.h>

#define FROM "\"somebody\""
#define TS "2026-11-22T05:04:52.123Z"
#define CHAT "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/chat/message\",\"params\":"
#define MUST(what) \
	do { \
		if (!(what)) abort(); \
	} while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct arena arena;

static void check_inside(struct slice text, struct slice span) {
	if (!span.bytes) return;
	MUST(span.bytes >= text.bytes && span.bytes + span.length <= text.bytes + text.length);
}

static void check_spans(const struct envelope *envelope, struct slice text) {
	const struct scan_value *values[] = {
		&envelope->to,
		&envelope->payload,
		&envelope->id_value,
		&envelope->from_value,
		&envelope->correlation_value,
		&envelope->kind_value,
		&envelope->body.method,
		&envelope->body.id,
		&envelope->body.params,
		&envelope->body.result,
		&envelope->body.error,
		&envelope->body.reason,
		&envelope->body.text,
	};
	for (size_t i = 0; i < COUNT_OF(values); i++) {
		if (values[i]->type == SCAN_NONE) continue;
		check_inside(text, values[i]->text);
		MUST(scan_check(values[i]->text, SCAN_DEPTH, NULL, NULL));
	}
	check_inside(text, envelope->text);
	check_inside(text, envelope->protocol_value);
}

static void check_recipients(const struct envelope *envelope) {
	struct slice name;
	size_t at = 0;
	size_t count = 0;
	while (envelope_recipient(envelope, &at, &arena, &name)) {
		MUST(name.length >= 1 && name.length <= ENVELOPE_IDENTITY);
		if (count++ == 0) MUST(slice_equal(name, envelope->recipient));
	}
	MUST(count == envelope->recipients && count <= ENVELOPE_RECIPIENTS);
}

static void check_payload(const struct envelope *envelope, const struct envelope *again) {
	struct slice payload = again->payload.text;
	if (envelope->kind == ENVELOPE_CHAT && again->dialect == ENVELOPE_V0) {
		MUST(again->kind == ENVELOPE_MCP && slice_starts_with(payload, CHAT));
		payload = slice_make(payload.bytes + sizeof(CHAT) - 1, payload.length - sizeof(CHAT));
	} else {
		MUST(again->kind == envelope->kind);
	}
	MUST(slice_equal(payload, envelope->payload.text));
}

static void check_written(const struct envelope *envelope, enum envelope_dialect dialect) {
	struct envelope_form form;
	struct envelope again;
	AUTO_TEXT struct text text = {0};
	envelope_write(envelope, dialect, SLICE(FROM), SLICE(TS), &form);
	text_init(&text, 0);
	MUST(form.count >= 1 && form.count <= ENVELOPE_PIECES);
	for (size_t i = 0; i < form.count; i++) text_add(&text, form.pieces[i]);
	MUST(!text_failed(&text) && text.length == form.length);
	MUST(envelope_read(&again, text_slice(&text), &arena, NULL));
	MUST(again.dialect == dialect);
	MUST(slice_equal(again.id, envelope->id));
	MUST(slice_equal(again.from, envelope->from.bytes ? envelope->from : SLICE("somebody")));
	MUST(slice_equal(again.ts, envelope->ts.bytes ? envelope->ts : SLICE(TS)));
	MUST(slice_equal(again.correlation_id, envelope->correlation_id));
	MUST(slice_equal(again.to.text, envelope->to.text));
	check_payload(envelope, &again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	static char lent[64 * 1024];
	struct slice text = slice_make(data, size);
	struct envelope envelope;
	struct envelope_refusal refusal = {.gate = NULL};
	arena_init(&arena, lent, sizeof(lent), 0);
	bool is_read = envelope_read(&envelope, text, &arena, &refusal);
	check_spans(&envelope, text);
	if (is_read) {
		MUST(!refusal.gate && envelope.id.length && envelope.payload.type == SCAN_OBJECT);
		check_recipients(&envelope);
		check_written(&envelope, ENVELOPE_V0);
		check_written(&envelope, ENVELOPE_V01);
	} else {
		MUST(refusal.gate && refusal.word);
		MUST(memchr(refusal.message, '\0', sizeof(refusal.message)));
		if (refusal.is_utf8_fault) MUST(!scan_is_utf8(text));
	}
	arena_finish(&arena);
	return 0;
}
