/* SPDX-License-Identifier: Apache-2.0 */
/* Acceptor: a listening socket polled for reading; many connections in one turn, but not all. */
#include "net/acceptor.h"
#include "net/loop_parts.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#define BACKLOG 4096
#define ACCEPTS 64        /* in one turn */
#define OUT_OF_BREATH 100 /* ms of rest when there are no descriptors */

union address {
	struct sockaddr any;
	struct sockaddr_in four;
	struct sockaddr_in6 six;
	struct sockaddr_storage storage;
};

struct acceptor {
	uv_poll_t poll; /* first: libuv's handle is the acceptor */
	struct loop *loop;
	acceptor_accepted *accepted;
	void *context;
	struct deadline rest;
	union address address;
	int descriptor;
	int spare; /* given up for a moment to refuse a connection when there is no other; or -1 */
	bool paused;
	bool closed;
};

static int spare_open(void) { return open("/dev/null", O_RDONLY | O_CLOEXEC); }

/* IPv4 in IPv6's clothes is shown as IPv4. */
static void address_write(const union address *address, char text[ACCEPTOR_ADDRESS]) {
	text[0] = '\0';
	if (address->any.sa_family == AF_INET) {
		inet_ntop(AF_INET, &address->four.sin_addr, text, ACCEPTOR_ADDRESS);
	} else if (address->any.sa_family == AF_INET6) {
		const struct in6_addr *six = &address->six.sin6_addr;
		if (IN6_IS_ADDR_V4MAPPED(six)) inet_ntop(AF_INET, &six->s6_addr[12], text, ACCEPTOR_ADDRESS);
		else inet_ntop(AF_INET6, six, text, ACCEPTOR_ADDRESS);
	}
}

/* Accepting */

static void acceptor_watch(struct acceptor *acceptor);

static void acceptor_rested(struct deadline *deadline) {
	acceptor_watch(CONTAINER_OF(deadline, struct acceptor, rest));
}

/* The one at the head of the queue would keep us awake for ever: it is told no. */
static void acceptor_refuse_one(struct acceptor *acceptor) {
	if (acceptor->spare >= 0) {
		close(acceptor->spare);
		int refused = accept4(acceptor->descriptor, NULL, NULL, SOCK_CLOEXEC);
		if (refused >= 0) close(refused);
		acceptor->spare = spare_open();
	}
	deadline_set(acceptor->loop, &acceptor->rest, OUT_OF_BREATH, acceptor_rested);
	acceptor_watch(acceptor);
}

/* False: nothing more to accept now. */
static bool acceptor_take_one(struct acceptor *acceptor) {
	union address peer = {0};
	socklen_t size = sizeof(peer);
	int descriptor = accept4(acceptor->descriptor, &peer.any, &size, SOCK_NONBLOCK | SOCK_CLOEXEC);
	if (descriptor >= 0) {
		char text[ACCEPTOR_ADDRESS];
		address_write(&peer, text);
		acceptor->accepted(acceptor->context, descriptor, text);
		return true;
	}
	switch (errno) {
	case EAGAIN: return false;
	case EMFILE:
	case ENFILE:
	case ENOBUFS:
	case ENOMEM: acceptor_refuse_one(acceptor); return false;
	default: return true; /* that one connection is gone already: the next, please */
	}
}

static void acceptor_ready(uv_poll_t *poll, int status, int ready) {
	(void)status;
	(void)ready;
	struct acceptor *acceptor = (struct acceptor *)poll;
	for (unsigned i = 0; i < ACCEPTS && !acceptor->closed && !acceptor->paused; i++) {
		if (!acceptor_take_one(acceptor)) return;
	}
}

static void acceptor_watch(struct acceptor *acceptor) {
	if (acceptor->closed) return;
	if (acceptor->paused || acceptor->rest.at) uv_poll_stop(&acceptor->poll);
	else uv_poll_start(&acceptor->poll, UV_READABLE, acceptor_ready);
}

/* Opening and closing */

