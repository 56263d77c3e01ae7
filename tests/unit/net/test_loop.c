/* SPDX-License-Identifier: Apache-2.0 */
#include "net_rig.h"

#include "net/deadline.h"
#include "net/mailbox.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>

/* What happened, in order, one letter each. */
struct story {
	struct loop *loop;
	char text[64];
	struct task first, second;
	struct loop_hook hook, other_hook;
	struct deadline deadline;
};
static struct story story;

static void tell(char letter) {
	size_t length = strlen(story.text);
	assert_true(length + 1 < sizeof(story.text));
	story.text[length] = letter;
}

static int set_up(void **state) {
	(void)state;
	memset(&story, 0, sizeof(story));
	story.loop = rig_loop();
	return 0;
}

static int tear_down(void **state) {
	(void)state;
	loop_close(story.loop);
	return 0;
}

static void second_task(struct task *task) {
	(void)task;
	tell('2');
}

static void first_task(struct task *task) {
	(void)task;
	tell('1');
	loop_later(story.loop, &story.second, second_task);
}

static void hook_runs(struct loop_hook *hook) { tell(hook == &story.hook ? 'h' : 'o'); }

static void a_task_set_twice_runs_once(void **state) {
	(void)state;
	loop_later(story.loop, &story.second, second_task);
	loop_later(story.loop, &story.second, second_task);
	loop_step(story.loop, 0);
	loop_step(story.loop, 0);
	assert_string_equal(story.text, "2");
}

static void a_cleared_task_does_not_run(void **state) {
	(void)state;
	task_clear(&story.second); /* zeroed is idle */
	loop_later(story.loop, &story.second, second_task);
	task_clear(&story.second);
	loop_step(story.loop, 0);
	assert_string_equal(story.text, "");
	loop_later(story.loop, &story.second, second_task);
	loop_step(story.loop, 0);
	assert_string_equal(story.text, "2");
}

static void tasks_that_tasks_put_off_come_before_the_hooks(void **state) {
	(void)state;
	story.hook.run = story.other_hook.run = hook_runs;
	loop_hook_add(story.loop, &story.hook);
	loop_hook_add(story.loop, &story.other_hook);
	loop_later(story.loop, &story.first, first_task);
	loop_step(story.loop, 0);
	story.text[4] = '\0'; /* later pass ends run the hooks again */
	assert_string_equal(story.text, "12ho");
	loop_hook_remove(&story.hook);
	loop_hook_remove(&story.other_hook);
}

static void removing_hook(struct loop_hook *hook) {
	tell('r');
	loop_hook_remove(hook);
	loop_hook_remove(&story.other_hook);
}

static void a_hook_may_remove_itself_and_its_neighbour(void **state) {
	(void)state;
	story.hook.run = removing_hook;
	story.other_hook.run = hook_runs;
	loop_hook_add(story.loop, &story.hook);
	loop_hook_add(story.loop, &story.other_hook);
	loop_step(story.loop, 0);
	assert_string_equal(story.text, "r");
	loop_hook_remove(&story.hook);
}

static void task_from_hook(struct loop_hook *hook) {
	tell('h');
	loop_hook_remove(hook);
	loop_later(story.loop, &story.first, first_task);
}

static void tasks_that_hooks_put_off_run_in_the_same_pass_end(void **state) {
	(void)state;
	story.hook.run = task_from_hook;
	loop_hook_add(story.loop, &story.hook);
	loop_step(story.loop, 0);
	assert_string_equal(story.text, "h12");
}

static uint64_t called_at;
static void deadline_runs(struct deadline *deadline) {
	assert_int_equal(deadline->at, 0);
	called_at = loop_now(story.loop);
	tell('d');
}

static void a_deadline_is_not_called_early(void **state) {
	(void)state;
	deadline_set(story.loop, &story.deadline, 25, deadline_runs);
	uint64_t at = story.deadline.at;
	RIG_UNTIL(story.loop, story.text[0]);
	assert_true(called_at >= at);
	assert_string_equal(story.text, "d");
}

static void a_cleared_deadline_is_not_called(void **state) {
	(void)state;
	struct deadline other = {0};
	deadline_clear(&other);
	deadline_set(story.loop, &other, 1, deadline_runs);
	deadline_set(story.loop, &story.deadline, 40, deadline_runs);
	deadline_clear(&other);
	RIG_UNTIL(story.loop, story.text[0]);
	assert_string_equal(story.text, "d");
}

static void deadline_with_task(struct deadline *deadline) {
	(void)deadline;
	loop_later(story.loop, &story.second, second_task);
}

