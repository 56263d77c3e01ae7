/* SPDX-License-Identifier: Apache-2.0 */
/* Mcp_post: headers out, messages in. */
#include "cli/mcp_post.h"

#include "base/secret.h"
#include "wire/sse.h"

#include <stdlib.h>

#define HEADERS 9

struct mcp_post {
	struct fetch *fetch;
	const struct mcp_post_events *events;
	void *context;
	struct sse sse;
	struct text body;
	struct text last_event;
	int64_t retry_ms;
	unsigned status;
	bool is_stream;
	struct fault why; /* of a stream that cannot be read */
};

/* ---- In ---- */

/* Between the parts of JSON a line end is a blank, and inside strings there is none. */
static void tell(struct mcp_post *post, struct slice json) {
	bool has_end = json.length && (memchr(json.bytes, '\n', json.length) || memchr(json.bytes, '\r', json.length));
	if (!has_end) {
		post->events->message(post->context, json);
		return;
	}
	AUTO_FREE char *copy = slice_copy(json);
	if (!copy) {
		fault_set(&post->why, FAULT_NO_MEMORY, "no memory for a message");
		return;
	}
	slice_blank_line_ends(copy, json.length);
	post->events->message(post->context, slice_make(copy, json.length));
}

static bool event_came(void *context, const struct sse_event *event) {
	struct mcp_post *post = context;
	if (event->id.length) {
		text_clear(&post->last_event);
		text_add(&post->last_event, event->id);
	}
	if (event->retry_ms >= 0) post->retry_ms = event->retry_ms;
	if (event->data.length && slice_is(event->event, "message")) tell(post, event->data);
	return post->why.code == FAULT_NONE;
}

static void head_came(void *context, struct fetch *fetch, unsigned status) {
	struct mcp_post *post = context;
	post->status = status;
	post->is_stream = slice_starts_with(fetch_header(fetch, "Content-Type"), "text/event-stream");
}

static void piece_came(void *context, struct slice piece) {
	struct mcp_post *post = context;
	if (post->why.code != FAULT_NONE) return;
	if (!post->is_stream) text_add(&post->body, piece);
	else if (!sse_read(&post->sse, piece, event_came, post, &post->why) && post->why.code == FAULT_NONE)
		fault_set(&post->why, FAULT_IO, "the gateway's events cannot be read");
}

static void ended(void *context, const struct fetch_answer *answer, const struct fault *why) {
	struct mcp_post *post = context;
	(void)answer;
	if (!why && text_failed(&post->body))
		fault_set(&post->why, FAULT_TOO_LARGE, "the gateway's answer is too large");
	if (!why && post->why.code == FAULT_NONE && !post->is_stream) {
		struct slice body = slice_trim(text_slice(&post->body));
		if (body.length) tell(post, body);
	}
	post->events->done(post->context, why ? why : post->why.code != FAULT_NONE ? &post->why
										   : NULL);
}

static const struct fetch_events fetch_table = {.head = head_came, .piece = piece_came, .done = ended};

/* ---- Out ---- */

struct heads {
	struct text texts[HEADERS];
	const char *list[HEADERS + 1];
	size_t count;
};

static void add(struct heads *heads, const char *name, struct slice value) {
	struct text *text = &heads->texts[heads->count++];
	mcp_line_write_header(text, name, value);
}

static void add_lines_own(struct heads *heads, const struct mcp_line *line) {
	if (line->version.length) add(heads, "MCP-Protocol-Version", line->version);
	if (line->message.method.length) add(heads, "Mcp-Method", line->message.method);
	if (mcp_line_has_name_header(line)) add(heads, "Mcp-Name", line->name);
}

static void write_heads(struct heads *heads, const struct mcp_post_options *options) {
	bool is_get = strcmp(options->method, "GET") == 0;
	add(heads, "Accept", is_get ? SLICE("text/event-stream") : SLICE("application/json, text/event-stream"));
	if (options->body.length) add(heads, "Content-Type", SLICE("application/json"));
	if (options->token[0]) {
		struct text *text = &heads->texts[heads->count++];
		text_printf(text, "Authorization: Bearer %s", options->token);
	}
	if (options->session[0]) add(heads, "Mcp-Session-Id", slice_of(options->session));
	if (options->last_event.length) add(heads, "Last-Event-ID", options->last_event);
	if (options->line) add_lines_own(heads, options->line);
	else if (options->version[0]) add(heads, "MCP-Protocol-Version", slice_of(options->version));
}

static bool start(struct mcp_post *post, const struct mcp_post_options *options, struct fault *why) {
	struct heads heads = {0};
	bool is_fine = true;
	for (size_t i = 0; i < HEADERS; i++) text_init(&heads.texts[i], 0);
	write_heads(&heads, options);
	for (size_t i = 0; i < heads.count; i++) {
		is_fine = is_fine && !text_failed(&heads.texts[i]);
		heads.list[i] = heads.texts[i].bytes;
	}
	const struct fetch_options wishes = {
		.method = options->method,
		.url = options->url,
		.headers = heads.list,
		.body = options->body,
		.deadline_ms = UINT64_MAX,
		.ca = options->ca,
	};
	if (is_fine) post->fetch = fetch_open(options->desk, &wishes, &fetch_table, post, why);
	else fault_set(why, FAULT_NO_MEMORY, "no memory for a request");
	for (size_t i = 0; i < HEADERS; i++) {
		if (heads.texts[i].bytes) secret_wipe(heads.texts[i].bytes, heads.texts[i].length);
		text_finish(&heads.texts[i]);
	}
	return post->fetch != NULL;
}

struct mcp_post *mcp_post_open(const struct mcp_post_options *options,
	const struct mcp_post_events *events, void *context, struct fault *why) {
	struct mcp_post *post = calloc(1, sizeof *post);
	if (!post) return fault_null(why, FAULT_NO_MEMORY, "no memory for a request");
	post->events = events;
	post->context = context;
	post->retry_ms = -1;
	sse_init(&post->sse, MCP_POST_MOST);
	text_init(&post->body, MCP_POST_MOST);
	text_init(&post->last_event, 0);
	if (start(post, options, why)) return post;
	mcp_post_close(post);
	return NULL;
}

void mcp_post_close(struct mcp_post *post) {
	if (!post) return;
	fetch_close(post->fetch);
	sse_finish(&post->sse);
	text_finish(&post->body);
	text_finish(&post->last_event);
	free(post);
}

unsigned mcp_post_status(const struct mcp_post *post) { return post->status; }

bool mcp_post_is_stream(const struct mcp_post *post) { return post->is_stream; }

struct slice mcp_post_session(const struct mcp_post *post) {
	return fetch_header(post->fetch, "Mcp-Session-Id");
}

struct slice mcp_post_last_event(const struct mcp_post *post) {
	return text_slice(&post->last_event);
}

int64_t mcp_post_retry_ms(const struct mcp_post *post) { return post->retry_ms; }
