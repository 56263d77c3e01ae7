/* SPDX-License-Identifier: Apache-2.0 */
#include "net/landlock.h"

#include "children.h"

#include <sys/stat.h>

static const enum child_sandbox both[] = {CHILD_PLAIN, CHILD_CONTAINED};

/* Runs the script to its end and leaves what it said in the scene. */
static void script_says(struct scene *scene, struct child_options options) {
	scene_open(scene);
	scene_run(scene, options);
	scene_wait_end(scene);
}

static bool says_line(struct scene *scene, const char *wanted) {
	struct slice rest = text_slice(&scene->seen.lines), line;
	while (slice_split(&rest, '\n', &line))
		if (slice_is(line, wanted)) return true;
	return false;
}

/* What a child finds */

static void the_environment_is_built_from_scratch(void **state) {
	(void)state;
	setenv("HUSTINGS_SECRET", "not for children", 1);
	setenv("LANG", "C.UTF-8", 1);
	setenv("TERM", "dumb", 1);
	for (size_t i = 0; i < COUNT_OF(both); i++) {
		struct scene scene;
		struct child_options options = {
			.arguments = (const char *const[]){"env", NULL},
			.environment = (const char *const[]){"ADDED=a=b", "TERM=vt100", NULL},
			.sandbox = both[i],
		};
		script_says(&scene, options);
		assert_true(says_line(&scene, "ADDED=a=b"));
		assert_true(says_line(&scene, "TERM=vt100"));
		assert_false(says_line(&scene, "TERM=dumb"));
		assert_true(says_line(&scene, "LANG=C.UTF-8"));
		assert_null(memmem(scene.seen.lines.bytes, scene.seen.lines.length, "SECRET", 6));
		scene_finish(&scene);
	}
}

static void no_descriptor_is_inherited(void **state) {
	(void)state;
	int leaked = fcntl(0, F_DUPFD, 57);
	assert_true(leaked >= 57);
	for (size_t i = 0; i < COUNT_OF(both); i++) {
		struct scene scene;
		struct child_options options = {
			.arguments = SHELL("for d in 0 1 2 3 4 5 6 7 8 9 10 11 12 57; do "
					   "[ -e /proc/$$/fd/$d ] && echo $d; done"),
			.sandbox = both[i],
		};
		script_says(&scene, options);
		check_text(&scene.seen.lines, "0\n1\n2\n");
		scene_finish(&scene);
	}
	close(leaked);
}

static void it_has_a_session_of_its_own_and_gains_no_privileges(void **state) {
	(void)state;
	for (size_t i = 0; i < COUNT_OF(both); i++) {
		struct scene scene;
		scene_open(&scene);
		struct child_options options = {
			.arguments = SHELL("grep NoNewPrivs /proc/$$/status; echo pid $$; read line"),
			.sandbox = both[i],
		};
		scene_run(&scene, options);
		scene_wait(&scene, scene.seen.line_count == 2 && child_process(scene.child));
		assert_true(says_line(&scene, "NoNewPrivs:\t1"));
		assert_int_not_equal(getsid(child_process(scene.child)), getsid(0));

		char pid[32];
		snprintf(pid, sizeof(pid), "pid %d", child_process(scene.child));
		assert_int_equal(says_line(&scene, pid), !child_is_contained(scene.child));
		scene_finish(&scene);
	}
}

