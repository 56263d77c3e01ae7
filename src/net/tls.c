/* SPDX-License-Identifier: Apache-2.0 */
/* Tls: OpenSSL contexts behind a lock that is held just long enough to count one more user. */
#include "net/tls.h"
#include "base/text.h"
#include "net/tls_socket.h"

#include <arpa/inet.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <pthread.h>
#include <stdlib.h>

struct tls {
	pthread_mutex_t lock; /* of `context` */
	SSL_CTX *context;
	bool is_server;
	char *certificate; /* of a server: its chain; of a client: whom it trusts, or NULL */
	char *key;
};

/* OpenSSL would ask at the terminal. */
static int no_password(char *to, int size, int writing, void *context) {
	(void)to;
	(void)size;
	(void)writing;
	(void)context;
	return 0;
}

static bool file_failed(struct fault *why, const char *what, const char *path) {
	unsigned long error = ERR_peek_last_error();
	const char *reason = error ? ERR_reason_error_string(error) : NULL;
	fault_set(why, FAULT_BAD_INPUT, "%s %s cannot be used: %s", what, path,
		reason ? reason : "it is no such PEM file");
	ERR_clear_error();
	return false;
}

static bool load_server(SSL_CTX *context, const char *certificate, const char *key,
	struct fault *why) {
	if (SSL_CTX_use_certificate_chain_file(context, certificate) != 1)
		return file_failed(why, "certificate", certificate);
	if (SSL_CTX_use_PrivateKey_file(context, key, SSL_FILETYPE_PEM) != 1)
		return file_failed(why, "key", key);
	if (SSL_CTX_check_private_key(context) != 1)
		return file_failed(why, "key", key);
	return true;
}

static bool load_client(SSL_CTX *context, const char *ca, struct fault *why) {
	SSL_CTX_set_verify(context, SSL_VERIFY_PEER, NULL);
	if (ca) return SSL_CTX_load_verify_file(context, ca) == 1 || file_failed(why, "CA file", ca);
	if (SSL_CTX_set_default_verify_paths(context) == 1) return true;
	return fault_set(why, FAULT_IO, "the system's certificate store cannot be read");
}

static SSL_CTX *context_open(const struct tls *tls, struct fault *why) {
	ERR_clear_error();
	SSL_CTX *context = SSL_CTX_new(tls->is_server ? TLS_server_method() : TLS_client_method());
	if (!context) return fault_null(why, FAULT_NO_MEMORY, "no memory for TLS");
	SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
	SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
	SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE);
	SSL_CTX_set_mode(context, SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
	SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS);
	SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
	SSL_CTX_set_default_passwd_cb(context, no_password);
	SSL_CTX_set_read_ahead(context, 1); /* one recv for a record and its followers */
	bool loaded = tls->is_server ? load_server(context, tls->certificate, tls->key, why)
				     : load_client(context, tls->certificate, why);
	if (loaded) return context;
	SSL_CTX_free(context);
	return NULL;
}

static struct tls *tls_open(bool is_server, const char *certificate, const char *key,
	struct fault *why) {
	struct tls *tls = calloc(1, sizeof(*tls));
	if (!tls) return fault_null(why, FAULT_NO_MEMORY, "no memory for TLS");
	pthread_mutex_init(&tls->lock, NULL);
	tls->is_server = is_server;
	if (certificate) tls->certificate = slice_copy(slice_of(certificate));
	if (key) tls->key = slice_copy(slice_of(key));
	if ((certificate && !tls->certificate) || (key && !tls->key)) {
		tls_close(tls);
		return fault_null(why, FAULT_NO_MEMORY, "no memory for TLS");
	}
	tls->context = context_open(tls, why);
	if (tls->context) return tls;
	tls_close(tls);
	return NULL;
}

struct tls *tls_server_open(const char *certificate, const char *key, struct fault *why) {
	return tls_open(true, certificate, key, why);
}

struct tls *tls_client_open(const char *ca, struct fault *why) {
	return tls_open(false, ca, NULL, why);
}

