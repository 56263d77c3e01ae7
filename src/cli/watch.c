/* SPDX-License-Identifier: Apache-2.0 */
/* Watch: sits beside whoever uses the identity, and says nothing. */
#include "cli/watch.h"

#include "cli/entrance.h"
#include "cli/message.h"
#include "cli/room_line.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const struct command_option options[] = {
	{"history", "N", "begin with the last N envelopes, 0 to 1000 (0)"},
	{0},
};

static const struct command_form form = {
	.name = "watch",
	.usage = "TOPIC [options]",
	.summary = "Prints what passes in a room, one line each, until Ctrl-C.",
	.more = "It comes back by itself after a break, without gap or repeat. With --json each line is an\n"
		"envelope. Examples:\n"
		"  hustings watch demo --history 20\n"
		"  hustings watch demo --json | jq .payload",
	.options = options,
	.least = 1,
	.most = 1,
	.reaches = true,
	.prints = true,
};

struct watching {
	struct entrance entrance;
	struct membership *membership;
	struct room_line_style style;
	struct text text;
	struct fault why; /* why it is over; FAULT_NONE: it was told to end */
	bool is_json;
};

static void stop(struct watching *watching, const struct fault *why) {
	watching->why = *why;
	loop_stop(watching->entrance.loop);
}

static void show(struct watching *watching, const struct envelope *envelope) {
	struct fault why;
	text_clear(&watching->text);
	room_line_write(&watching->text, envelope, &watching->style);
	if (watching->text.length == 0 || command_print(text_slice(&watching->text))) return;
	fault_set(&why, FAULT_IO, "nobody reads what is printed");
	stop(watching, &why);
}

/* What the welcome brings of the history. */
static void show_history(struct watching *watching, const struct envelope *welcome) {
	struct scan_value envelopes;
	struct scan_walk walk;
	struct scan_member item;
	char lent[4096];
	struct arena arena;
	if (!scan_path(&welcome->payload, &envelopes, "history", "envelopes", NULL) ||
		envelopes.type != SCAN_ARRAY)
		return;
	arena_init(&arena, lent, sizeof lent, 0);
	for (scan_open(&walk, &envelopes); scan_next(&walk, &item);) {
		struct envelope envelope;
		struct envelope_refusal refusal;
		arena_reset(&arena);
		if (envelope_read(&envelope, item.value.text, &arena, &refusal)) show(watching, &envelope);
	}
	arena_finish(&arena);
}

static void joined(void *context, const struct envelope *welcome, bool again) {
	struct watching *watching = context;
	watching->style.self = membership_id(watching->membership);
	if (!again) show_history(watching, welcome);
	if (watching->is_json) return;
	fprintf(stderr, again ? "* back in %s\n" : "* watching %s as %.*s; Ctrl-C ends\n",
		membership_topic(watching->membership).bytes, SLICE_ARGS(watching->style.self));
}

static void came(void *context, const struct envelope *envelope, enum membership_origin origin) {
	(void)origin;
	show(context, envelope);
}

static void lost(void *context, const struct fault *why, uint64_t again_in_ms) {
	(void)context;
	fprintf(stderr, "hustings: %s; trying again in %.1f s\n", why->text, (double)again_in_ms / 1000);
}

static void ended(void *context, const struct fault *why) { stop(context, why); }

static bool watch(struct watching *watching, const struct command_line *line, uint64_t history,
	struct fault *why) {
	static const struct membership_events events = {joined, came, lost, NULL, ended};
	if (!entrance_open(&watching->entrance, line, NULL, REACH_DAY_MS, why) ||
		!entrance_signals(&watching->entrance, why))
		return false;
	struct membership_options wishes = entrance_options(&watching->entrance, line->words[0]);
	wishes.kind = "human";
	wishes.history = (unsigned)history;
	wishes.is_beside = true;
	wishes.stays = true;
	watching->membership =
		membership_open(watching->entrance.loop, &wishes, &events, watching, why);
	if (!watching->membership) return false;
	loop_run(watching->entrance.loop);
	if (watching->why.code == FAULT_NONE) return true;
	reach_explain(&watching->entrance.reach, false, &watching->why);
	if (why) *why = watching->why;
	return false;
}

int watch_command(int argc, char **argv) {
	int status;
	struct fault why;
	uint64_t history;
	AUTO_COMMAND struct command_line line = {0};
	if (!command_read(&line, &form, argc, argv, &status) ||
		!message_topic(&line, line.words[0], &status))
		return status;
	if (!command_number(&line, "history", 0, 1000, 0, &history)) return COMMAND_USAGE;
	struct watching watching = {.is_json = command_has(&line, "json")};
	watching.style.is_raw = watching.is_json;
	watching.style.has_colours = isatty(STDOUT_FILENO) && !getenv("NO_COLOR");
	text_init(&watching.text, 0);
	bool done = watch(&watching, &line, history, &why);
	membership_close(watching.membership);
	entrance_close(&watching.entrance);
	text_finish(&watching.text);
	return done ? COMMAND_FINE : command_fail(&why);
}
