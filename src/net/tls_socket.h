/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tls socket: the descriptor as OpenSSL sees it: its own socket BIO, but for writing, which never
 * raises SIGPIPE. All else (kernel TLS included, should it be switched on) stays OpenSSL's.
 */
#ifndef HUSTINGS_NET_TLS_SOCKET_H
#define HUSTINGS_NET_TLS_SOCKET_H

#include "base/dialect.h"

struct ssl_st;

/* The descriptor stays the caller's. False: no memory. */
bool tls_socket_attach(struct ssl_st *session, int descriptor) MUST_USE;

#endif
