/* SPDX-License-Identifier: Apache-2.0 */
/* Pipes: lines from and to a child, over uv_poll. */
#include "net/pipes.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

/* How much of a dead child's output is fetched at most, in reads of the loop's buffer. */
#define DRAIN_READS 64
#define WAITING_KEPT ((size_t)64 * 1024)

/* Reading */

static void in_end(struct pipe_in *pipe, const struct fault *why) {
	if (pipe->is_ended) return;
	pipe->is_ended = true;
	if (pipe->descriptor >= 0) uv_poll_stop(&pipe->poll);
	pipe->events->ended(pipe->context, why);
}

static bool in_line(void *context, struct slice line) {
	struct pipe_in *pipe = context;
	struct frame *before = loop_lend(pipe->loop, lines_frame(&pipe->lines));
	pipe->events->line(pipe->context, line);
	loop_lend(pipe->loop, before);
	return pipe->descriptor >= 0;
}

/* False: nothing more to be had now. */
static bool in_read(struct pipe_in *pipe) {
	struct fault why = {0};
	ssize_t got = read(pipe->descriptor, loop_buffer(pipe->loop), LOOP_BUFFER);
	if (got < 0 && errno == EINTR) return true;
	if (got < 0 && errno == EAGAIN) return false;
	if (got < 0) {
		fault_errno(&why, errno, "reading from a child");
		in_end(pipe, &why);
		return false;
	}
	if (got == 0) {
		lines_end(&pipe->lines, in_line, pipe);
		if (pipe->descriptor >= 0) in_end(pipe, NULL);
		return false;
	}

	struct slice bytes = slice_make(loop_buffer(pipe->loop), (size_t)got);
	if (!lines_feed(&pipe->lines, bytes, in_line, pipe, &why)) {
		in_end(pipe, &why);
		return false;
	}
	return pipe->descriptor >= 0;
}

static void in_ready(uv_poll_t *poll, int status, int events) {
	(void)events;
	struct pipe_in *pipe = CONTAINER_OF(poll, struct pipe_in, poll);
	if (status == 0) {
		(void)in_read(pipe);
		return;
	}

	struct fault why;
	fault_set(&why, FAULT_IO, "a pipe cannot be watched: %s", uv_strerror(status));
	in_end(pipe, &why);
}

static bool watch(uv_poll_t *poll, struct loop *loop, int descriptor, struct fault *why) {
	int failed = uv_poll_init(loop_uv(loop), poll, descriptor);
	if (!failed) return true;

	close(descriptor);
	return fault_set(why, FAULT_IO, "a pipe cannot be watched: %s", uv_strerror(failed));
}

bool pipes_in_open(struct pipe_in *pipe, struct loop *loop, int descriptor,
	const struct pipe_in_events *events, void *context, struct fault *why) {
	if (!watch(&pipe->poll, loop, descriptor, why)) return false;

	pipe->loop = loop;
	pipe->events = events;
	pipe->context = context;
	pipe->descriptor = descriptor;
	pipe->is_paused = true;
	pipe->is_ended = false;
	pipes_in_pause(pipe, false);
	return true;
}

void pipes_in_pause(struct pipe_in *pipe, bool paused) {
	if (pipe->descriptor < 0 || pipe->is_ended || pipe->is_paused == paused) return;

	pipe->is_paused = paused;
	if (paused) uv_poll_stop(&pipe->poll);
	else uv_poll_start(&pipe->poll, UV_READABLE, in_ready);
}

void pipes_in_drain(struct pipe_in *pipe) {
	for (int reads = 0; reads < DRAIN_READS; reads++) {
		if (pipe->descriptor < 0 || pipe->is_ended) return;
		if (!in_read(pipe)) break;
	}
	if (pipe->descriptor < 0 || pipe->is_ended) return;

	lines_end(&pipe->lines, in_line, pipe);
	if (pipe->descriptor >= 0) in_end(pipe, NULL);
}

static void in_released(uv_handle_t *handle) {
	struct pipe_in *pipe = CONTAINER_OF((uv_poll_t *)handle, struct pipe_in, poll);
	lines_finish(&pipe->lines);
	pipe->events->released(pipe->context);
}

void pipes_in_close(struct pipe_in *pipe) {
	if (pipe->descriptor < 0) return;

	uv_close((uv_handle_t *)&pipe->poll, in_released);
	close(pipe->descriptor);
	pipe->descriptor = -1;
}

/* Writing */

