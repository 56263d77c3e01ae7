/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Http1_body: a body by length, in chunks (RFC 9112 7.1), or up to the end of the connection.
 */
#include "wire/http1.h"

#include "wire/http1_chars.h"

#define SIZE_DIGITS 16     /* hexadecimal digits of a chunk's size, leading zeros included */
#define EXTENSION 64       /* octets of a chunk's extensions */
#define TRAILER (4 * 1024) /* octets of all trailer fields */

enum body_state {
	BODY_BY_LENGTH,
	BODY_TO_THE_END, /* of the connection: a response that names no length */
	BODY_SIZE,       /* digits of a chunk's size */
	BODY_EXTENSION,
	BODY_SIZE_LF,
	BODY_DATA,
	BODY_DATA_CR,
	BODY_DATA_LF,
	BODY_TRAILER, /* at the beginning of a line */
	BODY_TRAILER_NAME,
	BODY_TRAILER_VALUE,
	BODY_TRAILER_LF,
	BODY_LAST_LF,
	BODY_WHOLE,
	BODY_REFUSED,
};

static enum http1_result refuse(struct http1_body *body, unsigned status, const char *what,
	struct http1_fault *fault) {
	body->state = BODY_REFUSED;
	*fault = (struct http1_fault){status, what};
	return HTTP1_BAD;
}

static bool has_no_body(const struct http1_head *head) {
	unsigned status = head->status;
	return (status >= 100 && status < 200) || status == 204 || status == 304;
}

void http1_body_init(struct http1_body *body, const struct http1_head *head, uint64_t limit) {
	*body = (struct http1_body){.limit = limit, .chunked = head->chunked};
	if (has_no_body(head)) body->chunked = false;
	else if (head->chunked) body->state = BODY_SIZE;
	else if (head->has_length) body->left = head->length;
	else if (head->status != 0) body->state = BODY_TO_THE_END;
}

/* Moves up to `body->left` octets of data from `bytes` to `piece`. */
static void take_data(struct http1_body *body, struct slice *bytes, struct slice *piece) {
	*piece = *bytes;
	if (piece->length > body->left) piece->length = (size_t)body->left;
	bytes->bytes += piece->length;
	bytes->length -= piece->length;
	body->left -= piece->length;
	body->taken += piece->length;
}

static enum http1_result by_length(struct http1_body *body, struct slice *bytes,
	struct slice *piece, struct http1_fault *fault) {
	if (body->left > body->limit - body->taken)
		return refuse(body, 413, "the body is over the limit", fault);

	take_data(body, bytes, piece);
	if (body->left > 0) return HTTP1_MORE;
	body->state = BODY_WHOLE;
	return HTTP1_READY;
}

static enum http1_result to_the_end(struct http1_body *body, struct slice *bytes,
	struct slice *piece, struct http1_fault *fault) {
	if (bytes->length > body->limit - body->taken)
		return refuse(body, 413, "the body is over the limit", fault);

	body->left = bytes->length;
	take_data(body, bytes, piece);
	return HTTP1_MORE;
}

/* Each of these takes one octet of what is between the data; NULL: it is fine there. */

static const char *take_size(struct http1_body *body, char octet) {
	int digit = http1_hex_digit(octet);
	if (digit >= 0) {
		if (++body->trailer > SIZE_DIGITS || body->left >> 59) return "a chunk size out of range";
		body->left = body->left << 4 | (unsigned)digit;
		return NULL;
	}
	if (body->trailer == 0) return "a chunk without a size";
	if (octet != ';' && octet != '\r') return "not a chunk size";
	body->trailer = 1;
	body->state = octet == ';' ? BODY_EXTENSION : BODY_SIZE_LF;
	return NULL;
}

static const char *take_extension(struct http1_body *body, char octet) {
	if (octet == '\r') {
		body->state = BODY_SIZE_LF;
		return NULL;
	}
	if (!http1_is_value_char(octet)) return "a control character in a chunk extension";
	return ++body->trailer > EXTENSION ? "chunk extensions over 64 octets" : NULL;
}

static const char *take_size_end(struct http1_body *body, char octet) {
	if (octet != '\n') return "a bare CR behind a chunk size";
	body->trailer = 0;
	body->state = body->left > 0 ? BODY_DATA : BODY_TRAILER;
	return NULL;
}

static const char *take_trailer(struct http1_body *body, char octet) {
	if (++body->trailer > TRAILER) return "trailers over 4 KiB";
	switch (body->state) {
	case BODY_TRAILER:
		if (octet != '\r' && !http1_is_token_char(octet)) return "not a trailer field";
		body->state = octet == '\r' ? BODY_LAST_LF : BODY_TRAILER_NAME;
		return NULL;
	case BODY_TRAILER_NAME:
		if (octet != ':' && !http1_is_token_char(octet)) return "not a trailer field";
		if (octet == ':') body->state = BODY_TRAILER_VALUE;
		return NULL;
	default:
		if (octet != '\r' && !http1_is_value_char(octet)) return "a control character in a trailer";
		if (octet == '\r') body->state = BODY_TRAILER_LF;
		return NULL;
	}
}

static const char *take_between(struct http1_body *body, char octet) {
	switch (body->state) {
	case BODY_SIZE: return take_size(body, octet);
	case BODY_EXTENSION: return take_extension(body, octet);
	case BODY_SIZE_LF: return take_size_end(body, octet);
	case BODY_DATA_CR:
		body->state = BODY_DATA_LF;
		return octet == '\r' ? NULL : "a chunk longer than its size";
	case BODY_DATA_LF:
		body->state = BODY_SIZE;
		return octet == '\n' ? NULL : "a bare CR behind a chunk";
	case BODY_TRAILER_LF:
		body->state = BODY_TRAILER;
		return octet == '\n' ? NULL : "a bare CR in a trailer";
	case BODY_LAST_LF:
		body->state = BODY_WHOLE;
		return octet == '\n' ? NULL : "a bare CR behind the last chunk";
	default: return take_trailer(body, octet);
	}
}

static enum http1_result by_chunks(struct http1_body *body, struct slice *bytes,
	struct slice *piece, struct http1_fault *fault) {
	while (bytes->length > 0) {
		if (body->state == BODY_DATA) {
			take_data(body, bytes, piece);
			if (body->left == 0) body->state = BODY_DATA_CR;
			return HTTP1_MORE;
		}
		const char *what = take_between(body, *bytes->bytes);
		if (what) return refuse(body, 400, what, fault);
		if (body->left > body->limit - body->taken)
			return refuse(body, 413, "the body is over the limit", fault);
		bytes->bytes++;
		bytes->length--;
		if (body->state == BODY_WHOLE) return HTTP1_READY;
	}
	return HTTP1_MORE;
}

enum http1_result http1_body_next(struct http1_body *body, struct slice *bytes,
	struct slice *piece, struct http1_fault *fault) {
	*piece = SLICE_NONE;
	switch (body->state) {
	case BODY_BY_LENGTH: return by_length(body, bytes, piece, fault);
	case BODY_TO_THE_END: return to_the_end(body, bytes, piece, fault);
	case BODY_WHOLE: return HTTP1_READY;
	case BODY_REFUSED: return refuse(body, 400, "the body was refused before", fault);
	default: return by_chunks(body, bytes, piece, fault);
	}
}
