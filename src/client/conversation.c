/* SPDX-License-Identifier: Apache-2.0 */
/* Conversation: a carrier and a peer, and how they came to speak. */
#include "client/conversation.h"

#include "client/conversation_hello.h"
#include "client/conversation_parts.h"
#include "client/remote_open.h"
#include "client/turn.h"
#include "mcp/mcp_modern.h"

#include <stdlib.h>

#define SCRATCH 4096

/* ---- What the peer does ---- */

static bool send_message(void *context, struct slice message, struct slice about, char *sent,
	struct fault *why) {
	struct conversation *conversation = context;
	(void)about;
	if (!conversation->carrier) return fault_set(why, FAULT_CLOSED, "the server has ended");
	return conversation->carrier->send(conversation->carrier, message, sent, why);
}

static void replied(void *raiser, struct slice key, struct slice result, int64_t code,
	struct slice words) {
	struct peer_question *question = raiser;
	(void)key;
	peer_question_set(question, NULL);
	if (result.bytes) peer_answer(question, result);
	else peer_refuse(question, code, words, JSONRPC_PLAIN);
}

static void asked(void *context, struct peer_question *peers, const struct jsonrpc *request) {
	struct conversation *conversation = context;
	enum inquiry_kind kind;
	if (slice_is(request->method, "ping")) {
		peer_answer(peers, SLICE("{}"));
		return;
	}
	if (conversation->is_modern || !inquiry_kind_of(request->method, &request->params, &kind) ||
		!(conversation->options.abilities & (1U << kind))) {
		peer_refuse(peers, JSONRPC_METHOD_NOT_FOUND, SLICE("this client does not know that method"),
			JSONRPC_PLAIN);
		return;
	}
	struct hustings_question *question = inquiry_make(&conversation->questions, kind, SLICE_NONE,
		&request->params, replied, peers);
	if (!question) {
		peer_refuse(peers, JSONRPC_INTERNAL_ERROR, SLICE("no memory"), JSONRPC_PLAIN);
		return;
	}
	peer_question_set(peers, question);
	conversation->events->asked(conversation->context, question);
}

static void withdrew(void *context, struct peer_question *peers) {
	struct conversation *conversation = context;
	struct hustings_question *question = peer_question_context(peers);
	if (question && inquiry_withdraw(question) && !conversation->is_closed)
		conversation->events->withdrawn(conversation->context, question);
	peer_answer(peers, SLICE("{}")); /* goes nowhere; it ends the question */
}

static void told(void *context, const struct jsonrpc *notification) {
	struct conversation *conversation = context;
	if (slice_is(notification->method, "notifications/tools/list_changed"))
		mcp_listing_drop(TAKE(conversation->tools));
	conversation->events->told(conversation->context, notification->method, &notification->params);
}

static const struct peer_events peer_table = {
	.send = send_message,
	.asked = asked,
	.told = told,
	.cancelled = withdrew,
};

/* ---- What the carrier tells ---- */

static void hear_all(struct conversation *conversation, const struct scan_value *batch,
	struct arena *arena) {
	struct scan_walk walk;
	struct scan_member member;
	struct jsonrpc message;
	int64_t code;
	for (scan_open(&walk, batch); !conversation->is_closed && scan_next(&walk, &member);)
		if (jsonrpc_read_value(&message, &member.value, arena, &code, NULL))
			peer_take(conversation->peer, &message, SLICE_NONE, SLICE_NONE);
}

/* What is no JSON-RPC is passed over: some servers greet people on stdout. */
static void heard(void *context, struct slice text) {
	struct conversation *conversation = context;
	char lent[SCRATCH];
	struct arena arena;
	struct jsonrpc message;
	struct scan_value batch;
	struct scan_fault fault;
	int64_t code;
	if (conversation->is_closed) return;
	arena_init(&arena, lent, sizeof lent, 0);
	if (jsonrpc_read(&message, text, &arena, &code, NULL))
		peer_take(conversation->peer, &message, SLICE_NONE, SLICE_NONE);
	else if (scan_check(text, SCAN_DEPTH, &batch, &fault) && batch.type == SCAN_ARRAY)
		hear_all(conversation, &batch, &arena); /* MCP 2025-03-26 */
	arena_finish(&arena);
}

static void failed(void *context, struct slice id, const struct fault *why) {
	struct conversation *conversation = context;
	struct fault own = *why;
	if (!conversation->is_closed) (void)peer_fail(conversation->peer, id, NULL, &own);
}

