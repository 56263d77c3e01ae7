/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Children: what tests with real processes share. Every process of a test carries a mark in its
 * environment, so that those that are left can be counted, whatever they call themselves.
 */
#ifndef HUSTINGS_TESTS_NET_CHILDREN_H
#define HUSTINGS_TESTS_NET_CHILDREN_H

#include "base/clock.h"
#include "net/child.h"
#include "net/launcher.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

#define PATIENCE_MS 60000

/* What a child told. */
struct seen {
	struct text lines, errors; /* each line with its LF */
	unsigned line_count, error_count;
	unsigned drained, ended;
	int status;
	struct fault why;
	struct child *close_at_line; /* closed when the next line comes */
};

static inline void seen_line(void *context, struct slice line) {
	struct seen *seen = context;
	seen->line_count++;
	text_add(&seen->lines, line);
	text_add_char(&seen->lines, '\n');
	if (seen->close_at_line) child_close(TAKE(seen->close_at_line));
}

static inline void seen_error_line(void *context, struct slice line) {
	struct seen *seen = context;
	seen->error_count++;
	text_add(&seen->errors, line);
	text_add_char(&seen->errors, '\n');
}

static inline void seen_drained(void *context) {
	struct seen *seen = context;
	seen->drained++;
}

static inline void seen_ended(void *context, int status, const struct fault *why) {
	struct seen *seen = context;
	seen->ended++;
	seen->status = status;
	seen->why = *why;
}

static const struct child_events seen_events = {
	.line = seen_line,
	.error_line = seen_error_line,
	.drained = seen_drained,
	.ended = seen_ended,
};

/* A loop, one child on it, and what it told. */
struct scene {
	struct loop *loop;
	struct child *child;
	struct seen seen;
	char mark[64]; /* MARK=... */
};

static inline void scene_open(struct scene *scene) {
	static unsigned number;
	*scene = (struct scene){.loop = loop_open(NULL)};
	assert_non_null(scene->loop);
	snprintf(scene->mark, sizeof(scene->mark), "MARK=%d.%u.%llx", (int)getpid(), ++number,
		(unsigned long long)clock_monotonic_us());
}

static inline void scene_run(struct scene *scene, struct child_options options) {
	struct fault why = {0};
	const char *marked[] = {scene->mark, NULL};
	if (!options.environment) options.environment = marked;
	scene->child = child_open(scene->loop, &options, &seen_events, &scene->seen, &why);
	assert_string_equal(why.text, "");
	assert_non_null(scene->child);
}

#define SHELL(script) \
	(const char *const[]) { "sh", "-c", (script), NULL }

static inline void scene_shell(struct scene *scene, enum child_sandbox sandbox, const char *script) {
	scene_run(scene, (struct child_options){.arguments = SHELL(script), .sandbox = sandbox});
}

static inline void scene_finish(struct scene *scene) {
	child_close(scene->child);
	loop_close(scene->loop);
	text_finish(&scene->seen.lines);
	text_finish(&scene->seen.errors);
}

/* Turns the loop until the condition holds; its bound is for machines that hang. */
#define scene_wait(scene, condition) \
	do { \
		uint64_t end_ = clock_monotonic_ms() + PATIENCE_MS; \
		while (!(condition)) { \
			if (clock_monotonic_ms() > end_) fail_msg("never: %s", #condition); \
			loop_step((scene)->loop, 20); \
		} \
	} while (0)

#define scene_wait_end(scene) scene_wait(scene, (scene)->seen.ended)

static inline bool has_mark(const char *process, const char *mark) {
	char path[300], all[16384];
	snprintf(path, sizeof(path), "/proc/%s/environ", process);
	int file = open(path, O_RDONLY | O_CLOEXEC);
	if (file < 0) return false;
	ssize_t got = read(file, all, sizeof(all));
	close(file);
	return got > 0 && memmem(all, (size_t)got, mark, strlen(mark) + 1);
}

/* How many living processes carry the mark. */
static inline unsigned marked_count(const char *mark) {
	unsigned count = 0;
	DIR *folder = opendir("/proc");
	assert_non_null(folder);
	for (struct dirent *entry; (entry = readdir(folder));)
		if (isdigit((unsigned char)entry->d_name[0]) && has_mark(entry->d_name, mark)) count++;
	closedir(folder);
	return count;
}

static inline void wait_marked(const char *mark, unsigned wanted) {
	uint64_t end = clock_monotonic_ms() + PATIENCE_MS;
	while (wanted ? marked_count(mark) < wanted : marked_count(mark) > 0) {
		if (clock_monotonic_ms() > end)
			fail_msg("%u marked processes, wanted %u", marked_count(mark), wanted);
		usleep(20000);
	}
}

/* Seven processes: a shell, one of its own, one in a session of its own, one that forked twice,
 * one that did both, and two that ignore what can be ignored. */
#define MANY_PROCESSES 7
#define MANY_SCRIPT \
	"sleep 600 & setsid sleep 600 & ( sleep 600 & ) & ( ( setsid sleep 600 & ) & ) & " \
	"setsid sh -c 'trap \"\" TERM HUP INT; sleep 600; true' & " \
	"trap '' TERM HUP INT; echo up; sleep 600; true"

#endif
