/* SPDX-License-Identifier: Apache-2.0 */
/* Hosted child: one conversation with a server, from its opening to its end. */
#include "hosted/hosted_parts.h"

#include "mcp/mgp.h"
#include "mcp/mcp_modern.h"

#include <stdio.h>
#include <stdlib.h>

#define PROBE_PATIENCE_MS 10000 /* and three times as long as the first handshake took */

/* ---- What its peer does ---- */

static bool send_message(void *context, struct slice message, struct slice about, char *sent,
	struct fault *why) {
	struct hosted_child *child = context;
	(void)about;
	if (!child->process) return fault_set(why, FAULT_CLOSED, "the server has ended");
	return child->transport->send(child, message, sent, why);
}

static void asked(void *context, struct peer_question *question, const struct jsonrpc *request) {
	hosted_child_asked(context, question, request);
}

static void told(void *context, const struct jsonrpc *notification) {
	hosted_child_told(context, notification);
}

static void withdrew(void *context, struct peer_question *question) {
	hosted_child_withdrew(context, question);
}

static const struct peer_events peer_table = {.send = send_message, .asked = asked, .told = told, .cancelled = withdrew};

/* ---- Opening ---- */

static void overdue(struct deadline *deadline) {
	struct hosted_child *child = CONTAINER_OF(deadline, struct hosted_child, deadline);
	struct fault why;
	if (child->stage == HOSTED_OPENING) {
		fault_set(&why, FAULT_TIMEOUT, "it does not answer the handshake");
		hosted_child_failed(child, &why);
	} else if (hosted_pool_is_last(child) || hosted_subscriptions_need(child))
		hosted_child_idle(child);
	else
		hosted_child_stop(child, child->hosted->setup.of.stop_ms);
}

static uint64_t hello_patience(const struct hosted_child *child) {
	const struct hosted *hosted = child->hosted;
	uint64_t patience = 3 * hosted->hello_took + PROBE_PATIENCE_MS;
	return child->is_probe && patience < hosted->setup.of.start_ms ? patience
								       : hosted->setup.of.start_ms;
}

static struct hosted_child *open_as(struct hosted *hosted, const struct hosted_child *like,
	struct fault *why) {
	struct loop *loop = hosted->servers->loop;
	struct hosted_child *child = calloc(1, sizeof *child);
	if (!child) return fault_null(why, FAULT_NO_MEMORY, "no memory for another process");
	*child = *like;
	child->hosted = hosted;
	child->opened_at = loop_now(loop);
	list_init(&child->runs);
	list_init(&child->talks);
	list_append(&hosted->children, &child->link);
	hosted->child_count++;
	child->peer = peer_open(loop, &peer_table, child, why);
	bool is_open = child->peer &&
		(hosted->setup.of.url ? hosted_http_open(child, why) : hosted_pipe_open(child, why));
	if (is_open && hosted_hello_start(child, why)) {
		deadline_set(loop, &child->deadline, hello_patience(child), overdue);
		return child;
	}
	hosted_child_close(child);
	return NULL;
}

struct hosted_child *hosted_child_open(struct hosted *hosted, enum hosted_era era, bool is_probe,
	struct fault *why) {
	const struct hosted_child like = {.era = era, .is_probe = is_probe};
	return open_as(hosted, &like, why);
}

struct hosted_child *hosted_child_open_shared(struct hosted *hosted, enum hosted_era era,
	struct fault *why) {
	const struct hosted_child like = {.era = era, .is_shared = true};
	return open_as(hosted, &like, why);
}

static void open_probe(struct hosted *hosted) {
	struct fault why;
	if (hosted_child_open(hosted, HOSTED_MODERN, true, &why)) return;
	log_write(hosted->servers->log, LOG_WARNING, "server %s: not asked for its era: %s",
		hosted->setup.of.id, why.text);
	hosted->is_known = true;
}

void hosted_child_ready(struct hosted_child *child) {
	struct hosted *hosted = child->hosted;
	const struct hosted_governor *governor = hosted->servers->governor;
	child->stage = HOSTED_OPEN;
	child->has_opened = true;
	deadline_clear(&child->deadline);
	hosted->speaks[child->era] = true;
	if (!hosted->speaks[HOSTED_LEGACY]) hosted->first_era = HOSTED_MODERN;
	if (child->era == HOSTED_MODERN) hosted->is_known = true;
	if (!hosted->is_known) {
		hosted->hello_took = loop_now(hosted->servers->loop) - child->opened_at;
		open_probe(hosted);
	}
	if (supervisor_step(hosted, SUPERVISOR_READY, NULL)) hosted_lists_all_old(hosted);
	hosted_listening_renew(child);
	hosted_subscriptions_ready(child);
	if (governor && governor->opened) governor->opened(hosted, child);
	hosted_child_idle(child);
	hosted_settle_later(hosted);
}

void hosted_child_failed(struct hosted_child *child, const struct fault *why) {
	child->why = *why;
	hosted_child_stop(child, child->hosted->setup.of.stop_ms);
}

