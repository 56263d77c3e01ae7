/* SPDX-License-Identifier: Apache-2.0 */
/* The source itself, with memory that runs out. */
#include "failing_malloc.h"

#include "net/error_lines.h"
#include "net/pipes.c"
#include "base/clock.h"

#include <fcntl.h>
#include <unistd.h>

#include "check.h"

/* Lines */

struct gathered {
	struct text text; /* each line with a bar behind it */
	unsigned count, most;
};

static bool gather(void *context, struct slice line) {
	struct gathered *gathered = context;
	text_add(&gathered->text, line);
	text_add_char(&gathered->text, '|');
	return ++gathered->count != gathered->most;
}

static void feed_all(struct lines *lines, const char *bytes, size_t piece,
	struct gathered *gathered) {
	for (size_t at = 0, length = strlen(bytes); at < length; at += piece) {
		size_t part = length - at < piece ? length - at : piece;
		assert_true(lines_feed(lines, slice_make(bytes + at, part), gather, gathered, NULL));
	}
}

static void lines_are_the_same_in_pieces_of_any_size(void **state) {
	(void)state;
	for (size_t piece = 1; piece < 20; piece++) {
		struct gathered gathered = {0};
		struct lines lines;
		lines_init(&lines, 16, LINES_STRICT);
		feed_all(&lines, "one\n\ntwo three\r\n0123456789abcdef\nrest", piece, &gathered);
		check_text(&gathered.text, "one||two three\r|0123456789abcdef|");
		lines_end(&lines, gather, &gathered);
		check_text(&gathered.text, "one||two three\r|0123456789abcdef|rest|");
		lines_finish(&lines);
		text_finish(&gathered.text);
	}
}

static void a_line_over_the_limit_is_a_fault_in_pieces_of_any_size(void **state) {
	(void)state;
	const char bytes[] = "good\n12345678x";
	for (size_t piece = 1; piece < sizeof(bytes); piece++) {
		struct gathered gathered = {0};
		struct fault why = {0};
		struct lines lines;
		lines_init(&lines, 8, LINES_STRICT);
		bool held = true;
		for (size_t at = 0; held && at < sizeof(bytes) - 1; at += piece) {
			size_t left = sizeof(bytes) - 1 - at;
			struct slice part = slice_make(bytes + at, left < piece ? left : piece);
			held = lines_feed(&lines, part, gather, &gathered, &why);
		}
		assert_false(held);
		assert_int_equal(why.code, FAULT_TOO_LARGE);
		check_text(&gathered.text, "good|");
		lines_finish(&lines);
		text_finish(&gathered.text);
	}
}

static void a_cut_line_keeps_its_beginning_and_the_next_is_whole(void **state) {
	(void)state;
	for (size_t piece = 1; piece < 24; piece++) {
		struct gathered gathered = {0};
		struct lines lines;
		lines_init(&lines, 4, LINES_CUT);
		feed_all(&lines, "abcdefgh\nabcd\nxy\nlong without", piece, &gathered);
		lines_end(&lines, gather, &gathered);
		check_text(&gathered.text, "abcd|abcd|xy|long|");
		lines_finish(&lines);
		text_finish(&gathered.text);
	}
}

static void who_wants_no_further_line_gets_none(void **state) {
	(void)state;
	struct gathered gathered = {.most = 2};
	struct lines lines;
	lines_init(&lines, 100, LINES_STRICT);
	assert_true(lines_feed(&lines, SLICE("a\nb\nc\n"), gather, &gathered, NULL));
	check_text(&gathered.text, "a|b|");
	lines_finish(&lines);
	text_finish(&gathered.text);
}

static bool keep_frame(void *context, struct slice line) {
	struct lines *lines = context;
	(void)line;
	frame_keep(lines_frame(lines));
	return true;
}

static void a_line_that_was_gathered_may_be_kept(void **state) {
	(void)state;
	struct lines lines;
	lines_init(&lines, 100, LINES_STRICT);
	assert_true(lines_feed(&lines, SLICE("fir"), keep_frame, &lines, NULL));
	assert_null(lines_frame(&lines));
	struct frame *first = lines.partial;
	assert_true(lines_feed(&lines, SLICE("st\nsec"), keep_frame, &lines, NULL));
	assert_int_equal(first->references, 1);
	assert_true(slice_is(slice_make(first->bytes, first->used), "first"));
	assert_ptr_not_equal(lines.partial, first);
	frame_drop(first);
	lines_finish(&lines);
}

/* Pipes */

