/* SPDX-License-Identifier: Apache-2.0 */
/* Bubblewrap: its arguments, and whether it works. */
#include "net/bubblewrap.h"
#include "base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PROBE_PATIENCE_MS 10000
#define PROBE_PAUSE_NS 2000000
#define MOST_FIXED 24 /* arguments that do not depend on the lists */

/* Arguments */

static size_t list_length(const char *const *list) {
	size_t length = 0;
	while (list && list[length]) length++;
	return length;
}

static const char **add(const char **at, const char *first, const char *second, const char *third) {
	*at++ = first;
	if (second) *at++ = second;
	if (third) *at++ = third;
	return at;
}

/* A folder that is hidden is empty, a file has nothing in it; what is not there needs no hiding. */
static const char **add_hidden(const char **at, const char *const *hidden) {
	for (; hidden && *hidden; hidden++) {
		struct stat about;
		if (stat(*hidden, &about) != 0) continue;
		if (S_ISDIR(about.st_mode)) at = add(at, "--tmpfs", *hidden, NULL);
		else at = add(at, "--ro-bind", "/dev/null", *hidden);
	}
	return at;
}

const char **bubblewrap_arguments(const struct launcher_order *order, const char *const *command) {
	size_t most = MOST_FIXED + 3 * list_length(order->hidden) + 3 * list_length(order->writable) +
		list_length(command);
	const char **arguments = calloc(most, sizeof *arguments);
	if (!arguments) return NULL;

	const char **at = add(arguments, order->bubblewrap, "--unshare-pid", "--die-with-parent");
	if (order->writable) {
		at = add(at, "--ro-bind", "/", "/");
		at = add(at, "--dev-bind", "/dev", "/dev");
	} else {
		at = add(at, "--dev-bind", "/", "/");
	}
	at = add(at, "--proc", "/proc", NULL);
	for (const char *const *path = order->writable; path && *path; path++)
		at = add(at, "--bind", *path, *path);
	at = add_hidden(at, order->hidden);
	at = add(at, "--", NULL, NULL);
	while (*command) *at++ = *command++;
	return arguments;
}

/* The probe */

static bool find_in_path(char found[PATH_MAX]) {
	const char *path = getenv("PATH");
	struct slice rest = slice_of(path && *path ? path : "/usr/bin:/bin"), part;
	while (slice_split(&rest, ':', &part)) {
		int length = snprintf(found, PATH_MAX, "%.*s/bwrap", SLICE_ARGS(part));
		if (part.length && length < PATH_MAX && access(found, X_OK) == 0) return true;
	}
	return false;
}

/* The exit status, or -1: it took too long, or somebody else reaps this process's children. */
static int wait_for(pid_t process) {
	uint64_t end = clock_monotonic_ms() + PROBE_PATIENCE_MS;
	for (;;) {
		int status = 0;
		pid_t ended = waitpid(process, &status, WNOHANG);
		if (ended == process) return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
		if (ended < 0 && errno != EINTR) return -1;
		if (clock_monotonic_ms() > end) break;
		nanosleep(&(struct timespec){.tv_nsec = PROBE_PAUSE_NS}, NULL);
	}
	kill(process, SIGKILL);
	while (waitpid(process, NULL, 0) < 0 && errno == EINTR) {}
	return -1;
}

static bool probe_spawn(const char *bubblewrap, int program, pid_t *process) {
	const struct launcher_order order = {.bubblewrap = bubblewrap};
	const char *command[] = {"/proc/self/fd/6", "child-exec", "probe", NULL};
	AUTO_FREE const char **arguments = bubblewrap_arguments(&order, command);
	posix_spawn_file_actions_t actions;
	if (!arguments || posix_spawn_file_actions_init(&actions) != 0) return false;

	posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDWR, 0);
	posix_spawn_file_actions_adddup2(&actions, 0, 1);
	posix_spawn_file_actions_adddup2(&actions, 0, 2);
	posix_spawn_file_actions_adddup2(&actions, program, LAUNCHER_PROGRAM);
	char *nothing[] = {NULL};
	int failed =
		posix_spawn(process, bubblewrap, &actions, NULL, (char *const *)arguments, nothing);
	posix_spawn_file_actions_destroy(&actions);
	return failed == 0;
}

static bool probe(const char *bubblewrap, const char *program, struct fault *why) {
	AUTO_CLOSE int found = open(program, O_PATH | O_CLOEXEC);
	/* Above the numbers that the child's descriptors get. */
	AUTO_CLOSE int opened = found < 0 ? -1 : fcntl(found, F_DUPFD_CLOEXEC, LAUNCHER_ABOVE);
	if (opened < 0) return fault_errno(why, errno, "%s", program);
	pid_t process = 0;
	if (!probe_spawn(bubblewrap, opened, &process))
		return fault_set(why, FAULT_UNSUPPORTED, "%s cannot be run", bubblewrap);
	if (wait_for(process) == 0) return true;
	return fault_set(why, FAULT_UNSUPPORTED,
		"%s cannot make a PID namespace here (forbidden, as in many containers)", bubblewrap);
}

/* What the one try in this process said. */
static struct {
	pthread_mutex_t lock;
	bool is_known, works;
	char path[PATH_MAX];
	struct fault why;
} tried = {.lock = PTHREAD_MUTEX_INITIALIZER};

const char *bubblewrap_find(const char *program, struct fault *why) {
	pthread_mutex_lock(&tried.lock);
	if (!tried.is_known) {
		if (find_in_path(tried.path)) tried.works = probe(tried.path, program, &tried.why);
		else fault_set(&tried.why, FAULT_UNSUPPORTED,
			"bwrap is not in PATH; install bubblewrap");
		tried.is_known = true;
	}
	bool works = tried.works;
	pthread_mutex_unlock(&tried.lock);

	if (!works && why) *why = tried.why;
	return works ? tried.path : NULL;
}
