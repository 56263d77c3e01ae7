/* SPDX-License-Identifier: Apache-2.0 */
/* Http connection: bytes into requests, one at a time; answers out; the move to a room's loop. */
#include "gateway/http_connection.h"

#include "gateway/credentials.h"
#include "gateway/http_intake.h"
#include "gateway/routes.h"
#include "net/stream.h"

#include <stdio.h>
#include <stdlib.h>

#define FINISH_MS 2000                   /* for a peer to read our last words */
#define ANSWERS_BEHIND (256 * 1024)      /* that a peer has not taken: it gets no further answer before */
#define STREAM_BEHIND (80 * 1024 * 1024) /* that the peer of a stream has not taken: it is dropped; more than any message */

enum http_state {
	HTTP_HEAD,
	HTTP_BODY,
	HTTP_ANSWERING,
	HTTP_STREAMING,
	HTTP_CLOSING,
	HTTP_RELEASED
};

struct connections {
	struct gateway *gateway;
	struct link list;
	size_t count;
};

struct http_connection {
	struct link in_list;
	struct gateway *gateway;
	struct stream *stream;
	struct deadline deadline; /* for a head, a body, the next request */
	struct task next;         /* the request that was read ahead of its turn, or the end of a cut stream */
	enum http_state state;
	bool closes;     /* after the answer at hand */
	bool peer_done;  /* it shut its side: what it asked is still answered */
	size_t behind;   /* octets it had not taken when last looked at */
	bool is_running; /* inside run(): an answer given there does not start the next itself */
	bool is_cut;     /* its stream is dropped by the task: it is too far behind */
	struct http_intake intake;
	struct exchange exchange;
	char address[64];
};

static void run(struct http_connection *connection);
static bool is_between(const struct http_connection *connection);
static void late(struct deadline *deadline);
static const struct stream_events events;
static const struct exchange_way way;

static void set_deadline(struct http_connection *connection, int64_t in_ms) {
	deadline_set(connection->gateway->loop, &connection->deadline, (uint64_t)in_ms, late);
}

struct connections *connections_open(struct gateway *gateway, struct fault *why) {
	struct connections *connections = calloc(1, sizeof *connections);
	if (!connections) return fault_null(why, FAULT_NO_MEMORY, "no memory for connections");
	connections->gateway = gateway;
	list_init(&connections->list);
	return connections;
}

size_t connections_count(const struct connections *connections) { return connections->count; }

static bool has_exchange(const struct http_connection *connection) {
	return connection->state == HTTP_ANSWERING || connection->state == HTTP_STREAMING;
}

/* Frees everything but the stream, which whoever calls has dealt with. */
static void free_connection(struct http_connection *connection) {
	struct gateway *gateway = connection->gateway;
	struct exchange *exchange = &connection->exchange;
	if (has_exchange(connection) && exchange->gone) exchange->gone(exchange);
	deadline_clear(&connection->deadline);
	task_clear(&connection->next);
	list_remove(&connection->in_list);
	gateway->connections->count--;
	if (exchange->gateway) {
		principal_drop(exchange->principal);
		arena_finish(&exchange->arena);
	}
	http_intake_finish(&connection->intake);
	free(connection);
}

static void drop(struct http_connection *connection) {
	stream_close(connection->stream);
	free_connection(connection);
}

void connections_close(struct connections *connections) {
	if (!connections) return;
	while (!list_is_empty(&connections->list))
		drop(CONTAINER_OF(connections->list.next, struct http_connection, in_list));
	free(connections);
}

/* Who hears that one is gone may answer others, and so end them: a marker walks behind the one at hand. */
void connections_drain(struct connections *connections) {
	struct link marker;
	list_init(&marker);
	list_prepend(&connections->list, &marker);
	while (marker.next != &connections->list) {
		struct link *link = marker.next;
		list_remove(&marker);
		list_prepend(link, &marker);
		struct http_connection *connection = CONTAINER_OF(link, struct http_connection, in_list);
		bool is_idle = connection->state == HTTP_HEAD && connection->intake.input.length == 0;
		if (is_idle || (has_exchange(connection) && connection->exchange.owes_nothing)) drop(connection);
	}
	list_remove(&marker);
}