static void signals_are_as_a_program_expects_them(void **state) {
	(void)state;
	signal(SIGPIPE, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	struct scene scene;
	struct child_options options = {
		.arguments = SHELL("grep -E 'Sig(Blk|Ign)' /proc/self/status"),
	};
	script_says(&scene, options);
	unsigned long long blocked = 1, ignored = 1;
	assert_int_equal(sscanf(scene.seen.lines.bytes, "SigBlk: %llx SigIgn: %llx", &blocked, &ignored), 2);
	assert_int_equal(blocked, 0);
	assert_int_equal(ignored & 0x7fffffff, 0); /* above are the C library's own */
	scene_finish(&scene);
	signal(SIGPIPE, SIG_DFL);
	signal(SIGHUP, SIG_DFL);
}

static void limits_are_set(void **state) {
	(void)state;
	for (size_t i = 0; i < COUNT_OF(both); i++) {
		struct scene scene;
		struct child_options options = {
			.arguments = SHELL("ulimit -n; ulimit -c; ulimit -d"),
			.sandbox = both[i],
			.memory_limit = UINT64_C(256) << 20,
			.descriptor_limit = 99,
		};
		script_says(&scene, options);
		check_text(&scene.seen.lines, "99\n0\n262144\n");
		scene_finish(&scene);
	}
}

static void it_starts_in_its_folder(void **state) {
	(void)state;
	for (size_t i = 0; i < COUNT_OF(both); i++) {
		struct scene scene;
		struct child_options options = {
			.arguments = (const char *const[]){"pwd", NULL},
			.directory = "/usr/bin",
			.sandbox = both[i],
		};
		script_says(&scene, options);
		check_text(&scene.seen.lines, "/usr/bin\n");
		scene_finish(&scene);
	}
}

static void root_may_give_it_another_user(void **state) {
	(void)state;
	char ours[32];
	snprintf(ours, sizeof(ours), "%d\n", (int)geteuid());
	for (size_t i = 0; i < COUNT_OF(both); i++) {
		struct scene scene;
		struct child_options options = {
			.arguments = (const char *const[]){"id", "-u", NULL},
			.sandbox = both[i],
			.user = 65534,
		};
		script_says(&scene, options);
		check_text(&scene.seen.lines, geteuid() == 0 ? "65534\n" : ours);
		scene_finish(&scene);
	}
}

static void a_secret_argument_is_not_in_the_keepers_command_line(void **state) {
	(void)state;
	struct scene scene;
	scene_open(&scene);
	struct child_options options = {
		.arguments = SHELL("tr '\\0' ' ' < /proc/$PPID/cmdline; tr '\\0' '\\n' < /proc/$PPID/environ; "
				   "true very-secret"),
	};
	scene_run(&scene, options);
	scene_wait_end(&scene);
	assert_null(memmem(scene.seen.lines.bytes, scene.seen.lines.length, "very-secret", 11));
	assert_null(memmem(scene.seen.lines.bytes, scene.seen.lines.length, "MARK", 4));
	assert_non_null(memmem(scene.seen.lines.bytes, scene.seen.lines.length, "child-keep", 10));
	scene_finish(&scene);
}

/* What cannot be started */

static void what_cannot_be_started_is_named(void **state) {
	(void)state;
	char text[] = "/tmp/hustings-no-program-XXXXXX";
	int file = mkstemp(text);
	assert_true(file >= 0);
	close(file);
	const struct {
		const char *command, *directory;
		enum fault_code code;
		int status;
		const char *named;
	} cases[] = {
		{"no-such-program-here", NULL, FAULT_NOT_FOUND, 127, "no-such-program-here is not in PATH"},
		{"/no/such/program", NULL, FAULT_NOT_FOUND, 127, "/no/such/program"},
		{text, NULL, FAULT_REFUSED, 126, text},
		{"cat", "/no/such/folder", FAULT_NOT_FOUND, 127, "folder /no/such/folder"},
	};
	for (size_t i = 0; i < COUNT_OF(cases) * COUNT_OF(both); i++) {
		size_t at = i % COUNT_OF(cases);
		struct scene scene;
		struct child_options options = {
			.arguments = (const char *const[]){cases[at].command, NULL},
			.directory = cases[at].directory,
			.sandbox = both[i / COUNT_OF(cases)],
		};
		script_says(&scene, options);
		assert_int_equal(scene.seen.why.code, cases[at].code);
		assert_int_equal(scene.seen.status, cases[at].status);
		assert_ptr_equal(strstr(scene.seen.why.text, "could not be started: "), scene.seen.why.text);
		assert_non_null(strstr(scene.seen.why.text, cases[at].named));
		assert_int_equal(scene.seen.line_count, 0);
		scene_finish(&scene);
	}
	unlink(text);
}

/* A folder of PATH that is closed to us makes the system say "permission denied" of every name. */
static void a_closed_folder_in_path_does_not_hide_that_it_is_missing(void **state) {
	(void)state;
	char folder[] = "/tmp/hustings-closed-XXXXXX", path[100];
	assert_non_null(mkdtemp(folder));
	assert_int_equal(chmod(folder, 0), 0);
	snprintf(path, sizeof(path), "PATH=%s:/usr/bin:/bin", folder);
	struct scene scene;
	struct child_options options = {
		.arguments = (const char *const[]){"no-such-program-here", NULL},
		.environment = (const char *const[]){path, NULL},
		.user = 65534,
	};
	script_says(&scene, options);
	assert_int_equal(scene.seen.why.code, FAULT_NOT_FOUND);
	assert_non_null(strstr(scene.seen.why.text, "is not in PATH"));
	scene_finish(&scene);
	rmdir(folder);
}

static void a_missing_launcher_is_a_fault_at_once(void **state) {
	(void)state;
	struct fault why = {0};
	struct scene scene;
	const char *usual = launcher_program();
	struct child_options options = {.arguments = SHELL("true")};
	scene_open(&scene);
	launcher_set_program("/no/such/hustings");
	assert_null(child_open(scene.loop, &options, &seen_events, &scene.seen, &why));
	launcher_set_program(usual);
	assert_int_equal(why.code, FAULT_NOT_FOUND);
	assert_non_null(strstr(why.text, "/no/such/hustings"));
	scene_finish(&scene);
}

/* Restrictions that are asked for */

static void make_folder(char template[]) {
	assert_non_null(mkdtemp(template));
	assert_int_equal(chmod(template, 0777), 0);
}

static void it_writes_only_where_it_may(void **state) {
	(void)state;
	char open_folder[] = "/tmp/hustings-open-XXXXXX", shut_folder[] = "/tmp/hustings-shut-XXXXXX";
	char script[500];
	make_folder(open_folder);
	make_folder(shut_folder);
	snprintf(script, sizeof(script),
		"echo x > %s/a && mkdir %s/d && echo may; (echo x > %s/a) 2>/dev/null || echo may not; "
		"echo x > /dev/null && echo null; ls %s > /dev/null && echo reads; rm -r %s/a %s/d",
		open_folder, open_folder, shut_folder, shut_folder, open_folder, open_folder);
	for (size_t i = 0; i < COUNT_OF(both); i++) {
		struct fault why = {0};
		bool contained = both[i] == CHILD_CONTAINED && child_can_contain(NULL);
		struct child_options options = {
			.arguments = SHELL(script),
			.sandbox = both[i],
			.writable = (const char *const[]){open_folder, NULL},
		};
		struct scene scene;
		scene_open(&scene);
		if (contained || landlock_is_there()) {
			scene_run(&scene, options);
			scene_wait_end(&scene);
			check_text(&scene.seen.errors, "");
			check_text(&scene.seen.lines, "may\nmay not\nnull\nreads\n");
		} else {
			assert_null(child_open(scene.loop, &options, &seen_events, &scene.seen, &why));
			assert_int_equal(why.code, FAULT_UNSUPPORTED);
		}
		scene_finish(&scene);
	}
	assert_int_equal(rmdir(open_folder), 0);
	assert_int_equal(rmdir(shut_folder), 0);
}

static void what_is_hidden_is_empty(void **state) {
	(void)state;
	char folder[] = "/tmp/hustings-hidden-XXXXXX", path[100], script[300];
	make_folder(folder);
	snprintf(path, sizeof(path), "%s/file", folder);
	snprintf(script, sizeof(script), "ls -A %s; cat /etc/hostname /etc/passwd; echo end", folder);
	FILE *file = fopen(path, "w");
	assert_non_null(file);
	fclose(file);
	struct child_options options = {
		.arguments = SHELL(script),
		.sandbox = CHILD_CONTAINED,
		.hidden = (const char *const[]){folder, "/etc/hostname", "/etc/passwd", "/no/such", NULL},
	};
	struct fault why = {0};
	struct scene scene;
	scene_open(&scene);
	if (child_can_contain(NULL)) {
		scene_run(&scene, options);
		scene_wait_end(&scene);
		check_text(&scene.seen.lines, "end\n");
	} else {
		assert_null(child_open(scene.loop, &options, &seen_events, &scene.seen, &why));
		assert_int_equal(why.code, FAULT_UNSUPPORTED);
	}

	options.sandbox = CHILD_PLAIN;
	assert_null(child_open(scene.loop, &options, &seen_events, &scene.seen, &why));
	assert_int_equal(why.code, FAULT_UNSUPPORTED);
	scene_finish(&scene);
	unlink(path);
	rmdir(folder);
}

/* The inner commands are for the gateway */

static void the_inner_commands_do_nothing_for_others(void **state) {
	(void)state;
	static const char *const names[] = {"child-keep", "child-exec"};
	assert_false(launcher_is_inner(1, (char *[]){"hustings", NULL}));
	assert_false(launcher_is_inner(2, (char *[]){"hustings", "serve", NULL}));
	for (size_t i = 0; i < COUNT_OF(names); i++) {
		char own[4096];
		ssize_t length = readlink("/proc/self/exe", own, sizeof(own) - 1);
		assert_true(length > 0);
		own[length] = '\0';
		struct scene scene;
		struct child_options options = {
			.arguments = (const char *const[]){own, names[i], NULL},
		};
		script_says(&scene, options);
		assert_true(scene.seen.status > 0);
		assert_non_null(memmem(scene.seen.errors.bytes, scene.seen.errors.length, names[i], 10));
		scene_finish(&scene);
	}
}

int main(int argc, char **argv) {
	if (launcher_is_inner(argc, argv)) return launcher_inner(argc, argv);

	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_environment_is_built_from_scratch),
		cmocka_unit_test(no_descriptor_is_inherited),
		cmocka_unit_test(it_has_a_session_of_its_own_and_gains_no_privileges),
		cmocka_unit_test(signals_are_as_a_program_expects_them),
		cmocka_unit_test(limits_are_set),
		cmocka_unit_test(it_starts_in_its_folder),
		cmocka_unit_test(root_may_give_it_another_user),
		cmocka_unit_test(a_secret_argument_is_not_in_the_keepers_command_line),
		cmocka_unit_test(what_cannot_be_started_is_named),
		cmocka_unit_test(a_closed_folder_in_path_does_not_hide_that_it_is_missing),
		cmocka_unit_test(a_missing_launcher_is_a_fault_at_once),
		cmocka_unit_test(it_writes_only_where_it_may),
		cmocka_unit_test(what_is_hidden_is_empty),
		cmocka_unit_test(the_inner_commands_do_nothing_for_others),
	};
	return cmocka_run_group_tests_name("launcher", tests, NULL, NULL);
}
