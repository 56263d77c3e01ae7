/* SPDX-License-Identifier: Apache-2.0 */
/* The source itself, so that patience can end without time passing, and memory can run out. */
#include "failing_malloc.h"

#include "net/child.c"

#include "children.h"

#include <sys/stat.h>

static void a_line_goes_in_and_comes_back(void **state) {
	(void)state;
	struct scene scene;
	scene_open(&scene);
	scene_run(&scene, (struct child_options){.arguments = (const char *const[]){"cat", NULL}});
	assert_true(child_write(scene.child, SLICE("{\"id\":1}"), NULL));
	assert_true(child_write(scene.child, SLICE(""), NULL));
	assert_int_equal(scene.seen.line_count, 0);
	scene_wait(&scene, scene.seen.line_count == 2);
	check_text(&scene.seen.lines, "{\"id\":1}\n\n");
	scene_wait(&scene, child_process(scene.child) > 0);

	child_stop(scene.child, PATIENCE_MS);
	scene_wait_end(&scene);
	assert_int_equal(scene.seen.status, 0);
	assert_string_equal(scene.seen.why.text, "exited with 0");
	assert_int_equal(child_process(scene.child), 0);
	assert_false(child_write(scene.child, SLICE("late"), NULL));
	scene_finish(&scene);
}

static void a_line_of_a_megabyte_comes_back_whole(void **state) {
	(void)state;
	struct scene scene;
	scene_open(&scene);
	scene_run(&scene, (struct child_options){.arguments = (const char *const[]){"cat", NULL}});
	size_t length = 1 << 20;
	AUTO_FREE char *line = malloc(length + 1);
	assert_non_null(line);
	for (size_t i = 0; i < length; i++) line[i] = (char)('a' + i % 26);
	line[length] = '\n';
	assert_true(child_write(scene.child, slice_make(line, length), NULL));
	scene_wait(&scene, scene.seen.line_count == 1);
	assert_true(slice_equal(text_slice(&scene.seen.lines), slice_make(line, length + 1)));
	scene_finish(&scene);
}

static void what_a_child_does_not_read_waits_and_is_bounded(void **state) {
	(void)state;
	struct scene scene;
	struct fault why = {0};
	char flag[] = "/tmp/hustings-flag-XXXXXX", script[200];
	int file = mkstemp(flag);
	assert_true(file >= 0);
	close(file);
	snprintf(script, sizeof(script), "while [ -e %s ]; do sleep 0.05; done; cat", flag);
	scene_open(&scene);
	struct child_options options = {
		.arguments = SHELL(script),
		.behind_limit = 1 << 20,
	};
	scene_run(&scene, options);
	AUTO_FREE char *line = calloc(1, 100000);
	assert_non_null(line);
	memset(line, 'y', 100000);
	unsigned taken = 0;
	while (child_write(scene.child, slice_make(line, 100000), &why)) taken++;
	assert_int_equal(why.code, FAULT_FULL);
	assert_in_range(child_behind(scene.child), 800000, 1 << 20);
	assert_int_equal(scene.seen.drained, 0);

	assert_int_equal(unlink(flag), 0);
	scene_wait(&scene, scene.seen.drained == 1);
	assert_int_equal(child_behind(scene.child), 0);
	scene_wait(&scene, scene.seen.line_count == taken);
	scene_finish(&scene);
}

static void how_it_ended_is_told_in_words(void **state) {
	(void)state;
	static const struct {
		const char *script;
		int status;
		const char *words;
	} ends[] = {
		{"exit 3", 3, "exited with 3"},
		{"kill -9 $$", -9, "was ended by signal 9"},
		{"kill -15 $$", -15, "was ended by signal 15"},
	};
	for (size_t i = 0; i < COUNT_OF(ends) * 2; i++) {
		struct scene scene;
		scene_open(&scene);
		scene_shell(&scene, i < COUNT_OF(ends) ? CHILD_PLAIN : CHILD_CONTAINED,
			ends[i % COUNT_OF(ends)].script);
		scene_wait_end(&scene);
		assert_int_equal(scene.seen.status, ends[i % COUNT_OF(ends)].status);
		assert_string_equal(scene.seen.why.text, ends[i % COUNT_OF(ends)].words);
		assert_int_equal(scene.seen.ended, 1);
		scene_finish(&scene);
	}
}

