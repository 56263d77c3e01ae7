/* SPDX-License-Identifier: Apache-2.0 */
#include "archive_rig.h"

#include "store/proposal_rows.h"

#define ROOM .topic = SLICE("room")

static void a_page_is_newest_first_and_says_that_there_is_more(void **state) {
	struct shelf *shelf = *state;
	put(shelf, "room", 1, 20, 1);
	put(shelf, "other", 1, 5, 1);
	struct history history = {.kind = HISTORY_PAGE, ROOM, .limit = 5};
	ask_archive(shelf, &history);
	check_run(&history, 20, -1, 5);
	assert_true(history.found);
	assert_true(history.more);
	assert_int_equal(history.last_sequence, 20);
	history_finish(&history);
	history.limit = 20;
	ask_archive(shelf, &history);
	check_run(&history, 20, -1, 20);
	assert_false(history.more);
	history_finish(&history);
}

static void before_is_an_id_and_exclusive(void **state) {
	struct shelf *shelf = *state;
	put(shelf, "room", 1, 700, 1);
	for (uint64_t at = 1; at <= 700; at += 37) {
		char id[32];
		snprintf(id, sizeof id, "room-%llu", (unsigned long long)at);
		struct history history = {.kind = HISTORY_PAGE, ROOM, .limit = 10, .before = slice_of(id)};
		ask_archive(shelf, &history);
		assert_true(history.found);
		check_run(&history, at - 1, -1, at - 1 < 10 ? at - 1 : 10);
		assert_int_equal(history.more, at - 1 > 10);
		history_finish(&history);
	}
}

static void an_id_that_is_not_there_is_not_found(void **state) {
	struct shelf *shelf = *state;
	put(shelf, "room", 1, 5, 1);
	put(shelf, "other", 1, 5, 1);
	static const char *const ids[] = {"nothing", "other-1", "room-6", "room-"};
	for (size_t i = 0; i < COUNT_OF(ids); i++) {
		struct history page = {.kind = HISTORY_PAGE, ROOM, .before = slice_of(ids[i])};
		struct history since = {.kind = HISTORY_SINCE, ROOM, .after = slice_of(ids[i])};
		ask_archive(shelf, &page);
		ask_archive(shelf, &since);
		assert_false(page.found);
		assert_false(since.found);
		assert_int_equal(page.count + since.count, 0);
		history_finish(&page);
		history_finish(&since);
	}
}

static void a_clash_of_hashes_is_settled_by_the_envelope(void **state) {
	struct shelf *shelf = *state;
	AUTO_TEXT struct text text = {0};
	text_init(&text, 0);
	put(shelf, "room", 1, 3, 1);
	envelope_text(&text, "else", 4);
	struct spool_record record = {
		.sequence = 4,
		.moment = 4000,
		.id_hash = archive_hash(shelf->archive, SLICE("room-2")),
		ROOM,
		.text = text_slice(&text),
	};
	const struct spool_record *line = &record;
	assert_true(history_rows_put(shelf->archive, SLICE("room"), &line, 1, 1, NULL));
	struct history history = {.kind = HISTORY_SINCE, ROOM, .after = SLICE("room-2")};
	ask_archive(shelf, &history);
	assert_true(history.found);
	assert_int_equal(history.count, 2);
	assert_int_equal(history.records[0].sequence, 3);
	history_finish(&history);
}

static void before_may_be_a_time_of_the_envelopes_own(void **state) {
	struct shelf *shelf = *state;
	put(shelf, "room", 1, 300, 1);
	struct history history = {
		.kind = HISTORY_PAGE,
		ROOM,
		.limit = 4,
		.before_is_time = true,
		.before_time = 50000,
	};
	ask_archive(shelf, &history);
	assert_true(history.found);
	assert_true(history.more);
	check_run(&history, 49, -1, 4);
	history_finish(&history);
	history.before_time = 1000;
	ask_archive(shelf, &history);
	assert_true(history.found);
	assert_int_equal(history.count, 0);
	history_finish(&history);
}

static void a_tail_is_the_end_oldest_first(void **state) {
	struct shelf *shelf = *state;
	put(shelf, "room", 1, 600, 1);
	struct history history = {.kind = HISTORY_TAIL, ROOM, .limit = 300};
	ask_archive(shelf, &history);
	check_run(&history, 301, 1, 300);
	history_finish(&history);
	history.upto = 310;
	history.limit = 20;
	ask_archive(shelf, &history);
	check_run(&history, 291, 1, 20);
	history_finish(&history);
}