static int listen_on(const struct addrinfo *address, struct fault *why) {
	AUTO_CLOSE int descriptor = socket(address->ai_family,
		SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, IPPROTO_TCP);
	int yes = 1, no = 0;
	if (descriptor < 0) {
		fault_errno(why, errno, "cannot make a socket");
		return -1;
	}
	setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
	if (address->ai_family == AF_INET6)
		setsockopt(descriptor, IPPROTO_IPV6, IPV6_V6ONLY, &no, sizeof(no));
	if (bind(descriptor, address->ai_addr, address->ai_addrlen) < 0 ||
		listen(descriptor, BACKLOG) < 0) {
		fault_errno(why, errno, "cannot listen");
		return -1;
	}
	int listening = descriptor;
	descriptor = -1;
	return listening;
}

/* The first of the host's addresses that can be listened on. */
static int listen_at(const char *host, unsigned port, struct fault *why) {
	struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE | AI_NUMERICSERV};
	struct addrinfo *found = NULL;
	char service[16];
	snprintf(service, sizeof(service), "%u", port);
	if (port > 65535) {
		fault_set(why, FAULT_BAD_INPUT, "cannot listen on %s:%u: ports end at 65535", host, port);
		return -1;
	}
	int error = getaddrinfo(host, service, &hints, &found);
	if (error) {
		fault_set(why, FAULT_NOT_FOUND, "cannot listen on %s:%u: %s", host, port, gai_strerror(error));
		return -1;
	}
	int descriptor = -1;
	for (const struct addrinfo *each = found; each && descriptor < 0; each = each->ai_next)
		descriptor = listen_on(each, why);
	freeaddrinfo(found);
	if (descriptor < 0) fault_before(why, "%s:%u: ", host, port);
	return descriptor;
}

struct acceptor *acceptor_open(struct loop *loop, const char *host, unsigned port,
	acceptor_accepted *accepted, void *context, struct fault *why) {
	AUTO_CLOSE int descriptor = listen_at(host, port, why);
	if (descriptor < 0) return NULL;
	struct acceptor *acceptor = calloc(1, sizeof(*acceptor));
	if (!acceptor) return fault_null(why, FAULT_NO_MEMORY, "no memory to listen");
	socklen_t size = sizeof(acceptor->address);
	getsockname(descriptor, &acceptor->address.any, &size);

	int error = uv_poll_init_socket(&loop->uv, &acceptor->poll, descriptor);
	if (error) {
		free(acceptor);
		fault_errno(why, -error, "cannot watch %s:%u", host, port);
		return NULL;
	}
	acceptor->loop = loop;
	acceptor->accepted = accepted;
	acceptor->context = context;
	acceptor->descriptor = descriptor;
	acceptor->spare = spare_open();
	descriptor = -1;
	acceptor_watch(acceptor);
	return acceptor;
}

static void acceptor_freed(uv_handle_t *handle) { free(handle); }

void acceptor_close(struct acceptor *acceptor) {
	if (!acceptor || acceptor->closed) return;
	acceptor->closed = true;
	deadline_clear(&acceptor->rest);
	uv_close((uv_handle_t *)&acceptor->poll, acceptor_freed);
	close(acceptor->descriptor);
	if (acceptor->spare >= 0) close(acceptor->spare);
}

void acceptor_pause(struct acceptor *acceptor, bool paused) {
	acceptor->paused = paused;
	acceptor_watch(acceptor);
}

unsigned acceptor_port(const struct acceptor *acceptor) {
	const union address *address = &acceptor->address;
	bool is_six = address->any.sa_family == AF_INET6;
	return ntohs(is_six ? address->six.sin6_port : address->four.sin_port);
}

bool acceptor_is_loopback(const struct acceptor *acceptor) {
	const union address *address = &acceptor->address;
	if (address->any.sa_family == AF_INET) return ntohl(address->four.sin_addr.s_addr) >> 24 == 127;
	const struct in6_addr *six = &address->six.sin6_addr;
	if (IN6_IS_ADDR_V4MAPPED(six)) return six->s6_addr[12] == 127;
	return IN6_IS_ADDR_LOOPBACK(six);
}
