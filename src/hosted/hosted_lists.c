/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hosted lists: what a server offers, fetched to the last page when somebody wants it, and kept until
 * it changes. Whoever waits is answered at its own deadline with what is known.
 */
#include "hosted/hosted_parts.h"

#include <stdio.h>
#include <stdlib.h>

#define PAGES 1000

struct hosted_wait {
	struct link link;
	struct hosted_list *list;
	struct deadline deadline;
	struct task task;
	struct fault why;
	hosted_listed *listed;
	void *context;
};

/* ---- Those who wait ---- */

static void wait_free(struct hosted_wait *wait) {
	deadline_clear(&wait->deadline);
	task_clear(&wait->task);
	list_remove(&wait->link);
	free(wait);
}

static void wait_end(struct hosted_wait *wait) {
	hosted_listed *listed = wait->listed;
	void *context = wait->context;
	struct fault why = wait->why;
	AUTO(hosted_items) items = wait->list->items ? hosted_items_keep(wait->list->items) : NULL;
	wait_free(wait);
	listed(context, items, items ? NULL : &why);
}

static void waits_end(struct hosted_list *list, const struct fault *why) {
	struct link batch;
	list_init(&batch);
	list_move(&batch, &list->waits);
	for (struct link *link; (link = list_pop(&batch));) {
		struct hosted_wait *wait = CONTAINER_OF(link, struct hosted_wait, link);
		if (why) wait->why = *why;
		wait_end(wait);
	}
}

static void wait_overdue(struct deadline *deadline) {
	struct hosted_wait *wait = CONTAINER_OF(deadline, struct hosted_wait, deadline);
	fault_set(&wait->why, FAULT_TIMEOUT, "server %s did not list its %s in time",
		wait->list->hosted->setup.of.id, hosted_kind_member(wait->list->kind));
	wait_end(wait);
}

static void wait_now(struct task *task) {
	wait_end(CONTAINER_OF(task, struct hosted_wait, task));
}

void hosted_items_cancel(struct hosted_wait *wait) { wait_free(wait); }

/* ---- Pages ---- */

static void want(struct hosted_list *list) {
	if (list->is_wanted) return;
	list->is_wanted = true;
	hosted_settle_later(list->hosted);
}

static void fetch_end(struct hosted_list *list) {
	list->call = NULL;
	list->child = NULL;
	hosted_items_drop(TAKE(list->building));
}

static void fetch_failed(struct hosted_list *list, const struct fault *why) {
	struct fault own = *why;
	fetch_end(list);
	list->is_wanted = false;
	fault_before(&own, "server %s: ", list->hosted->setup.of.id);
	waits_end(list, &own);
}

static void say_left_out(const struct hosted_list *list) {
	char line[120];
	size_t count = hosted_items_left_out(list->items);
	if (!count) return;
	int length = snprintf(line, sizeof line,
		"%zu of its tools are left out: their marks x-mcp-header are against the rules", count);
	hosted_say(list->hosted, slice_make(line, (size_t)length));
}

static void fetch_done(struct hosted_list *list) {
	hosted_items_drop(list->items);
	list->items = TAKE(list->building);
	say_left_out(list);
	list->is_fresh = list->changes == list->changes_at;
	list->is_wanted = !list->is_fresh;
	fetch_end(list);
	if (list->is_fresh) waits_end(list, NULL);
	else hosted_settle_later(list->hosted);
}

static void page_came(void *context, const struct peer_reply *reply, const struct fault *why);

static bool ask_page(struct hosted_list *list, struct fault *why) {
	uint64_t now = loop_now(list->hosted->servers->loop);
	AUTO_TEXT struct text params = {0};
	text_init(&params, 0);
	text_add_char(&params, '{');
	if (list->cursor.bytes) {
		text_add_cstr(&params, "\"cursor\":");
		text_json(&params, list->cursor);
	}
	text_add_char(&params, '}');
	if (text_failed(&params)) return fault_set(why, FAULT_NO_MEMORY, "no memory for a request");
	const struct peer_request request = {
		.method = slice_of(hosted_kind_method(list->kind)),
		.params = text_slice(&params),
		.deadline_ms = list->ends_at > now ? list->ends_at - now : 1,
		.answered = page_came,
		.context = list,
	};
	list->call = hosted_child_ask(list->child, &request, NULL, why);
	return list->call != NULL;
}