struct both {
	struct loop *loop;
	struct pipe_in in;
	struct pipe_out out;
	struct gathered gathered;
	size_t octets;
	char last[40]; /* line, or its beginning */
	unsigned drained, ended, released;
};

static void both_line(void *context, struct slice line) {
	struct both *both = context;
	both->octets += line.length;
	both->gathered.count++;
	snprintf(both->last, sizeof both->last, "%.*s", SLICE_ARGS(line));
}

static void both_ended(void *context, const struct fault *why) {
	struct both *both = context;
	assert_null(why);
	both->ended++;
}

static void both_drained(void *context) {
	struct both *both = context;
	both->drained++;
}

static void both_released(void *context) {
	struct both *both = context;
	both->released++;
}

static const struct pipe_in_events in_events = {both_line, both_ended, both_released};
static const struct pipe_out_events out_events = {both_drained, both_released};

static void both_open(struct both *both, size_t limit) {
	int ends[2];
	*both = (struct both){.loop = loop_open(NULL)};
	assert_non_null(both->loop);
	assert_int_equal(pipe2(ends, O_NONBLOCK | O_CLOEXEC), 0);
	lines_init(&both->in.lines, 1 << 20, LINES_STRICT);
	assert_true(pipes_in_open(&both->in, both->loop, ends[0], &in_events, both, NULL));
	assert_true(pipes_out_open(&both->out, both->loop, ends[1], limit, &out_events, both, NULL));
}

static void both_finish(struct both *both) {
	pipes_in_close(&both->in);
	pipes_out_close(&both->out);
	loop_close(both->loop);
	assert_int_equal(both->released, 2);
}

