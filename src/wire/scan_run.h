/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Scan run: how far plain octets go, sixteen at a time where the processor has SSE2, one at a time
 * elsewhere and in the last few octets. Private to scan and those who read as fast as it does.
 *
 * No function here reads at or past `end`; each answers the first octet that stops the run, or end.
 */
#ifndef HUSTINGS_WIRE_SCAN_RUN_H
#define HUSTINGS_WIRE_SCAN_RUN_H

#include "base/dialect.h"

#if defined(__SSE2__) && !defined(SCAN_RUN_PORTABLE)
#include <emmintrin.h>
#define SCAN_RUN_WIDE 16
#endif

/* What an octet is to the scan; several at once. */
enum scan_class {
	SCAN_CLASS_STOP = 1, /* ends a run in a string: quote, backslash, control, not ASCII */
	SCAN_CLASS_BLANK = 2,
	SCAN_CLASS_DIGIT = 4,
	SCAN_CLASS_HEX = 8,
	SCAN_CLASS_ESCAPE = 16,    /* may follow a backslash, u excepted */
	SCAN_CLASS_STRUCTURE = 32, /* quote, brackets, braces */
};
extern const uint8_t scan_classes[256];

static inline bool scan_is(char octet, enum scan_class class) {
	return (scan_classes[(unsigned char)octet] & class) != 0;
}

#ifdef SCAN_RUN_WIDE
/* One bit for each of sixteen octets that is a quote. */
static inline unsigned scan_run_quotes(const char *at) {
	__m128i octets = _mm_loadu_si128((const __m128i *)at);
	return (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(octets, _mm_set1_epi8('"')));
}

/* ... that a string cannot hold as it is, or that has to be looked at. */
static inline unsigned scan_run_odd(const char *at) {
	__m128i octets = _mm_loadu_si128((const __m128i *)at);
	/* Signed: what is below a blank is a control character or not ASCII. */
	__m128i below = _mm_cmplt_epi8(octets, _mm_set1_epi8(0x20));
	__m128i slashes = _mm_cmpeq_epi8(octets, _mm_set1_epi8('\\'));
	return (unsigned)_mm_movemask_epi8(_mm_or_si128(below, slashes));
}

static inline unsigned scan_run_stops(const char *at) {
	__m128i octets = _mm_loadu_si128((const __m128i *)at);
	__m128i below = _mm_cmplt_epi8(octets, _mm_set1_epi8(0x20));
	__m128i quotes = _mm_cmpeq_epi8(octets, _mm_set1_epi8('"'));
	__m128i slashes = _mm_cmpeq_epi8(octets, _mm_set1_epi8('\\'));
	return (unsigned)_mm_movemask_epi8(_mm_or_si128(below, _mm_or_si128(quotes, slashes)));
}

static inline unsigned scan_run_structures(const char *at) {
	__m128i octets = _mm_loadu_si128((const __m128i *)at);
	/* Brackets differ from braces in one bit. */
	__m128i folded = _mm_or_si128(octets, _mm_set1_epi8(0x20));
	__m128i opens = _mm_cmpeq_epi8(folded, _mm_set1_epi8('{'));
	__m128i closes = _mm_cmpeq_epi8(folded, _mm_set1_epi8('}'));
	__m128i quotes = _mm_cmpeq_epi8(octets, _mm_set1_epi8('"'));
	return (unsigned)_mm_movemask_epi8(_mm_or_si128(quotes, _mm_or_si128(opens, closes)));
}

static inline unsigned scan_run_wide_characters(const char *at) {
	return (unsigned)_mm_movemask_epi8(_mm_loadu_si128((const __m128i *)at));
}

#define SCAN_RUN_SKIP(at, end, stops) \
	for (; (end) - (at) >= SCAN_RUN_WIDE; (at) += SCAN_RUN_WIDE) { \
		unsigned found = stops(at); \
		if (found) return (at) + __builtin_ctz(found); \
	}
#else
#define SCAN_RUN_SKIP(at, end, stops)
#endif

/* To the first quote, backslash, control character or octet that is not ASCII. */
static inline const char *scan_run_plain(const char *at, const char *end) {
	SCAN_RUN_SKIP(at, end, scan_run_stops)
	while (at < end && !scan_is(*at, SCAN_CLASS_STOP)) at++;
	return at;
}

/* To the first quote, bracket or brace. */
static inline const char *scan_run_flat(const char *at, const char *end) {
	SCAN_RUN_SKIP(at, end, scan_run_structures)
	while (at < end && !scan_is(*at, SCAN_CLASS_STRUCTURE)) at++;
	return at;
}

/* To the first octet that is not ASCII. */
static inline const char *scan_run_ascii(const char *at, const char *end) {
	SCAN_RUN_SKIP(at, end, scan_run_wide_characters)
	while (at < end && (unsigned char)*at < 0x80) at++;
	return at;
}

static inline const char *scan_run_blanks(const char *at, const char *end) {
	while (at < end && scan_is(*at, SCAN_CLASS_BLANK)) at++;
	return at;
}

/* From inside a string, checked before or not, to behind its closing quote; end: it has none. */
static inline const char *scan_run_string(const char *at, const char *end, bool *is_escaped) {
	*is_escaped = false;
	while ((at = scan_run_plain(at, end)) < end && *at != '"') {
		bool is_escape = *at == '\\';
		if (is_escape) *is_escaped = true;
		at += is_escape && end - at >= 2 ? 2 : 1;
	}
	return at < end ? at + 1 : end;
}

/* Behind the character of several octets that begins at `at` (before end); NULL: none does. */
static inline const char *scan_run_character(const char *at, const char *end) {
	const unsigned char *octets = (const unsigned char *)at;
	size_t left = (size_t)(end - at);
	unsigned first = octets[0];
	if (first < 0xc2 || left < 2) return NULL;
	unsigned second = octets[1];
	if (first < 0xe0) return (second & 0xc0) == 0x80 ? at + 2 : NULL;
	if (left < 3 || (second & 0xc0) != 0x80 || (octets[2] & 0xc0) != 0x80) return NULL;
	if (first < 0xf0) {
		/* Neither longer than need be nor half of a surrogate pair. */
		bool is_wrong = (first == 0xe0 && second < 0xa0) || (first == 0xed && second > 0x9f);
		return is_wrong ? NULL : at + 3;
	}
	if (first > 0xf4 || left < 4 || (octets[3] & 0xc0) != 0x80) return NULL;
	bool is_wrong = (first == 0xf0 && second < 0x90) || (first == 0xf4 && second > 0x8f);
	return is_wrong ? NULL : at + 4;
}

#endif
