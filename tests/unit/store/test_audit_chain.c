/* SPDX-License-Identifier: Apache-2.0 */
/* The chain with the kernel's records, older rows beside newer ones, and claims apart from both. */
#include "archive_rig.h"

#include "store/audit.h"
#include "store/audit_claims.h"
#include "store/audit_spooled.h"
#include "store/migrations.h"
#include "store/retention.h"

#include <stdio.h>

#define TRACE "550e8400-e29b-41d4-a716-446655440000"

static void run(struct shelf *shelf, const char *sql) {
	struct fault why = {0};
	if (!database_run(shelf->archive->database, sql, &why)) fail_msg("%s", why.text);
}

static struct audit_record call_of(const char *actor, const char *tool) {
	return (struct audit_record){
		.event = SLICE("TOOL_EXECUTED"),
		.actor = slice_of(actor),
		.actor_type = SLICE("agent"),
		.trace_id = SLICE(TRACE),
		.server_id = SLICE("files"),
		.tool_name = slice_of(tool),
		.result = AUDIT_SUCCESS,
		.details = SLICE("{\"duration_ms\":12}"),
	};
}

static void write_one(struct shelf *shelf, const struct audit_record *record) {
	struct fault why = {0};
	if (!audit_write_file(shelf->folder.path, record, &why)) fail_msg("%s", why.text);
}

/* As the store's thread does it. */
static void chain_one(struct shelf *shelf, const struct audit_record *record) {
	struct fault why = {0};
	struct audit_link newest;
	if (!audit_chain_add(shelf->archive, record, 1000, &newest, &why)) fail_msg("%s", why.text);
	assert_true(audit_head_write(shelf->folder.path, &newest, &why));
}

/* Rows 1, 3, 5 of a room, rows 2, 4, 6 of the kernel. */
static void fill(struct shelf *shelf) {
	static const char *const actors[] = {"ann", "bob", "cleo"};
	for (size_t i = 0; i < COUNT_OF(actors); i++) {
		struct audit_record joined = {.event = SLICE("joined"), .actor = slice_of(actors[i]), .topic = SLICE("yard"), .count = 1};
		struct audit_record call = call_of(actors[i], "read");
		chain_one(shelf, &joined);
		write_one(shelf, &call);
	}
}

static struct audit_verdict verify_folder(const char *path) {
	struct audit_verdict verdict;
	struct fault why = {0};
	if (!audit_verify(path, &verdict, &why)) fail_msg("%s", why.text);
	return verdict;
}

static struct audit_verdict verify(struct shelf *shelf) { return verify_folder(shelf->folder.path); }

static void rows_of_both_kinds_verify(void **state) {
	struct shelf *shelf = *state;
	fill(shelf);
	struct audit_verdict verdict = verify(shelf);
	assert_int_equal(verdict.rows, 6);
	assert_int_equal(verdict.broken, 0);
	assert_false(verdict.tail_cut);
}

/* Each is made on a copy and undone. */
static void harm(struct shelf *shelf, const char *sql, uint64_t broken) {
	run(shelf, "CREATE TEMP TABLE held AS SELECT * FROM audit");
	run(shelf, sql);
	struct audit_verdict verdict = verify(shelf);
	if (verdict.broken != broken) fail_msg("%s: row %d", sql, (int)verdict.broken);
	run(shelf, "DELETE FROM audit; INSERT INTO audit SELECT * FROM held; DROP TABLE held");
	assert_int_equal(verify(shelf).broken, 0);
	assert_false(verify(shelf).tail_cut);
}

static void every_change_of_a_kernel_row_is_found(void **state) {
	struct shelf *shelf = *state;
	fill(shelf);
	harm(shelf, "UPDATE audit SET trace_id = '' WHERE row = 4", 4);
	harm(shelf, "UPDATE audit SET actor_type = 'human' WHERE row = 4", 4);
	harm(shelf, "UPDATE audit SET server_id = 'other' WHERE row = 4", 4);
	harm(shelf, "UPDATE audit SET tool_name = 'write' WHERE row = 4", 4);
	harm(shelf, "UPDATE audit SET result = 'BLOCKED' WHERE row = 4", 4);
	harm(shelf, "UPDATE audit SET details = '{\"duration_ms\":13}' WHERE row = 4", 4);
	harm(shelf, "UPDATE audit SET server_id = 'filesre', tool_name = 'ad' WHERE row = 4", 4);
	/* All of the later fields gone: it would be a row of the older form, were it signed as one. */
	harm(shelf,
		"UPDATE audit SET actor_type = '', trace_id = '', server_id = '', tool_name = '', details = ''"
		" WHERE row = 4",
		4);
	/* And the other way round. */
	harm(shelf, "UPDATE audit SET details = '{}' WHERE row = 3", 3);
	harm(shelf, "UPDATE audit SET topic = 'yar', server_id = 'd' WHERE row = 3", 3);
}

