/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Http1 choice: which of several forms of a thing a client takes, and whether it has it already
 * (RFC 9110 12.5.3, 13.1.2). What is malformed chooses nothing: the plain form goes out, whole.
 */
#ifndef HUSTINGS_WIRE_HTTP1_CHOICE_H
#define HUSTINGS_WIRE_HTTP1_CHOICE_H

#include "wire/http1.h"

/* Accept-Encoding takes that coding, by its name or by "*", and not with a weight of nothing. */
bool http1_accepts_coding(const struct http1_head *head, const char *coding);
/* If-None-Match names this entity tag (with its quotes), weak or strong, or is "*". */
bool http1_has_already(const struct http1_head *head, struct slice tag);

#endif
