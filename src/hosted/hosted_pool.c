/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hosted pool: which conversation serves a request.
 *
 * One that a principal has had stays that principal's until it ends, since a server may remember.
 * Concurrent sessions of one principal get one each while there is a place, so that a legacy
 * server's question has one request it can belong to; beyond, those of one principal share. Other
 * principals wait. A conversation that nobody uses makes place for them; where all are in use, a
 * principal that has several gives up one, as soon as it is idle.
 *
 * Where all are in use by others, those who cannot be asked share one conversation more, whoever they
 * are: it is told that nobody answers questions. Those who can be asked wait.
 *
 * A talk may last as long as a person likes, so a conversation that is kept for talks takes no place: there
 * are so many others beside it as there would be without. Talks that find no conversation of their own to
 * keep go on in the shared one.
 *
 * A legacy server's question names no request. So who can be asked gets no conversation in which
 * somebody else's call may still be going on: one was given up there, or another principal's ran.
 */
#include "hosted/hosted_parts.h"

#include <stdlib.h>

#define ABLE (HOSTED_CAN_SAMPLE | HOSTED_CAN_FORM | HOSTED_CAN_URL)

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

/* ---- Whose questions ---- */

bool hosted_pool_is_askable(const struct hosted_run *run) {
	if (run->ask->talk) return true;
	return run->era == HOSTED_LEGACY && run->hosted->setup.of.share != HOSTED_SHARE_ALL &&
		(run->ask->abilities & ABLE);
}

void hosted_pool_haunt(struct hosted_child *child, struct slice session) {
	if (child->era != HOSTED_LEGACY || child->is_haunted_by_many) return;
	if (!child->haunted && (child->haunted = slice_copy(session))) return;
	child->is_haunted_by_many = !is_equal(child->haunted, session);
}

static bool is_haunted_for(const struct hosted_child *child, const struct hosted_run *run) {
	return child->is_haunted_by_many || (child->haunted && !is_equal(child->haunted, run->session)) ||
		hosted_talks_of_others(child, run->session);
}

struct hosted_run *hosted_pool_concerned(const struct hosted_child *child) {
	if (child->run_count != 1 || child->is_mixed || child->is_shared ||
		child->hosted->setup.of.share == HOSTED_SHARE_ALL)
		return NULL;
	struct hosted_run *run = CONTAINER_OF(child->runs.next, struct hosted_run, link);
	return is_haunted_for(child, run) ? NULL : run;
}

/* ---- Places ---- */

static bool is_idle(const struct hosted_child *child) {
	return child->stage == HOSTED_OPEN && !child->run_count;
}

/* Nobody uses it, nor will come back to it. */
static bool may_end(const struct hosted_child *child) {
	return is_idle(child) && !child->is_shared && !child->talk_count;
}

/* Subscriptions can be moved; a conversation without any goes first, then the one that was not used
 * for the longest time. */
static bool goes_before(const struct hosted_child *child, const struct hosted_child *other) {
	bool is_needed = hosted_subscriptions_need(child), is_other = hosted_subscriptions_need(other);
	return is_needed != is_other ? is_other : child->idle_since < other->idle_since;
}

/* One that nobody uses makes place. False: all are in use. */
static bool make_place(struct hosted *hosted) {
	struct hosted_child *first = NULL;
	LIST_EACH(link, &hosted->children) {
		struct hosted_child *child = CONTAINER_OF(link, struct hosted_child, link);
		if (child->stage == HOSTED_ENDING) return true; /* its place is free in a moment */
		if (may_end(child) && (!first || goes_before(child, first))) first = child;
	}
	if (!first) return false;
	hosted_child_stop(first, hosted->setup.of.stop_ms);
	return true;
}

static size_t count_of(const struct hosted *hosted, const char *principal) {
	size_t count = 0;
	LIST_EACH(link, &hosted->children) {
		const struct hosted_child *child = CONTAINER_OF(link, struct hosted_child, link);
		count += child->principal && lives(child) && !hosted_talk_keeps(child) && !strcmp(child->principal, principal);
	}
	return count;
}