static void every_line_comes_before_the_end(void **state) {
	(void)state;
	struct scene scene;
	scene_open(&scene);
	scene_shell(&scene, CHILD_PLAIN, "seq 1 20000; echo why >&2; printf last; exit 5");
	scene_wait_end(&scene);
	assert_int_equal(scene.seen.line_count, 20001);
	check_text(&scene.seen.errors, "why\n");
	struct slice all = text_slice(&scene.seen.lines);
	check_slice(slice_make(all.bytes + all.length - 11, 11), "20000\nlast\n");
	scene_finish(&scene);
}

static void a_line_over_the_limit_ends_the_child(void **state) {
	(void)state;
	struct scene scene;
	scene_open(&scene);
	struct child_options options = {
		.arguments = SHELL("echo good; head -c 2000 /dev/zero; sleep 600"),
		.line_limit = 1000,
	};
	scene_run(&scene, options);
	scene_wait_end(&scene);
	check_text(&scene.seen.lines, "good\n");
	assert_int_equal(scene.seen.why.code, FAULT_TOO_LARGE);
	assert_string_equal(scene.seen.why.text, "was ended for a line of over 1000 octets");
	wait_marked(scene.mark, 0);
	scene_finish(&scene);
}

static void a_paused_child_is_heard_when_resumed(void **state) {
	(void)state;
	struct scene scene;
	scene_open(&scene);
	scene_shell(&scene, CHILD_PLAIN, "echo one; echo ready >&2; cat");
	child_pause(scene.child);
	scene_wait(&scene, scene.seen.error_count == 1);
	assert_int_equal(scene.seen.line_count, 0);
	child_resume(scene.child);
	scene_wait(&scene, scene.seen.line_count == 1);

	/* Its end is told even to who never resumes. */
	child_pause(scene.child);
	assert_true(child_write(scene.child, SLICE("two"), NULL));
	child_stop(scene.child, PATIENCE_MS);
	scene_wait_end(&scene);
	check_text(&scene.seen.lines, "one\ntwo\n");
	scene_finish(&scene);
}

static void a_flood_on_stderr_is_counted_not_told(void **state) {
	(void)state;
	struct scene scene;
	scene_open(&scene);
	scene_shell(&scene, CHILD_PLAIN, "yes | head -n 200000 >&2");
	scene_wait_end(&scene);

	unsigned told = 0, left_out = 0;
	struct slice rest = text_slice(&scene.seen.errors), line;
	while (slice_split(&rest, '\n', &line)) {
		unsigned more = 0;
		if (slice_is(line, "y")) told++;
		else if (line.length && sscanf(line.bytes, "(%u lines left out)", &more) == 1)
			left_out += more;
	}
	assert_int_equal(told + left_out, 200000);
	assert_true(told >= ERROR_LINES_BURST);
	assert_true(left_out > 0);
	scene_finish(&scene);
}

/* Stopping */

static void stopping_closes_stdin_first(void **state) {
	(void)state;
	struct scene scene;
	scene_open(&scene);
	scene_shell(&scene, CHILD_PLAIN, "while read line; do echo $line; done; exit 4");
	assert_true(child_write(scene.child, SLICE("a"), NULL));
	child_stop(scene.child, PATIENCE_MS);
	assert_false(child_write(scene.child, SLICE("b"), NULL));
	scene_wait_end(&scene);
	check_text(&scene.seen.lines, "a\n");
	assert_int_equal(scene.seen.status, 4);
	scene_finish(&scene);
}

static void then_sends_sigterm_to_all_of_it(enum child_sandbox sandbox) {
	struct scene scene;
	scene_open(&scene);
	scene_shell(&scene, sandbox,
		"setsid sh -c 'trap \"echo inner; exit\" TERM; echo up; while :; do sleep 0.05; done' & "
		"trap 'wait; exit 7' TERM; while :; do sleep 0.05; done");
	scene_wait(&scene, scene.seen.line_count == 1);
	child_stop(scene.child, PATIENCE_MS);
	patience_ended(&scene.child->deadline);
	scene_wait_end(&scene);
	check_text(&scene.seen.lines, "up\ninner\n");
	assert_int_equal(scene.seen.status, 7);
	scene_finish(&scene);
}

static void stopping_then_sends_sigterm_to_all_of_it(void **state) {
	(void)state;
	then_sends_sigterm_to_all_of_it(CHILD_PLAIN);
	then_sends_sigterm_to_all_of_it(CHILD_CONTAINED);
}

