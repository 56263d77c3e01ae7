/* SPDX-License-Identifier: Apache-2.0 */
/* Hearing of records as they are added, and the file that is written of them. */
#include "store_rig.h"

#include "store/audit.h"
#include "store/audit_file.h"
#include "store/audit_listener.h"
#include "store/audit_outside.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>

struct ears {
	struct folder folder;
	struct loop *loop;
	struct store *store;
};

static int set_up(void **state) {
	static struct ears ears;
	folder_make(&ears.folder);
	ears.store = store_start(&ears.folder, 2);
	ears.loop = loop_open(NULL);
	*state = &ears;
	return ears.loop ? 0 : -1;
}

static int tear_down(void **state) {
	struct ears *ears = *state;
	if (ears->store) store_close(ears->store);
	loop_close(ears->loop);
	folder_remove(&ears->folder);
	return 0;
}

#define EARS_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

static void add_to(struct ears *ears, unsigned spool, const char *actor) {
	struct fault why = {0};
	struct audit_record record = {
		.event = SLICE("TOOL_EXECUTED"),
		.actor = slice_of(actor),
		.server_id = SLICE("files"),
		.tool_name = SLICE("read"),
		.result = AUDIT_SUCCESS,
	};
	if (!audit_add(store_spool(ears->store, spool), &record, &why)) fail_msg("%s", why.text);
	commit(ears->store, spool);
}

static void add(struct ears *ears, const char *actor) { add_to(ears, 0, actor); }

/* ---- Listeners ---- */

struct ear {
	struct audit_listener listener;
	char heard[256]; /* actors, a blank behind each */
	size_t count;
	uint64_t missed;
	struct ear *ends;   /* unlistened at the first record */
	struct ears *again; /* adds one at the first record */
};

static void told(struct audit_listener *listener, const struct audit_record *record, int64_t moment) {
	struct ear *ear = CONTAINER_OF(listener, struct ear, listener);
	size_t used = strlen(ear->heard);
	assert_true(moment > 0);
	assert_true(slice_is(record->tool_name, "read"));
	snprintf(ear->heard + used, sizeof ear->heard - used, "%.*s ", SLICE_ARGS(record->actor));
	ear->count++;
	if (ear->ends) audit_unlisten(&TAKE(ear->ends)->listener);
	if (ear->again) add(TAKE(ear->again), "again");
}

static void missed(struct audit_listener *listener, uint64_t count) {
	CONTAINER_OF(listener, struct ear, listener)->missed += count;
}

static void listen_to(struct ears *ears, struct ear *ear) {
	struct fault why = {0};
	ear->listener.told = told;
	ear->listener.missed = missed;
	if (!audit_listen(ears->store, ears->loop, &ear->listener, &why)) fail_msg("%s", why.text);
}

/* Until so many were heard. */
static void hear(struct ears *ears, const struct ear *ear, size_t count) {
	while (ear->count < count) loop_step(ears->loop, -1);
}

static void records_are_told_in_order_and_not_inside_adding(void **state) {
	struct ears *ears = *state;
	struct ear ear = {0};
	add(ears, "before");
	listen_to(ears, &ear);
	add(ears, "ann");
	add(ears, "bob");
	assert_int_equal(ear.count, 0);
	hear(ears, &ear, 2);
	assert_string_equal(ear.heard, "ann bob ");
	audit_unlisten(&ear.listener);
	add(ears, "cleo");
	loop_step(ears->loop, 0);
	assert_int_equal(ear.count, 2);
	audit_unlisten(&ear.listener); /* twice is fine */
}

static void *add_elsewhere(void *context) {
	for (int i = 0; i < 500; i++) add_to(context, 1, "x");
	return NULL;
}

static void records_of_other_threads_arrive_on_the_loop(void **state) {
	struct ears *ears = *state;
	struct ear ear = {0};
	pthread_t thread;
	listen_to(ears, &ear);
	assert_int_equal(pthread_create(&thread, NULL, add_elsewhere, ears), 0);
	hear(ears, &ear, 500);
	pthread_join(thread, NULL);
	assert_int_equal(ear.count, 500);
	assert_int_equal(audit_missed(ears->store), 0);
	audit_unlisten(&ear.listener);
}

static void a_listener_may_end_itself_and_others_and_add_records(void **state) {
	struct ears *ears = *state;
	struct ear one = {0}, other = {0}, last = {.again = ears};
	listen_to(ears, &one);
	listen_to(ears, &other);
	listen_to(ears, &last);
	one.ends = &other; /* the next to be told */
	add(ears, "ann");
	hear(ears, &last, 2);
	assert_string_equal(one.heard, "ann again ");
	assert_string_equal(other.heard, "");
	assert_string_equal(last.heard, "ann again ");
	one.ends = &one;
	add(ears, "bob");
	hear(ears, &last, 3);
	add(ears, "cleo");
	hear(ears, &last, 4);
	assert_string_equal(one.heard, "ann again bob ");
	audit_unlisten(&last.listener);
}

