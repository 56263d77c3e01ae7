/* SPDX-License-Identifier: Apache-2.0 */
/* Mcp_client: introduces itself once, then lists. */
#include "mcp/mcp_client.h"

#include <stdlib.h>

void mcp_client_init(struct mcp_client *client, struct peer *peer, void *context) {
	*client = (struct mcp_client){.peer = peer, .context = context};
}

void mcp_client_forget(struct mcp_client *client) {
	struct peer_call *call = TAKE(client->call);
	client->state = MCP_CLIENT_NEW;
	client->ready = NULL;
	if (call) peer_cancel(call, SLICE("forgotten"));
}

void mcp_client_finish(struct mcp_client *client) {
	mcp_client_forget(client);
	client->peer = NULL;
}

void mcp_client_words(char *to, size_t size, const struct peer_reply *reply) {
	char lent[512];
	struct arena arena;
	struct scan_value data = {.text = slice_trim(reply->data), .type = SCAN_OBJECT}, value;
	struct slice reason;
	bool has_data = data.text.length && data.text.bytes[0] == '{';
	size_t length = text_display_in(to, size, reply->message);
	arena_init(&arena, lent, sizeof lent, 0);
	if (has_data && size - length > 3 && scan_find(&data, "reason", &value) && scan_string(&value, &arena, &reason) &&
		reason.length && !slice_equal(reason, reply->message)) {
		memcpy(to + length, ": ", 3);
		text_display_in(to + length + 2, size - length - 2, reason);
	}
	arena_finish(&arena);
}

bool mcp_client_error(const struct peer_reply *reply, struct fault *why) {
	char words[160];
	mcp_client_words(words, sizeof words, reply);
	return fault_set(why, FAULT_REFUSED, "the answer is error %lld: %s", (long long)reply->code,
		words);
}

/* ---- The handshake ---- */

static bool read_answer(struct mcp_client *client, struct slice result, struct fault *why) {
	char lent[512];
	struct arena arena;
	struct scan_value root = {.text = result, .type = SCAN_OBJECT}, value;
	struct slice words = SLICE_NONE;
	enum era_version version = ERA_VERSIONS;
	arena_init(&arena, lent, sizeof lent, 0);
	bool is_known = result.bytes[0] == '{' && scan_find(&root, "protocolVersion", &value) &&
		scan_string(&value, &arena, &words) && era_version_read(words, &version);
	if (is_known) {
		client->version = version;
		client->has_tools = scan_path(&root, &value, "capabilities", "tools", NULL) &&
			value.type == SCAN_OBJECT;
		client->mgp = client->spoken && scan_find(&root, "capabilities", &value) && value.type == SCAN_OBJECT
			? mgp_settle(value.text, false, client->spoken)
			: (struct mgp_agreed){0};
		if (scan_path(&root, &value, "serverInfo", "name", NULL) &&
			scan_string(&value, &arena, &words))
			text_display_in(client->server_name, sizeof client->server_name, words);
	} else
		fault_set(why, FAULT_UNSUPPORTED,
			"initialize: the answer names no version of MCP that is known here (%s to %s)",
			era_version_text(ERA_2024_11_05), era_version_text(ERA_NEWEST));
	arena_finish(&arena);
	return is_known;
}

static void introduced(void *context, const struct peer_reply *reply, const struct fault *why) {
	struct mcp_client *client = context;
	struct fault own;
	client->call = NULL;
	if (why) own = *why;
	bool is_fine = reply &&
		(reply->result.bytes ? read_answer(client, reply->result, &own) : mcp_client_error(reply, &own));
	if (is_fine)
		is_fine = peer_tell(client->peer, SLICE("notifications/initialized"), SLICE_NONE, &own);
	client->state = is_fine ? MCP_CLIENT_READY : MCP_CLIENT_NEW;
	mcp_client_ready *ready = TAKE(client->ready);
	ready(client, is_fine ? NULL : &own);
}

static void write_introduction(const struct mcp_introduction *self, struct text *to) {
	text_printf(to, "{\"protocolVersion\":\"%s\",\"capabilities\":", era_version_text(self->version));
	text_add(to, self->capabilities);
	text_add_cstr(to, ",\"clientInfo\":{\"name\":");
	text_json(to, self->name);
	if (self->title.length) {
		text_add_cstr(to, ",\"title\":");
		text_json(to, self->title);
	}
	text_add_cstr(to, ",\"version\":");
	text_json(to, self->software);
	text_add_cstr(to, "}}");
}

bool mcp_client_introduce(struct mcp_client *client, const struct mcp_introduction *self,
	uint64_t deadline_ms, mcp_client_ready *ready, struct fault *why) {
	AUTO_TEXT struct text params = {0};
	text_init(&params, 0);
	write_introduction(self, &params);
	if (text_failed(&params)) return fault_set(why, FAULT_NO_MEMORY, "no memory for a handshake");
	struct peer_request request = {
		.method = SLICE("initialize"),
		.params = text_slice(&params),
		.deadline_ms = deadline_ms,
		.answered = introduced,
		.context = client,
	};
	struct peer_call *call = peer_ask(client->peer, &request, why);
	if (!call) return false;
	client->call = call;
	client->ready = ready;
	client->spoken = mgp_settle(self->capabilities, false, MGP_SPOKEN).extensions;
	client->state = MCP_CLIENT_INTRODUCING;
	return true;
}

