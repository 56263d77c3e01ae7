/* SPDX-License-Identifier: Apache-2.0 */
/* Dial: a name, its addresses, one connect after another, each with its share of the time left. */
#include "net/dial.h"
#include "net/loop_parts.h"

#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

enum dial_state {
	DIAL_RESOLVING,
	DIAL_CONNECTING, /* or between two addresses */
	DIAL_DONE,       /* told */
	DIAL_CLOSED,     /* waits for libuv */
	DIAL_STATES
};

/* One connect: libuv's handle, which outlives the dial until it is let go of. */
struct dial_attempt {
	uv_poll_t poll;
	struct dial *dial;
	int descriptor;
};

struct dial {
	uv_getaddrinfo_t request;
	struct loop *loop;
	dial_done *done;
	void *context;
	struct addrinfo *found;
	struct addrinfo *next;        /* to be tried */
	struct dial_attempt *attempt; /* under way, or NULL */
	struct task task;             /* goes on, never inside dial_open() */
	struct deadline deadline;     /* of the attempt or of resolving */
	uint64_t give_up;             /* loop_now() ms of the whole */
	struct fault fault;           /* of the last attempt */
	enum dial_state state;
	bool resolving; /* libuv holds the request */
	unsigned port;
	char host[];
};

static const unsigned enters[DIAL_STATES] = {
	[DIAL_CONNECTING] = 1u << DIAL_RESOLVING,
	[DIAL_DONE] = 1u << DIAL_RESOLVING | 1u << DIAL_CONNECTING,
	[DIAL_CLOSED] = 1u << DIAL_RESOLVING | 1u << DIAL_CONNECTING | 1u << DIAL_DONE,
};

static bool dial_enter(struct dial *dial, enum dial_state state) {
	if (!(enters[state] & 1u << dial->state)) return false;
	dial->state = state;
	return true;
}

static void dial_freed(struct dial *dial) {
	uv_freeaddrinfo(dial->found);
	free(dial);
}

static void attempt_freed(uv_handle_t *handle) { free(handle); }

/* Hands the descriptor out, or closes it when `keep` is false. */
static int attempt_close(struct dial *dial, bool keep) {
	struct dial_attempt *attempt = TAKE(dial->attempt);
	if (!attempt) return -1;
	int descriptor = attempt->descriptor;
	uv_close((uv_handle_t *)&attempt->poll, attempt_freed);
	if (keep) return descriptor;
	close(descriptor);
	return -1;
}

static void dial_tell(struct dial *dial, int descriptor) {
	if (!dial_enter(dial, DIAL_DONE)) return;
	deadline_clear(&dial->deadline);
	task_clear(&dial->task);
	struct fault why = dial->fault;
	if (descriptor < 0) fault_before(&why, "%s:%u: ", dial->host, dial->port);
	dial->done(dial->context, descriptor, descriptor < 0 ? &why : NULL);
}

/* Connecting */

static void dial_next(struct dial *dial);

static void attempt_ready(uv_poll_t *poll, int status, int ready) {
	(void)status; /* an error is the socket's own, asked for below */
	(void)ready;
	struct dial *dial = ((struct dial_attempt *)poll)->dial;
	int error = 0;
	socklen_t size = sizeof(error);
	getsockopt(dial->attempt->descriptor, SOL_SOCKET, SO_ERROR, &error, &size);
	if (!error && status < 0) error = ECONNREFUSED;
	if (!error) {
		dial_tell(dial, attempt_close(dial, true));
		return;
	}
	fault_errno(&dial->fault, error, "cannot connect");
	attempt_close(dial, false);
	dial_next(dial);
}

static void attempt_late(struct deadline *deadline) {
	struct dial *dial = CONTAINER_OF(deadline, struct dial, deadline);
	fault_set(&dial->fault, FAULT_TIMEOUT, "cannot connect: no answer in time");
	attempt_close(dial, false);
	dial_next(dial);
}

