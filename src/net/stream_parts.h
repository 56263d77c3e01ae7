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
	uv_poll_t poll; /* first: libuv's handle is the stream */
	struct loop *loop;
	const struct channel *channel;
	void *session; /* the channel's */
	const struct stream_events *events;
	void *context;
	struct stream_outbox *outbox;
	const struct fault *fault; /* why it ended: the kept one, or one that lasts */
	struct fault *fault_kept;
	struct deadline deadline;
	struct task task; /* reads what the channel holds, or tells `ended`, or waits for the loop's close */
	int descriptor;
	uint8_t state;
	uint8_t interest; /* what libuv waits for */
	bool paused;
	bool peer_done;           /* its end of file was seen */
	bool send_needs_read;     /* TLS: sending goes on when something was read */
	bool receive_needs_write; /* TLS: reading goes on when something can be written */
};

_Static_assert(sizeof(struct stream) <= 296, "memory of an idle connection");

/* Of net/stream.c, for whom opens one. Tells libuv what to wait for, if that has changed. */
void stream_watch(struct stream *stream);
/* What the channel took off the socket is told in this pass. */
void stream_look_inside(struct stream *stream);
/* Nothing more goes in or out; `ended` follows in this pass (a finishing one is closed). */
void stream_break(struct stream *stream, const struct fault *why);

#endif
