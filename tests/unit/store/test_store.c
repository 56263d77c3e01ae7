/* SPDX-License-Identifier: Apache-2.0 */
#include "store_copy.h"

#include "store/mover.h"
#include "store/store_parts.h"

#define HASH_OF_HUSTINGS 0x92ac2fbed9986446ULL

static int set_up(void **state) {
	static struct folder folder;
	folder_make(&folder);
	*state = &folder;
	return 0;
}

static int tear_down(void **state) {
	folder_remove(*state);
	return 0;
}

/* A topic holds just these, oldest first. */
static void the_topic_holds(struct store *store, const char *topic, uint64_t last) {
	struct history history = {.kind = HISTORY_SINCE, .topic = slice_of(topic)};
	uint64_t next = 1;
	do {
		ask(store, &history);
		for (size_t i = 0; i < history.count; i++, next++) {
			AUTO_TEXT struct text text = {0};
			text_init(&text, 0);
			envelope_text(&text, topic, next);
			assert_int_equal(history.records[i].sequence, next);
			check_slice(history.records[i].text, text.bytes);
		}
		history_finish(&history);
		history.from = next - 1;
	} while (history.more);
	assert_int_equal(next, last + 1);
	assert_int_equal(history.last_sequence, last);
}

static void what_was_committed_is_in_the_next_answer(void **state) {
	struct store *store = store_start(*state, 2);
	for (uint64_t i = 1; i <= 50; i++) {
		say(store, 1, "room", i);
		say(store, 0, "other", i);
		commit(store, 1);
		commit(store, 0);
		the_topic_holds(store, "room", i);
	}
	the_topic_holds(store, "other", 50);
	assert_int_equal(store_backlog(store), 0);
	store_close(store);
}

static void a_pass_that_was_not_committed_is_not_there(void **state) {
	struct store *store = store_start(*state, 1);
	struct spool *spool = store_spool(store, 0);
	assert_true(spool_is_empty(spool));
	say(store, 0, "room", 1);
	assert_false(spool_is_empty(spool));
	the_topic_holds(store, "room", 0);
	commit(store, 0);
	assert_true(spool_is_empty(spool));
	the_topic_holds(store, "room", 1);
	assert_true(spool_commit(spool, NULL));
	store_close(store);
}

static void a_store_that_was_closed_opens_with_everything(void **state) {
	char paths[4][160];
	for (uint64_t round = 0; round < 3; round++) {
		struct store *store = store_start(*state, (unsigned)(3 - round));
		for (uint64_t i = 1; i <= 10; i++) say(store, 0, "room", round * 10 + i);
		commit(store, 0);
		store_close(store);
		assert_int_equal(segments_of(*state, paths, 4), 0);
	}
	struct store *store = store_start(*state, 1);
	the_topic_holds(store, "room", 30);
	store_close(store);
}

static void moving_goes_on_after_it_gave_its_memory_back(void **state) {
	struct fault why = {0};
	struct store *store = store_start(*state, 1);
	store_thread_end(store); /* the mover is this thread's now */
	mover_rest(store->mover);
	for (uint64_t i = 1; i <= 3; i++) {
		say(store, 0, "room", i);
		commit(store, 0);
		assert_true(mover_run(store->mover, &why));
		assert_int_equal(store_backlog(store), 0);
		mover_rest(store->mover);
	}
	store_close(store);
	store = store_start(*state, 1);
	the_topic_holds(store, "room", 3);
	store_close(store);
}

static void one_process_has_a_folder_at_a_time(void **state) {
	struct folder *folder = *state;
	struct store *store = store_start(folder, 1);
	struct store_options options = {.directory = folder->path, .spools = 1};
	struct fault why = {0};
	char pid[24];
	assert_null(store_open(&options, &why));
	assert_int_equal(why.code, FAULT_EXISTS);
	snprintf(pid, sizeof pid, "%ld", (long)getpid());
	assert_non_null(strstr(why.text, pid));
	store_close(store);
	store_close(store_start(folder, 1));
}

