/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Channel: how a stream's octets get onto its socket and off it: two const tables, raw and TLS.
 * For the files of net/ alone.
 *
 * Operations never block, never raise SIGPIPE, and tell what they need next through the stream's
 * send_needs_read and receive_needs_write (TLS alone ever sets them).
 */
#ifndef HUSTINGS_NET_CHANNEL_H
#define HUSTINGS_NET_CHANNEL_H

#include "base/fault.h"

struct stream;

enum channel_result {
	CHANNEL_DONE,   /* some octets went through */
	CHANNEL_AGAIN,  /* none now */
	CHANNEL_CLOSED, /* the peer's end of file */
	CHANNEL_FAILED, /* `why` says it */
};

struct channel {
	/* Gets a new stream's handshake going, where there is one. */
	enum channel_result (*start)(struct stream *stream, struct fault *why);
	/* *length octets are good whatever the result is. TLS: `room` is at least LOOP_BUFFER, and no
	 * whole record is left inside afterwards, so that waiting for the socket loses nothing. */
	enum channel_result (*receive)(struct stream *stream, char *bytes, size_t room, size_t *length,
		struct fault *why);
	enum channel_result (*send)(struct stream *stream, const char *bytes, size_t length,
		size_t *sent, struct fault *why);
	/* Something came off the socket that receive() has not handed out yet. */
	bool (*holds)(const struct stream *stream);
	/* Says goodbye (close_notify) once nothing more is to be sent. */
	enum channel_result (*leave)(struct stream *stream);
	void (*drop)(void *session);
	bool is_secure;
};

extern const struct channel channel_raw;
extern const struct channel channel_tls;

#endif
