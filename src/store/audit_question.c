/* SPDX-License-Identifier: Apache-2.0 */
/* Audit question: a range of rows, narrowed by SQLite, decided by the filter, written in a form. */
#include "store/audit_question.h"

#include "base/clock.h"
#include "base/glob.h"
#include "store/audit_chain.h"
#include "store/audit_csv.h"
#include "store/audit_event.h"
#include "store/audit_listener.h"
#include "store/history.h"
#include "store/store_parts.h"

struct span {
	uint64_t first; /* rows that are looked at, both inclusive; first > last: none */
	uint64_t last;
	bool is_whole; /* nothing is left behind it */
};

/* ---- Which rows ---- */

static bool ends_read(struct archive *archive, bool of_claims, uint64_t *oldest, uint64_t *newest,
	struct fault *why) {
	enum audit_statement which = of_claims ? AUDIT_CLAIM_ENDS : AUDIT_ENDS;
	AUTO_RESET sqlite3_stmt *row = statement(&archive->audit, which, why);
	if (!row || statement_step(row, why) != STATEMENT_ROW) return false;
	*oldest = (uint64_t)sqlite3_column_int64(row, 0);
	*newest = (uint64_t)sqlite3_column_int64(row, 1);
	return true;
}

static bool span_find(struct archive *archive, const struct audit_question *question, struct span *span,
	struct fault *why) {
	uint64_t oldest, newest, from = question->from;
	if (!ends_read(archive, question->filter.of_claims, &oldest, &newest, why)) return false;
	span->first = oldest;
	span->last = newest;
	if (from && question->is_upward && from + 1 > oldest) span->first = from + 1;
	if (from && !question->is_upward && from - 1 < newest) span->last = from - 1;
	span->is_whole = newest == 0 || span->first > span->last ||
		span->last - span->first < AUDIT_ROWS_LOOKED;
	if (span->first > span->last) *span = (struct span){.first = 1, .last = 0, .is_whole = true};
	if (span->is_whole) return true;
	if (question->is_upward) span->last = span->first + AUDIT_ROWS_LOOKED - 1;
	else span->first = span->last - AUDIT_ROWS_LOOKED + 1;
	return true;
}

static sqlite3_stmt *rows_open(struct archive *archive, const struct audit_question *question,
	const struct span *span, struct fault *why) {
	static const enum audit_statement which[2][2] = {
		{AUDIT_FIND, AUDIT_FIND_UP}, {AUDIT_CLAIM_FIND, AUDIT_CLAIM_FIND_UP}};
	const struct audit_filter *filter = &question->filter;
	sqlite3_stmt *rows = statement(&archive->audit, which[filter->of_claims][question->is_upward], why);
	if (!rows) return NULL;
	bool is_pattern = glob_is_open(filter->event);
	sqlite3_bind_int64(rows, 1, (int64_t)span->first);
	sqlite3_bind_int64(rows, 2, (int64_t)span->last);
	sqlite3_bind_int64(rows, 3, filter->since ? filter->since : INT64_MIN);
	sqlite3_bind_int64(rows, 4, filter->until ? filter->until : INT64_MAX);
	statement_bind_text(rows, 5, filter->actor);
	statement_bind_text(rows, 6, is_pattern ? SLICE_NONE : filter->event);
	statement_bind_text(rows, 7, audit_event_word(filter->event));
	statement_bind_text(rows, 8, filter->topic);
	statement_bind_text(rows, 9, filter->trace);
	statement_bind_text(rows, 10, filter->tool);
	return rows;
}

/* ---- Writing ---- */

static void write_record(struct text *to, const struct audit_record *record, int64_t moment, uint64_t row) {
	char time[CLOCK_TEXT_SIZE];
	clock_write(moment, time);
	text_printf(to, "{\"row\":%llu,\"ts\":\"%s\",", (unsigned long long)row, time);
	audit_write_fields(to, record);
	text_add_char(to, '}');
}

