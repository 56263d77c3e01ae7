/* SPDX-License-Identifier: Apache-2.0 */
/* Remote open: the table, and the farewell to a session. */
#include "client/remote_open.h"

#include "client/remote_post.h"
#include "client/remote_stream.h"

#define FAREWELL_MS 1000

static bool send_message(struct carrier *carrier, struct slice message, char *sent,
	struct fault *why) {
	struct remote *remote = CONTAINER_OF(carrier, struct remote, carrier);
	if (remote->is_closed) return fault_set(why, FAULT_CLOSED, "the server was left");
	return remote_post_send(remote, message, sent, why);
}

static void settle(struct carrier *carrier, const char *version, bool is_modern) {
	struct remote *remote = CONTAINER_OF(carrier, struct remote, carrier);
	remote->version = version;
	remote->is_modern = is_modern;
}

/* ---- The end ---- */

static void free_now(struct task *task) {
	remote_free(CONTAINER_OF(task, struct remote, closing));
}

/* A server may refuse to end sessions; ours is over all the same. */
static void said_farewell(void *context, const struct fetch_answer *answer,
	const struct fault *why) {
	struct remote *remote = context;
	(void)answer;
	(void)why;
	task_clear(&remote->closing);
	loop_later(remote->loop, &remote->closing, free_now);
}

static bool say_farewell(struct remote *remote) {
	static const struct fetch_events events = {.done = said_farewell};
	char lent[REMOTE_SCRATCH];
	struct arena arena;
	if (!remote->session || remote->is_modern) return false;
	arena_init(&arena, lent, sizeof lent, 0);
	const struct fetch_options options = {
		.method = "DELETE",
		.url = remote->url,
		.ca = remote->ca,
		.headers = remote_headers(remote, &arena, (const char *const[]){NULL}),
		.deadline_ms = FAREWELL_MS,
	};
	if (options.headers)
		remote->farewell = fetch_open(remote->desk, &options, &events, remote, NULL);
	arena_finish(&arena);
	return remote->farewell != NULL;
}

static void close_now(struct task *task) {
	struct remote *remote = CONTAINER_OF(task, struct remote, closing);
	remote_posts_close(remote);
	remote_streams_close(remote);
	if (say_farewell(remote)) loop_at_close(remote->loop, &remote->closing, free_now);
	else remote_free(remote);
}

/* Whoever closes may stand in an answer of ours: the memory goes at the end of this pass. */
static void close_remote(struct carrier *carrier) {
	struct remote *remote = CONTAINER_OF(carrier, struct remote, carrier);
	if (remote->is_closed) return;
	remote->is_closed = true;
	loop_later(remote->loop, &remote->closing, close_now);
}

struct carrier *remote_open(struct loop *loop, struct fetch_desk *desk,
	const struct remote_options *options, const struct carrier_events *events, void *context,
	struct fault *why) {
	struct remote *remote = remote_make(loop, desk, options, events, context, why);
	if (!remote) return NULL;
	remote->carrier = (struct carrier){.send = send_message, .settle = settle, .close = close_remote};
	return &remote->carrier;
}