static void what_waits_is_bounded_and_the_rest_is_counted(void **state) {
	struct ears *ears = *state;
	struct ear ear = {0};
	listen_to(ears, &ear);
	for (int i = 0; i < AUDIT_WAITING + 7; i++) add(ears, "x");
	assert_int_equal(audit_missed(ears->store), 7);
	hear(ears, &ear, AUDIT_WAITING);
	assert_int_equal(ear.missed, 7);
	add(ears, "after");
	hear(ears, &ear, AUDIT_WAITING + 1);
	assert_int_equal(ear.missed, 7);
	audit_unlisten(&ear.listener);
}

static void octets_that_wait_are_bounded_too(void **state) {
	struct ears *ears = *state;
	struct ear ear = {0};
	static char large[60 * 1024];
	struct audit_record record = {.tool_name = SLICE("read"), .details = slice_make(large, sizeof large)};
	size_t most = AUDIT_WAITING_OCTETS / (sizeof large + AUDIT_PACKED_HEAD + 4);
	listen_to(ears, &ear);
	for (size_t i = 0; i < most + 5; i++) {
		assert_true(audit_add(store_spool(ears->store, 0), &record, NULL));
		commit(ears->store, 0);
	}
	assert_int_equal(audit_missed(ears->store), 5);
	hear(ears, &ear, most);
	assert_int_equal(ear.missed, 5);
	audit_unlisten(&ear.listener);
}

static void letters_under_way_outlive_the_store(void **state) {
	struct ears *ears = *state;
	struct ear ear = {0};
	listen_to(ears, &ear);
	add(ears, "ann");
	store_close(ears->store);
	ears->store = NULL;
	assert_null(ear.listener.hub);
	loop_step(ears->loop, 0);
	assert_int_equal(ear.count, 0);
}

/* ---- Records of commands ---- */

static void write_by_command(const struct ears *ears, const char *actor) {
	struct fault why = {0};
	struct audit_record record = {.event = SLICE("token"), .actor = slice_of(actor), .tool_name = SLICE("read")};
	if (!audit_write_file(ears->folder.path, &record, &why)) fail_msg("%s", why.text);
}

static void records_that_commands_write_are_told_once(void **state) {
	struct ears *ears = *state;
	struct ear ear = {0};
	struct fault why = {0};
	write_by_command(ears, "before");
	struct audit_outside *outside = audit_outside_open(ears->store, ears->loop, &why);
	assert_non_null(outside);
	listen_to(ears, &ear);
	write_by_command(ears, "ann");
	add(ears, "own");
	write_by_command(ears, "bob");
	hear(ears, &ear, 3);
	write_by_command(ears, "cleo");
	hear(ears, &ear, 4);
	assert_string_equal(ear.heard, "own ann bob cleo ");
	write_by_command(ears, "last");
	audit_unlisten(&ear.listener);
	audit_outside_close(outside);
	store_close(ears->store);
	ears->store = NULL;
	loop_step(ears->loop, 0);
}

static void one_that_is_asking_is_closed_by_its_answer(void **state) {
	struct ears *ears = *state;
	struct fault why = {0};
	for (int round = 0; round < 20; round++) {
		struct audit_outside *outside = audit_outside_open(ears->store, ears->loop, &why);
		write_by_command(ears, "ann");
		/* The deadline passes at some time in here, and the question goes out. */
		for (int pass = 0; pass < round; pass++) loop_step(ears->loop, 40);
		audit_outside_close(outside);
	}
	store_close(ears->store);
	ears->store = NULL;
}

/* ---- The file ---- */

static const char *path_of(const struct ears *ears, const char *rest) {
	static char path[256];
	snprintf(path, sizeof path, "%s/audit.jsonl%s", ears->folder.path, rest);
	return path;
}

static struct audit_file *file_start(struct ears *ears, int64_t bytes, unsigned count) {
	struct fault why = {0};
	char path[256];
	snprintf(path, sizeof path, "%s", path_of(ears, ""));
	struct audit_file_settings settings = {.path = path, .bytes = bytes, .count = count};
	struct audit_file *file = audit_file_open(ears->store, ears->loop, &settings, NULL, &why);
	if (!file) fail_msg("%s", why.text);
	return file;
}

static size_t lines_of(const struct ears *ears, const char *rest) {
	FILE *file = fopen(path_of(ears, rest), "r");
	char line[4096];
	size_t count = 0;
	if (!file) return 0;
	while (fgets(line, sizeof line, file)) {
		count++;
		assert_memory_equal(line, "{\"timestamp\":\"", 14);
		assert_string_equal(line + strlen(line) - 2, "}\n");
	}
	fclose(file);
	return count;
}