static void forgot(void *context) {
	struct conversation *conversation = context;
	if (!conversation->is_closed && conversation->state == CONVERSATION_READY)
		conversation_hello_again(conversation);
}

static void opened(void *context) {
	struct conversation *conversation = context;
	if (!conversation->is_closed) conversation_hello_opened(conversation);
}

static struct slice schema_of(void *context, struct slice name) {
	const struct conversation *conversation = context;
	const struct mcp_tool *tool = NULL;
	if (conversation->tools) tool = mcp_listing_find(conversation->tools, name);
	return tool ? tool->input_schema : SLICE_NONE;
}

static bool open_carrier(struct conversation *conversation, struct fault *why);

/* A process that dies of a question it does not know may live when it is greeted as of old. */
static bool start_again(struct conversation *conversation) {
	if (conversation->state != CONVERSATION_OPENING || conversation->is_second ||
		!conversation->asks_modern || !conversation->asks_legacy || !conversation->discovery)
		return false;
	conversation->is_second = true;
	conversation->asks_modern = false;
	conversation_hello_stop(conversation);
	conversation->carrier->close(TAKE(conversation->carrier));
	struct fault why;
	return open_carrier(conversation, &why) && conversation_hello_start(conversation, &why);
}

static void ended(void *context, const struct fault *why) {
	struct conversation *conversation = context;
	if (!conversation->is_closed && !start_again(conversation)) conversation_end(conversation, why);
}

static bool open_carrier(struct conversation *conversation, struct fault *why) {
	static const struct carrier_events events = {heard, forgot, failed, opened, schema_of, ended};
	const struct conversation_options *options = &conversation->options;
	conversation->carrier = options->remote.url
		? remote_open(conversation->loop, options->desk, &options->remote, &events, conversation, why)
		: spawned_open(conversation->loop, &options->spawned, &events, conversation, why);
	return conversation->carrier != NULL;
}

/* ---- Opening ---- */

/* What is declared is what is answered. */
static void write_capabilities(struct text *to, unsigned abilities) {
	bool forms = abilities & (1U << INQUIRY_FORM), urls = abilities & (1U << INQUIRY_URL);
	text_add_char(to, '{');
	if (forms || urls)
		text_printf(to, "\"elicitation\":{%s%s%s},", forms ? "\"form\":{}" : "",
			forms && urls ? "," : "", urls ? "\"url\":{}" : "");
	if (abilities & (1U << INQUIRY_SAMPLING)) text_add_cstr(to, "\"sampling\":{\"tools\":{}},");
	if (abilities & (1U << INQUIRY_ROOTS)) text_add_cstr(to, "\"roots\":{\"listChanged\":true},");
	if (to->length > 1 && !to->failed) to->bytes[to->length - 1] = '}';
	else text_add_char(to, '}');
}

static bool introduce_self(struct conversation *conversation) {
	AUTO_TEXT struct text info = {0}, capabilities = {0};
	text_init(&info, 0);
	text_init(&capabilities, 0);
	text_add_cstr(&info, "{\"name\":");
	text_json(&info, conversation->options.name);
	text_add_cstr(&info, ",\"version\":");
	text_json(&info, conversation->options.software);
	text_add_char(&info, '}');
	write_capabilities(&capabilities, conversation->options.abilities);
	return !text_failed(&info) && !text_failed(&capabilities) &&
		arena_copy(&conversation->words, text_slice(&info), &conversation->client_info) &&
		arena_copy(&conversation->words, text_slice(&capabilities), &conversation->capabilities);
}

static bool read_wish(struct conversation *conversation, const char *version, struct fault *why) {
	conversation->wished = ERA_NEWEST;
	conversation->asks_modern = !version || strcmp(version, MCP_MODERN_VERSION) == 0;
	conversation->asks_legacy = !version || !conversation->asks_modern;
	return !version || conversation->asks_modern ||
		era_version_read(slice_of(version), &conversation->wished) ||
		fault_set(why, FAULT_UNSUPPORTED, "version: it is none of %s to " MCP_MODERN_VERSION,
			era_version_text(ERA_2024_11_05));
}

static bool check(const struct conversation_options *options, struct fault *why) {
	const char *const *command = options->spawned.command;
	bool has_command = command && command[0];
	return has_command != (options->remote.url != NULL) ||
		fault_set(why, FAULT_BAD_INPUT, "a server is named by a url, or by a command: by one of them");
}