static void since_goes_on_until_upto(void **state) {
	struct shelf *shelf = *state;
	put(shelf, "room", 1, 900, 1);
	struct history history = {
		.kind = HISTORY_SINCE,
		ROOM,
		.limit = 100,
		.after = SLICE("room-450"),
		.upto = 800,
	};
	uint64_t next = 451;
	for (bool more = true; more;) {
		ask_archive(shelf, &history);
		assert_true(history.found);
		assert_true(history.count > 0);
		check_run(&history, next, 1, history.count);
		next += history.count;
		more = history.more;
		history_finish(&history);
		history.after = SLICE_NONE;
		history.from = next - 1;
	}
	assert_int_equal(next, 801);
}

static void since_the_newest_is_found_and_empty(void **state) {
	struct shelf *shelf = *state;
	put(shelf, "room", 1, 30, 1);
	struct history history = {.kind = HISTORY_SINCE, ROOM, .after = SLICE("room-30")};
	ask_archive(shelf, &history);
	assert_true(history.found);
	assert_false(history.more);
	assert_int_equal(history.count, 0);
	history_finish(&history);
}

static void an_answer_has_at_most_a_thousand_envelopes(void **state) {
	struct shelf *shelf = *state;
	put(shelf, "room", 1, 1001, 1);
	static const size_t limits[] = {0, 1000, 1001, SIZE_MAX};
	for (size_t i = 0; i < COUNT_OF(limits); i++) {
		struct history history = {.kind = HISTORY_TAIL, ROOM, .limit = limits[i]};
		ask_archive(shelf, &history);
		check_run(&history, 2, 1, HISTORY_COUNT);
		assert_true(history.more);
		history_finish(&history);
	}
}

static void an_answer_has_at_most_a_mebibyte_and_at_least_one(void **state) {
	struct shelf *shelf = *state;
	for (uint64_t i = 1; i <= 5; i++) put_one(shelf, "room", i, 300 * 1024, 1);
	put_one(shelf, "room", 6, 2 * HISTORY_OCTETS, 1);
	put_one(shelf, "room", 7, 0, 1);
	struct history history = {.kind = HISTORY_SINCE, ROOM};
	ask_archive(shelf, &history);
	check_run(&history, 1, 1, 3);
	assert_true(history.more);
	history_finish(&history);
	history.from = 5;
	ask_archive(shelf, &history);
	check_run(&history, 6, 1, 1);
	assert_true(history.more);
	history_finish(&history);
	struct history tail = {.kind = HISTORY_TAIL, ROOM, .upto = 5};
	ask_archive(shelf, &tail);
	check_run(&tail, 3, 1, 3);
	assert_true(tail.more);
	history_finish(&tail);
}

static void a_mebibyte_to_the_octet_still_fits(void **state) {
	struct shelf *shelf = *state;
	for (uint64_t i = 1; i <= 4; i++) put_one(shelf, "room", i, HISTORY_OCTETS / 4, 1);
	struct history history = {.kind = HISTORY_SINCE, ROOM};
	ask_archive(shelf, &history);
	check_run(&history, 1, 1, 4);
	assert_false(history.more);
	history_finish(&history);
	put_one(shelf, "room", 5, 0, 1);
	ask_archive(shelf, &history);
	check_run(&history, 1, 1, 4);
	assert_true(history.more);
	history_finish(&history);
}

static void a_room_opens_with_its_newest_ids_oldest_first(void **state) {
	struct shelf *shelf = *state;
	put(shelf, "room", 1, 500, 1);
	struct history history = {.kind = HISTORY_ROOM, ROOM, .limit = 300};
	ask_archive(shelf, &history);
	assert_true(history.found);
	assert_int_equal(history.last_sequence, 500);
	assert_int_equal(history.count, 0);
	assert_int_equal(history.recent_count, 300);
	for (uint64_t i = 0; i < 300; i++) {
		char id[32];
		snprintf(id, sizeof id, "room-%llu", (unsigned long long)(201 + i));
		assert_true(history.recent[i].id_hash == archive_hash(shelf->archive, slice_of(id)));
		assert_true(history.recent[i].text_hash == (201 + i) * 3);
	}
	history_finish(&history);
}

