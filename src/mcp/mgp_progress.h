/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mgp_progress: how far a request is, in the two forms that there are: MCP's notifications/progress (progress,
 * total, message) and MGP's notifications/mgp.stream.progress (progress from 0 to 1, message,
 * estimated_remaining_ms; MGP 12.6). From one into the other; docs/internals/streams.md. Plain functions, any
 * thread.
 */
#ifndef HUSTINGS_MCP_MGP_PROGRESS_H
#define HUSTINGS_MCP_MGP_PROGRESS_H

#include "wire/scan.h"

/* Spans lie in the params. */
struct mgp_progress {
	bool has_fraction;
	double fraction;      /* 0 to 1 */
	struct slice count;   /* of MCP without a total, a JSON number; length 0: none */
	struct slice message; /* a JSON string; length 0: none */
	int64_t remaining_ms; /* -1: not said */
};

/* What was said of one request so far; zero is its beginning. */
struct mgp_progress_course {
	double fraction;
};

/* Each reads params. False: they are malformed. */
bool mgp_progress_read(const struct scan_value *params, struct mgp_progress *progress) MUST_USE;
bool mgp_progress_read_plain(const struct scan_value *params, struct mgp_progress *progress) MUST_USE;
/* It goes on from what was said before, and not back: a total may have grown meanwhile. */
void mgp_progress_follow(struct mgp_progress_course *course, struct mgp_progress *progress);
/* How long the rest takes when it is as slow as what took elapsed_ms; where that was not said, and can be. */
void mgp_progress_estimate(struct mgp_progress *progress, uint64_t elapsed_ms);

/* The whole notification; `id` and `token` are JSON text. */
void mgp_progress_write(struct text *to, struct slice id, const struct mgp_progress *progress);
/* Without a fraction of its own it stands where the course does. */
void mgp_progress_write_plain(struct text *to, struct slice token, const struct mgp_progress *progress,
	const struct mgp_progress_course *course);

#endif
