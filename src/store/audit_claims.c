/* SPDX-License-Identifier: Apache-2.0 */
/* Audit claims: rows behind one another, the oldest taken away. */
#include "store/audit_claims.h"

struct claim {
	uint64_t row;
	int64_t total;
	int64_t moment;
};

static bool claim_read(struct archive *archive, enum audit_statement which, struct claim *claim,
	bool *found, struct fault *why) {
	AUTO_RESET sqlite3_stmt *row = statement(&archive->audit, which, why);
	if (!row) return false;
	enum statement_step step = statement_step(row, why);
	*found = step == STATEMENT_ROW;
	*claim = (struct claim){0};
	if (!*found) return step == STATEMENT_DONE;
	claim->row = (uint64_t)sqlite3_column_int64(row, 0);
	claim->total = sqlite3_column_int64(row, 1);
	if (which == AUDIT_CLAIM_OLDEST) claim->moment = sqlite3_column_int64(row, 2);
	return true;
}

static bool drop(struct archive *archive, uint64_t row, struct fault *why) {
	AUTO_RESET sqlite3_stmt *remove = statement(&archive->audit, AUDIT_CLAIM_DROP, why);
	if (!remove) return false;
	sqlite3_bind_int64(remove, 1, (int64_t)row);
	return statement_run(remove, why);
}

bool audit_claims_trim(struct archive *archive, int64_t since, int64_t octets, struct fault *why) {
	struct claim last, oldest;
	bool found;
	if (!claim_read(archive, AUDIT_CLAIM_LAST, &last, &found, why)) return false;
	while (found) {
		if (!claim_read(archive, AUDIT_CLAIM_OLDEST, &oldest, &found, why)) return false;
		if (!found || oldest.row == last.row) break; /* the newest stays: rows go on from it */
		if (oldest.moment >= since && last.total - oldest.total < octets) break;
		if (!drop(archive, oldest.row, why)) return false;
	}
	return true;
}

static int64_t size_of(const struct audit_record *record) {
	int64_t size = AUDIT_PACKED_HEAD;
	for (size_t i = 0; i < AUDIT_PACKED_FIELDS; i++) size += (int64_t)audit_field(record, i).length;
	return size;
}

bool audit_claim_add(struct archive *archive, const struct audit_record *record, int64_t moment,
	struct fault *why) {
	struct claim last;
	bool found;
	if (!claim_read(archive, AUDIT_CLAIM_LAST, &last, &found, why)) return false;
	AUTO_RESET sqlite3_stmt *add = statement(&archive->audit, AUDIT_CLAIM_ADD, why);
	if (!add) return false;
	audit_row_bind(add, record, moment, last.row + 1);
	statement_bind_text(add, AUDIT_BIND_PROOF, record->source);
	sqlite3_bind_int64(add, AUDIT_BIND_PROOF + 1, last.total + size_of(record));
	return statement_run(add, why) && audit_claims_trim(archive, INT64_MIN, AUDIT_CLAIMS_OCTETS, why);
}