static void a_store_has_at_least_one_spool_and_a_folder(void **state) {
	struct folder *folder = *state;
	struct fault why = {0};
	struct store_options none = {.directory = folder->path};
	struct store_options many = {.directory = folder->path, .spools = 1025};
	struct store_options nowhere = {.directory = "", .spools = 1};
	assert_null(store_open(&none, &why));
	assert_int_equal(why.code, FAULT_BAD_INPUT);
	assert_null(store_open(&many, &why));
	assert_int_equal(why.code, FAULT_BAD_INPUT);
	assert_null(store_open(&nowhere, &why));
	assert_int_equal(why.code, FAULT_BAD_INPUT);
	struct store *store = store_start(folder, 1);
	assert_null(store_spool(store, 1));
	assert_string_equal(store_directory(store), folder->path);
	store_close(store);
}

static void what_lies_in_the_folder_is_for_its_owner_alone(void **state) {
	struct folder *folder = *state;
	static const char *const names[] = {"lock", "secret", "history.db", "audit.head", "spool"};
	struct store *store = store_start(folder, 1);
	for (size_t i = 0; i < COUNT_OF(names); i++) {
		char path[128];
		struct stat found;
		snprintf(path, sizeof path, "%s/%s", folder->path, names[i]);
		assert_int_equal(stat(path, &found), 0);
		assert_int_equal(found.st_mode & 077, 0);
	}
	store_close(store);
}

static void ids_hash_the_same_after_a_restart_and_differ_by_folder(void **state) {
	struct folder other;
	folder_make(&other);
	struct store *store = store_start(*state, 1), *elsewhere = store_start(&other, 1);
	uint64_t hash = store_hash(store, SLICE("some id"));
	assert_true(hash != store_hash(store, SLICE("some ie")));
	assert_true(hash != store_hash(elsewhere, SLICE("some id")));
	store_close(store);
	store_close(elsewhere);
	store = store_start(*state, 1);
	assert_true(hash == store_hash(store, SLICE("some id")));
	store_close(store);
	folder_remove(&other);
}

/* The hash is written to disk: another one would forget all ids. */
static void the_hash_of_a_known_key_never_changes(void **state) {
	struct folder *folder = *state;
	char path[128];
	snprintf(path, sizeof path, "%s/secret", folder->path);
	int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	assert_true(file >= 0);
	assert_int_equal(write(file, "0123456789abcdef0123456789abcdef", 32), 32);
	close(file);
	struct store *store = store_start(folder, 1);
	assert_true(store_hash(store, SLICE("hustings")) == HASH_OF_HUSTINGS);
	store_close(store);
}

static void a_segment_that_is_full_is_followed_by_another(void **state) {
	struct store *store = store_start(*state, 1);
	struct spool *spool = store_spool(store, 0);
	static char filler[1024 * 1024];
	char paths[8][160];
	struct fault why = {0};
	memset(filler, 'x', sizeof filler);
	uint64_t sequence = 0;
	while (spool->next_number < 3) {
		struct spool_record record = {
			.kind = SPOOL_ENVELOPE,
			.sequence = ++sequence,
			.topic = SLICE("large"),
		};
		struct slice piece = slice_make(filler, sizeof filler);
		assert_true(spool_reserve(spool, sizeof filler, &why));
		assert_true(spool_add(spool, &record, &piece, 1, &why));
		commit(store, 0);
		assert_true(sequence < 100);
	}
	assert_true(sequence > 2 * (SPOOL_SEGMENT / sizeof filler));
	struct history history = {.kind = HISTORY_ROOM, .topic = SLICE("large"), .limit = 1000};
	ask(store, &history);
	assert_int_equal(history.last_sequence, sequence);
	assert_int_equal(history.recent_count, sequence);
	history_finish(&history);
	/* Those that are full were moved and are gone. */
	assert_int_equal(segments_of(*state, paths, 8), 1);
	store_close(store);
}

static void octets_over_the_limit_are_refused_until_they_are_moved(void **state) {
	struct folder *folder = *state;
	struct store_options options = {.directory = folder->path, .spools = 2, .spool_limit = 100000};
	struct fault why = {0};
	struct store *store = store_open(&options, &why);
	assert_non_null(store);
	assert_false(spool_reserve(store_spool(store, 0), 100000, &why));
	assert_int_equal(why.code, FAULT_FULL);
	say(store, 0, "room", 1);
	commit(store, 0);
	the_topic_holds(store, "room", 1);
	store_close(store);
}

