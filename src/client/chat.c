/* SPDX-License-Identifier: Apache-2.0 */
/* Chat: both forms, the kind of v0.1 and the notification of v0, are one thing here (MCPx v0 8,
 * v0.1 4.3). And the two tools that stand for it. */
#include "client/chat.h"

#include "client/guest_parts.h"

#define SAID "{\"type\":\"object\",\"properties\":{\"text\":{\"type\":\"string\"}," \
	     "\"format\":{\"type\":\"string\",\"enum\":[\"plain\",\"markdown\"],\"default\":\"plain\"}}," \
	     "\"required\":[\"text\"]}"

/* ---- Hearing ---- */

/* The object that holds `text`; false: no chat. */
static bool find_body(const struct envelope *envelope, struct arena *arena,
	struct scan_value *body) {
	struct slice method;
	if (envelope->kind == ENVELOPE_CHAT) {
		*body = envelope->payload;
		return true;
	}
	*body = envelope->body.params;
	return envelope->body.id.type == SCAN_NONE && envelope->body.method.type == SCAN_STRING &&
		scan_string(&envelope->body.method, arena, &method) &&
		slice_is(method, "notifications/chat/message") && body->type == SCAN_OBJECT;
}

static bool is_named(const struct guest *guest, const struct envelope *envelope,
	struct arena *arena) {
	struct slice name;
	for (size_t at = 0; envelope_recipient(envelope, &at, arena, &name);)
		if (slice_equal(name, membership_id(guest->membership))) return true;
	return false;
}

bool chat_take(struct guest *guest, const struct envelope *envelope, enum guest_moment moment,
	struct arena *arena) {
	struct scan_value body, value;
	struct slice format = SLICE_NONE;
	struct guest_chat chat = {
		.id = envelope->id,
		.from = envelope->from,
		.correlation_id = envelope->correlation_id,
		.at = envelope->moment,
		.moment = moment,
	};
	if (!find_body(envelope, arena, &body)) return false;
	/* Without a text it is against the protocol, and there is nothing to show. */
	if (!scan_find(&body, "text", &value) || !scan_string(&value, arena, &chat.text)) return true;
	if (scan_find(&body, "format", &value)) (void)!scan_string(&value, arena, &format);
	chat.is_markdown = slice_is(format, "markdown");
	chat.is_to_us = is_named(guest, envelope, arena);
	GUEST_TELL(guest, chat, &chat);
	return true;
}

/* ---- Saying ---- */

bool guest_say(struct guest *guest, struct slice to, struct slice text, bool is_markdown,
	char id[IDENT_UUID_SIZE], struct fault *why) {
	AUTO_TEXT struct text body = {0}, message = {0};
	bool is_v0 = membership_dialect(guest->membership) == ENVELOPE_V0;
	text_init(&body, 0);
	text_init(&message, 0);
	text_add_cstr(&body, "{\"text\":");
	text_json(&body, text);
	text_add_cstr(&body, is_markdown ? ",\"format\":\"markdown\"}" : ",\"format\":\"plain\"}");
	/* A restricted participant may say things in the new form alone, under either head. */
	if (is_v0 && !guest->is_restricted)
		jsonrpc_write_notification(&message, SLICE("notifications/chat/message"), text_slice(&body));
	if (text_failed(&body) || text_failed(&message))
		return fault_set(why, FAULT_NO_MEMORY, "no memory for a message");
	return membership_send(guest->membership, message.length ? ENVELOPE_MCP : ENVELOPE_CHAT, &to,
		to.bytes ? 1 : 0, SLICE_NONE, message.length ? text_slice(&message) : text_slice(&body), id, why);
}

/* ---- As tools (MCPx v0 8.2) ---- */

static void refuse(struct peer_question *question, const char *what) {
	mcp_server_answer_text(question, slice_of(what), true);
}

static void run_say(void *context, struct peer_question *question,
	const struct scan_value *arguments) {
	struct guest *guest = context;
	char lent[512];
	struct arena arena;
	struct scan_value value;
	struct slice text = SLICE_NONE, format = SLICE("plain");
	struct fault why;
	arena_init(&arena, lent, sizeof lent, 0);
	bool has_text = scan_find(arguments, "text", &value) && scan_string(&value, &arena, &text);
	bool has_format = !scan_find(arguments, "format", &value) ||
		(scan_string(&value, &arena, &format) &&
			(slice_is(format, "plain") || slice_is(format, "markdown")));
	if (!has_text) refuse(question, "text: a string is due");
	else if (!has_format) refuse(question, "format: plain or markdown is due");
	else if (!guest_say(guest, SLICE_NONE, text, slice_is(format, "markdown"), NULL, &why))
		refuse(question, why.text);
	else mcp_server_answer_json(question, SLICE("{\"status\":\"broadcasted\"}"));
	arena_finish(&arena);
}

static void run_presence(void *context, struct peer_question *question,
	const struct scan_value *arguments) {
	const struct guest *guest = context;
	AUTO_TEXT struct text answer = {0};
	(void)arguments;
	text_init(&answer, 0);
	roster_write(&guest->roster, &answer);
	if (text_failed(&answer)) refuse(question, "no memory for the list");
	else mcp_server_answer_json(question, text_slice(&answer));
}

bool guest_offer_chat(struct guest *guest, struct fault *why) {
	struct mcp_offer say = {
		.name = SLICE("chat.say"),
		.description = SLICE("Says something to everybody in the room."),
		.input_schema = SLICE(SAID),
		.effect = MCP_EFFECT_ADDITIVE,
		.run = run_say,
		.context = guest,
	};
	struct mcp_offer presence = {
		.name = SLICE("presence.get"),
		.description = SLICE("Lists who else is in the room."),
		.effect = MCP_EFFECT_NONE,
		.run = run_presence,
		.context = guest,
	};
	if (!mcp_server_offer(guest->server, &say, why)) return false;
	if (!mcp_server_offer(guest->server, &presence, why)) {
		mcp_server_withdraw(guest->server, say.name);
		return false;
	}
	guest->has_chat_tools = true;
	return true;
}