static bool take_page(struct hosted_list *list, struct slice result, bool *more,
	struct fault *why) {
	struct slice cursor = SLICE_NONE;
	if (!hosted_items_add(list->building, result, &cursor, why)) return false;
	*more = cursor.bytes != NULL;
	if (!*more) return true;
	if (++list->pages >= PAGES)
		return fault_set(why, FAULT_TOO_LARGE, "%s: more than %d pages", hosted_kind_method(list->kind), PAGES);
	if (list->cursor.bytes && slice_equal(list->cursor, cursor))
		return fault_set(why, FAULT_BAD_INPUT, "%s: a page names itself as the next one",
			hosted_kind_method(list->kind));
	list->cursor = cursor;
	return ask_page(list, why);
}

static void page_came(void *context, const struct peer_reply *reply, const struct fault *why) {
	struct hosted_list *list = context;
	struct fault own;
	bool more = false, is_fine = reply && reply->result.bytes;
	list->call = NULL;
	if (why) own = *why;
	else if (is_fine) is_fine = take_page(list, reply->result, &more, &own);
	else if (reply->code == JSONRPC_METHOD_NOT_FOUND) is_fine = true; /* it offers none of that kind */
	else
		fault_set(&own, FAULT_REFUSED, "%s: error %lld", hosted_kind_method(list->kind),
			(long long)reply->code);
	if (is_fine && more) return;
	if (is_fine) fetch_done(list);
	else fetch_failed(list, &own);
}

static bool offers(const struct hosted_list *list) {
	static const char *const capabilities[HOSTED_KINDS] = {"tools", "resources", "resources", "prompts"};
	return hosted_offers(list->hosted, list->era, capabilities[list->kind], NULL);
}

/* Asked for before it was known which eras the server speaks, and this one it does not: whoever waits
 * does so for the list that there is. */
static bool hand_over(struct hosted_list *list) {
	struct hosted *hosted = list->hosted;
	struct hosted_list *other = &hosted->lists[hosted_era_for(hosted, list->era)][list->kind];
	if (other == list || !hosted->is_known) return false;
	LIST_EACH(link, &list->waits) CONTAINER_OF(link, struct hosted_wait, link)->list = other;
	list_move(&other->waits, &list->waits);
	list->is_wanted = false;
	want(other);
	return true;
}

static bool has_heads(const struct hosted_list *list) {
	return list->kind == HOSTED_TOOLS && list->era == HOSTED_MODERN && list->hosted->setup.of.url;
}

static void fetch(struct hosted_list *list) {
	uint64_t now = loop_now(list->hosted->servers->loop);
	struct fault why;
	if (!list->is_wanted || list->child || hand_over(list)) return;
	list->child = hosted_pool_any(list->hosted, list->era);
	if (!list->child) return;
	list->cursor = SLICE_NONE;
	list->pages = 0;
	list->changes_at = list->changes;
	list->ends_at = now + list->hosted->setup.of.list_ms;
	list->building = hosted_items_open(list->kind, &why);
	if (list->building) hosted_items_begin(list->building, now, has_heads(list));
	if (!list->building) fetch_failed(list, &why);
	else if (!offers(list)) fetch_done(list);
	else if (!ask_page(list, &why)) fetch_failed(list, &why);
}

void hosted_lists_pump(struct hosted *hosted) {
	for (int era = 0; era < HOSTED_ERAS; era++)
		for (int kind = 0; kind < HOSTED_KINDS; kind++) fetch(&hosted->lists[era][kind]);
}

/* ---- Age ---- */

