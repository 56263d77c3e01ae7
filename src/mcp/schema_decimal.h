/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Schema decimal: a number of JSON as it is written, compared and divided exactly: 1e400, thirty
 * digits and 0.1 are what they say. Plain functions, any thread; a decimal borrows its text.
 */
#ifndef HUSTINGS_MCP_SCHEMA_DECIMAL_H
#define HUSTINGS_MCP_SCHEMA_DECIMAL_H

#include "base/slice.h"

struct schema_decimal {
	const char *digits; /* the first that is not zero; a point may stand among them */
	size_t count;       /* of them, up to the last that is not zero; 0: the number is zero */
	int64_t power;      /* of ten, of the last one */
	bool is_negative;
	bool is_small; /* `small` is the number */
	int64_t small;
};

/* `text` is a number that wire/scan has checked. Powers of ten beyond 10^15 are taken for that. */
void schema_decimal_read(struct schema_decimal *decimal, struct slice text);
/* Less than 0, 0, more than 0. */
int schema_decimal_compare(const struct schema_decimal *a, const struct schema_decimal *b);
bool schema_decimal_is_whole(const struct schema_decimal *decimal);
/* As a plain decimal: no exponent, no zeros that say nothing ("100", "-0.5"). Its first octets, `room` at most; how
 * many they are. Numbers that are equal are written alike. */
size_t schema_decimal_write(const struct schema_decimal *decimal, char *to, size_t room);
/* What numbers that are equal have in common. */
uint64_t schema_decimal_hash(const struct schema_decimal *decimal);

/* What a number is to be a multiple of. */
struct schema_divisor {
	uint64_t digits;
	int64_t power;
};
/* False: zero, or more than 18 digits. */
bool schema_divisor_read(struct schema_divisor *divisor, struct slice text);
bool schema_divisor_divides(const struct schema_divisor *divisor,
	const struct schema_decimal *decimal);

#endif
