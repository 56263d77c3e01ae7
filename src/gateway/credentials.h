/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Credentials: what a request says of who it is, and whether its Host and Origin are ours (rebinding).
 */
#ifndef HUSTINGS_GATEWAY_CREDENTIALS_H
#define HUSTINGS_GATEWAY_CREDENTIALS_H

#include "gateway/exchange.h"

/* Host is a loopback name, the listen address or a configured one; the same for Origin when there is
 * one ("null" is not). False: answered with 403 (code forbidden) or 400. */
bool credentials_are_local(struct exchange *exchange) MUST_USE;

/* Authorization: Bearer, for WebSockets Sec-WebSocket-Protocol: mcpx, bearer.<base64url token>, and without these
 * a session's cookie (exchange->is_by_cookie). SLICE_NONE: none was given. False: malformed (answered with 401), or
 * a cookie that does not count here (403). `from_subprotocol` may be NULL (then the subprotocol is not looked at). */
bool credentials_bearer(struct exchange *exchange, struct slice *bearer,
	bool *from_subprotocol) MUST_USE;

/* Who it is: `found` once, often before this returns: principal handed out, or NULL when the
 * exchange was answered already (401) and must not be touched any more. In open mode without a bearer: ?id=, or a guest. The asker
 * must call credentials_forget() if the exchange goes first. */
typedef void credentials_found(struct exchange *exchange, struct principal *principal);
void credentials_ask(struct exchange *exchange, struct slice bearer, credentials_found *found);
/* Answers with what identity_ask() said: 401 and its word, or what broke. */
void credentials_refuse(struct exchange *exchange, const struct fault *why);
/* The token, cookie or ticket of a request outside signing in proved wrong: counted by its address
 * (wrong_bearers.h); a fault that is not FAULT_REFUSED is none of its doing. False: answered with 429,
 * for the address guessed too often. */
bool credentials_may_be_wrong(struct exchange *exchange, const struct fault *why) MUST_USE;
/* Answers with 429 and when to try again. */
void credentials_slow_down(struct exchange *exchange, uint64_t retry_after_ms, const char *what);
void credentials_forget(struct exchange *exchange);

#endif
