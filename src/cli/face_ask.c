/* SPDX-License-Identifier: Apache-2.0 */
/* Face ask: a loop of its own for the length of one request. */
#include "cli/face_ask.h"

#include "cli/form_ask.h"
#include "cli/mcp_post.h"
#include "mcp/mcp_modern.h"
#include "wire/http1.h"

#include <stdio.h>
#include <unistd.h>

#define ROUNDS 20 /* of questions within one request */
#define PAGES 1000
#define NUMBER 24 /* octets of a number that are shown */

struct asking {
	const struct face_question *question;
	struct loop *loop;
	struct deadline deadline;
	struct mcp_post *post;
	struct text *result;
	bool has_answer;
	bool is_done;
	struct fault why;
};

AUTO_RELEASE(loop, loop_close)
AUTO_RELEASE(fetch_desk, fetch_desk_close)

/* A stranger's string, unescaped and harmless to a terminal; what is no string as it stands. */
static void display(char *shown, size_t size, const struct scan_value *words) {
	char lent[256];
	struct arena arena;
	struct slice plain;
	arena_init(&arena, lent, sizeof lent, 0);
	if (!scan_string(words, &arena, &plain)) plain = words->text;
	text_display_in(shown, size, plain);
	arena_finish(&arena);
}

static void show_progress(const struct jsonrpc *message) {
	struct scan_value progress, total, words;
	if (!slice_is(message->method, "notifications/progress") ||
		!scan_find(&message->params, "progress", &progress) || progress.type != SCAN_NUMBER)
		return;
	fprintf(stderr, "  %.*s", (int)slice_cut(progress.text, NUMBER), progress.text.bytes);
	if (scan_find(&message->params, "total", &total) && total.type == SCAN_NUMBER)
		fprintf(stderr, "/%.*s", (int)slice_cut(total.text, NUMBER), total.text.bytes);
	if (scan_find(&message->params, "message", &words)) {
		char shown[120];
		display(shown, sizeof shown, &words);
		fprintf(stderr, " %s", shown);
	}
	fputc('\n', stderr);
}

static void overdue(struct deadline *deadline) {
	struct asking *asking = CONTAINER_OF(deadline, struct asking, deadline);
	asking->is_done = true;
	fault_set(&asking->why, FAULT_TIMEOUT, "no answer within %llu s: --timeout gives it longer",
		(unsigned long long)(asking->question->timeout_ms / 1000));
}

static void take(struct asking *asking, const struct jsonrpc *message) {
	char words[200];
	if (message->kind == JSONRPC_NOTIFICATION && asking->question->is_attended) {
		show_progress(message);
		/* Somebody is at it: patience begins anew. */
		deadline_set(asking->loop, &asking->deadline, asking->question->timeout_ms, overdue);
	}
	if (message->kind == JSONRPC_RESULT) {
		asking->has_answer = true;
		text_clear(asking->result);
		text_add(asking->result, message->result.text);
	}
	if (message->kind != JSONRPC_ERROR) return;
	asking->has_answer = true;
	text_display_in(words, sizeof words, message->message);
	fault_set(&asking->why, FAULT_REFUSED, "it answers with error %lld: %s", (long long)message->code, words);
}

/* A refusal of the gateway itself is no JSON-RPC, but {"code":..., "message":...}. */
static void take_refusal(struct asking *asking, struct slice json) {
	struct scan_value root, words;
	struct scan_fault fault;
	if (!scan_check(json, SCAN_DEPTH, &root, &fault) || !scan_find(&root, "message", &words)) return;
	char shown[200];
	display(shown, sizeof shown, &words);
	asking->has_answer = true;
	fault_set(&asking->why, FAULT_REFUSED, "%s", shown);
}

static void message_came(void *context, struct slice json) {
	struct asking *asking = context;
	struct jsonrpc message;
	struct arena arena;
	struct fault why;
	char lent[1024];
	int64_t code;
	arena_init(&arena, lent, sizeof lent, 0);
	if (jsonrpc_read(&message, json, &arena, &code, &why)) take(asking, &message);
	else take_refusal(asking, json);
	arena_finish(&arena);
}

static void post_done(void *context, const struct fault *why) {
	struct asking *asking = context;
	asking->is_done = true;
	if (asking->has_answer) return;
	if (why) asking->why = *why;
	else
		fault_set(&asking->why, FAULT_IO, "the gateway answered with status %u, and without an answer",
			mcp_post_status(asking->post));
}

/* ---- One round ---- */

static bool write_url(const struct face_question *question, struct text *url) {
	text_add_cstr(url, question->reach->url);
	text_add_cstr(url, "/mcp");
	if (question->server) {
		text_add_cstr(url, "/servers/");
		http1_escape(url, slice_of(question->server));
	}
	text_add_cstr(url, "?tools=all"); /* whatever [kernel] tools says */
	return !text_failed(url);
}

static void write_body(const struct face_question *question, struct slice params, struct text *body) {
	const struct mcp_modern_meta meta = {
		.client_info = SLICE("{\"name\":\"hustings\",\"version\":\"" HUSTINGS_VERSION "\"}"),
		.capabilities = question->is_attended ? SLICE("{\"elicitation\":{\"form\":{},\"url\":{}}}") : question->capabilities,
	};
	AUTO_TEXT struct text whole = {0};
	text_init(&whole, 0);
	mcp_modern_write_params(&whole, params, &meta);
	if (question->is_attended && whole.length) /* its first member is _meta */
		text_printf(body, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%s\",\"params\":"
				  "{\"_meta\":{\"progressToken\":1,%s}",
			question->method,
			whole.bytes + strlen("{\"_meta\":{"));
	else
		jsonrpc_write_request(body, SLICE("1"), slice_of(question->method), text_slice(&whole));
}