static bool attempt_open(struct dial *dial, const struct addrinfo *address) {
	AUTO_CLOSE int descriptor = socket(address->ai_family,
		SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, IPPROTO_TCP);
	if (descriptor < 0) return fault_errno(&dial->fault, errno, "cannot make a socket");
	if (connect(descriptor, address->ai_addr, address->ai_addrlen) < 0 && errno != EINPROGRESS)
		return fault_errno(&dial->fault, errno, "cannot connect");
	AUTO_FREE struct dial_attempt *attempt = calloc(1, sizeof(*attempt));
	if (!attempt) return fault_set(&dial->fault, FAULT_NO_MEMORY, "no memory to connect");
	int error = uv_poll_init_socket(&dial->loop->uv, &attempt->poll, descriptor);
	if (error) return fault_errno(&dial->fault, -error, "cannot watch a connection");
	attempt->dial = dial;
	attempt->descriptor = descriptor;
	descriptor = -1;
	dial->attempt = TAKE(attempt);
	uv_poll_start(&dial->attempt->poll, UV_WRITABLE, attempt_ready);
	return true;
}

static void dial_next(struct dial *dial) {
	uint64_t now = loop_now(dial->loop);
	while (dial->next && now < dial->give_up) {
		uint64_t addresses = 0;
		for (const struct addrinfo *each = dial->next; each; each = each->ai_next) addresses++;
		const struct addrinfo *address = dial->next;
		dial->next = address->ai_next;
		if (!attempt_open(dial, address)) continue;
		deadline_set(dial->loop, &dial->deadline, (dial->give_up - now + addresses - 1) / addresses,
			attempt_late);
		return;
	}
	dial_tell(dial, -1);
}

/* Resolving */

static void dial_resolved(uv_getaddrinfo_t *request, int status, struct addrinfo *found) {
	struct dial *dial = CONTAINER_OF(request, struct dial, request);
	dial->resolving = false;
	dial->found = found;
	if (dial->state == DIAL_CLOSED) {
		dial_freed(dial);
		return;
	}
	if (!dial_enter(dial, DIAL_CONNECTING)) return; /* too late */
	deadline_clear(&dial->deadline);
	if (status)
		fault_set(&dial->fault, FAULT_NOT_FOUND, "the name cannot be resolved: %s",
			uv_strerror(status));
	dial->next = found;
	dial_next(dial);
}

static void resolving_late(struct deadline *deadline) {
	struct dial *dial = CONTAINER_OF(deadline, struct dial, deadline);
	fault_set(&dial->fault, FAULT_TIMEOUT, "the name was not resolved in time");
	uv_cancel((uv_req_t *)&dial->request);
	dial_tell(dial, -1);
}

/* Addresses need nobody's help; names go through libuv's threads. */
static void dial_start(struct task *task) {
	struct dial *dial = CONTAINER_OF(task, struct dial, task);
	struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV | AI_NUMERICHOST};
	char service[16];
	snprintf(service, sizeof(service), "%u", dial->port);
	if (getaddrinfo(dial->host, service, &hints, &dial->found) == 0) {
		dial->next = dial->found;
		dial_enter(dial, DIAL_CONNECTING);
		dial_next(dial);
		return;
	}
	hints.ai_flags = AI_NUMERICSERV;
	int error = uv_getaddrinfo(&dial->loop->uv, &dial->request, dial_resolved, dial->host, service,
		&hints);
	if (error) {
		fault_errno(&dial->fault, -error, "the name cannot be resolved");
		dial_tell(dial, -1);
		return;
	}
	dial->resolving = true;
	deadline_set(dial->loop, &dial->deadline, dial->give_up - loop_now(dial->loop), resolving_late);
}

/* Opening and closing */

struct dial *dial_open(struct loop *loop, const char *host, unsigned port, uint64_t deadline_ms,
	dial_done *done, void *context, struct fault *why) {
	if (!host[0] || port == 0 || port > 65535)
		return fault_null(why, FAULT_BAD_INPUT,
			"\"%s\", port %u: a host and a port from 1 to 65535 are needed", host, port);
	size_t length = strlen(host);
	struct dial *dial = calloc(1, sizeof(*dial) + length + 1);
	if (!dial) return fault_null(why, FAULT_NO_MEMORY, "no memory to connect");
	memcpy(dial->host, host, length);
	dial->port = port;
	dial->loop = loop;
	dial->done = done;
	dial->context = context;
	dial->give_up = loop_now(loop) + deadline_ms;
	fault_set(&dial->fault, FAULT_TIMEOUT, "cannot connect: no answer in time");
	loop_later(loop, &dial->task, dial_start);
	return dial;
}

void dial_close(struct dial *dial) {
	if (!dial || !dial_enter(dial, DIAL_CLOSED)) return;
	deadline_clear(&dial->deadline);
	task_clear(&dial->task);
	attempt_close(dial, false);
	if (dial->resolving) uv_cancel((uv_req_t *)&dial->request);
	else dial_freed(dial);
}
