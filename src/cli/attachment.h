/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Attachment: a child and its seat, living and dying together: first the server has to start, then
 * the room is entered; when the server ends, open calls are refused, what was answered goes out, and
 * the seat is left, or kept while the server is started again with growing pauses.
 *
 * A plain struct in its owner's; attachment_run() returns when it is over. One thread.
 */
#ifndef HUSTINGS_CLI_ATTACHMENT_H
#define HUSTINGS_CLI_ATTACHMENT_H

#include "cli/attached_seat.h"

struct attachment_options {
	const char *id; /* the seat must be this one's */
	struct attached_seat_options seat;
	const char *const *arguments;   /* of the server; NULL ended */
	const char *const *environment; /* added to the clean one; NULL ended, or NULL */
	bool restarts;
};

struct attachment {
	struct loop *loop;
	struct attachment_options options;
	struct attached_child *child;
	struct attached_seat *seat;
	struct deadline pause; /* before the next start, or until the seat is left at the latest */
	unsigned starts_in_vain;
	uint64_t started_at; /* loop ms */
	bool is_ending;
	bool was_ready;
	struct fault why; /* of the end; FAULT_NONE: it was told to */
};

/* False: why, in the end. True: attachment_stop() was called. */
bool attachment_run(struct attachment *attachment, struct loop *loop,
	const struct attachment_options *options, struct fault *why) MUST_USE;
/* Ends the server, then leaves. A second time: at once. */
void attachment_stop(struct attachment *attachment);

#endif
