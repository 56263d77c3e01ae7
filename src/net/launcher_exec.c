/* SPDX-License-Identifier: Apache-2.0 */
/* Launcher exec: from the keeper's copy, or from inside bubblewrap, to the program. */
#include "net/launcher_exec.h"
#include "net/bubblewrap.h"
#include "net/landlock.h"
#include "net/launcher_limit.h"
#include "net/sandbox_enter.h"
#include "net/sandbox_filter.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <linux/close_range.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

/* As shells say it. */
#define STATUS_NOT_RUN 126
#define STATUS_NOT_FOUND 127
/* bubblewrap's first process is 1, and the first one it starts 2. */
#define MOST_CONTAINED 16

static void report(const void *bytes, size_t length) {
	while (write(LAUNCHER_REPORT, bytes, length) < 0 && errno == EINTR) {}
}

_Noreturn static void fail(const struct fault *why) {
	report(why, sizeof *why);
	_exit(why->code == FAULT_NOT_FOUND ? STATUS_NOT_FOUND : STATUS_NOT_RUN);
}

/* Dies with the keeper, even with one that died before this. */
static bool die_with(int keeper, struct fault *why) {
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) return fault_errno(why, errno,
		"PR_SET_PDEATHSIG");
	if (getppid() == keeper) return true;
	return fault_set(why, FAULT_CLOSED, "the keeper has ended");
}

static bool become(uint32_t user, struct fault *why) {
	if (!user || geteuid() != 0) return true;
	bool is_done = setgroups(0, NULL) == 0 && setgid((gid_t)user) == 0 && setuid((uid_t)user) == 0;
	return is_done || fault_errno(why, errno, "becoming user %u", user);
}

static bool restrict_all(const struct launcher_order *order, struct fault *why) {
	if (!launcher_limit(RLIMIT_CORE, 0, "RLIMIT_CORE", why)) return false;
	if (!launcher_limit(RLIMIT_NOFILE, order->descriptor_limit, "RLIMIT_NOFILE", why)) return false;
	if (order->view) return become(order->user, why) && sandbox_enter(order, why);
	if (order->memory_limit &&
		!launcher_limit(RLIMIT_DATA, order->memory_limit, "RLIMIT_DATA", why))
		return false;
	if (!become(order->user, why)) return false;
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		return fault_errno(why, errno, "PR_SET_NO_NEW_PRIVS");
	/* Inside bubblewrap the mounts restrict writing where the kernel has no Landlock. */
	if (!order->writable || (order->bubblewrap && !landlock_is_there())) return true;
	return landlock_restrict(order->writable, why);
}

/* All but the three that the program gets are gone once exec works. */
static void seal_descriptors(void) {
	if (close_range(3, ~0U, CLOSE_RANGE_CLOEXEC) == 0) return;
	long most = sysconf(_SC_OPEN_MAX);
	for (int descriptor = 3; descriptor < most; descriptor++)
		fcntl(descriptor, F_SETFD, FD_CLOEXEC);
}

/* execvp() says "not permitted" when a folder of PATH is closed to us; people ask another question. */
static bool is_in_path(const char *name) {
	const char *path = getenv("PATH");
	struct slice rest = slice_of(path ? path : "/bin:/usr/bin"), part;
	while (slice_split(&rest, ':', &part)) {
		char candidate[PATH_MAX];
		int length = snprintf(candidate, sizeof candidate, "%.*s/%s",
			SLICE_ARGS(part.length ? part : SLICE(".")), name);
		if (length < (int)sizeof candidate && access(candidate, F_OK) == 0) return true;
	}
	return false;
}

static void say_what_is_seen(struct fault *why) {
	size_t length = strlen(why->text);
	snprintf(why->text + length, sizeof why->text - length,
		" (in the sandbox: it sees the system, its folder and what is named readable)");
}

