/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A store that is killed again and again while it appends and moves: nothing that was committed is
 * lost, nothing is doubled. The moments of the kills are random, what is asked afterwards is not.
 */
#include "store_rig.h"

#include "base/clock.h"
#include "store/database.h"

#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/wait.h>

#define ROUNDS 30
#define LIMIT (256 * 1024) /* of the spools: a fourth of it is moved unasked, several times a round */
#define PATIENCE_MS 60000

static const char *const topics[2] = {"room", "other"};

/* In memory that the child shares: what was committed, by spool. */
struct progress {
	_Atomic uint64_t committed[2];
	_Atomic uint64_t audited;
};

struct child {
	struct folder folder;
	uint64_t from[2];
	uint64_t audited;
	struct progress *progress;
	struct loop *loop;
	struct store *store;
};

static void answered(struct history *history) {
	loop_stop(history->loop);
}

/* A question, so that the store moves. */
static bool move(struct child *child) {
	struct history history = {
		.kind = HISTORY_ROOM,
		.topic = SLICE("room"),
		.limit = 1,
		.loop = child->loop,
		.answered = answered,
	};
	if (!history_ask(child->store, &history, NULL)) return false;
	loop_run(child->loop);
	bool done = !history.failed;
	history_finish(&history);
	return done;
}

static bool append(struct child *child, unsigned spool, uint64_t sequence) {
	AUTO_TEXT struct text text = {0};
	text_init(&text, 0);
	envelope_text(&text, topics[spool], sequence);
	for (uint64_t i = 0; i < sequence % 400; i++) text_add_cstr(&text, "          ");
	struct spool_record record = {
		.kind = SPOOL_ENVELOPE,
		.sequence = sequence,
		.moment = 1,
		.topic = slice_of(topics[spool]),
	};
	struct slice piece = text_slice(&text);
	struct spool *at = store_spool(child->store, spool);
	return spool_reserve(at, piece.length, NULL) && spool_add(at, &record, &piece, 1, NULL);
}

static bool audit(struct child *child, uint64_t number) {
	char detail[24];
	snprintf(detail, sizeof detail, "%llu", (unsigned long long)number);
	struct audit_record record = {
		.event = SLICE("joined"),
		.result = SLICE("ok"),
		.detail = slice_of(detail),
	};
	return audit_add(store_spool(child->store, 0), &record, NULL);
}

/* Never ends by itself, but for a failure; no assertion may run in here. */
static void live(struct child *child) {
	struct store_options options = {.directory = child->folder.path, .spools = 2, .spool_limit = LIMIT};
	child->loop = loop_open(NULL);
	child->store = store_open(&options, NULL);
	if (!child->loop || !child->store) _exit(2);
	for (uint64_t step = 1;; step++) {
		for (unsigned spool = 0; spool < 2; spool++) {
			if (!append(child, spool, child->from[spool] + step)) _exit(3);
			if (spool == 0 && !audit(child, child->audited + step)) _exit(4);
			if (!spool_commit(store_spool(child->store, spool), NULL)) _exit(5);
			atomic_store(&child->progress->committed[spool], child->from[spool] + step);
			if (spool == 0) atomic_store(&child->progress->audited, child->audited + step);
		}
		if (step % 3 == 0 && !move(child)) _exit(6);
	}
}

static void wait_for_progress(const struct child *child, uint64_t steps) {
	uint64_t until = clock_monotonic_ms() + PATIENCE_MS;
	while (atomic_load(&child->progress->committed[1]) < child->from[1] + steps) {
		if (clock_monotonic_ms() > until) fail_msg("the child did not get on");
		usleep(200);
	}
}

static void kill_at_some_moment(struct child *child, unsigned *seed) {
	int status;
	pid_t process = fork();
	assert_true(process >= 0);
	if (process == 0) live(child);
	wait_for_progress(child, 1 + (uint64_t)rand_r(seed) % 40);
	usleep((useconds_t)rand_r(seed) % 4000);
	assert_int_equal(kill(process, SIGKILL), 0);
	assert_int_equal(waitpid(process, &status, 0), process);
	assert_true(WIFSIGNALED(status));
}

/* Every envelope once and in order: how many. */
static uint64_t count_envelopes(struct store *store, const char *topic) {
	struct history history = {.kind = HISTORY_SINCE, .topic = slice_of(topic)};
	uint64_t next = 1;
	do {
		ask(store, &history);
		for (size_t i = 0; i < history.count; i++, next++) {
			AUTO_TEXT struct text text = {0};
			text_init(&text, 0);
			envelope_text(&text, topic, next);
			assert_int_equal(history.records[i].sequence, next);
			assert_true(history.records[i].text.length >= text.length);
			assert_memory_equal(history.records[i].text.bytes, text.bytes, text.length);
		}
		history_finish(&history);
		history.from = next - 1;
	} while (history.more);
	assert_int_equal(history.last_sequence, next - 1);
	return next - 1;
}

/* Every audit record once: how many. */
static uint64_t count_audited(const struct folder *folder) {
	char path[128];
	sqlite3 *database;
	sqlite3_stmt *row;
	snprintf(path, sizeof path, "%s/history.db", folder->path);
	assert_int_equal(sqlite3_open(path, &database), SQLITE_OK);
	assert_int_equal(sqlite3_prepare_v2(database,
				 "SELECT count(*), count(DISTINCT detail), max(CAST(detail AS INTEGER)) FROM audit", -1, &row,
				 NULL),
		SQLITE_OK);
	assert_int_equal(sqlite3_step(row), SQLITE_ROW);
	uint64_t count = (uint64_t)sqlite3_column_int64(row, 0);
	assert_int_equal(sqlite3_column_int64(row, 1), count);
	assert_int_equal(sqlite3_column_int64(row, 2), count);
	sqlite3_finalize(row);
	sqlite3_close(database);
	return count;
}

static void check_what_is_left(struct child *child) {
	struct audit_verdict verdict;
	struct fault why = {0};
	struct store *store = store_start(&child->folder, 1);
	for (unsigned i = 0; i < 2; i++) {
		child->from[i] = count_envelopes(store, topics[i]);
		assert_true(child->from[i] >= atomic_load(&child->progress->committed[i]));
	}
	store_close(store);
	child->audited = count_audited(&child->folder);
	assert_true(child->audited >= atomic_load(&child->progress->audited));
	if (!audit_verify(child->folder.path, &verdict, &why)) fail_msg("%s", why.text);
	assert_int_equal(verdict.broken, 0);
	assert_int_equal(verdict.rows, child->audited);
	assert_false(verdict.tail_cut);
}

static void thirty_kills_lose_nothing_and_double_nothing(void **state) {
	(void)state;
	struct child child = {0};
	unsigned seed = (unsigned)clock_wall_ms();
	print_message("seed %u\n", seed);
	folder_make(&child.folder);
	child.progress = mmap(NULL, sizeof *child.progress, PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert_ptr_not_equal(child.progress, MAP_FAILED);
	for (int round = 0; round < ROUNDS; round++) {
		kill_at_some_moment(&child, &seed);
		check_what_is_left(&child);
	}
	munmap(child.progress, sizeof *child.progress);
	folder_remove(&child.folder);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(thirty_kills_lose_nothing_and_double_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