void http_connection_open(struct gateway *gateway, int descriptor, const char *address) {
	struct http_connection *connection = calloc(1, sizeof *connection);
	struct fault why;
	if (!connection) {
		struct stream_socket socket = {.descriptor = descriptor};
		stream_socket_drop(&socket);
		return;
	}
	connection->gateway = gateway;
	snprintf(connection->address, sizeof connection->address, "%s", address);
	http_intake_init(&connection->intake, gateway->settings.max_message + 64 * 1024);
	connection->stream =
		stream_open(gateway->loop, descriptor, gateway->tls, NULL, &events, connection, &why);
	if (!connection->stream) {
		log_write(gateway->log, LOG_WARNING, "http: a connection was dropped: %s", why.text);
		free(connection);
		return;
	}
	list_append(&gateway->connections->list, &connection->in_list);
	gateway->connections->count++;
	set_deadline(connection, gateway->settings.head_deadline_ms);
}

/* The last answer gets as long as a body would. */
static void finish(struct http_connection *connection) {
	bool is_behind = stream_behind(connection->stream) > 0;
	stream_finish(connection->stream,
		is_behind ? (uint64_t)connection->gateway->settings.body_deadline_ms : FINISH_MS);
	free_connection(connection);
}

/* The exchange of the head at hand. */
static struct exchange *exchange_make(struct http_connection *connection) {
	struct exchange *exchange = &connection->exchange;
	memset(exchange, 0, offsetof(struct exchange, lent));
	exchange->gateway = connection->gateway;
	exchange->way = &way;
	exchange->head = &connection->intake.head;
	exchange->address = connection->address;
	arena_init(&exchange->arena, exchange->lent, sizeof exchange->lent, 4 * 1024 * 1024);
	connection->state = HTTP_ANSWERING;
	return exchange;
}

/* The request is whole. */
static void exchange_begin(struct http_connection *connection) {
	struct exchange *exchange = &connection->exchange;
	exchange->body = text_slice(&connection->intake.body);
	connection->state = HTTP_ANSWERING;
	connection->closes = !connection->intake.head.keep_alive;
	deadline_clear(&connection->deadline);
	counters_add(loop_counters(connection->gateway->loop), COUNTER_HTTP_REQUESTS, 1);
	routes_run(exchange);
}

/* The exchange is over: what it held goes, what was read ahead moves up. False: that is lost. */
static bool exchange_end(struct http_connection *connection) {
	struct exchange *exchange = &connection->exchange;
	principal_drop(exchange->principal);
	arena_finish(&exchange->arena);
	memset(exchange, 0, offsetof(struct exchange, lent));
	bool is_whole = http_intake_next(&connection->intake);
	bool has_more = connection->intake.input.length > 0;
	connection->state = HTTP_HEAD;
	connection->behind = stream_behind(connection->stream);
	set_deadline(connection, has_more ? connection->gateway->settings.head_deadline_ms : connection->gateway->settings.idle_deadline_ms);
	stream_resume(connection->stream);
	return is_whole;
}

static void run_next(struct task *task) {
	struct http_connection *connection = CONTAINER_OF(task, struct http_connection, next);
	if (is_between(connection)) run(connection);
}

/* The answer is whole: on to the next request, or to the end. Whoever answered may be in the midst of
 * something: the next request has to wait until that is over. */
static void answered(struct http_connection *connection) {
	if (connection->gateway->is_draining) connection->closes = true;
	connection->exchange.gone = NULL;
	if (connection->closes) {
		connection->state = HTTP_CLOSING;
		if (!connection->is_running) finish(connection);
		return;
	}
	if (!exchange_end(connection)) {
		connection->state = HTTP_CLOSING;
		if (!connection->is_running) finish(connection);
		return;
	}
	if (connection->is_running) return;
	if (connection->intake.input.length) loop_later(connection->gateway->loop, &connection->next, run_next);
	else run(connection);
}

static struct http_connection *connection_of(const struct exchange *exchange) {
	return CONTAINER_OF(exchange, struct http_connection, exchange);
}

static bool keeps(const struct exchange *exchange) {
	const struct http_connection *connection = connection_of(exchange);
	return !connection->closes && !exchange->closes && !connection->gateway->is_draining;
}

static void answer(struct exchange *exchange, const struct slice *pieces, size_t count, bool closes) {
	struct http_connection *connection = connection_of(exchange);
	for (size_t i = 0; i < count; i++) stream_write(connection->stream, pieces[i]);
	if (closes || exchange->closes) connection->closes = true;
	answered(connection);
}

static void stream_begin(struct exchange *exchange, struct slice head) {
	struct http_connection *connection = connection_of(exchange);
	if (connection->intake.head.minor == 0) connection->closes = true; /* no chunks: its end is the end */
	connection->state = HTTP_STREAMING;
	connection->behind = 0;
	stream_write(connection->stream, head);
	set_deadline(connection, connection->gateway->settings.idle_deadline_ms);
}

