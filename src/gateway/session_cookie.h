/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Session cookie: where the token of a session lives in a browser, and when it counts.
 *
 * A browser sends its cookies whichever page asks, and a host's cookies to all its ports. So it counts for
 * requests from our own page alone: what the browser says of where a request comes from (Sec-Fetch-Site, Origin)
 * must name the very place that it goes to, and must be there for all that is not just read.
 *
 * No state; loop 0.
 */
#ifndef HUSTINGS_GATEWAY_SESSION_COOKIE_H
#define HUSTINGS_GATEWAY_SESSION_COOKIE_H

#include "gateway/exchange.h"

#define SESSION_COOKIES 8 /* of our name that are looked at to end them: more come from no browser of good will */

/* Why a request does not come from our own page, as a sentence; NULL: it does, or (`may_be_unsaid`) it does not
 * say where it comes from. */
const char *session_cookie_stranger(const struct exchange *exchange, bool may_be_unsaid);
/* The token in the cookie, SLICE_NONE when there is none that counts. False: there is one that must not count
 * here (answered with 403); in open mode that is no fault, since who has none is let in as well. */
bool session_cookie_take(struct exchange *exchange, struct slice *token) MUST_USE;
/* How many cookies of our name came, whether they count or not; *token is the first one's. */
size_t session_cookie_find(const struct exchange *exchange, struct slice *token);
/* Each of them. False: `seen` stopped it, or there are more than SESSION_COOKIES. */
typedef bool session_cookie_seen(void *context, struct slice token);
bool session_cookie_each(const struct exchange *exchange, session_cookie_seen *seen, void *context) MUST_USE;
/* The header's line with its CRLF. An empty token takes the cookie away. */
void session_cookie_write(struct text *to, const struct exchange *exchange, struct slice token, int64_t life_ms);

#endif