/* With nothing else to wake it, a loop that waits for ever must have done the deadline's work. */
static void what_a_deadline_puts_off_is_done_before_the_loop_waits(void **state) {
	(void)state;
	deadline_set(story.loop, &story.deadline, 1, deadline_with_task);
	uint64_t end = clock_monotonic_ms() + RIG_PATIENCE_MS;
	while (loop_patience_ms(story.loop) != -1) {
		assert_true(clock_monotonic_ms() < end);
		loop_step(story.loop, -1);
	}
	assert_string_equal(story.text, "2");
}

static void task_that_stops(struct task *task) {
	(void)task;
	tell('s');
	loop_stop(story.loop);
}

static void deadline_that_stops(struct deadline *deadline) {
	(void)deadline;
	loop_later(story.loop, &story.first, task_that_stops);
}

static void a_running_loop_does_what_its_deadlines_put_off(void **state) {
	(void)state;
	deadline_set(story.loop, &story.deadline, 5, deadline_that_stops);
	loop_run(story.loop);
	assert_string_equal(story.text, "s");
}

static void *stop_it(void *loop) {
	loop_stop(loop);
	return NULL;
}

static void a_loop_is_stopped_from_another_thread_and_runs_again(void **state) {
	(void)state;
	for (int i = 0; i < 3; i++) {
		pthread_t thread;
		assert_int_equal(pthread_create(&thread, NULL, stop_it, story.loop), 0);
		loop_run(story.loop);
		pthread_join(thread, NULL);
	}
}

static void *ask_is_here(void *answer) {
	*(bool *)answer = loop_is_here(story.loop);
	return NULL;
}

static bool is_here_elsewhere(void) {
	bool here = false;
	pthread_t thread;
	assert_int_equal(pthread_create(&thread, NULL, ask_is_here, &here), 0);
	pthread_join(thread, NULL);
	return here;
}

static void a_loop_is_where_its_thread_is(void **state) {
	(void)state;
	assert_true(is_here_elsewhere()); /* nobody runs it yet */
	loop_step(story.loop, 0);
	assert_true(loop_is_here(story.loop));
	assert_false(is_here_elsewhere());
}

static int number_seen;
static void signal_came(void *context, int number) {
	assert_ptr_equal(context, &number_seen);
	number_seen = number;
}

static void signals_are_told_on_the_loop(void **state) {
	(void)state;
	struct fault why;
	number_seen = 0;
	assert_true(loop_signal(story.loop, SIGUSR1, signal_came, &number_seen, &why));
	assert_false(loop_signal(story.loop, SIGKILL, signal_came, &number_seen, &why));
	kill(getpid(), SIGUSR1);
	RIG_UNTIL(story.loop, number_seen);
	assert_int_equal(number_seen, SIGUSR1);
}

static void the_wall_clock_is_read_once_a_pass(void **state) {
	(void)state;
	char text[CLOCK_TEXT_SIZE];
	int64_t wall = loop_wall(story.loop);
	assert_true(wall > 0);
	uint64_t later = clock_monotonic_ms() + 3;
	while (clock_monotonic_ms() < later) {}
	assert_int_equal(loop_wall(story.loop), wall);
	clock_write(wall, text);
	assert_string_equal(loop_wall_text(story.loop), text);
	loop_step(story.loop, 0);
	assert_true(loop_wall(story.loop) != wall);
	clock_write(loop_wall(story.loop), text);
	assert_string_equal(loop_wall_text(story.loop), text);
}

static void deliver_nothing(struct letter *letter) {
	(void)letter;
	tell('l');
}

/* A host program waits on the descriptor, for as long as the loop says, and steps. */
static void a_host_waits_for_the_loop_by_its_descriptor(void **state) {
	(void)state;
	struct letter letter;
	loop_step(story.loop, 0);
	assert_int_equal(loop_patience_ms(story.loop), -1);
	struct pollfd ready = {.fd = loop_descriptor(story.loop), .events = POLLIN};
	assert_int_equal(poll(&ready, 1, 0), 0);

	assert_true(mailbox_post(story.loop, &letter, deliver_nothing));
	assert_int_equal(poll(&ready, 1, RIG_PATIENCE_MS), 1);
	RIG_UNTIL(story.loop, story.text[0]);

	deadline_set(story.loop, &story.deadline, 10 * 60 * 1000, deadline_runs);
	int patience = loop_patience_ms(story.loop);
	assert_true(patience > 0 && patience <= 10 * 60 * 1000 + 8);
	deadline_clear(&story.deadline);

	loop_later(story.loop, &story.second, second_task);
	assert_int_equal(loop_patience_ms(story.loop), 0);
	loop_step(story.loop, 0);
	assert_string_equal(story.text, "l2");
}

/* The wheel, on a clock of its own */

#define WHEELED 3000
static struct wheel wheel;
static struct deadline wheeled[WHEELED];
static uint64_t due[WHEELED];
static uint64_t wheel_now;
static unsigned wheel_ran;