static void a_room_that_was_never_spoken_in_is_empty(void **state) {
	struct shelf *shelf = *state;
	struct history history = {.kind = HISTORY_ROOM, ROOM, .limit = 10};
	ask_archive(shelf, &history);
	assert_false(history.found);
	assert_int_equal(history.last_sequence, 0);
	assert_int_equal(history.count + history.recent_count, 0);
	history_finish(&history);
}

static void propose(struct shelf *shelf, const char *topic, uint64_t id, bool is_open,
	const char *text) {
	struct spool_record record = {
		.kind = is_open ? SPOOL_PROPOSAL : SPOOL_SETTLED,
		.id_hash = id,
		.topic = slice_of(topic),
		.text = slice_of(text),
	};
	struct fault why = {0};
	if (!proposal_put(shelf->archive, &record, &why)) fail_msg("%s", why.text);
}

static void a_room_opens_with_its_open_proposals(void **state) {
	struct shelf *shelf = *state;
	propose(shelf, "room", 1, true, "{\"a\":1}");
	propose(shelf, "room", UINT64_MAX, true, "{\"b\":1}");
	propose(shelf, "room", 3, true, "{\"c\":1}");
	propose(shelf, "other", 4, true, "{\"d\":1}");
	propose(shelf, "room", 1, false, "{\"a\":2}");
	propose(shelf, "room", 3, true, "{\"c\":2}");
	propose(shelf, "room", 5, false, "{\"e\":1}");
	struct history history = {.kind = HISTORY_ROOM, ROOM, .limit = 10};
	ask_archive(shelf, &history);
	assert_int_equal(history.count, 2);
	check_slice(history.records[0].text, "{\"b\":1}");
	check_slice(history.records[1].text, "{\"c\":2}");
	history_finish(&history);
}

static void a_thousand_settled_proposals_of_a_topic_are_kept(void **state) {
	struct shelf *shelf = *state;
	assert_true(database_begin(shelf->archive->database, NULL));
	propose(shelf, "room", 1, true, "{}");
	for (uint64_t id = 2; id < 2 + PROPOSALS_SETTLED + 5; id++) propose(shelf, "room", id, false, "{}");
	assert_true(database_commit(shelf->archive->database, NULL));
	assert_int_equal(count_of(shelf, "SELECT count(*) FROM proposals WHERE NOT is_open"),
		PROPOSALS_SETTLED);
	assert_int_equal(count_of(shelf, "SELECT min(id_hash) FROM proposals WHERE NOT is_open"), 7);
	assert_int_equal(count_of(shelf, "SELECT count(*) FROM proposals WHERE is_open"), 1);
}

static void topics_come_by_name_with_their_last_sequence(void **state) {
	struct shelf *shelf = *state;
	put(shelf, "b", 1, 2, 1);
	put(shelf, "c", 1, 3, 1);
	put(shelf, "a", 1, 1, 1);
	struct history history = {.kind = HISTORY_TOPICS, .limit = 2};
	ask_archive(shelf, &history);
	assert_int_equal(history.count, 2);
	assert_true(history.more);
	check_slice(history.records[0].text, "a");
	check_slice(history.records[1].text, "b");
	assert_int_equal(history.records[1].sequence, 2);
	history_finish(&history);
	history.after = SLICE("b");
	ask_archive(shelf, &history);
	assert_int_equal(history.count, 1);
	assert_false(history.more);
	check_slice(history.records[0].text, "c");
	history_finish(&history);
}

static void what_is_there_already_is_not_put_twice(void **state) {
	struct shelf *shelf = *state;
	put(shelf, "room", 1, 10, 1);
	put(shelf, "room", 5, 12, 1);
	struct history history = {.kind = HISTORY_SINCE, ROOM};
	ask_archive(shelf, &history);
	check_run(&history, 1, 1, 12);
	history_finish(&history);
	assert_int_equal(count_of(shelf, "SELECT kept FROM topics WHERE name = 'room'"), 12);
}

static void small_young_batches_are_joined_and_others_are_not(void **state) {
	struct shelf *shelf = *state;
	put(shelf, "room", 1, 100, 1000);
	assert_int_equal(count_of(shelf, "SELECT count(*) FROM batches"), 1);
	put(shelf, "room", 101, 101, 60999);
	assert_int_equal(count_of(shelf, "SELECT count(*) FROM batches"), 1);
	put(shelf, "room", 102, 102, 61000);
	assert_int_equal(count_of(shelf, "SELECT count(*) FROM batches"), 2);
	put_one(shelf, "room", 103, 16 * 1024, 61000);
	assert_int_equal(count_of(shelf, "SELECT count(*) FROM batches"), 2);
	put(shelf, "room", 104, 104, 61000);
	assert_int_equal(count_of(shelf, "SELECT count(*) FROM batches"), 3);
	struct history history = {.kind = HISTORY_SINCE, ROOM};
	ask_archive(shelf, &history);
	check_run(&history, 1, 1, 104);
	history_finish(&history);
}