static void fields_swapped_between_rows_are_found(void **state) {
	struct shelf *shelf = *state;
	fill(shelf);
	harm(shelf,
		"UPDATE audit SET actor = CASE row WHEN 2 THEN 'bob' ELSE 'ann' END WHERE row IN (2, 4)", 2);
	harm(shelf,
		"UPDATE audit SET tool_name = CASE row WHEN 2 THEN 'read' ELSE 'write' END WHERE row IN (2, 4)", 4);
}

static void rows_in_another_order_are_found(void **state) {
	struct shelf *shelf = *state;
	fill(shelf);
	harm(shelf,
		"UPDATE audit SET row = -row WHERE row IN (2, 4);"
		"UPDATE audit SET row = CASE row WHEN -2 THEN 4 ELSE 2 END WHERE row < 0",
		2);
	/* With their signatures left in place. */
	harm(shelf,
		"CREATE TEMP TABLE macs AS SELECT row, mac FROM audit;"
		"UPDATE audit SET row = -row WHERE row IN (2, 4);"
		"UPDATE audit SET row = CASE row WHEN -2 THEN 4 ELSE 2 END WHERE row < 0;"
		"UPDATE audit SET mac = (SELECT mac FROM macs WHERE macs.row = audit.row);"
		"DROP TABLE macs",
		2);
}

static void a_row_taken_out_or_put_in_is_found(void **state) {
	struct shelf *shelf = *state;
	fill(shelf);
	harm(shelf, "DELETE FROM audit WHERE row = 4", 4);
	harm(shelf, "DELETE FROM audit WHERE row = 4; UPDATE audit SET row = row - 1 WHERE row > 4", 4);
	harm(shelf,
		"INSERT INTO audit (row, moment, event, actor, topic, target, gate, result, detail, count, total, mac)"
		" SELECT 7, moment, event, actor, topic, target, gate, result, detail, count, total, mac"
		" FROM audit WHERE row = 5",
		7);
}

static void a_cut_tail_is_told(void **state) {
	struct shelf *shelf = *state;
	fill(shelf);
	run(shelf, "DELETE FROM audit WHERE row = 6");
	assert_int_equal(verify(shelf).broken, 0);
	assert_true(verify(shelf).tail_cut);
}

static void an_anchor_takes_the_place_of_what_retention_took(void **state) {
	struct shelf *shelf = *state;
	struct store_retention retention = {.count = 3};
	struct fault why = {0};
	fill(shelf);
	assert_true(database_begin(shelf->archive->database, &why));
	assert_true(retention_apply_audit(shelf->archive, &retention, 0, &why));
	assert_true(database_commit(shelf->archive->database, &why));
	struct audit_verdict verdict = verify(shelf);
	assert_int_equal(verdict.first, 4);
	assert_int_equal(verdict.rows, 3);
	assert_int_equal(verdict.broken, 0);
	run(shelf, "UPDATE audit_anchor SET row = 2");
	assert_int_equal(verify(shelf).broken, 3);
	run(shelf, "UPDATE audit_anchor SET row = 3, mac = zeroblob(32)");
	assert_int_equal(verify(shelf).broken, 4);
}

/* ---- From before there were more fields ---- */

static void put_old(struct archive *archive, const char *actor, struct audit_link *last) {
	struct audit_record record = {.event = SLICE("joined"), .actor = slice_of(actor), .result = SLICE("full"), .count = 1};
	struct audit_link link;
	AUTO_TEXT struct text sql = {0};
	char hex[2 * SECRET_HASH_SIZE + 1];
	text_init(&sql, 0);
	assert_true(audit_sign(archive, last, &record, 1000, &link));
	secret_hex(link.mac, sizeof link.mac, hex);
	text_printf(&sql,
		"INSERT INTO audit (row, moment, event, actor, topic, target, gate, result, detail, count, total, mac)"
		" VALUES (%d, 1000, 'joined', '%s', '', '', '', 'full', '', 1, %d, x'%s')",
		(int)link.row, actor, (int)link.total, hex);
	assert_true(database_run(archive->database, sql.bytes, NULL));
	*last = link;
}

static void rows_of_an_older_file_verify_and_go_on(void **state) {
	(void)state;
	struct folder folder;
	struct archive old = {0};
	struct audit_link last = {0};
	struct fault why = {0};
	char path[160];
	folder_make(&folder);
	snprintf(path, sizeof path, "%s/secret", folder.path);
	assert_true(secret_file(path, old.secret, sizeof old.secret, &why));
	old.audit_signer = signer_open(slice_make(old.secret, sizeof old.secret), &why);
	assert_non_null(old.audit_signer);
	snprintf(path, sizeof path, "%s/history.db", folder.path);
	struct database_options options = {
		.path = path, .migrations = history_migrations, .migration_count = 1, .is_archive = true};
	old.database = database_open(&options, &why);
	assert_non_null(old.database);
	put_old(&old, "ann", &last);
	put_old(&old, "bob", &last);
	assert_true(audit_head_write(folder.path, &last, &why));
	database_close(old.database);
	signer_close(old.audit_signer);
	assert_int_equal(verify_folder(folder.path).rows, 2);
	assert_int_equal(verify_folder(folder.path).broken, 0);
	struct audit_record call = call_of("ann", "read");
	assert_true(audit_write_file(folder.path, &call, &why));
	assert_int_equal(verify_folder(folder.path).rows, 3);
	assert_int_equal(verify_folder(folder.path).broken, 0);
	assert_false(verify_folder(folder.path).tail_cut);
	folder_remove(&folder);
}

