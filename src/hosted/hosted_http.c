/* SPDX-License-Identifier: Apache-2.0 */
/* Hosted HTTP: a conversation with a remote server, Streamable HTTP or HTTP with SSE. */
#include "hosted/hosted_http_parts.h"

#include "hosted/hosted_http_url.h"

#include <stdlib.h>

bool hosted_http_is_events(const struct fetch *fetch) {
	struct slice type = fetch_header(fetch, "content-type"), word;
	if (!slice_split(&type, ';', &word)) return false;
	return slice_equal_ignoring_case(slice_trim(word), SLICE("text/event-stream"));
}

/* ---- Messages ---- */

bool hosted_http_heard(struct hosted_http *http, struct slice message) {
	if (http->child) hosted_child_heard(http->child, message);
	return http->child != NULL;
}

bool hosted_http_waits_for(const struct hosted_http *http, const char *id) {
	return id && http->child && http->child->peer && peer_waits_for(http->child->peer, slice_of(id));
}

void hosted_http_failed(struct hosted_http *http, const char *id, enum hosted_http_failure failure,
	const char *words) {
	AUTO_TEXT struct text error = {0};
	struct slice data = failure == HOSTED_HTTP_UNREACHED ? SLICE("{\"type\":\"" HOSTED_UNREACHED "\"}")
							     : SLICE("{\"type\":\"" HOSTED_UPSTREAM "\"}");
	if (!hosted_http_waits_for(http, id)) return;
	text_init(&error, 0);
	jsonrpc_write_error(&error, slice_of(id), JSONRPC_INTERNAL_ERROR, slice_of(words), data);
	if (!text_failed(&error)) (void)hosted_http_heard(http, text_slice(&error));
}

/* ---- Redirects ---- */

bool hosted_http_moves(struct hosted_http *http, const struct fetch *fetch, unsigned status,
	struct fault *why) {
	static const unsigned followed[] = {301, 302, 307, 308};
	struct slice location = fetch_header(fetch, "location");
	bool is_move = false;
	for (size_t i = 0; i < COUNT_OF(followed); i++) is_move = is_move || status == followed[i];
	fault_set(why, FAULT_REFUSED, "the server answered with HTTP status %u", status);
	if (!is_move || !location.length) return false;

	char *to = hosted_http_url_resolve(slice_of(http->url), location);
	if (!to) return fault_set(why, FAULT_NO_MEMORY, "no memory for a redirect");
	if (!hosted_http_url_may_follow(slice_of(http->url), slice_of(to))) {
		free(to);
		return fault_set(why, FAULT_REFUSED,
			"the server sends us to another origin, where its headers must not go: name it as the url");
	}
	char *endpoint = http->is_sse ? NULL : slice_copy(slice_of(to));
	if (!http->is_sse && !endpoint) {
		free(to);
		return fault_set(why, FAULT_NO_MEMORY, "no memory for a redirect");
	}
	free(http->url);
	http->url = to;
	if (!endpoint) return true;
	free(http->endpoint);
	http->endpoint = endpoint;
	return true;
}

/* ---- The end ---- */

static void http_free(struct hosted_http *http) {
	hosted_posts_close(http);
	hosted_streams_close(http);
	free(http->url);
	free(http->session);
	free(http->endpoint);
	free(http);
}

void hosted_http_enter(struct hosted_http *http) { http->depth++; }

void hosted_http_leave(struct hosted_http *http) {
	if (--http->depth == 0 && !http->child) http_free(http);
}

/* In its own time: a post or a stream may be just telling something. */
static void tell_over(struct deadline *deadline) {
	struct hosted_http *http = CONTAINER_OF(deadline, struct hosted_http, deadline);
	bool has_failed = http->why.code != FAULT_NONE;
	if (!has_failed) fault_set(&http->why, FAULT_CLOSED, "was left");
	hosted_posts_close(http);
	hosted_streams_close(http);
	hosted_child_ended(http->child, has_failed, &http->why);
}

