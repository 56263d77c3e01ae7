/* SPDX-License-Identifier: Apache-2.0 */
/* Ask: a loop of its own for the length of one request. */
#include "cli/ask.h"

#include "net/fetch.h"
#include "wire/scan.h"

#include <stdio.h>

struct asking {
	struct loop *loop;
	struct text *answer;
	bool done;
	unsigned status;
	struct fault why;
};

AUTO_RELEASE(loop, loop_close)

static void answered(void *context, const struct fetch_answer *answer, const struct fault *why) {
	struct asking *asking = context;
	asking->done = true;
	if (why) {
		asking->why = *why;
		return;
	}
	asking->status = answer->status;
	text_add(asking->answer, answer->body);
}

/* A gateway does not tell strangers where it keeps things; its own command may. */
static const char *hint(unsigned status, struct slice words) {
	bool is_admin_wanted = slice_is(words, "this needs an administrator's token");
	if (!is_admin_wanted || (status != 401 && status != 403)) return "";
	return ": the gateway's DATA/admin.token holds one; give it by --token or $HUSTINGS_TOKEN";
}

/* The gateway's error body says it best: {"code":..., "message":...}. */
bool ask_refused(unsigned status, struct slice body, struct fault *why) {
	struct scan_value root, message;
	struct scan_fault fault;
	struct slice words = SLICE_NONE;
	struct arena arena;
	char lent[1024];
	arena_init(&arena, lent, sizeof lent, 0);
	enum fault_code code = status == 404     ? FAULT_NOT_FOUND
		: status == 401 || status == 403 ? FAULT_REFUSED
						 : FAULT_IO;
	if (scan_check(body, SCAN_DEPTH, &root, &fault) &&
		scan_find(&root, "message", &message) && !scan_string(&message, &arena, &words))
		words = SLICE_NONE;
	if (words.length)
		fault_set(why, code, "%.*s%s", SLICE_ARGS(words), hint(status, words));
	else
		fault_set(why, code, "the gateway answered with status %u", status);
	arena_finish(&arena);
	return false;
}

static bool run(struct asking *asking, const struct fetch_options *options, struct fault *why) {
	static const struct fetch_events events = {.done = answered};
	struct fetch_desk *desk = fetch_desk_open(asking->loop, why);
	if (!desk) return false;
	struct fetch *fetch = fetch_open(desk, options, &events, asking, why);
	while (fetch && !asking->done) loop_step(asking->loop, -1);
	fetch_close(fetch);
	fetch_desk_close(desk);
	return fetch != NULL;
}

bool ask(const struct reach *reach, const char *method, const char *path, struct slice body,
	struct text *answer, struct fault *why) {
	char url[PLACE_URL + 2048], bearer[REACH_TOKEN + 32];
	const char *headers[3] = {NULL};
	size_t count = 0;
	struct asking asking = {.answer = answer};
	int length = snprintf(url, sizeof url, "%s%s", reach->url, path);
	if (length < 0 || (size_t)length >= sizeof url)
		return fault_set(why, FAULT_TOO_LARGE, "the request is too long");
	snprintf(bearer, sizeof bearer, "Authorization: Bearer %s", reach->token);
	if (reach->token[0]) headers[count++] = bearer;
	if (body.length) headers[count++] = "Content-Type: application/json";
	const struct fetch_options options = {
		.method = method,
		.url = url,
		.headers = headers,
		.body = body,
		.ca = reach->ca,
	};
	AUTO(loop) loop = loop_open(why);
	if (!loop) return false;
	asking.loop = loop;
	text_clear(answer);
	bool is_run = run(&asking, &options, why);
	secret_wipe(bearer, sizeof bearer);
	if (!is_run) return false;
	if (asking.status == 0) {
		reach_explain(reach, true, &asking.why);
		return fault_set(why, asking.why.code, "%s", asking.why.text);
	}
	if (asking.status / 100 != 2) return ask_refused(asking.status, text_slice(answer), why);
	if (text_failed(answer)) return fault_set(why, FAULT_TOO_LARGE, "the answer is too large");
	return true;
}
