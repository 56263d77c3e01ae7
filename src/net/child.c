/* SPDX-License-Identifier: Apache-2.0 */
/* Child: three pipes and a socket to a keeper, and the one end of it all. */
#include "net/child.h"
#include "net/bubblewrap.h"
#include "net/clean_environment.h"
#include "net/error_lines.h"
#include "net/keeper.h"
#include "net/landlock.h"
#include "net/launcher.h"
#include "net/pipes.h"
#include "base/log.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <uv.h>

#define USUAL_LIMIT ((size_t)16 * 1024 * 1024)
#define USUAL_DESCRIPTORS 1024
/* How long the end of a loop waits for the keepers of children that were closed just before. */
#define LEAVING_PATIENCE_MS 5000

enum child_state {
	CHILD_RUNNING,
	CHILD_ASKED,      /* to stop: its stdin is closed once it took what waits */
	CHILD_TERMINATED, /* SIGTERM was sent */
	CHILD_KILLED,
	CHILD_ENDED,  /* and told */
	CHILD_CLOSED, /* by its owner; may still be dying */
};

struct child {
	struct loop *loop;
	const struct child_events *events;
	void *context;
	enum child_state state;
	struct pipe_out input;
	struct pipe_in output, errors;
	uv_poll_t watch;  /* of control */
	int control;      /* -1: the keeper has ended */
	int input_spare;  /* see launcher.h */
	unsigned handles; /* libuv has not let go of */
	int keeper, process;
	bool is_contained;
	bool has_status;
	int status;
	struct fault why; /* FAULT_NONE: nothing but its own end */
	uint64_t patience;
	struct deadline deadline;
	struct error_lines error_lines;
	struct task leaving; /* for the loop's close: closed, but its keeper not ended */
};

static void child_enter(struct child *child, enum child_state state) {
	child->state = state;
}

static bool is_over(const struct child *child) {
	return child->state == CHILD_ENDED || child->state == CHILD_CLOSED;
}

static void wish(struct child *child, char what) {
	if (child->control >= 0) (void)send(child->control, &what, 1, MSG_NOSIGNAL | MSG_DONTWAIT);
}

static void kill_all(struct child *child) {
	if (is_over(child) || child->state == CHILD_KILLED) return;
	child_enter(child, CHILD_KILLED);
	deadline_clear(&child->deadline);
	wish(child, KEEPER_KILL);
}

/* Its pipes */

static void child_released(void *context) {
	struct child *child = context;
	if (--child->handles == 0) free(child);
}

static void output_line(void *context, struct slice line) {
	struct child *child = context;
	child->events->line(child->context, line);
}

/* That stdout was closed does not say that it has ended; only what breaks the rules matters. */
static void output_ended(void *context, const struct fault *why) {
	struct child *child = context;
	if (!why || is_over(child)) return;
	child->why = *why;
	fault_before(&child->why, "was ended for ");
	kill_all(child);
}

static void tell_left_out(struct child *child, uint64_t left_out) {
	char text[64];
	if (!left_out || !child->events->error_line) return;
	int length = snprintf(text, sizeof text, "(%" PRIu64 " lines left out)", left_out);
	child->events->error_line(child->context, slice_make(text, (size_t)length));
}

static void error_line(void *context, struct slice line) {
	struct child *child = context;
	uint64_t left_out = 0;
	if (!child->events->error_line) return;
	if (!error_lines_allow(&child->error_lines, loop_now(child->loop), &left_out)) return;
	tell_left_out(child, left_out);
	if (child->state != CHILD_CLOSED) child->events->error_line(child->context, line);
}

/* stderr is for people: when it breaks, the child goes on without. */
static void errors_ended(void *context, const struct fault *why) {
	(void)why;
	struct child *child = context;
	tell_left_out(child, error_lines_take(&child->error_lines));
}

static void input_close(struct child *child) {
	pipes_out_close(&child->input);
	if (child->input_spare >= 0) close(child->input_spare);
	child->input_spare = -1;
}

static void input_drained(void *context) {
	struct child *child = context;
	if (child->state == CHILD_RUNNING) {
		if (child->events->drained) child->events->drained(child->context);
	} else {
		input_close(child);
	}
}

static const struct pipe_in_events output_events = {output_line, output_ended, child_released};
static const struct pipe_in_events error_events = {error_line, errors_ended, child_released};
static const struct pipe_out_events input_events = {input_drained, child_released};

/* Its end */

static void control_released(uv_handle_t *handle) {
	child_released(handle->data);
}

static void control_close(struct child *child) {
	uv_close((uv_handle_t *)&child->watch, control_released);
	close(child->control);
	child->control = -1;
	task_clear(&child->leaving);
}

