/* SPDX-License-Identifier: Apache-2.0 */
/* Hosted talk: in the list of its conversation from its first ask on, until one of the two ends. */
#include "hosted/hosted_parts.h"

/* ---- In and out ---- */

void hosted_talk_join(struct hosted_talk *talk, struct hosted_child *child) {
	if (talk->child || talk->was_lost) return;
	talk->child = child;
	list_append(&child->talks, &talk->link);
	if (talk->is_closed) return;
	child->talk_count++;
	hosted_listening_renew(child);
}

void hosted_talk_close(struct hosted_talk *talk) {
	struct hosted_child *child = talk->child;
	if (talk->is_closed) return;
	talk->is_closed = true;
	if (!child || --child->talk_count) return;
	hosted_pool_release(child);
	hosted_settle_later(child->hosted); /* somebody may wait for its place */
}

void hosted_talk_end(struct hosted_talk *talk) {
	hosted_talk_close(talk);
	if (!TAKE(talk->child)) return;
	list_remove(&talk->link);
}

void hosted_talks_lose(struct hosted_child *child, const struct fault *why) {
	while (!list_is_empty(&child->talks)) {
		struct hosted_talk *talk = CONTAINER_OF(child->talks.next, struct hosted_talk, link);
		list_remove(&talk->link);
		child->talk_count -= !talk->is_closed;
		talk->child = NULL;
		talk->was_lost = talk->is_closed = true;
		talk->lost(talk, why);
	}
}

struct hosted_talk *hosted_talk_next(const struct hosted_child *child, const struct hosted_talk *after) {
	const struct link *link = after ? after->link.next : child->talks.next;
	return link == &child->talks ? NULL : CONTAINER_OF(link, struct hosted_talk, link);
}

bool hosted_talk_keeps(const struct hosted_child *child) { return child->talk_count && !child->is_shared; }

bool hosted_talks_of_others(const struct hosted_child *child, struct slice session) {
	if (!child->talk_count) return false;
	LIST_EACH(link, &child->talks) {
		const struct hosted_talk *talk = CONTAINER_OF(link, struct hosted_talk, link);
		if (!talk->is_closed && !slice_equal(talk->session, session)) return true;
	}
	return false;
}

/* ---- Answers that come late ---- */

static void answered_late(void *context, const struct peer_reply *reply, const struct fault *why) {
	struct hosted_child *child = context;
	const struct hosted_governor *governor = child->hosted->servers->governor;
	const struct scan_value result = {.text = why ? SLICE_NONE : slice_trim(reply->result), .type = SCAN_OBJECT};
	child->late_count--;
	if (!result.text.length || result.text.bytes[0] != '{' || !governor || !governor->answered_late) return;
	governor->answered_late(child->hosted, child, &result);
}

/* A server that is told of a cancel need not answer any more, and nobody would know what it has begun. */
bool hosted_talk_await(struct hosted_child *child, struct peer_call *call) {
	if (child->late_count >= HOSTED_LATE) return false;
	child->late_count++;
	peer_leave(call, HOSTED_LATE_MS, answered_late, child);
	return true;
}

/* ---- Where ---- */

static struct hosted_child *kept_by(const struct hosted_run *run) {
	LIST_EACH(link, &run->hosted->children) {
		struct hosted_child *child = CONTAINER_OF(link, struct hosted_child, link);
		bool is_fit = hosted_talk_keeps(child) && child->stage == HOSTED_OPEN && child->era == run->era;
		if (is_fit && child->principal && slice_is(run->principal, child->principal)) return child;
	}
	return NULL;
}

static size_t count_kept(const struct hosted *hosted) {
	size_t count = 0;
	LIST_EACH(link, &hosted->children)
		count += hosted_talk_keeps(CONTAINER_OF(link, struct hosted_child, link));
	return count;
}

/* One request at a time, where that is how it is shared. */
static struct hosted_child *when_free(struct hosted_child *child) {
	bool is_taken = child->run_count && child->hosted->setup.of.share == HOSTED_SHARE_CALL;
	return is_taken ? NULL : child;
}

static enum hosted_talk_where full(const struct hosted *hosted, struct fault *why) {
	fault_set(why, FAULT_FULL, "too many guided sessions are open at server %s: try again later", hosted->setup.of.id);
	return HOSTED_TALK_THERE;
}

enum hosted_talk_where hosted_talk_place(const struct hosted_run *run, struct hosted_child **child, struct fault *why) {
	const struct hosted_talk *talk = run->ask->talk;
	const struct hosted *hosted = run->hosted;
	size_t most = hosted->setup.of.children > 1 ? hosted->setup.of.children - 1 : 1;
	*child = NULL;
	if (talk->was_lost || (talk->child && talk->child->stage != HOSTED_OPEN)) {
		fault_set(why, FAULT_CLOSED, "the process of server %s in which this began has ended", hosted->setup.of.id);
		return HOSTED_TALK_THERE;
	}
	if (talk->child) {
		*child = when_free(talk->child);
		return HOSTED_TALK_THERE;
	}
	if (hosted->setup.of.share == HOSTED_SHARE_ALL) return HOSTED_TALK_ANYWHERE;
	struct hosted_child *kept = kept_by(run);
	if (!kept && count_kept(hosted) < most) return HOSTED_TALK_ANYWHERE;
	if (!kept) return HOSTED_TALK_SHARES;
	if (kept->talk_count >= HOSTED_TALKS) return full(hosted, why);
	*child = when_free(kept);
	return HOSTED_TALK_THERE;
}

struct hosted_child *hosted_talk_share(struct hosted_child *child, struct fault *why) {
	if (child->talk_count < HOSTED_TALKS) return when_free(child);
	(void)full(child->hosted, why);
	return NULL;
}
