/* SPDX-License-Identifier: Apache-2.0 */
/* Stream parts: what a stream is made of, for the files of net/ alone. Small: there are many. */
#ifndef HUSTINGS_NET_STREAM_PARTS_H
#define HUSTINGS_NET_STREAM_PARTS_H

#include "net/channel.h"
#include "net/loop.h"
#include "net/loop_parts.h"
#include "net/stream_outbox.h"

enum stream_state {
	STREAM_OPEN,
	STREAM_BROKEN,    /* `ended` is to be told */
	STREAM_ENDED,     /* and was */
	STREAM_FINISHING, /* nobody's any more: the outbox goes out */
	STREAM_LINGERING, /* our side is shut, the peer's last octets are thrown away */
	STREAM_CLOSED,    /* waits for libuv to let go of the handle */
	STREAM_STATES
};

struct stream_events;

struct stream {
	const struct stream_events *events;
	/* What a send looks at lies together, up to the handle's loop: readers are many, caches small. */
	struct stream_outbox *outbox;
	const struct channel *channel;
	int descriptor;
	uint8_t state;
	uint8_t interest; /* what libuv waits for */
	bool paused : 1;
	bool peer_done : 1;           /* its end of file was seen */
	bool send_needs_read : 1;     /* TLS: sending goes on when something was read */
	bool receive_needs_write : 1; /* TLS: reading goes on when something can be written */
	bool fault_is_ours : 1;       /* freed with the stream; else it lasts */
	uv_poll_t poll;               /* its `data` is the owner's context */
	void *session;                /* the channel's */
	const struct fault *fault;    /* why it ended */
	struct deadline deadline;
	struct task task; /* reads what the channel holds, or tells `ended`, or waits for the loop's close */
};

_Static_assert(sizeof(struct stream) <= 264, "memory of an idle connection");

/* The loop it is on. */
static inline struct loop *stream_home(const struct stream *stream) {
	return CONTAINER_OF(stream->poll.loop, struct loop, uv);
}

/* Of net/stream.c, for whom opens one. Tells libuv what to wait for, if that has changed. */
void stream_watch(struct stream *stream);
/* What the channel took off the socket is told in this pass. */
void stream_look_inside(struct stream *stream);
/* Nothing more goes in or out; `ended` follows in this pass (a finishing one is closed). */
void stream_break(struct stream *stream, const struct fault *why);

#endif