void hosted_lists_old(struct hosted *hosted, enum hosted_kind kind) {
	for (int era = 0; era < HOSTED_ERAS; era++) {
		hosted->lists[era][kind].is_fresh = false;
		hosted->lists[era][kind].changes++;
	}
}

void hosted_lists_changed(struct hosted *hosted, enum hosted_kind kind) {
	hosted_lists_old(hosted, kind);
	hosted->has_changed[kind] = true;
	hosted_settle_later(hosted);
}

void hosted_lists_all_old(struct hosted *hosted) {
	for (int kind = 0; kind < HOSTED_KINDS; kind++) hosted_lists_old(hosted, (enum hosted_kind)kind);
}

void hosted_lists_fail(struct hosted *hosted, const struct fault *why) {
	for (int era = 0; era < HOSTED_ERAS; era++)
		for (int kind = 0; kind < HOSTED_KINDS; kind++) {
			struct hosted_list *list = &hosted->lists[era][kind];
			if (list->child) continue; /* its call ends by itself */
			list->is_wanted = false;
			waits_end(list, why);
		}
}

void hosted_lists_init(struct hosted *hosted) {
	for (int era = 0; era < HOSTED_ERAS; era++)
		for (int kind = 0; kind < HOSTED_KINDS; kind++) {
			struct hosted_list *list = &hosted->lists[era][kind];
			list->hosted = hosted;
			list->era = (enum hosted_era)era;
			list->kind = (enum hosted_kind)kind;
			list_init(&list->waits);
		}
}

void hosted_lists_finish(struct hosted *hosted, const struct fault *why) {
	hosted_lists_fail(hosted, why);
	for (int era = 0; era < HOSTED_ERAS; era++)
		for (int kind = 0; kind < HOSTED_KINDS; kind++)
			hosted_items_drop(TAKE(hosted->lists[era][kind].items));
}

/* ---- Asking ---- */

static struct hosted_list *list_for(struct hosted *hosted, enum hosted_era era,
	enum hosted_kind kind) {
	return &hosted->lists[hosted_era_for(hosted, era)][kind];
}

/* Nothing has changed as far as the server told, and it may be kept that long. */
static bool may_be_kept(const struct hosted_list *list) {
	return list->is_fresh && list->items &&
		loop_now(list->hosted->servers->loop) < hosted_items_stale_at(list->items);
}

/* Who only looks something up does not make a server list everything again for that, though it may
 * say that its lists are good for no time at all. */
bool hosted_items_are_current(const struct hosted *hosted, enum hosted_era era, enum hosted_kind kind) {
	const struct hosted_list *list = &hosted->lists[hosted_era_for(hosted, era)][kind];
	return list->is_fresh && list->items;
}

struct hosted_items *hosted_items_known(struct hosted *hosted, enum hosted_era era,
	enum hosted_kind kind) {
	struct hosted_list *list = list_for(hosted, era, kind);
	if (!list->is_fresh) want(list);
	return list->items;
}

struct hosted_wait *hosted_items_ask(struct hosted *hosted, enum hosted_era era,
	enum hosted_kind kind, uint64_t deadline_ms, hosted_listed *listed, void *context,
	struct fault *why) {
	struct loop *loop = hosted->servers->loop;
	struct hosted_list *list = list_for(hosted, era, kind);
	bool is_kept = may_be_kept(list);
	struct fault still;
	bool may_come = supervisor_may_wait(hosted, &still);
	if (!is_kept) want(list);
	if (!may_come && (hosted->is_removed || !list->items)) {
		if (why) *why = still;
		return NULL;
	}
	struct hosted_wait *wait = calloc(1, sizeof *wait);
	if (!wait) return fault_null(why, FAULT_NO_MEMORY, "no memory for a list");
	wait->list = list;
	wait->listed = listed;
	wait->context = context;
	list_append(&list->waits, &wait->link);
	if (is_kept || !may_come) loop_later(loop, &wait->task, wait_now);
	else
		deadline_set(loop, &wait->deadline, deadline_ms ? deadline_ms : hosted->setup.of.list_ms, wait_overdue);
	return wait;
}
