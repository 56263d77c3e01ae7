/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Gateway rig: a small house (loops, store, state in a folder of its own) on the test's thread, with
 * further islands on threads of theirs, and clients at the other end of socket pairs. Waiting is
 * always for a condition, never longer than thirty seconds.
 */
#ifndef HUSTINGS_TESTS_GATEWAY_RIG_H
#define HUSTINGS_TESTS_GATEWAY_RIG_H

#include "check.h"

#include "auth/token_record.h"
#include "base/clock.h"
#include "gateway/exchange.h"
#include "gateway/http_connection.h"
#include "gateway/live.h"
#include "gateway/sign_in_pace.h"
#include "gateway/wrong_bearers.h"
#include "wire/websocket.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#define PATIENCE_MS 30000

struct house {
	char folder[64];
	struct log log;
	int nowhere;
	struct gateway gateway;
	pthread_t threads[GATEWAY_LOOPS];
	sem_t ready;
};

struct house_wish {
	unsigned islands; /* 0: one */
	bool is_open;
	bool has_no_history;
	size_t max_message;
	int64_t deadline_ms;
	int64_t ping_ms;
	const struct identity_rule *rules;
	size_t rule_count;
};

struct island_start {
	struct house *house;
	unsigned index;
};

static inline void house_rooms(struct house *house, unsigned index) {
	struct gateway *gateway = &house->gateway;
	struct fault why;
	const struct rooms_options options = {
		.loop = gateway->islands[index].loop,
		.store = gateway->store,
		.index = index,
		.log = &house->log,
		.settings = &gateway->rooms_settings,
	};
	gateway->islands[index].rooms = rooms_open(&options, &why);
	if (!gateway->islands[index].rooms) fail_msg("%s", why.text);
}

static inline void *house_island(void *context) {
	struct island_start *start = context;
	struct house *house = start->house;
	unsigned index = start->index;
	house_rooms(house, index);
	sem_post(&house->ready);
	loop_run(house->gateway.islands[index].loop);
	rooms_close(house->gateway.islands[index].rooms);
	return NULL;
}

static inline void house_settle(struct house *house, const struct house_wish *wish) {
	struct gateway_settings *settings = &house->gateway.settings;
	int64_t deadline_ms = wish->deadline_ms ? wish->deadline_ms : 10 * PATIENCE_MS;
	*settings = (struct gateway_settings){
		.host = "127.0.0.1",
		.max_message = wish->max_message ? wish->max_message : 1024 * 1024,
		.max_connections = 1000,
		.max_handshakes = 1000,
		.head_deadline_ms = deadline_ms,
		.body_deadline_ms = deadline_ms,
		.idle_deadline_ms = 10 * PATIENCE_MS,
	};
	rooms_settings_default(&house->gateway.rooms_settings);
	house->gateway.rooms_settings.history = !wish->has_no_history;
	house->gateway.rooms_settings.max_message = settings->max_message;
	house->gateway.rooms_settings.ping_ms = wish->ping_ms ? wish->ping_ms : 10 * PATIENCE_MS;
}

