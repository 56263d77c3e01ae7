/* SPDX-License-Identifier: Apache-2.0 */
/* Proposal rows: one row a proposal, rewritten when it is settled. */
#include "store/proposal_rows.h"

enum {
	PROPOSAL_PUT,
	PROPOSAL_TRIM,
	PROPOSAL_OPEN,
	PROPOSAL_STATEMENTS
};

static const char *const texts[PROPOSAL_STATEMENTS] = {
	[PROPOSAL_PUT] = "INSERT INTO proposals (topic, id_hash, is_open, moment, record)"
			 " VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (topic, id_hash) DO UPDATE"
			 " SET is_open = excluded.is_open, moment = excluded.moment, record = excluded.record",
	[PROPOSAL_TRIM] = "DELETE FROM proposals WHERE NOT is_open AND topic = ?1 AND proposal_id <="
			  " (SELECT proposal_id FROM proposals WHERE NOT is_open AND topic = ?1"
			  "  ORDER BY proposal_id DESC LIMIT 1 OFFSET ?2)",
	[PROPOSAL_OPEN] = "SELECT record FROM proposals WHERE topic = ?1 AND is_open ORDER BY proposal_id",
};

bool proposal_rows_init(struct archive *archive, struct fault *why) {
	return statements_init(&archive->proposals, archive->database, texts, PROPOSAL_STATEMENTS, why);
}

bool proposal_put(struct archive *archive, const struct spool_record *record, struct fault *why) {
	AUTO_RESET sqlite3_stmt *put = statement(&archive->proposals, PROPOSAL_PUT, why);
	if (!put) return false;
	statement_bind_text(put, 1, record->topic);
	sqlite3_bind_int64(put, 2, (int64_t)record->id_hash);
	sqlite3_bind_int(put, 3, record->kind == SPOOL_PROPOSAL);
	sqlite3_bind_int64(put, 4, record->moment);
	statement_bind_text(put, 5, record->text);
	if (!statement_run(put, why)) return false;
	if (record->kind == SPOOL_PROPOSAL) return true;

	AUTO_RESET sqlite3_stmt *trim = statement(&archive->proposals, PROPOSAL_TRIM, why);
	if (!trim) return false;
	statement_bind_text(trim, 1, record->topic);
	sqlite3_bind_int(trim, 2, PROPOSALS_SETTLED);
	return statement_run(trim, why);
}

bool proposals_open_walk(struct archive *archive, struct slice topic, proposal_seen *seen,
	void *context, struct fault *why) {
	AUTO_RESET sqlite3_stmt *walk = statement(&archive->proposals, PROPOSAL_OPEN, why);
	if (!walk) return false;
	statement_bind_text(walk, 1, topic);
	for (enum statement_step step; (step = statement_step(walk, why)) != STATEMENT_DONE;) {
		if (step == STATEMENT_FAILED || !seen(context, statement_text(walk, 0), why)) return false;
	}
	return true;
}