bool pipes_out_open(struct pipe_out *pipe, struct loop *loop, int descriptor, size_t limit,
	const struct pipe_out_events *events, void *context, struct fault *why) {
	if (!watch(&pipe->poll, loop, descriptor, why)) return false;

	pipe->loop = loop;
	pipe->flush = (struct task){.run = NULL};
	pipe->events = events;
	pipe->context = context;
	pipe->descriptor = descriptor;
	pipe->limit = limit;
	pipe->is_full = false;
	pipe->waiting = NULL;
	pipe->start = pipe->length = pipe->capacity = 0;
	return true;
}

static void out_forget(struct pipe_out *pipe) {
	pipe->start = pipe->length = 0;
	if (pipe->capacity <= WAITING_KEPT) return;
	free(pipe->waiting);
	pipe->waiting = NULL;
	pipe->capacity = 0;
}

/* As much as the pipe takes now. One whose other end is gone takes everything and keeps nothing:
 * that the child ended is told by its keeper, once. */
static void out_send(struct pipe_out *pipe) {
	ssize_t written = write(pipe->descriptor, pipe->waiting + pipe->start, pipe->length);
	if (written < 0 && (errno == EINTR || errno == EAGAIN)) return;
	if (written >= 0 && (size_t)written < pipe->length) {
		pipe->start += (size_t)written;
		pipe->length -= (size_t)written;
	} else {
		out_forget(pipe);
	}
}

static void out_ready(uv_poll_t *poll, int status, int events) {
	(void)status;
	(void)events;
	struct pipe_out *pipe = CONTAINER_OF(poll, struct pipe_out, poll);
	out_send(pipe);
	if (pipe->length) return;
	pipe->is_full = false;
	uv_poll_stop(&pipe->poll);
	pipe->events->drained(pipe->context);
}

void pipes_out_flush(struct pipe_out *pipe) {
	task_clear(&pipe->flush);
	if (pipe->descriptor < 0 || pipe->is_full || !pipe->length) return;
	out_send(pipe);
	if (!pipe->length) return;
	pipe->is_full = true;
	uv_poll_start(&pipe->poll, UV_WRITABLE, out_ready);
}

static void pass_ends(struct task *task) {
	pipes_out_flush(CONTAINER_OF(task, struct pipe_out, flush));
}

/* Room for `more` octets behind what waits. */
static bool out_reserve(struct pipe_out *pipe, size_t more, struct fault *why) {
	size_t needed = pipe->length + more;
	if (pipe->start && pipe->capacity - pipe->start < needed) {
		memmove(pipe->waiting, pipe->waiting + pipe->start, pipe->length);
		pipe->start = 0;
	}
	if (pipe->capacity - pipe->start >= needed) return true;

	size_t capacity = pipe->capacity ? pipe->capacity : 4096;
	while (capacity < needed) capacity *= 2;
	char *larger = realloc(pipe->waiting, capacity);
	if (!larger) return fault_set(why, FAULT_NO_MEMORY, "no memory for a line to a child");
	pipe->waiting = larger;
	pipe->capacity = capacity;
	return true;
}

static void out_append(struct pipe_out *pipe, const char *bytes, size_t length) {
	if (length) memcpy(pipe->waiting + pipe->start + pipe->length, bytes, length);
	pipe->length += length;
}

bool pipes_out_write(struct pipe_out *pipe, struct slice line, struct fault *why) {
	size_t all = line.length + 1;
	if (all > pipe->limit - (pipe->length < pipe->limit ? pipe->length : pipe->limit))
		return fault_set(why, FAULT_FULL,
			"%zu octets wait for a child that does not read; the limit is %zu", pipe->length,
			pipe->limit);

	/* A line is taken whole or not at all. */
	if (!out_reserve(pipe, all, why)) return false;
	out_append(pipe, line.bytes, line.length);
	slice_blank_line_ends(pipe->waiting + pipe->start + pipe->length - line.length, line.length);
	out_append(pipe, "\n", 1);
	if (!pipe->is_full) loop_later(pipe->loop, &pipe->flush, pass_ends);
	return true;
}

static void out_released(uv_handle_t *handle) {
	struct pipe_out *pipe = CONTAINER_OF((uv_poll_t *)handle, struct pipe_out, poll);
	pipe->events->released(pipe->context);
}

void pipes_out_close(struct pipe_out *pipe) {
	if (pipe->descriptor < 0) return;

	if (!pipe->is_full && pipe->length) out_send(pipe);
	task_clear(&pipe->flush);
	uv_close((uv_handle_t *)&pipe->poll, out_released);
	close(pipe->descriptor);
	pipe->descriptor = -1;
	free(pipe->waiting);
	pipe->waiting = NULL;
	pipe->start = pipe->length = pipe->capacity = 0;
}
