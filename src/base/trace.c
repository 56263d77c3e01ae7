/* SPDX-License-Identifier: Apache-2.0 */
/* Trace: hex digits, with or without dashes. */
#include "base/trace.h"

#include "base/ident.h"

#include <stdio.h>

#define DIGITS 32
#define PARENT 55 /* octets of a traceparent of version 00 */

static int digit(char character) {
	if (character >= '0' && character <= '9') return character - '0';
	if (character >= 'a' && character <= 'f') return character - 'a' + 10;
	if (character >= 'A' && character <= 'F') return character - 'A' + 10;
	return -1;
}

static bool is_dash(size_t at) { return at == 8 || at == 13 || at == 18 || at == 23; }

static bool is_hex(struct slice text) {
	for (size_t i = 0; i < text.length; i++)
		if (digit(text.bytes[i]) < 0) return false;
	return text.length > 0;
}

static bool is_zero(struct slice text) {
	for (size_t i = 0; i < text.length; i++)
		if (text.bytes[i] != '0') return false;
	return true;
}

bool trace_id_read(struct slice text, char id[TRACE_SIZE]) {
	bool has_dashes = text.length == TRACE_SIZE - 1;
	char read[TRACE_SIZE];
	size_t from = 0;
	if (!has_dashes && text.length != DIGITS) return false;
	for (size_t at = 0; at < TRACE_SIZE - 1; at++) {
		read[at] = '-';
		if (is_dash(at)) {
			if (has_dashes && text.bytes[from++] != '-') return false;
			continue;
		}
		int value = digit(text.bytes[from++]);
		if (value < 0) return false;
		read[at] = "0123456789abcdef"[value];
	}
	memcpy(id, read, TRACE_SIZE - 1);
	id[TRACE_SIZE - 1] = '\0';
	return true;
}

void trace_id_mint(char id[TRACE_SIZE]) {
	_Static_assert(TRACE_SIZE == IDENT_UUID_SIZE, "a trace id is a UUID");
	ident_uuid(id);
}

bool trace_parent_read(struct slice text, char id[TRACE_SIZE]) {
	if (text.length < PARENT) return false;
	struct slice version = slice_make(text.bytes, 2), trace = slice_make(text.bytes + 3, DIGITS);
	struct slice parent = slice_make(text.bytes + 36, 16), flags = slice_make(text.bytes + 53, 2);
	if (text.bytes[2] != '-' || text.bytes[35] != '-' || text.bytes[52] != '-') return false;
	if (!is_hex(version) || !is_hex(parent) || !is_hex(flags)) return false;
	if (slice_equal_ignoring_case(version, SLICE("ff"))) return false;
	/* A later version may say more behind another dash. */
	if (text.length > PARENT && (slice_is(version, "00") || text.bytes[PARENT] != '-')) return false;
	if (is_zero(trace) || is_zero(parent)) return false;
	return trace_id_read(trace, id);
}

void trace_parent_write(const char id[TRACE_SIZE], char parent[TRACE_PARENT_SIZE]) {
	char trace[DIGITS + 1], span[IDENT_UUID_SIZE];
	size_t length = 0;
	for (size_t at = 0; at < TRACE_SIZE - 1; at++)
		if (!is_dash(at)) trace[length++] = id[at];
	trace[length] = '\0';
	parent[0] = '\0';
	if (is_zero(slice_make(trace, length))) return;
	ident_uuid(span);
	/* The last group and the one before are 16 digits of which the first says the variant: not zero. */
	snprintf(parent, TRACE_PARENT_SIZE, "00-%s-%.4s%.12s-01", trace, span + 19, span + 24);
}
