/* SPDX-License-Identifier: Apache-2.0 */
/* Conversation hello: two questions, of which one is answered. */
#include "client/conversation_hello.h"

#include "client/conversation_parts.h"
#include "client/turn.h"
#include "mcp/mcp_client.h"
#include "mcp/mcp_modern.h"

static void discovered(void *context, const struct peer_reply *reply, const struct fault *why);
static void introduced(void *context, const struct peer_reply *reply, const struct fault *why);

void conversation_hello_stop(struct conversation *conversation) {
	struct peer_call *discovery = TAKE(conversation->discovery);
	struct peer_call *introduction = TAKE(conversation->introduction);
	deadline_clear(&conversation->hello);
	deadline_clear(&conversation->probe);
	if (discovery) peer_cancel(discovery, SLICE("not needed any more"));
	if (introduction) peer_cancel(introduction, SLICE("not needed any more"));
}

void conversation_end(struct conversation *conversation, const struct fault *why) {
	struct fault own = *why;
	if (conversation->state == CONVERSATION_ENDED) return;
	conversation->state = CONVERSATION_ENDED;
	conversation_hello_stop(conversation);
	turns_end(conversation, &own);
	if (!conversation->is_closed) conversation->events->ended(conversation->context, &own);
}

/* ---- Facts ---- */

void conversation_hello_forget(struct conversation *conversation) {
	conversation->facts = (struct conversation_facts){.version = "", .name = "", .software = "", .instructions = ""};
}

static const char *word(struct conversation *conversation, const struct scan_value *root,
	const char *outer, const char *inner) {
	struct scan_value value;
	struct slice words, ended;
	bool is_there = inner ? scan_path(root, &value, outer, inner, NULL) : scan_find(root, outer, &value);
	if (!is_there || !scan_string(&value, &conversation->fact_words, &words) ||
		!arena_copy(&conversation->fact_words, words, &ended))
		return "";
	return ended.bytes;
}

/* Who it is stands in the result, or, as of 2026-07-28, in its _meta. */
static void read_facts(struct conversation *conversation, struct slice result) {
	struct scan_value root, value;
	struct conversation_facts *facts = &conversation->facts;
	text_clear(&conversation->octets);
	text_add(&conversation->octets, result);
	arena_reset(&conversation->fact_words);
	conversation_hello_forget(conversation);
	if (text_failed(&conversation->octets)) return;
	facts->result = text_slice(&conversation->octets);
	root = (struct scan_value){.text = facts->result, .type = SCAN_OBJECT};
	facts->name = word(conversation, &root, "serverInfo", "name");
	facts->software = word(conversation, &root, "serverInfo", "version");
	if (!facts->name[0] && scan_path(&root, &value, "_meta", MCP_MODERN_PREFIX "serverInfo", NULL)) {
		facts->name = word(conversation, &value, "name", NULL);
		facts->software = word(conversation, &value, "version", NULL);
	}
	facts->instructions = word(conversation, &root, "instructions", NULL);
	if (scan_find(&root, "capabilities", &value) && value.type == SCAN_OBJECT)
		facts->capabilities = value.text;
}

static void settle(struct conversation *conversation, const char *version, bool is_modern) {
	conversation->is_modern = is_modern;
	if (conversation->carrier->settle)
		conversation->carrier->settle(conversation->carrier, version, is_modern);
}

static void be_ready(struct conversation *conversation) {
	conversation_hello_stop(conversation);
	conversation->awaits_stream = false;
	conversation->state = CONVERSATION_READY;
	conversation->events->ready(conversation->context);
	turns_start(conversation);
}

/* ---- Legacy ---- */

/* A server may keep the head of its stream until it has something to say on it. */
static void stream_is_late(struct deadline *deadline) {
	be_ready(CONTAINER_OF(deadline, struct conversation, probe));
}

void conversation_hello_opened(struct conversation *conversation) {
	if (conversation->awaits_stream) be_ready(conversation);
}

static bool introduce(struct conversation *conversation, struct fault *why) {
	AUTO_TEXT struct text params = {0};
	text_init(&params, 0);
	text_printf(&params, "{\"protocolVersion\":\"%s\",\"capabilities\":",
		era_version_text(conversation->wished));
	text_add(&params, conversation->capabilities);
	text_add_cstr(&params, ",\"clientInfo\":");
	text_add(&params, conversation->client_info);
	text_add_char(&params, '}');
	if (text_failed(&params)) return fault_set(why, FAULT_NO_MEMORY, "no memory for a handshake");
	const struct peer_request request = {
		.method = SLICE("initialize"),
		.params = text_slice(&params),
		.deadline_ms = UINT64_MAX,
		.answered = introduced,
		.context = conversation,
	};
	settle(conversation, NULL, false);
	conversation->introduction = peer_ask(conversation->peer, &request, why);
	return conversation->introduction != NULL;
}

static bool take_introduction(struct conversation *conversation, struct slice result,
	struct fault *why) {
	char lent[256];
	struct arena arena;
	struct scan_value root = {.text = result, .type = SCAN_OBJECT}, value;
	struct slice words;
	enum era_version version = ERA_VERSIONS;
	arena_init(&arena, lent, sizeof lent, 0);
	bool is_known = result.bytes[0] == '{' && scan_find(&root, "protocolVersion", &value) &&
		scan_string(&value, &arena, &words) && era_version_read(words, &version);
	arena_finish(&arena);
	if (!is_known)
		return fault_set(why, FAULT_UNSUPPORTED,
			"initialize: the answer names no version of MCP that is known here (%s to %s)",
			era_version_text(ERA_2024_11_05), era_version_text(ERA_NEWEST));
	settle(conversation, era_version_text(version), false);
	if (!peer_tell(conversation->peer, SLICE("notifications/initialized"), SLICE_NONE, why)) return false;
	read_facts(conversation, result);
	conversation->facts.version = era_version_text(version);
	conversation_hello_stop(conversation); /* whatever else was asked does not matter any more */
	conversation->awaits_stream = conversation->options.remote.url != NULL;
	if (conversation->awaits_stream)
		deadline_set(conversation->loop, &conversation->probe, CONVERSATION_STREAM_MS, stream_is_late);
	else be_ready(conversation);
	return true;
}

