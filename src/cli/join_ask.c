/* SPDX-License-Identifier: Apache-2.0 */
/* Join ask: each question is a small record that knows how to print its answer. */
#include "cli/join_ask.h"

#include "cli/tool_list.h"
#include "cli/tool_result.h"
#include "client/errand.h"
#include "client/gateway_fetch.h"
#include "mcp/mcp_client.h"

#include <stdlib.h>

#define PRIVILEGE_VIOLATION (-32001) /* MCPx v0.1 4.4.2 */

struct asked {
	struct link link;
	struct join_asks *asks;
	struct errand *errand;
	struct gateway_fetch *fetch;
	char *of;   /* whom; NULL: the gateway */
	char *what; /* the tool or method */
	bool is_call;
};

static void asked_free(struct asked *asked) {
	list_remove(&asked->link);
	free(asked->of);
	free(asked->what);
	free(asked);
}

static struct asked *asked_make(struct join_asks *asks, struct slice of, struct slice what,
	struct fault *why) {
	struct asked *asked = calloc(1, sizeof *asked);
	if (!asked) return fault_null(why, FAULT_NO_MEMORY, "no memory for a question");
	asked->asks = asks;
	list_append(&asks->open, &asked->link);
	asked->of = slice_copy(of);
	asked->what = slice_copy(what);
	if (asked->of && asked->what) return asked;
	asked_free(asked);
	return fault_null(why, FAULT_NO_MEMORY, "no memory for a question");
}

/* ---- Answers of participants ---- */

static void begin(const struct asked *asked, struct text *text) {
	text_display(text, slice_of(asked->of));
	text_add_char(text, ' ');
	text_display(text, slice_of(asked->what));
	text_add_cstr(text, ": ");
}

/* Who may not call may ask others to. */
static void add_next_step(const struct asked *asked, struct text *text) {
	if (!asked->is_call || !slice_is(guest_privilege(asked->asks->guest), "restricted")) return;
	text_add_cstr(text, " (you are restricted: `/propose ");
	text_display(text, slice_of(asked->of));
	text_add_char(text, ' ');
	text_display(text, slice_of(asked->what));
	text_add_cstr(text, "` asks somebody full to do it)");
}

static void write_reply(const struct asked *asked, const struct peer_reply *reply, struct text *text) {
	AUTO_TEXT struct text shown = {0};
	bool is_error = false;
	text_init(&shown, 0);
	begin(asked, text);
	if (!reply->result.bytes) {
		char words[400];
		mcp_client_words(words, sizeof words, reply);
		text_printf(text, "error %lld: %s", (long long)reply->code, words);
		if (reply->code == PRIVILEGE_VIOLATION) add_next_step(asked, text);
		text_add_char(text, '\n');
		return;
	}
	if (!tool_result_write(&shown, reply->result, true, &is_error)) {
		tool_result_show(&shown, reply->result);
		text_add_char(&shown, '\n');
	}
	if (is_error) text_add_cstr(text, "failed: ");
	const char *first = shown.length ? memchr(shown.bytes, '\n', shown.length) : NULL;
	if (first && first + 1 < shown.bytes + shown.length) text_add_char(text, '\n');
	text_add(text, text_slice(&shown));
	if (!shown.length) text_add_cstr(text, "done\n");
}

static void answered(void *context, const struct errand_result *result, const struct fault *why) {
	struct asked *asked = context;
	struct join_asks *asks = asked->asks;
	AUTO_TEXT struct text text = {0};
	text_init(&text, 0);
	if (why) {
		begin(asked, &text);
		text_add_cstr(&text, why->text);
		/* Restricted ones are refused at the handshake already. */
		if (strstr(why->text, "error -32001")) add_next_step(asked, &text);
		text_add_char(&text, '\n');
	} else if (result->listing)
		tool_list_write(&text, slice_of(asked->of), result->listing);
	else
		write_reply(asked, result->reply, &text);
	asked_free(asked);
	asks->print(asks, &text);
}

/* Its answer is still to come. */
static void held(void *context, struct slice reason, uint64_t wait_ms) {
	const struct asked *asked = context;
	AUTO_TEXT struct text text = {0};
	text_init(&text, 0);
	begin(asked, &text);
	text_printf(&text, "asks somebody first, for %llu s at most", (unsigned long long)(wait_ms / 1000));
	if (reason.length) text_add_cstr(&text, ": ");
	text_display(&text, reason);
	text_add_char(&text, '\n');
	asked->asks->print(asked->asks, &text);
}

static bool run(struct join_asks *asks, struct errand_options *wishes, struct slice what,
	struct fault *why) {
	struct asked *asked = asked_make(asks, wishes->to, what, why);
	if (!asked) return false;
	asked->is_call = wishes->kind == ERRAND_CALL;
	wishes->done = answered;
	wishes->held = held;
	wishes->context = asked;
	asked->errand = errand_open(asks->guest, wishes, why);
	if (asked->errand) return true;
	asked_free(asked);
	return false;
}

bool join_ask_call(struct join_asks *asks, struct slice participant, struct slice tool,
	struct slice arguments, struct fault *why) {
	struct errand_options wishes = {
		.kind = ERRAND_CALL,
		.to = participant,
		.name = tool,
		.body = arguments,
	};
	return run(asks, &wishes, tool, why);
}

