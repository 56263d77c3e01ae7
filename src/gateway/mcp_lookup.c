/* SPDX-License-Identifier: Apache-2.0 */
/* Mcp_lookup: the lists of all servers are asked for, and thrown away: what counts is that they are known. */
#include "gateway/mcp_lookup.h"

#include "gateway/mcp_kept.h"
#include "gateway/mcp_list.h"

#include <stdlib.h>

struct lookup;

struct part {
	struct lookup *lookup;
	struct hosted_wait *wait;
};

struct lookup {
	struct mcp_stream_user user;
	struct mcp_kept kept;
	mcp_looked_up *looked_up;
	size_t pending;
	size_t count;
	struct part parts[];
};

static void release(struct lookup *lookup) {
	mcp_kept_finish(&lookup->kept);
	free(lookup);
}

static void gone(struct mcp_stream_user *user) {
	struct lookup *lookup = CONTAINER_OF(user, struct lookup, user);
	for (size_t i = 0; i < lookup->count; i++)
		if (lookup->parts[i].wait) hosted_items_cancel(lookup->parts[i].wait);
	release(lookup);
}

static void listed(void *context, struct hosted_items *items, const struct fault *why) {
	struct part *part = context;
	struct lookup *lookup = part->lookup;
	(void)items, (void)why;
	part->wait = NULL;
	if (--lookup->pending) return;
	struct mcp_stream *stream = mcp_stream_leave(&lookup->user);
	lookup->looked_up(&lookup->kept.visit, stream, &lookup->kept.request);
	release(lookup);
}

static void ask(struct lookup *lookup, struct hosted *hosted, enum hosted_kind kind) {
	struct part *part = &lookup->parts[lookup->count++];
	part->lookup = lookup;
	part->wait = hosted_items_ask(hosted, lookup->kept.visit.is_modern ? HOSTED_MODERN : HOSTED_LEGACY,
		kind, MCP_LIST_MS, listed, part, NULL);
	if (part->wait) lookup->pending++;
}

static size_t kinds_of(const struct mcp_request *request, enum hosted_kind kinds[3]) {
	struct slice method = request->message.method;
	if (slice_is(method, "tools/call")) {
		kinds[0] = HOSTED_TOOLS;
		return 1;
	}
	if (slice_is(method, "prompts/get")) {
		kinds[0] = HOSTED_PROMPTS;
		return 1;
	}
	bool is_of_resources = slice_starts_with(method, "resources/") || slice_is(method, "subscriptions/listen");
	if (!is_of_resources && !slice_is(method, "completion/complete")) return 0;
	kinds[0] = HOSTED_RESOURCES;
	kinds[1] = HOSTED_TEMPLATES;
	kinds[2] = HOSTED_PROMPTS;
	return is_of_resources ? 2 : 3;
}

bool mcp_lookup(const struct mcp_visit *visit, struct mcp_stream *stream,
	const struct mcp_request *request, mcp_looked_up *looked_up) {
	enum hosted_kind kinds[3];
	size_t kind_count = kinds_of(request, kinds), servers = hosted_count(visit->face->servers);
	struct lookup *lookup =
		calloc(1, sizeof *lookup + kind_count * servers * sizeof lookup->parts[0]);
	if (!lookup) return false;
	lookup->looked_up = looked_up;
	bool is_kept = mcp_kept_init(&lookup->kept, visit, request);
	for (struct hosted *one = NULL; is_kept && (one = hosted_next(visit->face->servers, one));)
		for (size_t i = 0; i < kind_count; i++) ask(lookup, one, kinds[i]);
	if (lookup->pending == 0) {
		release(lookup);
		return false;
	}
	mcp_stream_join(stream, &lookup->user, gone);
	return true;
}
