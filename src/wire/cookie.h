/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cookie: what a browser sends back of what it was given (RFC 6265 4.2), as spans of the request's head.
 *
 * Names are compared as they are, octet for octet. Nothing is decoded and no quotes are taken off: whoever sets
 * a cookie sets one that needs neither. A name may come more than once, because other places of the same host
 * can set it too; so all of them are counted, and who asks decides.
 */
#ifndef HUSTINGS_WIRE_COOKIE_H
#define HUSTINGS_WIRE_COOKIE_H

#include "wire/http1.h"

/* How often a cookie of that name stands in the value of one header Cookie; *value is the first one's, untouched
 * when there is none. */
size_t cookie_count(struct slice header, struct slice name, struct slice *value);
/* The next value of a cookie of that name in what is left of one header Cookie; *rest goes on behind it. */
bool cookie_next(struct slice *rest, struct slice name, struct slice *value) MUST_USE;
/* The same as cookie_count() over all headers Cookie of a head. */
size_t cookie_find(const struct http1_head *head, struct slice name, struct slice *value);

#endif