/* ---- Claims ---- */

static void claim(struct shelf *shelf, const char *source, const char *tool, int64_t moment) {
	struct audit_record record = call_of("agent-7", tool);
	struct audit_link newest = {0};
	struct fault why = {0};
	char head[AUDIT_PACKED_HEAD];
	struct slice pieces[1 + AUDIT_PACKED_FIELDS];
	AUTO_TEXT struct text packed = {0};
	text_init(&packed, 0);
	record.source = slice_of(source);
	assert_true(audit_pack(&record, head, pieces, &why));
	for (size_t i = 0; i < COUNT_OF(pieces); i++) text_add(&packed, pieces[i]);
	if (!audit_spooled_add(shelf->archive, text_slice(&packed), moment, &newest, &why))
		fail_msg("%s", why.text);
	assert_int_equal(newest.row == 0, strcmp(source, "kernel") != 0);
}

static void what_a_server_claims_is_not_in_the_chain(void **state) {
	struct shelf *shelf = *state;
	struct fault why = {0};
	claim(shelf, "server:liar", "read", 5);
	claim(shelf, "kernel", "read", 6);
	claim(shelf, "server:liar", "write", 7);
	assert_int_equal(count_of(shelf, "SELECT count(*) FROM audit"), 1);
	assert_int_equal(count_of(shelf, "SELECT count(*) FROM audit_claims WHERE source = 'server:liar'"), 2);
	assert_int_equal(count_of(shelf, "SELECT max(row) FROM audit_claims"), 2);
	run(shelf, "DELETE FROM audit_claims");
	assert_int_equal(verify(shelf).rows, 1);
	assert_int_equal(verify(shelf).broken, 0);
	struct audit_record record = {.event = SLICE("TOOL_EXECUTED"), .source = SLICE("server:liar")};
	assert_false(audit_write_file(shelf->folder.path, &record, &why));
	assert_int_equal(why.code, FAULT_BAD_INPUT);
}

static void claims_are_bounded_by_octets_and_age(void **state) {
	struct shelf *shelf = *state;
	struct fault why = {0};
	for (int i = 1; i <= 10; i++) claim(shelf, "server:x", "t", i);
	int64_t each = count_of(shelf, "SELECT max(total) FROM audit_claims") / 10;
	assert_true(audit_claims_trim(shelf->archive, INT64_MIN, 4 * each, &why));
	assert_int_equal(count_of(shelf, "SELECT count(*) FROM audit_claims"), 4);
	assert_int_equal(count_of(shelf, "SELECT min(row) FROM audit_claims"), 7);
	assert_true(audit_claims_trim(shelf->archive, 9, AUDIT_CLAIMS_OCTETS, &why));
	assert_int_equal(count_of(shelf, "SELECT min(row) FROM audit_claims"), 9);
	assert_true(audit_claims_trim(shelf->archive, INT64_MAX, 0, &why));
	assert_int_equal(count_of(shelf, "SELECT count(*) FROM audit_claims"), 1); /* rows go on from it */
	claim(shelf, "server:x", "t", 20);
	assert_int_equal(count_of(shelf, "SELECT max(row) FROM audit_claims"), 11);
}

static void retention_by_age_takes_claims_too(void **state) {
	struct shelf *shelf = *state;
	struct store_retention retention = {.age_ms = 100};
	struct fault why = {0};
	for (int i = 1; i <= 3; i++) claim(shelf, "server:x", "t", i * 1000);
	assert_true(retention_apply_audit(shelf->archive, &retention, 2050, &why));
	assert_int_equal(count_of(shelf, "SELECT min(row) FROM audit_claims"), 2);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		SHELF_TEST(rows_of_both_kinds_verify),
		SHELF_TEST(every_change_of_a_kernel_row_is_found),
		SHELF_TEST(fields_swapped_between_rows_are_found),
		SHELF_TEST(rows_in_another_order_are_found),
		SHELF_TEST(a_row_taken_out_or_put_in_is_found),
		SHELF_TEST(a_cut_tail_is_told),
		SHELF_TEST(an_anchor_takes_the_place_of_what_retention_took),
		cmocka_unit_test(rows_of_an_older_file_verify_and_go_on),
		SHELF_TEST(what_a_server_claims_is_not_in_the_chain),
		SHELF_TEST(claims_are_bounded_by_octets_and_age),
		SHELF_TEST(retention_by_age_takes_claims_too),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
