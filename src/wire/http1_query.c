/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Http1_query: percent-encoding of targets, and what stands in an authority.
 */
#include "wire/http1_query.h"

#include "wire/http1_chars.h"
#include "wire/scan.h"

#define HOST_LONGEST 255

/* The octet at the front of `rest`, decoded, or -1 for a bad escape. */
static int take_octet(struct slice *rest, bool is_form) {
	char character = *rest->bytes;
	size_t used = 1;
	int octet = is_form && character == '+' ? ' ' : (uint8_t)character;
	if (character == '%') {
		int high = rest->length > 2 ? http1_hex_digit(rest->bytes[1]) : -1;
		int low = rest->length > 2 ? http1_hex_digit(rest->bytes[2]) : -1;
		if (high < 0 || low < 0) return -1;
		octet = high << 4 | low;
		used = 3;
	}
	rest->bytes += used;
	rest->length -= used;
	return octet;
}

static bool decode(struct slice coded, bool is_form, struct text *to) {
	size_t before = to->length;
	while (coded.length > 0) {
		int octet = take_octet(&coded, is_form);
		if (octet <= 0) return false;
		text_add_char(to, (char)octet);
	}
	if (text_failed(to)) return false;
	if (to->length == before) {
		text_add(to, SLICE(""));
		return !text_failed(to);
	}
	return scan_is_utf8(slice_make(to->bytes + before, to->length - before));
}

static bool is_name(struct slice coded, const char *name) {
	while (coded.length > 0 && *name) {
		if (take_octet(&coded, true) != (uint8_t)*name++) return false;
	}
	return coded.length == 0 && !*name;
}

bool http1_query(struct slice query, const char *name, struct text *to) {
	struct slice pair;
	while (slice_split(&query, '&', &pair)) {
		struct slice value = pair, key = SLICE_NONE;
		if (!slice_split(&value, '=', &key) || !is_name(key, name)) continue;
		if (!decode(value, true, to)) to->failed = true;
		return true;
	}
	return false;
}

bool http1_unescape(struct slice segment, struct text *to) {
	size_t before = to->length;
	if (decode(segment, false, to)) return true;
	to->length = before;
	if (to->bytes) to->bytes[before] = '\0';
	return false;
}

void http1_escape(struct text *to, struct slice segment) {
	for (size_t i = 0; i < segment.length; i++) {
		char character = segment.bytes[i];
		if (http1_is_unreserved(character)) text_add_char(to, character);
		else text_printf(to, "%%%02X", (uint8_t)character);
	}
}

/* "[...]" at the front of an authority: the address moves to `host`, behind it goes to `rest`. */
static bool split_bracketed(struct slice authority, struct slice *host, struct slice *rest) {
	const char *closing = memchr(authority.bytes, ']', authority.length);
	if (!closing) return false;

	*host = slice_make(authority.bytes + 1, (size_t)(closing - authority.bytes) - 1);
	*rest = slice_make(closing + 1, authority.length - host->length - 2);
	bool has_colon = false;
	for (size_t i = 0; i < host->length; i++) {
		char character = host->bytes[i];
		if (character == ':') has_colon = true;
		else if (character != '.' && http1_hex_digit(character) < 0) return false;
	}
	return has_colon && host->length >= 2;
}

static bool split_named(struct slice authority, struct slice *host, struct slice *rest) {
	size_t length = 0;
	while (length < authority.length && http1_is_unreserved(authority.bytes[length])) length++;
	*host = slice_make(authority.bytes, length);
	*rest = slice_make(authority.bytes + length, authority.length - length);
	return length > 0 && length <= HOST_LONGEST;
}

bool http1_authority(struct slice authority, struct slice *host, unsigned *port) {
	struct slice name, rest;
	uint64_t number = 0;
	if (authority.length == 0) return false;
	bool is_bracketed = authority.bytes[0] == '[';
	if (!(is_bracketed ? split_bracketed : split_named)(authority, &name, &rest)) return false;
	if (rest.length > 0) {
		struct slice digits = slice_make(rest.bytes + 1, rest.length - 1);
		if (rest.bytes[0] != ':' || digits.length > 5) return false;
		if (!slice_number(digits, UINT16_MAX, &number) || number == 0) return false;
	}
	*host = name;
	*port = (unsigned)number;
	return true;
}
