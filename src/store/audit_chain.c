/* SPDX-License-Identifier: Apache-2.0 */
/* Audit chain: adding a row, and letting old ones go. */
#include "store/audit_chain.h"

#include "store/octets.h"

#define COLUMNS AUDIT_COLUMNS "mac, total"
#define CLAIMS AUDIT_COLUMNS "source, total"

/* ?1 and ?2 are the first and the last row that are looked at; audit_filter.c has the last word. */
#define NARROWED \
	" WHERE row >= ?1 AND row <= ?2 AND moment >= ?3 AND moment < ?4" \
	" AND (?5 = '' OR actor = ?5) AND (?6 = '' OR event = ?6 OR event = ?7)" \
	" AND (?8 = '' OR topic = ?8) AND (?9 = '' OR trace_id = ?9) AND (?10 = '' OR tool_name = ?10)"

static const char *const texts[AUDIT_STATEMENTS] = {
	[AUDIT_LAST] = "SELECT row, mac, total FROM audit ORDER BY row DESC LIMIT 1",
	[AUDIT_ANCHOR] = "SELECT row, mac, total FROM audit_anchor",
	[AUDIT_ADD] = "INSERT INTO audit (" COLUMNS ")"
		      " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)",
	[AUDIT_WALK] = "SELECT " COLUMNS " FROM audit ORDER BY row",
	[AUDIT_FIND] = "SELECT " COLUMNS " FROM audit" NARROWED " ORDER BY row DESC",
	[AUDIT_FIND_UP] = "SELECT " COLUMNS " FROM audit" NARROWED " ORDER BY row",
	[AUDIT_ENDS] = "SELECT (SELECT min(row) FROM audit), (SELECT max(row) FROM audit)",
	[AUDIT_CLAIM_ADD] = "INSERT INTO audit_claims (" CLAIMS ")"
			    " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)",
	[AUDIT_CLAIM_FIND] = "SELECT " CLAIMS " FROM audit_claims" NARROWED " ORDER BY row DESC",
	[AUDIT_CLAIM_FIND_UP] = "SELECT " CLAIMS " FROM audit_claims" NARROWED " ORDER BY row",
	[AUDIT_CLAIM_ENDS] = "SELECT (SELECT min(row) FROM audit_claims), (SELECT max(row) FROM audit_claims)",
	[AUDIT_CLAIM_LAST] = "SELECT row, total FROM audit_claims ORDER BY row DESC LIMIT 1",
	[AUDIT_CLAIM_OLDEST] = "SELECT row, total, moment FROM audit_claims ORDER BY row LIMIT 1",
	[AUDIT_CLAIM_DROP] = "DELETE FROM audit_claims WHERE row = ?1",
	[AUDIT_SET_ANCHOR] = "INSERT OR REPLACE INTO audit_anchor (one, row, mac, total)"
			     " SELECT 1, row, mac, total FROM audit WHERE row = ?1",
	[AUDIT_TRIM] = "DELETE FROM audit WHERE row <= ?1",
	[AUDIT_YOUNGER] = "SELECT row FROM audit WHERE moment >= ?1 ORDER BY row LIMIT 1",
	[AUDIT_REACHES] = "SELECT row FROM audit WHERE total >= ?1 ORDER BY row LIMIT 1",
};

bool audit_chain_init(struct archive *archive, struct fault *why) {
	archive->audit_signer = signer_open(slice_make(archive->secret, sizeof archive->secret), why);
	return archive->audit_signer && statements_init(&archive->audit, archive->database, texts, AUDIT_STATEMENTS, why);
}

/* ---- Signing ---- */

/* Rows from before there were more fields keep their signature; a row that has any of the later ones
 * is signed with all of them. Both forms are told apart by their length. */
static size_t fields_signed(const struct audit_record *record) {
	for (size_t i = AUDIT_SIGNED_ALWAYS; i < AUDIT_FIELDS; i++)
		if (audit_field(record, i).length) return AUDIT_FIELDS;
	return AUDIT_SIGNED_ALWAYS;
}

bool audit_sign(const struct archive *archive, const struct audit_link *before,
	const struct audit_record *record, int64_t moment, struct audit_link *link) {
	char numbers[24], lengths[4 * AUDIT_FIELDS];
	struct slice parts[2 + 2 * AUDIT_FIELDS] = {
		slice_make(before->mac, sizeof before->mac), slice_make(numbers, sizeof numbers)};
	size_t count = 2, signed_fields = fields_signed(record);
	int64_t total = before->total;
	octets_put64(numbers, before->row + 1);
	octets_put64(numbers + 8, (uint64_t)moment);
	octets_put64(numbers + 16, (uint64_t)record->count);
	for (size_t i = 0; i < signed_fields; i++) {
		struct slice field = audit_field(record, i);
		total += (int64_t)field.length;
		octets_put32(lengths + 4 * i, (uint32_t)field.length);
		parts[count++] = slice_make(lengths + 4 * i, 4);
		parts[count++] = field;
	}
	if (!signer_sign(archive->audit_signer, parts, count, link->mac)) return false;
	link->total = total;
	link->row = before->row + 1;
	return true;
}

