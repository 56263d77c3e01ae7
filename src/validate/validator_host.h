/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Validator host: where a host leads, as it is written: an address in any of the forms that resolvers
 * take (octal, hexadecimal, short, one number, in IPv6), a name of the local network or of a cloud's
 * metadata, or a name that has to be resolved. Percent signs and letters beyond ASCII that stand for ASCII ones
 * are undone first. Pure.
 */
#ifndef HUSTINGS_VALIDATE_VALIDATOR_HOST_H
#define HUSTINGS_VALIDATE_VALIDATOR_HOST_H

#include "base/slice.h"
#include "net/address_guard.h"

#define VALIDATOR_HOST_NAME 256 /* octets of a name with its NUL */

enum host_kind {
	HOST_UNREADABLE, /* no host at all */
	HOST_PUBLIC,     /* an address of the Internet */
	HOST_CLOSED,     /* what: why */
	HOST_NAME,       /* name: to be resolved */
};

struct host_judgement {
	enum host_kind kind;
	bool is_plain;    /* an address in its ordinary form, or a name that is closed everywhere (localhost) */
	bool is_single;   /* closed, but one word without a dot, which may be something else */
	const char *what; /* static */
	char name[VALIDATOR_HOST_NAME];
};

/* `host`: without userinfo and port; brackets are fine. */
void validator_host_judge(struct slice host, struct host_judgement *judgement);
/* Whether an address is one that a request on somebody's behalf may go to: address_guard, and the
 * metadata of clouds that lies among public addresses. */
bool validator_host_is_open(const struct sockaddr *address);

#endif
