/* SPDX-License-Identifier: Apache-2.0 */
/* Loop parts: what a loop is made of, for the files of net/ alone. */
#ifndef HUSTINGS_NET_LOOP_PARTS_H
#define HUSTINGS_NET_LOOP_PARTS_H

#include "net/deadline.h"
#include "net/loop.h"
#include "net/mailbox.h"

#include <uv.h>

/* Letters newest first; whoever finds it empty rings. */
struct mailbox {
	_Atomic(struct letter *) newest;
	_Atomic unsigned waiting;
	uv_async_t bell;
};

struct loop {
	uv_loop_t uv;
	uv_prepare_t before_wait;
	uv_check_t after_wait;
	uv_poll_t alarm; /* of the wheel */
	int alarm_descriptor;
	uv_timer_t patience; /* of loop_step() */
	struct link tasks;
	struct link hooks;
	struct link finishing; /* streams that nobody holds any more (net/stream.c), by their tasks */
	struct link leaving;   /* children that nobody holds any more and that still die (net/child.c) */
	struct link signals;
	uint64_t armed; /* what the alarm is set to, ms; WHEEL_NEVER: idle */
	bool rearm;
	int64_t wall;      /* 0: not read in this pass */
	int64_t text_wall; /* what wall_text shows */
	char wall_text[CLOCK_TEXT_SIZE];
	_Atomic bool stopping;
	_Atomic uintptr_t thread; /* that runs it; 0: none does yet */
	char *buffer;
	struct frame_pool pool;
	struct wheel wheel;
	struct mailbox mailbox;
	struct counters counters;
};

bool mailbox_init(struct loop *loop, struct fault *why) MUST_USE;
void mailbox_deliver(struct loop *loop);
void stream_close_finishing(struct loop *loop); /* at the loop's end */
void child_close_leaving(struct loop *loop);    /* at the loop's end */

#endif
