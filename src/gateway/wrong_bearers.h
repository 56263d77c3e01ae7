/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Wrong bearers: what follows when the token, cookie or ticket of a request proved wrong, outside
 * signing in: a record of the address it came from, and a pace for what may be guessing. It is asked
 * after the token was looked at, so a right one never meets it, whatever others behind the same
 * address do.
 *
 * Of IPv6 the first 64 bits are the address. The trail hears of one once a minute at most, with how
 * often it was; WRONG_BEARERS_SOURCES are told apart, the others are one. Owned by the gateway; loop 0.
 */
#ifndef HUSTINGS_GATEWAY_WRONG_BEARERS_H
#define HUSTINGS_GATEWAY_WRONG_BEARERS_H

#include "gateway/gateway.h"

#define WRONG_BEARERS_SOURCES 256
#define WRONG_BEARERS_UNITS 600 /* guesses at once, of one address; ten a second more */

struct wrong_bearers;

/* The gateway's loop, store and log are there already. */
struct wrong_bearers *wrong_bearers_open(struct gateway *gateway, struct fault *why) MUST_USE;
/* Writes what was counted. NULL is fine. */
void wrong_bearers_close(struct wrong_bearers *bearers);

/* One more. A token that has ended is no guess: it is recorded and costs nothing. False: the address
 * guessed too often, and may again after *retry_after_ms. */
bool wrong_bearers_count(struct wrong_bearers *bearers, const char *address, bool is_guess,
	uint64_t *retry_after_ms) MUST_USE;

#endif
