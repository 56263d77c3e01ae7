/* SPDX-License-Identifier: Apache-2.0 */
/* Audit stream: a loop of its own for the length of one request. */
#include "cli/audit_stream.h"

#include "cli/ask.h"
#include "net/fetch.h"

#include <stdio.h>

#define REFUSAL (64 * 1024) /* octets of an error's body */

struct streaming {
	audit_stream_piece *piece;
	void *context;
	unsigned status;
	bool is_done;
	bool is_stopped; /* `why` is the reason */
	struct text refusal;
	struct fault why;
	bool has_failed;
};

AUTO_RELEASE(loop, loop_close)

static void head(void *context, struct fetch *fetch, unsigned status) {
	struct streaming *streaming = context;
	(void)fetch;
	streaming->status = status;
}

static void piece(void *context, struct slice bytes) {
	struct streaming *streaming = context;
	if (streaming->is_stopped) return;
	if (streaming->status / 100 != 2)
		text_add(&streaming->refusal, bytes);
	else
		streaming->is_stopped = !streaming->piece(streaming->context, bytes, &streaming->why);
}

static void done(void *context, const struct fetch_answer *answer, const struct fault *why) {
	struct streaming *streaming = context;
	(void)answer;
	streaming->is_done = true;
	streaming->has_failed = why != NULL;
	if (why && !streaming->is_stopped) streaming->why = *why;
}

static bool run(struct streaming *streaming, const struct fetch_options *options, struct fault *why) {
	static const struct fetch_events events = {.head = head, .piece = piece, .done = done};
	AUTO(loop) loop = loop_open(why);
	if (!loop) return false;
	struct fetch_desk *desk = fetch_desk_open(loop, why);
	if (!desk) return false;
	struct fetch *fetch = fetch_open(desk, options, &events, streaming, why);
	while (fetch && !streaming->is_done && !streaming->is_stopped) loop_step(loop, -1);
	fetch_close(fetch);
	fetch_desk_close(desk);
	return fetch != NULL;
}

bool audit_stream_read(const struct reach *reach, const char *path, audit_stream_piece *taker,
	void *context, struct fault *why) {
	char url[PLACE_URL + 2048], bearer[REACH_TOKEN + 32];
	const char *headers[2] = {NULL};
	struct streaming streaming = {.piece = taker, .context = context};
	int length = snprintf(url, sizeof url, "%s%s", reach->url, path);
	if (length < 0 || (size_t)length >= sizeof url)
		return fault_set(why, FAULT_TOO_LARGE, "the request is too long");
	snprintf(bearer, sizeof bearer, "Authorization: Bearer %s", reach->token);
	if (reach->token[0]) headers[0] = bearer;
	const struct fetch_options options = {
		.url = url,
		.headers = headers,
		.deadline_ms = UINT64_MAX,
		.idle_ms = 60000,
		.ca = reach->ca,
	};
	text_init(&streaming.refusal, REFUSAL);
	bool is_run = run(&streaming, &options, why);
	secret_wipe(bearer, sizeof bearer);
	bool is_fine = is_run && !streaming.is_stopped && !streaming.has_failed && streaming.status / 100 == 2;
	if (is_run && !is_fine) {
		bool is_refused = streaming.status && streaming.status / 100 != 2;
		if (!is_refused) reach_explain(reach, streaming.status == 0, &streaming.why);
		if (is_refused) ask_refused(streaming.status, text_slice(&streaming.refusal), why);
		else fault_set(why, streaming.why.code, "%s", streaming.why.text);
	}
	text_finish(&streaming.refusal);
	return is_fine;
}
