/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Http1: HTTP/1.1 heads and bodies, read strictly, for both roles.
 *
 * Spans into the caller's bytes, which stay until the request is done. Refused, with the status to
 * answer: Transfer-Encoding together with Content-Length, two lengths, folded lines, bare CR or LF,
 * a blank before the colon, NUL and control characters, no or several Hosts, Transfer-Encoding in
 * HTTP/1.0 or other than chunked (501), chunk extensions over 64 octets, heads over HTTP1_HEAD
 * (431), targets over 8 KiB (414), more than HTTP1_FIELDS fields (431), versions other than 1.0
 * and 1.1 (505), expectations other than 100-continue (417). What is wrong is refused as soon as it
 * has arrived, with the same status in whatever pieces it came.
 */
#ifndef HUSTINGS_WIRE_HTTP1_H
#define HUSTINGS_WIRE_HTTP1_H

#include "base/dialect.h"
#include "base/text.h"
#include "wire/http1_query.h"

#define HTTP1_HEAD (32 * 1024)
#define HTTP1_FIELDS 100

struct http1_field {
	struct slice name;
	struct slice value; /* trimmed */
};

struct http1_head {
	struct slice method; /* a response: empty */
	struct slice target; /* as it came: origin form, or absolute form of http(s) */
	struct slice path;   /* of the target, still percent-encoded; begins with "/" */
	struct slice query;  /* behind "?", or empty */
	struct slice host;   /* the authority: Host, or the absolute target's */
	unsigned minor;      /* 0 or 1 */
	unsigned status;     /* of a response */
	bool keep_alive;
	bool chunked;
	bool has_length;
	bool expects_continue;
	bool upgrades;   /* to a WebSocket: a GET (or a 101) of HTTP/1.1 without a body, with
	                             Connection: upgrade and Upgrade: websocket */
	uint64_t length; /* Content-Length */
	size_t field_count;
	struct http1_field fields[HTTP1_FIELDS];
};

enum http1_result {
	HTTP1_MORE,
	HTTP1_READY,
	HTTP1_BAD
};

struct http1_fault {
	unsigned status; /* 400, 413, 414, 417, 431, 501, 505 */
	const char *what;
};

/* A whole head at the front of `bytes`: *used octets of it. HTTP1_MORE: none yet (and within the
 * limits so far); `head` means something only with HTTP1_READY. */
enum http1_result http1_request(struct slice bytes, struct http1_head *head, size_t *used,
	struct http1_fault *fault) MUST_USE;
enum http1_result http1_response(struct slice bytes, struct http1_head *head, size_t *used,
	struct http1_fault *fault) MUST_USE;

/* The first field of that name (ASCII case does not matter), or SLICE_NONE. */
struct slice http1_field(const struct http1_head *head, const char *name);
size_t http1_field_count(const struct http1_head *head, const char *name);
/* Whether a comma list (of all fields of that name) has that token. */
bool http1_has_token(const struct http1_head *head, const char *name, const char *token);

/* A body as the head announces it. A response that announces none goes up to the end of the
 * connection: HTTP1_READY never comes. */
struct http1_body {
	uint64_t left;  /* of the length or of the chunk at hand */
	uint64_t taken; /* octets handed out so far */
	uint64_t limit;
	unsigned trailer; /* octets of chunk heads and trailers seen since the last data */
	uint8_t state;
	bool chunked;
};
void http1_body_init(struct http1_body *body, const struct http1_head *head, uint64_t limit);
/* Takes from the front of `bytes`; `piece` is the data in it, maybe empty. HTTP1_READY: the body is
 * whole (and `piece` may be its last data). HTTP1_BAD: fault->status 400 or 413. Call until
 * HTTP1_MORE with no bytes left, or READY. */
enum http1_result http1_body_next(struct http1_body *body, struct slice *bytes, struct slice *piece,
	struct http1_fault *fault) MUST_USE;

const char *http1_reason(unsigned status); /* "Not Found" */

#endif