static inline void house_open(struct house *house, const struct house_wish *wish) {
	struct gateway *gateway = &house->gateway;
	struct fault why = {0};
	memset(house, 0, sizeof *house);
	snprintf(house->folder, sizeof house->folder, "/tmp/hustings-gateway-XXXXXX");
	assert_non_null(mkdtemp(house->folder));
	house->nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
	log_init(&house->log, house->nowhere, LOG_ERROR);
	house_settle(house, wish);
	gateway->log = &house->log;
	gateway->started_at = clock_wall_ms();
	gateway->island_count = wish->islands ? wish->islands : 1;
	for (unsigned i = 0; i < gateway->island_count; i++)
		assert_non_null(gateway->islands[i].loop = loop_open(&why));
	gateway->loop = gateway->islands[0].loop;
	const struct store_options options = {.directory = house->folder, .spools = gateway->island_count, .log = &house->log};
	assert_non_null(gateway->store = store_open(&options, &why));
	assert_non_null(gateway->state = state_open(house->folder, &why));
	house_rooms(house, 0);
	assert_int_equal(sem_init(&house->ready, 0, 0), 0);
	for (unsigned i = 1; i < gateway->island_count; i++) {
		struct island_start start = {house, i};
		assert_int_equal(pthread_create(&house->threads[i], NULL, house_island, &start), 0);
		while (sem_wait(&house->ready) != 0 && errno == EINTR) continue;
	}
	const struct identity_settings identity = {.is_open = wish->is_open,
		.default_privilege = PRIVILEGE_RESTRICTED,
		.rules = wish->rules,
		.rule_count = wish->rule_count};
	assert_non_null(gateway->identity =
				identity_open(gateway->loop, gateway->state, &identity, &house->log, &why));
	assert_non_null(gateway->tickets = tickets_open(gateway->loop, &why));
	assert_non_null(gateway->sign_in_tickets = tickets_open_sign_in(gateway->loop, &why));
	assert_non_null(gateway->sign_in_pace = sign_in_pace_open(SIGN_IN_UNITS, &why));
	assert_non_null(gateway->wrong_bearers = wrong_bearers_open(gateway, &why));
	assert_non_null(gateway->connections = connections_open(gateway, &why));
	assert_non_null(gateway->live = live_open(gateway, &why));
	gateway->is_ready = true;
}

static inline int house_remove_one(const char *path, const struct stat *found, int type, struct FTW *walk) {
	(void)found, (void)type, (void)walk;
	return remove(path);
}

struct farewell {
	struct letter letter;
	struct gateway_island *island;
	sem_t done;
};

static inline void house_drain_island(struct letter *letter) {
	struct farewell *farewell = CONTAINER_OF(letter, struct farewell, letter);
	rooms_drain(farewell->island->rooms);
	sem_post(&farewell->done);
}

