/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tls: certificates and trust, as contexts for streams. A server's context may be replaced while
 * connections live: new ones take the new certificate. TLS 1.2 and 1.3. Owned; counted inside by
 * OpenSSL, so closing while streams live is fine. Any thread may hold one for reading.
 */
#ifndef HUSTINGS_NET_TLS_H
#define HUSTINGS_NET_TLS_H

#include "base/fault.h"

struct tls;

/* PEM files: a certificate chain and its key. `why` names the file. */
struct tls *tls_server_open(const char *certificate, const char *key, struct fault *why) MUST_USE;
/* ca NULL: the system's store. Host names are always checked. */
struct tls *tls_client_open(const char *ca, struct fault *why) MUST_USE;
/* Reads the files again; the old ones stay in use when that fails. The loop that accepts calls it. */
bool tls_reload(struct tls *tls, struct fault *why) MUST_USE;
void tls_close(struct tls *tls);
AUTO_RELEASE(tls, tls_close)

/* For the files of net/ alone: a session (OpenSSL's SSL) on a socket, of which it does not become
 * the owner. host: whom a client expects, a name or an address; required there, NULL for servers. */
void *tls_session_open(struct tls *tls, int descriptor, const char *host, struct fault *why) MUST_USE;
/* Takes what OpenSSL queued about its last failure and says it: "certificate verify failed". */
void tls_explain(void *session, const char *what, struct fault *why);

#endif
