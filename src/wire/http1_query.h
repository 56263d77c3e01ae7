/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Http1 query: percent-encoding of targets, and what stands in an authority.
 */
#ifndef HUSTINGS_WIRE_HTTP1_QUERY_H
#define HUSTINGS_WIRE_HTTP1_QUERY_H

#include "base/text.h"

/* One value of a query, percent-decoded (and + as blank) into `to`; false: not there. Malformed
 * escapes, NUL and what is not UTF-8 fail `to`. The first of several is the one. */
bool http1_query(struct slice query, const char *name, struct text *to) MUST_USE;
/* Percent-decodes one path segment; false: a bad escape, NUL or invalid UTF-8, nothing added. */
bool http1_unescape(struct slice segment, struct text *to) MUST_USE;
void http1_escape(struct text *to, struct slice segment); /* all but unreserved characters */

/* host (without brackets: "::1") and port of an authority ("a:1", "[::1]:1"); port 0: none given.
 * False: malformed. */
bool http1_authority(struct slice authority, struct slice *host, unsigned *port) MUST_USE;

#endif