static void free_later(struct task *task);

struct conversation *conversation_open(struct loop *loop, const struct conversation_options *options,
	const struct conversation_events *events, void *context, struct fault *why) {
	if (!check(options, why)) return NULL;
	struct conversation *conversation = calloc(1, sizeof *conversation);
	if (!conversation) return fault_null(why, FAULT_NO_MEMORY, "no memory for another server");
	conversation->loop = loop;
	conversation->options = *options;
	if (!options->hello_ms) conversation->options.hello_ms = CONVERSATION_CALL_MS;
	if (!options->call_ms) conversation->options.call_ms = CONVERSATION_CALL_MS;
	conversation->events = events;
	conversation->context = context;
	list_init(&conversation->waiting);
	list_init(&conversation->asked);
	list_init(&conversation->questions);
	arena_init(&conversation->words, NULL, 0, 0);
	arena_init(&conversation->fact_words, NULL, 0, 0);
	text_init(&conversation->octets, 0);
	conversation_hello_forget(conversation);
	bool is_fine = read_wish(conversation, options->version, why) &&
		(introduce_self(conversation) || fault_set(why, FAULT_NO_MEMORY, "no memory for another server"));
	if (is_fine) conversation->peer = peer_open(loop, &peer_table, conversation, why);
	is_fine = conversation->peer && open_carrier(conversation, why) &&
		conversation_hello_start(conversation, why);
	if (is_fine) return conversation;
	conversation_close(conversation);
	return NULL;
}

/* ---- The end ---- */

static void free_later(struct task *task) {
	struct conversation *conversation = CONTAINER_OF(task, struct conversation, closing);
	peer_close(conversation->peer, NULL);
	while (!list_is_empty(&conversation->questions))
		inquiry_free(inquiry_of(conversation->questions.next));
	mcp_listing_drop(conversation->tools);
	arena_finish(&conversation->words);
	arena_finish(&conversation->fact_words);
	text_finish(&conversation->octets);
	free(conversation);
}

void conversation_close(struct conversation *conversation) {
	if (!conversation || conversation->is_closed) return;
	conversation->is_closed = true;
	conversation->state = CONVERSATION_ENDED;
	conversation_hello_stop(conversation);
	if (conversation->peer) turns_drop(conversation);
	if (conversation->carrier) conversation->carrier->close(TAKE(conversation->carrier));
	loop_later(conversation->loop, &conversation->closing, free_later);
}

/* ---- What is known ---- */

const struct conversation_facts *conversation_facts(const struct conversation *conversation) {
	return &conversation->facts;
}
bool conversation_is_modern(const struct conversation *conversation) {
	return conversation->is_modern;
}
bool conversation_is_ready(const struct conversation *conversation) {
	return conversation->state == CONVERSATION_READY;
}
bool conversation_is_remote(const struct conversation *conversation) {
	return conversation->options.remote.url != NULL;
}

bool conversation_offers(const struct conversation *conversation, const char *outer,
	const char *inner) {
	struct slice text = conversation->facts.capabilities;
	struct scan_value root = {.text = text, .type = text.length ? SCAN_OBJECT : SCAN_NONE}, value;
	bool is_true = false;
	if (!scan_find(&root, outer, &value)) return false;
	if (!inner) return value.type == SCAN_OBJECT;
	return scan_path(&root, &value, outer, inner, NULL) && scan_boolean(&value, &is_true) && is_true;
}

bool conversation_tell(struct conversation *conversation, struct slice method, struct slice params,
	struct fault *why) {
	if (conversation->state != CONVERSATION_READY)
		return fault_set(why, FAULT_NOT_READY, "the handshake with the server is not over");
	return peer_tell(conversation->peer, method, params, why);
}

bool conversation_set_level(struct conversation *conversation, struct slice level) {
	if (level.length >= sizeof conversation->log_level) return false;
	memcpy(conversation->log_level, level.bytes ? level.bytes : "", level.length);
	conversation->log_level[level.length] = '\0';
	return true;
}

struct slice conversation_level(const struct conversation *conversation) {
	return slice_of(conversation->log_level);
}

void conversation_keep_tools(struct conversation *conversation, struct mcp_listing *tools) {
	mcp_listing_drop(conversation->tools);
	conversation->tools = mcp_listing_keep(tools);
}