static void cut(struct task *task) { drop(CONTAINER_OF(task, struct http_connection, next)); }

/* A peer that asks for much and reads none of it is dropped; later, whoever speaks is in the midst of it. */
static bool is_cut(struct http_connection *connection) {
	if (connection->is_cut || stream_behind(connection->stream) <= STREAM_BEHIND) return connection->is_cut;
	log_write(connection->gateway->log, LOG_WARNING,
		"http: %s is dropped: over %d octets of its stream were not read", connection->address, STREAM_BEHIND);
	connection->is_cut = true;
	loop_later(connection->gateway->loop, &connection->next, cut);
	return true;
}

static void stream_piece(struct exchange *exchange, struct slice piece) {
	struct http_connection *connection = connection_of(exchange);
	char size[24];
	if (piece.length == 0 || is_cut(connection)) return; /* an empty chunk would be the last one */
	bool is_chunked = connection->intake.head.minor > 0;
	int length = snprintf(size, sizeof size, "%zx\r\n", piece.length);
	if (is_chunked) stream_write(connection->stream, slice_make(size, (size_t)length));
	stream_write(connection->stream, piece);
	if (is_chunked) stream_write(connection->stream, SLICE("\r\n"));
}

static void stream_end(struct exchange *exchange) {
	struct http_connection *connection = connection_of(exchange);
	if (connection->is_cut) { /* its end would say that this was all */
		exchange->gone = NULL;
		return;
	}
	if (connection->intake.head.minor > 0) stream_write(connection->stream, SLICE("0\r\n\r\n"));
	deadline_clear(&connection->deadline);
	answered(connection);
}

static size_t behind(const struct exchange *exchange) {
	return stream_behind(connection_of(exchange)->stream);
}

static const char *refusal_word(unsigned status) {
	switch (status) {
	case 408: return "timeout";
	case 413:
	case 414:
	case 431: return "too_large";
	case 501:
	case 505: return "unsupported";
	default: return "bad_request";
	}
}

/* What cannot be read is answered without a handler, and closes. */
static void refuse(struct http_connection *connection, unsigned status, const char *what) {
	struct exchange *exchange = &connection->exchange;
	if (!exchange->gateway) exchange = exchange_make(connection);
	connection->state = HTTP_ANSWERING;
	connection->closes = true;
	connection->intake.head.method = SLICE_NONE; /* of a HEAD that cannot be trusted: the words are sent */
	counters_add(loop_counters(connection->gateway->loop), COUNTER_HTTP_REFUSED, 1);
	exchange_error(exchange, status, refusal_word(status), "%s", what);
}

/* What the head alone tells is answered before a body is waited for. False: answered. */
static bool admit(struct http_connection *connection) {
	struct exchange *exchange = exchange_make(connection);
	const struct http1_head *head = &connection->intake.head;
	bool has_body = head->chunked || head->length > 0;
	connection->closes = !head->keep_alive || has_body;
	if (head->length > connection->intake.reader.limit) {
		refuse(connection, 413, "the body is larger than gateway.max_message allows");
		return false;
	}
	if (!credentials_are_local(exchange)) return false;
	if (head->expects_continue && has_body)
		stream_write(connection->stream, SLICE("HTTP/1.1 100 Continue\r\n\r\n"));
	return true;
}

static bool begin_body(struct http_connection *connection) {
	struct gateway *gateway = connection->gateway;
	http_intake_begin_body(&connection->intake, gateway->settings.max_message + 16 * 1024);
	if (!admit(connection)) return connection->state == HTTP_HEAD;
	connection->state = HTTP_BODY;
	set_deadline(connection, gateway->settings.body_deadline_ms);
	return true;
}

/* A head, if one is whole. False: nothing more can be done now. */
static bool take_head(struct http_connection *connection) {
	struct http1_fault fault;
	switch (http_intake_head(&connection->intake, &fault)) {
	case HTTP1_MORE: return false;
	case HTTP1_BAD: refuse(connection, fault.status, fault.what); return false;
	case HTTP1_READY: break;
	}
	return begin_body(connection);
}

/* Body bytes behind the head. False: nothing more can be done now. */
static bool take_body(struct http_connection *connection) {
	struct http1_fault fault;
	enum http1_result result = http_intake_body(&connection->intake, &fault);
	if (result == HTTP1_BAD) refuse(connection, fault.status, fault.what);
	if (result == HTTP1_READY) exchange_begin(connection);
	return result == HTTP1_READY;
}

static bool is_between(const struct http_connection *connection) {
	return connection->state == HTTP_HEAD || connection->state == HTTP_BODY;
}

