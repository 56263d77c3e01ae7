/* SPDX-License-Identifier: Apache-2.0 */
/* Audit verify: walks the chain from its anchor to its end and compares the end with the head.
 * Declared in audit.h. */
#include "store/audit.h"

#include "store/audit_chain.h"

struct checking {
	struct archive *archive;
	struct audit_link head;
	struct audit_link last; /* the newest row that fits */
	bool head_fits;
	struct audit_verdict verdict;
};

/* False: it does not fit. */
static bool check_row(struct checking *checking, sqlite3_stmt *rows) {
	struct audit_record record;
	struct audit_link found, right;
	int64_t moment;
	audit_row_read(rows, &record, &moment, &found);
	if (found.row != checking->last.row + 1) return false;
	if (!audit_sign(checking->archive, &checking->last, &record, moment, &right)) return false;
	if (!secret_equal(found.mac, right.mac, sizeof right.mac)) return false;
	checking->last = right;
	if (right.row == checking->head.row)
		checking->head_fits = secret_equal(right.mac, checking->head.mac, sizeof right.mac);
	return true;
}

static bool walk(struct checking *checking, struct fault *why) {
	AUTO_RESET sqlite3_stmt *rows = statement(&checking->archive->audit, AUDIT_WALK, why);
	if (!rows || !audit_anchor_read(checking->archive, &checking->last, why)) return false;
	checking->verdict.first = checking->last.row + 1;
	checking->head_fits = checking->head.row <= checking->last.row;
	enum statement_step step;
	while ((step = statement_step(rows, why)) == STATEMENT_ROW) {
		if (!check_row(checking, rows)) {
			checking->verdict.broken = checking->last.row + 1;
			return true;
		}
		checking->verdict.rows++;
	}
	return step == STATEMENT_DONE;
}

/* One transaction: retention and new rows of a running gateway stay outside. */
static bool check(struct checking *checking, struct fault *why) {
	if (!database_run(checking->archive->database, "BEGIN", why)) return false;
	bool done = walk(checking, why);
	database_rollback(checking->archive->database);
	return done;
}

bool audit_verify(const char *directory, struct audit_verdict *verdict, struct fault *why) {
	struct checking checking = {0};
	struct fault missing = {0};
	/* The head first: what is added meanwhile makes the chain longer, not the head. */
	bool has_head = audit_head_read(directory, &checking.head, &missing);
	if (!has_head && missing.code != FAULT_NOT_FOUND && missing.code != FAULT_BAD_INPUT) {
		if (why) *why = missing;
		return false;
	}
	AUTO(archive) archive = archive_open(directory, false, why);
	if (!archive) return false;
	checking.archive = archive;
	if (!check(&checking, why)) return false;
	if (!has_head) checking.head_fits = checking.verdict.rows == 0 && checking.verdict.first == 1;
	checking.verdict.tail_cut = checking.verdict.broken == 0 && !checking.head_fits;
	*verdict = checking.verdict;
	return true;
}
