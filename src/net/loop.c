/* SPDX-License-Identifier: Apache-2.0 */
/* Loop: libuv's turn with a pass end on both sides of its wait, so that nothing is left undone. */
#include "net/loop.h"
#include "net/loop_parts.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/timerfd.h>
#include <unistd.h>

#define FREE_FRAMES 32
#define PASS_ROUNDS 64 /* of tasks that make new tasks, before the sockets are looked at again */

struct loop_watch {
	struct link link;
	uv_signal_t handle;
	loop_signal_fn *run;
	void *context;
};

/* One pass */

static void run_all(struct link *tasks) {
	for (struct link *link; (link = list_pop(tasks));) {
		struct task *task = CONTAINER_OF(link, struct task, link);
		task->run(task);
	}
}

/* A marker walks behind the hook at hand, so that any hook may be removed by any. */
static void run_hooks(struct loop *loop) {
	struct link marker;
	list_init(&marker);
	list_prepend(&loop->hooks, &marker);
	while (marker.next != &loop->hooks) {
		struct link *link = marker.next;
		list_remove(&marker);
		list_prepend(link, &marker);
		struct loop_hook *hook = CONTAINER_OF(link, struct loop_hook, link);
		hook->run(hook);
	}
	list_remove(&marker);
}

static void loop_pass_end(struct loop *loop) {
	uint64_t now = uv_now(&loop->uv);
	if (now >> WHEEL_TICK_BITS > loop->wheel.tick) wheel_advance(&loop->wheel, now);

	for (unsigned round = 0; round < PASS_ROUNDS; round++) {
		run_all(&loop->tasks);
		run_hooks(loop);
		if (list_is_empty(&loop->tasks)) break;
	}
	loop->wall = 0;
}

/* The wheel's alarm is a descriptor of its own, set anew only when another deadline comes first: a
 * timer of libuv's would have the kernel set one and take it back at every wait. */
static void alarm_set(struct loop *loop, uint64_t at) {
	struct itimerspec when = {0}; /* all zero: never */
	if (at != WHEEL_NEVER) {
		at++; /* libuv reads the same clock, but may be up to a millisecond behind */
		when.it_value.tv_sec = (time_t)(at / 1000);
		when.it_value.tv_nsec = (long)(at % 1000 * 1000000);
	}
	/* Setting it forgets that it rang. */
	timerfd_settime(loop->alarm_descriptor, TFD_TIMER_ABSTIME, &when, NULL);
}

static void alarm_rang(uv_poll_t *alarm, int status, int ready) {
	struct loop *loop = alarm->data;
	(void)status, (void)ready;
	loop->armed = WHEEL_NEVER;
	loop->rearm = true;
}

static void loop_arm(struct loop *loop) {
	if (!list_is_empty(&loop->tasks)) {
		loop->armed = uv_now(&loop->uv);
	} else {
		if (!loop->rearm) return;
		loop->armed = wheel_next(&loop->wheel);
	}
	loop->rearm = false;
	alarm_set(loop, loop->armed);
}

/* Timers and what the caller did before the first pass have not seen a pass end yet. */
static void before_wait(uv_prepare_t *handle) {
	struct loop *loop = handle->data;
	loop_pass_end(loop);
	loop_arm(loop);
}

static void after_wait(uv_check_t *handle) { loop_pass_end(handle->data); }

/* Opening and closing */

static void loop_start_handles(struct loop *loop) {
	uv_prepare_init(&loop->uv, &loop->before_wait);
	uv_check_init(&loop->uv, &loop->after_wait);
	uv_poll_init(&loop->uv, &loop->alarm, loop->alarm_descriptor);
	uv_timer_init(&loop->uv, &loop->patience);
	loop->before_wait.data = loop->after_wait.data = loop;
	loop->alarm.data = loop->patience.data = loop->bell.data = loop;
	uv_prepare_start(&loop->before_wait, before_wait);
	uv_check_start(&loop->after_wait, after_wait);
	uv_poll_start(&loop->alarm, UV_READABLE, alarm_rang);
}

