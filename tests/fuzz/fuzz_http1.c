/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzzes heads, bodies, queries and authorities. The first octet chooses request or response and
 * how the rest is cut: however a head or body arrives, it means the same.
 */
#include "wire/http1_choice.h"
#include "wire/scan.h"

#include <stdlib.h>

#define BODY_LIMIT 5000

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds) {
	if (!holds) abort();
}

static enum http1_result read_head(uint8_t choice, const uint8_t *data, size_t size,
	struct http1_head *head, size_t *used, unsigned *status) {
	struct http1_fault fault = {0, NULL};
	struct slice bytes = slice_make(data, size);
	enum http1_result result = choice & 1 ? http1_response(bytes, head, used, &fault)
					      : http1_request(bytes, head, used, &fault);
	require(result != HTTP1_BAD || (fault.status >= 400 && fault.status <= 505 && fault.what));
	require(result != HTTP1_READY || *used <= size);
	*status = fault.status;
	return result;
}

static bool lies_within(struct slice inner, const uint8_t *data, size_t size) {
	const uint8_t *start = (const uint8_t *)inner.bytes;
	return inner.length == 0 || slice_is(inner, "/") ||
		(start >= data && inner.length <= size - (size_t)(start - data));
}

static void check_head(const struct http1_head *head, const uint8_t *data, size_t size) {
	struct slice host;
	unsigned port;
	AUTO_TEXT struct text value = {0};
	require(!(head->chunked && head->has_length));
	require(lies_within(head->path, data, size) && lies_within(head->query, data, size));
	for (size_t i = 0; i < head->field_count; i++) {
		require(head->fields[i].name.length > 0);
		require(lies_within(head->fields[i].name, data, size));
		require(lies_within(head->fields[i].value, data, size));
	}
	if (head->status != 0) return;
	require(head->path.length > 0 && head->path.bytes[0] == '/');
	require(http1_authority(head->host, &host, &port));
	if (http1_accepts_coding(head, "gzip")) require(http1_field_count(head, "Accept-Encoding") > 0);
	if (http1_has_already(head, SLICE("\"a\""))) require(http1_field_count(head, "If-None-Match") > 0);
	if (http1_query(head->query, "t", &value) && !text_failed(&value))
		require(scan_is_utf8(text_slice(&value)));
	text_clear(&value);
	if (http1_unescape(head->path, &value)) require(scan_is_utf8(text_slice(&value)));
}

static void read_body(const struct http1_head *head, const uint8_t *data, size_t size, size_t piece,
	struct text *trace) {
	struct http1_body body;
	struct http1_fault fault;
	enum http1_result result = HTTP1_MORE;
	size_t at = 0;
	http1_body_init(&body, head, BODY_LIMIT);
	while (result == HTTP1_MORE && at < size) {
		struct slice got;
		size_t length = size - at < piece ? size - at : piece;
		struct slice bytes = slice_make(data + at, length);
		result = http1_body_next(&body, &bytes, &got, &fault);
		require(bytes.length < length || result != HTTP1_MORE);
		at += length - bytes.length;
		if (result != HTTP1_BAD) text_add(trace, got);
	}
	require(body.taken == trace->length && body.taken <= BODY_LIMIT);
	if (result == HTTP1_BAD) text_printf(trace, " refused %u", fault.status);
	if (result == HTTP1_READY) text_printf(trace, " %zu octets", at);
}

static void compare_bodies(const struct http1_head *head, const uint8_t *data, size_t size,
	size_t piece) {
	AUTO_TEXT struct text whole = {0};
	AUTO_TEXT struct text cut = {0};
	read_body(head, data, size, size, &whole);
	read_body(head, data, size, piece, &cut);
	bool is_open_ended = head->status != 0 && !head->chunked && !head->has_length;
	require(is_open_ended || slice_equal(text_slice(&whole), text_slice(&cut)));
}

static void fuzz_texts(const uint8_t *data, size_t size) {
	AUTO_TEXT struct text escaped = {0};
	AUTO_TEXT struct text back = {0};
	struct slice text = slice_make(data, size), host;
	unsigned port;
	http1_escape(&escaped, text);
	bool comes_back = http1_unescape(text_slice(&escaped), &back);
	bool is_name = scan_is_utf8(text) && (size == 0 || !memchr(data, 0, size));
	require(comes_back == is_name);
	require(!comes_back || slice_equal(text_slice(&back), text));
	if (http1_authority(text, &host, &port)) require(host.length > 0 && port <= 65535);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	static struct http1_head head, other;
	size_t used = 0, piece;
	unsigned status, early = 0;
	if (size < 2) return 0;
	uint8_t choice = *data++;
	size--;
	piece = (choice >> 1) + 1u;
	fuzz_texts(data, size < 200 ? size : 200);

	enum http1_result whole = read_head(choice, data, size, &head, &used, &status);
	enum http1_result result = HTTP1_MORE;
	for (size_t have = 0; result == HTTP1_MORE && have < size;) {
		size_t then = 0;
		have = size - have < piece ? size : have + piece;
		result = read_head(choice, data, have, &other, &then, &early);
		require(result != HTTP1_READY || then == used);
	}
	require(result == whole && early == status);
	if (whole != HTTP1_READY) return 0;
	check_head(&head, data, size);
	if (used < size) compare_bodies(&head, data + used, size - used, piece);
	return 0;
}
