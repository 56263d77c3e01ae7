/* SPDX-License-Identifier: Apache-2.0 */
#include "base/log.h"
#include "base/clock.h"

#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

#include "check.h"

struct pipe_log {
	struct log log;
	int read_end;
	char got[8192];
};

static void pipe_open(struct pipe_log *pipe_log, enum log_level level) {
	int ends[2];
	assert_int_equal(pipe(ends), 0);
	log_init(&pipe_log->log, ends[1], level);
	pipe_log->read_end = ends[0];
}

/* Everything written so far. */
static struct slice pipe_read(struct pipe_log *pipe_log) {
	assert_int_equal(fcntl(pipe_log->read_end, F_SETFL, O_NONBLOCK), 0);
	ssize_t got = read(pipe_log->read_end, pipe_log->got, sizeof(pipe_log->got));
	return slice_make(pipe_log->got, got > 0 ? (size_t)got : 0);
}

static void pipe_finish(struct pipe_log *pipe_log) {
	close(pipe_log->log.descriptor);
	close(pipe_log->read_end);
}

static void check_line(struct slice line, const char *behind_the_time) {
	int64_t when;
	assert_true(line.length > 25);
	assert_true(clock_read(slice_make(line.bytes, 24), &when));
	check_slice(slice_make(line.bytes + 24, line.length - 24), behind_the_time);
}

static void a_line_has_time_level_and_text(void **state) {
	(void)state;
	struct pipe_log to;
	pipe_open(&to, LOG_DEBUG);
	log_write(&to.log, LOG_INFO, "ready at %s", "x");
	check_line(pipe_read(&to), " info  ready at x\n");
	log_write(&to.log, LOG_WARNING, "w");
	check_line(pipe_read(&to), " warning w\n");
	log_write(&to.log, LOG_ERROR, "e");
	check_line(pipe_read(&to), " error e\n");
	log_write(&to.log, LOG_DEBUG, "%s", "");
	check_line(pipe_read(&to), " debug \n");
	pipe_finish(&to);
}

static void the_level_decides_what_is_written(void **state) {
	(void)state;
	struct pipe_log to;
	pipe_open(&to, LOG_WARNING);
	log_write(&to.log, LOG_INFO, "not this");
	assert_int_equal(pipe_read(&to).length, 0);
	log_set_level(&to.log, LOG_INFO);
	log_write(&to.log, LOG_INFO, "this");
	check_line(pipe_read(&to), " info  this\n");
	log_write(NULL, LOG_ERROR, "swallowed");
	pipe_finish(&to);
}

static void control_characters_make_no_second_line(void **state) {
	(void)state;
	struct pipe_log to;
	pipe_open(&to, LOG_INFO);
	log_write(&to.log, LOG_INFO, "%s", "a\nforged\x1b[2J\xff");
	check_line(pipe_read(&to), " info  a\\x0aforged\\x1b[2J\\xff\n");
	pipe_finish(&to);
}

static void a_long_line_is_cut_at_a_character(void **state) {
	(void)state;
	struct pipe_log to;
	pipe_open(&to, LOG_INFO);
	for (int before = 4040; before < 4110; before++) {
		log_write(&to.log, LOG_INFO, "%*s\xf0\x9f\x98\x80\xf0\x9f\x98\x80 and so on", before, "");
		struct slice line = pipe_read(&to);
		assert_true(line.length <= 4096 && line.length > 4070);
		assert_int_equal(line.bytes[line.length - 1], '\n');
		assert_null(memchr(line.bytes, '\\', line.length)); /* no half character is shown as octets */
	}
	pipe_finish(&to);
}

static void a_reader_that_left_costs_the_line_only(void **state) {
	(void)state;
	struct log log;
	log_init(&log, -1, LOG_INFO);
	log_write(&log, LOG_INFO, "lost");
}

#define LINES 40

static void *lines_write(void *log) {
	for (int i = 0; i < LINES; i++) log_write(log, LOG_INFO, "%060d", 0);
	return NULL;
}

static void lines_of_two_threads_do_not_mix(void **state) {
	(void)state;
	struct pipe_log to;
	pthread_t threads[2];
	pipe_open(&to, LOG_INFO);
	for (int i = 0; i < 2; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, lines_write, &to.log), 0);
	for (int i = 0; i < 2; i++) assert_int_equal(pthread_join(threads[i], NULL), 0);
	struct slice rest = pipe_read(&to), line;
	for (int i = 0; i < 2 * LINES; i++) {
		assert_true(slice_split(&rest, '\n', &line));
		assert_int_equal(line.length, 24 + 7 + 60);
	}
	check_slice(rest, "");
	pipe_finish(&to);
}

static void level_words_go_round(void **state) {
	(void)state;
	for (int i = 0; i < LOG_LEVELS; i++) {
		enum log_level level = LOG_LEVELS;
		assert_true(log_level_read(slice_of(log_level_word((enum log_level)i)), &level));
		assert_int_equal(level, i);
	}
	enum log_level level = LOG_DEBUG;
	assert_false(log_level_read(SLICE("Info"), &level));
	assert_false(log_level_read(SLICE(""), &level));
	assert_int_equal(level, LOG_DEBUG);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_has_time_level_and_text),
		cmocka_unit_test(the_level_decides_what_is_written),
		cmocka_unit_test(control_characters_make_no_second_line),
		cmocka_unit_test(a_long_line_is_cut_at_a_character),
		cmocka_unit_test(a_reader_that_left_costs_the_line_only),
		cmocka_unit_test(lines_of_two_threads_do_not_mix),
		cmocka_unit_test(level_words_go_round),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
