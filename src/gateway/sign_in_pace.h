/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sign-in pace: how often one address may try. Each has a bucket of units that
 * refills within a minute. A sign-in that fails costs SIGN_IN_COST of them, one that succeeds costs one; what else is
 * tried (wrong_bearers.h) has its own price.
 *
 * Of IPv6 the first 64 bits are the address. It knows SIGN_IN_ADDRESSES; then the one that tried longest ago is
 * forgotten. Owned by the gateway; loop 0.
 */
#ifndef HUSTINGS_GATEWAY_SIGN_IN_PACE_H
#define HUSTINGS_GATEWAY_SIGN_IN_PACE_H

#include "base/fault.h"

#define SIGN_IN_UNITS 60 /* of who signs in */
#define SIGN_IN_COST 6
#define SIGN_IN_ADDRESSES 1024
#define SIGN_IN_SOURCE 48 /* of an address as text */

struct sign_in_pace;

/* `units`: of each bucket, from 1. */
struct sign_in_pace *sign_in_pace_open(unsigned units, struct fault *why) MUST_USE;
void sign_in_pace_close(struct sign_in_pace *pace); /* NULL is fine */
/* Takes what a try costs that fails. False: it may not try now, but after *retry_after_ms. */
bool sign_in_pace_take(struct sign_in_pace *pace, const char *address, unsigned cost, uint64_t now_ms,
	uint64_t *retry_after_ms) MUST_USE;
/* A sign-in succeeded: gives back what that does not cost. */
void sign_in_pace_give(struct sign_in_pace *pace, const char *address);
/* What counts as one address: of IPv6 the first 64 bits. */
void sign_in_pace_source(const char *address, char source[SIGN_IN_SOURCE]);
size_t sign_in_pace_count(const struct sign_in_pace *pace); /* addresses known */

#endif
