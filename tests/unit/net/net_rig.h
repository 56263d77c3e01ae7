/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Net rig: what the tests of net/ share: loops stepped until something is true (never longer than
 * thirty seconds), pairs of sockets, and bytes that tell where they belong.
 */
#ifndef HUSTINGS_TESTS_NET_RIG_H
#define HUSTINGS_TESTS_NET_RIG_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "net/loop.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define RIG_PATIENCE_MS 30000

/* Steps the loop until the condition holds; it is looked at between passes. */
#define RIG_UNTIL(loop, condition) \
	do { \
		uint64_t rig_end_ = clock_monotonic_ms() + RIG_PATIENCE_MS; \
		while (!(condition)) { \
			assert_true(clock_monotonic_ms() < rig_end_); \
			loop_step((loop), 20); \
		} \
	} while (0)

static inline struct loop *rig_loop(void) {
	struct fault why;
	struct loop *loop = loop_open(&why);
	assert_non_null(loop);
	return loop;
}

/* Both ends are non-blocking. */
static inline void rig_pair(int ends[2]) {
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends), 0);
}

/* The same over TCP on loopback, with buffers so small that sends fall short. */
static inline void rig_tcp_pair(int ends[2]) {
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t size = sizeof(address);
	int small = 4096;
	int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	assert_true(listener >= 0);
	setsockopt(listener, SOL_SOCKET, SO_RCVBUF, &small, sizeof(small));
	assert_int_equal(bind(listener, (struct sockaddr *)&address, size), 0);
	assert_int_equal(listen(listener, 1), 0);
	assert_int_equal(getsockname(listener, (struct sockaddr *)&address, &size), 0);
	ends[0] = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	setsockopt(ends[0], SOL_SOCKET, SO_SNDBUF, &small, sizeof(small));
	assert_int_equal(connect(ends[0], (struct sockaddr *)&address, size), 0);
	ends[1] = accept(listener, NULL, NULL);
	assert_true(ends[1] >= 0);
	close(listener);
	for (int i = 0; i < 2; i++) fcntl(ends[i], F_SETFL, fcntl(ends[i], F_GETFL) | O_NONBLOCK);
}

/* The octet that stands at `position` of every test's sequence. */
static inline char rig_octet(size_t position) { return (char)((position * 131u + (position >> 8)) & 0xff); }

static inline void rig_fill(char *bytes, size_t position, size_t length) {
	for (size_t i = 0; i < length; i++) bytes[i] = rig_octet(position + i);
}

static inline bool rig_holds(const char *bytes, size_t position, size_t length) {
	for (size_t i = 0; i < length; i++)
		if (bytes[i] != rig_octet(position + i)) return false;
	return true;
}

#endif