void hosted_child_speaks_mgp(struct hosted_child *child, unsigned extensions) {
	child->mgp = extensions;
}

void hosted_child_write_mgp(struct text *to, unsigned extensions) {
	if (!extensions) return;
	text_add_cstr(to, "\"extensions\":{\"" MGP_EXTENSION "\":");
	mgp_write(to, extensions);
	text_add_char(to, '}');
}

/* ---- Talking ---- */

/* What names a call of ours and is no sound answer ends that call: nothing better will come. Our ids
 * are random, so what has one is meant for it. */
static void hear_unsound(struct hosted_child *child, const struct scan_value *id,
	const struct fault *why) {
	struct jsonrpc answer = {.kind = JSONRPC_ERROR, .id = *id, .code = JSONRPC_INTERNAL_ERROR};
	char words[160];
	if (id->type != SCAN_NUMBER || !child->peer) return;
	snprintf(words, sizeof words, "the server's answer cannot be read: %.120s", why->text);
	answer.message = slice_of(words);
	peer_take(child->peer, &answer, SLICE_NONE, SLICE_NONE);
}

static void hear_all(struct hosted_child *child, const struct scan_value *batch,
	struct arena *arena) {
	struct scan_walk walk;
	struct scan_member member;
	struct jsonrpc message;
	struct fault why;
	int64_t code;
	for (scan_open(&walk, batch); child->peer && scan_next(&walk, &member);) {
		if (jsonrpc_read_value(&message, &member.value, arena, &code, &why))
			peer_take(child->peer, &message, SLICE_NONE, SLICE_NONE);
		else hear_unsound(child, &message.id, &why);
	}
}

void hosted_child_heard(struct hosted_child *child, struct slice message) {
	char lent[HOSTED_SCRATCH];
	struct arena arena;
	struct jsonrpc read;
	struct scan_value batch;
	struct scan_fault fault;
	struct fault why;
	int64_t code;
	if (!child->peer) return;
	arena_init(&arena, lent, sizeof lent, 0);
	if (jsonrpc_read(&read, message, &arena, &code, &why))
		peer_take(child->peer, &read, SLICE_NONE, SLICE_NONE);
	else if (scan_check(message, SCAN_DEPTH, &batch, &fault) && batch.type == SCAN_ARRAY)
		hear_all(child, &batch, &arena); /* MCP 2025-03-26 */
	else if (slice_trim(message).length) {
		hosted_babble(child->hosted, message); /* some servers greet people on stdout */
		hear_unsound(child, &read.id, &why);
	}
	arena_finish(&arena);
	hosted_child_flow(child);
}

static struct peer_call *ask(struct hosted_child *child, const struct peer_request *request,
	const struct mcp_modern_meta *meta, struct fault *why) {
	AUTO_TEXT struct text params = {0}, capabilities = {0};
	struct mcp_modern_meta standard = {.client_info = SLICE(HOSTED_CLIENT_INFO)};
	struct peer_request modern = *request;
	if (!child->peer) return fault_null(why, FAULT_CLOSED, "the server has ended");
	if (child->era == HOSTED_LEGACY) return peer_ask(child->peer, request, why);
	hosted_listening_settle(child);
	if (!child->peer) return fault_null(why, FAULT_CLOSED, "the server has ended");

	text_init(&params, 0);
	text_init(&capabilities, 0);
	text_add_char(&capabilities, '{');
	hosted_child_write_mgp(&capabilities, child->mgp);
	text_add_char(&capabilities, '}');
	standard.capabilities = text_slice(&capabilities);
	mcp_modern_write_params(&params, request->params, meta ? meta : &standard);
	if (text_failed(&params) || text_failed(&capabilities)) return fault_null(why, FAULT_NO_MEMORY, "no memory for a request");
	modern.params = text_slice(&params);
	return peer_ask(child->peer, &modern, why);
}

/* Somebody waits for an answer: it has to be read. */
struct peer_call *hosted_child_ask(struct hosted_child *child, const struct peer_request *request,
	const struct mcp_modern_meta *meta, struct fault *why) {
	struct peer_call *call = ask(child, request, meta, why);
	hosted_child_flow(child);
	return call;
}

struct peer_call *hosted_child_request(struct hosted_child *child, const struct peer_request *request,
	struct fault *why) {
	return hosted_child_ask(child, request, NULL, why);
}

bool hosted_child_tell(struct hosted_child *child, const char *method, struct slice params,
	struct fault *why) {
	if (child->stage != HOSTED_OPEN || !child->peer)
		return fault_set(why, FAULT_NOT_READY, "the conversation is not open");
	return peer_tell(child->peer, slice_of(method), params, why);
}

size_t hosted_child_behind(const struct hosted_child *child) {
	if (child->stage != HOSTED_OPEN || !child->peer || !child->process) return SIZE_MAX;
	return child->transport->behind(child);
}

void hosted_child_want(struct hosted *hosted) {
	if (!hosted_child_next(hosted, NULL)) (void)hosted_pool_any(hosted, hosted_era_for(hosted, HOSTED_LEGACY));
}

