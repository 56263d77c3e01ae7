/* SPDX-License-Identifier: Apache-2.0 */
/* Stream, opening: a socket becomes a stream, and one stream becomes another on another loop. */
#include "net/stream.h"
#include "net/stream_parts.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

static struct stream *stream_make(struct loop *loop, int descriptor,
	const struct stream_events *events, void *context, struct fault *why) {
	struct stream *stream = calloc(1, sizeof(*stream));
	if (!stream) return fault_null(why, FAULT_NO_MEMORY, "no memory for a connection");
	int error = uv_poll_init_socket(&loop->uv, &stream->poll, descriptor);
	if (error) {
		free(stream);
		fault_errno(why, -error, "cannot watch a connection");
		return NULL;
	}
	stream->channel = &channel_raw;
	stream->events = events;
	stream->poll.data = context;
	stream->descriptor = descriptor;
	list_init(&stream->task.link);
	counters_add(&loop->counters, COUNTER_CONNECTIONS, 1);
	return stream;
}

struct stream *stream_open(struct loop *loop, int descriptor, struct tls *tls, const char *host,
	const struct stream_events *events, void *context, struct fault *why) {
	void *session = NULL;
	if (tls && !(session = tls_session_open(tls, descriptor, host, why))) {
		close(descriptor);
		return NULL;
	}
	struct stream *stream = stream_make(loop, descriptor, events, context, why);
	if (!stream) {
		if (session) channel_tls.drop(session);
		close(descriptor);
		return NULL;
	}
	int yes = 1; /* families other than TCP's do not know it */
	setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes));
	counters_add(&loop->counters, COUNTER_CONNECTIONS_TOTAL, 1);
	if (session) {
		stream->channel = &channel_tls;
		stream->session = session;
	}
	struct fault failed;
	if (stream->channel->start(stream, &failed) == CHANNEL_FAILED) stream_break(stream, &failed);
	/* A quick peer's first words may have come with the end of its handshake. */
	stream_look_inside(stream);
	stream_watch(stream);
	return stream;
}

bool stream_release(struct stream *stream, struct stream_socket *socket) {
	if (stream->state != STREAM_OPEN || stream->outbox) return false;
	socket->descriptor = stream->descriptor;
	socket->session = stream->session;
	stream->descriptor = -1;
	stream->session = NULL;
	stream_close(stream);
	return true;
}

struct stream *stream_adopt(struct loop *loop, struct stream_socket *socket,
	const struct stream_events *events, void *context, struct fault *why) {
	struct stream *stream = stream_make(loop, socket->descriptor, events, context, why);
	if (!stream) {
		stream_socket_drop(socket);
		return NULL;
	}
	if (socket->session) {
		stream->channel = &channel_tls;
		stream->session = socket->session;
	}
	*socket = (struct stream_socket){-1, NULL};
	stream_look_inside(stream);
	stream_watch(stream);
	return stream;
}

void stream_socket_drop(struct stream_socket *socket) {
	if (socket->session) channel_tls.drop(socket->session);
	if (socket->descriptor >= 0) close(socket->descriptor);
	*socket = (struct stream_socket){-1, NULL};
}
