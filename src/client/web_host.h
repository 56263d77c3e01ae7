/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Web host: the conversations behind the served HTTP, and how what we say in them leaves: as the one
 * JSON answer of an exchange, or, when something has to be said before it, as events.
 */
#ifndef HUSTINGS_CLIENT_WEB_HOST_H
#define HUSTINGS_CLIENT_WEB_HOST_H

#include "client/web_face_parts.h"

bool web_host_init(struct web_host *host, struct web_face *face, struct fault *why) MUST_USE;
/* Its exchanges end, with what was said. */
void web_host_finish(struct web_host *host);

/* A new legacy session. NULL: too many, or no memory. */
struct web_host *web_host_open(struct web_face *face, struct fault *why) MUST_USE;
struct web_host *web_host_find(const struct web_face *face, struct slice session);
void web_host_touch(struct web_host *host); /* its time begins anew */
void web_host_leave(struct web_host *host); /* ends at the end of this pass; is not found any more */

/* NULL: no memory, answered with 503. */
struct web_exchange *web_exchange_open(struct web_host *host, struct web_wire *wire,
	const struct http1_head *head) MUST_USE;
/* A GET that stays open, in place of the one before. */
void web_exchange_listen(struct web_exchange *exchange);
/* The client went: of what it asked, a modern caller's questions are cancelled. */
void web_exchange_gone(struct web_exchange *exchange);

#endif
