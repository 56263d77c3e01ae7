/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loop: one thread's turn of waiting, reading and writing, over libuv.
 *
 * A pass is: wait; every ready thing is told (streams read, letters and deadlines delivered); then
 * tasks put off with loop_later() run, then the pass-end hooks in the order they were added (rooms
 * store and deliver what the pass brought, streams flush private frames). Everything of a loop is
 * touched by its thread alone; mailbox_post() and loop_stop() are the two doors from outside.
 * Owned: loop_close() after loop_run() has returned and everything on it was closed.
 */
#ifndef HUSTINGS_NET_LOOP_H
#define HUSTINGS_NET_LOOP_H

#include "base/clock.h"
#include "base/counters.h"
#include "base/fault.h"
#include "base/list.h"
#include "net/deadline.h"
#include "wire/frame.h"

#define LOOP_BUFFER (128 * 1024) /* the one shared read buffer */

struct loop;

struct loop *loop_open(struct fault *why) MUST_USE;
void loop_run(struct loop *loop);   /* until loop_stop() */
void loop_stop(struct loop *loop);  /* from any thread; loop_run() returns after the pass */
void loop_close(struct loop *loop); /* runs what is left to be closed; NULL is fine */

/* For a host program with a loop of its own: a descriptor that becomes readable when loop_step()
 * has work, how long it may wait at most (-1: for ever), and one pass that does not wait. */
int loop_descriptor(const struct loop *loop);
int loop_patience_ms(const struct loop *loop);
void loop_step(struct loop *loop, int wait_ms); /* one pass, waiting at most that long (-1: for ever) */

uint64_t loop_now(const struct loop *loop);    /* monotonic ms, read once a pass */
int64_t loop_wall(const struct loop *loop);    /* wall ms, read once a pass */
const char *loop_wall_text(struct loop *loop); /* the same as RFC 3339, 24 octets, written once a pass */
char *loop_buffer(struct loop *loop);
/* The frame in which the octets lie that are being told of, or NULL: what a stream of this loop has
 * to keep of them is kept in it, and not copied. Answers the one before. For the files of net/ alone. */
struct frame *loop_lend(struct loop *loop, struct frame *frame);
struct frame_pool *loop_pool(struct loop *loop);
struct counters *loop_counters(struct loop *loop);
bool loop_is_here(const struct loop *loop); /* this thread runs it (or none does yet) */

/* Run at a pass end, before the tasks. */
void deadline_set(struct loop *loop, struct deadline *deadline, uint64_t in_ms, deadline_fn *run);

/* Something to do once, after everything ready in this pass was told. Zeroed is idle; setting it
 * twice runs it once. Tasks that tasks put off run in the same pass. */
struct task;
typedef void task_fn(struct task *task);
struct task {
	struct link link;
	task_fn *run;
};
void loop_later(struct loop *loop, struct task *task, task_fn *run);
void task_clear(struct task *task); /* put off, or at the close: not any more */
/* For what nobody holds any more and what still ends by itself: run by loop_close() if it has not
 * by then. A task does one of the two at a time. */
void loop_at_close(struct loop *loop, struct task *task, task_fn *run);

/* Something to do at every pass end, and again in the same pass when hooks put off new tasks. Timers
 * have a pass end of their own before the loop waits, so a hook with nothing to do must be cheap. */
struct loop_hook {
	struct link link;
	void (*run)(struct loop_hook *hook);
};
void loop_hook_add(struct loop *loop, struct loop_hook *hook);
void loop_hook_remove(struct loop_hook *hook);

/* Unix signals, on this loop's thread. The context is the caller's. Owned by the loop. */
typedef void loop_signal_fn(void *context, int number);
bool loop_signal(struct loop *loop, int number, loop_signal_fn *run, void *context,
	struct fault *why) MUST_USE;

struct uv_loop_s *loop_uv(struct loop *loop); /* for the files of net/ alone */

#endif