/* ---- Tools ---- */

struct mcp_client_walk {
	struct mcp_client *client;
	struct mcp_listing *listing;
	struct peer_call *call;
	uint64_t ends_at; /* monotonic ms; UINT64_MAX: never */
	unsigned pages;
	struct slice cursor; /* of the page under way; in the listing */
	mcp_client_listed *listed;
	void *context;
};

static void walk_free(struct mcp_client_walk *walk) {
	mcp_listing_drop(walk->listing);
	free(walk);
}

static void walk_end(struct mcp_client_walk *walk, const struct fault *why) {
	walk->listed(walk->context, why ? NULL : walk->listing, why);
	walk_free(walk);
}

static void page_came(void *context, const struct peer_reply *reply, const struct fault *why);

static bool ask_page(struct mcp_client_walk *walk, struct fault *why) {
	AUTO_TEXT struct text params = {0};
	uint64_t now = clock_monotonic_ms(), left = UINT64_MAX;
	if (walk->ends_at != UINT64_MAX) left = walk->ends_at > now ? walk->ends_at - now : 1;
	text_init(&params, 0);
	text_add_char(&params, '{');
	if (walk->cursor.bytes) {
		text_add_cstr(&params, "\"cursor\":");
		text_json(&params, walk->cursor);
	}
	text_add_char(&params, '}');
	if (text_failed(&params)) return fault_set(why, FAULT_NO_MEMORY, "no memory for a request");
	struct peer_request request = {
		.method = SLICE("tools/list"),
		.params = text_slice(&params),
		.deadline_ms = left,
		.answered = page_came,
		.context = walk,
	};
	walk->call = peer_ask(walk->client->peer, &request, why);
	return walk->call != NULL;
}

/* True: *more says whether another page was asked for. */
static bool take_page(struct mcp_client_walk *walk, struct slice result, bool *more,
	struct fault *why) {
	struct slice cursor = SLICE_NONE;
	if (!mcp_listing_add(walk->listing, result, &cursor, why)) return false;
	*more = cursor.bytes != NULL;
	if (!*more) return true;
	if (++walk->pages >= MCP_CLIENT_PAGES)
		return fault_set(why, FAULT_TOO_LARGE, "tools/list: more than %d pages", MCP_CLIENT_PAGES);
	if (walk->cursor.bytes && slice_equal(walk->cursor, cursor))
		return fault_set(why, FAULT_BAD_INPUT, "tools/list: a page names itself as the next one");
	walk->cursor = cursor;
	return ask_page(walk, why);
}

static void page_came(void *context, const struct peer_reply *reply, const struct fault *why) {
	struct mcp_client_walk *walk = context;
	struct fault own;
	bool more = false;
	walk->call = NULL;
	if (why) own = *why;
	bool is_fine = reply &&
		(reply->result.bytes ? take_page(walk, reply->result, &more, &own) : mcp_client_error(reply, &own));
	if (is_fine && more) return;
	walk_end(walk, is_fine ? NULL : &own);
}

struct mcp_client_walk *mcp_client_list(struct mcp_client *client, uint64_t deadline_ms,
	mcp_client_listed *listed, void *context, struct fault *why) {
	uint64_t patience = deadline_ms ? deadline_ms : PEER_PATIENCE;
	struct mcp_client_walk *walk = calloc(1, sizeof *walk);
	if (!walk) return fault_null(why, FAULT_NO_MEMORY, "no memory for a list of tools");
	walk->client = client;
	walk->listed = listed;
	walk->context = context;
	walk->ends_at = patience == UINT64_MAX ? UINT64_MAX : clock_monotonic_ms() + patience;
	walk->listing = mcp_listing_open(why);
	if (walk->listing && client->most_listed) mcp_listing_limit(walk->listing, client->most_listed);
	if (walk->listing && ask_page(walk, why)) return walk;
	walk_free(walk);
	return NULL;
}

void mcp_client_list_cancel(struct mcp_client_walk *walk) {
	if (walk->call) peer_cancel(walk->call, SLICE("not needed any more"));
	walk_free(walk);
}

static void write_call(struct text *to, struct slice tool, struct slice arguments, const char *end) {
	text_add_cstr(to, "{\"name\":");
	text_json(to, tool);
	if (arguments.bytes) {
		text_add_cstr(to, ",\"arguments\":");
		text_add(to, arguments);
	}
	text_add_cstr(to, end);
}

void mcp_client_write_call(struct text *to, struct slice tool, struct slice arguments) {
	write_call(to, tool, arguments, "}");
}

void mcp_client_write_streamed(struct text *to, struct slice tool, struct slice arguments) {
	write_call(to, tool, arguments, ",\"_mgp\":{\"stream\":true}}");
}
