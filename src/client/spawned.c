/* SPDX-License-Identifier: Apache-2.0 */
/* Spawned: two pipes and a process; it is freed when both pipes were let go and it was waited for. */
#include "client/spawned.h"

#include "net/pipes.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define LOOK_MS 10 /* between two looks whether it has ended */

enum spawned_state {
	SPAWNED_RUNNING,
	SPAWNED_LEAVING,    /* its stdin is closed */
	SPAWNED_TERMINATED, /* SIGTERM was sent */
	SPAWNED_KILLED,
	SPAWNED_GONE, /* waited for */
};

struct spawned {
	struct carrier carrier;
	struct loop *loop;
	const struct carrier_events *events;
	void *context;
	enum spawned_state state;
	struct pipe_in output;
	struct pipe_out input;
	int input_spare;  /* its end of `input`: as long as we hold it, writing raises no SIGPIPE */
	unsigned handles; /* pipes that are not let go of */
	pid_t process;
	int status;
	bool is_closed;
	unsigned *alive;
	uint64_t patience_ends; /* loop time */
	struct deadline look;
	struct task at_close;
};

static void enter(struct spawned *spawned, enum spawned_state state) { spawned->state = state; }

static void free_if_over(struct spawned *spawned) {
	if (!spawned->is_closed || spawned->handles || spawned->state != SPAWNED_GONE) return;
	deadline_clear(&spawned->look);
	task_clear(&spawned->at_close);
	--*spawned->alive;
	free(spawned);
}

/* ---- Its end ---- */

/* It is still to be waited for, so that its number stays its own until its session was ended. */
static bool has_ended(const struct spawned *spawned) {
	siginfo_t about = {.si_pid = 0};
	int failed;
	do failed = waitid(P_PID, (id_t)spawned->process, &about, WEXITED | WNOHANG | WNOWAIT);
	while (failed && errno == EINTR);
	return failed || about.si_pid; /* failed: somebody else has waited for it */
}

static void close_input(struct spawned *spawned) {
	pipes_out_close(&spawned->input);
	if (spawned->input_spare >= 0) close(spawned->input_spare);
	spawned->input_spare = -1;
}

static void tell_ended(struct spawned *spawned) {
	struct fault why;
	int status = spawned->status;
	if (WIFEXITED(status))
		fault_set(&why, FAULT_CLOSED, "the server exited with %d", WEXITSTATUS(status));
	else if (WIFSIGNALED(status))
		fault_set(&why, FAULT_CLOSED, "the server was ended by signal %d", WTERMSIG(status));
	else
		fault_set(&why, FAULT_CLOSED, "the server has ended");
	spawned->events->ended(spawned->context, &why);
}

static void be_gone(struct spawned *spawned) {
	enter(spawned, SPAWNED_GONE);
	(void)kill(-spawned->process, SIGKILL); /* what it has left behind in its session */
	while (waitpid(spawned->process, &spawned->status, 0) < 0 && errno == EINTR) continue;
	close_input(spawned);
	pipes_in_close(&spawned->output);
	if (!spawned->is_closed) tell_ended(spawned);
	free_if_over(spawned);
}

static void look(struct deadline *deadline) {
	struct spawned *spawned = CONTAINER_OF(deadline, struct spawned, look);
	if (has_ended(spawned)) {
		be_gone(spawned);
		return;
	}
	if (loop_now(spawned->loop) >= spawned->patience_ends && spawned->state < SPAWNED_KILLED) {
		bool is_second = spawned->state == SPAWNED_TERMINATED;
		(void)kill(-spawned->process, is_second ? SIGKILL : SIGTERM);
		enter(spawned, is_second ? SPAWNED_KILLED : SPAWNED_TERMINATED);
		spawned->patience_ends = loop_now(spawned->loop) + SPAWNED_PATIENCE_MS;
	}
	deadline_set(spawned->loop, &spawned->look, LOOK_MS, look);
}

static void leave(struct spawned *spawned) {
	if (spawned->state != SPAWNED_RUNNING) return;
	enter(spawned, SPAWNED_LEAVING);
	close_input(spawned);
	spawned->patience_ends = loop_now(spawned->loop) + SPAWNED_PATIENCE_MS;
	deadline_set(spawned->loop, &spawned->look, 0, look);
}

static bool ends_within(const struct spawned *spawned, unsigned ms) {
	const struct timespec pause = {.tv_nsec = (long)LOOK_MS * 1000000};
	for (unsigned waited = 0; waited < ms; waited += LOOK_MS) {
		if (has_ended(spawned)) return true;
		nanosleep(&pause, NULL);
	}
	return has_ended(spawned);
}

/* The loop goes first: its end is waited for here. */
static void loop_goes(struct task *task) {
	struct spawned *spawned = CONTAINER_OF(task, struct spawned, at_close);
	deadline_clear(&spawned->look);
	close_input(spawned);
	if (!ends_within(spawned, SPAWNED_PATIENCE_MS)) {
		(void)kill(-spawned->process, SIGTERM);
		if (!ends_within(spawned, SPAWNED_PATIENCE_MS)) {
			(void)kill(-spawned->process, SIGKILL);
			(void)ends_within(spawned, SPAWNED_PATIENCE_MS);
		}
	}
	spawned->is_closed = true;
	be_gone(spawned);
}

