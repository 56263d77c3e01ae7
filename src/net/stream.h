/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stream: one connected socket on a loop, raw or TLS (two tables of operations), with an outbox
 * that stays empty while the peer keeps up.
 *
 * Reading: bytes arrive in the loop's shared buffer and are the callee's during the call only; it
 * may write into them. Writing: a range of a counted frame is sent at once; only what the socket
 * did not take waits, as (frame, offset, length), keeping the frame. Neighbouring ranges of one
 * frame are joined. Nothing is copied, nothing allocated for a reader that keeps up.
 *
 * Callback contract: `arrived` and `late` any number of times, then `ended` at most once (end of file, error,
 * deadline; never from inside a send). After `ended`, and at any time before, the owner calls
 * stream_close(); no callback comes after that. stream_close() is allowed inside callbacks; the
 * memory goes when libuv has let go of the handle. After an end of file what waits in the outbox is
 * kept: stream_finish() still sends it to a peer that shut only its own side.
 *
 * Streams count connections and octets in their loop's counters (base/counters.h).
 */
#ifndef HUSTINGS_NET_STREAM_H
#define HUSTINGS_NET_STREAM_H

#include "net/loop.h"
#include "net/tls.h"
#include "wire/frame.h"

struct stream;

struct stream_events {
	void (*arrived)(struct stream *stream, struct slice bytes);
	void (*drained)(struct stream *stream);                        /* the outbox became empty; may be NULL */
	void (*ended)(struct stream *stream, const struct fault *why); /* FAULT_CLOSED: the peer's end of file */
	void (*late)(struct stream *stream);                           /* the deadline passed; NULL: then it ends with FAULT_TIMEOUT */
};

/* Takes the descriptor (non-blocking, TCP_NODELAY set here); on failure it is closed. tls NULL:
 * raw. host: whom a TLS client expects (NULL for servers). Reading begins at once. */
struct stream *stream_open(struct loop *loop, int descriptor, struct tls *tls, const char *host,
	const struct stream_events *events, void *context, struct fault *why) MUST_USE;
void stream_close(struct stream *stream); /* NULL is fine; what waits in the outbox is dropped */
/* Closes when the outbox is empty, or after `patience_ms`; no callbacks from now on. With TLS a
 * close_notify is sent; the writing side is shut down and the peer's last bytes are read and
 * thrown away until its end of file (so that it gets our last words, not a reset). */
void stream_finish(struct stream *stream, uint64_t patience_ms);

void *stream_context(const struct stream *stream);
void stream_set(struct stream *stream, const struct stream_events *events, void *context);
struct loop *stream_loop(const struct stream *stream);

/* Sends that range of the frame (keeping the frame only if some of it must wait). False: no memory
 * for what must wait; the stream is broken and tells `ended` in this pass. A broken or ended stream
 * swallows. */
bool stream_send(struct stream *stream, struct frame *frame, size_t offset, size_t length);
/* The same for bytes of the caller's, copied if they must wait. After the peer's end of file they
 * wait for stream_finish(), which sends them to a peer that shut only its own side. */
bool stream_write(struct stream *stream, struct slice bytes);
size_t stream_behind(const struct stream *stream); /* octets that wait */
bool stream_is_secure(const struct stream *stream);

void stream_pause(struct stream *stream); /* stops reading (back-pressure) */
void stream_resume(struct stream *stream);

/* One deadline of the stream, unless set again or cleared (0) in time: `late` is called and the stream
 * goes on, or without it `ended` with FAULT_TIMEOUT. */
void stream_deadline(struct stream *stream, uint64_t in_ms);

/* Moving to another loop: takes the socket out of this stream (whose outbox must be empty) and
 * closes the rest of it; stream_adopt() on the other loop makes a stream of it again. */
struct stream_socket {
	int descriptor;
	void *session; /* TLS; NULL: raw */
};
bool stream_release(struct stream *stream, struct stream_socket *socket) MUST_USE;
struct stream *stream_adopt(struct loop *loop, struct stream_socket *socket,
	const struct stream_events *events, void *context, struct fault *why) MUST_USE;
void stream_socket_drop(struct stream_socket *socket);

#endif
