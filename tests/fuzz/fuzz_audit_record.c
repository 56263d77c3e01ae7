/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A packed audit record: what is read lies within it and packs to the same octets; whatever it says,
 * its event is sound JSON on one line and its line of CSV is one.
 */
#include "store/audit_csv.h"
#include "store/audit_event.h"
#include "wire/scan.h"

#include <stdlib.h>

static void check_packed(struct slice packed, const struct audit_record *record) {
	char head[AUDIT_PACKED_HEAD];
	struct slice pieces[1 + AUDIT_PACKED_FIELDS];
	size_t at = 0;
	if (packed.length > AUDIT_RECORD_LIMIT) return;
	if (!audit_pack(record, head, pieces, NULL)) abort();
	for (size_t i = 0; i < COUNT_OF(pieces); i++) {
		if (pieces[i].length > packed.length - at) abort();
		if (pieces[i].length && memcmp(packed.bytes + at, pieces[i].bytes, pieces[i].length) != 0) abort();
		at += pieces[i].length;
	}
	if (at != packed.length) abort();
}

static void check_json(struct text *text) {
	struct scan_value root;
	struct scan_fault fault;
	if (text_failed(text) || memchr(text->bytes, '\n', text->length)) abort();
	if (!scan_check(text_slice(text), SCAN_DEPTH - 8, &root, &fault)) abort();
}

/* Outside quotes there is one line end, and as many commas as the head has. */
static void check_csv(const struct text *head, const struct text *line) {
	size_t wanted = 0, found = 0, ends = 0;
	bool is_quoted = false;
	for (size_t i = 0; i < head->length; i++) wanted += head->bytes[i] == ',';
	for (size_t i = 0; i < line->length; i++) {
		if (line->bytes[i] == '"') is_quoted = !is_quoted;
		found += line->bytes[i] == ',' && !is_quoted;
		ends += line->bytes[i] == '\n' && !is_quoted;
	}
	if (is_quoted || found != wanted || ends != 1) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	struct slice packed = slice_make(data, size);
	struct audit_record record;
	AUTO_TEXT struct text text = {0}, head = {0};
	if (!audit_unpack(packed, &record)) return 0;
	check_packed(packed, &record);
	text_init(&text, 0);
	text_init(&head, 0);
	audit_write_event(&text, &record, 1772193600000);
	check_json(&text);
	text_clear(&text);
	text_add_char(&text, '{');
	audit_write_fields(&text, &record);
	text_add_char(&text, '}');
	check_json(&text);
	text_clear(&text);
	audit_csv_head(&head);
	audit_csv_line(&text, &record, 1772193600000, 1);
	check_csv(&head, &text);
	return 0;
}
