/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Exchange: one HTTP request and its answer. A handler answers at once or later (it keeps the
 * pointer and sets `gone`); exactly one answer is given. Spans of the head, body and principal live
 * until it is given or `gone` was called. Loop 0.
 */
#ifndef HUSTINGS_GATEWAY_EXCHANGE_H
#define HUSTINGS_GATEWAY_EXCHANGE_H

#include "gateway/gateway.h"
#include "wire/http1.h"

#define EXCHANGE_SEGMENTS 8

struct exchange;
struct stream_socket;

/* How an answer leaves: the connection's side of an exchange (http_connection.c). */
struct exchange_way {
	/* The answer's octets, whole; then the connection goes on, or closes. */
	void (*answer)(struct exchange *exchange, const struct slice *pieces, size_t count, bool closes);
	/* An answer in pieces: its head, any number of pieces (chunks of their own), its end. */
	void (*stream)(struct exchange *exchange, struct slice head);
	void (*piece)(struct exchange *exchange, struct slice piece);
	void (*stream_end)(struct exchange *exchange);
	size_t (*behind)(const struct exchange *exchange); /* octets not yet taken */
	bool (*keeps)(const struct exchange *exchange);    /* the connection outlives this answer */
	bool (*release)(struct exchange *exchange, struct stream_socket *socket, char **rest,
		size_t *rest_length);
};

struct exchange {
	struct gateway *gateway;
	const struct exchange_way *way;
	const struct http1_head *head;
	struct slice body;
	struct slice segments[EXCHANGE_SEGMENTS]; /* of the path, percent-decoded; "/v0/topics/a%2Fb" has 3 */
	size_t segment_count;
	const char *address;         /* the peer's, without port */
	struct principal *principal; /* NULL: public route */
	struct arena arena;          /* of this exchange */
	/* The connection went before the answer: the handler must not touch the exchange again. */
	void (*gone)(struct exchange *exchange);
	/* All that was said so far has left; of an answer in pieces. May be NULL; must not end the answer. */
	void (*drained)(struct exchange *exchange);
	const char *cache_control; /* of the answer, set before it; NULL: no-store */
	bool closes;               /* the connection ends with this answer, set before it */
	bool needs_peer;           /* a peer that shut its side is gone: the answer would be for nobody */
	bool owes_nothing;         /* may be cut off when the gateway drains: it only listens */
	bool is_by_cookie;         /* its bearer is that of a session's cookie; credentials.c */
	void *context;             /* the handler's */
	void *waiting;             /* credentials.c: for a JWT's keys */
	char lent[2048];           /* the last: it is not cleared from one exchange to the next */
};

/* A body in up to three pieces, so that a large one need not be copied to be put together. */
struct exchange_body {
	struct slice start, middle, end;
};

/* `type` is static; `headers` are further lines, each with its CRLF, or SLICE_NONE. */
void exchange_answer(struct exchange *exchange, unsigned status, const char *type,
	struct slice headers, struct slice body);
void exchange_answer_in_pieces(struct exchange *exchange, unsigned status, const char *type,
	struct slice headers, const struct exchange_body *body);
/* An answer of 200 in pieces, whose length is not known before: chunked toward HTTP/1.1, up to the
 * end of the connection toward 1.0. exchange_stream() first (false: no memory; the exchange is still
 * to be answered), then pieces, then exchange_stream_end(), after which the exchange is gone. A
 * stalled reader is dropped (`gone`) after the idle deadline; how much waits is exchange_behind(). */
bool exchange_stream(struct exchange *exchange, const char *type, struct slice headers) MUST_USE;
void exchange_piece(struct exchange *exchange, struct slice piece);
void exchange_stream_end(struct exchange *exchange);
size_t exchange_behind(const struct exchange *exchange);
/* It becomes a WebSocket: hands out the socket and the bytes that came behind the head (copied; the
 * caller frees); the exchange is gone. False: the socket cannot be moved now (answered with 500). */
bool exchange_release(struct exchange *exchange, struct stream_socket *socket, char **rest,
	size_t *rest_length) MUST_USE;
void exchange_json(struct exchange *exchange, unsigned status, struct slice json);
/* The same of a builder; one that failed is answered with 503. */
void exchange_text(struct exchange *exchange, unsigned status, const struct text *json);
/* The error body of every refusal: {"event":"error","code":WORD,"message":...} (docs/protocol.md);
 * 401 brings WWW-Authenticate, 405 needs exchange_answer with Allow. */
void exchange_error(struct exchange *exchange, unsigned status, const char *word,
	const char *format, ...) PRINTF_LIKE(4, 5);
/* The status that a fault stands for, and its word: NOT_FOUND 404, REFUSED 403, BAD_INPUT 400,
 * TOO_LARGE 413, EXISTS 409, FULL, NO_MEMORY and NOT_READY 503, TIMEOUT 504, else 500 (whose
 * sentence goes to the log, not to the client). */
void exchange_fault(struct exchange *exchange, const struct fault *why);
/* Its parts, for whoever answers without an exchange (door.c); any thread. */
void exchange_write_error(struct text *to, const char *word, struct slice message);
unsigned exchange_fault_status(enum fault_code code);
const char *exchange_fault_word(enum fault_code code);

/* A value of the query, decoded into the arena; SLICE_NONE: not there. False: malformed (answered). */
bool exchange_query(struct exchange *exchange, const char *name, struct slice *value) MUST_USE;
/* The same as a number of `least` to `most`, `otherwise` when not there. False: answered with 400. */
bool exchange_query_number(struct exchange *exchange, const char *name, uint64_t least,
	uint64_t most, uint64_t otherwise, uint64_t *number) MUST_USE;

#endif
