/* SPDX-License-Identifier: Apache-2.0 */
/* Audit chain: adding a row, and letting old ones go. */
#include "store/audit_chain.h"

#include "store/octets.h"
#include "wire/scan.h"

#define FIELDS 7
#define COLUMNS "row, moment, event, actor, topic, target, gate, result, detail, count, mac, total"

static const char *const texts[AUDIT_STATEMENTS] = {
	[AUDIT_LAST] = "SELECT row, mac, total FROM audit ORDER BY row DESC LIMIT 1",
	[AUDIT_ANCHOR] = "SELECT row, mac, total FROM audit_anchor",
	[AUDIT_ADD] = "INSERT INTO audit (" COLUMNS ")"
		      " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
	[AUDIT_WALK] = "SELECT " COLUMNS " FROM audit ORDER BY row",
	[AUDIT_FIND] = "SELECT " COLUMNS " FROM audit WHERE row < ?1 AND moment >= ?2"
		       " AND (?3 = '' OR actor = ?3) AND (?4 = '' OR event = ?4) AND (?5 = '' OR topic = ?5)"
		       " ORDER BY row DESC LIMIT ?6",
	[AUDIT_SET_ANCHOR] = "INSERT OR REPLACE INTO audit_anchor (one, row, mac, total)"
			     " SELECT 1, row, mac, total FROM audit WHERE row = ?1",
	[AUDIT_TRIM] = "DELETE FROM audit WHERE row <= ?1",
	[AUDIT_YOUNGER] = "SELECT row FROM audit WHERE moment >= ?1 ORDER BY row LIMIT 1",
	[AUDIT_REACHES] = "SELECT row FROM audit WHERE total >= ?1 ORDER BY row LIMIT 1",
};

static const struct {
	const char *name;
	size_t offset;
} fields[FIELDS] = {
	{"event", offsetof(struct audit_record, event)},
	{"actor", offsetof(struct audit_record, actor)},
	{"topic", offsetof(struct audit_record, topic)},
	{"target", offsetof(struct audit_record, target)},
	{"gate", offsetof(struct audit_record, gate)},
	{"result", offsetof(struct audit_record, result)},
	{"detail", offsetof(struct audit_record, detail)},
};

static struct slice *field_of(struct audit_record *record, size_t at) {
	return (struct slice *)((char *)record + fields[at].offset);
}

static struct slice field_read(const struct audit_record *record, size_t at) {
	return *(const struct slice *)((const char *)record + fields[at].offset);
}

bool audit_chain_init(struct archive *archive, struct fault *why) {
	return statements_init(&archive->audit, archive->database, texts, AUDIT_STATEMENTS, why);
}

/* ---- Signing ---- */

bool audit_sign(const struct archive *archive, const struct audit_link *before,
	const struct audit_record *record, int64_t moment, struct audit_link *link) {
	AUTO_TEXT struct text text = {0};
	char number[8], length[4];
	uint64_t row = before->row + 1;
	uint64_t numbers[] = {row, (uint64_t)moment, (uint64_t)record->count};
	text_init(&text, 0);
	text_add(&text, slice_make(before->mac, sizeof before->mac));
	for (size_t i = 0; i < COUNT_OF(numbers); i++) {
		octets_put64(number, numbers[i]);
		text_add(&text, slice_make(number, sizeof number));
	}
	link->total = before->total;
	for (size_t i = 0; i < FIELDS; i++) {
		struct slice field = field_read(record, i);
		link->total += (int64_t)field.length;
		octets_put32(length, (uint32_t)field.length);
		text_add(&text, slice_make(length, sizeof length));
		text_add(&text, field);
	}
	if (text_failed(&text)) return false;
	struct slice key = slice_make(archive->secret, sizeof archive->secret);
	if (!secret_sign(key, text_slice(&text), link->mac)) return false;
	link->row = row;
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

bool audit_chain_add(struct archive *archive, const struct audit_record *record, int64_t moment,
	struct audit_link *newest, struct fault *why) {
	struct audit_link last, link;
	if (!audit_last_read(archive, &last, why)) return false;
	if (!audit_sign(archive, &last, record, moment, &link))
		return fault_set(why, FAULT_NO_MEMORY, "no memory to sign an audit record");
	AUTO_RESET sqlite3_stmt *add = statement(&archive->audit, AUDIT_ADD, why);
	if (!add) return false;
	sqlite3_bind_int64(add, 1, (int64_t)link.row);
	sqlite3_bind_int64(add, 2, moment);
	for (int i = 0; i < FIELDS; i++) statement_bind_text(add, 3 + i, field_read(record, (size_t)i));
	sqlite3_bind_int64(add, 10, record->count);
	statement_bind_blob(add, 11, slice_make(link.mac, sizeof link.mac));
	sqlite3_bind_int64(add, 12, link.total);
	if (!statement_run(add, why)) return false;
	*newest = link;
	return true;
}

void audit_row_read(sqlite3_stmt *row, struct audit_record *record, int64_t *moment,
	struct audit_link *link) {
	*link = (struct audit_link){.row = (uint64_t)sqlite3_column_int64(row, 0)};
	*moment = sqlite3_column_int64(row, 1);
	for (int i = 0; i < FIELDS; i++) *field_of(record, (size_t)i) = statement_text(row, 2 + i);
	record->count = sqlite3_column_int64(row, 9);
	struct slice mac = statement_blob(row, 10);
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

/* ---- JSON ---- */

void audit_record_write(struct text *json, const struct audit_record *record) {
	for (size_t i = 0; i < FIELDS; i++) {
		struct slice field = field_read(record, i);
		if (!field.length) continue;
		text_printf(json, "\"%s\":", fields[i].name);
		text_json(json, field);
		text_add_char(json, ',');
	}
	text_printf(json, "\"count\":%lld", (long long)(record->count ? record->count : 1));
}

bool audit_chain_add_json(struct archive *archive, struct slice json, int64_t moment,
	struct audit_link *newest, struct fault *why) {
	char lent[4096];
	struct arena arena;
	struct scan_value root, value;
	struct scan_fault fault;
	struct audit_record record = {.count = 1};
	if (!scan_check(json, SCAN_DEPTH, &root, &fault))
		return fault_set(why, FAULT_BAD_INPUT, "an audit record is no JSON");
	arena_init(&arena, lent, sizeof lent, 0);
	bool done = true;
	for (size_t i = 0; done && i < FIELDS; i++)
		if (scan_find(&root, fields[i].name, &value))
			done = scan_string(&value, &arena, field_of(&record, i));
	if (done && scan_find(&root, "count", &value)) done = scan_integer(&value, &record.count);
	if (done)
		done = audit_chain_add(archive, &record, moment, newest, why);
	else
		fault_set(why, FAULT_BAD_INPUT, "an audit record does not have the form of one");
	arena_finish(&arena);
	return done;
}
