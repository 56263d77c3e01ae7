/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where no sandbox can be made each test checks that then nothing is started; tests/e2e/sandbox.test.mjs
 * tries to break out.
 */
#include "children.h"
#include "net/sandbox.h"

#include <sys/stat.h>

/* False: it was refused, as it has to be where no sandbox can be made. */
static bool sandbox_says(struct scene *scene, struct child_options options,
	const struct sandbox_settings *settings) {
	struct fault why = {0};
	const char *marked[] = {scene->mark, "HOME=/tmp/hustings-no-home", NULL};
	scene_open(scene);
	options.sandboxed = settings;
	if (!options.environment) options.environment = marked;
	if (sandbox_is_possible(NULL)) {
		scene_run(scene, options);
		scene_wait_end(scene);
		return true;
	}
	assert_null(child_open(scene->loop, &options, &seen_events, &scene->seen, &why));
	assert_int_equal(why.code, FAULT_UNSUPPORTED);
	scene_finish(scene);
	return false;
}

static void make_folder(char template[]) {
	assert_non_null(mkdtemp(template));
	assert_int_equal(chmod(template, 0777), 0);
}

static void write_file(const char *folder, const char *name, const char *words) {
	char path[200];
	snprintf(path, sizeof path, "%s/%s", folder, name);
	FILE *file = fopen(path, "w");
	assert_non_null(file);
	fputs(words, file);
	fclose(file);
}

static void remove_folder(const char *folder) {
	char command[200];
	snprintf(command, sizeof command, "rm -r %s", folder);
	assert_int_equal(system(command), 0);
}

/* In a process of its own, since what was found out is kept. */
static void without_bubblewrap_nothing_is_started(void **state) {
	(void)state;
	char folder[] = "/tmp/hustings-sandbox-XXXXXX", mark[60];
	make_folder(folder);
	snprintf(mark, sizeof mark, "%s/mark", folder);
	const char *const paths[] = {folder, NULL};
	const struct sandbox_settings settings = {.writable = paths};
	const struct child_options options = {
		.arguments = (const char *const[]){"/usr/bin/touch", mark, NULL},
		.sandboxed = &settings,
	};
	pid_t other = fork();
	assert_true(other >= 0);
	if (other == 0) {
		struct fault why = {0};
		struct seen seen = {0};
		struct loop *loop = loop_open(NULL);
		setenv("PATH", folder, 1);
		bool is_refused = loop && !child_open(loop, &options, &seen_events, &seen, &why);
		_exit(is_refused && why.code == FAULT_UNSUPPORTED && strstr(why.text, "install bubblewrap") ? 0 : 1);
	}
	int status = 1;
	assert_int_equal(waitpid(other, &status, 0), other);
	assert_int_equal(status, 0);
	assert_int_not_equal(access(mark, F_OK), 0);
	remove_folder(folder);
}

static void it_reads_its_folder_and_writes_where_it_may(void **state) {
	(void)state;
	char folder[] = "/tmp/hustings-sandbox-XXXXXX", open_folder[] = "/tmp/hustings-open-XXXXXX";
	char other[] = "/tmp/hustings-other-XXXXXX", script[600];
	make_folder(folder);
	make_folder(open_folder);
	make_folder(other);
	write_file(folder, "file", "its own\n");
	write_file(other, "file", "somebody's\n");
	snprintf(script, sizeof script,
		"pwd; cat file; (echo x > file) 2>/dev/null || echo may not; ls -d %s 2>/dev/null || echo sees not; "
		"echo x > %s/made && echo may; echo x > /tmp/x && echo x > ~/x && cat /tmp/x ~/x; ls /tmp",
		other, open_folder);
	const char *const paths[] = {open_folder, NULL};
	const struct sandbox_settings settings = {.writable = paths};
	struct scene scene;
	struct child_options options = {.arguments = SHELL(script), .directory = folder};
	if (sandbox_says(&scene, options, &settings)) {
		char wanted[600];
		snprintf(wanted, sizeof wanted,
			"%s\nits own\nmay not\nsees not\nmay\nx\nx\nhustings-no-home\n%s\n%s\nx\n", folder,
			strrchr(open_folder, '/') + 1, strrchr(folder, '/') + 1);
		check_text(&scene.seen.lines, wanted);
		assert_string_equal(scene.seen.why.text, "exited with 0");
		assert_true(child_is_contained(scene.child));
		scene_finish(&scene);
	}
	remove_folder(folder);
	remove_folder(open_folder);
	remove_folder(other);
}

static void what_is_hidden_it_does_not_find(void **state) {
	(void)state;
	char folder[] = "/tmp/hustings-sandbox-XXXXXX", data[60], inner[80], script[300];
	make_folder(folder);
	snprintf(data, sizeof data, "%s/data", folder);
	snprintf(inner, sizeof inner, "%s/inner", data);
	assert_int_equal(mkdir(data, 0777), 0);
	assert_int_equal(mkdir(inner, 0777), 0);
	write_file(data, "secret", "secret\n");
	snprintf(script, sizeof script,
		"ls -A %s; cat %s/secret /etc/shadow; ls /root/.bashrc /home; (echo x > %s/x) || echo end", data, data, data);
	const char *const hidden[] = {data, NULL};
	const struct sandbox_settings settings = {0};
	struct scene scene;
	struct child_options options = {.arguments = SHELL(script), .directory = folder, .hidden = hidden};
	if (sandbox_says(&scene, options, &settings)) {
		check_text(&scene.seen.lines, "end\n");
		scene_finish(&scene);
	}
	/* It would work in what is hidden. */
	options.directory = inner;
	if (sandbox_says(&scene, options, &settings)) {
		assert_int_equal(scene.seen.why.code, FAULT_NOT_FOUND);
		assert_non_null(strstr(scene.seen.why.text, "could not be started: folder "));
		scene_finish(&scene);
	}
	remove_folder(folder);
}