static void be_over(struct hosted_http *http) {
	deadline_set(http->loop, &http->deadline, 0, tell_over);
}

void hosted_http_over(struct hosted_http *http, const struct fault *why) {
	if (http->why.code || !http->child) return;
	http->why = *why;
	hosted_child_losing(http->child);
	be_over(http);
}

void hosted_http_forgotten(struct hosted_http *http, struct fault *why) {
	fault_set(why, FAULT_CLOSED, "has forgotten our session");
	http->child->is_lost = true;
	hosted_lists_all_old(http->child->hosted);
	hosted_http_over(http, why);
}

static void said_farewell(void *context, const struct fetch_answer *answer,
	const struct fault *why) {
	struct hosted_http *http = context;
	(void)answer; /* a server may refuse to end sessions; ours is over all the same */
	(void)why;
	fetch_close(TAKE(http->farewell));
	be_over(http);
}

static void http_stop(struct hosted_child *child, uint64_t patience_ms) {
	static const struct fetch_events events = {.done = said_farewell};
	struct hosted_http *http = child->process;
	char lent[HOSTED_SCRATCH];
	struct arena arena;
	if (http->session && !http->why.code) {
		arena_init(&arena, lent, sizeof lent, 0);
		const struct fetch_options options = {
			.method = "DELETE",
			.url = http->url,
			.ca = child->hosted->setup.of.ca,
			.headers = hosted_http_headers(http, &arena, (const char *const[]){NULL}),
			.deadline_ms = patience_ms ? patience_ms : 1,
		};
		if (options.headers) http->farewell = fetch_open(child->hosted->servers->desk, &options, &events, http, NULL);
		arena_finish(&arena);
	}
	if (!http->farewell) be_over(http);
}

/* What is open is closed at once; the memory stays for a callback that has led here. */
static void http_close(struct hosted_child *child) {
	struct hosted_http *http = TAKE(child->process);
	http->child = NULL;
	hosted_posts_unwait(http);
	fetch_close(TAKE(http->farewell));
	deadline_clear(&http->deadline);
	if (!http->depth) http_free(http);
}

/* ---- Opening ---- */

static bool http_send(struct hosted_child *child, struct slice message, char *sent,
	struct fault *why) {
	struct hosted_http *http = child->process;
	if (http->why.code) return fault_set(why, FAULT_CLOSED, "the server is out of reach");
	return hosted_post_send(http, message, sent, why);
}

static size_t http_behind(const struct hosted_child *child) { return hosted_posts_behind(child->process); }

static void http_pause(struct hosted_child *child, bool is_paused) {
	hosted_posts_pause(child->process, is_paused);
	hosted_streams_pause(child->process, is_paused);
}

bool hosted_http_open(struct hosted_child *child, struct fault *why) {
	static const struct hosted_transport transport = {
		.send = http_send,
		.stop = http_stop,
		.close = http_close,
		.behind = http_behind,
		.pause = http_pause,
	};
	struct hosted_servers *servers = child->hosted->servers;
	const struct hosted_settings *of = &child->hosted->setup.of;
	if (!servers->desk && !(servers->desk = fetch_desk_open(servers->loop, why))) return false;
	struct hosted_http *http = calloc(1, sizeof *http);
	if (!http) return fault_set(why, FAULT_NO_MEMORY, "no memory for another conversation");
	http->child = child;
	http->loop = servers->loop;
	http->is_sse = of->is_sse;
	list_init(&http->posts);
	list_init(&http->waiting);
	list_init(&http->streams);
	child->transport = &transport;
	child->process = http;
	http->url = slice_copy(slice_of(of->url));
	if (http->url && of->is_sse) return hosted_stream_open(http, why);
	http->endpoint = http->url ? slice_copy(slice_of(of->url)) : NULL;
	return http->endpoint || fault_set(why, FAULT_NO_MEMORY, "no memory for another conversation");
}