static inline void house_close(struct house *house) {
	struct gateway *gateway = &house->gateway;
	gateway->is_draining = true;
	connections_close(gateway->connections);
	rooms_drain(gateway->islands[0].rooms);
	for (unsigned i = 1; i < gateway->island_count; i++) {
		struct farewell farewell = {.island = &gateway->islands[i]};
		assert_int_equal(sem_init(&farewell.done, 0, 0), 0);
		mailbox_answer(gateway->islands[i].loop, &farewell.letter, house_drain_island);
		while (sem_wait(&farewell.done) != 0 && errno == EINTR) continue;
		sem_destroy(&farewell.done);
		loop_stop(gateway->islands[i].loop);
		pthread_join(house->threads[i], NULL);
	}
	loop_step(gateway->loop, 0);
	rooms_close(gateway->islands[0].rooms);
	live_close(gateway->live);
	wrong_bearers_close(gateway->wrong_bearers);
	sign_in_pace_close(gateway->sign_in_pace);
	tickets_close(gateway->sign_in_tickets);
	tickets_close(gateway->tickets);
	identity_close(gateway->identity);
	store_close(gateway->store);
	for (unsigned i = gateway->island_count; i > 0; i--) loop_close(gateway->islands[i - 1].loop);
	state_close(gateway->state);
	sem_destroy(&house->ready);
	close(house->nowhere);
	nftw(house->folder, house_remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

#define HOUSE_UNTIL(house, condition) \
	do { \
		uint64_t until_ = clock_monotonic_ms() + PATIENCE_MS; \
		while (!(condition)) { \
			if (clock_monotonic_ms() > until_) fail_msg("line %d: waited in vain for %s", __LINE__, #condition); \
			loop_step((house)->gateway.loop, 5); \
		} \
	} while (0)

/* A token in state.db; `token` lives as long as the test program. */
static inline const char *house_token(struct house *house, struct token_wish wish, char token_id[TOKEN_ID]) {
	static char tokens[512][TOKEN_TEXT];
	static unsigned used;
	char name[TOKEN_ID];
	struct fault why;
	assert_true(used < COUNT_OF(tokens));
	if (!token_create(house->gateway.state, &wish, tokens[used], token_id ? token_id : name, &why))
		fail_msg("%s", why.text);
	return tokens[used++];
}

static inline const char *house_full(struct house *house, const char *id) {
	return house_token(house, (struct token_wish){.id = slice_of(id), .privilege = PRIVILEGE_FULL}, NULL);
}

static inline const char *house_admin(struct house *house) {
	return house_token(house,
		(struct token_wish){.id = SLICE("root"), .privilege = PRIVILEGE_FULL, .is_admin = true}, NULL);
}

/* A topic of that island. */
static inline const char *house_topic(struct house *house, unsigned island) {
	static char topic[32];
	for (unsigned i = 0;; i++) {
		snprintf(topic, sizeof topic, "room-%u-%u", island, i);
		if (gateway_island(&house->gateway, slice_of(topic)) == &house->gateway.islands[island]) return topic;
	}
}

/* ---- Clients ---- */

struct client {
	struct house *house;
	int descriptor;
	struct text got;
	size_t taken; /* octets of answers read so far */
	bool ended;
	bool is_websocket;
	struct websocket websocket;
	struct text message; /* the last one */
	unsigned close_code;
};

struct answer {
	unsigned status;
	struct http1_head head; /* its spans are good until the next read */
	struct slice body;
};

static inline void client_open(struct client *client, struct house *house) {
	int ends[2];
	memset(client, 0, sizeof *client);
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends), 0);
	client->house = house;
	client->descriptor = ends[0];
	text_init(&client->got, 0);
	text_init(&client->message, 0);
	http_connection_open(&house->gateway, ends[1], "127.0.0.1");
}

static inline void client_close(struct client *client) {
	if (client->descriptor >= 0) close(client->descriptor);
	client->descriptor = -1;
	if (client->is_websocket) websocket_finish(&client->websocket);
	text_finish(&client->got);
	text_finish(&client->message);
}

static inline void client_send_octets(struct client *client, struct slice bytes) {
	uint64_t until = clock_monotonic_ms() + PATIENCE_MS;
	while (bytes.length) {
		ssize_t sent = send(client->descriptor, bytes.bytes, bytes.length, MSG_NOSIGNAL);
		if (sent < 0 && errno == EPIPE) return;
		assert_true(sent > 0 || errno == EAGAIN || errno == EINTR);
		if (sent > 0) bytes = slice_make(bytes.bytes + sent, bytes.length - (size_t)sent);
		assert_true(clock_monotonic_ms() < until);
		loop_step(client->house->gateway.loop, 0);
	}
}

static inline void client_send(struct client *client, const char *text) {
	client_send_octets(client, slice_of(text));
}

/* Reads what is there. */
static inline void client_read(struct client *client) {
	char buffer[65536];
	for (;;) {
		ssize_t got = recv(client->descriptor, buffer, sizeof buffer, 0);
		if (got > 0) text_add(&client->got, slice_make(buffer, (size_t)got));
		if (got == 0 || (got < 0 && errno == ECONNRESET)) client->ended = true;
		if (got <= 0) return;
	}
}

static inline bool client_has_answer(struct client *client, bool is_head, struct answer *answer) {
	struct http1_fault fault;
	struct http1_body body;
	size_t used;
	struct slice piece, rest;
	client_read(client);
	rest = slice_make(client->got.bytes + client->taken, client->got.length - client->taken);
	if (http1_response(rest, &answer->head, &used, &fault) != HTTP1_READY) return false;
	answer->status = answer->head.status;
	rest = slice_make(rest.bytes + used, rest.length - used);
	answer->body = slice_make(rest.bytes, 0);
	http1_body_init(&body, &answer->head, 1 << 30);
	if (!is_head && answer->status != 101 && answer->status != 100) {
		enum http1_result result;
		do { /* a chunk at a time; the largest is looked at */
			size_t before = rest.length;
			result = http1_body_next(&body, &rest, &piece, &fault);
			if (piece.length > answer->body.length) answer->body = piece;
			used += before - rest.length;
		} while (result == HTTP1_MORE && rest.length);
		if (result != HTTP1_READY) return false;
	}
	client->taken += used;
	return true;
}

/* The next answer. */
static inline void client_answer(struct client *client, struct answer *answer) {
	HOUSE_UNTIL(client->house, client_has_answer(client, false, answer));
}

static inline void client_request(struct client *client, const char *method, const char *target,
	const char *token, const char *body) {
	AUTO_TEXT struct text text = {0};
	text_init(&text, 0);
	text_printf(&text, "%s %s HTTP/1.1\r\nHost: 127.0.0.1\r\n", method, target);
	if (token) text_printf(&text, "Authorization: Bearer %s\r\n", token);
	if (body) text_printf(&text, "Content-Length: %zu\r\n", strlen(body));
	text_printf(&text, "\r\n%s", body ? body : "");
	client_send_octets(client, text_slice(&text));
}

static inline unsigned client_ask(struct client *client, const char *method, const char *target,
	const char *token, const char *body, struct answer *answer) {
	client_request(client, method, target, token, body);
	client_answer(client, answer);
	return answer->status;
}

/* One request on a connection of its own. */
static inline unsigned house_ask(struct house *house, const char *method, const char *target,
	const char *token, const char *body) {
	struct client client;
	struct answer answer;
	client_open(&client, house);
	unsigned status = client_ask(&client, method, target, token, body, &answer);
	client_close(&client);
	return status;
}

static inline bool answer_has(const struct answer *answer, const char *words) {
	return memmem(answer->body.bytes, answer->body.length, words, strlen(words)) != NULL;
}

static inline void client_until_end(struct client *client) {
	HOUSE_UNTIL(client->house, (client_read(client), client->ended));
}

/* ---- WebSockets ---- */

/* Asks for a WebSocket; the status is the answer's. */
static inline unsigned client_upgrade(struct client *client, const char *target, const char *fields) {
	AUTO_TEXT struct text text = {0};
	struct answer answer;
	text_init(&text, 0);
	text_printf(&text,
		"GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
		"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n%s\r\n",
		target, fields);
	client_send_octets(client, text_slice(&text));
	client_answer(client, &answer);
	if (answer.status != 101) return answer.status;
	client->is_websocket = true;
	websocket_init(&client->websocket, WEBSOCKET_CLIENT, 16 * 1024 * 1024);
	return 101;
}

static inline void client_join(struct client *client, struct house *house, const char *topic,
	const char *token) {
	char target[256], fields[256];
	client_open(client, house);
	snprintf(target, sizeof target, "/v0/ws?topic=%s", topic);
	snprintf(fields, sizeof fields, "Authorization: Bearer %s\r\n", token);
	assert_int_equal(client_upgrade(client, target, fields), 101);
}

/* A message that holds the words, or a close. */
static inline bool client_heard(struct client *client, const char *words) {
	struct websocket_message message;
	client_read(client);
	struct slice rest = slice_make(client->got.bytes + client->taken, client->got.length - client->taken);
	for (;;) {
		size_t before = rest.length;
		enum websocket_event result = websocket_next(&client->websocket, &rest, &message);
		client->taken += before - rest.length;
		if (result == WEBSOCKET_MORE) return false;
		if (result == WEBSOCKET_CLOSE) client->close_code = message.code;
		if (result != WEBSOCKET_TEXT) return result == WEBSOCKET_CLOSE;
		text_clear(&client->message);
		text_add(&client->message, message.payload);
		if (words && memmem(message.payload.bytes, message.payload.length, words, strlen(words))) return true;
	}
}

static inline void client_hears(struct client *client, const char *words) {
	HOUSE_UNTIL(client->house, client_heard(client, words));
	if (client->close_code) fail_msg("closed with %u before %s", client->close_code, words);
}

static inline void client_is_closed(struct client *client, unsigned code) {
	HOUSE_UNTIL(client->house, client_heard(client, NULL) && client->close_code);
	assert_int_equal(client->close_code, code);
}

static inline void client_says(struct client *client, const char *text) {
	AUTO_TEXT struct text frame = {0};
	text_init(&frame, 0);
	websocket_write(&frame, WEBSOCKET_CLIENT, WEBSOCKET_OP_TEXT, slice_of(text));
	client_send_octets(client, text_slice(&frame));
}

#endif
