/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Http1_chars: the character classes of RFC 9110 and RFC 3986 that the http1 files share, as one
 * table looked at by octet.
 */
#ifndef HUSTINGS_WIRE_HTTP1_CHARS_H
#define HUSTINGS_WIRE_HTTP1_CHARS_H

#include "base/text.h"

#define HTTP1_TOKEN 1u
#define HTTP1_UNRESERVED 2u
#define HTTP1_VALUE 4u
#define HTTP1_TARGET 8u
extern const uint8_t http1_classes[256];

/* Methods, field names, list tokens (RFC 9110 5.6.2). */
static inline bool http1_is_token_char(char character) {
	return http1_classes[(uint8_t)character] & HTTP1_TOKEN;
}
/* Letters, digits and -._~ (RFC 3986 2.3). */
static inline bool http1_is_unreserved(char character) {
	return http1_classes[(uint8_t)character] & HTTP1_UNRESERVED;
}
/* What a field value, a reason phrase or a chunk extension may hold: everything but controls other
 * than the tab. */
static inline bool http1_is_value_char(char character) {
	return http1_classes[(uint8_t)character] & HTTP1_VALUE;
}
/* What a request's target may hold: printable ASCII but blank, quote, #, <, > and backslash. */
static inline bool http1_is_target_char(char character) {
	return http1_classes[(uint8_t)character] & HTTP1_TARGET;
}
int http1_hex_digit(char character); /* its value, or -1 */

#endif
