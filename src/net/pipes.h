/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pipes: the two ends of ours of a child's pipes, not blocking, on a loop.
 *
 * A pipe_in reads lines, a pipe_out writes them; both lie in their owner's struct, whose memory
 * must stay until `released` was called (after the _close). Bounded: a line by `limit`, what waits
 * to be written by `limit` of the pipe_out. Both take their descriptor.
 *
 * What was written in a pass leaves at its end in one piece: the child is woken once, however many
 * lines there are.
 */
#ifndef HUSTINGS_NET_PIPES_H
#define HUSTINGS_NET_PIPES_H

#include "net/lines.h"
#include "net/loop.h"

#include <uv.h>

struct pipe_in_events {
	void (*line)(void *context, struct slice line);
	/* Once. why NULL: the other end was closed; what stood behind the last LF came as a line. */
	void (*ended)(void *context, const struct fault *why);
	void (*released)(void *context);
};

struct pipe_in {
	uv_poll_t poll;
	struct loop *loop;
	const struct pipe_in_events *events;
	void *context;
	struct lines lines;
	int descriptor; /* -1: closed */
	bool is_paused;
	bool is_ended;
};

/* On failure the descriptor is closed and `released` is not called. */
bool pipes_in_open(struct pipe_in *pipe, struct loop *loop, int descriptor,
	const struct pipe_in_events *events, void *context, struct fault *why) MUST_USE;
/* Lines already read still come. */
void pipes_in_pause(struct pipe_in *pipe, bool paused);
/* Reads what there is without waiting, paused or not: nobody is left who writes. */
void pipes_in_drain(struct pipe_in *pipe);
void pipes_in_close(struct pipe_in *pipe); /* harmless twice */

struct pipe_out_events {
	void (*drained)(void *context); /* all that the pipe had not taken at once was written */
	void (*released)(void *context);
};

struct pipe_out {
	uv_poll_t poll;
	struct loop *loop;
	struct task flush; /* at the pass end */
	const struct pipe_out_events *events;
	void *context;
	int descriptor; /* -1: closed */
	bool is_full;   /* it is watched until it takes more */
	size_t limit;
	char *waiting;
	size_t start, length, capacity; /* of what waits */
};

bool pipes_out_open(struct pipe_out *pipe, struct loop *loop, int descriptor, size_t limit,
	const struct pipe_out_events *events, void *context, struct fault *why) MUST_USE;
/* The line and an LF, copied. Line ends inside of it become blanks, or whoever wrote JSON on several
 * lines could put in messages of its own. Nothing of a refused line is written. */
bool pipes_out_write(struct pipe_out *pipe, struct slice line, struct fault *why) MUST_USE;
void pipes_out_flush(struct pipe_out *pipe); /* what was written leaves now, not at the pass end */
void pipes_out_close(struct pipe_out *pipe); /* what the pipe does not take now is dropped; harmless twice */

#endif
