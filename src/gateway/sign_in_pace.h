/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sign-in pace: how often one address may try to sign in. Each has a bucket of SIGN_IN_UNITS that refills by one
 * a second; a try that fails costs SIGN_IN_COST of them, one that succeeds costs one.
 *
 * Of IPv6 the first 64 bits are the address. It knows SIGN_IN_ADDRESSES; then the one that tried longest ago is
 * forgotten. Owned by the gateway; loop 0.
 */
#ifndef HUSTINGS_GATEWAY_SIGN_IN_PACE_H
#define HUSTINGS_GATEWAY_SIGN_IN_PACE_H

#include "base/fault.h"

#define SIGN_IN_UNITS 60
#define SIGN_IN_COST 6
#define SIGN_IN_ADDRESSES 1024

struct sign_in_pace;

struct sign_in_pace *sign_in_pace_open(struct fault *why) MUST_USE;
void sign_in_pace_close(struct sign_in_pace *pace); /* NULL is fine */
/* Takes what a try costs that fails. False: it may not try now, but after *retry_after_ms. */
bool sign_in_pace_take(struct sign_in_pace *pace, const char *address, uint64_t now_ms,
	uint64_t *retry_after_ms) MUST_USE;
/* It succeeded: gives back what that does not cost. */
void sign_in_pace_give(struct sign_in_pace *pace, const char *address);
size_t sign_in_pace_count(const struct sign_in_pace *pace); /* addresses known */

#endif
