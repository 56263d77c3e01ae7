/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decide rig: a data folder, a loop and an inbox of the test's own, askers that note what they are
 * told, and a receiver of HTTP on a thread of its own. Waiting is always for a condition, never longer
 * than thirty seconds.
 */
#ifndef HUSTINGS_TESTS_DECIDE_RIG_H
#define HUSTINGS_TESTS_DECIDE_RIG_H

#include "check.h"

#include "base/clock.h"
#include "decide/decision_record.h"
#include "decide/inbox.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#define PATIENCE_MS 30000

struct desk {
	char folder[64];
	struct loop *loop;
	struct state *state;
	struct inbox *inbox;
};

static struct log desk_log = {2, LOG_DEBUG};

static inline void desk_start(struct desk *desk, const struct inbox_settings *settings) {
	struct fault why = {0};
	desk->state = state_open(desk->folder, &why);
	if (!desk->state) fail_msg("%s", why.text);
	const struct inbox_options options = {.state = desk->state, .loop = desk->loop, .log = getenv("DECIDE_LOG") ? &desk_log : NULL, .settings = settings};
	desk->inbox = inbox_open(&options, &why);
	if (!desk->inbox) fail_msg("%s", why.text);
}

static inline void desk_stop(struct desk *desk) {
	inbox_close(desk->inbox);
	state_close(desk->state);
}

static inline void desk_restart(struct desk *desk, const struct inbox_settings *settings) {
	desk_stop(desk);
	desk_start(desk, settings);
}

static inline void desk_open(struct desk *desk, const struct inbox_settings *settings) {
	struct fault why = {0};
	snprintf(desk->folder, sizeof desk->folder, "/tmp/hustings-decide-XXXXXX");
	assert_non_null(mkdtemp(desk->folder));
	desk->loop = loop_open(&why);
	assert_non_null(desk->loop);
	desk_start(desk, settings);
}

static inline int desk_remove_one(const char *path, const struct stat *found, int type, struct FTW *walk) {
	(void)found, (void)type, (void)walk;
	return remove(path);
}

