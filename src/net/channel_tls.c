/* SPDX-License-Identifier: Apache-2.0 */
/* Channel, TLS: OpenSSL on the descriptor. The handshake happens inside reading and sending. */
#include "net/channel.h"
#include "net/stream_parts.h"
#include "net/tls.h"

#include <errno.h>
#include <openssl/err.h>
#include <openssl/ssl.h>

#define RECORD (16 * 1024)                  /* octets of the largest */
#define GATHERED (LOOP_BUFFER - 3 * RECORD) /* beyond this no more is asked of the socket */

/* OpenSSL forgets after a failure that the handshake was done, but not what ended it. */
static bool has_shaken_hands(SSL *session) {
	char octet;
	return SSL_get_peer_finished(session, &octet, 0) > 0;
}

/* What a call that did not succeed means; it was the only one since the error queue was empty. */
static enum channel_result tls_failed(struct stream *stream, int result, struct fault *why) {
	int error = errno;
	bool shaken = has_shaken_hands(stream->session);
	const char *what = shaken ? "TLS failed" : "the TLS handshake failed";
	switch (SSL_get_error(stream->session, result)) {
	case SSL_ERROR_WANT_READ:
	case SSL_ERROR_WANT_WRITE: return CHANNEL_AGAIN;
	case SSL_ERROR_ZERO_RETURN: return CHANNEL_CLOSED;
	case SSL_ERROR_SYSCALL:
		if (error) fault_errno(why, error, "%s", what);
		else fault_set(why, FAULT_CLOSED, "%s: the peer closed the connection", what);
		return CHANNEL_FAILED;
	default: break;
	}
	tls_explain(stream->session, what, why);
	return CHANNEL_FAILED;
}

static bool wants_write(const struct stream *stream) {
	return SSL_want(stream->session) == SSL_WRITING;
}

static enum channel_result tls_start(struct stream *stream, struct fault *why) {
	ERR_clear_error();
	errno = 0;
	int result = SSL_do_handshake(stream->session);
	if (result == 1) return CHANNEL_DONE;
	enum channel_result outcome = tls_failed(stream, result, why);
	if (outcome == CHANNEL_AGAIN && wants_write(stream)) stream->receive_needs_write = true;
	return outcome;
}

/* What OpenSSL has taken off the socket beyond one record must be read now, for the socket will not
 * tell of it; reading ahead is off meanwhile, so that this comes to an end. */
static enum channel_result tls_receive(struct stream *stream, char *bytes, size_t room,
	size_t *length, struct fault *why) {
	SSL *session = stream->session;
	enum channel_result result = CHANNEL_DONE;
	*length = 0;
	ERR_clear_error();
	do {
		if (*length > GATHERED) SSL_set_read_ahead(session, 0);
		errno = 0;
		int got = SSL_read(session, bytes + *length, (int)(room - *length));
		if (got <= 0) {
			result = tls_failed(stream, got, why);
			if (result == CHANNEL_AGAIN && wants_write(stream)) stream->receive_needs_write = true;
			break;
		}
		*length += (size_t)got;
	} while (*length < room && SSL_has_pending(session));
	SSL_set_read_ahead(session, 1);
	return result == CHANNEL_AGAIN && *length > 0 ? CHANNEL_DONE : result;
}

static enum channel_result tls_send(struct stream *stream, const char *bytes, size_t length,
	size_t *sent, struct fault *why) {
	*sent = 0;
	ERR_clear_error();
	while (*sent < length) {
		errno = 0;
		int went = SSL_write(stream->session, bytes + *sent, (int)(length - *sent));
		if (went <= 0) {
			enum channel_result result = tls_failed(stream, went, why);
			stream->send_needs_read = result == CHANNEL_AGAIN && !wants_write(stream);
			return result == CHANNEL_AGAIN && *sent > 0 ? CHANNEL_DONE : result;
		}
		*sent += (size_t)went;
	}
	return CHANNEL_DONE;
}

static bool tls_holds(const struct stream *stream) { return SSL_has_pending(stream->session); }

static enum channel_result tls_leave(struct stream *stream) {
	if (!SSL_is_init_finished(stream->session)) return CHANNEL_DONE;
	ERR_clear_error();
	int result = SSL_shutdown(stream->session);
	if (result >= 0) return CHANNEL_DONE;
	enum channel_result outcome = tls_failed(stream, result, NULL);
	return outcome == CHANNEL_AGAIN && wants_write(stream) ? CHANNEL_AGAIN : CHANNEL_DONE;
}

static void tls_drop(void *session) { SSL_free(session); }

const struct channel channel_tls = {
	.start = tls_start,
	.receive = tls_receive,
	.send = tls_send,
	.holds = tls_holds,
	.leave = tls_leave,
	.drop = tls_drop,
	.is_secure = true,
};
