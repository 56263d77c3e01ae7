/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Schema uri: a reference of a schema against the URI that it stands under (RFC 3986, 5). Nothing is
 * ever fetched: these are names. Plain functions, any thread.
 */
#ifndef HUSTINGS_MCP_SCHEMA_URI_H
#define HUSTINGS_MCP_SCHEMA_URI_H

#include "base/arena.h"

/* The part before "#", and the part behind it (bytes NULL: there is no "#"). */
void schema_uri_split(struct slice uri, struct slice *whole, struct slice *fragment);
/* The reference, which has no fragment, as a whole URI in the arena; false: no memory. */
bool schema_uri_join(struct arena *arena, struct slice base, struct slice reference,
	struct slice *uri) MUST_USE;
/* %41 is A; in the arena. False: no memory. */
bool schema_uri_decode(struct arena *arena, struct slice text, struct slice *decoded) MUST_USE;

#endif
