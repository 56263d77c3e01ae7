/* SPDX-License-Identifier: Apache-2.0 */
/* Channel, raw: the socket itself. */
#include "net/channel.h"
#include "net/stream_parts.h"

#include <errno.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The C library's send() and recv() are points at which a thread may be cancelled: two locked
 * instructions more a call as soon as there are two threads. Nobody here cancels any. */
static ssize_t socket_send(int descriptor, const char *bytes, size_t length) {
	return syscall(SYS_sendto, descriptor, bytes, length, MSG_NOSIGNAL, NULL, 0);
}

static ssize_t socket_receive(int descriptor, char *bytes, size_t room) {
	return syscall(SYS_recvfrom, descriptor, bytes, room, 0, NULL, NULL);
}

static enum channel_result raw_start(struct stream *stream, struct fault *why) {
	(void)stream;
	(void)why;
	return CHANNEL_DONE;
}

static enum channel_result raw_receive(struct stream *stream, char *bytes, size_t room,
	size_t *length, struct fault *why) {
	ssize_t got;
	do {
		got = socket_receive(stream->descriptor, bytes, room);
	} while (got < 0 && errno == EINTR);
	*length = got > 0 ? (size_t)got : 0;
	if (got > 0) return CHANNEL_DONE;
	if (got == 0) return CHANNEL_CLOSED;
	if (errno == EAGAIN || errno == EWOULDBLOCK) return CHANNEL_AGAIN;
	fault_errno(why, errno, "the connection broke");
	return CHANNEL_FAILED;
}

static enum channel_result raw_send(struct stream *stream, const char *bytes, size_t length,
	size_t *sent, struct fault *why) {
	ssize_t went;
	do {
		went = socket_send(stream->descriptor, bytes, length);
	} while (went < 0 && errno == EINTR);
	*sent = went > 0 ? (size_t)went : 0;
	if (went >= 0) return CHANNEL_DONE;
	if (errno == EAGAIN || errno == EWOULDBLOCK) return CHANNEL_AGAIN;
	fault_errno(why, errno, "the connection broke");
	return CHANNEL_FAILED;
}

static bool raw_holds(const struct stream *stream) {
	(void)stream;
	return false;
}

static enum channel_result raw_leave(struct stream *stream) {
	(void)stream;
	return CHANNEL_DONE;
}

static void raw_drop(void *session) { (void)session; }

const struct channel channel_raw = {
	.start = raw_start,
	.receive = raw_receive,
	.send = raw_send,
	.holds = raw_holds,
	.leave = raw_leave,
	.drop = raw_drop,
};
