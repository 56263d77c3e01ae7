/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sandboxed: runs a command as a sandboxed child of net/, its lines on our stdin and stdout, so that
 * tests (and whoever wonders) can see from outside what a server in the sandbox sees.
 *
 * sandboxed [--network] [--read PATH]... [--write PATH]... [--hide PATH]... [--folder DIR]
 *           [--memory OCTETS] [--scratch OCTETS] [--processes N] [--cpu SECONDS] -- COMMAND [ARGUMENT]...
 *
 * Exits as the command does; with 70, and the reason on stderr, when it was not started.
 */
#include "net/child.h"
#include "net/launcher.h"
#include "net/pipes.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_PATHS 15
#define NOT_STARTED 70
#define STOP_PATIENCE_MS 60000 /* its stdin is closed; it may have much to do yet */

struct runner {
	struct loop *loop;
	struct child *child;
	struct pipe_in input;
	int status;
	bool is_over, is_released;
};

struct command {
	struct sandbox_settings settings;
	const char *read[MOST_PATHS + 1], *write[MOST_PATHS + 1], *hide[MOST_PATHS + 1];
	const char *folder;
	const char **arguments;
};

static void child_line(void *context, struct slice line) {
	(void)context;
	printf("%.*s\n", SLICE_ARGS(line));
	fflush(stdout);
}

static void child_error_line(void *context, struct slice line) {
	(void)context;
	fprintf(stderr, "%.*s\n", SLICE_ARGS(line));
}

static void child_ended(void *context, int status, const struct fault *why) {
	struct runner *runner = context;
	runner->status = status < 0 ? 128 - status : status;
	runner->is_over = true;
	fprintf(stderr, "(%s)\n", why->text);
}

static void input_line(void *context, struct slice line) {
	struct runner *runner = context;
	if (!runner->is_over && !child_write(runner->child, line, NULL))
		child_stop(runner->child, STOP_PATIENCE_MS);
}

static void input_ended(void *context, const struct fault *why) {
	struct runner *runner = context;
	(void)why;
	if (!runner->is_over) child_stop(runner->child, STOP_PATIENCE_MS);
}

static void input_released(void *context) {
	struct runner *runner = context;
	runner->is_released = true;
}

static bool add_path(const char **paths, const char *path) {
	for (int i = 0; i < MOST_PATHS; i++) {
		if (paths[i]) continue;
		paths[i] = path;
		return true;
	}
	return false;
}

static bool set(struct command *command, const char *name, const char *value) {
	struct sandbox_settings *settings = &command->settings;
	if (strcmp(name, "--read") == 0) return add_path(command->read, value);
	if (strcmp(name, "--write") == 0) return add_path(command->write, value);
	if (strcmp(name, "--hide") == 0) return add_path(command->hide, value);
	if (strcmp(name, "--folder") == 0) command->folder = value;
	else if (strcmp(name, "--memory") == 0) settings->memory_limit = strtoull(value, NULL, 10);
	else if (strcmp(name, "--scratch") == 0) settings->scratch_limit = strtoull(value, NULL, 10);
	else if (strcmp(name, "--processes") == 0) settings->process_limit = (unsigned)atoi(value);
	else if (strcmp(name, "--cpu") == 0) settings->cpu_seconds = (unsigned)atoi(value);
	else return false;
	return true;
}

static bool command_read(struct command *command, int argc, char **argv) {
	command->settings.readable = command->read;
	command->settings.writable = command->write;
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--") == 0) {
			command->arguments = (const char **)argv + i + 1;
			return argv[i + 1] != NULL;
		}
		if (strcmp(argv[i], "--network") == 0) command->settings.network = true;
		else if (i + 1 >= argc || !set(command, argv[i], argv[i + 1])) return false;
		else i++;
	}
	return false;
}

static bool start(struct runner *runner, const struct command *command, struct fault *why) {
	static const struct child_events child_events = {
		.line = child_line,
		.error_line = child_error_line,
		.ended = child_ended,
	};
	static const struct pipe_in_events input_events = {input_line, input_ended, input_released};
	const struct child_options options = {
		.arguments = command->arguments,
		.directory = command->folder,
		.sandboxed = &command->settings,
		.hidden = command->hide,
	};
	runner->loop = loop_open(why);
	if (runner->loop)
		runner->child = child_open(runner->loop, &options, &child_events, runner, why);
	if (!runner->child) return false;
	lines_init(&runner->input.lines, 64 << 20, LINES_STRICT);
	int input = fcntl(0, F_DUPFD_CLOEXEC, 3);
	fcntl(input, F_SETFL, O_NONBLOCK);
	/* A file or /dev/null cannot be waited for: the child finds its stdin at its end. */
	runner->is_released = !pipes_in_open(&runner->input, runner->loop, input, &input_events, runner, NULL);
	if (runner->is_released) child_stop(runner->child, STOP_PATIENCE_MS);
	return true;
}

int main(int argc, char **argv) {
	if (launcher_is_inner(argc, argv)) return launcher_inner(argc, argv);

	struct command command = {0};
	struct runner runner = {0};
	struct fault why;
	if (!command_read(&command, argc, argv)) {
		fprintf(stderr, "usage: sandboxed [OPTION]... -- COMMAND [ARGUMENT]...\n");
		return 2;
	}
	bool is_started = start(&runner, &command, &why);
	if (is_started) {
		while (!runner.is_over) loop_step(runner.loop, -1);
		if (!runner.is_released) pipes_in_close(&runner.input);
		while (!runner.is_released) loop_step(runner.loop, -1);
	} else {
		fprintf(stderr, "%s\n", why.text);
	}
	child_close(runner.child);
	loop_close(runner.loop);
	return is_started ? runner.status : NOT_STARTED;
}
