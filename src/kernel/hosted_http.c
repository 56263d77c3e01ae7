/* SPDX-License-Identifier: Apache-2.0 */
/* Hosted HTTP: a conversation with a remote server, Streamable HTTP or HTTP with SSE. */
#include "kernel/hosted_http_parts.h"

#include "mcp/mcp_modern.h"

#include <stdlib.h>

/* ---- Headers ---- */

static const char *line_of(struct arena *arena, const char *name, struct slice value) {
	AUTO_TEXT struct text line = {0};
	struct slice copy;
	text_init(&line, 0);
	text_add_cstr(&line, name);
	text_add_cstr(&line, ": ");
	text_add(&line, value);
	return !text_failed(&line) && arena_copy(arena, text_slice(&line), &copy) ? copy.bytes : NULL;
}

/* Known once the handshake is over. */
static struct slice version_of(const struct hosted_http *http) {
	const struct hosted_child *child = http->child;
	const struct hosted_facts *facts = hosted_facts(child->hosted, HOSTED_LEGACY);
	if (child->era == HOSTED_MODERN) return SLICE(MCP_MODERN_VERSION);
	bool is_introduced = child->stage != HOSTED_OPENING || http->is_introduced;
	return is_introduced && facts ? facts->version : SLICE_NONE;
}

const char *const *hosted_http_headers(const struct hosted_http *http, struct arena *arena,
	const char *const *more) {
	const struct hosted_child *child = http->child;
	const char *const *configured = child->hosted->setup.of.headers;
	struct slice version = version_of(http);
	size_t count = 0;
	const char **lines = arena_zero(arena, HOSTED_HTTP_HEADERS * sizeof *lines);
	if (!lines) return NULL;
	for (; configured && *configured; configured++) {
		if (count + 8 >= HOSTED_HTTP_HEADERS) return NULL;
		lines[count++] = *configured;
	}
	if (http->session && !(lines[count++] = line_of(arena, "Mcp-Session-Id", slice_of(http->session))))
		return NULL;
	if (version.length && !(lines[count++] = line_of(arena, "MCP-Protocol-Version", version))) return NULL;
	for (; *more; more++) lines[count++] = *more;
	return lines;
}

bool hosted_http_is_events(const struct fetch *fetch) {
	struct slice type = fetch_header(fetch, "content-type"), word;
	if (!slice_split(&type, ';', &word)) return false;
	return slice_equal_ignoring_case(slice_trim(word), SLICE("text/event-stream"));
}

/* ---- The end ---- */

/* In its own time: a post or the stream may be just telling something. */
static void tell_over(struct deadline *deadline) {
	struct hosted_http *http = CONTAINER_OF(deadline, struct hosted_http, deadline);
	bool has_failed = http->why.code != FAULT_NONE;
	if (!has_failed) fault_set(&http->why, FAULT_CLOSED, "was left");
	hosted_posts_close(http);
	hosted_stream_close(http);
	hosted_child_ended(http->child, has_failed, &http->why);
}

static void be_over(struct hosted_http *http) {
	deadline_set(http->child->hosted->servers->loop, &http->deadline, 0, tell_over);
}

void hosted_http_over(struct hosted_http *http, const struct fault *why) {
	if (http->why.code) return;
	http->why = *why;
	hosted_child_losing(http->child);
	be_over(http);
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
			.url = child->hosted->setup.of.url,
			.headers = hosted_http_headers(http, &arena, (const char *const[]){NULL}),
			.deadline_ms = patience_ms ? patience_ms : 1,
		};
		if (options.headers) http->farewell = fetch_open(child->hosted->servers->desk, &options, &events, http, NULL);
		arena_finish(&arena);
	}
	if (!http->farewell) be_over(http);
}

static void http_close(struct hosted_child *child) {
	struct hosted_http *http = TAKE(child->process);
	hosted_posts_close(http);
	hosted_stream_close(http);
	fetch_close(TAKE(http->farewell));
	deadline_clear(&http->deadline);
	free(http->session);
	free(http->endpoint);
	free(http);
}

/* ---- Opening ---- */

static bool http_send(struct hosted_child *child, struct slice message, char *sent,
	struct fault *why) {
	struct hosted_http *http = child->process;
	if (http->why.code) return fault_set(why, FAULT_CLOSED, "the server is out of reach");
	return hosted_post_send(http, message, sent, why);
}

bool hosted_http_open(struct hosted_child *child, struct fault *why) {
	static const struct hosted_transport transport = {.send = http_send, .stop = http_stop, .close = http_close};
	struct hosted_servers *servers = child->hosted->servers;
	const struct hosted_settings *of = &child->hosted->setup.of;
	if (!servers->desk && !(servers->desk = fetch_desk_open(servers->loop, why))) return false;
	struct hosted_http *http = calloc(1, sizeof *http);
	if (!http) return fault_set(why, FAULT_NO_MEMORY, "no memory for another conversation");
	http->child = child;
	list_init(&http->posts);
	list_init(&http->waiting);
	child->transport = &transport;
	child->process = http;
	if (of->is_sse) return hosted_stream_open(http, why);
	http->endpoint = slice_copy(slice_of(of->url));
	return http->endpoint || fault_set(why, FAULT_NO_MEMORY, "no memory for another conversation");
}