static bool run(struct asking *asking, const struct mcp_post_options *options, struct fault *why) {
	static const struct mcp_post_events events = {message_came, post_done};
	asking->has_answer = asking->is_done = false;
	asking->why = (struct fault){.code = FAULT_NONE};
	asking->post = mcp_post_open(options, &events, asking, why);
	if (!asking->post) return false;
	deadline_set(asking->loop, &asking->deadline, asking->question->timeout_ms, overdue);
	while (!asking->is_done) loop_step(asking->loop, -1);
	deadline_clear(&asking->deadline);
	mcp_post_close(TAKE(asking->post));
	if (asking->why.code == FAULT_NONE)
		return text_failed(asking->result) ? fault_set(why, FAULT_NO_MEMORY, "no memory for the answer") : true;
	*why = asking->why;
	return false;
}

static bool ask_once(struct asking *asking, struct fetch_desk *desk, struct slice params,
	struct fault *why) {
	const struct face_question *question = asking->question;
	AUTO_TEXT struct text url = {0}, body = {0};
	struct mcp_line line;
	struct arena arena;
	char lent[1024];
	int64_t code;
	text_init(&url, 0);
	text_init(&body, 0);
	write_body(question, params, &body);
	if (!write_url(question, &url) || text_failed(&body))
		return fault_set(why, FAULT_NO_MEMORY, "no memory for a request");
	arena_init(&arena, lent, sizeof lent, 0);
	const struct mcp_post_options options = {
		.desk = desk,
		.method = "POST",
		.url = url.bytes,
		.token = question->reach->token,
		.ca = question->reach->ca,
		.session = "",
		.version = "",
		.line = &line,
		.body = text_slice(&body),
	};
	bool done = mcp_line_read(&line, text_slice(&body), &arena, &code, why) && run(asking, &options, why);
	arena_finish(&arena);
	return done;
}

/* ---- All rounds ---- */

/* The params of the next round: the same with what the user answered. False with FAULT_NONE: there is
 * nothing more to ask. */
static bool next_params(const struct face_question *question, struct slice result, struct text *params,
	struct fault *why) {
	struct scan_value root, requests, state = {.type = SCAN_NONE};
	struct scan_fault fault;
	const struct form_terminal terminal = {stdin, stderr};
	AUTO_TEXT struct text answers = {0};
	text_init(&answers, 0);
	*why = (struct fault){.code = FAULT_NONE};
	if (!scan_check(result, SCAN_DEPTH, &root, &fault))
		return fault_set(why, FAULT_IO, "the result is no JSON: %s", fault.what);
	if (!mcp_modern_wants_input(&root)) return false;
	if (!scan_find(&root, "inputRequests", &requests) || requests.type != SCAN_OBJECT)
		return fault_set(why, FAULT_IO, "it wants input, and does not say which");
	if (!scan_find(&root, "requestState", &state)) state.text = SLICE_NONE;
	if (!form_ask_all(&terminal, &requests, &answers, why)) return false;
	text_clear(params);
	mcp_modern_write_retry(params, question->params, text_slice(&answers), state.text);
	return text_failed(params) ? fault_set(why, FAULT_NO_MEMORY, "no memory for a request") : true;
}

bool face_ask(const struct face_question *question, struct text *result, struct fault *why) {
	struct asking asking = {.question = question, .result = result};
	AUTO_TEXT struct text params = {0};
	text_init(&params, 0);
	text_add(&params, question->params);
	AUTO(loop) loop = loop_open(why);
	AUTO(fetch_desk) desk = loop ? fetch_desk_open(loop, why) : NULL;
	if (!desk) return false;
	asking.loop = loop;
	for (unsigned round = 0; round < ROUNDS; round++) {
		if (!ask_once(&asking, desk, text_slice(&params), why)) {
			reach_explain(question->reach, !asking.has_answer, why);
			return false;
		}
		if (!next_params(question, text_slice(result), &params, why)) return why->code == FAULT_NONE;
	}
	return fault_set(why, FAULT_REFUSED, "it asks and asks: %d rounds of questions are enough", ROUNDS);
}

/* ---- Lists ---- */

static bool add_page(struct text *all, struct slice page, struct text *cursor, struct fault *why) {
	struct scan_value root, tools, next;
	struct scan_fault fault;
	if (!scan_check(page, SCAN_DEPTH, &root, &fault) || !scan_find(&root, "tools", &tools) ||
		tools.type != SCAN_ARRAY)
		return fault_set(why, FAULT_IO, "the answer holds no tools");
	struct slice inner = slice_trim(slice_make(tools.text.bytes + 1, tools.text.length - 2));
	if (inner.length && all->bytes[all->length - 1] != '[') text_add_char(all, ',');
	text_add(all, inner);
	text_clear(cursor);
	if (scan_find(&root, "nextCursor", &next) && next.type == SCAN_STRING)
		text_printf(cursor, "{\"cursor\":%.*s}", SLICE_ARGS(next.text));
	return true;
}

bool face_ask_tools(const struct face_question *question, struct text *result, struct fault *why) {
	AUTO_TEXT struct text page = {0}, cursor = {0};
	struct face_question one = *question;
	text_init(&page, 0);
	text_init(&cursor, 0);
	one.method = "tools/list";
	one.is_attended = false;
	text_add_cstr(result, "{\"tools\":[");
	for (unsigned pages = 0; pages == 0 || (cursor.length && pages < PAGES); pages++) {
		one.params = text_slice(&cursor);
		if (!face_ask(&one, &page, why) || !add_page(result, text_slice(&page), &cursor, why)) return false;
	}
	text_add_cstr(result, "]}");
	return text_failed(result) ? fault_set(why, FAULT_NO_MEMORY, "no memory for the list") : true;
}
