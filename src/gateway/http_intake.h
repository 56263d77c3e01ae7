/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Http intake: the octets of one HTTP/1.1 connection on their way to requests: a head, its body, and what was
 * read ahead of the next one while an answer is under way. Lies in its connection. Loop 0.
 */
#ifndef HUSTINGS_GATEWAY_HTTP_INTAKE_H
#define HUSTINGS_GATEWAY_HTTP_INTAKE_H

#include "base/text.h"
#include "wire/http1.h"

#define HTTP_INTAKE_AHEAD (64 * 1024) /* octets read ahead while an answer is under way */

struct http_intake {
	struct text input;  /* octets not yet taken; the head's spans lie in it until http_intake_next() */
	struct text ahead;  /* what came during an exchange, whose spans must not move */
	size_t head_length; /* 0: no head is at hand */
	struct http1_head head;
	struct http1_body reader;
	struct text body;
};

void http_intake_init(struct http_intake *intake, size_t most_body);
void http_intake_finish(struct http_intake *intake);

/* Further octets of the request at hand, whose head's spans go along. False: too many, or no memory. */
bool http_intake_add(struct http_intake *intake, struct slice octets) MUST_USE;
/* The same during an exchange. *is_full: no more is to be read now. */
bool http_intake_add_ahead(struct http_intake *intake, struct slice octets, bool *is_full) MUST_USE;
/* A head, if one is whole. */
enum http1_result http_intake_head(struct http_intake *intake, struct http1_fault *fault);
/* Before its body is read: at most so many octets. */
void http_intake_begin_body(struct http_intake *intake, size_t most);
/* Its body, as far as it has come. */
enum http1_result http_intake_body(struct http_intake *intake, struct http1_fault *fault);
/* The exchange is over: what was read ahead moves up. False: some of that is lost. */
bool http_intake_next(struct http_intake *intake) MUST_USE;
/* What came behind the head, for who takes the connection over; in memory of its own. NULL: no memory. */
char *http_intake_rest(const struct http_intake *intake, size_t *length) MUST_USE;

#endif
