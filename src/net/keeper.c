/* SPDX-License-Identifier: Apache-2.0 */
/* Keeper: starts one child, waits for its end or the gateway's, and leaves nothing behind. */
#include "net/keeper.h"
#include "net/family.h"
#include "net/launcher_exec.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PAUSE_LEAST_NS 2000000
#define PAUSE_MOST_NS 200000000
/* A program killed by a signal inside bubblewrap is told as shells tell it. */
#define SIGNAL_STATUS 128

struct keeper {
	struct launcher_order *order;
	int main;        /* the child; 0: has ended */
	int status;      /* of main, once it has ended */
	int signals;     /* signalfd */
	int report;      /* reading end of the child's report; -1: read to its end */
	bool is_trying;  /* LAUNCHER_TRYING came */
	bool is_started; /* the gateway knows */
	bool is_failed;
	size_t failure_length;
	char failure[sizeof(struct fault)];
};

static void tell(enum keeper_word word, int number, const char *text) {
	struct keeper_report message = {.word = word, .number = number};
	snprintf(message.text, sizeof message.text, "%s", text);
	(void)send(LAUNCHER_CONTROL, &message, sizeof message, MSG_NOSIGNAL | MSG_DONTWAIT);
}

/* The end of the child */

static int status_of(const struct keeper *keeper, int status) {
	if (WIFSIGNALED(status)) return -WTERMSIG(status);
	int code = WEXITSTATUS(status);
	bool may_tell = code > SIGNAL_STATUS && code <= SIGNAL_STATUS + SIGRTMAX;
	return keeper->order->bubblewrap && may_tell ? SIGNAL_STATUS - code : code;
}

/* False: there is no child left. */
static bool reap(struct keeper *keeper) {
	for (;;) {
		int status = 0;
		pid_t ended = waitpid(-1, &status, WNOHANG);
		if (ended < 0 && errno == EINTR) continue;
		if (ended <= 0) return ended == 0;
		if (ended != keeper->main) continue;
		keeper->main = 0;
		keeper->status = status_of(keeper, status);
	}
}

/* Every orphan of ours becomes our child, so no child means no descendant. */
static void end_all(struct keeper *keeper) {
	long pause = PAUSE_LEAST_NS;
	sigset_t child;
	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	if (keeper->main) kill(-keeper->main, SIGKILL);
	for (;;) {
		/* Where /proc cannot be read, the process group and what bubblewrap holds die. */
		bool is_read = family_signal(getpid(), SIGKILL, 0, NULL);
		if (!is_read && keeper->main) kill(keeper->main, SIGKILL);
		if (!reap(keeper)) return;
		sigtimedwait(&child, NULL, &(struct timespec){.tv_nsec = pause});
		pause = pause * 2 < PAUSE_MOST_NS ? pause * 2 : PAUSE_MOST_NS;
	}
}

/* Inside bubblewrap its first process ignores SIGTERM; the one outside would take all with it. */
static void terminate_all(const struct keeper *keeper) {
	int spared = keeper->order->bubblewrap ? keeper->main : 0;
	if (family_signal(getpid(), SIGTERM, spared, NULL)) return;
	if (keeper->main && !spared) kill(-keeper->main, SIGTERM);
}

/* The start of the child */

static int program_process(const struct keeper *keeper) {
	if (!keeper->order->bubblewrap) return keeper->main;
	int first = family_child(keeper->main);
	int program = first ? family_child(first) : 0;
	return program ? program : keeper->main;
}

static void start_told(struct keeper *keeper) {
	if (keeper->is_started || keeper->is_failed) return;
	if (keeper->failure_length == sizeof keeper->failure) {
		struct fault why;
		memcpy(&why, keeper->failure, sizeof why);
		keeper->is_failed = true;
		tell(KEEPER_FAILED, why.code, why.text);
	} else if (!keeper->is_trying) {
		keeper->is_failed = true;
		const char *what = keeper->order->bubblewrap ? "bubblewrap" : "it";
		char text[100];
		snprintf(text, sizeof text, "could not be started: %s ended before the program began", what);
		tell(KEEPER_FAILED, FAULT_UNSUPPORTED, text);
	} else {
		keeper->is_started = true;
		tell(KEEPER_STARTED, program_process(keeper), "");
	}
}

/* False: nothing more to be read, now or ever. */
static bool report_ready(struct keeper *keeper) {
	char bytes[sizeof keeper->failure + 1];
	ssize_t got = read(keeper->report, bytes, sizeof bytes);
	if (got < 0 && (errno == EAGAIN || errno == EINTR)) return false;
	if (got <= 0) {
		close(keeper->report);
		keeper->report = -1;
		start_told(keeper);
		return false;
	}

	size_t used = 0;
	if (!keeper->is_trying) {
		keeper->is_trying = true;
		used = 1;
	}
	size_t room = sizeof keeper->failure - keeper->failure_length;
	size_t more = (size_t)got - used < room ? (size_t)got - used : room;
	memcpy(keeper->failure + keeper->failure_length, bytes + used, more);
	keeper->failure_length += more;
	return true;
}

static bool place(int descriptor, int number) {
	if (descriptor == number) return fcntl(descriptor, F_SETFD, 0) == 0;
	return dup2(descriptor, number) == number;
}

