/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Http1_chars: the table itself.
 */
#include "wire/http1_chars.h"

#define V HTTP1_VALUE
#define R (V | HTTP1_TARGET) /* of a target, but neither token nor unreserved */
#define T (R | HTTP1_TOKEN)
#define U (T | HTTP1_UNRESERVED)

const uint8_t http1_classes[256] = {
	['\t'] = V,
	[' '] = V,
	['"'] = V,
	['<'] = V,
	['>'] = V,
	['\\'] = V,
	[0x80 ... 0xFF] = V,
	['#'] = V | HTTP1_TOKEN,
	['('] = R,
	[')'] = R,
	[','] = R,
	['/'] = R,
	[':'] = R,
	[';'] = R,
	['='] = R,
	['?'] = R,
	['@'] = R,
	['['] = R,
	[']'] = R,
	['{'] = R,
	['}'] = R,
	['!'] = T,
	['$'] = T,
	['%'] = T,
	['&'] = T,
	['\''] = T,
	['*'] = T,
	['+'] = T,
	['^'] = T,
	['`'] = T,
	['|'] = T,
	['-'] = U,
	['.'] = U,
	['_'] = U,
	['~'] = U,
	['0' ... '9'] = U,
	['A' ... 'Z'] = U,
	['a' ... 'z'] = U,
};

int http1_hex_digit(char character) {
	if (character >= '0' && character <= '9') return character - '0';
	if (character >= 'a' && character <= 'f') return character - 'a' + 10;
	if (character >= 'A' && character <= 'F') return character - 'A' + 10;
	return -1;
}