/* ---- Rows ---- */

static bool link_read(struct archive *archive, enum audit_statement which, struct audit_link *link,
	bool *found, struct fault *why) {
	AUTO_RESET sqlite3_stmt *row = statement(&archive->audit, which, why);
	if (!row) return false;
	enum statement_step step = statement_step(row, why);
	*found = step == STATEMENT_ROW;
	if (!*found) return step == STATEMENT_DONE;
	struct slice mac = statement_blob(row, 1);
	if (mac.length != sizeof link->mac)
		return fault_set(why, FAULT_IO, "the audit trail is damaged: run `hustings audit verify`");
	link->row = (uint64_t)sqlite3_column_int64(row, 0);
	link->total = sqlite3_column_int64(row, 2);
	memcpy(link->mac, mac.bytes, sizeof link->mac);
	return true;
}

bool audit_anchor_read(struct archive *archive, struct audit_link *anchor, struct fault *why) {
	bool found;
	*anchor = (struct audit_link){0};
	return link_read(archive, AUDIT_ANCHOR, anchor, &found, why);
}

bool audit_last_read(struct archive *archive, struct audit_link *last, struct fault *why) {
	bool found;
	if (!link_read(archive, AUDIT_LAST, last, &found, why)) return false;
	return found || audit_anchor_read(archive, last, why);
}

void audit_row_bind(sqlite3_stmt *add, const struct audit_record *record, int64_t moment, uint64_t row) {
	sqlite3_bind_int64(add, 1, (int64_t)row);
	sqlite3_bind_int64(add, 2, moment);
	for (int i = 0; i < AUDIT_FIELDS; i++)
		statement_bind_text(add, 3 + i, audit_field(record, (size_t)i));
	sqlite3_bind_int64(add, 3 + AUDIT_FIELDS, record->count);
}

bool audit_chain_add(struct archive *archive, const struct audit_record *record, int64_t moment,
	struct audit_link *newest, struct fault *why) {
	struct audit_link last, link;
	if (!audit_last_read(archive, &last, why)) return false;
	if (!audit_sign(archive, &last, record, moment, &link))
		return fault_set(why, FAULT_NO_MEMORY, "no memory to sign an audit record");
	AUTO_RESET sqlite3_stmt *add = statement(&archive->audit, AUDIT_ADD, why);
	if (!add) return false;
	audit_row_bind(add, record, moment, link.row);
	statement_bind_blob(add, AUDIT_BIND_PROOF, slice_make(link.mac, sizeof link.mac));
	sqlite3_bind_int64(add, AUDIT_BIND_PROOF + 1, link.total);
	if (!statement_run(add, why)) return false;
	*newest = link;
	return true;
}

void audit_row_read(sqlite3_stmt *row, struct audit_record *record, int64_t *moment,
	struct audit_link *link) {
	*link = (struct audit_link){.row = (uint64_t)sqlite3_column_int64(row, 0)};
	*moment = sqlite3_column_int64(row, 1);
	*record = (struct audit_record){.count = sqlite3_column_int64(row, AUDIT_COLUMN_COUNT)};
	for (int i = 0; i < AUDIT_FIELDS; i++) audit_field_set(record, (size_t)i, statement_text(row, 2 + i));
	if (sqlite3_column_type(row, AUDIT_COLUMN_PROOF) == SQLITE_TEXT) {
		record->source = statement_text(row, AUDIT_COLUMN_PROOF);
		return;
	}
	struct slice mac = statement_blob(row, AUDIT_COLUMN_PROOF);
	if (mac.length == sizeof link->mac) memcpy(link->mac, mac.bytes, sizeof link->mac);
}

bool audit_chain_trim(struct archive *archive, uint64_t row, struct fault *why) {
	AUTO_RESET sqlite3_stmt *anchor = statement(&archive->audit, AUDIT_SET_ANCHOR, why);
	AUTO_RESET sqlite3_stmt *trim = statement(&archive->audit, AUDIT_TRIM, why);
	if (!anchor || !trim) return false;
	sqlite3_bind_int64(anchor, 1, (int64_t)row);
	sqlite3_bind_int64(trim, 1, (int64_t)row);
	return statement_run(anchor, why) && statement_run(trim, why);
}
