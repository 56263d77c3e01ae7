/* SPDX-License-Identifier: Apache-2.0 */
/* Bench stdio: a child, two pipes. */
#include "cli/bench_stdio.h"

#include "base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#define BUFFER (256 * 1024)

/* That a server has ended is told in words, not by a signal, which the server itself gets as usual. */
static bool spawn(struct bench_stdio *stdio, char **command, const int *input, const int *output,
	struct fault *why) {
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t usual;
	pid_t process;
	signal(SIGPIPE, SIG_IGN);
	sigemptyset(&usual);
	sigaddset(&usual, SIGPIPE);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setsigdefault(&attributes, &usual);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, input[0], STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&actions, output[1], STDOUT_FILENO);
	int failed = posix_spawnp(&process, command[0], &actions, &attributes, command, environ);
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&attributes);
	if (failed) return fault_errno(why, failed, "%s", command[0]);
	stdio->process = process;
	return true;
}

bool bench_stdio_open(struct bench_stdio *stdio, char **command, struct fault *why) {
	int input[2] = {-1, -1}, output[2] = {-1, -1};
	*stdio = (struct bench_stdio){.input = -1, .output = -1};
	text_init(&stdio->partial, 0);
	stdio->buffer = malloc(BUFFER);
	if (!stdio->buffer) return fault_set(why, FAULT_NO_MEMORY, "no memory for a server");
	if (pipe2(input, O_CLOEXEC) != 0) return fault_errno(why, errno, "no pipe");
	if (pipe2(output, O_CLOEXEC) != 0) {
		fault_errno(why, errno, "no pipe");
		close(input[0]);
		close(input[1]);
		return false;
	}
	stdio->input = input[1];
	stdio->output = output[0];
	bool is_spawned = spawn(stdio, command, input, output, why);
	close(input[0]);
	close(output[1]);
	return is_spawned;
}

void bench_stdio_close(struct bench_stdio *stdio) {
	if (stdio->input >= 0) close(stdio->input);
	if (stdio->output >= 0) close(stdio->output);
	if (stdio->process) {
		kill(stdio->process, SIGKILL);
		while (waitpid(stdio->process, NULL, 0) < 0 && errno == EINTR) {}
	}
	text_finish(&stdio->partial);
	free(stdio->buffer);
	*stdio = (struct bench_stdio){.input = -1, .output = -1};
}

bool bench_stdio_send(struct bench_stdio *stdio, struct slice message, struct fault *why) {
	for (size_t at = 0; at <= message.length;) {
		struct iovec parts[] = {{(void *)(message.bytes + at), message.length - at}, {"\n", 1}};
		ssize_t went = writev(stdio->input, parts, 2);
		if (went < 0 && errno != EINTR) return fault_errno(why, errno, "the server takes no more");
		if (went > 0) at += (size_t)went;
	}
	return true;
}

static bool hear_all(struct bench_stdio *stdio, struct slice bytes, struct fault *why) {
	uint64_t now_us = clock_monotonic_us();
	for (const char *end; bytes.length && (end = memchr(bytes.bytes, '\n', bytes.length));) {
		struct slice line = slice_make(bytes.bytes, (size_t)(end - bytes.bytes));
		bytes = slice_make(end + 1, bytes.length - line.length - 1);
		if (stdio->partial.length) {
			text_add(&stdio->partial, line);
			line = text_slice(&stdio->partial);
		}
		stdio->heard(stdio->context, line, now_us);
		text_clear(&stdio->partial);
	}
	text_add(&stdio->partial, bytes);
	return !text_failed(&stdio->partial) || fault_set(why, FAULT_NO_MEMORY, "no memory for an answer");
}

bool bench_stdio_step(struct bench_stdio *stdio, int wait_ms, struct fault *why) {
	struct pollfd output = {.fd = stdio->output, .events = POLLIN};
	int ready = poll(&output, 1, wait_ms);
	if (ready <= 0) return ready == 0 || errno == EINTR || fault_errno(why, errno, "poll");
	ssize_t got = read(stdio->output, stdio->buffer, BUFFER);
	if (got < 0) return errno == EINTR || fault_errno(why, errno, "the server cannot be read");
	if (got == 0) return fault_set(why, FAULT_CLOSED, "the server has ended");
	return hear_all(stdio, slice_make(stdio->buffer, (size_t)got), why);
}
