/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Session token: what a browser's cookie holds after somebody signed in to the console. It is a token like the
 * others, in the same table, but made with another one or a JWT: it says the same of the same identity, ends
 * with it and is revoked with it, and makes no other.
 *
 * What the rules of the configuration give is left to them, so that it goes when they change, also when that is
 * between the look at who somebody is and the session (a ticket waits for minutes).
 */
#ifndef HUSTINGS_AUTH_SESSION_TOKEN_H
#define HUSTINGS_AUTH_SESSION_TOKEN_H

#include "auth/principal.h"
#include "auth/token_record.h"

#define SESSION_TOKEN_LIFE_MS (12LL * 3600 * 1000)
#define SESSION_TOKENS 32 /* of one parent: then the oldest goes */

/* Makes one with what `principal` came by, and writes its text (wipe it after use), its public name and its end.
 * FAULT_REFUSED: the principal has no token, was revoked meanwhile, or is a session itself. */
bool session_token_create(struct state *state, const struct principal *principal, char token[TOKEN_TEXT],
	char token_id[TOKEN_ID], int64_t *expires_at, struct fault *why) MUST_USE;

#endif
