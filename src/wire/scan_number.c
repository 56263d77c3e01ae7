/* SPDX-License-Identifier: Apache-2.0 */
/* Scan number: numbers and booleans of checked text, converted only where somebody asks. */
#define _GNU_SOURCE /* strtod_l */

#include "wire/scan_run.h"
#include "wire/scan.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>

#define SHORT_NUMBER 64 /* octets that are converted on the stack */

static bool is_zeros(struct slice digits) {
	for (size_t i = 0; i < digits.length; i++)
		if (digits.bytes[i] != '0') return false;
	return true;
}

/* Behind the whole part: a fraction of zeros, an exponent of zeros, both or nothing. */
static bool rest_is_nothing(struct slice rest) {
	size_t exponent = 0;
	while (exponent < rest.length && (rest.bytes[exponent] | 0x20) != 'e') exponent++;
	struct slice fraction = slice_make(rest.bytes, exponent);
	struct slice power = slice_make(rest.bytes + exponent, rest.length - exponent);
	if (fraction.length) fraction = slice_make(fraction.bytes + 1, fraction.length - 1);
	if (power.length) {
		size_t sign = power.length > 1 && (power.bytes[1] == '+' || power.bytes[1] == '-');
		power = slice_make(power.bytes + 1 + sign, power.length - 1 - sign);
	}
	return is_zeros(fraction) && is_zeros(power);
}

bool scan_integer(const struct scan_value *value, int64_t *integer) {
	if (value->type != SCAN_NUMBER || !value->text.length) return false;

	bool is_negative = value->text.bytes[0] == '-';
	size_t at = is_negative;
	uint64_t limit = (uint64_t)INT64_MAX + is_negative;
	uint64_t sum = 0;
	for (; at < value->text.length && scan_is(value->text.bytes[at], SCAN_CLASS_DIGIT); at++) {
		unsigned digit = (unsigned)(value->text.bytes[at] - '0');
		if (sum > (limit - digit) / 10) return false;
		sum = sum * 10 + digit;
	}
	if (!rest_is_nothing(slice_make(value->text.bytes + at, value->text.length - at))) return false;
	*integer = (int64_t)(is_negative ? 0 - sum : sum);
	return true;
}

/* The decimal point is a point in every locale. */
static double double_of(const char *text) {
	locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	if (!plain) return HUGE_VAL;
	double number = strtod_l(text, NULL, plain);
	freelocale(plain);
	return number;
}

bool scan_number(const struct scan_value *value, double *number) {
	if (value->type != SCAN_NUMBER) return false;

	char few[SHORT_NUMBER];
	AUTO_FREE char *many = NULL;
	char *text = few;
	if (value->text.length < sizeof(few)) {
		memcpy(few, value->text.bytes, value->text.length);
		few[value->text.length] = '\0';
	} else {
		text = many = slice_copy(value->text);
		if (!many) return false;
	}
	double result = double_of(text);
	if (isinf(result)) return false;
	*number = result;
	return true;
}

bool scan_boolean(const struct scan_value *value, bool *boolean) {
	if (value->type != SCAN_BOOLEAN || !value->text.length) return false;

	*boolean = value->text.bytes[0] == 't';
	return true;
}