static inline void desk_close(struct desk *desk) {
	desk_stop(desk);
	loop_close(desk->loop);
	nftw(desk->folder, desk_remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

#define DESK_UNTIL(desk, condition) \
	do { \
		uint64_t until_ = clock_monotonic_ms() + PATIENCE_MS; \
		while (!(condition)) { \
			if (clock_monotonic_ms() > until_) fail_msg("line %d: waited in vain for %s", __LINE__, #condition); \
			loop_step((desk)->loop, 5); \
		} \
	} while (0)

/* ---- An asker ---- */

struct hearer {
	struct decision_asker asker;
	unsigned told;
	bool is_yes;
	enum decision_state state;
};

static inline void hearer_decided(struct decision_asker *asker, const struct decision *decision) {
	struct hearer *hearer = CONTAINER_OF(asker, struct hearer, asker);
	hearer->told++;
	hearer->is_yes = decision_is_yes(decision);
	hearer->state = decision->state;
}

/* The call that most tests ask for. */
static inline struct decision_wish call_wish(const char *requester, const char *arguments) {
	return (struct decision_wish){
		.kind = DECISION_CALL,
		.requester = slice_of(requester),
		.server = SLICE("files"),
		.tool = SLICE("delete"),
		.message = SLICE("deletes a file"),
		.arguments = slice_of(arguments),
	};
}

/* Asks; the decision's id. */
static inline const char *ask(struct desk *desk, const struct decision_wish *wish, struct hearer *hearer) {
	static char ids[64][DECISION_ID];
	static unsigned next;
	struct fault why = {0};
	if (hearer) {
		memset(hearer, 0, sizeof *hearer);
		hearer->asker.decided = hearer_decided;
	}
	const struct decision *decision = inbox_ask(desk->inbox, wish, hearer ? &hearer->asker : NULL, &why);
	if (!decision) fail_msg("%s", why.text);
	char *id = ids[next++ % COUNT_OF(ids)];
	memcpy(id, decision->id, DECISION_ID);
	return id;
}

static inline const struct decision *find(struct desk *desk, const char *id) {
	const struct decision *decision = inbox_find(desk->inbox, slice_of(id));
	assert_non_null(decision);
	return decision;
}

static inline enum fault_code answer_as(struct desk *desk, const char *id, struct inbox_answer answer) {
	struct fault why = {0};
	return inbox_answer(desk->inbox, slice_of(id), &answer, &why) ? FAULT_NONE : why.code;
}

static inline struct inbox_answer yes_of(const char *who) {
	return (struct inbox_answer){.who = slice_of(who), .is_admin = true, .approves = true};
}

static inline struct inbox_answer no_of(const char *who) {
	return (struct inbox_answer){.who = slice_of(who), .is_admin = true};
}

/* ---- A receiver of HTTP ---- */

#define RECEIVED 64

struct received {
	char head[2048];
	char body[8192];
};

struct receiver {
	int descriptor;
	unsigned port;
	pthread_t thread;
	pthread_mutex_t lock;
	unsigned statuses[RECEIVED]; /* of the answers in turn; 0: 204 */
	const char *answer;          /* a body; NULL: none */
	struct received received[RECEIVED];
	unsigned count;
	bool ends;
};

static inline bool receiver_read(int peer, struct received *received) {
	char buffer[12000] = "";
	size_t length = 0;
	for (;;) {
		ssize_t got = recv(peer, buffer + length, sizeof buffer - 1 - length, 0);
		if (got <= 0) return false;
		length += (size_t)got;
		buffer[length] = '\0';
		char *end = strstr(buffer, "\r\n\r\n");
		if (!end) continue;
		const char *field = strcasestr(buffer, "content-length:");
		size_t wanted = field ? strtoul(field + 15, NULL, 10) : 0;
		if (length < (size_t)(end + 4 - buffer) + wanted) continue;
		snprintf(received->head, sizeof received->head, "%.*s", (int)(end - buffer), buffer);
		snprintf(received->body, sizeof received->body, "%.*s", (int)wanted, end + 4);
		return true;
	}
}

static inline void receiver_serve(struct receiver *receiver, int peer) {
	static struct received one; /* the receiver's thread serves one at a time */
	char answer[1024];
	if (!receiver_read(peer, &one)) return;
	pthread_mutex_lock(&receiver->lock);
	unsigned status = receiver->count < RECEIVED ? receiver->statuses[receiver->count] : 0;
	if (receiver->count < RECEIVED) receiver->received[receiver->count] = one;
	receiver->count++;
	const char *body = receiver->answer ? receiver->answer : "";
	pthread_mutex_unlock(&receiver->lock);
	int length = snprintf(answer, sizeof answer, "HTTP/1.1 %u X\r\nConnection: close\r\nContent-Length: %zu\r\n\r\n%s",
		status ? status : 200, strlen(body), body);
	(void)!send(peer, answer, (size_t)length, MSG_NOSIGNAL);
}

static inline void *receiver_run(void *context) {
	struct receiver *receiver = context;
	for (;;) {
		int peer = accept4(receiver->descriptor, NULL, NULL, SOCK_CLOEXEC);
		if (peer < 0) return NULL;
		struct timeval patience = {.tv_sec = 30};
		setsockopt(peer, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
		receiver_serve(receiver, peer);
		close(peer);
	}
}

static inline void receiver_open(struct receiver *receiver) {
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t length = sizeof address;
	memset(receiver, 0, sizeof *receiver);
	pthread_mutex_init(&receiver->lock, NULL);
	receiver->descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	assert_int_equal(bind(receiver->descriptor, (struct sockaddr *)&address, sizeof address), 0);
	assert_int_equal(listen(receiver->descriptor, 64), 0);
	assert_int_equal(getsockname(receiver->descriptor, (struct sockaddr *)&address, &length), 0);
	receiver->port = ntohs(address.sin_port);
	assert_int_equal(pthread_create(&receiver->thread, NULL, receiver_run, receiver), 0);
}

static inline void receiver_close(struct receiver *receiver) {
	shutdown(receiver->descriptor, SHUT_RDWR);
	pthread_join(receiver->thread, NULL);
	close(receiver->descriptor);
	pthread_mutex_destroy(&receiver->lock);
}

static inline unsigned receiver_count(struct receiver *receiver) {
	pthread_mutex_lock(&receiver->lock);
	unsigned count = receiver->count;
	pthread_mutex_unlock(&receiver->lock);
	return count;
}

#endif
