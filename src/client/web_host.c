/* SPDX-License-Identifier: Apache-2.0 */
/* Web host: sessions, exchanges, and one way out for all that is said. */
#include "client/web_host.h"

#include "base/ident.h"
#include "mcp/mcp_modern.h"
#include "wire/sse.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- Exchanges ---- */

static void exchange_free(struct web_exchange *exchange) {
	if (exchange->host->ear == exchange) exchange->host->ear = NULL;
	if (exchange->wire) web_wire_set(exchange->wire, NULL);
	list_remove(&exchange->link);
	text_finish(&exchange->answers);
	free(exchange);
}

static bool takes(const struct http1_head *head, const char *type) {
	struct slice accept = http1_field(head, "Accept"), part, name;
	if (!accept.bytes) return true;
	while (slice_split(&accept, ',', &part)) {
		if (!slice_split(&part, ';', &name)) continue;
		name = slice_trim(name);
		if (slice_is(name, "*/*") || slice_equal_ignoring_case(name, slice_of(type))) return true;
		if (slice_is(name, "application/*") && slice_starts_with(slice_of(type), "application/")) return true;
	}
	return false;
}

struct web_exchange *web_exchange_open(struct web_host *host, struct web_wire *wire,
	const struct http1_head *head) {
	struct web_exchange *exchange = calloc(1, sizeof *exchange);
	if (!exchange) {
		web_wire_answer(wire, 503, SLICE_NONE, "text/plain", SLICE("no memory: try again"));
		return NULL;
	}
	exchange->host = host;
	exchange->wire = wire;
	exchange->takes_events = takes(head, "text/event-stream");
	exchange->takes_json = takes(head, "application/json");
	snprintf(exchange->tag, sizeof exchange->tag, "%llu", (unsigned long long)++host->face->last_tag);
	text_init(&exchange->answers, 0);
	list_append(&host->exchanges, &exchange->link);
	web_wire_set(wire, exchange);
	return exchange;
}

static void write_session(const struct web_exchange *exchange, struct text *to) {
	text_init(to, 0);
	if (exchange->begins) text_printf(to, "Mcp-Session-Id: %s\r\n", exchange->host->session);
}

static void begin_stream(struct web_exchange *exchange) {
	AUTO_TEXT struct text headers = {0};
	if (exchange->is_streaming) return;
	write_session(exchange, &headers);
	exchange->is_streaming = true;
	web_wire_stream(exchange->wire, text_slice(&headers));
}

static void say(struct web_exchange *exchange, struct slice message) {
	AUTO_TEXT struct text event = {0};
	text_init(&event, 0);
	sse_write(&event, SLICE("message"), SLICE_NONE, message);
	if (!text_failed(&event)) web_wire_piece(exchange->wire, text_slice(&event));
}

void web_exchange_listen(struct web_exchange *exchange) {
	struct web_host *host = exchange->host;
	if (host->ear) {
		web_wire_end(host->ear->wire);
		exchange_free(host->ear);
	}
	host->ear = exchange;
	begin_stream(exchange);
	web_wire_piece(exchange->wire, SLICE(": open\n\n")); /* so that the head leaves */
}

void web_exchange_gone(struct web_exchange *exchange) {
	struct web_host *host = exchange->host;
	char tag[sizeof exchange->tag];
	memcpy(tag, exchange->tag, sizeof tag);
	exchange->wire = NULL;
	exchange_free(exchange);
	/* A legacy client that went has not cancelled (MCP 2025-11-25, transports). */
	if (!host->session[0]) peer_question_gone(host->service.peer, slice_of(tag));
}

/* ---- Out ---- */

static unsigned status_of(const struct web_host *host, const struct jsonrpc *message) {
	if (host->session[0] || message->kind != JSONRPC_ERROR) return 200;
	switch (message->code) {
	case JSONRPC_METHOD_NOT_FOUND: return 404;
	case JSONRPC_INVALID_PARAMS:
	case MCP_MODERN_HEADER_MISMATCH:
	case MCP_MODERN_LACKING_CAPABILITY:
	case MCP_MODERN_UNKNOWN_VERSION: return 400;
	default: return 200;
	}
}

static void answer_whole(struct web_exchange *exchange, unsigned status, struct slice message) {
	AUTO_TEXT struct text headers = {0};
	write_session(exchange, &headers);
	web_wire_answer(exchange->wire, status, text_slice(&headers), "application/json", message);
}

static void finish_batch(struct web_exchange *exchange) {
	text_add_char(&exchange->answers, ']');
	if (text_failed(&exchange->answers))
		web_wire_answer(exchange->wire, 503, SLICE_NONE, "text/plain", SLICE("no memory: try again"));
	else
		answer_whole(exchange, 200, text_slice(&exchange->answers));
}

static void take_answer(struct web_exchange *exchange, const struct jsonrpc *answer,
	struct slice message) {
	if (exchange->missing) exchange->missing--;
	if (exchange->is_streaming || (!exchange->takes_json && !exchange->is_batch)) {
		begin_stream(exchange);
		say(exchange, message);
		if (exchange->missing) return;
		web_wire_end(exchange->wire);
	} else if (exchange->is_batch) {
		text_add_char(&exchange->answers, exchange->answers.length ? ',' : '[');
		text_add(&exchange->answers, message);
		if (exchange->missing) return;
		finish_batch(exchange);
	} else
		answer_whole(exchange, status_of(exchange->host, answer), message);
	exchange_free(exchange);
}

