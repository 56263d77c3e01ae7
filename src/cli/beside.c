/* SPDX-License-Identifier: Apache-2.0 */
/* Beside: a guest that comes for one thing. */
#include "cli/beside.h"

#include "base/clock.h"
#include "cli/ask.h"
#include "cli/message.h"

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

bool beside_explain(const char *topic, struct fault *why) {
	struct fault plain = *why;
	if (plain.code != FAULT_NOT_FOUND || !strstr(plain.text, "is not in the room")) return false;
	fault_set(why, plain.code, "%.140s: `hustings tools %.60s` lists who is", plain.text, topic);
	return true;
}

/* A token's end closes the room: it has to outlive a list and a call. */
static int64_t token_life(const struct command_line *line) {
	const char *span = command_value(line, "timeout");
	int64_t timeout = 0;
	if (!span || !clock_span_read(slice_of(span), &timeout, NULL)) return REACH_BRIEF_MS;
	return timeout > REACH_BRIEF_MS / 4 ? REACH_DAY_MS : REACH_BRIEF_MS;
}

/* A room is opened by whoever enters: a name that was mistyped is told before. */
static bool is_known(const struct reach *reach, const char *topic, struct fault *why) {
	struct fault own;
	AUTO_TEXT struct text path = {0}, answer = {0};
	text_init(&path, 0);
	text_init(&answer, 0);
	if (!message_path(reach, topic, "participants", &path))
		return fault_set(why, FAULT_NO_MEMORY, "no memory for a request");
	if (ask(reach, "GET", path.bytes, SLICE_NONE, &answer, &own)) return true;
	if (own.code != FAULT_NOT_FOUND) return fault_set(why, own.code, "%s", own.text);
	return fault_set(why, FAULT_NOT_FOUND, "there is no topic %s: `hustings topic list` lists them", topic);
}

bool beside_open(struct beside *beside, const struct command_line *line, const char *topic,
	void (*ready)(void *context), void *context, struct fault *why) {
	return beside_open_with(beside, line, topic, SLICE_NONE, ready, context, why);
}

bool beside_open_with(struct beside *beside, const struct command_line *line, const char *topic,
	struct slice capabilities, void (*ready)(void *context), void *context, struct fault *why) {
	static const struct guest_events events = {.joined = joined, .ended = ended};
	*beside = (struct beside){.ready = ready, .context = context};
	if (!entrance_open(&beside->entrance, line, NULL, token_life(line), why) ||
		!is_known(&beside->entrance.reach, topic, why) || !entrance_signals(&beside->entrance, why))
		return false;
	struct guest_options options = {.membership = entrance_options(&beside->entrance, topic),
		.is_silent = true,
		.capabilities = capabilities};
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
	reach_explain(&beside->entrance.reach, false, &beside->why);
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