static void a_text_over_its_limit_is_refused(void **state) {
	struct store *store = store_start(*state, 1);
	struct spool *spool = store_spool(store, 0);
	struct fault why = {0};
	struct spool_record record = {.kind = SPOOL_ENVELOPE, .topic = SLICE("room")};
	struct slice piece = slice_make("", SPOOL_TEXT + 1); /* never looked at */
	char topic[SPOOL_TOPIC + 1];
	memset(topic, 'x', sizeof topic);
	assert_false(spool_reserve(spool, SPOOL_TEXT + 1, &why));
	assert_int_equal(why.code, FAULT_TOO_LARGE);
	assert_false(spool_add(spool, &record, &piece, 1, &why));
	assert_int_equal(why.code, FAULT_TOO_LARGE);
	record.topic = slice_make(topic, sizeof topic);
	assert_false(spool_add(spool, &record, NULL, 0, &why));
	assert_int_equal(why.code, FAULT_TOO_LARGE);
	record.topic.length = SPOOL_TOPIC;
	assert_true(spool_add(spool, &record, NULL, 0, &why));
	store_close(store);
}

/* ---- Kills, by copies of the folder ---- */

static void a_kill_before_and_after_a_move_loses_and_doubles_nothing(void **state) {
	struct folder *folder = *state;
	struct store *store = store_start(folder, 2);
	struct fault why = {0};
	uint64_t last = 0;
	for (int round = 0; round < 6; round++) {
		for (int i = 0; i < 20; i++) say(store, 0, "room", ++last);
		struct audit_record record = {.event = SLICE("joined"), .result = SLICE("ok")};
		assert_true(audit_add(store_spool(store, 1), &record, &why));
		commit(store, 0);
		commit(store, 1);
		if (round % 2) the_topic_holds(store, "room", last); /* moves */

		struct folder copy;
		folder_make(&copy);
		copy_folder(folder->path, copy.path);
		struct store *again = store_start(&copy, 1);
		the_topic_holds(again, "room", last);
		say(again, 0, "room", last + 1);
		commit(again, 0);
		the_topic_holds(again, "room", last + 1);
		store_close(again);
		struct audit_verdict verdict;
		assert_true(audit_verify(copy.path, &verdict, &why));
		assert_int_equal(verdict.rows, round + 1);
		assert_int_equal(verdict.broken, 0);
		folder_remove(&copy);
	}
	store_close(store);
}

static void what_several_kills_left_is_read_in_its_order(void **state) {
	struct folder *folder = *state;
	leave(folder, &(struct segment_name){3, 0, 0}, 41, 50);
	leave(folder, &(struct segment_name){2, 1, 11}, 31, 40);
	leave(folder, &(struct segment_name){2, 1, 2}, 21, 30);
	leave(folder, &(struct segment_name){1, 5, 1}, 11, 20);
	leave(folder, &(struct segment_name){1, 5, 0}, 1, 10);
	struct store *store = store_start(folder, 1);
	the_topic_holds(store, "room", 50);
	say(store, 0, "room", 51);
	commit(store, 0);
	the_topic_holds(store, "room", 51);
	assert_true(store->generation == 4);
	store_close(store);
}

static void other_files_in_the_spool_folder_are_left_alone(void **state) {
	struct folder *folder = *state;
	static const char *const names[] = {"notes.txt", "0000000000000001-0000-00000000.spoo",
		"0000000000000001-0000-00000000.spool2", "1-0-0.spool"};
	leave(folder, &(struct segment_name){1, 0, 0}, 1, 3);
	for (size_t i = 0; i < COUNT_OF(names); i++) {
		char path[200];
		snprintf(path, sizeof path, "%s/spool/%s", folder->path, names[i]);
		FILE *file = fopen(path, "w");
		assert_non_null(file);
		fclose(file);
	}
	char paths[8][160];
	struct store *store = store_start(folder, 1);
	the_topic_holds(store, "room", 3);
	store_close(store);
	assert_int_equal(segments_of(folder, paths, 8), COUNT_OF(names));
}

/* ---- Torn tails ---- */

