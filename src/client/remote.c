/* SPDX-License-Identifier: Apache-2.0 */
/* Remote: headers, and what posts and streams have in common. */
#include "client/remote.h"

#include "base/secret.h"
#include "mcp/mcp_modern.h"
#include "wire/jsonrpc.h"

#include <stdlib.h>

static const char *keep(struct arena *arena, const char *words, bool *failed) {
	struct slice copy;
	if (!words) return NULL;
	if (arena_copy(arena, slice_of(words), &copy)) return copy.bytes;
	*failed = true;
	return NULL;
}

static const char *line_of(struct arena *arena, const char *name, const char *value) {
	struct slice copy;
	AUTO_TEXT struct text line = {0};
	text_init(&line, 0);
	text_printf(&line, "%s: %s", name, value);
	return !text_failed(&line) && arena_copy(arena, text_slice(&line), &copy) ? copy.bytes : NULL;
}

static bool has_line_end(const char *line) { return line && strpbrk(line, "\r\n"); }

static bool check(const struct remote_options *options, struct fault *why) {
	struct slice url = slice_of(options->url);
	size_t count = 0;
	if (!slice_starts_with(url, "http://") && !slice_starts_with(url, "https://"))
		return fault_set(why, FAULT_BAD_INPUT, "url: it must begin with http:// or https://");
	for (const char *const *line = options->headers; line && *line; line++, count++)
		if (has_line_end(*line) || !strchr(*line, ':') || count > REMOTE_HEADERS / 2)
			return fault_set(why, FAULT_BAD_INPUT, "headers: at most %d lines of the form \"Name: value\"",
				REMOTE_HEADERS / 2);
	return !has_line_end(options->token) ||
		fault_set(why, FAULT_BAD_INPUT, "token: it must not hold line ends");
}

static bool keep_all(struct remote *remote, const struct remote_options *options) {
	bool failed = false;
	size_t count = 0;
	remote->headers = arena_zero(&remote->words, REMOTE_HEADERS * sizeof *remote->headers);
	if (!remote->headers) return false;
	for (const char *const *line = options->headers; line && *line; line++)
		remote->headers[count++] = keep(&remote->words, *line, &failed);
	if (options->token) {
		AUTO_TEXT struct text bearer = {0};
		text_init(&bearer, 0);
		text_printf(&bearer, "Bearer %s", options->token);
		if (text_failed(&bearer)) return false;
		remote->headers[count] = line_of(&remote->words, "Authorization", bearer.bytes);
		failed = failed || !remote->headers[count];
		secret_wipe(bearer.bytes, bearer.length);
	}
	remote->url = keep(&remote->words, options->url, &failed);
	remote->ca = keep(&remote->words, options->ca, &failed);
	return !failed;
}

struct remote *remote_make(struct loop *loop, struct fetch_desk *desk,
	const struct remote_options *options, const struct carrier_events *events, void *context,
	struct fault *why) {
	if (!check(options, why)) return NULL;
	struct remote *remote = calloc(1, sizeof *remote);
	if (!remote) return fault_null(why, FAULT_NO_MEMORY, "no memory for another server");
	remote->loop = loop;
	remote->desk = desk;
	remote->events = events;
	remote->context = context;
	remote->alive = options->alive;
	++*remote->alive;
	list_init(&remote->posts);
	list_init(&remote->streams);
	arena_init(&remote->words, NULL, 0, 0);
	if (keep_all(remote, options)) return remote;
	remote_free(remote);
	return fault_null(why, FAULT_NO_MEMORY, "no memory for another server");
}

void remote_free(struct remote *remote) {
	task_clear(&remote->closing);
	fetch_close(TAKE(remote->farewell));
	arena_finish(&remote->words);
	--*remote->alive;
	free(remote->session);
	free(remote);
}

const char *const *remote_headers(const struct remote *remote, struct arena *arena,
	const char *const *more) {
	size_t count = 0;
	const char **lines = arena_zero(arena, REMOTE_HEADERS * sizeof *lines);
	if (!lines) return NULL;
	for (const char *const *line = remote->headers; *line; line++) lines[count++] = *line;
	if (remote->session && !(lines[count++] = line_of(arena, "Mcp-Session-Id", remote->session)))
		return NULL;
	if (remote->version && !(lines[count++] = line_of(arena, "MCP-Protocol-Version", remote->version)))
		return NULL;
	for (; *more; more++) {
		if (count + 1 >= REMOTE_HEADERS) return NULL;
		lines[count++] = *more;
	}
	return lines;
}

bool remote_is_events(const struct fetch *fetch) {
	struct slice type = fetch_header(fetch, "content-type"), word;
	if (!slice_split(&type, ';', &word)) return false;
	return slice_equal_ignoring_case(slice_trim(word), SLICE("text/event-stream"));
}

void remote_heard(const struct remote *remote, struct slice message) {
	if (!remote->is_closed) remote->events->heard(remote->context, message);
}

void remote_opened(struct remote *remote) {
	bool is_due = remote->opens && !remote->is_closed;
	remote->opens = false;
	if (is_due) remote->events->opened(remote->context);
}

void remote_failed(const struct remote *remote, const char *id, const struct fault *why) {
	if (!remote->is_closed && id) remote->events->failed(remote->context, slice_of(id), why);
}

void remote_status_fault(struct fault *why, unsigned status) {
	if (status == 401)
		fault_set(why, FAULT_REFUSED, "the server wants a credential (HTTP status 401): give a token");
	else
		fault_set(why, status >= 500 ? FAULT_IO : FAULT_REFUSED,
			"the server answered with HTTP status %u", status);
}

bool remote_answers(struct slice message, const char *id) {
	char lent[1024];
	struct arena arena;
	struct jsonrpc read;
	int64_t code;
	if (!id) return false;
	arena_init(&arena, lent, sizeof lent, 0);
	bool is_answer = jsonrpc_read(&read, message, &arena, &code, NULL) &&
		(read.kind == JSONRPC_RESULT || read.kind == JSONRPC_ERROR) &&
		slice_is(read.id.text, id);
	arena_finish(&arena);
	return is_answer;
}
