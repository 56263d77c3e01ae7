/* SPDX-License-Identifier: Apache-2.0 */
/* Pipes: lines from and to a child, over uv_poll. */
#include "net/pipes.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/uio.h>
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
	pipe->events->line(pipe->context, line);
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

	pipe->events = events;
	pipe->context = context;
	pipe->descriptor = descriptor;
	pipe->limit = limit;
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

/* A pipe whose other end is gone takes everything and keeps nothing: that the child ended is told
 * by its keeper, once. */
static void out_give_up(struct pipe_out *pipe) {
	uv_poll_stop(&pipe->poll);
	out_forget(pipe);
}

static void out_ready(uv_poll_t *poll, int status, int events) {
	(void)status;
	(void)events;
	struct pipe_out *pipe = CONTAINER_OF(poll, struct pipe_out, poll);
	ssize_t written = write(pipe->descriptor, pipe->waiting + pipe->start, pipe->length);
	if (written < 0 && (errno == EINTR || errno == EAGAIN)) return;
	if (written < 0) {
		out_give_up(pipe);
		return;
	}

	pipe->start += (size_t)written;
	pipe->length -= (size_t)written;
	if (pipe->length) return;
	uv_poll_stop(&pipe->poll);
	out_forget(pipe);
	pipe->events->drained(pipe->context);
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

static bool out_try(struct pipe_out *pipe, struct slice line, size_t *sent, struct fault *why) {
	struct iovec parts[] = {{(void *)line.bytes, line.length}, {"\n", 1}};
	ssize_t written = writev(pipe->descriptor, parts, 2);
	if (written < 0 && errno != EAGAIN && errno != EINTR)
		return fault_errno(why, errno, "writing to a child");

	*sent = written > 0 ? (size_t)written : 0;
	return true;
}

bool pipes_out_write(struct pipe_out *pipe, struct slice line, struct fault *why) {
	size_t all = line.length + 1;
	if (all > pipe->limit - (pipe->length < pipe->limit ? pipe->length : pipe->limit))
		return fault_set(why, FAULT_FULL,
			"%zu octets wait for a child that does not read; the limit is %zu", pipe->length,
			pipe->limit);

	/* A line is sent whole or not at all. The kernel sees to it up to PIPE_BUF; for a longer one
	 * the memory for its rest is there before its beginning is written. */
	bool was_idle = pipe->length == 0;
	size_t sent = 0;
	if ((!was_idle || all > PIPE_BUF) && !out_reserve(pipe, all, why)) return false;
	if (was_idle && !out_try(pipe, line, &sent, why)) return false;
	if (sent == all) {
		out_forget(pipe);
		return true;
	}

	if (!out_reserve(pipe, all - sent, why)) return false;
	if (was_idle) uv_poll_start(&pipe->poll, UV_WRITABLE, out_ready);
	if (sent < line.length) out_append(pipe, line.bytes + sent, line.length - sent);
	out_append(pipe, "\n", 1);
	return true;
}

static void out_released(uv_handle_t *handle) {
	struct pipe_out *pipe = CONTAINER_OF((uv_poll_t *)handle, struct pipe_out, poll);
	pipe->events->released(pipe->context);
}

void pipes_out_close(struct pipe_out *pipe) {
	if (pipe->descriptor < 0) return;

	uv_close((uv_handle_t *)&pipe->poll, out_released);
	close(pipe->descriptor);
	pipe->descriptor = -1;
	free(pipe->waiting);
	pipe->waiting = NULL;
	pipe->start = pipe->length = pipe->capacity = 0;
}