static void bell_rang(uv_async_t *bell) {
	struct loop *loop = bell->data;
	if (atomic_load_explicit(&loop->stopping, memory_order_acquire)) uv_stop(&loop->uv);
	letters_deliver(&loop->letters);
}

struct loop *loop_open(struct fault *why) {
	AUTO_FREE struct loop *loop = calloc(1, sizeof(*loop));
	AUTO_FREE char *buffer = malloc(LOOP_BUFFER);
	if (!loop || !buffer) return fault_null(why, FAULT_NO_MEMORY, "no memory for a loop");
	int error = uv_loop_init(&loop->uv);
	if (error) {
		fault_errno(why, -error, "cannot open a loop");
		return NULL;
	}
	loop->alarm_descriptor = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	if (loop->alarm_descriptor < 0) {
		fault_errno(why, errno, "cannot make a loop's alarm");
		uv_loop_close(&loop->uv);
		return NULL;
	}
	letters_init(&loop->letters);
	error = uv_async_init(&loop->uv, &loop->bell, bell_rang);
	if (error) {
		fault_errno(why, -error, "cannot make a loop's bell");
		close(loop->alarm_descriptor);
		uv_loop_close(&loop->uv);
		return NULL;
	}
	loop->buffer = TAKE(buffer);
	list_init(&loop->tasks);
	list_init(&loop->hooks);
	list_init(&loop->leaving);
	list_init(&loop->signals);
	loop->armed = WHEEL_NEVER;
	wheel_init(&loop->wheel, uv_now(&loop->uv));
	frame_pool_init(&loop->pool, FREE_FRAMES);
	loop_start_handles(loop);
	return TAKE(loop);
}

static void watch_free(uv_handle_t *handle) { free(handle->data); }

/* What an owner forgot is closed without a word: a loop that hangs helps nobody. */
static void close_handle(uv_handle_t *handle, void *context) {
	(void)context;
	if (!uv_is_closing(handle)) uv_close(handle, NULL);
}

void loop_close(struct loop *loop) {
	if (!loop) return;
	atomic_store(&loop->thread, 0);
	letters_deliver(&loop->letters);
	loop_pass_end(loop);
	uv_update_time(&loop->uv);
	run_all(&loop->leaving);
	for (struct link *link; (link = list_pop(&loop->signals));) {
		struct loop_watch *watch = CONTAINER_OF(link, struct loop_watch, link);
		uv_close((uv_handle_t *)&watch->handle, watch_free);
	}
	uv_walk(&loop->uv, close_handle, NULL);
	uv_run(&loop->uv, UV_RUN_DEFAULT);
	uv_loop_close(&loop->uv);
	close(loop->alarm_descriptor);
	frame_pool_finish(&loop->pool);
	free(loop->buffer);
	free(loop);
}

/* Running */

void loop_run(struct loop *loop) {
	atomic_store(&loop->thread, (uintptr_t)pthread_self());
	while (!atomic_load_explicit(&loop->stopping, memory_order_acquire))
		uv_run(&loop->uv, UV_RUN_DEFAULT);
	atomic_store(&loop->stopping, false);
}

void loop_stop(struct loop *loop) {
	atomic_store_explicit(&loop->stopping, true, memory_order_release);
	uv_async_send(&loop->bell);
}

int loop_descriptor(const struct loop *loop) { return uv_backend_fd(&loop->uv); }

int loop_patience_ms(const struct loop *constant) {
	struct loop *loop = (struct loop *)constant; /* the clock is read anew, nothing else changes */
	uv_update_time(&loop->uv);
	loop_arm(loop);
	int patience = uv_backend_timeout(&loop->uv);
	if (loop->armed == WHEEL_NEVER) return patience;
	uint64_t now = uv_now(&loop->uv), in_ms = loop->armed > now ? loop->armed - now : 0;
	if (in_ms > INT32_MAX) in_ms = INT32_MAX;
	return patience < 0 || (uint64_t)patience > in_ms ? (int)in_ms : patience;
}

static void patience_ends(uv_timer_t *timer) { (void)timer; }