static void verdict(struct child *child, int keeper_status) {
	if (child->why.code != FAULT_NONE) return;
	if (!child->has_status) {
		bool is_killed = WIFSIGNALED(keeper_status);
		int number = is_killed ? WTERMSIG(keeper_status) : WEXITSTATUS(keeper_status);
		child->status = is_killed ? -number : number;
		fault_set(&child->why, FAULT_CLOSED, "lost its keeper, which %s %d",
			is_killed ? "was ended by signal" : "exited with", number);
	} else if (child->status < 0) {
		fault_set(&child->why, FAULT_CLOSED, "was ended by signal %d", -child->status);
	} else {
		fault_set(&child->why, FAULT_CLOSED, "exited with %d", child->status);
	}
}

/* The keeper has closed its end as the last thing it does, so waiting for it takes no time. */
static int keeper_reap(struct child *child) {
	int status = 0;
	while (waitpid(child->keeper, &status, 0) < 0 && errno == EINTR) {}
	child->keeper = 0;
	return status;
}

static void child_end(struct child *child) {
	int keeper_status = keeper_reap(child);
	control_close(child);
	child->process = 0;
	deadline_clear(&child->deadline);
	if (is_over(child)) return;

	/* `watch` keeps the struct alive while callbacks close the child. */
	pipes_in_drain(&child->output);
	if (!is_over(child)) pipes_in_drain(&child->errors);
	if (is_over(child)) return;
	verdict(child, keeper_status);
	input_close(child);
	child_enter(child, CHILD_ENDED);
	child->events->ended(child->context, child->status, &child->why);
}

static void report_take(struct child *child, const struct keeper_report *report) {
	switch (report->word) {
	case KEEPER_STARTED: child->process = report->number; break;
	case KEEPER_ENDED:
		child->status = report->number;
		child->has_status = true;
		break;
	case KEEPER_FAILED:
		child->status = report->number == FAULT_NOT_FOUND ? 127 : 126;
		child->has_status = true;
		if (child->why.code == FAULT_NONE)
			fault_set(&child->why, (enum fault_code)report->number, "%.*s",
				(int)sizeof report->text, report->text);
		break;
	default: break;
	}
}

static void control_ready(uv_poll_t *watch, int status, int events) {
	(void)status;
	(void)events;
	struct child *child = watch->data;
	for (;;) {
		struct keeper_report report;
		ssize_t got = recv(child->control, &report, sizeof report, MSG_DONTWAIT);
		if (got < 0 && errno == EINTR) continue;
		if (got < 0 && errno == EAGAIN) return;
		if (got <= 0) break;
		if (got == (ssize_t)sizeof report) report_take(child, &report);
	}
	child_end(child);
}

/* Opening */

bool child_can_contain(struct fault *why) {
	return bubblewrap_find(launcher_program(), why) != NULL;
}

static bool order_make(const struct child_options *options, const char **environment,
	struct launcher_order *order, struct sandbox_view **view, struct fault *why) {
	if (!options->arguments || !options->arguments[0])
		return fault_set(why, FAULT_BAD_INPUT, "a child needs a command");

	struct fault missing = {0};
	*order = (struct launcher_order){
		.arguments = options->arguments,
		.environment = environment,
		.hidden = options->hidden,
		.writable = options->writable,
		.directory = options->directory,
		.memory_limit = options->memory_limit,
		.descriptor_limit =
			options->descriptor_limit ? options->descriptor_limit : USUAL_DESCRIPTORS,
		.user = options->user,
	};
	if (options->sandboxed) {
		sandbox_environment(environment, options->environment);
		return sandbox_order(order, options->sandboxed, options->user, view, why);
	}
	if (options->sandbox == CHILD_CONTAINED)
		order->bubblewrap = bubblewrap_find(launcher_program(), &missing);
	if (order->bubblewrap) return true;

	bool needs_mounts = options->hidden && options->hidden[0];
	if (needs_mounts || (options->writable && !landlock_is_there()))
		return fault_set(why, FAULT_UNSUPPORTED, "%s cannot be kept from files here: %s",
			options->arguments[0],
			missing.code ? missing.text : "that needs the contained sandbox");
	if (missing.code)
		log_write(options->log, LOG_WARNING,
			"%s runs without a PID namespace of its own: %s",
			options->arguments[0], missing.text);
	return true;
}