bool tls_reload(struct tls *tls, struct fault *why) {
	SSL_CTX *fresh = context_open(tls, why);
	if (!fresh) return false;
	pthread_mutex_lock(&tls->lock);
	SSL_CTX *old = tls->context;
	tls->context = fresh;
	pthread_mutex_unlock(&tls->lock);
	SSL_CTX_free(old);
	return true;
}

void tls_close(struct tls *tls) {
	if (!tls) return;
	SSL_CTX_free(tls->context);
	pthread_mutex_destroy(&tls->lock);
	free(tls->certificate);
	free(tls->key);
	free(tls);
}

/* Sessions */

static bool session_expects(SSL *session, const char *host, struct fault *why) {
	unsigned char address[16];
	bool is_address =
		inet_pton(AF_INET, host, address) == 1 || inet_pton(AF_INET6, host, address) == 1;
	X509_VERIFY_PARAM *parameters = SSL_get0_param(session);
	X509_VERIFY_PARAM_set_hostflags(parameters, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
	int set = is_address ? X509_VERIFY_PARAM_set1_ip_asc(parameters, host)
			     : X509_VERIFY_PARAM_set1_host(parameters, host, 0);
	if (set == 1 && !is_address) set = (int)SSL_set_tlsext_host_name(session, host);
	if (set == 1) return true;
	ERR_clear_error();
	return fault_set(why, FAULT_BAD_INPUT, "TLS cannot look for a certificate of host \"%s\"", host);
}

void *tls_session_open(struct tls *tls, int descriptor, const char *host, struct fault *why) {
	if (!tls->is_server && (!host || !host[0]))
		return fault_null(why, FAULT_BAD_INPUT, "a TLS client needs the name of its host");

	ERR_clear_error();
	pthread_mutex_lock(&tls->lock);
	SSL *session = SSL_new(tls->context);
	pthread_mutex_unlock(&tls->lock);
	if (!session || !tls_socket_attach(session, descriptor)) {
		SSL_free(session);
		ERR_clear_error();
		return fault_null(why, FAULT_NO_MEMORY, "no memory for a TLS session");
	}
	if (tls->is_server) {
		SSL_set_accept_state(session);
		return session;
	}
	SSL_set_connect_state(session);
	if (session_expects(session, host, why)) return session;
	SSL_free(session);
	return NULL;
}

static enum fault_code code_of(unsigned long error) {
	if (ERR_GET_LIB(error) != ERR_LIB_SSL) return FAULT_IO;
	switch (ERR_GET_REASON(error)) {
	case ERR_R_MALLOC_FAILURE: return FAULT_NO_MEMORY;
	case SSL_R_UNEXPECTED_EOF_WHILE_READING: return FAULT_CLOSED;
	case SSL_R_HTTP_REQUEST:
	case SSL_R_WRONG_VERSION_NUMBER: return FAULT_BAD_INPUT;
	default: break;
	}
	/* Reasons from here on are the peer's alerts. */
	return ERR_GET_REASON(error) >= SSL_AD_REASON_OFFSET ? FAULT_REFUSED : FAULT_BAD_INPUT;
}

void tls_explain(void *session, const char *what, struct fault *why) {
	unsigned long error = ERR_get_error();
	long verified = SSL_get_verify_result(session);
	const char *reason = error ? ERR_reason_error_string(error) : NULL;
	if (ERR_GET_REASON(error) == SSL_R_CERTIFICATE_VERIFY_FAILED && verified != X509_V_OK)
		fault_set(why, FAULT_REFUSED, "%s: the peer's certificate is not trusted: %s", what,
			X509_verify_cert_error_string(verified));
	else if (ERR_GET_REASON(error) == SSL_R_HTTP_REQUEST)
		fault_set(why, FAULT_BAD_INPUT, "%s: the peer spoke plain HTTP", what);
	else
		fault_set(why, code_of(error), "%s: %s", what, reason ? reason : "no reason was given");
	ERR_clear_error();
}
