/* SPDX-License-Identifier: Apache-2.0 */
/* Tls socket: OpenSSL's socket method with another write. */
#include "net/tls_socket.h"

#include <errno.h>
#include <openssl/bio.h>
#include <openssl/ssl.h>
#include <pthread.h>
#include <sys/socket.h>

/* A method must outlive all sessions and is never changed: made once for the process. */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static BIO_METHOD *method;

static int socket_write(BIO *bio, const char *bytes, int length) {
	ssize_t went;
	do {
		went = send(BIO_get_fd(bio, NULL), bytes, (size_t)length, MSG_NOSIGNAL);
	} while (went < 0 && errno == EINTR);
	BIO_clear_retry_flags(bio);
	if (went < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) BIO_set_retry_write(bio);
	return (int)went;
}

static void method_make(void) {
	const BIO_METHOD *theirs = BIO_s_socket();
	BIO_METHOD *ours = BIO_meth_new(BIO_TYPE_SOCKET, "socket without SIGPIPE");
	if (!ours) return;
	BIO_meth_set_write(ours, socket_write);
	BIO_meth_set_read(ours, BIO_meth_get_read(theirs));
	BIO_meth_set_puts(ours, BIO_meth_get_puts(theirs));
	BIO_meth_set_ctrl(ours, BIO_meth_get_ctrl(theirs));
	BIO_meth_set_create(ours, BIO_meth_get_create(theirs));
	BIO_meth_set_destroy(ours, BIO_meth_get_destroy(theirs));
	method = ours;
}

bool tls_socket_attach(struct ssl_st *session, int descriptor) {
	pthread_once(&once, method_make);
	BIO *bio = method ? BIO_new(method) : NULL;
	if (!bio) return false;
	BIO_set_fd(bio, descriptor, BIO_NOCLOSE);
	SSL_set_bio(session, bio, bio);
	return true;
}
