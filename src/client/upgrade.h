/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Upgrade: the request that turns HTTP into a WebSocket, and the answer to it (RFC 6455 4.1). No
 * sockets. A plain struct in its owner's; upgrade_init() and upgrade_finish().
 */
#ifndef HUSTINGS_CLIENT_UPGRADE_H
#define HUSTINGS_CLIENT_UPGRADE_H

#include "base/fault.h"
#include "base/text.h"

#define UPGRADE_REFUSAL (64 * 1024) /* octets of a refusal that are read */

enum upgrade_result {
	UPGRADE_MORE,
	UPGRADE_DONE,
	UPGRADE_REFUSED
};

struct upgrade {
	struct text request; /* to be sent; holds the token, wiped at the finish */
	struct text answer;
	unsigned status; /* of the answer */
	char accept[29];
};

/* FAULT_BAD_INPUT: the token holds octets that a header cannot. */
bool upgrade_init(struct upgrade *upgrade, const char *authority, struct slice target,
	struct slice token, struct fault *why) MUST_USE;
void upgrade_finish(struct upgrade *upgrade);
/* DONE: *rest is what came behind the answer's head, valid until the finish. REFUSED: why has the
 * gateway's words; status 0: what came is no HTTP. */
enum upgrade_result upgrade_take(struct upgrade *upgrade, struct slice bytes, struct slice *rest,
	struct fault *why) MUST_USE;
/* The connection ended: true when what came is a refusal all the same. */
bool upgrade_end(struct upgrade *upgrade, struct fault *why) MUST_USE;

#endif
