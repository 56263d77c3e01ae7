/* SPDX-License-Identifier: Apache-2.0 */
/*
 * No child survives the gateway, however it ends: with real gateways (this program with the
 * argument "gateway"), real descendants that fork twice and make sessions, and kill -9.
 */
#include "net/family.h"

#include "children.h"

#include <poll.h>
#include <spawn.h>

static const enum child_sandbox both[] = {CHILD_PLAIN, CHILD_CONTAINED};

/* A gateway in miniature: one child, whose lines it says on stdout, until it is killed. */
_Noreturn static void gateway_run(const char *mark, const char *sandbox) {
	struct scene scene;
	scene_open(&scene);
	snprintf(scene.mark, sizeof(scene.mark), "%s", mark);
	scene_shell(&scene, sandbox[0] == 'c' ? CHILD_CONTAINED : CHILD_PLAIN, MANY_SCRIPT);
	for (unsigned told = 0;;) {
		loop_step(scene.loop, 1000);
		if (scene.seen.line_count == told) continue;
		told = scene.seen.line_count;
		printf("%d\n", child_is_contained(scene.child));
		fflush(stdout);
	}
}

/* Its process id, once all its child's processes are there. */
static pid_t gateway_start(const char *mark, enum child_sandbox sandbox, bool *is_contained) {
	int ends[2];
	char said = 0;
	pid_t process = 0;
	posix_spawn_file_actions_t actions;
	const char *kind = sandbox == CHILD_CONTAINED ? "contained" : "plain";
	char *arguments[] = {"gateway", "gateway", (char *)mark, (char *)kind, NULL};
	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	assert_int_equal(posix_spawn_file_actions_init(&actions), 0);
	assert_int_equal(posix_spawn_file_actions_adddup2(&actions, ends[1], 1), 0);
	assert_int_equal(
		posix_spawn(&process, "/proc/self/exe", &actions, NULL, arguments, environ), 0);
	posix_spawn_file_actions_destroy(&actions);
	close(ends[1]);

	struct pollfd watched = {.fd = ends[0], .events = POLLIN};
	assert_int_equal(poll(&watched, 1, PATIENCE_MS), 1);
	assert_int_equal(read(ends[0], &said, 1), 1);
	close(ends[0]);
	*is_contained = said == '1';
	wait_marked(mark, MANY_PROCESSES);
	return process;
}

static void no_child_survives_kill_9_of_the_gateway(void **state) {
	(void)state;
	for (size_t i = 0; i < COUNT_OF(both); i++) {
		struct scene scene;
		bool is_contained = false;
		scene_open(&scene);
		pid_t gateway = gateway_start(scene.mark, both[i], &is_contained);
		assert_int_equal(is_contained, both[i] == CHILD_CONTAINED && child_can_contain(NULL));
		assert_int_equal(kill(gateway, SIGKILL), 0);
		assert_int_equal(waitpid(gateway, NULL, 0), gateway);
		wait_marked(scene.mark, 0);
		scene_finish(&scene);
	}
}

/* The namespace holds even when the keeper is killed in the same instant. */
static void no_contained_child_survives_gateway_and_keeper(void **state) {
	(void)state;
	struct scene scene;
	bool is_contained = false;
	scene_open(&scene);
	pid_t gateway = gateway_start(scene.mark, CHILD_CONTAINED, &is_contained);
	int keeper = family_child(gateway);
	assert_true(keeper > 0);
	assert_int_equal(kill(gateway, SIGSTOP), 0);
	if (is_contained) assert_int_equal(kill(keeper, SIGKILL), 0);
	assert_int_equal(kill(gateway, SIGKILL), 0);
	assert_int_equal(waitpid(gateway, NULL, 0), gateway);
	wait_marked(scene.mark, 0);
	scene_finish(&scene);
}

static void no_descendant_survives_its_child(void **state) {
	(void)state;
	for (size_t i = 0; i < COUNT_OF(both); i++) {
		struct scene scene;
		scene_open(&scene);
		scene_shell(&scene, both[i],
			"setsid sleep 600 & ( ( setsid sleep 600 & ) & ) & sleep 600 & read line; exit 3");
		wait_marked(scene.mark, 4);
		assert_true(child_write(scene.child, SLICE("go"), NULL));
		scene_wait_end(&scene);
		assert_int_equal(scene.seen.status, 3);
		assert_int_equal(marked_count(scene.mark), 0);
		scene_finish(&scene);
	}
}