/* Whoever has several gives up the least used of them, so that nobody waits for good. */
static void let_one_leave(struct hosted *hosted) {
	struct hosted_child *least = NULL;
	LIST_EACH(link, &hosted->children) {
		struct hosted_child *child = CONTAINER_OF(link, struct hosted_child, link);
		if (child->is_leaving) return;
		if (child->stage != HOSTED_OPEN || child->talk_count || !child->principal || count_of(hosted, child->principal) < 2)
			continue;
		if (!least || child->run_count < least->run_count) least = child;
	}
	if (least) least->is_leaving = true;
}

/* One that opens is for the session it was opened for, so that the next one opens another beside it.
 * Without memory it is for anybody. */
static void promise(struct hosted_child *child, const struct hosted_run *run) {
	if (!child->principal) child->principal = slice_copy(run->principal);
	if (!child->session) child->session = slice_copy(run->session);
}

static struct hosted_child *find_shared(const struct hosted *hosted, enum hosted_era era) {
	LIST_EACH(link, &hosted->children) {
		struct hosted_child *child = CONTAINER_OF(link, struct hosted_child, link);
		if (child->is_shared && child->era == era && lives(child)) return child;
	}
	return NULL;
}

static size_t count_places(const struct hosted *hosted) {
	size_t count = hosted->child_count;
	LIST_EACH(link, &hosted->children) {
		const struct hosted_child *child = CONTAINER_OF(link, struct hosted_child, link);
		count -= child->is_shared || hosted_talk_keeps(child);
	}
	return count;
}

static bool is_full(const struct hosted *hosted) { return count_places(hosted) >= hosted->setup.of.children; }

void hosted_pool_release(struct hosted_child *child) {
	bool is_over = !child->is_shared && count_places(child->hosted) > child->hosted->setup.of.children;
	child->is_leaving = child->is_leaving || is_over;
	hosted_child_idle(child);
}

/* A place, now or in a moment. False: there is none. */
static bool open_another(struct hosted_run *run, struct fault *why) {
	struct hosted *hosted = run->hosted;
	if (is_full(hosted)) return make_place(hosted);
	struct hosted_child *child = hosted_child_open(hosted, run->era, false, why);
	if (child && hosted->setup.of.share != HOSTED_SHARE_ALL) promise(child, run);
	return true;
}

static struct hosted_child *claim(struct hosted_child *child, struct slice principal,
	struct fault *why) {
	bool is_new = !child->principal;
	if (is_new) child->principal = slice_copy(principal);
	if (is_new && child->principal) hosted_subscriptions_ready(child);
	if (child->principal) return child;
	fault_set(why, FAULT_NO_MEMORY, "no memory for another request");
	return NULL;
}

/* The one more, for who cannot be asked. NULL: in a moment, or it cannot be. */
static struct hosted_child *for_overflow(struct hosted_run *run, struct fault *why) {
	struct hosted_child *shared = find_shared(run->hosted, run->era);
	if (shared) return shared->stage == HOSTED_OPEN ? shared : NULL;
	(void)!hosted_child_open_shared(run->hosted, run->era, why);
	return NULL;
}

/* ---- One principal's ---- */

/* What there is for a run, best first. */
struct choice {
	struct hosted_child *same;    /* in which its session runs, or has run last */
	struct hosted_child *idle;    /* of the principal; the oldest, so that it is mostly the same */
	struct hosted_child *free;    /* nobody's yet */
	struct hosted_child *quiet;   /* of the principal, with others that cannot be asked; the least used */
	struct hosted_child *opening; /* of the principal, or nobody's */
	struct hosted_child *busy;    /* of the principal, with whomever; the least used */
};

static struct hosted_child *less_used(struct hosted_child *one, struct hosted_child *other) {
	return !one || other->run_count < one->run_count ? other : one;
}

static void consider(struct choice *choice, struct hosted_child *child,
	const struct hosted_run *run) {
	bool is_mine = is_equal(child->principal, run->principal), is_askable = hosted_pool_is_askable(run);
	bool is_same = is_equal(child->session, run->session);
	bool is_unsound = is_askable && is_haunted_for(child, run);
	if ((child->principal && !is_mine) || child->is_leaving || child->is_shared) return;
	if (child->stage == HOSTED_OPENING) {
		if (!is_askable || is_same || !child->session) choice->opening = child;
	} else if (!child->principal) {
		if (!choice->free) choice->free = child;
	} else if (!is_unsound && is_same) {
		choice->same = child;
	} else if (!is_unsound && !child->run_count) {
		if (!choice->idle) choice->idle = child;
	} else {
		if (!child->askable_count) choice->quiet = less_used(choice->quiet, child);
		choice->busy = less_used(choice->busy, child);
	}
}

