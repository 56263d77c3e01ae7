/* SPDX-License-Identifier: Apache-2.0 */
/* Bubblewrap: its arguments, and whether it works. */
#include "net/bubblewrap.h"
#include "net/sandbox_filter.h"
#include "base/clock.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
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

static const char **add_containment(const char **at, const struct launcher_order *order) {
	at = add(at, "--unshare-pid", "--die-with-parent", NULL);
	if (order->writable) {
		at = add(at, "--ro-bind", "/", "/");
		at = add(at, "--dev-bind", "/dev", "/dev");
	} else {
		at = add(at, "--dev-bind", "/", "/");
	}
	at = add(at, "--proc", "/proc", NULL);
	for (const char *const *path = order->writable; path && *path; path++)
		at = add(at, "--bind", *path, *path);
	return add_hidden(at, order->hidden);
}

const char **bubblewrap_arguments(const struct launcher_order *order, const char *const *command) {
	size_t most = MOST_FIXED + 3 * list_length(order->hidden) + 3 * list_length(order->writable) +
		list_length(order->view) + list_length(command);
	const char **arguments = calloc(most, sizeof *arguments);
	if (!arguments) return NULL;

	const char **at = arguments;
	*at++ = order->bubblewrap;
	if (order->view)
		for (const char *const *word = order->view; *word; word++) *at++ = *word;
	else at = add_containment(at, order);
	*at++ = "--";
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

/* What a try is given, above the numbers at which it finds them. */
struct trial {
	int program, order, errors, filter; /* -1: none */
};

static void trial_close(struct trial *trial) {
	const int all[] = {trial->program, trial->order, trial->errors, trial->filter};
	for (size_t i = 0; i < COUNT_OF(all); i++)
		if (all[i] >= 0) close(all[i]);
}

static int raised(int descriptor) {
	AUTO_CLOSE int found = descriptor;
	return found < 0 ? -1 : fcntl(found, F_DUPFD_CLOEXEC, LAUNCHER_ABOVE);
}

static bool trial_open(struct trial *trial, const struct launcher_order *order, const char *program,
	struct fault *why) {
	*trial = (struct trial){-1, -1, -1, -1};
	trial->program = raised(open(program, O_PATH | O_CLOEXEC));
	if (trial->program < 0) return fault_errno(why, errno, "%s", program);
	int written = launcher_order_write(order, why);
	if (written < 0) return false;
	trial->order = raised(written);
	trial->errors = raised(memfd_create("hustings-errors", MFD_CLOEXEC));
	if (trial->order < 0 || trial->errors < 0)
		return fault_errno(why, errno, "descriptors to try bubblewrap with");
	if (!order->view || order->user) return true;
	int filter = sandbox_filter_file(order->has_network, why);
	if (filter < 0) return false;
	trial->filter = raised(filter);
	return trial->filter >= 0 || fault_errno(why, errno, "descriptors to try bubblewrap with");
}

static int trial_spawn(const struct trial *trial, const char *const *arguments, pid_t *process) {
	posix_spawn_file_actions_t actions;
	if (posix_spawn_file_actions_init(&actions) != 0) return ENOMEM;
	posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDWR, 0);
	posix_spawn_file_actions_adddup2(&actions, 0, 1);
	posix_spawn_file_actions_adddup2(&actions, trial->errors, 2);
	posix_spawn_file_actions_adddup2(&actions, trial->order, LAUNCHER_ORDER);
	posix_spawn_file_actions_adddup2(&actions, trial->program, LAUNCHER_PROGRAM);
	if (trial->filter >= 0)
		posix_spawn_file_actions_adddup2(&actions, trial->filter, LAUNCHER_FILTER);
	char *nothing[] = {NULL};
	int failed = posix_spawn(process, arguments[0], &actions, NULL, (char *const *)arguments, nothing);
	posix_spawn_file_actions_destroy(&actions);
	return failed;
}

/* The first line of it. */
static bool say_failure(const struct trial *trial, const char *path, int status, struct fault *why) {
	char said[160] = "";
	ssize_t got = pread(trial->errors, said, sizeof said - 1, 0);
	said[got > 0 ? strcspn(said, "\n") : 0] = '\0';
	if (!said[0])
		snprintf(said, sizeof said, status < 0 ? "no answer within %d s" : "status %d",
			status < 0 ? PROBE_PATIENCE_MS / 1000 : status);
	struct text shown = {0};
	text_display(&shown, slice_of(said));
	fault_set(why, FAULT_UNSUPPORTED, "%s does not work here: %.*s", path,
		SLICE_ARGS(text_slice(&shown)));
	text_finish(&shown);
	return false;
}

bool bubblewrap_try(const struct launcher_order *order, const char *word, const char *program,
	struct fault *why) {
	__attribute__((cleanup(trial_close))) struct trial trial;
	if (!trial_open(&trial, order, program, why)) return false;
	const char *command[] = {"/proc/self/fd/6", "child-exec", word, NULL};
	AUTO_FREE const char **arguments = bubblewrap_arguments(order, command);
	if (!arguments) return fault_set(why, FAULT_NO_MEMORY, "no memory to try bubblewrap with");
	pid_t process = 0;
	int failed = trial_spawn(&trial, arguments, &process);
	if (failed) return fault_errno(why, failed, "%s", order->bubblewrap);
	int status = wait_for(process);
	return status == 0 || say_failure(&trial, order->bubblewrap, status, why);
}

static bool probe(const char *bubblewrap, const char *program, struct fault *why) {
	const struct launcher_order order = {
		.arguments = (const char *const[]){"probe", NULL},
		.environment = (const char *const[]){NULL},
		.bubblewrap = bubblewrap,
	};
	struct fault said;
	if (bubblewrap_try(&order, "probe", program, &said)) return true;
	if (said.code != FAULT_UNSUPPORTED) return fault_set(why, said.code, "%s", said.text);
	return fault_set(why, FAULT_UNSUPPORTED,
		"no PID namespace can be made (forbidden, as in many containers?): %.150s", said.text);
}

/* What was found out in this process; that there was no memory to find it out with is not kept. */
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
		tried.is_known = tried.works || tried.why.code == FAULT_UNSUPPORTED;
	}
	bool works = tried.works;
	if (!works && why) *why = tried.why;
	pthread_mutex_unlock(&tried.lock);
	return works ? tried.path : NULL;
}