struct hosted *hosted_child_server(const struct hosted_child *child) {
	return child->hosted;
}
enum hosted_era hosted_child_era(const struct hosted_child *child) { return child->era; }

struct hosted_child *hosted_child_next(const struct hosted *hosted, const struct hosted_child *after) {
	const struct link *link = after ? after->link.next : hosted->children.next;
	for (; link != &hosted->children; link = link->next) {
		struct hosted_child *child = CONTAINER_OF(link, struct hosted_child, link);
		if (child->stage == HOSTED_OPENING || child->stage == HOSTED_OPEN) return child;
	}
	return NULL;
}

static void level_set(void *context, const struct peer_reply *reply, const struct fault *why) {
	(void)context;
	(void)reply;
	(void)why;
}

void hosted_child_set_level(struct hosted_child *child, struct slice level) {
	AUTO_TEXT struct text params = {0};
	text_init(&params, 0);
	text_add_cstr(&params, "{\"level\":");
	text_json(&params, level);
	text_add_char(&params, '}');
	const struct peer_request request = {.method = SLICE("logging/setLevel"),
		.params = text_slice(&params),
		.answered = level_set,
		.context = child};
	if (text_failed(&params) || !peer_ask(child->peer, &request, NULL)) return;
	memcpy(child->log_level, level.bytes, level.length);
	child->log_level[level.length] = '\0';
}

/* ---- Ending ---- */

void hosted_child_idle(struct hosted_child *child) {
	struct loop *loop = child->hosted->servers->loop;
	if (child->stage != HOSTED_OPEN || child->run_count || child->talk_count) return;
	child->idle_since = loop_now(loop);
	if (child->is_leaving) {
		hosted_child_stop(child, child->hosted->setup.of.stop_ms);
		return;
	}
	if (hosted_subscriptions_need(child)) return;
	deadline_set(loop, &child->deadline, child->hosted->setup.of.idle_ms, overdue);
}

static void waved_long_enough(struct deadline *deadline) {
	hosted_child_part(CONTAINER_OF(deadline, struct hosted_child, deadline));
}

void hosted_child_stop(struct hosted_child *child, uint64_t patience_ms) {
	if (child->stage == HOSTED_ENDING || child->stage == HOSTED_GONE) return;
	const struct hosted_governor *governor = child->hosted->servers->governor;
	bool was_open = child->stage == HOSTED_OPEN;
	child->stage = HOSTED_ENDING;
	child->was_asked_to = true;
	deadline_clear(&child->deadline);
	child->patience_ms = patience_ms;
	hosted_child_flow(child);
	child->is_waved = was_open && governor && governor->leaving &&
		governor->leaving(child->hosted, child, patience_ms);
	if (child->is_waved) deadline_set(child->hosted->servers->loop, &child->deadline, patience_ms, waved_long_enough);
	else child->transport->stop(child, patience_ms);
}

void hosted_child_part(struct hosted_child *child) {
	if (!TAKE(child->is_waved) || child->stage != HOSTED_ENDING) return;
	deadline_clear(&child->deadline);
	child->transport->stop(child, child->patience_ms);
}

void hosted_child_losing(struct hosted_child *child) {
	if (child->stage == HOSTED_GONE) return;
	child->stage = HOSTED_ENDING;
	deadline_clear(&child->deadline);
}

void hosted_child_unserved(struct hosted_child *child, struct slice sent,
	const struct fault *why) {
	struct fault unserved = *why;
	unserved.code = FAULT_NOT_READY;
	if (child->peer) (void)peer_fail(child->peer, sent, NULL, &unserved);
}

/* The peer's close ends the runs; left are those that wait for an answer to a modern question. */
static void hang_up(struct hosted_child *child, const struct fault *why) {
	const struct hosted_governor *governor = child->hosted->servers->governor;
	if (child->peer && governor && governor->gone) governor->gone(child->hosted, child);
	hosted_subscriptions_gone(child);
	hosted_listening_end(child);
	peer_close(TAKE(child->peer), why);
	while (!list_is_empty(&child->runs))
		hosted_run_end(CONTAINER_OF(child->runs.next, struct hosted_run, link), NULL, why);
	hosted_talks_lose(child, why);
}

void hosted_child_ended(struct hosted_child *child, int status, const struct fault *why) {
	struct hosted *hosted = child->hosted;
	child->stage = HOSTED_GONE;
	child->status = status;
	if (!child->why.code) {
		child->why = *why;
		fault_before(&child->why, "the server ");
	}
	deadline_clear(&child->deadline);
	hang_up(child, &child->why);
	hosted_settle_later(hosted);
}

void hosted_child_close(struct hosted_child *child) {
	struct fault why;
	fault_set(&why, FAULT_CLOSED, "server %s was ended", child->hosted->setup.of.id);
	child->stage = HOSTED_GONE;
	deadline_clear(&child->deadline);
	hang_up(child, &why);
	if (child->process) child->transport->close(child);
	list_remove(&child->link);
	child->hosted->child_count--;
	free(child->principal);
	free(child->session);
	free(child->haunted);
	free(child);
}
