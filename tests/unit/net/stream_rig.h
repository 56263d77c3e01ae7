/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stream rig: a stream's owner that checks the callback contract while it gathers what arrives.
 */
#ifndef HUSTINGS_TESTS_STREAM_RIG_H
#define HUSTINGS_TESTS_STREAM_RIG_H

#include "net_rig.h"

#include "net/stream.h"

#include <poll.h>

struct owner {
	struct stream *stream;
	struct text got; /* all that arrived, while it is kept */
	size_t arrived;  /* octets */
	unsigned pieces;
	unsigned drained;
	unsigned ended;
	struct fault why;
	bool inside_send;     /* `ended` must not come then */
	bool checks_sequence; /* octets are rig_octet() of their place, and are not kept */
	bool intact;
	bool closes_on_arrival;
	bool echoes;
};

static inline void owner_arrived(struct stream *stream, struct slice bytes) {
	struct owner *owner = stream_context(stream);
	assert_int_equal(owner->ended, 0);
	assert_true(bytes.length > 0);
	if (owner->checks_sequence) owner->intact &= rig_holds(bytes.bytes, owner->arrived, bytes.length);
	else text_add(&owner->got, bytes);
	owner->arrived += bytes.length;
	owner->pieces++;
	if (owner->echoes) assert_true(stream_write(stream, bytes));
	if (owner->closes_on_arrival) {
		stream_close(stream);
		owner->stream = NULL;
	}
}

static inline void owner_drained(struct stream *stream) {
	struct owner *owner = stream_context(stream);
	assert_int_equal(stream_behind(stream), 0);
	owner->drained++;
}

static inline void owner_ended(struct stream *stream, const struct fault *why) {
	struct owner *owner = stream_context(stream);
	assert_false(owner->inside_send);
	assert_int_equal(owner->ended, 0);
	owner->ended++;
	owner->why = *why;
}

static const struct stream_events owner_events = {
	.arrived = owner_arrived,
	.drained = owner_drained,
	.ended = owner_ended,
};

static inline void owner_open(struct owner *owner, struct loop *loop, int descriptor, struct tls *tls,
	const char *host) {
	struct fault why;
	memset(owner, 0, sizeof(*owner));
	text_init(&owner->got, 0);
	owner->intact = true;
	owner->stream = stream_open(loop, descriptor, tls, host, &owner_events, owner, &why);
	assert_non_null(owner->stream);
}

static inline void owner_close(struct owner *owner) {
	stream_close(owner->stream);
	owner->stream = NULL;
	text_finish(&owner->got);
}

static inline bool owner_has(const struct owner *owner, const char *text) {
	return slice_is(text_slice(&owner->got), text);
}

/* A frame of octets whose places begin at `position`. */
static inline struct frame *rig_frame(size_t position, size_t length) {
	struct frame *frame = frame_open(NULL, length);
	assert_non_null(frame);
	rig_fill(frame->bytes, position, length);
	frame->used = (uint32_t)length;
	return frame;
}

/* Reads what is there, at most `most`; the octets must be those of the places from `*position`.
 * False: end of file. */
static inline bool rig_read(int descriptor, size_t *position, size_t most) {
	char bytes[16384];
	while (most > 0) {
		ssize_t got = recv(descriptor, bytes, most < sizeof(bytes) ? most : sizeof(bytes), 0);
		if (got == 0) return false;
		if (got < 0) return true;
		assert_true(rig_holds(bytes, *position, (size_t)got));
		*position += (size_t)got;
		most -= (size_t)got;
	}
	return true;
}

#endif