static void wheeled_runs(struct deadline *deadline) {
	size_t which = (size_t)(deadline - wheeled);
	assert_true(wheel_now >= due[which]);
	assert_true(due[which] != 0);
	due[which] = 0;
	wheel_ran++;
}

static void wheel_set(size_t which, uint64_t at) {
	deadline_clear(&wheeled[which]);
	wheeled[which].at = due[which] = at;
	wheeled[which].run = wheeled_runs;
	uint64_t look = wheel_place(&wheel, &wheeled[which]);
	assert_true(look > wheel.tick << WHEEL_TICK_BITS);
	assert_true(wheel_next(&wheel) <= look);
}

/* Jumps to each moment the wheel asks for: nothing runs early, nothing more than a tick late. */
static void every_deadline_runs_in_its_tick(void **state) {
	(void)state;
	uint64_t spread[] = {10, 500, 40000, 3000000, 200000000, UINT64_C(20000000000)};
	srand(7);
	memset(wheeled, 0, sizeof(wheeled));
	wheel_now = 123456789;
	wheel_ran = 0;
	wheel_init(&wheel, wheel_now);
	for (size_t i = 0; i < WHEELED; i++)
		wheel_set(i, wheel_now + 1 + (uint64_t)rand() % spread[i % COUNT_OF(spread)]);
	for (size_t i = 0; i < WHEELED; i += 3) wheel_set(i, wheel_now + 1 + (uint64_t)rand() % spread[i % 6]);
	unsigned cleared = 0;
	for (size_t i = 1; i < WHEELED; i += 7, cleared++) {
		deadline_clear(&wheeled[i]);
		due[i] = 0;
	}

	for (uint64_t next; (next = wheel_next(&wheel)) != WHEEL_NEVER;) {
		assert_true(next > wheel_now);
		wheel_now = next;
		wheel_advance(&wheel, wheel_now);
		for (size_t i = 0; i < WHEELED; i++) assert_true(!due[i] || due[i] > wheel_now);
	}
	assert_int_equal(wheel_ran, WHEELED - cleared);
}

static void a_wheel_that_was_not_looked_at_for_long_runs_all_that_is_due(void **state) {
	(void)state;
	memset(wheeled, 0, sizeof(wheeled));
	memset(due, 0, sizeof(due));
	wheel_now = 99;
	wheel_ran = 0;
	wheel_init(&wheel, wheel_now);
	for (size_t i = 0; i < WHEELED; i++) wheel_set(i, wheel_now + 1 + i * 1000);
	wheel_now += 1000 * 1000;
	wheel_advance(&wheel, wheel_now);
	assert_in_range(wheel_ran, 1000, 1001);
	/* Placed by a clock that is far behind: still in order. */
	wheel_set(0, wheel_now + 5);
	wheel_now += 1000 * WHEELED;
	wheel_advance(&wheel, wheel_now);
	assert_int_equal(wheel_ran, WHEELED + 1);
	assert_true(wheel_next(&wheel) == WHEEL_NEVER);
}

static void a_deadline_for_ever_only_stays_in_the_wheel(void **state) {
	(void)state;
	memset(wheeled, 0, sizeof(wheeled));
	wheel_now = 5000;
	wheel_ran = 0;
	wheel_init(&wheel, wheel_now);
	wheel_set(0, UINT64_MAX);
	wheel_now += UINT64_C(3) * 365 * 86400 * 1000;
	wheel_advance(&wheel, wheel_now);
	assert_int_equal(wheel_ran, 0);
	deadline_clear(&wheeled[0]);
	assert_true(wheel_next(&wheel) == WHEEL_NEVER);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
	const struct CMUnitTest tests[] = {
		TEST(a_task_set_twice_runs_once),
		TEST(a_cleared_task_does_not_run),
		TEST(tasks_that_tasks_put_off_come_before_the_hooks),
		TEST(a_hook_may_remove_itself_and_its_neighbour),
		TEST(tasks_that_hooks_put_off_run_in_the_same_pass_end),
		TEST(a_deadline_is_not_called_early),
		TEST(a_cleared_deadline_is_not_called),
		TEST(what_a_deadline_puts_off_is_done_before_the_loop_waits),
		TEST(a_running_loop_does_what_its_deadlines_put_off),
		TEST(a_loop_is_stopped_from_another_thread_and_runs_again),
		TEST(a_loop_is_where_its_thread_is),
		TEST(signals_are_told_on_the_loop),
		TEST(the_wall_clock_is_read_once_a_pass),
		TEST(a_host_waits_for_the_loop_by_its_descriptor),
		cmocka_unit_test(every_deadline_runs_in_its_tick),
		cmocka_unit_test(a_wheel_that_was_not_looked_at_for_long_runs_all_that_is_due),
		cmocka_unit_test(a_deadline_for_ever_only_stays_in_the_wheel),
	};
	return cmocka_run_group_tests_name("net/loop", tests, NULL, NULL);
}