/* A folder, in memory where there is such, whose spool has the first octets of a segment. */
static void torn(struct folder *folder, struct slice octets) {
	char path[300];
	folder_make_in(folder, access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
	snprintf(path, sizeof path, "%s/spool", folder->path);
	assert_int_equal(mkdir(path, 0700), 0);
	snprintf(path, sizeof path, "%s/spool/0000000000000001-0000-00000000.spool", folder->path);
	int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	assert_true(file >= 0);
	assert_int_equal(write(file, octets.bytes, octets.length), octets.length);
	close(file);
}

static void the_room_remembers(struct store *store, uint64_t count) {
	struct history history = {.kind = HISTORY_ROOM, .topic = SLICE("room"), .limit = 10};
	ask(store, &history);
	assert_int_equal(history.last_sequence, count);
	assert_int_equal(history.recent_count, count);
	history_finish(&history);
}

static void a_segment_torn_anywhere_keeps_its_whole_records(void **state) {
	(void)state;
	char segment[512];
	struct slice text = SLICE("{}");
	size_t length = SPOOL_MAGIC_SIZE, size = 0;
	memcpy(segment, SPOOL_MAGIC, SPOOL_MAGIC_SIZE);
	for (uint64_t i = 1; i <= 2; i++, length += size) {
		struct spool_record record = {.kind = SPOOL_ENVELOPE, .sequence = i, .topic = SLICE("room")};
		spool_record_write(&record, &text, 1, segment + length);
		size = spool_record_size(&record, text.length);
	}
	for (size_t cut = 0; cut <= length; cut++) {
		struct folder folder;
		torn(&folder, slice_make(segment, cut));
		uint64_t whole = cut < SPOOL_MAGIC_SIZE ? 0 : (cut - SPOOL_MAGIC_SIZE) / size;
		struct store *store = store_start(&folder, 1);
		the_room_remembers(store, whole);
		say(store, 0, "room", whole + 1);
		commit(store, 0);
		the_room_remembers(store, whole + 1);
		store_close(store);
		folder_remove(&folder);
	}
}

static void what_is_cut_off_is_logged_once(void **state) {
	struct folder *folder = *state;
	char paths[1][160], line[512] = {0};
	struct log log;
	struct fault why = {0};
	struct stat found;
	int ends[2];
	leave(folder, &(struct segment_name){1, 0, 0}, 1, 3);
	assert_int_equal(segments_of(folder, paths, 1), 1);
	assert_int_equal(stat(paths[0], &found), 0);
	assert_int_equal(truncate(paths[0], found.st_size - 3), 0);
	assert_int_equal(pipe2(ends, O_CLOEXEC | O_NONBLOCK), 0);
	log_init(&log, ends[1], LOG_WARNING);
	struct store_options options = {.directory = folder->path, .spools = 1, .log = &log};
	struct store *store = store_open(&options, &why);
	assert_non_null(store);
	the_topic_holds(store, "room", 2);
	store_close(store);
	assert_true(read(ends[0], line, sizeof line - 1) > 0);
	assert_non_null(strstr(line, "ends torn"));
	assert_null(strstr(strstr(line, "ends torn") + 1, "ends torn"));
	close(ends[0]);
	close(ends[1]);
}

static void reserved_zeros_at_the_end_are_no_tear(void **state) {
	struct folder *folder = *state;
	char paths[1][160], line[512];
	struct log log;
	struct fault why = {0};
	struct stat found;
	int ends[2];
	leave(folder, &(struct segment_name){1, 0, 0}, 1, 3);
	assert_int_equal(segments_of(folder, paths, 1), 1);
	assert_int_equal(stat(paths[0], &found), 0);
	assert_int_equal(truncate(paths[0], found.st_size + 1024 * 1024), 0);
	assert_int_equal(pipe2(ends, O_CLOEXEC | O_NONBLOCK), 0);
	log_init(&log, ends[1], LOG_WARNING);
	struct store_options options = {.directory = folder->path, .spools = 1, .log = &log};
	struct store *store = store_open(&options, &why);
	assert_non_null(store);
	the_topic_holds(store, "room", 3);
	store_close(store);
	assert_true(read(ends[0], line, sizeof line) < 0);
	close(ends[0]);
	close(ends[1]);
}

/* ---- Power ---- */

static void synced(struct letter *letter) {
	struct spool_sync *sync = CONTAINER_OF(letter, struct spool_sync, letter);
	loop_stop(sync->loop);
}

static void a_sync_is_answered_on_its_loop(void **state) {
	struct folder *folder = *state;
	struct store_options options = {.directory = folder->path, .spools = 2, .durability = STORE_POWER};
	struct fault why = {0};
	struct store *store = store_open(&options, &why);
	assert_non_null(store);
	for (uint64_t i = 1; i <= 5; i++) {
		struct loop *loop = loop_open(&why);
		struct spool_sync sync = {.failed = true};
		say(store, 1, "room", i);
		commit(store, 1);
		spool_sync(store_spool(store, 1), &sync, loop, synced);
		loop_run(loop);
		loop_close(loop);
		assert_false(sync.failed);
	}
	the_topic_holds(store, "room", 5);
	store_close(store);
}

static void a_sync_of_nothing_is_answered_too(void **state) {
	struct store *store = store_start(*state, 1);
	struct fault why = {0};
	struct loop *loop = loop_open(&why);
	struct spool_sync sync = {.failed = true};
	spool_sync(store_spool(store, 0), &sync, loop, synced);
	loop_run(loop);
	loop_close(loop);
	assert_false(sync.failed);
	store_close(store);
}

/* ---- Rules ---- */

static void rules_are_applied_to_what_is_moved_and_may_change(void **state) {
	struct folder *folder = *state;
	struct store_rule rule = {"room", {.count = 5}}, tighter = {"ro*", {.count = 2}};
	struct store_options options = {
		.directory = folder->path,
		.spools = 1,
		.rules = &rule,
		.rule_count = 1,
	};
	struct fault why = {0};
	struct store *store = store_open(&options, &why);
	assert_non_null(store);
	for (uint64_t i = 1; i <= 20; i++) say(store, 0, "room", i);
	commit(store, 0);
	struct history history = {.kind = HISTORY_TAIL, .topic = SLICE("room")};
	ask(store, &history);
	assert_int_equal(history.count, 5);
	assert_int_equal(history.records[0].sequence, 16);
	history_finish(&history);
	store_retain(store, &tighter, 1, (struct store_retention){0});
	say(store, 0, "room", 21);
	commit(store, 0);
	ask(store, &history);
	assert_int_equal(history.count, 2);
	assert_int_equal(history.records[0].sequence, 20);
	history_finish(&history);
	store_close(store);
}

static void a_store_that_ends_answers_what_was_asked_and_takes_no_more(void **state) {
	struct store *store = store_start(*state, 1);
	struct fault why = {0};
	struct history history = {.kind = HISTORY_TOPICS, .answered = history_is_answered};
	store_thread_end(store);
	history.loop = loop_open(&why);
	assert_false(history_ask(store, &history, &why));
	assert_int_equal(why.code, FAULT_NOT_READY);
	loop_close(history.loop);
	store_close(store);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
	const struct CMUnitTest tests[] = {
		TEST(what_was_committed_is_in_the_next_answer),
		TEST(a_pass_that_was_not_committed_is_not_there),
		TEST(a_store_that_was_closed_opens_with_everything),
		TEST(moving_goes_on_after_it_gave_its_memory_back),
		TEST(one_process_has_a_folder_at_a_time),
		TEST(a_store_has_at_least_one_spool_and_a_folder),
		TEST(what_lies_in_the_folder_is_for_its_owner_alone),
		TEST(ids_hash_the_same_after_a_restart_and_differ_by_folder),
		TEST(the_hash_of_a_known_key_never_changes),
		TEST(a_segment_that_is_full_is_followed_by_another),
		TEST(octets_over_the_limit_are_refused_until_they_are_moved),
		TEST(a_text_over_its_limit_is_refused),
		TEST(a_kill_before_and_after_a_move_loses_and_doubles_nothing),
		TEST(what_several_kills_left_is_read_in_its_order),
		TEST(other_files_in_the_spool_folder_are_left_alone),
		TEST(a_segment_torn_anywhere_keeps_its_whole_records),
		TEST(what_is_cut_off_is_logged_once),
		TEST(reserved_zeros_at_the_end_are_no_tear),
		TEST(a_sync_is_answered_on_its_loop),
		TEST(a_sync_of_nothing_is_answered_too),
		TEST(rules_are_applied_to_what_is_moved_and_may_change),
		TEST(a_store_that_ends_answers_what_was_asked_and_takes_no_more),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
