/* SPDX-License-Identifier: Apache-2.0 */
/* Beside: a guest that comes for one thing. */
#include "cli/beside.h"

#include <signal.h>

#define LAST_WORDS_MS 2000

void beside_done(struct beside *beside, const struct fault *why) {
	if (beside->is_over) return;
	beside->is_over = true;
	if (why) beside->why = *why;
	loop_stop(beside->entrance.loop);
}

/* After the pass of the welcome the roster is whole. */
static void arrived(struct task *task) {
	struct beside *beside = CONTAINER_OF(task, struct beside, arrived);
	if (!beside->is_over) beside->ready(beside->context);
}

static void joined(void *context, const struct envelope *welcome, bool again) {
	struct beside *beside = context;
	(void)welcome;
	if (!again) loop_later(beside->entrance.loop, &beside->arrived, arrived);
}

static void ended(void *context, const struct fault *why) { beside_done(context, why); }

bool beside_open(struct beside *beside, const struct command_line *line, const char *topic,
	void (*ready)(void *context), void *context, struct fault *why) {
	static const struct guest_events events = {.joined = joined, .ended = ended};
	*beside = (struct beside){.ready = ready, .context = context};
	if (!entrance_open(&beside->entrance, line, NULL, why) || !entrance_signals(&beside->entrance, why))
		return false;
	struct guest_options options = {.membership = entrance_options(&beside->entrance, topic),
		.is_silent = true};
	options.membership.kind = "human";
	options.membership.is_beside = true;
	beside->guest = guest_open(beside->entrance.loop, &options, &events, beside, why);
	return beside->guest != NULL;
}

bool beside_run(struct beside *beside, struct fault *why) {
	if (!beside->is_over) loop_run(beside->entrance.loop);
	if (!beside->is_over) {
		beside->is_over = true;
		fault_set(&beside->why, FAULT_CLOSED, "ended by signal %d", beside->entrance.stopped_by);
	}
	if (beside->why.code == FAULT_NONE) return true;
	if (why) *why = beside->why;
	return false;
}

static void stop_waiting(struct deadline *deadline) {
	deadline_clear(deadline); /* being idle says that the time is over */
}

static void say_last_words(struct beside *beside) {
	struct deadline patience = {0};
	const struct membership *membership = guest_membership(beside->guest);
	deadline_set(beside->entrance.loop, &patience, LAST_WORDS_MS, stop_waiting);
	while (patience.at && membership_state(membership) == MEMBERSHIP_JOINED &&
		!membership_is_drained(membership))
		loop_step(beside->entrance.loop, -1);
	deadline_clear(&patience);
}

void beside_close(struct beside *beside) {
	if (beside->guest) {
		say_last_words(beside);
		guest_close(TAKE(beside->guest));
		loop_step(beside->entrance.loop, 0);
	}
	entrance_close(&beside->entrance);
}