void loop_step(struct loop *loop, int wait_ms) {
	atomic_store(&loop->thread, (uintptr_t)pthread_self());
	if (wait_ms > 0) {
		uv_update_time(&loop->uv);
		uv_timer_start(&loop->patience, patience_ends, (uint64_t)wait_ms, 0);
	}
	uv_run(&loop->uv, wait_ms == 0 ? UV_RUN_NOWAIT : UV_RUN_ONCE);
	uv_timer_stop(&loop->patience);
	loop_pass_end(loop); /* libuv runs timers once more at the end of a single turn */
}

bool loop_is_here(const struct loop *loop) {
	uintptr_t thread = atomic_load_explicit(&((struct loop *)loop)->thread, memory_order_relaxed);
	return !thread || pthread_equal((pthread_t)thread, pthread_self());
}

/* Time */

uint64_t loop_now(const struct loop *loop) { return uv_now(&loop->uv); }

int64_t loop_wall(const struct loop *constant) {
	struct loop *loop = (struct loop *)constant; /* read at the first question of a pass */
	if (!loop->wall) loop->wall = clock_wall_ms();
	return loop->wall;
}

const char *loop_wall_text(struct loop *loop) {
	int64_t wall = loop_wall(loop);
	if (wall != loop->text_wall) {
		clock_write(wall, loop->wall_text);
		loop->text_wall = wall;
	}
	return loop->wall_text;
}

void deadline_set(struct loop *loop, struct deadline *deadline, uint64_t in_ms, deadline_fn *run) {
	deadline_clear(deadline);
	uint64_t now = uv_now(&loop->uv);
	deadline->at = in_ms < UINT64_MAX - now ? now + in_ms : UINT64_MAX;
	deadline->run = run;
	if (wheel_place(&loop->wheel, deadline) < loop->armed) loop->rearm = true;
}

/* What the pass end does */

static bool is_listed(const struct link *link) { return link->next && !list_is_empty(link); }

void loop_later(struct loop *loop, struct task *task, task_fn *run) {
	task->run = run;
	if (!is_listed(&task->link)) list_append(&loop->tasks, &task->link);
}

void loop_at_close(struct loop *loop, struct task *task, task_fn *run) {
	task->run = run;
	if (!is_listed(&task->link)) list_append(&loop->leaving, &task->link);
}

void task_clear(struct task *task) {
	if (is_listed(&task->link)) list_remove(&task->link);
}

void loop_hook_add(struct loop *loop, struct loop_hook *hook) {
	if (!is_listed(&hook->link)) list_append(&loop->hooks, &hook->link);
}

void loop_hook_remove(struct loop_hook *hook) {
	if (is_listed(&hook->link)) list_remove(&hook->link);
}

/* The rest */

static void signal_came(uv_signal_t *handle, int number) {
	struct loop_watch *watch = handle->data;
	watch->run(watch->context, number);
}

bool loop_signal(struct loop *loop, int number, loop_signal_fn *run, void *context,
	struct fault *why) {
	struct loop_watch *watch = malloc(sizeof(*watch));
	if (!watch) return fault_set(why, FAULT_NO_MEMORY, "no memory to watch signal %d", number);
	watch->run = run;
	watch->context = context;
	uv_signal_init(&loop->uv, &watch->handle);
	watch->handle.data = watch;
	int error = uv_signal_start(&watch->handle, signal_came, number);
	if (error) {
		uv_close((uv_handle_t *)&watch->handle, watch_free);
		return fault_errno(why, -error, "cannot watch signal %d", number);
	}
	list_append(&loop->signals, &watch->link);
	return true;
}

char *loop_buffer(struct loop *loop) { return loop->buffer; }
struct frame *loop_lend(struct loop *loop, struct frame *frame) {
	struct frame *before = loop->lent;
	loop->lent = frame;
	return before;
}
struct frame_pool *loop_pool(struct loop *loop) {
	return &loop->pool;
}
struct counters *loop_counters(struct loop *loop) {
	return &loop->counters;
}
struct uv_loop_s *loop_uv(struct loop *loop) {
	return &loop->uv;
}