#define both_wait(both, condition) \
	do { \
		uint64_t end_ = clock_monotonic_ms() + 60000; \
		while (!(condition)) { \
			if (clock_monotonic_ms() > end_) fail_msg("never: %s", #condition); \
			loop_step((both)->loop, 20); \
		} \
	} while (0)

static void what_the_pipe_does_not_take_waits_and_is_sent_in_order(void **state) {
	(void)state;
	struct both both;
	both_open(&both, 8 << 20);
	AUTO_FREE char *line = malloc(100000);
	assert_non_null(line);
	memset(line, 'x', 100000);
	for (size_t i = 0; i < 40; i++)
		assert_true(pipes_out_write(&both.out, slice_make(line, 100000 - i), NULL));
	assert_true(both.out.length > 0);
	assert_int_equal(both.drained, 0);

	both_wait(&both, both.gathered.count == 40);
	assert_int_equal(both.octets, 40 * 100000 - 39 * 40 / 2);
	both_wait(&both, both.drained == 1);
	assert_int_equal(both.out.length, 0);
	pipes_out_close(&both.out);
	both_wait(&both, both.ended == 1);
	both_finish(&both);
}

static void a_line_over_what_may_wait_is_refused_whole(void **state) {
	(void)state;
	struct both both;
	struct fault why = {0};
	both_open(&both, 300000);
	AUTO_FREE char *line = calloc(1, 300000);
	assert_non_null(line);
	assert_false(pipes_out_write(&both.out, slice_make(line, 300000), &why));
	assert_int_equal(why.code, FAULT_FULL);
	pipes_in_pause(&both.in, true);
	unsigned taken = 0;
	while (pipes_out_write(&both.out, slice_make(line, 1000), &why)) taken++;
	assert_int_equal(why.code, FAULT_FULL);
	assert_true(both.out.length <= 300000);
	assert_true(both.out.length > 300000 - 1001);

	pipes_in_pause(&both.in, false);
	both_wait(&both, both.gathered.count == taken);
	assert_int_equal(both.octets, taken * 1000);
	both_finish(&both);
}

static void a_line_that_finds_no_memory_is_refused_whole(void **state) {
	(void)state;
	struct both both;
	struct fault why = {0};
	both_open(&both, 8 << 20);
	AUTO_FREE char *line = calloc(1, 100000);
	assert_non_null(line);
	assert_true(pipes_out_write(&both.out, slice_make(line, 1000), NULL));
	malloc_fails_at(1);
	assert_false(pipes_out_write(&both.out, slice_make(line, 100000), &why));
	malloc_fails_at(0);
	assert_int_equal(why.code, FAULT_NO_MEMORY);
	assert_int_equal(both.out.length, 1001);
	assert_true(pipes_out_write(&both.out, slice_make(line, 2000), NULL));
	both_wait(&both, both.gathered.count == 2);
	assert_int_equal(both.octets, 3000);
	both_finish(&both);
}

static void what_was_written_leaves_at_the_pass_end_or_when_flushed_or_closed(void **state) {
	(void)state;
	struct both both;
	both_open(&both, 1000);
	assert_true(pipes_out_write(&both.out, SLICE("one"), NULL));
	assert_true(pipes_out_write(&both.out, SLICE("two"), NULL));
	assert_int_equal(both.out.length, 8);
	pipes_out_flush(&both.out);
	assert_int_equal(both.out.length, 0);
	assert_true(pipes_out_write(&both.out, SLICE("three"), NULL));
	both_wait(&both, both.gathered.count == 3);
	assert_true(pipes_out_write(&both.out, SLICE("four"), NULL));
	pipes_out_close(&both.out);
	both_wait(&both, both.ended == 1);
	assert_int_equal(both.gathered.count, 4);
	assert_int_equal(both.drained, 0);
	both_finish(&both);
}

static void a_line_stays_one_whatever_stands_in_it(void **state) {
	(void)state;
	struct both both;
	both_open(&both, 1000);
	assert_true(pipes_out_write(&both.out, SLICE("{\"a\":\n{\"b\":1}\r\n}\n"), NULL));
	both_wait(&both, both.gathered.count == 1);
	assert_string_equal(both.last, "{\"a\": {\"b\":1}  } ");
	assert_true(pipes_out_write(&both.out, SLICE("\n"), NULL));
	both_wait(&both, both.gathered.count == 2);
	assert_string_equal(both.last, " ");
	both_finish(&both);
}

static void a_paused_pipe_is_read_by_nobody_but_the_drain(void **state) {
	(void)state;
	struct both both;
	both_open(&both, 1000);
	pipes_in_pause(&both.in, true);
	assert_true(pipes_out_write(&both.out, SLICE("hello"), NULL));
	for (int pass = 0; pass < 5; pass++) loop_step(both.loop, 0);
	assert_int_equal(both.gathered.count, 0);

	pipes_in_drain(&both.in);
	assert_int_equal(both.gathered.count, 1);
	assert_int_equal(both.ended, 1);
	both_finish(&both);
}

/* Error lines */

static void error_lines_come_in_a_burst_and_then_at_their_pace(void **state) {
	(void)state;
	struct error_lines lines;
	uint64_t left_out = 0;
	error_lines_init(&lines, 1000);
	for (int i = 0; i < ERROR_LINES_BURST; i++)
		assert_true(error_lines_allow(&lines, 1000, &left_out));
	assert_false(error_lines_allow(&lines, 1000, &left_out));
	assert_false(error_lines_allow(&lines, 1000, &left_out));
	assert_true(error_lines_allow(&lines, 1000 + 1000 / ERROR_LINES_PER_SECOND, &left_out));
	assert_int_equal(left_out, 2);
	assert_false(error_lines_allow(&lines, 1000 + 1000 / ERROR_LINES_PER_SECOND, &left_out));

	/* However long the silence was, no more than a burst. */
	unsigned told = 0;
	while (error_lines_allow(&lines, UINT64_MAX, &left_out)) told++;
	assert_int_equal(told, ERROR_LINES_BURST);
	assert_int_equal(error_lines_take(&lines), 1);
	assert_int_equal(error_lines_take(&lines), 0);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_are_the_same_in_pieces_of_any_size),
		cmocka_unit_test(a_line_over_the_limit_is_a_fault_in_pieces_of_any_size),
		cmocka_unit_test(a_cut_line_keeps_its_beginning_and_the_next_is_whole),
		cmocka_unit_test(a_line_that_was_gathered_may_be_kept),
		cmocka_unit_test(who_wants_no_further_line_gets_none),
		cmocka_unit_test(what_the_pipe_does_not_take_waits_and_is_sent_in_order),
		cmocka_unit_test(a_line_over_what_may_wait_is_refused_whole),
		cmocka_unit_test(a_line_that_finds_no_memory_is_refused_whole),
		cmocka_unit_test(what_was_written_leaves_at_the_pass_end_or_when_flushed_or_closed),
		cmocka_unit_test(a_line_stays_one_whatever_stands_in_it),
		cmocka_unit_test(a_paused_pipe_is_read_by_nobody_but_the_drain),
		cmocka_unit_test(error_lines_come_in_a_burst_and_then_at_their_pace),
	};
	return cmocka_run_group_tests_name("pipes", tests, NULL, NULL);
}
