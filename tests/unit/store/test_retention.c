/* SPDX-License-Identifier: Apache-2.0 */
#include "archive_rig.h"

#include "store/audit_chain.h"
#include "store/retention.h"
#include "store/store_parts.h"

static void retain(struct shelf *shelf, struct store_retention retention, int64_t now) {
	struct fault why = {0};
	assert_true(database_begin(shelf->archive->database, NULL));
	if (!retention_apply(shelf->archive, SLICE("room"), &retention, now, &why)) fail_msg("%s", why.text);
	assert_true(database_commit(shelf->archive->database, NULL));
}

/* What is kept of "room", which must be the newest in a row. */
static void the_kept_are(struct shelf *shelf, uint64_t first, uint64_t last) {
	struct history history = {.kind = HISTORY_SINCE, .topic = SLICE("room")};
	ask_archive(shelf, &history);
	check_run(&history, first, 1, last + 1 - first);
	assert_int_equal(count_of(shelf, "SELECT kept FROM topics WHERE name = 'room'"), last + 1 - first);
	history_finish(&history);
}

static void by_count_exactly_so_many_are_kept(void **state) {
	struct shelf *shelf = *state;
	put(shelf, "room", 1, 600, 1);
	put(shelf, "other", 1, 10, 1);
	static const int64_t counts[] = {600, 599, 400, 256, 255, 50, 1};
	for (size_t i = 0; i < COUNT_OF(counts); i++) {
		retain(shelf, (struct store_retention){.count = counts[i]}, 1);
		the_kept_are(shelf, 601 - (uint64_t)counts[i], 600);
	}
	put(shelf, "room", 601, 610, 1);
	retain(shelf, (struct store_retention){.count = 5}, 1);
	the_kept_are(shelf, 606, 610);
	assert_int_equal(count_of(shelf, "SELECT kept FROM topics WHERE name = 'other'"), 10);
}

static void by_octets_as_many_are_kept_as_fit(void **state) {
	struct shelf *shelf = *state;
	for (uint64_t i = 1; i <= 40; i++) put_one(shelf, "room", i, 1000, 1);
	retain(shelf, (struct store_retention){.bytes = 40000}, 1);
	the_kept_are(shelf, 1, 40);
	retain(shelf, (struct store_retention){.bytes = 39999}, 1);
	the_kept_are(shelf, 2, 40);
	retain(shelf, (struct store_retention){.bytes = 10500}, 1);
	the_kept_are(shelf, 31, 40);
	assert_int_equal(count_of(shelf, "SELECT octets FROM topics WHERE name = 'room'"), 10000);
}

static void by_age_batches_go_when_their_newest_is_too_old(void **state) {
	struct shelf *shelf = *state;
	put(shelf, "room", 1, 10, 1000000);
	put(shelf, "room", 11, 20, 2000000);
	put(shelf, "room", 21, 30, 3000000);
	struct store_retention hour = {.age_ms = 3600000};
	retain(shelf, hour, 1000000 + 3600000);
	the_kept_are(shelf, 1, 30);
	retain(shelf, hour, 1000001 + 3600000);
	the_kept_are(shelf, 11, 30);
	retain(shelf, hour, 2999999 + 3600000);
	the_kept_are(shelf, 21, 30);
	retain(shelf, hour, 3000001 + 3600000);
	assert_int_equal(count_of(shelf, "SELECT kept FROM topics"), 0);
	struct history history = {.kind = HISTORY_ROOM, .topic = SLICE("room"), .limit = 100};
	ask_archive(shelf, &history);
	assert_int_equal(history.last_sequence, 30);
	history_finish(&history);
}

static void without_bounds_everything_stays(void **state) {
	struct shelf *shelf = *state;
	put(shelf, "room", 1, 30, 1);
	retain(shelf, (struct store_retention){0}, INT64_MAX);
	the_kept_are(shelf, 1, 30);
}

static void what_is_gone_cannot_be_asked_for(void **state) {
	struct shelf *shelf = *state;
	put(shelf, "room", 1, 30, 1);
	retain(shelf, (struct store_retention){.count = 10}, 1);
	struct history gone = {.kind = HISTORY_SINCE, .topic = SLICE("room"), .after = SLICE("room-20")};
	ask_archive(shelf, &gone);
	assert_false(gone.found);
	history_finish(&gone);
	struct history kept = {.kind = HISTORY_SINCE, .topic = SLICE("room"), .after = SLICE("room-21")};
	ask_archive(shelf, &kept);
	assert_true(kept.found);
	check_run(&kept, 22, 1, 9);
	history_finish(&kept);
}

static void ids_are_remembered_longer_than_envelopes(void **state) {
	struct shelf *shelf = *state;
	put(shelf, "room", 1, 300, 1);
	retain(shelf, (struct store_retention){.count = 10}, 1);
	put(shelf, "room", 301, 305, 1);
	struct history history = {.kind = HISTORY_ROOM, .topic = SLICE("room"), .limit = RETENTION_HASHES};
	ask_archive(shelf, &history);
	assert_int_equal(history.recent_count, 305);
	assert_true(history.recent[0].text_hash == 3);
	assert_true(history.recent[304].text_hash == 915);
	history_finish(&history);
}

