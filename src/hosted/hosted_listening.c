/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hosted listening: the subscriptions/listen of a modern conversation (MCP 2026-07-28). One request
 * stays open for everything that is wanted: changes of lists, and all resources that somebody has
 * subscribed to there. When that set changes, a new one takes the place of the old; when the server
 * ends it, it is asked for again, and what was missed meanwhile counts as changed.
 */
#include "hosted/hosted_parts.h"

#include "flow/flow_state.h"

#define AGAIN_MS 1000
#define LONGEST_MS 30000
#define LIVED_MS 60000 /* one of that age did not fail */

static const struct {
	const char *capability, *wish;
} lists[HOSTED_KINDS] = {
	[HOSTED_TOOLS] = {"tools", "toolsListChanged"},
	[HOSTED_PROMPTS] = {"prompts", "promptsListChanged"},
	[HOSTED_RESOURCES] = {"resources", "resourcesListChanged"},
};

static bool tells_of(const struct hosted_child *child, int kind) {
	return lists[kind].wish &&
		hosted_offers(child->hosted, HOSTED_MODERN, lists[kind].capability, "listChanged");
}

/* False: there is nothing to listen for. */
static bool write_wishes(struct text *to, const struct hosted_child *child) {
	const char *before = "";
	text_add_cstr(to, "{\"notifications\":{");
	for (int kind = 0; kind < HOSTED_KINDS; kind++) {
		if (!tells_of(child, kind)) continue;
		text_printf(to, "%s\"%s\":true", before, lists[kind].wish);
		before = ",";
	}
	/* Modern servers have no requests: what happens in guided sessions comes as notifications (MCP Flow). */
	if (child->talk_count) {
		text_printf(to, "%s\"" FLOW_EXTENSION "\":true", before);
		before = ",";
	}
	bool is_first = true, has_lists = before[0];
	LIST_EACH(link, &child->hosted->subscriptions) {
		const struct hosted_subscription *each = CONTAINER_OF(link, struct hosted_subscription, link);
		if (!hosted_subscription_is_held(each, child)) continue;
		text_add_cstr(to, is_first ? before : ",");
		if (is_first) text_add_cstr(to, "\"resourceSubscriptions\":[");
		text_json(to, slice_of(each->uri));
		is_first = false;
	}
	text_add_cstr(to, is_first ? "}}" : "]}}");
	return has_lists || !is_first;
}

static void again(struct deadline *deadline) {
	struct hosted_child *child = CONTAINER_OF(deadline, struct hosted_child, listening.again);
	hosted_listening_renew(child);
}

static void ended(void *context, const struct peer_reply *reply, const struct fault *why) {
	struct hosted_child *child = context;
	struct hosted_listening *listening = &child->listening;
	struct loop *loop = child->hosted->servers->loop;
	listening->call = NULL;
	if (why || child->stage != HOSTED_OPEN) return;
	listening->has_missed = true;
	bool is_unknown = !reply->result.bytes &&
		(reply->code == JSONRPC_METHOD_NOT_FOUND || reply->code == JSONRPC_INVALID_PARAMS);
	if (is_unknown) return;
	if (loop_now(loop) - listening->since >= LIVED_MS) listening->tries = 0;
	uint64_t wait = AGAIN_MS;
	for (unsigned i = 0; i < listening->tries && wait < LONGEST_MS; i++) wait *= 2;
	listening->tries++;
	deadline_set(loop, &listening->again, wait < LONGEST_MS ? wait : LONGEST_MS, again);
}

static void listen_anew(struct hosted_child *child) {
	struct hosted_listening *listening = &child->listening;
	struct peer_call *before = TAKE(listening->call);
	AUTO_TEXT struct text params = {0};
	text_init(&params, 0);
	bool is_wanted = write_wishes(&params, child) && !text_failed(&params);
	const struct peer_request request = {
		.method = SLICE("subscriptions/listen"),
		.params = text_slice(&params),
		.deadline_ms = UINT64_MAX,
		.answered = ended,
		.context = child,
	};
	deadline_clear(&listening->again);
	listening->since = loop_now(child->hosted->servers->loop);
	if (is_wanted) listening->call = hosted_child_ask(child, &request, NULL, NULL);
	if (before) peer_cancel(before, SLICE("another takes its place"));
}

static void due(struct task *task) {
	hosted_listening_settle(CONTAINER_OF(task, struct hosted_child, listening.renewal));
}

void hosted_listening_renew(struct hosted_child *child) {
	if (child->era == HOSTED_LEGACY || child->stage != HOSTED_OPEN) return;
	child->listening.is_due = true;
	loop_later(child->hosted->servers->loop, &child->listening.renewal, due);
}

void hosted_listening_settle(struct hosted_child *child) {
	if (!TAKE(child->listening.is_due)) return;
	task_clear(&child->listening.renewal);
	if (child->stage == HOSTED_OPEN) listen_anew(child);
}

static void tell_updated(struct hosted_child *child, const struct hosted_subscription *subscription) {
	AUTO_TEXT struct text text = {0};
	text_init(&text, 0);
	text_add_cstr(&text, "{\"uri\":");
	text_json(&text, slice_of(subscription->uri));
	text_add_char(&text, '}');
	const struct scan_value params = {.text = text_slice(&text), .type = SCAN_OBJECT};
	if (!text_failed(&text))
		hosted_tell_updated(child->hosted, slice_of(subscription->principal), slice_of(subscription->uri), &params);
}

void hosted_listening_acknowledged(struct hosted_child *child) {
	struct hosted *hosted = child->hosted;
	if (!TAKE(child->listening.has_missed)) return;
	for (int kind = 0; kind < HOSTED_KINDS; kind++)
		if (tells_of(child, kind)) hosted_lists_changed(hosted, (enum hosted_kind)kind);
	LIST_EACH_SAFE(link, &hosted->subscriptions) {
		const struct hosted_subscription *each = CONTAINER_OF(link, struct hosted_subscription, link);
		if (hosted_subscription_is_held(each, child)) tell_updated(child, each);
	}
}

void hosted_listening_end(struct hosted_child *child) {
	deadline_clear(&child->listening.again);
	task_clear(&child->listening.renewal);
}
