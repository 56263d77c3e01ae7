/* SPDX-License-Identifier: Apache-2.0 */
/* Attachment: what follows when one of the two ends, or somebody says so. */
#include "cli/attachment.h"

#include "cli/attached_facts.h"

#include <stdio.h>

#define STOP_MS 2000  /* that the server gets to end by itself */
#define DRAIN_MS 5000 /* that last answers get to leave */
#define PAUSE_MS 1000 /* before the first new start, doubling */
#define PAUSE_MOST_MS 30000
#define STEADY_MS 60000 /* of life, after which the next death is a first one again */

static bool start(struct attachment *attachment, struct fault *why);

/* ---- The end ---- */

static void drained_or_late(struct deadline *deadline) {
	loop_stop(CONTAINER_OF(deadline, struct attachment, pause)->loop);
}

/* The server is gone: its last answers leave, then we do. */
static void leave(struct attachment *attachment) {
	if (attachment->seat && !attached_seat_is_drained(attachment->seat))
		deadline_set(attachment->loop, &attachment->pause, DRAIN_MS, drained_or_late);
	else
		loop_stop(attachment->loop);
}

static void end(struct attachment *attachment, const struct fault *why) {
	if (why && !attachment->is_ending) attachment->why = *why;
	if (attachment->is_ending) return;
	attachment->is_ending = true;
	deadline_clear(&attachment->pause);
	if (attachment->child) attached_child_stop(attachment->child, STOP_MS);
	else leave(attachment);
}

void attachment_stop(struct attachment *attachment) {
	if (attachment->is_ending) loop_stop(attachment->loop);
	else end(attachment, NULL);
}

/* ---- Starting again ---- */

static void start_again(struct deadline *deadline) {
	struct attachment *attachment = CONTAINER_OF(deadline, struct attachment, pause);
	struct fault why;
	if (!start(attachment, &why)) end(attachment, &why);
}

static void plan_start(struct attachment *attachment, const struct fault *why) {
	if (loop_now(attachment->loop) - attachment->started_at >= STEADY_MS) attachment->starts_in_vain = 0;
	unsigned doublings = attachment->starts_in_vain < 8 ? attachment->starts_in_vain : 8;
	uint64_t pause = (uint64_t)PAUSE_MS << doublings;
	if (pause > PAUSE_MOST_MS) pause = PAUSE_MOST_MS;
	attachment->starts_in_vain++;
	fprintf(stderr, "hustings: the server %s; starting it again in %llu s\n", why->text,
		(unsigned long long)(pause / 1000));
	deadline_set(attachment->loop, &attachment->pause, pause, start_again);
}

/* ---- The seat ---- */

static void joined(void *context, bool again) {
	struct attachment *attachment = context;
	const struct attachment_options *options = &attachment->options;
	AUTO_TEXT struct text name = {0};
	if (again) {
		fprintf(stderr, "hustings: back in %s\n", options->seat.membership.topic);
		return;
	}
	text_init(&name, 0);
	if (attachment->child) attached_facts_name(&name, attached_child_facts(attachment->child));
	printf("attached %s to %s: %s\n", options->id, options->seat.membership.topic,
		name.bytes ? name.bytes : "");
	fflush(stdout);
}

static void lost(void *context, const struct fault *why, uint64_t again_in_ms) {
	(void)context;
	fprintf(stderr, "hustings: %s; trying again in %.1f s\n", why->text, (double)again_in_ms / 1000);
}

static void seat_ended(void *context, const struct fault *why) { end(context, why); }

static void seat_drained(void *context) {
	struct attachment *attachment = context;
	if (attachment->is_ending && !attachment->child) loop_stop(attachment->loop);
}

static bool sit_down(struct attachment *attachment, struct fault *why) {
	static const struct attached_seat_events events = {joined, lost, seat_ended, seat_drained};
	attachment->seat = attached_seat_open(attachment->loop, &attachment->options.seat, &events,
		attachment, why);
	return attachment->seat != NULL;
}

/* ---- The server ---- */

static void ready(void *context) {
	struct attachment *attachment = context;
	struct fault why;
	attachment->was_ready = true;
	if (attachment->is_ending) return;
	if ((attachment->seat || sit_down(attachment, &why)) &&
		attached_seat_serve(attachment->seat, attachment->child, &why))
		return;
	end(attachment, &why);
}

static void told(void *context, const struct jsonrpc *notification) {
	struct attachment *attachment = context;
	if (attachment->seat) attached_seat_told(attachment->seat, notification);
}

static void said(void *context, struct slice line) {
	struct attachment *attachment = context;
	AUTO_TEXT struct text shown = {0};
	text_init(&shown, 0);
	text_display(&shown, line);
	fprintf(stderr, "[%s] %s\n", attachment->options.id, text_failed(&shown) ? "" : shown.bytes);
}

static void child_ended(void *context, const struct fault *why) {
	struct attachment *attachment = context;
	struct fault own = *why;
	if (attachment->seat && !attached_seat_serve(attachment->seat, NULL, &own)) own = *why;
	attached_child_close(TAKE(attachment->child));
	if (attachment->is_ending) {
		leave(attachment);
	} else if (attachment->options.restarts && attachment->was_ready) {
		plan_start(attachment, &own);
	} else {
		fault_before(&own, "the server ");
		end(attachment, &own);
	}
}

static bool start(struct attachment *attachment, struct fault *why) {
	static const struct attached_child_events events = {ready, told, said, child_ended};
	attachment->started_at = loop_now(attachment->loop);
	attachment->child = attached_child_open(attachment->loop, attachment->options.arguments,
		attachment->options.environment, &events, attachment, why);
	return attachment->child != NULL;
}

bool attachment_run(struct attachment *attachment, struct loop *loop,
	const struct attachment_options *options, struct fault *why) {
	attachment->loop = loop;
	attachment->options = *options;
	if (!start(attachment, why)) return false;
	loop_run(loop);
	deadline_clear(&attachment->pause);
	attached_child_close(TAKE(attachment->child));
	attached_seat_close(TAKE(attachment->seat));
	if (attachment->why.code == FAULT_NONE) return true;
	if (why) *why = attachment->why;
	return false;
}
