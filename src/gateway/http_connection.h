/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Http connection: one client's HTTP/1.1 connection on loop 0: heads and bodies within their
 * deadlines, one exchange at a time and in order, keep-alive, and the hand-over of the socket when
 * it becomes a WebSocket.
 */
#ifndef HUSTINGS_GATEWAY_HTTP_CONNECTION_H
#define HUSTINGS_GATEWAY_HTTP_CONNECTION_H

#include "gateway/exchange.h"
#include "net/stream.h"

struct connections *connections_open(struct gateway *gateway, struct fault *why) MUST_USE;
void connections_close(struct connections *connections); /* ends every one */
/* The gateway ends: those that ask nothing at the moment go now, the others with their answer. */
void connections_drain(struct connections *connections);
size_t connections_count(const struct connections *connections);

/* Takes the descriptor. */
void http_connection_open(struct gateway *gateway, int descriptor, const char *address);

/* The answer's octets, whole; then the connection goes on, or closes. For exchange.c. */
void http_connection_answer(struct http_connection *connection, const struct slice *pieces,
	size_t count, bool closes);
/* An answer in pieces: its head, any number of pieces (chunks of their own), its end. For exchange.c. */
void http_connection_stream(struct http_connection *connection, struct slice head);
void http_connection_piece(struct http_connection *connection, struct slice piece);
void http_connection_stream_end(struct http_connection *connection);
size_t http_connection_behind(const struct http_connection *connection); /* octets not yet taken */
bool http_connection_keeps(const struct http_connection *connection);    /* alive after this answer */

/* The exchange becomes a WebSocket: hands out the socket and the bytes that came behind the head
 * (copied; the caller frees); the connection and its exchange are gone. False: the socket cannot be
 * moved now (the exchange is answered with 500). */
bool http_connection_release(struct exchange *exchange, struct stream_socket *socket, char **rest,
	size_t *rest_length) MUST_USE;

#endif