bool join_ask_tools(struct join_asks *asks, struct slice participant, struct fault *why) {
	struct errand_options wishes = {.kind = ERRAND_LIST, .to = participant};
	return run(asks, &wishes, SLICE("tools"), why);
}

bool join_ask_fulfil(struct join_asks *asks, const struct join_proposal *proposal,
	struct fault *why) {
	if (!proposal->to.length)
		return fault_set(why, FAULT_BAD_INPUT, "the proposal names nobody who could do it");
	struct errand_options wishes = {
		.kind = ERRAND_ASK,
		.to = proposal->to,
		.name = proposal->method,
		.body = proposal->params.length ? proposal->params : SLICE_NONE,
		.about = proposal->id,
	};
	return run(asks, &wishes, proposal->method, why);
}

/* ---- The gateway ---- */

static bool fetch(struct join_asks *asks, struct slice path, struct slice body,
	gateway_fetch_done *done, struct fault *why) {
	if (!asks->desk) asks->desk = fetch_desk_open(asks->loop, why);
	if (!asks->desk) return false;
	struct asked *asked = asked_make(asks, SLICE(""), SLICE(""), why);
	if (!asked) return false;
	asked->fetch = gateway_fetch_open(asks->guest, asks->desk, path, body, done, asked, why);
	if (asked->fetch) return true;
	asked_free(asked);
	return false;
}

/* What follows is told to the whole room by the gateway itself. */
static void settled(void *context, struct slice body, const struct fault *why) {
	struct asked *asked = context;
	struct join_asks *asks = asked->asks;
	(void)body;
	asked_free(asked);
	if (why) asks->complain(asks, why);
}

bool join_ask_settle(struct join_asks *asks, const struct join_proposal *proposal, const char *verb,
	struct slice reason, struct fault *why) {
	AUTO_TEXT struct text path = {0}, body = {0};
	text_init(&path, 0);
	text_init(&body, 0);
	gateway_fetch_write_proposal(&path, proposal->id, verb);
	text_add_cstr(&body, "{\"reason\":");
	text_json(&body, reason);
	text_add_char(&body, '}');
	if (text_failed(&path) || text_failed(&body))
		return fault_set(why, FAULT_NO_MEMORY, "no memory for a question");
	return fetch(asks, text_slice(&path), text_slice(&body), settled, why);
}

static struct slice string_of(const struct scan_value *object, const char *key, struct arena *arena) {
	struct scan_value value;
	struct slice string = SLICE_NONE;
	if (scan_find(object, key, &value) && !scan_string(&value, arena, &string)) return SLICE_NONE;
	return string;
}

/* An entry of the gateway's book (MCPx v0.1 10.2, with the payload). */
static void note_entry(struct join_asks *asks, const struct scan_value *entry, struct arena *arena) {
	struct scan_value payload, params;
	struct join_proposal like = {.id = string_of(entry, "proposalId", arena)};
	if (!like.id.length || !scan_find(entry, "payload", &payload)) return;
	like.from = string_of(entry, "proposer", arena);
	like.to = string_of(entry, "target", arena);
	like.method = string_of(&payload, "method", arena);
	like.reason = string_of(&payload, "reason", arena);
	if (scan_find(&payload, "params", &params)) like.params = params.text;
	join_proposals_note(asks->proposals, &like);
}

static void listed(void *context, struct slice body, const struct fault *why) {
	struct asked *asked = context;
	struct join_asks *asks = asked->asks;
	struct scan_value root = {.text = body, .type = SCAN_OBJECT}, list;
	struct scan_walk walk;
	struct scan_member entry;
	char lent[2048];
	struct arena arena;
	asked_free(asked);
	if (why) {
		asks->complain(asks, why);
		return;
	}
	if (!scan_find(&root, "proposals", &list) || list.type != SCAN_ARRAY) return;
	arena_init(&arena, lent, sizeof lent, 0);
	for (scan_open(&walk, &list); scan_next(&walk, &entry);) {
		arena_reset(&arena);
		note_entry(asks, &entry.value, &arena);
	}
	arena_finish(&arena);
}

static void listed_to_show(void *context, struct slice body, const struct fault *why) {
	struct join_asks *asks = ((struct asked *)context)->asks;
	AUTO_TEXT struct text text = {0};
	listed(context, body, why);
	if (why) return;
	text_init(&text, 0);
	join_proposals_write(asks->proposals, &text);
	asks->print(asks, &text);
}

bool join_ask_waiting(struct join_asks *asks, bool is_shown, struct fault *why) {
	return fetch(asks, SLICE("/proposals?status=pending"), SLICE_NONE, is_shown ? listed_to_show : listed,
		why);
}

void join_ask_finish(struct join_asks *asks) {
	LIST_EACH_SAFE(link, &asks->open) {
		struct asked *asked = CONTAINER_OF(link, struct asked, link);
		if (asked->errand) errand_cancel(asked->errand, SLICE("whoever asked has left"));
		gateway_fetch_close(asked->fetch);
		asked_free(asked);
	}
}