/* On failure the handles that are open already are closed; they free the child. */
static bool child_watch(struct child *child, const struct launcher_started *started,
	const struct child_options *options, struct fault *why) {
	size_t behind = options->behind_limit ? options->behind_limit : USUAL_LIMIT;
	child->control = started->control;
	child->input_spare = started->input_spare;
	int failed = uv_poll_init(loop_uv(child->loop), &child->watch, child->control);
	if (failed) {
		close(started->input);
		close(started->output);
		close(started->error_output);
		return fault_set(why, FAULT_IO,
			"a child cannot be watched: %s", uv_strerror(failed));
	}
	child->handles++;
	child->watch.data = child;

	bool is_open = pipes_out_open(&child->input, child->loop, started->input, behind,
		&input_events, child, why);
	if (is_open) child->handles++;
	if (pipes_in_open(&child->output, child->loop, started->output, &output_events, child,
		    is_open ? why : NULL)) child->handles++;
	else is_open = false;
	if (pipes_in_open(&child->errors, child->loop, started->error_output, &error_events, child,
		    is_open ? why : NULL)) child->handles++;
	else is_open = false;
	if (is_open) failed = uv_poll_start(&child->watch, UV_READABLE, control_ready);
	if (!failed) return is_open;
	return fault_set(why, FAULT_IO, "a child cannot be watched: %s", uv_strerror(failed));
}

static void child_abandon(struct child *child) {
	child_enter(child, CHILD_CLOSED);
	shutdown(child->control, SHUT_RDWR);
	(void)keeper_reap(child);
	input_close(child);
	pipes_in_close(&child->output);
	pipes_in_close(&child->errors);
	if (child->handles) {
		control_close(child);
		return;
	}
	close(child->control);
	free(child);
}

struct child *child_open(struct loop *loop, const struct child_options *options,
	const struct child_events *events, void *context, struct fault *why) {
	AUTO_FREE const char **environment = clean_environment_make(options->environment);
	AUTO_FREE struct child *child = calloc(1, sizeof *child);
	if (!child || !environment) return fault_null(why, FAULT_NO_MEMORY,
		"no memory for a child");
	struct launcher_order order;
	struct launcher_started started;
	AUTO(sandbox_view) view = NULL;
	if (!order_make(options, environment, &order, &view, why)) return NULL;

	child->loop = loop;
	child->events = events;
	child->context = context;
	child->input.descriptor = child->output.descriptor = child->errors.descriptor = -1;
	child->is_contained = order.bubblewrap != NULL;
	error_lines_init(&child->error_lines, loop_now(loop));
	lines_init(&child->output.lines, options->line_limit ? options->line_limit : USUAL_LIMIT,
		LINES_STRICT);
	lines_init(&child->errors.lines, ERROR_LINES_LENGTH, LINES_CUT);
	if (!launcher_start(&order, &started, why)) return NULL;
	child->keeper = started.process;
	if (child_watch(child, &started, options, why)) return TAKE(child);
	child_abandon(TAKE(child));
	return NULL;
}

/* What its owner does with it */

bool child_write(struct child *child, struct slice line, struct fault *why) {
	if (child->state != CHILD_RUNNING)
		return fault_set(why, FAULT_CLOSED, "the server has ended or was told to stop");
	return pipes_out_write(&child->input, line, why);
}

size_t child_behind(const struct child *child) {
	return child->input.length;
}

void child_pause(struct child *child) {
	pipes_in_pause(&child->output, true);
}

void child_resume(struct child *child) {
	pipes_in_pause(&child->output, false);
}

static void patience_ended(struct deadline *deadline) {
	struct child *child = CONTAINER_OF(deadline, struct child, deadline);
	if (child->state == CHILD_TERMINATED) {
		kill_all(child);
		return;
	}
	child_enter(child, CHILD_TERMINATED);
	wish(child, KEEPER_TERMINATE);
	deadline_set(child->loop, &child->deadline, child->patience, patience_ended);
}

void child_stop(struct child *child, uint64_t patience_ms) {
	if (child->state != CHILD_RUNNING) return;

	child_enter(child, CHILD_ASKED);
	child->patience = patience_ms;
	pipes_out_flush(&child->input);
	if (child->input.length == 0) input_close(child);
	deadline_set(child->loop, &child->deadline, patience_ms, patience_ended);
}

/* The loop's time stands still while it closes, so all wait to the same moment. */
static void loop_closes(struct task *leaving) {
	struct child *child = CONTAINER_OF(leaving, struct child, leaving);
	uint64_t now = clock_monotonic_ms(), end = loop_now(child->loop) + LEAVING_PATIENCE_MS;
	struct pollfd watched = {.fd = child->control, .events = POLLRDHUP};
	int ended = poll(&watched, 1, now < end ? (int)(end - now) : 0);
	if (ended > 0) (void)keeper_reap(child);
	control_close(child);
}

void child_close(struct child *child) {
	if (!child || child->state == CHILD_CLOSED) return;

	kill_all(child);
	child_enter(child, CHILD_CLOSED);
	deadline_clear(&child->deadline);
	input_close(child);
	pipes_in_close(&child->output);
	pipes_in_close(&child->errors);
	if (child->control < 0) return;
	shutdown(child->control, SHUT_WR);
	loop_at_close(child->loop, &child->leaving, loop_closes);
}

bool child_is_contained(const struct child *child) {
	return child->is_contained;
}

int child_process(const struct child *child) {
	return child->process;
}