static void stopping_ends_with_sigkill(void **state) {
	(void)state;
	struct scene scene;
	scene_open(&scene);
	scene_shell(&scene, CHILD_PLAIN, MANY_SCRIPT);
	scene_wait(&scene, scene.seen.line_count == 1);
	child_stop(scene.child, 10);
	scene_wait_end(&scene);
	assert_int_equal(scene.seen.status, -9);
	assert_int_equal(marked_count(scene.mark), 0);
	scene_finish(&scene);
}

/* Closing */

static void no_callback_comes_after_closing(void **state) {
	(void)state;
	struct scene scene;
	scene_open(&scene);
	scene_shell(&scene, CHILD_PLAIN, "seq 1 100000; echo error >&2; exec sleep 600");
	scene.seen.close_at_line = scene.child;
	scene_wait(&scene, scene.seen.line_count == 1);
	scene.child = NULL;
	wait_marked(scene.mark, 0);
	for (int pass = 0; pass < 5; pass++) loop_step(scene.loop, 1);
	assert_int_equal(scene.seen.line_count, 1);
	assert_int_equal(scene.seen.ended, 0);
	scene_finish(&scene);
}

static void closing_leaves_no_process_and_no_zombie(void **state) {
	(void)state;
	struct scene scene;
	scene_open(&scene);
	for (int i = 0; i < 3; i++) {
		scene_shell(&scene, i == 1 ? CHILD_CONTAINED : CHILD_PLAIN, "exec sleep 600");
		if (i == 2) wait_marked(scene.mark, 1);
		child_close(TAKE(scene.child));
	}
	scene_finish(&scene);
	assert_int_equal(marked_count(scene.mark), 0);
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
}

static void descriptors_do_not_pile_up(void **state) {
	(void)state;
	struct scene scene;
	int before = dup(0);
	close(before);
	scene_open(&scene);
	for (int i = 0; i < 5; i++) {
		scene.seen.ended = 0;
		scene_shell(&scene, CHILD_PLAIN, "exit 0");
		scene_wait_end(&scene);
		child_close(TAKE(scene.child));
	}
	scene_finish(&scene);
	int after = dup(0);
	close(after);
	assert_int_equal(after, before);
}

static void a_child_without_a_command_is_refused(void **state) {
	(void)state;
	struct fault why = {0};
	struct loop *loop = loop_open(NULL);
	struct child_options options = {.arguments = (const char *const[]){NULL}};
	assert_null(child_open(loop, &options, &seen_events, NULL, &why));
	assert_int_equal(why.code, FAULT_BAD_INPUT);
	loop_close(loop);
}

static void a_child_that_finds_no_memory_is_a_fault(void **state) {
	(void)state;
	struct fault why = {0};
	struct loop *loop = loop_open(NULL);
	struct child_options options = {.arguments = SHELL("true")};
	malloc_fails_at(1);
	assert_null(child_open(loop, &options, &seen_events, NULL, &why));
	malloc_fails_at(0);
	assert_int_equal(why.code, FAULT_NO_MEMORY);
	loop_close(loop);
}

int main(int argc, char **argv) {
	if (launcher_is_inner(argc, argv)) return launcher_inner(argc, argv);

	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_goes_in_and_comes_back),
		cmocka_unit_test(a_line_of_a_megabyte_comes_back_whole),
		cmocka_unit_test(what_a_child_does_not_read_waits_and_is_bounded),
		cmocka_unit_test(how_it_ended_is_told_in_words),
		cmocka_unit_test(every_line_comes_before_the_end),
		cmocka_unit_test(a_line_over_the_limit_ends_the_child),
		cmocka_unit_test(a_paused_child_is_heard_when_resumed),
		cmocka_unit_test(a_flood_on_stderr_is_counted_not_told),
		cmocka_unit_test(stopping_closes_stdin_first),
		cmocka_unit_test(stopping_then_sends_sigterm_to_all_of_it),
		cmocka_unit_test(stopping_ends_with_sigkill),
		cmocka_unit_test(no_callback_comes_after_closing),
		cmocka_unit_test(closing_leaves_no_process_and_no_zombie),
		cmocka_unit_test(descriptors_do_not_pile_up),
		cmocka_unit_test(a_child_without_a_command_is_refused),
		cmocka_unit_test(a_child_that_finds_no_memory_is_a_fault),
	};
	return cmocka_run_group_tests_name("child", tests, NULL, NULL);
}