static void introduced(void *context, const struct peer_reply *reply, const struct fault *why) {
	struct conversation *conversation = context;
	struct fault own;
	conversation->introduction = NULL;
	if (why) own = *why;
	bool is_fine = reply && (reply->result.bytes ? take_introduction(conversation, reply->result, &own) : mcp_client_error(reply, &own));
	/* Silent so far, it may still be about to say that it is modern. */
	if (!is_fine && !conversation->discovery) conversation_end(conversation, &own);
}

/* ---- Modern ---- */

static bool discover(struct conversation *conversation, struct fault *why) {
	AUTO_TEXT struct text params = {0};
	const struct mcp_modern_meta meta = {
		.client_info = conversation->client_info,
		.capabilities = conversation->capabilities,
	};
	text_init(&params, 0);
	mcp_modern_write_params(&params, SLICE_NONE, &meta);
	if (text_failed(&params)) return fault_set(why, FAULT_NO_MEMORY, "no memory for a handshake");
	const struct peer_request request = {
		.method = SLICE("server/discover"),
		.params = text_slice(&params),
		.deadline_ms = UINT64_MAX,
		.answered = discovered,
		.context = conversation,
	};
	settle(conversation, MCP_MODERN_VERSION, true);
	conversation->discovery = peer_ask(conversation->peer, &request, why);
	return conversation->discovery != NULL;
}

/* -32022 whose data names our version: the next attempt may do (MCP 2026-07-28, versions). */
static bool is_wanted_again(struct conversation *conversation, const struct peer_reply *reply) {
	struct scan_value data = {.text = reply->data,
		.type = reply->data.length && reply->data.bytes[0] == '{' ? SCAN_OBJECT : SCAN_NONE};
	struct scan_value versions;
	struct scan_walk walk;
	struct scan_member member;
	if (reply->code != MCP_MODERN_UNKNOWN_VERSION || conversation->was_refused ||
		!scan_find(&data, "supported", &versions) || versions.type != SCAN_ARRAY)
		return false;
	conversation->was_refused = true;
	for (scan_open(&walk, &versions); scan_next(&walk, &member);)
		if (slice_is(member.value.text, "\"" MCP_MODERN_VERSION "\"")) return true;
	return false;
}

/* It is no modern server, or not one of our version. */
static void fall_back(struct conversation *conversation, const struct fault *why) {
	struct fault own = *why;
	if (conversation->introduction) return; /* asked already */
	deadline_clear(&conversation->probe);
	if (!conversation->asks_legacy || !introduce(conversation, &own))
		conversation_end(conversation, &own);
}

static void discovered(void *context, const struct peer_reply *reply, const struct fault *why) {
	struct conversation *conversation = context;
	struct fault own;
	conversation->discovery = NULL;
	if (why) {
		fall_back(conversation, why);
		return;
	}
	struct scan_value result = {.text = reply->result,
		.type = reply->result.length && reply->result.bytes[0] == '{' ? SCAN_OBJECT : SCAN_NONE};
	if (mcp_modern_is_discovery(&result)) {
		read_facts(conversation, reply->result);
		conversation->facts.version = MCP_MODERN_VERSION;
		settle(conversation, MCP_MODERN_VERSION, true);
		be_ready(conversation);
		return;
	}
	if (!reply->result.bytes && is_wanted_again(conversation, reply)) {
		if (!discover(conversation, &own)) conversation_end(conversation, &own);
		return;
	}
	if (!reply->result.bytes) mcp_client_error(reply, &own);
	else fault_set(&own, FAULT_UNSUPPORTED, "server/discover: the answer offers no version that is known here (" MCP_MODERN_VERSION ")");
	fall_back(conversation, &own);
}

/* ---- Beginning ---- */

static void silent(struct deadline *deadline) {
	struct conversation *conversation = CONTAINER_OF(deadline, struct conversation, probe);
	struct fault why;
	if (!conversation->introduction && !introduce(conversation, &why))
		conversation_end(conversation, &why);
}

static void overdue(struct deadline *deadline) {
	struct conversation *conversation = CONTAINER_OF(deadline, struct conversation, hello);
	struct fault why;
	fault_set(&why, FAULT_TIMEOUT, "the server does not answer the handshake");
	conversation_end(conversation, &why);
}

bool conversation_hello_start(struct conversation *conversation, struct fault *why) {
	bool is_asked = conversation->asks_modern ? discover(conversation, why) : introduce(conversation, why);
	if (!is_asked) return false;
	deadline_set(conversation->loop, &conversation->hello, conversation->options.hello_ms, overdue);
	if (conversation->asks_modern && conversation->asks_legacy)
		deadline_set(conversation->loop, &conversation->probe, CONVERSATION_PROBE_MS, silent);
	return true;
}

void conversation_hello_again(struct conversation *conversation) {
	struct fault why;
	conversation->state = CONVERSATION_OPENING;
	conversation->asks_modern = conversation->is_modern;
	if (!conversation_hello_start(conversation, &why)) conversation_end(conversation, &why);
}