/* ---- Its pipes ---- */

static void line_came(void *context, struct slice line) {
	struct spawned *spawned = context;
	if (!spawned->is_closed && slice_trim(line).length) spawned->events->heard(spawned->context, line);
}

static void output_ended(void *context, const struct fault *why) {
	(void)why;
	leave(context);
}

static void released(void *context) {
	struct spawned *spawned = context;
	spawned->handles--;
	free_if_over(spawned);
}

static void drained(void *context) { (void)context; }

static const struct pipe_in_events output_events = {line_came, output_ended, released};
static const struct pipe_out_events input_events = {drained, released};

static bool send_line(struct carrier *carrier, struct slice message, char *sent,
	struct fault *why) {
	struct spawned *spawned = CONTAINER_OF(carrier, struct spawned, carrier);
	(void)sent;
	if (spawned->state != SPAWNED_RUNNING) return fault_set(why, FAULT_CLOSED, "the server has ended");
	return pipes_out_write(&spawned->input, message, why);
}

static void close_spawned(struct carrier *carrier) {
	struct spawned *spawned = CONTAINER_OF(carrier, struct spawned, carrier);
	spawned->is_closed = true;
	leave(spawned);
	free_if_over(spawned);
}

/* ---- Its start ---- */

struct ends {
	int input[2], output[2];
};

static void ends_close(struct ends *ends) {
	int *all[] = {&ends->input[0], &ends->input[1], &ends->output[0], &ends->output[1]};
	for (size_t i = 0; i < COUNT_OF(all); i++)
		if (*all[i] >= 0) close(*all[i]);
}

static int spawn(const struct spawned_options *options, const struct ends *ends, pid_t *process) {
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
	if (!failed) failed = posix_spawn_file_actions_adddup2(&actions, ends->input[0], 0);
	if (!failed) failed = posix_spawn_file_actions_adddup2(&actions, ends->output[1], 1);
	if (!failed && options->directory)
		failed = posix_spawn_file_actions_addchdir_np(&actions, options->directory);
	char *const *environment = options->environment ? (char *const *)options->environment : environ;
	if (!failed)
		failed = posix_spawnp(process, options->command[0], &actions, &attributes,
			(char *const *)options->command, environment);
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&actions);
	return failed;
}

/* Each end above the standard ones, or a dup2 would run over it. */
static bool open_ends(struct ends *ends, struct fault *why) {
	int *all[] = {&ends->input[0], &ends->input[1], &ends->output[0], &ends->output[1]};
	if (pipe2(ends->input, O_CLOEXEC) != 0 || pipe2(ends->output, O_CLOEXEC) != 0)
		return fault_errno(why, errno, "pipes to a server");
	for (size_t i = 0; i < COUNT_OF(all); i++) {
		int raised = fcntl(*all[i], F_DUPFD_CLOEXEC, 3);
		if (raised < 0) return fault_errno(why, errno, "pipes to a server");
		close(*all[i]);
		*all[i] = raised;
	}
	return true;
}

static bool watch(struct spawned *spawned, struct ends *ends, struct fault *why) {
	int output = ends->output[0], input = ends->input[1];
	ends->output[0] = ends->input[1] = -1;
	lines_init(&spawned->output.lines, CARRIER_MESSAGE, LINES_STRICT);
	bool reads = pipes_in_open(&spawned->output, spawned->loop, output, &output_events, spawned, why);
	bool writes = pipes_out_open(&spawned->input, spawned->loop, input, CARRIER_MESSAGE, &input_events, spawned, why);
	spawned->handles = (unsigned)reads + (unsigned)writes;
	if (!reads) spawned->output.descriptor = -1;
	if (!writes) spawned->input.descriptor = -1;
	spawned->input_spare = ends->input[0];
	ends->input[0] = -1;
	return reads && writes;
}

struct carrier *spawned_open(struct loop *loop, const struct spawned_options *options,
	const struct carrier_events *events, void *context, struct fault *why) {
	__attribute__((cleanup(ends_close))) struct ends ends = {{-1, -1}, {-1, -1}};
	struct spawned *spawned = calloc(1, sizeof *spawned);
	if (!spawned) return fault_null(why, FAULT_NO_MEMORY, "no memory for another server");
	spawned->carrier = (struct carrier){.send = send_line, .close = close_spawned};
	spawned->loop = loop;
	spawned->events = events;
	spawned->context = context;
	int failed = open_ends(&ends, why) ? spawn(options, &ends, &spawned->process) : -1;
	if (failed) {
		if (failed > 0) fault_errno(why, failed, "starting %s", options->command[0]);
		free(spawned);
		return NULL;
	}
	spawned->alive = options->alive;
	++*spawned->alive;
	bool is_watched = watch(spawned, &ends, why);
	loop_at_close(loop, &spawned->at_close, loop_goes);
	if (is_watched) return &spawned->carrier;
	close_spawned(&spawned->carrier);
	return NULL;
}
