/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lines: cuts a stream of octets into lines that end with LF, whatever the pieces it comes in.
 *
 * A line that lies whole in one piece is handed out where it lies; only the beginning of a line
 * whose end has not come yet is kept (owned, at most `limit` octets). Any octets but LF may stand
 * in a line; a CR before the LF stays. No sockets, no clock.
 */
#ifndef HUSTINGS_NET_LINES_H
#define HUSTINGS_NET_LINES_H

#include "base/fault.h"
#include "wire/frame.h"

enum lines_policy {
	LINES_STRICT, /* a line over the limit is a fault */
	LINES_CUT,    /* a line over the limit is handed out cut, its rest is thrown away */
};

struct lines {
	size_t limit;
	enum lines_policy policy;
	struct frame *partial; /* NULL: nothing is kept */
	bool is_handing_out;
	bool is_skipping; /* behind a cut, up to the LF */
};

/* False: no further lines are wanted. The line is the callee's during the call. */
typedef bool lines_fn(void *context, struct slice line);

void lines_init(struct lines *lines, size_t limit, enum lines_policy policy);
void lines_finish(struct lines *lines);
/* While a line is handed out: the frame in which it was gathered, for who keeps its octets longer
 * (and changes nothing); NULL: it lies in the piece that was fed. */
struct frame *lines_frame(const struct lines *lines);
/* False: over the limit (FAULT_TOO_LARGE) or no memory; every line before was handed out. */
bool lines_feed(struct lines *lines, struct slice bytes, lines_fn *line, void *context,
	struct fault *why) MUST_USE;
/* What stands behind the last LF is a line too. */
void lines_end(struct lines *lines, lines_fn *line, void *context);

#endif
