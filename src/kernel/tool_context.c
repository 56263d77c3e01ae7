/* SPDX-License-Identifier: Apache-2.0 */
/* Tool context: two lists, and a map over both. */
#include "kernel/tool_context.h"

#include <stdlib.h>

static struct tool_in_context *one_of(struct link *link) { return CONTAINER_OF(link, struct tool_in_context, link); }

bool tool_key_write(char key[TOOL_KEY], struct slice server, struct slice tool, char between, struct slice *written) {
	if (!server.length || server.length > HOSTED_ID || !tool.length || tool.length > TOOLS_NAME) return false;
	memcpy(key, server.bytes, server.length);
	key[server.length] = between;
	memcpy(key + server.length + 1, tool.bytes, tool.length);
	*written = slice_make(key, server.length + 1 + tool.length);
	return true;
}

void tool_context_init(struct tool_context *context) {
	*context = (struct tool_context){0};
	map_init(&context->by_key);
	list_init(&context->cached);
	list_init(&context->found);
}

static void forget(struct tool_context *context, struct tool_in_context *one) {
	if (one->is_cached) {
		context->count--;
		context->tokens -= one->tokens;
	}
	map_remove(&context->by_key, one->key);
	list_remove(&one->link);
	free(one);
}

void tool_context_finish(struct tool_context *context) {
	LIST_EACH_SAFE(link, &context->cached) forget(context, one_of(link));
	LIST_EACH_SAFE(link, &context->found) forget(context, one_of(link));
	map_finish(&context->by_key);
}

static struct tool_in_context *find(const struct tool_context *context, struct slice server, struct slice tool) {
	char lent[TOOL_KEY];
	struct slice key;
	return tool_key_write(lent, server, tool, '\0', &key) ? map_find(&context->by_key, key) : NULL;
}

const struct tool_in_context *tool_context_find(const struct tool_context *context, struct slice server,
	struct slice tool) {
	return find(context, server, tool);
}

/* In no list yet. NULL: no memory, or no tool. */
static struct tool_in_context *make(struct tool_context *context, struct slice server, struct slice tool) {
	char lent[TOOL_KEY];
	struct slice key;
	if (!tool_key_write(lent, server, tool, '\0', &key)) return NULL;
	struct tool_in_context *one = calloc(1, sizeof *one + key.length);
	if (!one) return NULL;
	char *at = (char *)(one + 1);
	memcpy(at, key.bytes, key.length);
	one->key = slice_make(at, key.length);
	one->server = slice_make(at, server.length);
	one->tool = slice_make(at + server.length + 1, tool.length);
	list_init(&one->link);
	if (map_add(&context->by_key, one->key, one, NULL)) return one;
	free(one);
	return NULL;
}

bool tool_context_trim(struct tool_context *context, uint64_t limit) {
	bool has_left = false;
	while (context->count && (context->tokens > limit || context->count > TOOL_SESSION_TOOLS)) {
		forget(context, one_of(context->cached.next));
		has_left = true;
	}
	return has_left;
}

bool tool_context_use(struct tool_context *context, struct slice server, struct slice tool, uint64_t tokens,
	uint64_t limit) {
	struct tool_in_context *one = find(context, server, tool);
	bool is_listed = one != NULL;
	if (tokens > limit) { /* it alone is too large: the others stay */
		if (one && one->is_cached) forget(context, one);
		return is_listed && !find(context, server, tool);
	}
	if (!one) one = make(context, server, tool);
	if (!one) return false;
	if (one->is_cached) context->tokens -= one->tokens;
	else context->count++;
	one->is_cached = true;
	one->tokens = tokens;
	context->tokens += tokens;
	list_remove(&one->link);
	list_append(&context->cached, &one->link);
	bool has_left = tool_context_trim(context, limit);
	return has_left || !is_listed;
}

void tool_context_forget_found(struct tool_context *context) {
	LIST_EACH_SAFE(link, &context->found) forget(context, one_of(link));
}

void tool_context_find_new(struct tool_context *context, struct slice server, struct slice tool, uint64_t tokens) {
	if (find(context, server, tool)) return;
	struct tool_in_context *one = make(context, server, tool);
	if (!one) return;
	one->tokens = tokens;
	list_append(&context->found, &one->link);
}

bool tool_context_evict(struct tool_context *context, struct slice server, struct slice tool) {
	struct tool_in_context *one = find(context, server, tool);
	if (!one || !one->is_cached) return false;
	forget(context, one);
	return true;
}

static bool forget_in(struct tool_context *context, struct link *list, struct slice server) {
	bool has_left = false;
	LIST_EACH_SAFE(link, list) {
		struct tool_in_context *one = one_of(link);
		if (!slice_equal(one->server, server)) continue;
		forget(context, one);
		has_left = true;
	}
	return has_left;
}

bool tool_context_forget_server(struct tool_context *context, struct slice server) {
	bool has_cached = forget_in(context, &context->cached, server);
	return forget_in(context, &context->found, server) || has_cached;
}