static struct web_exchange *find_exchange(const struct web_host *host, struct slice tag) {
	LIST_EACH(link, &host->exchanges) {
		struct web_exchange *exchange = CONTAINER_OF(link, struct web_exchange, link);
		if (slice_is(tag, exchange->tag)) return exchange;
	}
	return NULL;
}

/* What belongs to no exchange goes to the ear; a notification that nobody hears is lost. */
static bool send_message(void *context, struct slice message, struct slice about, char *sent,
	struct fault *why) {
	struct web_host *host = context;
	char lent[1024];
	struct arena arena;
	struct jsonrpc read;
	int64_t code;
	(void)sent;
	struct web_exchange *exchange = about.bytes ? find_exchange(host, about) : host->ear;
	arena_init(&arena, lent, sizeof lent, 0);
	bool is_sound = jsonrpc_read(&read, message, &arena, &code, why);
	bool is_answer = is_sound && (read.kind == JSONRPC_RESULT || read.kind == JSONRPC_ERROR);
	bool is_notice = is_sound && read.kind == JSONRPC_NOTIFICATION;
	if (is_answer && exchange) take_answer(exchange, &read, message);
	arena_finish(&arena);
	if (!is_sound || (is_answer && exchange)) return is_sound;
	if (!exchange || (exchange != host->ear && !exchange->takes_events))
		return is_notice || fault_set(why, FAULT_CLOSED, "the caller takes no questions now");
	begin_stream(exchange);
	say(exchange, message);
	return true;
}

/* ---- Hosts ---- */

static void asked(void *context, struct peer_question *question, const struct jsonrpc *request) {
	struct web_host *host = context;
	service_asked(&host->service, question, request);
}

static void cancelled(void *context, struct peer_question *question) {
	struct web_host *host = context;
	service_cancelled(&host->service, question);
}

bool web_host_init(struct web_host *host, struct web_face *face, struct fault *why) {
	static const struct peer_events events = {.send = send_message, .asked = asked, .cancelled = cancelled};
	host->face = face;
	list_init(&host->exchanges);
	list_init(&host->link);
	return service_init(&host->service, face->hustings, &events, host, why);
}

/* Nobody answers any more: streams end, the others hear so. */
static void end_exchanges(struct web_host *host) {
	LIST_EACH_SAFE(link, &host->exchanges) {
		struct web_exchange *exchange = CONTAINER_OF(link, struct web_exchange, link);
		if (exchange->is_streaming) web_wire_end(exchange->wire);
		else web_wire_answer(exchange->wire, 404, SLICE_NONE, "text/plain", SLICE("the session has ended"));
		exchange_free(exchange);
	}
}

void web_host_finish(struct web_host *host) {
	deadline_clear(&host->idle);
	task_clear(&host->going);
	end_exchanges(host);
	service_finish(&host->service);
}

static void host_free(struct web_host *host) {
	list_remove(&host->link);
	host->face->session_count--;
	web_host_finish(host);
	free(host);
}

static void free_later(struct task *task) { host_free(CONTAINER_OF(task, struct web_host, going)); }

void web_host_leave(struct web_host *host) {
	host->is_going = true;
	loop_later(host->face->hustings->loop, &host->going, free_later);
}

static void idle(struct deadline *deadline) {
	struct web_host *host = CONTAINER_OF(deadline, struct web_host, idle);
	if (list_is_empty(&host->exchanges)) web_host_leave(host);
	else web_host_touch(host);
}

void web_host_touch(struct web_host *host) {
	deadline_set(host->face->hustings->loop, &host->idle, WEB_SESSION_MS, idle);
}

struct web_host *web_host_open(struct web_face *face, struct fault *why) {
	uint8_t drawn[(WEB_SESSION_ID - 1) / 2];
	if (face->session_count >= WEB_SESSIONS)
		return fault_null(why, FAULT_FULL, "%d sessions are open already", WEB_SESSIONS);
	struct web_host *host = calloc(1, sizeof *host);
	if (!host) return fault_null(why, FAULT_NO_MEMORY, "no memory for a session");
	if (!web_host_init(host, face, why)) {
		free(host);
		return NULL;
	}
	ident_random(drawn, sizeof drawn);
	secret_hex(drawn, sizeof drawn, host->session);
	list_append(&face->sessions, &host->link);
	face->session_count++;
	web_host_touch(host);
	return host;
}

struct web_host *web_host_find(const struct web_face *face, struct slice session) {
	LIST_EACH(link, &face->sessions) {
		struct web_host *host = CONTAINER_OF(link, struct web_host, link);
		if (!host->is_going && session.length == WEB_SESSION_ID - 1 &&
			secret_equal(session.bytes, host->session, WEB_SESSION_ID - 1))
			return host;
	}
	return NULL;
}
