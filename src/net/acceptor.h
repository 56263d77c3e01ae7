/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Acceptor: a listening TCP socket. Out of descriptors it waits a moment and goes on (a spare
 * descriptor lets it refuse one connection instead of spinning).
 */
#ifndef HUSTINGS_NET_ACCEPTOR_H
#define HUSTINGS_NET_ACCEPTOR_H

#include "net/loop.h"

struct acceptor;

#define ACCEPTOR_ADDRESS 64

/* Takes the descriptor. `address` is the peer's, as text without port. */
typedef void acceptor_accepted(void *context, int descriptor, const char *address);

/* host: an address or name; port 0: any. */
struct acceptor *acceptor_open(struct loop *loop, const char *host, unsigned port,
	acceptor_accepted *accepted, void *context, struct fault *why) MUST_USE;
unsigned acceptor_port(const struct acceptor *acceptor);
bool acceptor_is_loopback(const struct acceptor *acceptor);
void acceptor_pause(struct acceptor *acceptor, bool paused); /* connections wait in the kernel's queue */
void acceptor_close(struct acceptor *acceptor);

#endif
