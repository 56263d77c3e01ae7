/* SPDX-License-Identifier: Apache-2.0 */
/* Reach ask: a request of the command line, waited for on a loop of its own. */
#include "cli/reach.h"

#include "base/secret.h"
#include "net/fetch.h"
#include "wire/http1.h"
#include "wire/scan.h"

#include <stdio.h>

#define ANSWER_OCTETS (64u << 20)

struct waiting {
	bool is_done;
	unsigned status;
	struct text *answer;
	struct fault why;
};

static void answered(void *context, const struct fetch_answer *answer, const struct fault *why) {
	struct waiting *waiting = context;
	waiting->is_done = true;
	if (!answer) {
		waiting->why = *why;
		return;
	}
	waiting->status = answer->status;
	text_add(waiting->answer, answer->body);
}

static bool get_ready(struct reach *reach, struct fault *why) {
	if (!reach->loop) reach->loop = loop_open(why);
	if (reach->loop && !reach->desk) reach->desk = fetch_desk_open(reach->loop, why);
	return reach->desk != NULL;
}

/* In open mode who one is stands in the query. */
static void write_url(const struct reach *reach, const char *path, struct text *url) {
	text_printf(url, "%s%s", reach->url, path);
	if (reach->token || !reach->identity[0]) return;
	text_printf(url, "%cid=", strchr(path, '?') ? '&' : '?');
	http1_escape(url, slice_of(reach->identity));
}

static bool run(struct reach *reach, const struct fetch_options *options, struct waiting *waiting,
	struct fault *why) {
	static const struct fetch_events events = { .done = answered };
	struct fetch *fetch = fetch_open(reach->desk, options, &events, waiting, why);
	if (!fetch) return false;
	while (!waiting->is_done) loop_step(reach->loop, -1);
	fetch_close(fetch);
	if (waiting->status) return true;
	if (why) *why = waiting->why;
	fault_before(why, "%s: ", reach->url);
	return false;
}

bool reach_ask(struct reach *reach, const char *method, const char *path, struct slice body,
	unsigned *status, struct text *answer, struct fault *why) {
	struct waiting waiting = { .answer = answer };
	AUTO_TEXT struct text url, bearer;
	text_init(&url, 0);
	text_init(&bearer, 0);
	text_clear(answer);
	write_url(reach, path, &url);
	text_printf(&bearer, "Authorization: Bearer %s", reach->token ? reach->token : "");
	if (text_failed(&url) || text_failed(&bearer))
		return fault_set(why, FAULT_NO_MEMORY, "no memory for a request");
	const char *headers[] = { "Content-Type: application/json", reach->token ? bearer.bytes : NULL, NULL };
	struct fetch_options options = { .method = method, .url = url.bytes, .headers = headers,
		.body = body, .limit = ANSWER_OCTETS, .ca = reach->ca };
	bool done = get_ready(reach, why) && run(reach, &options, &waiting, why);
	secret_wipe(bearer.bytes, bearer.length);
	if (done && text_failed(answer)) done = fault_set(why, FAULT_NO_MEMORY, "no memory for the answer");
	if (done) *status = waiting.status;
	return done;
}

/* "message" and "code" of the gateway's own errors, or those of a JSON-RPC error. */
static bool read_words(const struct scan_value *root, struct arena *arena, struct slice *message,
	char code[64]) {
	struct scan_value error, value;
	struct slice word;
	int64_t number;
	if (!scan_find(root, "error", &error)) error = *root;
	if (!scan_find(&error, "message", &value) || !scan_string(&value, arena, message)) return false;
	code[0] = '\0';
	if (!scan_find(&error, "code", &value)) return true;
	if (scan_integer(&value, &number)) snprintf(code, 64, "%lld", (long long)number);
	else if (scan_string(&value, arena, &word)) snprintf(code, 64, "%.*s", SLICE_ARGS(word));
	return true;
}

bool reach_refusal(unsigned status, struct slice body, uint64_t *retry_after_ms,
	struct fault *why) {
	char lent[1024], code[64];
	struct arena arena;
	struct scan_value root, value;
	struct scan_fault fault;
	struct slice message;
	int64_t wait = 0;
	arena_init(&arena, lent, sizeof lent, 0);
	bool is_ours = scan_check(body, SCAN_DEPTH, &root, &fault) && root.type == SCAN_OBJECT;
	if (is_ours && scan_find(&root, "retry_after_ms", &value) && (!scan_integer(&value, &wait) || wait < 0))
		wait = 0;
	if (retry_after_ms) *retry_after_ms = (uint64_t)wait;
	if (is_ours && read_words(&root, &arena, &message, code))
		fault_set(why, FAULT_REFUSED, "%.*s%s%s%s", SLICE_ARGS(message), code[0] ? " (" : "", code,
			code[0] ? ")" : "");
	else
		fault_set(why, FAULT_REFUSED, "the gateway answered with %u %s", status, http1_reason(status));
	arena_finish(&arena);
	return false;
}
