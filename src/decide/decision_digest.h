/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decision digest: what an approval is bound to (decisions 21): SHA-256 of server, tool, requester and
 * the octets of the arguments without insignificant white space, and of the permissions asked for, with
 * a NUL behind each. Other key order is other octets, and so a new question.
 */
#ifndef HUSTINGS_DECIDE_DECISION_DIGEST_H
#define HUSTINGS_DECIDE_DECISION_DIGEST_H

#include "base/fault.h"
#include "base/secret.h"
#include "decide/decision_wish.h"

/* FAULT_BAD_INPUT: the arguments are not JSON, or have a key twice in one object; FAULT_TOO_LARGE:
 * over DECISION_ARGUMENTS; FAULT_NO_MEMORY. */
bool decision_digest(const struct decision_wish *wish, uint8_t digest[SECRET_HASH_SIZE],
	struct fault *why) MUST_USE;

#endif
