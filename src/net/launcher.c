/* SPDX-License-Identifier: Apache-2.0 */
/* Launcher: from the gateway to a keeper; and the way into the inner commands. */
#include "net/launcher.h"
#include "net/keeper.h"
#include "net/launcher_exec.h"
#include "net/launcher_order.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Set once, before any child is started. */
static const char *program = "/proc/self/exe";

void launcher_set_program(const char *path) {
	program = path;
}

const char *launcher_program(void) {
	return program;
}

bool launcher_is_inner(int argc, char **argv) {
	return argc > 1 && (strcmp(argv[1], "child-exec") == 0 || strcmp(argv[1], "child-keep") == 0);
}

int launcher_inner(int argc, char **argv) {
	return strcmp(argv[1], "child-keep") == 0 ? keeper_run() : launcher_exec_run(argc, argv);
}

/* Both ends of everything, ours and the keeper's. */
enum end {
	CONTROL,
	INPUT,
	OUTPUT,
	ERROR_OUTPUT,
	ENDS
};

struct ends {
	int ours[ENDS];
	int theirs[ENDS];
	int order;
};

static void ends_close(struct ends *ends) {
	for (int i = 0; i < ENDS; i++) {
		if (ends->ours[i] >= 0) close(ends->ours[i]);
		if (ends->theirs[i] >= 0) close(ends->theirs[i]);
	}
	if (ends->order >= 0) close(ends->order);
}

/* A descriptor that is one of the numbers the keeper's get would be run over on the way there. */
static bool raise_descriptor(int *descriptor) {
	if (*descriptor >= LAUNCHER_ABOVE) return true;
	int above = fcntl(*descriptor, F_DUPFD_CLOEXEC, LAUNCHER_ABOVE);
	if (above < 0) return false;
	close(*descriptor);
	*descriptor = above;
	return true;
}

static bool ends_pair(struct ends *ends, enum end which) {
	int pair[2];
	bool is_input = which == INPUT;
	int failed = -1;
	if (which == CONTROL) failed = socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair);
	else failed = pipe2(pair, O_CLOEXEC);
	if (failed) return false;

	ends->ours[which] = pair[is_input ? 1 : 0];
	ends->theirs[which] = pair[is_input ? 0 : 1];
	return raise_descriptor(&ends->theirs[which]) &&
		fcntl(ends->ours[which], F_SETFL, O_NONBLOCK) == 0;
}

static bool ends_open(struct ends *ends, const struct launcher_order *order, struct fault *why) {
	for (int i = 0; i < ENDS; i++) ends->ours[i] = ends->theirs[i] = -1;
	ends->order = launcher_order_write(order, why);
	if (ends->order < 0) return false;
	bool is_open = raise_descriptor(&ends->order);
	for (int i = 0; is_open && i < ENDS; i++) is_open = ends_pair(ends, (enum end)i);
	return is_open || fault_errno(why, errno, "pipes to a child");
}

/* What the dynamic loader may need to find our own libraries; no more. */
static char *const *keeper_environment(char *made[2]) {
	for (char **entry = environ; entry && *entry; entry++)
		if (strncmp(*entry, "LD_LIBRARY_PATH=", 16) == 0) made[0] = *entry;
	return made;
}

static int spawn(const struct ends *ends, const char *name, pid_t *process) {
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t all, none;
	sigfillset(&all);
	sigemptyset(&none);
	if (posix_spawn_file_actions_init(&actions) != 0) return ENOMEM;
	int failed = posix_spawnattr_init(&attributes);
	posix_spawnattr_setsigdefault(&attributes, &all);
	posix_spawnattr_setsigmask(&attributes, &none);
	posix_spawnattr_setflags(&attributes,
		POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSID);

	static const int places[] = {LAUNCHER_CONTROL, 0, 1, 2};
	for (int i = 0; !failed && i < ENDS; i++)
		failed = posix_spawn_file_actions_adddup2(&actions, ends->theirs[i], places[i]);
	if (!failed) failed = posix_spawn_file_actions_adddup2(&actions, ends->order, LAUNCHER_ORDER);

	char *made[] = {NULL, NULL};
	char *arguments[] = {"hustings", "child-keep", (char *)name, NULL};
	if (!failed)
		failed = posix_spawn(process, program, &actions, &attributes, arguments,
			keeper_environment(made));
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&actions);
	return failed;
}

bool launcher_start(const struct launcher_order *order, struct launcher_started *started,
	struct fault *why) {
	__attribute__((cleanup(ends_close))) struct ends ends;
	if (!ends_open(&ends, order, why)) return false;
	pid_t process = 0;
	int failed = spawn(&ends, order->arguments[0], &process);
	if (failed) return fault_errno(why, failed, "%s child-keep", program);

	*started = (struct launcher_started){
		.process = process,
		.control = ends.ours[CONTROL],
		.input = ends.ours[INPUT],
		.input_spare = ends.theirs[INPUT],
		.output = ends.ours[OUTPUT],
		.error_output = ends.ours[ERROR_OUTPUT],
	};
	for (int i = 0; i < ENDS; i++) ends.ours[i] = -1;
	ends.theirs[INPUT] = -1;
	return true;
}
