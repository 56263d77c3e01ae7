/* SPDX-License-Identifier: Apache-2.0 */
/* Hosted told: a server's notifications, each to those whom it concerns. */
#include "kernel/hosted_parts.h"

static void list_changed(struct hosted_child *child, enum hosted_kind kind) {
	hosted_lists_old(child->hosted, kind);
	hosted_tell_changed(child->hosted, kind);
}

/* Of the one request that is open there; else of nobody's. */
static bool tell_run(struct hosted_child *child, const struct jsonrpc *notification) {
	if (child->run_count != 1 || child->hosted->setup.of.share == HOSTED_SHARE_ALL) return false;
	struct hosted_run *run = CONTAINER_OF(child->runs.next, struct hosted_run, link);
	if (!run->ask->events->told) return false;
	run->ask->events->told(run->ask, notification->method, &notification->params);
	return true;
}

static void logged(struct hosted_child *child, const struct jsonrpc *notification) {
	char words[512];
	if (tell_run(child, notification)) return;
	text_display_in(words, sizeof words, notification->params.text);
	log_write(child->hosted->servers->log, LOG_DEBUG, "server %s tells: %s",
		child->hosted->setup.of.id, words);
	hosted_tell_logged(child->hosted, slice_of(child->principal), &notification->params);
}

void hosted_child_told(struct hosted_child *child, const struct jsonrpc *notification) {
	struct slice method = notification->method;
	if (slice_is(method, "notifications/tools/list_changed")) list_changed(child, HOSTED_TOOLS);
	else if (slice_is(method, "notifications/prompts/list_changed"))
		list_changed(child, HOSTED_PROMPTS);
	else if (slice_is(method, "notifications/resources/list_changed")) {
		list_changed(child, HOSTED_RESOURCES);
		list_changed(child, HOSTED_TEMPLATES);
	} else if (slice_is(method, "notifications/resources/updated"))
		hosted_subscriptions_tell(child, &notification->params);
	else if (slice_is(method, "notifications/message"))
		logged(child, notification);
	else if (slice_is(method, "notifications/elicitation/complete"))
		(void)tell_run(child, notification);
}
