/* SPDX-License-Identifier: Apache-2.0 */
/* Audit csv: commas, quotes, and no formulas. */
#include "store/audit_csv.h"

#include "base/clock.h"
#include "store/audit_event.h"

static bool begins_like_a_formula(struct slice field) {
	return field.length && memchr("=+-@", field.bytes[0], 4);
}

static bool needs_quotes(struct slice field) {
	return memchr(field.bytes, ',', field.length) || memchr(field.bytes, '"', field.length);
}

/* Judged as it is shown: a hidden character in front of a formula is gone then. */
void audit_csv_field(struct text *to, struct slice field) {
	AUTO_TEXT struct text shown = {0};
	if (!field.length) return;
	text_init(&shown, 0);
	text_display(&shown, field);
	if (text_failed(&shown)) to->failed = true;
	field = text_slice(&shown);
	bool is_quoted = field.length && needs_quotes(field);
	if (is_quoted) text_add_char(to, '"');
	if (begins_like_a_formula(field)) text_add_char(to, '\'');
	while (field.length) {
		const char *quote = is_quoted ? memchr(field.bytes, '"', field.length) : NULL;
		size_t run = quote ? (size_t)(quote - field.bytes) + 1 : field.length;
		text_add(to, slice_make(field.bytes, run));
		if (quote) text_add_char(to, '"');
		field = slice_make(field.bytes + run, field.length - run);
	}
	if (is_quoted) text_add_char(to, '"');
}

void audit_csv_head(struct text *to) {
	text_add_cstr(to, "row,time,event_type,result,count");
	for (size_t i = 0; i < AUDIT_PACKED_FIELDS; i++)
		if (strcmp(audit_field_name(i), "result") != 0) text_printf(to, ",%s", audit_field_name(i));
	text_add_cstr(to, "\r\n");
}

void audit_csv_line(struct text *to, const struct audit_record *record, int64_t moment, uint64_t row) {
	char time[CLOCK_TEXT_SIZE], room[AUDIT_TYPE_SIZE];
	clock_write(moment, time);
	text_printf(to, "%llu,%s,", (unsigned long long)row, time);
	audit_csv_field(to, audit_event_type(record, room));
	text_add_char(to, ',');
	audit_csv_field(to, record->result);
	text_printf(to, ",%lld", (long long)(record->count ? record->count : 1));
	for (size_t i = 0; i < AUDIT_PACKED_FIELDS; i++) {
		if (strcmp(audit_field_name(i), "result") == 0) continue;
		text_add_char(to, ',');
		audit_csv_field(to, audit_field(record, i));
	}
	text_add_cstr(to, "\r\n");
}