_Noreturn static void become_child(const struct keeper *keeper, int report, int program, int parent) {
	sigset_t none;
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	bool is_placed = place(report, LAUNCHER_REPORT) &&
		(program < 0 || place(program, LAUNCHER_PROGRAM));
	close(LAUNCHER_CONTROL);
	close_range(LAUNCHER_ABOVE, ~0U, 0);
	if (!is_placed) _exit(1);
	launcher_exec_begin(keeper->order, parent);
}

/* Above the places of a child's descriptors. */
static int raised(int descriptor) {
	if (descriptor < 0) return -1;
	int above = fcntl(descriptor, F_DUPFD_CLOEXEC, LAUNCHER_ABOVE);
	close(descriptor);
	return above;
}

static bool start_child(struct keeper *keeper, struct fault *why) {
	int ends[2];
	if (pipe2(ends, O_CLOEXEC) != 0) return fault_errno(why, errno,
		"could not be started: a pipe");
	keeper->report = raised(ends[0]);
	AUTO_CLOSE int report = raised(ends[1]);
	AUTO_CLOSE int program = -1;
	if (keeper->order->bubblewrap) program = raised(open("/proc/self/exe", O_PATH | O_CLOEXEC));
	if (keeper->report < 0 || report < 0 || (keeper->order->bubblewrap && program < 0))
		return fault_errno(why, errno, "could not be started: descriptors");

	fcntl(keeper->report, F_SETFL, O_NONBLOCK);
	pid_t keeper_process = getpid();
	pid_t child = fork();
	if (child < 0) return fault_errno(why, errno, "could not be started: fork");
	if (child == 0) become_child(keeper, report, program, keeper_process);
	keeper->main = child;
	return true;
}

/* The pipes are the child's: as long as we held them, nobody would see them end. */
static void let_go_of_pipes(void) {
	int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
	for (int descriptor = 0; descriptor <= 2; descriptor++)
		if (nothing < 0 || dup2(nothing, descriptor) < 0) close(descriptor);
	if (nothing > 2) close(nothing);
	close(LAUNCHER_ORDER);
}

/* The turn */

/* False: the gateway is gone. */
static bool control_ready(struct keeper *keeper) {
	char wishes[16];
	ssize_t got = recv(LAUNCHER_CONTROL, wishes, sizeof wishes, MSG_DONTWAIT);
	if (got < 0 && (errno == EAGAIN || errno == EINTR)) return true;
	if (got <= 0) return false;
	for (ssize_t i = 0; i < got; i++) {
		if (wishes[i] == KEEPER_KILL) return false;
		if (wishes[i] == KEEPER_TERMINATE) terminate_all(keeper);
	}
	return true;
}

/* False: somebody wants the keeper to end. */
static bool signals_ready(struct keeper *keeper) {
	struct signalfd_siginfo one;
	bool goes_on = true;
	while (read(keeper->signals, &one, sizeof one) == (ssize_t)sizeof one)
		if (one.ssi_signo != SIGCHLD) goes_on = false;
	(void)reap(keeper);
	return goes_on;
}

static void keep(struct keeper *keeper) {
	bool goes_on = true;
	while (goes_on && keeper->main) {
		struct pollfd watched[] = {
			{.fd = LAUNCHER_CONTROL, .events = POLLIN},
			{.fd = keeper->signals, .events = POLLIN},
			{.fd = keeper->report, .events = POLLIN},
		};
		if (poll(watched, COUNT_OF(watched), -1) < 0) continue;
		if (watched[2].revents) (void)report_ready(keeper);
		if (watched[0].revents) goes_on = control_ready(keeper);
		if (watched[1].revents) goes_on = signals_ready(keeper) && goes_on;
	}
	end_all(keeper);
	while (keeper->report >= 0 && report_ready(keeper)) {}
	if (keeper->is_started) tell(KEEPER_ENDED, keeper->status, "");
}

static bool set_up(struct keeper *keeper, struct fault *why) {
	sigset_t watched;
	sigemptyset(&watched);
	sigaddset(&watched, SIGCHLD);
	sigaddset(&watched, SIGTERM);
	sigaddset(&watched, SIGINT);
	sigaddset(&watched, SIGHUP);
	sigprocmask(SIG_BLOCK, &watched, NULL);
	prctl(PR_SET_NAME, "hustings-keep");
	keeper->report = -1;
	keeper->signals = raised(signalfd(-1, &watched, SFD_CLOEXEC | SFD_NONBLOCK));
	if (keeper->signals < 0) return fault_errno(why, errno, "could not be started: signalfd");
	if (prctl(PR_SET_CHILD_SUBREAPER, 1) != 0)
		return fault_errno(why, errno, "could not be started: no sub-reaper");

	keeper->order = launcher_order_read(LAUNCHER_ORDER, why);
	return keeper->order != NULL;
}

int keeper_run(void) {
	struct keeper keeper = {0};
	struct fault why = {0};
	int type = 0;
	socklen_t size = sizeof type;
	if (getsockopt(LAUNCHER_CONTROL, SOL_SOCKET, SO_TYPE, &type, &size) != 0) {
		fprintf(stderr, "child-keep is started by the gateway alone\n");
		return 2;
	}

	fcntl(LAUNCHER_CONTROL, F_SETFD, FD_CLOEXEC);
	bool is_up = set_up(&keeper, &why) && start_child(&keeper, &why);
	let_go_of_pipes();
	if (is_up) keep(&keeper);
	else tell(KEEPER_FAILED, why.code, why.text);
	/* The memory goes with the process. */
	_exit(is_up ? 0 : 1);
}
