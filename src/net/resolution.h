/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Resolution: the addresses of a host name, asked for off the loop, within a deadline. Nothing is connected.
 *
 * `done` is called exactly once, never before resolution_open() returns, unless resolution_close() came
 * first. Owned; the loop's thread.
 */
#ifndef HUSTINGS_NET_RESOLUTION_H
#define HUSTINGS_NET_RESOLUTION_H

#include "net/loop.h"

struct addrinfo;
struct resolution;

#define RESOLUTION_NAME 255 /* octets of a name */

/* found: what the system says, valid until the return, or NULL with why (FAULT_NOT_FOUND, FAULT_TIMEOUT). */
typedef void resolution_done(void *context, const struct addrinfo *found, const struct fault *why);

struct resolution *resolution_open(struct loop *loop, const char *name, uint64_t deadline_ms,
	resolution_done *done, void *context, struct fault *why) MUST_USE;
void resolution_close(struct resolution *resolution); /* gives up; also frees after done; NULL is fine */

#endif
