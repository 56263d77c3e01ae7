/* SPDX-License-Identifier: Apache-2.0 */
/* Schema decimal: significant digits and a power of ten, both taken from the text where it stands. */
#include "mcp/schema_decimal.h"

#define POWER_MOST INT64_C(1000000000000000)
#define SMALL_DIGITS 18 /* that an int64_t holds whatever they are */

static bool is_digit(char octet) {
	return octet >= '0' && octet <= '9';
}

/* Behind the "e"; held within POWER_MOST. */
static int64_t power_read(const char *at, const char *end) {
	int64_t power = 0;
	bool is_negative = at < end && *at == '-';
	if (at < end && !is_digit(*at)) at++;
	for (; at < end && is_digit(*at); at++)
		if (power < POWER_MOST) power = power * 10 + (*at - '0');
	if (power > POWER_MOST) power = POWER_MOST;
	return is_negative ? -power : power;
}

/* Most numbers: a few digits and nothing else. */
static bool small_read(struct schema_decimal *decimal, struct slice text) {
	const char *at = text.bytes, *end = at + text.length;
	at += decimal->is_negative;
	if (end - at > SMALL_DIGITS || at == end) return false;
	int64_t sum = 0;
	for (; at < end; at++) {
		if (!is_digit(*at)) return false;
		sum = sum * 10 + (*at - '0');
	}
	decimal->small = decimal->is_negative ? -sum : sum;
	decimal->is_small = true;
	return true;
}

void schema_decimal_read(struct schema_decimal *decimal, struct slice text) {
	const char *at = text.bytes, *end = at + text.length;
	const char *first = NULL, *last = NULL, *point = NULL;
	*decimal = (struct schema_decimal){.is_negative = at < end && *at == '-'};
	small_read(decimal, text);
	for (at += decimal->is_negative; at < end && (is_digit(*at) || *at == '.'); at++) {
		if (*at == '.') {
			point = at;
		} else if (*at != '0') {
			if (!first) first = at;
			last = at;
		}
	}
	if (!first) return;

	const char *whole_end = point ? point : at;
	decimal->digits = first;
	decimal->count = (size_t)(last - first) + 1 - (point && first < point && point < last);
	if (at < end) decimal->power = power_read(at + 1, end);
	decimal->power += last < whole_end ? whole_end - 1 - last : -(int64_t)(last - whole_end);
}

/* One digit after the other, and zeros behind the last. */
struct digits {
	const char *at;
	size_t left;
};

static int digit_next(struct digits *digits) {
	if (!digits->left) return 0;
	if (*digits->at == '.') digits->at++;
	digits->left--;
	return *digits->at++ - '0';
}

static int size_compare(const struct schema_decimal *a, const struct schema_decimal *b) {
	int64_t top = a->power + (int64_t)a->count, other = b->power + (int64_t)b->count;
	if (top != other) return top < other ? -1 : 1;
	struct digits left = {a->digits, a->count}, right = {b->digits, b->count};
	while (left.left || right.left) {
		int difference = digit_next(&left) - digit_next(&right);
		if (difference) return difference;
	}
	return 0;
}

static int sign_of(const struct schema_decimal *decimal) {
	if (!decimal->count) return 0;
	return decimal->is_negative ? -1 : 1;
}

int schema_decimal_compare(const struct schema_decimal *a, const struct schema_decimal *b) {
	if (a->is_small && b->is_small) return (a->small > b->small) - (a->small < b->small);
	int sign = sign_of(a), other = sign_of(b);
	if (sign != other) return sign < other ? -1 : 1;
	return sign * size_compare(a, b);
}

bool schema_decimal_is_whole(const struct schema_decimal *decimal) {
	return decimal->is_small || !decimal->count || decimal->power >= 0;
}

struct writing {
	char *to;
	size_t length, room;
};

static bool put(struct writing *writing, char octet) {
	if (writing->length == writing->room) return false;
	writing->to[writing->length++] = octet;
	return true;
}

/* Digits behind the last are zeros, and those before the first. */
size_t schema_decimal_write(const struct schema_decimal *decimal, char *to, size_t room) {
	struct writing writing = {.to = to, .room = room};
	struct digits digits = {decimal->digits, decimal->count};
	int64_t place = decimal->count ? decimal->power + (int64_t)decimal->count : 0; /* of the point, behind the first digit */
	if (sign_of(decimal) < 0) put(&writing, '-');
	if (place <= 0) put(&writing, '0');
	for (; place > 0 && put(&writing, (char)('0' + digit_next(&digits))); place--) {}
	if (digits.left) put(&writing, '.');
	for (; digits.left && place < 0 && put(&writing, '0'); place++) {}
	while (digits.left && writing.length < room) put(&writing, (char)('0' + digit_next(&digits)));
	return writing.length;
}

uint64_t schema_decimal_hash(const struct schema_decimal *decimal) {
	uint64_t hash = (uint64_t)sign_of(decimal) * 31;
	struct digits digits = {decimal->digits, decimal->count};
	if (decimal->count) hash += (uint64_t)decimal->power;
	while (digits.left) hash = (hash ^ (uint64_t)digit_next(&digits)) * UINT64_C(0x100000001b3);
	return hash;
}

bool schema_divisor_read(struct schema_divisor *divisor, struct slice text) {
	struct schema_decimal decimal;
	schema_decimal_read(&decimal, text);
	if (!decimal.count || decimal.count > SMALL_DIGITS || decimal.is_negative) return false;

	struct digits digits = {decimal.digits, decimal.count};
	uint64_t sum = 0;
	while (digits.left) sum = sum * 10 + (uint64_t)digit_next(&digits);
	*divisor = (struct schema_divisor){.digits = sum, .power = decimal.power};
	return true;
}

static uint64_t times(uint64_t a, uint64_t b, uint64_t divisor) {
	return (uint64_t)((unsigned __int128)a * b % divisor);
}

/* The digits end in none but a digit that is not zero: with more places behind the point than the
 * divisor has, nothing of them divides. */
bool schema_divisor_divides(const struct schema_divisor *divisor,
	const struct schema_decimal *decimal) {
	if (!decimal->count) return true;
	if (decimal->power < divisor->power) return false;

	struct digits digits = {decimal->digits, decimal->count};
	uint64_t rest = 0;
	while (digits.left)
		rest = (times(rest, 10, divisor->digits) + (uint64_t)digit_next(&digits)) % divisor->digits;
	uint64_t ten = 10 % divisor->digits;
	for (int64_t power = decimal->power - divisor->power; power && rest; power >>= 1) {
		if (power & 1) rest = times(rest, ten, divisor->digits);
		ten = times(ten, ten, divisor->digits);
	}
	return rest == 0;
}
