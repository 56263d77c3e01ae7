/* SPDX-License-Identifier: Apache-2.0 */
/* Audit pages: a page may be short where a filter is narrow; then the next one is asked for. */
#include "cli/audit_pages.h"

#include "cli/ask.h"
#include "wire/scan.h"

static bool ask_gateway(struct audit_source *source, uint64_t limit, uint64_t before, struct text *page,
	struct fault *why) {
	AUTO_TEXT struct text path = {0}, number = {0};
	text_init(&path, 2000);
	text_init(&number, 0);
	audit_source_path(source, "/admin/audit", &path);
	text_number(&number, (int64_t)limit);
	audit_source_parameter(&path, "limit", text_slice(&number));
	text_clear(&number);
	text_number(&number, (int64_t)before);
	if (before) audit_source_parameter(&path, "before", text_slice(&number));
	if (text_failed(&path)) return fault_set(why, FAULT_TOO_LARGE, "the options are too long");
	return ask(&source->reach, "GET", path.bytes, SLICE_NONE, page, why);
}

static bool ask_files(struct audit_source *source, uint64_t limit, uint64_t before, struct text *page,
	struct fault *why) {
	struct audit_question question = {
		.filter = source->filter, .form = AUDIT_LIST, .limit = (size_t)limit, .from = before};
	bool done = audit_answer(source->archive, &question, why);
	text_clear(page);
	if (done) text_add(page, text_slice(&question.text));
	audit_question_finish(&question);
	if (done && text_failed(page)) return fault_set(why, FAULT_NO_MEMORY, "no memory for the records");
	return done;
}

/* The page's records go behind those there are; *next 0: there are no more. */
static bool take_page(const struct text *page, struct text *json, uint64_t *count, uint64_t *next,
	struct fault *why) {
	struct scan_value root, records, row;
	struct scan_fault fault;
	int64_t before = 0;
	if (!scan_check(text_slice(page), SCAN_DEPTH, &root, &fault) ||
		!scan_find(&root, "records", &records) || records.type != SCAN_ARRAY ||
		!scan_find(&root, "next_before", &row))
		return fault_set(why, FAULT_IO, "the answer holds no records");
	uint64_t found = scan_count(&records);
	if (found && *count) text_add_char(json, ',');
	text_add(json, slice_make(records.text.bytes + 1, records.text.length - 2));
	*count += found;
	*next = scan_integer(&row, &before) && before > 0 ? (uint64_t)before : 0;
	return true;
}

bool audit_pages_read(struct audit_source *source, uint64_t limit, uint64_t before, struct text *json,
	struct fault *why) {
	AUTO_TEXT struct text page = {0};
	uint64_t count = 0, next = before;
	text_init(&page, 0);
	text_add_cstr(json, "{\"records\":[");
	do {
		uint64_t wanted = limit - count;
		if (wanted > AUDIT_QUESTION_LIMIT) wanted = AUDIT_QUESTION_LIMIT;
		bool done = source->archive ? ask_files(source, wanted, next, &page, why)
					    : ask_gateway(source, wanted, next, &page, why);
		if (!done || !take_page(&page, json, &count, &next, why)) return false;
	} while (next && count < limit);
	if (next) text_printf(json, "],\"next_before\":%llu}", (unsigned long long)next);
	else text_add_cstr(json, "],\"next_before\":null}");
	return !text_failed(json) || fault_set(why, FAULT_NO_MEMORY, "no memory for the records");
}
