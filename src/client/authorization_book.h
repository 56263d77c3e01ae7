/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Authorization book: calls of our tools that wait until somebody approves them, and approvals that hold for
 * a while (MCPx ADR-001). An approval is for one requester, one tool and exactly its arguments. Nobody
 * answers for a call of its own; no answer in time is a denial.
 *
 * There is one for each `struct hustings`, made when first needed; what waits is a request that is open, and
 * ends with it. One thread.
 */
#ifndef HUSTINGS_CLIENT_AUTHORIZATION_BOOK_H
#define HUSTINGS_CLIENT_AUTHORIZATION_BOOK_H

#include "client/library_request.h"
#include "flow/authorization.h"

#define AUTHORIZATION_BOOK_WAITING 1000 /* calls that wait */
#define AUTHORIZATION_BOOK_OWN 16       /* of one requester */
#define AUTHORIZATION_BOOK_HELD 1000    /* approvals until a later time; beyond, one is for its call alone */
#define AUTHORIZATION_BOOK_ID 48        /* octets of an id, and NUL */

typedef void authorization_go(struct hustings_request *request, const struct scan_value *arguments);

/* True: it may run. False: it was taken: it waits, and `go` is called when it is approved, or it was refused. */
bool authorization_book_lets(struct hustings_request *request, const struct scan_value *arguments,
	authorization_go *go) MUST_USE;

/* What the author has settled; NULL: nothing. Good until that changes. */
const struct authorization_wishes *authorization_book_wishes(const struct hustings *hustings);

/* Somebody answers, or takes an approval back. guest NULL: the author itself. FAULT_NOT_FOUND: nothing of that id
 * waits there; FAULT_REFUSED: it may not decide. */
bool authorization_book_decide(struct hustings *hustings, const struct guest *guest, struct slice from,
	const struct authorization_response *response, struct fault *why) MUST_USE;
bool authorization_book_revoke(struct hustings *hustings, const struct guest *guest, struct slice from,
	struct slice id, struct fault *why) MUST_USE;

/* A participant came: it is told what waits for it alone. */
void authorization_book_arrived(struct hustings *hustings, struct guest *guest, struct slice id);
void authorization_book_left(struct hustings *hustings, const struct guest *guest); /* its room */
void authorization_book_finish(struct hustings *hustings);                          /* what waits is denied */
void authorization_book_close(struct authorization_book *book);                     /* NULL is fine */

#endif