static void a_batch_ends_at_its_count_and_at_its_octets(void **state) {
	struct shelf *shelf = *state;
	size_t many = BATCH_COUNT + 1;
	struct spool_record *records = calloc(many, sizeof *records);
	const struct spool_record **line = calloc(many, sizeof *line);
	assert_non_null(records);
	assert_non_null(line);
	for (size_t i = 0; i < many; i++) {
		records[i] = (struct spool_record){.sequence = i + 1, ROOM, .text = SLICE("{}")};
		line[i] = &records[i];
	}
	assert_true(history_rows_put(shelf->archive, SLICE("room"), line, many, 1, NULL));
	assert_int_equal(count_of(shelf, "SELECT count(*) FROM batches"), 2);
	assert_int_equal(count_of(shelf, "SELECT max(seen) FROM batches"), BATCH_COUNT);
	free(records);
	free(line);
	for (uint64_t i = 0; i < 3; i++) put_one(shelf, "room", many + 1 + i, BATCH_OCTETS / 2, 1);
	assert_int_equal(count_of(shelf, "SELECT count(*) FROM batches WHERE octets = 262144"), 0);
	assert_int_equal(count_of(shelf, "SELECT max(octets) <= 262144 FROM batches"), 1);
}

static void a_damaged_batch_is_a_fault_and_not_a_crash(void **state) {
	struct shelf *shelf = *state;
	static const char *const damages[] = {
		"UPDATE batches SET texts = substr(texts, 2)",
		"UPDATE batches SET spans = substr(spans, 2)",
		"UPDATE batches SET hashes = x''",
		"UPDATE batches SET kept = seen + 1",
		"UPDATE batches SET seen = -1",
	};
	for (size_t i = 0; i < COUNT_OF(damages); i++) {
		assert_true(database_run(shelf->archive->database, "DELETE FROM batches; DELETE FROM topics", NULL));
		put(shelf, "room", 1, 3, 1);
		assert_true(database_run(shelf->archive->database, damages[i], NULL));
		struct history history = {.kind = HISTORY_SINCE, ROOM};
		history_answer(shelf->archive, &history, NULL);
		assert_true(history.failed);
		assert_int_equal(history.why.code, FAULT_IO);
		assert_null(history.memory);
		history_finish(&history);
	}
}

int main(void) {
	const struct CMUnitTest tests[] = {
		SHELF_TEST(a_page_is_newest_first_and_says_that_there_is_more),
		SHELF_TEST(before_is_an_id_and_exclusive),
		SHELF_TEST(an_id_that_is_not_there_is_not_found),
		SHELF_TEST(a_clash_of_hashes_is_settled_by_the_envelope),
		SHELF_TEST(before_may_be_a_time_of_the_envelopes_own),
		SHELF_TEST(a_tail_is_the_end_oldest_first),
		SHELF_TEST(since_goes_on_until_upto),
		SHELF_TEST(since_the_newest_is_found_and_empty),
		SHELF_TEST(an_answer_has_at_most_a_thousand_envelopes),
		SHELF_TEST(an_answer_has_at_most_a_mebibyte_and_at_least_one),
		SHELF_TEST(a_mebibyte_to_the_octet_still_fits),
		SHELF_TEST(a_room_opens_with_its_newest_ids_oldest_first),
		SHELF_TEST(a_room_that_was_never_spoken_in_is_empty),
		SHELF_TEST(a_room_opens_with_its_open_proposals),
		SHELF_TEST(a_thousand_settled_proposals_of_a_topic_are_kept),
		SHELF_TEST(topics_come_by_name_with_their_last_sequence),
		SHELF_TEST(what_is_there_already_is_not_put_twice),
		SHELF_TEST(small_young_batches_are_joined_and_others_are_not),
		SHELF_TEST(a_batch_ends_at_its_count_and_at_its_octets),
		SHELF_TEST(a_damaged_batch_is_a_fault_and_not_a_crash),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
