/* SPDX-License-Identifier: Apache-2.0 */
/* Mcp_listening: the GET stream of a legacy session, held open for as long as the session is. */
#include "cli/mcp_bridge_parts.h"

#define FIRST_MS 1000
#define MOST_MS 30000

static struct mcp_bridge *bridge_of(struct mcp_listening *listening) {
	return CONTAINER_OF(listening, struct mcp_bridge, listening);
}

static void message_came(void *context, struct slice json) {
	struct mcp_bridge *bridge = context;
	struct jsonrpc message;
	struct arena arena;
	char lent[1024];
	int64_t code;
	if (!mcp_post_is_stream(bridge->listening.post)) return; /* words about a refusal */
	arena_init(&arena, lent, sizeof lent, 0);
	if (jsonrpc_read(&message, json, &arena, &code, NULL))
		bridge->options.say(bridge->options.context, json);
	arena_finish(&arena);
}

static void listen(struct mcp_bridge *bridge);

static void again(struct deadline *deadline) {
	struct mcp_bridge *bridge = bridge_of(CONTAINER_OF(deadline, struct mcp_listening, again));
	if (bridge->listening.is_wanted && !bridge->listening.post) listen(bridge);
}

static void wait(struct mcp_bridge *bridge, int64_t wished_ms) {
	struct mcp_listening *listening = &bridge->listening;
	uint64_t in_ms = wished_ms >= 0 ? (uint64_t)wished_ms : listening->wait_ms;
	listening->wait_ms = listening->wait_ms * 2 > MOST_MS ? MOST_MS : listening->wait_ms * 2;
	deadline_set(bridge->options.loop, &listening->again, in_ms > MOST_MS ? MOST_MS : in_ms, again);
}

static void over(struct task *task) {
	struct mcp_bridge *bridge = bridge_of(CONTAINER_OF(task, struct mcp_listening, over));
	struct mcp_listening *listening = &bridge->listening;
	struct mcp_post *post = TAKE(listening->post);
	unsigned status = post ? mcp_post_status(post) : 0;
	bool was_fine = status == 200;
	int64_t wished = was_fine ? mcp_post_retry_ms(post) : -1;
	struct slice event = post ? mcp_post_last_event(post) : SLICE_NONE;
	if (event.length) {
		text_clear(&listening->last_event);
		text_add(&listening->last_event, event);
	}
	mcp_post_close(post);
	if (was_fine) listening->wait_ms = FIRST_MS;
	if (status == 405) listening->is_refused = true;
	bool is_gone = status == 404 && listening->session == bridge->session_number;
	if (is_gone && !bridge->is_renewing && bridge->session[0]) {
		bridge->lost(bridge);
	} else if (listening->is_wanted && !listening->is_refused) {
		wait(bridge, wished);
	}
}

static void done(void *context, const struct fault *why) {
	struct mcp_bridge *bridge = context;
	(void)why; /* what it ended with does not matter: it is opened again */
	loop_later(bridge->options.loop, &bridge->listening.over, over);
}

static const struct mcp_post_events post_table = {message_came, done};

static void listen(struct mcp_bridge *bridge) {
	struct mcp_listening *listening = &bridge->listening;
	const struct mcp_post_options options = {
		.desk = bridge->desk,
		.method = "GET",
		.url = bridge->address.url,
		.token = bridge->address.token,
		.ca = bridge->address.ca,
		.session = bridge->session,
		.version = bridge->version,
		.last_event = text_slice(&listening->last_event),
	};
	listening->session = bridge->session_number;
	listening->post = mcp_post_open(&options, &post_table, bridge, &listening->why);
	if (!listening->post) wait(bridge, -1);
}

void mcp_listening_begin(struct mcp_bridge *bridge) {
	struct mcp_listening *listening = &bridge->listening;
	mcp_listening_end(bridge);
	if (!bridge->session[0] || listening->is_refused) return;
	listening->is_wanted = true;
	listening->wait_ms = FIRST_MS;
	listen(bridge);
}

void mcp_listening_end(struct mcp_bridge *bridge) {
	struct mcp_listening *listening = &bridge->listening;
	listening->is_wanted = false;
	deadline_clear(&listening->again);
	task_clear(&listening->over);
	mcp_post_close(TAKE(listening->post));
	text_clear(&listening->last_event);
}
