/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sse: server-sent events (WHATWG HTML 9.2), written and read in any pieces, one event at most
 * `limit` octets.
 */
#ifndef HUSTINGS_WIRE_SSE_H
#define HUSTINGS_WIRE_SSE_H

#include "base/dialect.h"
#include "base/fault.h"
#include "base/text.h"

struct sse_event {
	struct slice event; /* "message" when none was named */
	struct slice data;  /* lines joined by LF */
	struct slice id;    /* the last id, kept over events */
	int64_t retry_ms;   /* -1: none */
};

typedef bool sse_seen(void *context, const struct sse_event *event); /* false: stop */

struct sse {
	struct text line;
	struct text data;
	struct text event;
	struct text id;
	int64_t retry_ms;
	size_t limit;
	bool after_cr;
	bool started;
	bool has_data;
};

void sse_init(struct sse *sse, size_t limit);
void sse_finish(struct sse *sse);
/* Spans in the event are valid during the call. False: over the limit, no memory, or stopped. */
bool sse_read(struct sse *sse, struct slice bytes, sse_seen *seen, void *context,
	struct fault *why) MUST_USE;
/* SLICE_NONE leaves a field out; data may hold LF and CR (written as several data lines). An event
 * or id with a line end or NUL fails `to`. */
void sse_write(struct text *to, struct slice event, struct slice id, struct slice data);

#endif
