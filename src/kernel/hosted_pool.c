/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hosted pool: which conversation serves a request.
 *
 * One that a principal has had stays that principal's until it ends, since a server may remember.
 * Concurrent sessions of one principal get one each while there is a place, so that a legacy
 * server's question has one request it can belong to; beyond, those of one principal share. Other
 * principals wait, and a conversation that nobody uses makes place for them.
 */
#include "kernel/hosted_parts.h"

#include <stdlib.h>

static bool is_equal(const char *kept, struct slice words) {
	return kept && slice_is(words, kept);
}

static bool lives(const struct hosted_child *child) {
	return child->stage == HOSTED_OPENING || child->stage == HOSTED_OPEN;
}

bool hosted_pool_is_last(const struct hosted_child *child) {
	LIST_EACH(link, &child->hosted->children) {
		const struct hosted_child *other = CONTAINER_OF(link, struct hosted_child, link);
		if (other != child && lives(other)) return false;
	}
	return true;
}

/* One that nobody has used for the longest time makes place. False: all are in use. */
static bool make_place(struct hosted *hosted) {
	struct hosted_child *oldest = NULL;
	LIST_EACH(link, &hosted->children) {
		struct hosted_child *child = CONTAINER_OF(link, struct hosted_child, link);
		if (child->stage == HOSTED_ENDING) return true; /* its place is free in a moment */
		if (child->stage != HOSTED_OPEN || child->run_count || child->subscriptions) continue;
		if (!oldest || child->idle_since < oldest->idle_since) oldest = child;
	}
	if (!oldest) return false;
	hosted_child_stop(oldest, hosted->setup.of.stop_ms);
	return true;
}

static struct hosted_child *open_another(struct hosted *hosted, enum hosted_era era,
	struct fault *why) {
	if (hosted->child_count < hosted->setup.of.children)
		return hosted_child_open(hosted, era, false, why);
	(void)make_place(hosted);
	return NULL;
}

static bool claim(struct hosted_child *child, struct slice principal, struct fault *why) {
	if (child->principal) return true;
	child->principal = slice_copy(principal);
	return child->principal || fault_set(why, FAULT_NO_MEMORY, "no memory for another request");
}

/* ---- One principal's ---- */

/* What there is for a run, best first. */
struct choice {
	struct hosted_child *same;    /* in which its session runs, or has run last */
	struct hosted_child *idle;    /* of the principal */
	struct hosted_child *free;    /* nobody's yet */
	struct hosted_child *busy;    /* of the principal, with other sessions; the least used */
	struct hosted_child *opening; /* of the principal, or nobody's */
};

static void consider(struct choice *choice, struct hosted_child *child,
	const struct hosted_run *run) {
	bool is_mine = is_equal(child->principal, run->principal);
	if (child->principal && !is_mine) return;
	if (child->stage == HOSTED_OPENING) {
		if (!choice->opening || is_mine) choice->opening = child;
	} else if (is_mine && is_equal(child->session, run->session))
		choice->same = child;
	else if (is_mine && !child->run_count)
		choice->idle = child;
	else if (!child->principal)
		choice->free = child;
	else if (!choice->busy || child->run_count < choice->busy->run_count)
		choice->busy = child;
}

static struct choice look_around(const struct hosted_run *run) {
	struct choice choice = {.same = NULL};
	LIST_EACH(link, &run->hosted->children) {
		struct hosted_child *child = CONTAINER_OF(link, struct hosted_child, link);
		if (lives(child) && child->era == run->era) consider(&choice, child, run);
	}
	return choice;
}

static struct hosted_child *for_principal(struct hosted_run *run, struct fault *why) {
	const unsigned questions = HOSTED_CAN_SAMPLE | HOSTED_CAN_FORM | HOSTED_CAN_URL;
	struct choice choice = look_around(run);
	struct hosted_child *child = choice.same ? choice.same : choice.idle ? choice.idle
									     : choice.free;
	/* A modern server names the request that asks; a request without abilities cannot be asked. */
	bool may_share = run->era == HOSTED_MODERN || !(run->ask->abilities & questions);
	if (!child && may_share) child = choice.busy;
	if (child) return claim(child, run->principal, why) ? child : NULL;

	if (choice.opening) {
		(void)claim(choice.opening, run->principal, why);
		return NULL;
	}
	bool is_full = run->hosted->child_count >= run->hosted->setup.of.children;
	if (choice.busy && is_full) return choice.busy;
	child = open_another(run->hosted, run->era, why);
	if (child) (void)claim(child, run->principal, why);
	return NULL;
}

/* ---- Anybody's ---- */

static struct hosted_child *for_anybody(struct hosted_run *run, bool is_alone,
	struct fault *why) {
	struct hosted *hosted = run->hosted;
	size_t opening = 0;
	LIST_EACH(link, &hosted->children) {
		struct hosted_child *child = CONTAINER_OF(link, struct hosted_child, link);
		if (child->era != run->era || !lives(child)) continue;
		if (child->stage == HOSTED_OPENING) opening++;
		else if (!is_alone || !child->run_count) return child;
	}
	if (!opening) (void)open_another(hosted, run->era, why);
	return NULL;
}

struct hosted_child *hosted_pool_place(struct hosted_run *run, struct fault *why) {
	struct hosted *hosted = run->hosted;
	why->code = FAULT_NONE;
	bool is_settled = hosted->is_known || (run->ask->era == HOSTED_LEGACY && hosted->speaks[HOSTED_LEGACY]);
	if (!is_settled || hosted->supervisor.state != HOSTED_CONNECTED) return NULL;
	run->era = hosted_era_for(hosted, run->ask->era);
	switch (hosted->setup.of.share) {
	case HOSTED_SHARE_CALL: return for_anybody(run, true, why);
	case HOSTED_SHARE_ALL: return for_anybody(run, false, why);
	default: return for_principal(run, why);
	}
}

struct hosted_child *hosted_pool_any(struct hosted *hosted, enum hosted_era era) {
	struct fault why;
	bool is_opening = false;
	LIST_EACH(link, &hosted->children) {
		struct hosted_child *child = CONTAINER_OF(link, struct hosted_child, link);
		if (child->era != era) continue;
		if (child->stage == HOSTED_OPEN) return child;
		is_opening = is_opening || child->stage == HOSTED_OPENING;
	}
	if (!is_opening && hosted->supervisor.state == HOSTED_CONNECTED) (void)open_another(hosted, era, &why);
	return NULL;
}