/* It asks and does not read: nothing more is taken from it until it has. */
static bool is_held(const struct http_connection *connection) {
	return stream_behind(connection->stream) > ANSWERS_BEHIND;
}

/* Everything that can be done with the bytes there are. The connection may be gone after this. */
static void run(struct http_connection *connection) {
	bool goes_on = true;
	connection->is_running = true;
	while (goes_on && is_between(connection) && !is_held(connection)) {
		if (connection->state == HTTP_HEAD)
			goes_on = connection->intake.input.length > 0 && take_head(connection);
		else
			goes_on = take_body(connection);
	}
	connection->is_running = false;
	if (connection->state == HTTP_RELEASED)
		free_connection(connection);
	else if (connection->state == HTTP_CLOSING || (connection->peer_done && is_between(connection)))
		finish(connection);
	else if (is_held(connection))
		stream_pause(connection->stream);
}

/* A further request, while one is being answered. */
static void read_ahead(struct http_connection *connection, struct slice bytes) {
	bool is_full;
	if (!http_intake_add_ahead(&connection->intake, bytes, &is_full)) drop(connection);
	else if (is_full) stream_pause(connection->stream);
}

static void arrived(struct stream *stream, struct slice bytes) {
	struct http_connection *connection = stream_context(stream);
	if (connection->state == HTTP_HEAD && connection->intake.input.length == 0)
		set_deadline(connection, connection->gateway->settings.head_deadline_ms);
	if (has_exchange(connection)) {
		read_ahead(connection, bytes);
		return;
	}
	if (http_intake_add(&connection->intake, bytes)) run(connection);
	else drop(connection);
}

/* Everything it was told has left: the time until its next request begins now. */
static void drained(struct stream *stream) {
	struct http_connection *connection = stream_context(stream);
	if (connection->state == HTTP_STREAMING && connection->exchange.drained)
		connection->exchange.drained(&connection->exchange);
	if (!is_between(connection)) return;
	const struct gateway_settings *settings = &connection->gateway->settings;
	if (connection->state == HTTP_HEAD)
		set_deadline(connection,
			connection->intake.input.length ? settings->head_deadline_ms : settings->idle_deadline_ms);
	stream_resume(stream);
	run(connection);
}

/* A peer that shut its side may still read: what is being answered is answered, then it is over. */
static void ended(struct stream *stream, const struct fault *why) {
	struct http_connection *connection = stream_context(stream);
	bool needs_peer = has_exchange(connection) && connection->exchange.needs_peer;
	connection->peer_done = why->code == FAULT_CLOSED;
	if (!connection->peer_done || needs_peer)
		drop(connection);
	else if (!has_exchange(connection))
		finish(connection);
}

/* An answer that is slowly read may take as long as it moves. */
static void wait_for_reader(struct http_connection *connection) {
	size_t behind = stream_behind(connection->stream);
	if (behind > 0 && connection->behind > 0 && behind >= connection->behind) {
		drop(connection);
		return;
	}
	connection->behind = behind;
	set_deadline(connection, connection->gateway->settings.idle_deadline_ms);
}

/* Half a request is answered with 408; a connection that is only idle just goes. */
static void late(struct deadline *deadline) {
	struct http_connection *connection = CONTAINER_OF(deadline, struct http_connection, deadline);
	bool is_streaming = connection->state == HTTP_STREAMING;
	bool is_asking = connection->state == HTTP_BODY || connection->intake.input.length > 0;
	if (is_streaming || is_held(connection) || (!is_asking && stream_behind(connection->stream) > 0))
		wait_for_reader(connection);
	else if (is_asking)
		refuse(connection, 408, "the request did not arrive in time");
	else
		finish(connection);
}

static const struct stream_events events = {.arrived = arrived, .drained = drained, .ended = ended};

static bool release(struct exchange *exchange, struct stream_socket *socket, char **rest,
	size_t *rest_length) {
	struct http_connection *connection = connection_of(exchange);
	size_t length;
	char *copy = http_intake_rest(&connection->intake, &length);
	if (!copy || !stream_release(connection->stream, socket)) {
		free(copy);
		exchange_error(exchange, 500, "internal", "the connection could not be handed over: try again");
		return false;
	}
	*rest = copy;
	*rest_length = length;
	exchange->gone = NULL;
	connection->state = HTTP_RELEASED;
	if (!connection->is_running) free_connection(connection);
	return true;
}

static const struct exchange_way way = {
	.answer = answer,
	.stream = stream_begin,
	.piece = stream_piece,
	.stream_end = stream_end,
	.behind = behind,
	.keeps = keeps,
	.release = release,
};
