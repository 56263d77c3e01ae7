/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Trace: the id that follows one call through every server and every audit record (MGP 6.5).
 *
 * Its one form is a UUID in lower case. What comes from outside is brought into that form or is no
 * trace id; then a new one is minted.
 */
#ifndef HUSTINGS_BASE_TRACE_H
#define HUSTINGS_BASE_TRACE_H

#include "base/dialect.h"
#include "base/slice.h"

#define TRACE_SIZE 37        /* a UUID and NUL */
#define TRACE_PARENT_SIZE 56 /* a traceparent and NUL */

/* A UUID, or 32 hex digits (then dashes are put in). False: it is neither; *id is untouched. */
bool trace_id_read(struct slice text, char id[TRACE_SIZE]) MUST_USE;
void trace_id_mint(char id[TRACE_SIZE]);
/* The trace id of a `traceparent` (W3C Trace Context). False: it is none. */
bool trace_parent_read(struct slice text, char id[TRACE_SIZE]) MUST_USE;
/* A `traceparent` of that trace with a new parent id, marked as sampled. The nil UUID, which W3C does
 * not allow, gives an empty string. */
void trace_parent_write(const char id[TRACE_SIZE], char parent[TRACE_PARENT_SIZE]);

#endif
