/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A disk that is full: a small one in memory where this process may mount such, and everywhere a
 * limit on the size of files, which fails the same writes.
 */
#include "store_copy.h"

#include "store/store_parts.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>

struct disk {
	struct folder folder;
	bool is_mounted;
};

static void files_end_at(rlim_t octets) {
	struct rlimit limit;
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
	limit.rlim_cur = octets == RLIM_INFINITY ? limit.rlim_max : octets;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

/* False: this process may not. */
static bool disk_mount(struct disk *disk) {
	folder_make(&disk->folder);
	disk->is_mounted = unshare(CLONE_NEWNS) == 0 &&
		mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
		mount("small", disk->folder.path, "tmpfs", 0, "size=4m,mode=0700") == 0;
	if (!disk->is_mounted) print_message("no small disk here: %s\n", strerror(errno));
	return disk->is_mounted;
}

static void disk_grow(struct disk *disk) {
	if (disk->is_mounted)
		assert_int_equal(mount("small", disk->folder.path, "tmpfs", MS_REMOUNT, "size=64m"), 0);
	else
		files_end_at(RLIM_INFINITY);
}

static void disk_remove(struct disk *disk) {
	if (disk->is_mounted) assert_int_equal(umount(disk->folder.path), 0);
	folder_remove(&disk->folder);
}

/* One envelope with padding. False: refused, and the fault says that the disk is full. */
static bool say_large(struct store *store, uint64_t sequence, size_t octets) {
	AUTO_TEXT struct text text = {0};
	struct fault why = {0};
	struct spool *spool = store_spool(store, 0);
	text_init(&text, 0);
	envelope_text(&text, "room", sequence);
	while (text.length < octets) text_add_char(&text, ' ');
	struct spool_record record = {
		.kind = SPOOL_ENVELOPE,
		.sequence = sequence,
		.topic = SLICE("room"),
	};
	struct slice piece = text_slice(&text);
	if (spool_reserve(spool, piece.length, &why) && spool_add(spool, &record, &piece, 1, &why) &&
		spool_commit(spool, &why))
		return true;
	assert_int_equal(why.code, FAULT_FULL);
	assert_non_null(strstr(why.text, "full"));
	return false;
}

static void the_room_holds(struct store *store, uint64_t last) {
	struct history history = {.kind = HISTORY_SINCE, .topic = SLICE("room")};
	uint64_t next = 1;
	do {
		ask(store, &history);
		for (size_t i = 0; i < history.count; i++, next++)
			assert_int_equal(history.records[i].sequence, next);
		history_finish(&history);
		history.from = next - 1;
	} while (history.more);
	assert_int_equal(next - 1, last);
	struct history room = {.kind = HISTORY_ROOM, .topic = SLICE("room"), .limit = 10};
	ask(store, &room);
	assert_int_equal(room.last_sequence, last);
	history_finish(&room);
}

static void a_full_disk_refuses_new_ones_and_reads_go_on(struct disk *disk) {
	struct store *store = store_start(&disk->folder, 1);
	uint64_t last = 0;
	if (!disk->is_mounted) files_end_at(1024 * 1024);
	while (say_large(store, last + 1, 60000)) {
		last++;
		assert_true(last < 1000);
	}
	assert_true(last > 0);
	the_room_holds(store, last);
	assert_false(say_large(store, last + 1, 1024 * 1024));
	the_room_holds(store, last);

	disk_grow(disk);
	assert_true(say_large(store, last + 1, 100));
	assert_true(say_large(store, last + 2, 60000));
	last += 2;
	the_room_holds(store, last);
	assert_int_equal(store_backlog(store), 0);
	store_close(store);
	store = store_start(&disk->folder, 1);
	the_room_holds(store, last);
	store_close(store);
}

static void a_small_disk_that_is_full_refuses_and_reads_go_on(void **state) {
	(void)state;
	struct disk disk;
	if (disk_mount(&disk)) a_full_disk_refuses_new_ones_and_reads_go_on(&disk);
	disk_remove(&disk);
}

static void files_that_cannot_grow_refuse_and_reads_go_on(void **state) {
	(void)state;
	struct disk disk = {0};
	folder_make(&disk.folder);
	a_full_disk_refuses_new_ones_and_reads_go_on(&disk);
	disk_remove(&disk);
}

static void what_was_left_is_answered_although_it_cannot_be_moved(void **state) {
	(void)state;
	struct disk disk = {0};
	folder_make(&disk.folder);
	store_close(store_start(&disk.folder, 1));
	leave_padded(&disk.folder, &(struct segment_name){1, 0, 0}, 1, 40, 60000);
	files_end_at(256 * 1024);
	struct store *store = store_start(&disk.folder, 1);
	the_room_holds(store, 40);
	char paths[4][160];
	assert_true(segments_of(&disk.folder, paths, 4) >= 1);
	disk_grow(&disk);
	assert_true(say_large(store, 41, 100));
	the_room_holds(store, 41);
	assert_int_equal(segments_of(&disk.folder, paths, 4), 1);
	store_close(store);
	assert_int_equal(segments_of(&disk.folder, paths, 4), 0);
	disk_remove(&disk);
}

static void check_last(struct store *store, const char *topic, uint64_t last) {
	struct history history = {.kind = HISTORY_SINCE, .topic = slice_of(topic)};
	ask(store, &history);
	assert_int_equal(history.last_sequence, last);
	assert_int_equal(history.count, last);
	history_finish(&history);
}

/* Of many topics, some are moved and the others noted when the disk becomes full. */
static void topics_that_wait_are_answered_although_they_cannot_be_moved(void **state) {
	(void)state;
	struct disk disk = {0};
	char topics[20][16];
	struct audit_record audited = {.event = SLICE("joined"), .result = SLICE("ok")};
	folder_make(&disk.folder);
	struct store *store = store_start(&disk.folder, 1);
	for (uint64_t i = 1; i <= 5; i++)
		for (size_t topic = 0; topic < COUNT_OF(topics); topic++) {
			snprintf(topics[topic], sizeof topics[topic], "topic %zu", topic);
			say(store, 0, topics[topic], i);
		}
	assert_true(audit_add(store_spool(store, 0), &audited, NULL));
	commit(store, 0);
	check_last(store, topics[3], 5);
	for (uint64_t i = 6; i <= 9; i++) say(store, 0, topics[4], i);
	assert_true(audit_add(store_spool(store, 0), &audited, NULL)); /* the scan stops at it */
	commit(store, 0);
	files_end_at(4096);
	for (size_t topic = 0; topic < COUNT_OF(topics); topic++)
		check_last(store, topics[topic], topic == 4 ? 9 : 5);
	files_end_at(RLIM_INFINITY);
	for (size_t topic = 0; topic < COUNT_OF(topics); topic++)
		check_last(store, topics[topic], topic == 4 ? 9 : 5);
	assert_int_equal(store_backlog(store), 0);
	store_close(store);
	struct audit_verdict verdict;
	assert_true(audit_verify(disk.folder.path, &verdict, NULL));
	assert_int_equal(verdict.rows, 2);
	assert_int_equal(verdict.broken, 0);
	disk_remove(&disk);
}

/* Records of a pass that failed half way must not be found behind what is written later. */
static void a_pass_that_failed_leaves_nothing_behind(void **state) {
	(void)state;
	struct disk disk = {0};
	struct fault why = {0};
	folder_make(&disk.folder);
	struct store *store = store_start(&disk.folder, 1);
	struct spool *spool = store_spool(store, 0);
	for (uint64_t i = 1; i <= 100; i++) say(store, 0, "room", i);
	files_end_at(4096); /* many whole records fit, not all */
	assert_false(spool_commit(spool, &why));
	assert_int_equal(why.code, FAULT_FULL);
	assert_true(spool_is_empty(spool));
	files_end_at(RLIM_INFINITY);
	say(store, 0, "room", 1);
	commit(store, 0);
	struct folder copy;
	folder_make(&copy);
	copy_folder(disk.folder.path, copy.path);
	store_close(store);
	store = store_start(&copy, 1);
	the_room_holds(store, 1);
	store_close(store);
	folder_remove(&copy);
	disk_remove(&disk);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_that_cannot_grow_refuse_and_reads_go_on),
		cmocka_unit_test(what_was_left_is_answered_although_it_cannot_be_moved),
		cmocka_unit_test(topics_that_wait_are_answered_although_they_cannot_be_moved),
		cmocka_unit_test(a_pass_that_failed_leaves_nothing_behind),
		cmocka_unit_test(a_small_disk_that_is_full_refuses_and_reads_go_on),
	};
	signal(SIGXFSZ, SIG_IGN);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