static struct hosted_child *for_principal(struct hosted_run *run, struct fault *why) {
	struct choice choice = {.same = NULL};
	LIST_EACH(link, &run->hosted->children) {
		struct hosted_child *child = CONTAINER_OF(link, struct hosted_child, link);
		if (lives(child) && child->era == run->era) consider(&choice, child, run);
	}
	struct hosted_child *child = choice.same ? choice.same : choice.idle ? choice.idle
									     : choice.free;
	if (!child && !hosted_pool_is_askable(run)) child = choice.quiet;
	if (child) return claim(child, run->principal, why);
	if (choice.opening) {
		promise(choice.opening, run);
		return NULL;
	}
	if (open_another(run, why)) return NULL;
	if (choice.busy) return choice.busy;
	if (!hosted_pool_is_askable(run)) return for_overflow(run, why);
	let_one_leave(run->hosted);
	return NULL;
}

/* ---- Anybody's ---- */

/* The better of two idle ones for a run of its own: the principal's, then nobody's. */
static int rank(const struct hosted_child *child, const struct hosted_run *run) {
	if (!child) return 0;
	if (!child->principal) return 2;
	return is_equal(child->principal, run->principal) ? 3 : 1;
}

static struct hosted_child *for_call(struct hosted_run *run, struct fault *why) {
	struct hosted_child *best = NULL;
	bool is_opening = false, is_askable = hosted_pool_is_askable(run);
	LIST_EACH(link, &run->hosted->children) {
		struct hosted_child *child = CONTAINER_OF(link, struct hosted_child, link);
		if (child->era != run->era || child->is_shared) continue;
		bool is_kept = child->talk_count && rank(child, run) == 1;
		bool is_unsound = is_kept || (is_askable && (child->is_mixed || is_haunted_for(child, run) || rank(child, run) == 1));
		is_opening = is_opening || (child->stage == HOSTED_OPENING && !is_unsound);
		if (is_idle(child) && !is_unsound && rank(child, run) > rank(best, run)) best = child;
	}
	if (best) {
		best->is_mixed = best->is_mixed || rank(best, run) == 1;
		return claim(best, run->principal, why);
	}
	if (!is_opening) (void)open_another(run, why);
	return NULL;
}

static struct hosted_child *for_all(struct hosted_run *run, struct fault *why) {
	bool is_opening = false;
	LIST_EACH(link, &run->hosted->children) {
		struct hosted_child *child = CONTAINER_OF(link, struct hosted_child, link);
		if (child->era != run->era) continue;
		if (child->stage == HOSTED_OPEN) return child;
		is_opening = is_opening || child->stage == HOSTED_OPENING;
	}
	if (!is_opening) (void)open_another(run, why);
	return NULL;
}

struct hosted_child *hosted_pool_place(struct hosted_run *run, struct fault *why) {
	struct hosted *hosted = run->hosted;
	why->code = FAULT_NONE;
	bool is_settled = hosted->is_known || (run->ask->era == HOSTED_LEGACY && hosted->speaks[HOSTED_LEGACY]);
	if (!is_settled || hosted->supervisor.state != HOSTED_CONNECTED) return NULL;
	run->era = hosted_era_for(hosted, run->ask->era);
	struct hosted_child *child = NULL;
	enum hosted_talk_where where = run->ask->talk ? hosted_talk_place(run, &child, why) : HOSTED_TALK_ANYWHERE;
	if (where == HOSTED_TALK_THERE) return child;
	if (where == HOSTED_TALK_SHARES) {
		child = for_overflow(run, why);
		return child ? hosted_talk_share(child, why) : NULL;
	}
	switch (hosted->setup.of.share) {
	case HOSTED_SHARE_CALL: return for_call(run, why);
	case HOSTED_SHARE_ALL:
		child = for_all(run, why);
		return child && run->ask->talk ? hosted_talk_share(child, why) : child;
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
	if (is_opening || hosted->supervisor.state != HOSTED_CONNECTED) return NULL;
	if (is_full(hosted)) (void)make_place(hosted);
	else (void)!hosted_child_open(hosted, era, false, &why);
	return NULL;
}
