/* SPDX-License-Identifier: Apache-2.0 */
/* Loop parts: what a loop is made of, for the files of net/ alone. */
#ifndef HUSTINGS_NET_LOOP_PARTS_H
#define HUSTINGS_NET_LOOP_PARTS_H

#include "base/clock.h"
#include "base/counters.h"
#include "net/deadline.h"
#include "net/letters.h"
#include "wire/frame.h"

#include <uv.h>

struct loop {
	uv_loop_t uv;
	uv_prepare_t before_wait;
	uv_check_t after_wait;
	uv_poll_t alarm; /* of the wheel */
	int alarm_descriptor;
	uv_timer_t patience; /* of loop_step() */
	struct link tasks;
	struct link hooks;
	struct link leaving; /* tasks of loop_at_close() */
	struct link signals;
	uint64_t armed; /* what the alarm is set to, ms; WHEEL_NEVER: idle */
	bool rearm;
	int64_t wall;      /* 0: not read in this pass */
	int64_t text_wall; /* what wall_text shows */
	char wall_text[CLOCK_TEXT_SIZE];
	_Atomic bool stopping;
	_Atomic uintptr_t thread; /* that runs it; 0: none does yet */
	char *buffer;
	struct frame *lent; /* see loop_lend() */
	struct frame_pool pool;
	struct wheel wheel;
	struct letters letters;
	uv_async_t bell; /* there are letters, or the loop is to stop */
	struct counters counters;
};

#endif
