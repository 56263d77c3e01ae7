/* SPDX-License-Identifier: Apache-2.0 */
/* Audit: records on their way into the spool or, for commands, straight into the chain. */
#include "store/audit.h"

#include "base/clock.h"
#include "store/audit_chain.h"
#include "store/data_folder.h"
#include "store/history.h"
#include "store/store_parts.h"

#include <stdlib.h>

#define QUESTION_LIMIT 1000
#define RECORD_LIMIT (64 * 1024) /* octets of one as JSON */

bool audit_add(struct spool *spool, const struct audit_record *record, struct fault *why) {
	AUTO_TEXT struct text json = {0};
	text_init(&json, RECORD_LIMIT);
	text_add_char(&json, '{');
	audit_record_write(&json, record);
	text_add_char(&json, '}');
	if (text_failed(&json))
		return fault_set(why, FAULT_TOO_LARGE, "an audit record has over %d octets", RECORD_LIMIT);
	struct spool_record spooled = {
		.kind = SPOOL_AUDIT,
		.moment = clock_wall_ms(),
		.topic = record->topic,
	};
	struct slice text = text_slice(&json);
	return spool_add(spool, &spooled, &text, 1, why);
}

static bool write_now(struct archive *archive, const struct audit_record *record,
	struct audit_link *newest, struct fault *why) {
	struct audit_record counted = *record;
	if (counted.count == 0) counted.count = 1;
	if (!database_begin(archive->database, why)) return false;
	if (audit_chain_add(archive, &counted, clock_wall_ms(), newest, why))
		return database_commit(archive->database, why);
	database_rollback(archive->database);
	return false;
}

bool audit_write_file(const char *directory, const struct audit_record *record, struct fault *why) {
	struct audit_link newest;
	if (!data_folder_make(directory, why)) return false;
	AUTO(archive) archive = archive_open(directory, true, why);
	if (!archive) return false;
	return write_now(archive, record, &newest, why) &&
		audit_head_write(directory, &newest, why);
}

/* ---- Questions ---- */

static void deliver(struct letter *letter) {
	struct audit_question *question = CONTAINER_OF(letter, struct audit_question, letter);
	question->answered(question);
}

static void row_write(struct text *json, const struct audit_record *record, int64_t moment,
	uint64_t row) {
	char time[CLOCK_TEXT_SIZE];
	clock_write(moment, time);
	text_printf(json, "{\"row\":%llu,\"ts\":\"%s\",", (unsigned long long)row, time);
	audit_record_write(json, record);
	text_add_char(json, '}');
}

static bool rows_write(struct audit_question *question, sqlite3_stmt *rows, size_t limit,
	struct fault *why) {
	struct text *json = &question->json;
	uint64_t last = 0;
	size_t count = 0;
	enum statement_step step;
	while ((step = statement_step(rows, why)) == STATEMENT_ROW) {
		struct audit_record record;
		struct audit_link link;
		int64_t moment;
		if (count == limit || json->length > HISTORY_OCTETS) break;
		audit_row_read(rows, &record, &moment, &link);
		if (count++) text_add_char(json, ',');
		row_write(json, &record, moment, link.row);
		last = link.row;
	}
	if (step == STATEMENT_FAILED) return false;
	if (step == STATEMENT_ROW)
		text_printf(json, "],\"next_before\":%llu}", (unsigned long long)last);
	else
		text_add_cstr(json, "],\"next_before\":null}");
	return !text_failed(json) || fault_set(why, FAULT_NO_MEMORY, "no memory for the audit records");
}

static bool answer(struct archive *archive, struct audit_question *question, struct fault *why) {
	size_t limit = question->limit;
	if (limit == 0 || limit > QUESTION_LIMIT) limit = QUESTION_LIMIT;
	AUTO_RESET sqlite3_stmt *rows = statement(&archive->audit, AUDIT_FIND, why);
	if (!rows) return false;
	bool is_bounded = question->before > 0 && question->before < INT64_MAX;
	sqlite3_bind_int64(rows, 1, is_bounded ? (int64_t)question->before : INT64_MAX);
	sqlite3_bind_int64(rows, 2, question->since ? question->since : INT64_MIN);
	statement_bind_text(rows, 3, question->actor);
	statement_bind_text(rows, 4, question->event);
	statement_bind_text(rows, 5, question->topic);
	sqlite3_bind_int64(rows, 6, (int64_t)limit + 1);
	text_add_cstr(&question->json, "{\"records\":[");
	return rows_write(question, rows, limit, why);
}

static void run(struct archive *archive, struct letter *letter, const struct fault *failed) {
	struct audit_question *question = CONTAINER_OF(letter, struct audit_question, letter);
	text_init(&question->json, 0);
	question->failed = failed != NULL;
	if (failed)
		question->why = *failed;
	else
		question->failed = !answer(archive, question, &question->why);
	mailbox_answer(question->loop, letter, deliver);
}

bool audit_ask(struct store *store, struct audit_question *question, struct fault *why) {
	return store_ask(store, &question->letter, run, why);
}

void audit_question_finish(struct audit_question *question) {
	text_finish(&question->json);
}
