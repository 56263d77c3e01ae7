/* SPDX-License-Identifier: Apache-2.0 */
/* Hosted told: a server's notifications, each to those whom it concerns. */
#include "hosted/hosted_parts.h"

#include "mcp/mgp.h"
#include "mcp/mgp_callback.h"

static bool tell_run(struct hosted_child *child, const struct jsonrpc *notification) {
	struct hosted_run *run = hosted_pool_concerned(child);
	if (!run || !run->ask->events->told) return false;
	run->ask->events->told(run->ask, notification->method, &notification->params);
	return true;
}

/* A legacy server logs as it likes; a modern asker that named no level wants none of it. */
static bool is_wanted_by_run(const struct hosted_child *child) {
	const struct hosted_run *run = hosted_pool_concerned(child);
	return !run || run->ask->era == HOSTED_LEGACY || run->log_level.length;
}

static void logged(struct hosted_child *child, const struct jsonrpc *notification) {
	char words[512];
	bool is_wanted = is_wanted_by_run(child);
	if (is_wanted && tell_run(child, notification)) return;
	text_display_in(words, sizeof words, notification->params.text);
	log_write(child->hosted->servers->log, LOG_DEBUG, "server %s tells: %s",
		child->hosted->setup.of.id, words);
	if (!is_wanted) return;
	bool is_ones = child->hosted->setup.of.share == HOSTED_SHARE_PRINCIPAL;
	hosted_tell_logged(child->hosted, slice_of(is_ones ? child->principal : NULL), &notification->params);
}

static void told_governor(struct hosted_child *child, const struct jsonrpc *notification) {
	const struct hosted_governor *governor = child->hosted->servers->governor;
	if (governor && governor->told)
		governor->told(child->hosted, child, notification->method, &notification->params);
}

static void told_talk(struct hosted_child *child, const struct jsonrpc *notification) {
	const struct hosted_governor *governor = child->hosted->servers->governor;
	if (governor && governor->interacted)
		governor->interacted(child->hosted, child, NULL, notification->method, &notification->params);
}

void hosted_child_told(struct hosted_child *child, const struct jsonrpc *notification) {
	struct slice method = notification->method;
	if (slice_is(method, "notifications/tools/list_changed")) hosted_lists_changed(child->hosted, HOSTED_TOOLS);
	else if (slice_is(method, "notifications/prompts/list_changed"))
		hosted_lists_changed(child->hosted, HOSTED_PROMPTS);
	else if (slice_is(method, "notifications/resources/list_changed")) {
		hosted_lists_changed(child->hosted, HOSTED_RESOURCES);
		hosted_lists_changed(child->hosted, HOSTED_TEMPLATES);
	} else if (slice_is(method, "notifications/subscriptions/acknowledged"))
		hosted_listening_acknowledged(child);
	else if (slice_is(method, "notifications/resources/updated"))
		hosted_subscriptions_tell(child, &notification->params);
	else if (slice_is(method, "notifications/message"))
		logged(child, notification);
	else if (slice_is(method, "notifications/elicitation/complete"))
		(void)tell_run(child, notification);
	else if (slice_starts_with(method, "notifications/mgp.stream."))
		hosted_stream_told(child, notification);
	else if (slice_is(method, MGP_CALLBACK_REQUEST) && (child->mgp & MGP_BIDIRECTIONAL))
		hosted_child_called_back(child, &notification->params);
	else if (slice_starts_with(method, "notifications/mgp."))
		told_governor(child, notification);
	else if (slice_starts_with(method, "interaction."))
		told_talk(child, notification);
}