_Noreturn static void exec_program(const struct launcher_order *order) {
	struct fault why;
	const char *name = order->arguments[0];
	execvp(name, (char *const *)order->arguments);

	int error = errno;
	bool is_missing = error == ENOENT || error == EACCES || error == ENOTDIR;
	bool is_sought = is_missing && !strchr(name, '/') && !is_in_path(name);
	if (is_sought)
		fault_set(&why, FAULT_NOT_FOUND,
			"could not be started: %s is not in PATH; is it installed?",
			name);
	else fault_errno(&why, error, "could not be started: %s", name);
	if (order->view && is_missing) say_what_is_seen(&why);
	fail(&why);
}

static bool enter_folder(const struct launcher_order *order, struct fault *why) {
	if (!order->directory || chdir(order->directory) == 0) return true;
	return fault_errno(why, errno, "folder %s", order->directory);
}

_Noreturn static void become_program(const struct launcher_order *order, int keeper) {
	struct fault why;
	report((char[]){LAUNCHER_TRYING}, 1);
	seal_descriptors();
	/* What a sandboxed child may not enter as who it will be, it does not get to stand in. */
	bool is_entered = order->view || enter_folder(order, &why);
	is_entered = is_entered && restrict_all(order, &why);
	if (!is_entered || (order->view && !enter_folder(order, &why))) {
		fault_before(&why, "could not be started: ");
		fail(&why);
	}
	/* A change of user has cleared it. */
	if (keeper && !die_with(keeper, &why)) fail(&why);

	environ = (char **)order->environment;
	exec_program(order);
}

/* Where bubblewrap makes the user namespace, its own first process is filtered as well: what runs
 * as the same user could be reached into. It reads the filter from here. */
static bool filter_place(const struct launcher_order *order, struct fault *why) {
	AUTO_CLOSE int filter = sandbox_filter_file(order->has_network, why);
	if (filter < 0) return false;
	return dup2(filter, LAUNCHER_FILTER) >= 0 || fault_errno(why, errno, "a filter of system calls");
}

_Noreturn static void become_bubblewrap(const struct launcher_order *order) {
	const char *command[] = {"/proc/self/fd/6", "child-exec", NULL};
	struct fault why;
	AUTO_FREE const char **arguments = bubblewrap_arguments(order, command);
	if (!arguments) {
		fault_set(&why, FAULT_NO_MEMORY, "no memory");
	} else if (!order->view || order->user || filter_place(order, &why)) {
		environ = (char *[]){NULL};
		execv(order->bubblewrap, (char *const *)arguments);
		fault_errno(&why, errno, "%s", order->bubblewrap);
	}
	fault_before(&why, "could not be started: ");
	report((char[]){LAUNCHER_TRYING}, 1);
	fail(&why);
}

_Noreturn void launcher_exec_begin(const struct launcher_order *order, int keeper) {
	struct fault why;
	setsid();
	if (!die_with(keeper, &why)) _exit(STATUS_NOT_RUN);
	if (order->bubblewrap) become_bubblewrap(order);
	become_program(order, keeper);
}

/* As a sandboxed child begins, but for its program; why not stands on stderr. */
_Noreturn static void try_sandbox(void) {
	struct fault why = {.text = "no order"};
	struct launcher_order *order = launcher_order_read(LAUNCHER_ORDER, &why);
	if (order && order->view && getpid() < MOST_CONTAINED && restrict_all(order, &why)) _exit(0);
	fprintf(stderr, "%s\n", why.text);
	_exit(1); /* the memory goes with the process */
}

int launcher_exec_run(int argc, char **argv) {
	if (argc > 2 && strcmp(argv[2], "probe") == 0) return getpid() < MOST_CONTAINED ? 0 : 1;
	if (argc > 2 && strcmp(argv[2], "probe-sandbox") == 0) try_sandbox();

	struct fault why;
	AUTO(launcher_order) order = launcher_order_read(LAUNCHER_ORDER, &why);
	if (!order) {
		static const char sentence[] = "child-exec is started by the gateway alone\n";
		if (write(2, sentence, sizeof sentence - 1) < 0) return STATUS_NOT_RUN;
		return STATUS_NOT_RUN;
	}
	become_program(order, 0);
}
