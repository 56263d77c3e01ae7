/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hosted hello: the first words of a conversation.
 *
 * Which comes first? Servers that do not know server/discover answer it with an error, stay silent,
 * or die of any request before initialize; modern servers answer initialize with an error. So
 * initialize comes first, and harms nobody; who refuses it is asked server/discover in the same
 * conversation. Whether a legacy server is modern as well cannot be seen there (a dual-era server
 * keeps to the era of the first request), so a second process is asked: if that one dies of it, no
 * caller was on it.
 */
#include "hosted/hosted_parts.h"

#include "mcp/era.h"
#include "mcp/mgp.h"
#include "mcp/mcp_modern.h"

static void discovered(void *context, const struct peer_reply *reply, const struct fault *why);
static void introduced(void *context, const struct peer_reply *reply, const struct fault *why);

static void fail_with_reply(struct hosted_child *child, const char *method,
	const struct peer_reply *reply) {
	struct fault why;
	char words[160];
	text_display_in(words, sizeof words, reply->message);
	fault_set(&why, FAULT_REFUSED, "it answers %s with error %lld: %s", method,
		(long long)reply->code, words);
	hosted_child_failed(child, &why);
}

/* The conversation's end is told by itself; so is the deadline, which is the child's. */
static bool is_over(const struct hosted_child *child, const struct fault *why) {
	return why || child->stage != HOSTED_OPENING;
}

/* What this house says of MGP to that server. */
static unsigned extensions_for(const struct hosted_child *child) {
	const struct hosted_governor *governor = child->hosted->servers->governor;
	return governor && governor->extensions ? governor->extensions(child->hosted) : 0;
}

/* Its facts are known: who governs it may let it wait. */
static void introduced_as(struct hosted_child *child, enum hosted_era era) {
	const struct hosted_governor *governor = child->hosted->servers->governor;
	deadline_clear(&child->deadline);
	child->is_introduced = true;
	if (!governor || !governor->introduced || governor->introduced(child->hosted, child, era))
		hosted_child_go_on(child);
}

void hosted_child_go_on(struct hosted_child *child) {
	struct fault why;
	if (child->stage != HOSTED_OPENING) return;
	if (child->era == HOSTED_LEGACY &&
		!peer_tell(child->peer, SLICE("notifications/initialized"), SLICE_NONE, &why))
		hosted_child_failed(child, &why);
	else hosted_child_ready(child);
}

/* ---- Modern ---- */

static bool discover(struct hosted_child *child, struct fault *why) {
	AUTO_TEXT struct text capabilities = {0};
	text_init(&capabilities, 0);
	text_add_char(&capabilities, '{');
	hosted_child_write_mgp(&capabilities, extensions_for(child));
	text_add_char(&capabilities, '}');
	if (text_failed(&capabilities)) return fault_set(why, FAULT_NO_MEMORY, "no memory for a handshake");
	const struct mcp_modern_meta meta = {
		.client_info = SLICE(HOSTED_CLIENT_INFO),
		.capabilities = text_slice(&capabilities),
	};
	const struct peer_request request = {
		.method = SLICE("server/discover"),
		.deadline_ms = UINT64_MAX,
		.answered = discovered,
		.context = child,
	};
	return hosted_child_ask(child, &request, &meta, why) != NULL;
}

static void discovered(void *context, const struct peer_reply *reply, const struct fault *why) {
	struct hosted_child *child = context;
	struct fault own;
	if (is_over(child, why)) return;
	if (!reply->result.bytes) {
		fail_with_reply(child, "server/discover", reply);
		return;
	}
	struct scan_value result = {.text = reply->result,
		.type = reply->result.bytes[0] == '{' ? SCAN_OBJECT : SCAN_NULL};
	if (!mcp_modern_is_discovery(&result)) {
		fault_set(&own, FAULT_UNSUPPORTED, "its server/discover offers no version that is known here (" MCP_MODERN_VERSION ")");
		hosted_child_failed(child, &own);
	} else if (hosted_facts_take(child->hosted, HOSTED_MODERN, reply->result, &own))
		introduced_as(child, HOSTED_MODERN);
	else
		hosted_child_failed(child, &own);
}

/* ---- Legacy ---- */

/* Many share it: nobody could answer its questions (docs/protocol.md). */
static void write_capabilities(struct text *to, const struct hosted_child *child) {
	unsigned extensions = extensions_for(child);
	bool is_asked = !child->is_shared && child->hosted->setup.of.share != HOSTED_SHARE_ALL;
	text_add_cstr(to, "{\"roots\":{}");
	if (is_asked)
		text_add_cstr(to, ",\"sampling\":{\"tools\":{}},\"elicitation\":{\"form\":{},\"url\":{}}");
	if (extensions) {
		text_add_cstr(to, ",\"mgp\":");
		mgp_write(to, extensions);
	}
	text_add_char(to, '}');
}

static bool introduce(struct hosted_child *child, struct fault *why) {
	AUTO_TEXT struct text params = {0};
	text_init(&params, 0);
	text_printf(&params, "{\"protocolVersion\":\"%s\",\"capabilities\":", era_version_text(ERA_NEWEST));
	write_capabilities(&params, child);
	text_add_cstr(&params, ",\"clientInfo\":" HOSTED_CLIENT_INFO "}");
	if (text_failed(&params)) return fault_set(why, FAULT_NO_MEMORY, "no memory for a handshake");
	const struct peer_request request = {
		.method = SLICE("initialize"),
		.params = text_slice(&params),
		.deadline_ms = UINT64_MAX,
		.answered = introduced,
		.context = child,
	};
	return peer_ask(child->peer, &request, why) != NULL;
}

static bool has_known_version(struct slice result) {
	char lent[256];
	struct arena arena;
	struct scan_value root = {.text = result, .type = SCAN_OBJECT}, value;
	struct slice words;
	enum era_version version;
	arena_init(&arena, lent, sizeof lent, 0);
	bool is_known = result.bytes[0] == '{' && scan_find(&root, "protocolVersion", &value) &&
		scan_string(&value, &arena, &words) && era_version_read(words, &version);
	arena_finish(&arena);
	return is_known;
}

static bool take_introduction(struct hosted_child *child, struct slice result, struct fault *why) {
	if (!has_known_version(result))
		return fault_set(why, FAULT_UNSUPPORTED,
			"its initialize names no version of MCP that is known here (%s to %s)",
			era_version_text(ERA_2024_11_05), era_version_text(ERA_NEWEST));
	return hosted_facts_take(child->hosted, HOSTED_LEGACY, result, why);
}

static void introduced(void *context, const struct peer_reply *reply, const struct fault *why) {
	struct hosted_child *child = context;
	struct hosted *hosted = child->hosted;
	struct fault own;
	if (is_over(child, why)) return;
	if (reply->result.bytes) {
		if (take_introduction(child, reply->result, &own)) introduced_as(child, HOSTED_LEGACY);
		else hosted_child_failed(child, &own);
		return;
	}
	if (hosted->is_known || hosted->speaks[HOSTED_LEGACY]) {
		fail_with_reply(child, "initialize", reply);
		return;
	}
	child->era = HOSTED_MODERN;
	if (!discover(child, &own)) hosted_child_failed(child, &own);
}

bool hosted_hello_start(struct hosted_child *child, struct fault *why) {
	return child->era == HOSTED_MODERN ? discover(child, why) : introduce(child, why);
}