static void no_descendant_survives_closing(void **state) {
	(void)state;
	for (size_t i = 0; i < COUNT_OF(both); i++) {
		struct scene scene;
		scene_open(&scene);
		scene_shell(&scene, both[i], MANY_SCRIPT);
		wait_marked(scene.mark, MANY_PROCESSES);
		scene_finish(&scene);
		assert_int_equal(marked_count(scene.mark), 0);
	}
}

static void a_child_that_loses_its_keeper_ends_and_is_told(void **state) {
	(void)state;
	for (size_t i = 0; i < COUNT_OF(both); i++) {
		struct scene scene;
		scene_open(&scene);
		scene_shell(&scene, both[i], "echo up; exec sleep 600");
		scene_wait(&scene, scene.seen.line_count == 1);
		int keeper = family_child(getpid());
		assert_int_equal(kill(keeper, SIGKILL), 0);
		scene_wait_end(&scene);
		assert_int_equal(scene.seen.status, -9);
		assert_string_equal(scene.seen.why.text,
			"lost its keeper, which was ended by signal 9");
		wait_marked(scene.mark, 0);
		scene_finish(&scene);
	}
}

static void a_keeper_that_is_asked_to_end_takes_all_along(void **state) {
	(void)state;
	struct scene scene;
	scene_open(&scene);
	scene_shell(&scene, CHILD_PLAIN, MANY_SCRIPT);
	wait_marked(scene.mark, MANY_PROCESSES);
	assert_int_equal(kill(family_child(getpid()), SIGTERM), 0);
	scene_wait_end(&scene);
	assert_int_equal(scene.seen.status, -9);
	assert_int_equal(marked_count(scene.mark), 0);
	scene_finish(&scene);
}

static void a_contained_child_sees_no_process_but_its_own(void **state) {
	(void)state;
	struct scene scene;
	char script[200];
	scene_open(&scene);
	snprintf(script, sizeof(script), "[ -e /proc/1 ] && echo first; [ -e /proc/%d/environ ] && "
					 "[ %d -gt 100 ] && echo ours; true",
		(int)getpid(), (int)getpid());
	scene_shell(&scene, CHILD_CONTAINED, script);
	scene_wait_end(&scene);
	bool sees_ours = !child_is_contained(scene.child) && getpid() > 100;
	check_text(&scene.seen.lines, sees_ours ? "first\nours\n" : "first\n");
	scene_finish(&scene);
}

/* Family */

static void a_family_is_met_as_a_whole_and_nobody_else(void **state) {
	(void)state;
	struct scene scene;
	scene_open(&scene);
	scene_shell(&scene, CHILD_PLAIN, "sleep 600 & setsid sleep 600 & wait; wait; echo met; read line");
	wait_marked(scene.mark, 3);
	int keeper = family_child(getpid());
	scene_wait(&scene, child_process(scene.child));
	assert_int_equal(family_child(keeper), child_process(scene.child));

	/* Two sleeps are met; the shell, spared, says so. */
	assert_true(family_signal(keeper, SIGTERM, child_process(scene.child), NULL));
	scene_wait(&scene, scene.seen.line_count == 1);
	assert_int_equal(marked_count(scene.mark), 1);
	assert_true(family_signal(keeper, SIGKILL, 0, NULL));
	scene_wait_end(&scene);
	assert_int_equal(scene.seen.status, -9);
	assert_int_equal(family_child(INT32_MAX), 0);
	scene_finish(&scene);
}

int main(int argc, char **argv) {
	if (launcher_is_inner(argc, argv)) return launcher_inner(argc, argv);
	if (argc == 4 && strcmp(argv[1], "gateway") == 0) gateway_run(argv[2], argv[3]);

	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_child_survives_kill_9_of_the_gateway),
		cmocka_unit_test(no_contained_child_survives_gateway_and_keeper),
		cmocka_unit_test(no_descendant_survives_its_child),
		cmocka_unit_test(no_descendant_survives_closing),
		cmocka_unit_test(a_child_that_loses_its_keeper_ends_and_is_told),
		cmocka_unit_test(a_keeper_that_is_asked_to_end_takes_all_along),
		cmocka_unit_test(a_contained_child_sees_no_process_but_its_own),
		cmocka_unit_test(a_family_is_met_as_a_whole_and_nobody_else),
	};
	return cmocka_run_group_tests_name("keeper", tests, NULL, NULL);
}