static bool tell(const struct audit_question *question, const struct audit_record *record, int64_t moment,
	struct fault *why) {
	char head[AUDIT_PACKED_HEAD];
	struct slice pieces[1 + AUDIT_PACKED_FIELDS];
	if (!audit_pack(record, head, pieces, why)) return false;
	audit_tell(question->store, pieces, COUNT_OF(pieces), moment);
	return true;
}

static bool take(struct audit_question *question, const struct audit_record *record, int64_t moment,
	uint64_t row, struct fault *why) {
	struct text *to = &question->text;
	switch (question->form) {
	case AUDIT_LIST:
		if (question->count) text_add_char(to, ',');
		write_record(to, record, moment, row);
		break;
	case AUDIT_LINES:
		write_record(to, record, moment, row);
		text_add_char(to, '\n');
		break;
	case AUDIT_CSV: audit_csv_line(to, record, moment, row); break;
	case AUDIT_EVENTS:
		audit_write_event(to, record, moment);
		text_add_char(to, '\n');
		break;
	case AUDIT_TALLY: return audit_tally_add(question->tally, record, moment, why);
	case AUDIT_TELL: return tell(question, record, moment, why);
	}
	question->count++;
	return true;
}

static bool is_full(const struct audit_question *question) {
	size_t limit = question->limit;
	if (question->form == AUDIT_TALLY || question->form == AUDIT_TELL) return false;
	if (limit == 0 || limit > AUDIT_QUESTION_LIMIT) limit = AUDIT_QUESTION_LIMIT;
	return question->count >= limit || question->text.length > HISTORY_OCTETS;
}

/* *has_more: one that fits was left out. */
static bool walk(struct audit_question *question, sqlite3_stmt *rows, bool *has_more, struct fault *why) {
	enum statement_step step;
	while ((step = statement_step(rows, why)) == STATEMENT_ROW) {
		struct audit_record record;
		struct audit_link link;
		int64_t moment;
		audit_row_read(rows, &record, &moment, &link);
		if (!audit_filter_fits(&question->filter, &record, moment)) continue;
		*has_more = is_full(question);
		if (*has_more) return true;
		if (!take(question, &record, moment, link.row, why)) return false;
		question->last = link.row;
	}
	return step == STATEMENT_DONE;
}

static void end_list(struct audit_question *question) {
	if (question->next)
		text_printf(&question->text, "],\"next_before\":%llu}", (unsigned long long)question->next);
	else
		text_add_cstr(&question->text, "],\"next_before\":null}");
}

bool audit_answer(struct archive *archive, struct audit_question *question, struct fault *why) {
	struct span span;
	bool has_more = false;
	if (question->text.limit == 0) text_init(&question->text, 0);
	text_clear(&question->text);
	question->count = 0;
	question->last = question->next = 0;
	if (!span_find(archive, question, &span, why)) return false;
	AUTO_RESET sqlite3_stmt *rows = rows_open(archive, question, &span, why);
	if (!rows) return false;
	if (question->form == AUDIT_LIST) text_add_cstr(&question->text, "{\"records\":[");
	if (!walk(question, rows, &has_more, why)) return false;
	if (has_more) question->next = question->last;
	else if (!span.is_whole) question->next = question->is_upward ? span.last : span.first;
	if (question->form == AUDIT_LIST) end_list(question);
	return !text_failed(&question->text) ||
		fault_set(why, FAULT_NO_MEMORY, "no memory for the audit records");
}

/* ---- Through the store's thread ---- */

static void deliver(struct letter *letter) {
	struct audit_question *question = CONTAINER_OF(letter, struct audit_question, letter);
	question->answered(question);
}

static void run(struct archive *archive, struct letter *letter, const struct fault *failed) {
	struct audit_question *question = CONTAINER_OF(letter, struct audit_question, letter);
	question->failed = failed != NULL;
	if (failed)
		question->why = *failed;
	else
		question->failed = !audit_answer(archive, question, &question->why);
	mailbox_answer(question->loop, letter, deliver);
}

bool audit_ask(struct store *store, struct audit_question *question, struct fault *why) {
	return store_ask(store, &question->letter, run, why);
}

void audit_question_finish(struct audit_question *question) {
	text_finish(&question->text);
}