static void ids_are_forgotten_behind_65536_newer_ones(void **state) {
	struct shelf *shelf = *state;
	size_t count = 4096;
	struct spool_record *records = calloc(count, sizeof *records);
	const struct spool_record **line = calloc(count, sizeof *line);
	assert_non_null(records);
	assert_non_null(line);
	for (uint64_t round = 0; round < 18; round++) {
		for (size_t i = 0; i < count; i++) {
			records[i] = (struct spool_record){.sequence = round * count + i + 1, .text = SLICE("{}")};
			line[i] = &records[i];
		}
		assert_true(history_rows_put(shelf->archive, SLICE("room"), line, count, 1, NULL));
	}
	free(records);
	free(line);
	retain(shelf, (struct store_retention){.count = 10}, 1);
	assert_int_equal(count_of(shelf, "SELECT sum(seen) FROM batches"), RETENTION_HASHES);
	assert_int_equal(count_of(shelf, "SELECT sum(kept) FROM batches"), 10);
}

static void the_first_rule_that_fits_counts(void **state) {
	(void)state;
	const struct store_rule rules[] = {
		{"room:one", {.count = 1}},
		{"room:*", {.count = 2}},
		{"*", {.count = 3}},
		{"room:two", {.count = 4}},
	};
	assert_int_equal(retention_find(rules, 4, SLICE("room:one")).count, 1);
	assert_int_equal(retention_find(rules, 4, SLICE("room:one2")).count, 2);
	assert_int_equal(retention_find(rules, 4, SLICE("room:")).count, 2);
	assert_int_equal(retention_find(rules, 4, SLICE("room:two")).count, 2);
	assert_int_equal(retention_find(rules, 4, SLICE("room")).count, 3);
	assert_int_equal(retention_find(rules, 2, SLICE("room")).count, 0);
	assert_int_equal(retention_find(NULL, 0, SLICE("room")).count, 0);
}

static void a_name_as_long_as_its_field_is_a_rule(void **state) {
	(void)state;
	struct store_rule rule = {.retention = {.count = 7}};
	char name[sizeof rule.topic];
	memset(name, 'x', sizeof name);
	memcpy(rule.topic, name, sizeof name);
	assert_int_equal(retention_find(&rule, 1, slice_make(name, sizeof name)).count, 7);
	assert_int_equal(retention_find(&rule, 1, slice_make(name, sizeof name - 1)).count, 0);
}

/* ---- The sweep, on a store whose thread is at rest ---- */

static struct store *store_at_rest(const struct folder *folder, const struct store_rule *rules,
	size_t count, struct store_retention audit) {
	struct store_options options = {
		.directory = folder->path,
		.spools = 1,
		.rules = rules,
		.rule_count = count,
		.audit = audit,
	};
	struct fault why = {0};
	struct store *store = store_open(&options, &why);
	if (!store) fail_msg("%s", why.text);
	store_thread_end(store);
	return store;
}

static void the_sweep_comes_to_every_topic(void **state) {
	(void)state;
	struct shelf shelf;
	struct fault why = {0};
	const struct store_rule rules[] = {{"old:*", {.age_ms = 1000}}, {"few:*", {.count = 1}}};
	folder_make(&shelf.folder);
	struct store *store = store_at_rest(&shelf.folder, rules, 2, (struct store_retention){.count = 3});
	shelf.archive = store->archive;
	assert_true(database_begin(shelf.archive->database, &why));
	for (int i = 0; i < 300; i++) {
		static const char *const kinds[] = {"old", "few", "all"};
		for (size_t kind = 0; kind < COUNT_OF(kinds); kind++) {
			char topic[32];
			snprintf(topic, sizeof topic, "%s:%03d", kinds[kind], i);
			put_one(&shelf, topic, 1, 0, 5000);
			put_one(&shelf, topic, 2, 0, 5000);
		}
	}
	struct audit_record record = {.event = SLICE("joined"), .result = SLICE("ok"), .count = 1};
	struct audit_link newest;
	for (int i = 0; i < 10; i++)
		assert_true(audit_chain_add(shelf.archive, &record, 5000, &newest, &why));
	assert_true(database_commit(shelf.archive->database, &why));

	if (!retention_sweep(shelf.archive, store, 6000, &why)) fail_msg("%s", why.text);
	assert_int_equal(count_of(&shelf, "SELECT sum(kept) FROM topics WHERE name LIKE 'old:%'"), 600);
	assert_int_equal(count_of(&shelf, "SELECT sum(kept) FROM topics WHERE name LIKE 'few:%'"), 300);
	if (!retention_sweep(shelf.archive, store, 6001, &why)) fail_msg("%s", why.text);
	assert_int_equal(count_of(&shelf, "SELECT sum(kept) FROM topics WHERE name LIKE 'old:%'"), 0);
	assert_int_equal(count_of(&shelf, "SELECT sum(kept) FROM topics WHERE name LIKE 'few:%'"), 300);
	assert_int_equal(count_of(&shelf, "SELECT sum(kept) FROM topics WHERE name LIKE 'all:%'"), 600);
	assert_int_equal(count_of(&shelf, "SELECT min(row) FROM audit"), 8);
	assert_int_equal(count_of(&shelf, "SELECT row FROM audit_anchor"), 7);
	store_close(store);
	folder_remove(&shelf.folder);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		SHELF_TEST(by_count_exactly_so_many_are_kept),
		SHELF_TEST(by_octets_as_many_are_kept_as_fit),
		SHELF_TEST(by_age_batches_go_when_their_newest_is_too_old),
		SHELF_TEST(without_bounds_everything_stays),
		SHELF_TEST(what_is_gone_cannot_be_asked_for),
		SHELF_TEST(ids_are_remembered_longer_than_envelopes),
		SHELF_TEST(ids_are_forgotten_behind_65536_newer_ones),
		cmocka_unit_test(the_first_rule_that_fits_counts),
		cmocka_unit_test(the_sweep_comes_to_every_topic),
		cmocka_unit_test(a_name_as_long_as_its_field_is_a_rule),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
