/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stream outbox: what a socket did not take: ranges of counted frames, in their order. It is there
 * only while something waits: NULL is the empty one, made by what is put into it and dropped by its
 * stream. For net/stream.c alone.
 */
#ifndef HUSTINGS_NET_STREAM_OUTBOX_H
#define HUSTINGS_NET_STREAM_OUTBOX_H

#include "base/slice.h"
#include "wire/frame.h"

struct stream_range {
	struct frame *frame; /* kept */
	uint32_t offset;
	uint32_t length;
};

/* ranges[first] .. ranges[first + count - 1]. */
struct stream_outbox {
	size_t behind;
	uint32_t first;
	uint32_t count;
	uint32_t capacity;
	struct stream_range ranges[];
};

/* Whether that frame is kept for what was added last. */
bool stream_outbox_ends_with(const struct stream_outbox *outbox, const struct frame *frame);
/* A range of the frame, which is kept. False: no memory. */
bool stream_outbox_append(struct stream_outbox **outbox, struct frame *frame, size_t offset,
	size_t length) MUST_USE;
/* Bytes of the caller's. False: no memory. */
bool stream_outbox_copy(struct stream_outbox **outbox, struct slice bytes) MUST_USE;
/* So many octets of the first range went out. */
void stream_outbox_sent(struct stream_outbox *outbox, size_t sent);
void stream_outbox_drop(struct stream_outbox *outbox); /* NULL is fine */

#endif