static void every_record_is_a_line_of_the_file(void **state) {
	struct ears *ears = *state;
	struct ear ear = {0};
	struct stat found;
	struct audit_file *file = file_start(ears, 0, 0);
	listen_to(ears, &ear);
	add(ears, "ann");
	add_to(ears, 1, "bob");
	hear(ears, &ear, 2);
	assert_int_equal(lines_of(ears, ""), 2);
	assert_int_equal(stat(path_of(ears, ""), &found), 0);
	assert_int_equal(found.st_mode & 0777, 0600);
	audit_file_close(file);
	file = file_start(ears, 0, 0); /* what there is stays */
	add(ears, "cleo");
	hear(ears, &ear, 3);
	audit_file_close(file); /* writes what is gathered */
	assert_int_equal(lines_of(ears, ""), 3);
	audit_unlisten(&ear.listener);
}

static void a_full_file_is_put_aside(void **state) {
	struct ears *ears = *state;
	struct ear ear = {0};
	struct audit_file *file = file_start(ears, 600, 2); /* two lines and a bit */
	listen_to(ears, &ear);
	for (size_t i = 1; i <= 9; i++) {
		add(ears, "ann");
		hear(ears, &ear, i);
	}
	audit_file_close(file);
	assert_int_equal(lines_of(ears, ""), 1);
	assert_int_equal(lines_of(ears, ".1"), 2);
	assert_int_equal(lines_of(ears, ".2"), 2);
	assert_int_equal(access(path_of(ears, ".3"), F_OK), -1);
	file = file_start(ears, 600, 0); /* none is kept: it begins anew */
	for (size_t i = 10; i <= 12; i++) {
		add(ears, "ann");
		hear(ears, &ear, i);
	}
	audit_file_close(file);
	assert_in_range(lines_of(ears, ""), 1, 2);
	assert_int_equal(lines_of(ears, ".1"), 2);
	audit_unlisten(&ear.listener);
}

static void only_a_file_is_written_to(void **state) {
	struct ears *ears = *state;
	struct fault why = {0};
	char path[256], link[256];
	snprintf(link, sizeof link, "%s", path_of(ears, ".link"));
	snprintf(path, sizeof path, "%s", path_of(ears, ""));
	assert_int_equal(symlink(path, link), 0);
	assert_int_equal(mkfifo(path, 0600), 0);
	const char *const wrong[] = {link, path, "/dev/null", ears->folder.path, "/nowhere/at/all"};
	for (size_t i = 0; i < COUNT_OF(wrong); i++) {
		struct audit_file_settings settings = {.path = wrong[i]};
		assert_null(audit_file_open(ears->store, ears->loop, &settings, NULL, &why));
		assert_non_null(strstr(why.text, wrong[i]));
	}
}

/* No more octets can be written than a limit allows, as on a full disk. */
static void what_does_not_fit_on_the_disk_is_counted_and_leaves_no_half_line(void **state) {
	struct ears *ears = *state;
	struct ear ear = {0};
	struct rlimit before, tight;
	struct audit_file *file = file_start(ears, 0, 0);
	listen_to(ears, &ear);
	add(ears, "ann");
	hear(ears, &ear, 1);
	assert_int_equal(audit_file_lost(file), 0);
	struct stat found;
	assert_int_equal(stat(path_of(ears, ""), &found), 0);
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	add(ears, "bob");
	add(ears, "cleo");
	tight = before;
	tight.rlim_cur = (rlim_t)found.st_size + 20;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &tight), 0);
	hear(ears, &ear, 3);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	assert_int_equal(audit_file_lost(file), 2);
	assert_int_equal(lines_of(ears, ""), 1);
	add(ears, "dan");
	hear(ears, &ear, 4);
	assert_int_equal(audit_file_lost(file), 2);
	assert_int_equal(lines_of(ears, ""), 2);
	audit_file_close(file);
	audit_unlisten(&ear.listener);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		EARS_TEST(records_are_told_in_order_and_not_inside_adding),
		EARS_TEST(records_of_other_threads_arrive_on_the_loop),
		EARS_TEST(a_listener_may_end_itself_and_others_and_add_records),
		EARS_TEST(what_waits_is_bounded_and_the_rest_is_counted),
		EARS_TEST(octets_that_wait_are_bounded_too),
		EARS_TEST(letters_under_way_outlive_the_store),
		EARS_TEST(records_that_commands_write_are_told_once),
		EARS_TEST(one_that_is_asking_is_closed_by_its_answer),
		EARS_TEST(every_record_is_a_line_of_the_file),
		EARS_TEST(a_full_file_is_put_aside),
		EARS_TEST(only_a_file_is_written_to),
		EARS_TEST(what_does_not_fit_on_the_disk_is_counted_and_leaves_no_half_line),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