static void limits_are_set_and_privileges_gone(void **state) {
	(void)state;
	const struct sandbox_settings settings = {
		.memory_limit = UINT64_C(128) << 20,
		.process_limit = 33,
		.descriptor_limit = 99,
		.cpu_seconds = 77,
	};
	struct scene scene;
	struct child_options options = {
		.arguments = SHELL("ulimit -d; ulimit -n; ulimit -t; ulimit -c; id -u; uname -n; "
				   "sed -n 's/^Max processes *//p' /proc/self/limits; "
				   "grep -E '^(CapBnd|CapEff|NoNewPrivs|Seccomp):' /proc/self/status"),
		.user = 4321,
	};
	if (!sandbox_says(&scene, options, &settings)) return;
	char wanted[400];
	snprintf(wanted, sizeof wanted,
		"131072\n99\n77\n0\n%d\nsandbox\n33                   33                   processes \n"
		"CapEff:\t0000000000000000\nCapBnd:\t0000000000000000\nNoNewPrivs:\t1\nSeccomp:\t2\n",
		geteuid() == 0 ? 4321 : (int)geteuid());
	check_text(&scene.seen.lines, wanted);
	scene_finish(&scene);
}

static void all_zero_has_limits_too_and_is_never_root(void **state) {
	(void)state;
	const struct sandbox_settings settings = {0};
	struct scene scene;
	struct child_options options = {
		.arguments = SHELL("ulimit -d; ulimit -n; sed -n 's/^Max processes *\\([0-9]*\\).*/\\1/p' /proc/self/limits; "
				   "[ $(id -u) -ne 0 ] && [ $(id -g) -ne 0 ] && echo nobody; set -- /proc/[0-9]*; echo $#"),
	};
	if (!sandbox_says(&scene, options, &settings)) return;
	/* bubblewrap's first, and the shell. */
	check_text(&scene.seen.lines, "1048576\n1024\n128\nnobody\n2\n");
	scene_finish(&scene);
}

static void tmpdir_is_a_folder_that_it_has(void **state) {
	(void)state;
	const struct sandbox_settings settings = {0};
	struct scene scene;
	struct child_options options = {.arguments = SHELL("echo $TMPDIR")};
	setenv("TMPDIR", "/no/such/folder", 1);
	if (sandbox_says(&scene, options, &settings)) {
		check_text(&scene.seen.lines, "/tmp\n");
		scene_finish(&scene);
		options.environment = (const char *const[]){"TMPDIR=/named", NULL};
		assert_true(sandbox_says(&scene, options, &settings));
		check_text(&scene.seen.lines, "/named\n");
		scene_finish(&scene);
	}
	unsetenv("TMPDIR");
}

static void what_is_missing_is_named_with_the_next_step(void **state) {
	(void)state;
	const struct sandbox_settings settings = {0};
	struct scene scene;
	struct child_options options = {.arguments = (const char *const[]){"no-such-program-here", NULL}};
	if (sandbox_says(&scene, options, &settings)) {
		assert_int_equal(scene.seen.why.code, FAULT_NOT_FOUND);
		assert_non_null(strstr(scene.seen.why.text, "named readable"));
		scene_finish(&scene);
	}
	if (!sandbox_is_possible(NULL)) return;

	struct fault why = {0};
	const char *const paths[] = {"/no/such/folder", NULL};
	const struct sandbox_settings missing = {.readable = paths};
	options.sandboxed = &missing;
	scene_open(&scene);
	assert_null(child_open(scene.loop, &options, &seen_events, &scene.seen, &why));
	assert_int_equal(why.code, FAULT_NOT_FOUND);
	assert_non_null(strstr(why.text, "readable /no/such/folder"));
	scene_finish(&scene);
}

static void all_of_it_ends_with_its_owner(void **state) {
	(void)state;
	const struct sandbox_settings settings = {0};
	if (!sandbox_is_possible(NULL)) return;
	for (int i = 0; i < 2; i++) {
		struct scene scene;
		scene_open(&scene);
		scene_run(&scene, (struct child_options){.arguments = SHELL(MANY_SCRIPT), .sandboxed = &settings});
		scene_wait(&scene, scene.seen.line_count == 1);
		wait_marked(scene.mark, MANY_PROCESSES);
		if (i == 0) {
			child_stop(scene.child, 10);
			scene_wait_end(&scene);
		}
		scene_finish(&scene);
		wait_marked(scene.mark, 0);
	}
}

int main(int argc, char **argv) {
	if (launcher_is_inner(argc, argv)) return launcher_inner(argc, argv);

	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_bubblewrap_nothing_is_started), /* before anything is found out */
		cmocka_unit_test(it_reads_its_folder_and_writes_where_it_may),
		cmocka_unit_test(what_is_hidden_it_does_not_find),
		cmocka_unit_test(limits_are_set_and_privileges_gone),
		cmocka_unit_test(all_zero_has_limits_too_and_is_never_root),
		cmocka_unit_test(tmpdir_is_a_folder_that_it_has),
		cmocka_unit_test(what_is_missing_is_named_with_the_next_step),
		cmocka_unit_test(all_of_it_ends_with_its_owner),
	};
	return cmocka_run_group_tests_name("sandbox", tests, NULL, NULL);
}
