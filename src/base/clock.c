/* SPDX-License-Identifier: Apache-2.0 */
/* Clock: RFC 3339 is read and written by arithmetic on days, without the C library's calendar:
 * every envelope has a timestamp to be read. */
#include "base/clock.h"

#include <time.h>

#define DAY_MS INT64_C(86400000)
#define YEAR_0_MS (INT64_C(-719528) * DAY_MS)                 /* 0000-01-01 */
#define YEAR_9999_MS (INT64_C(2932897) * DAY_MS - INT64_C(1)) /* the last instant of 9999 */
#define LONGEST_SPAN_MS (INT64_C(36500) * DAY_MS)
#define SHOWN 40 /* octets of a refused text that its fault repeats */

static struct timespec clock_now(clockid_t which) {
	struct timespec now = {0};
	clock_gettime(which, &now); /* these two clocks are always there */
	return now;
}

uint64_t clock_monotonic_ms(void) {
	struct timespec now = clock_now(CLOCK_MONOTONIC);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

uint64_t clock_monotonic_us(void) {
	struct timespec now = clock_now(CLOCK_MONOTONIC);
	return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

int64_t clock_wall_ms(void) {
	struct timespec now = clock_now(CLOCK_REALTIME);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Days since 1970-01-01 in the proleptic Gregorian calendar. Years are counted from March, so that
 * the leap day is the last of its year; 400 years have 146,097 days. */
static int64_t days_from_civil(int64_t year, unsigned month, unsigned day) {
	if (month <= 2) year--;
	int64_t era = (year >= 0 ? year : year - 399) / 400;
	unsigned year_of_era = (unsigned)(year - era * 400);
	unsigned day_of_year = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
	unsigned day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
	return era * 146097 + (int64_t)day_of_era - 719468;
}

struct civil {
	int64_t year;
	unsigned month, day;
};

static struct civil civil_from_days(int64_t days) {
	days += 719468;
	int64_t era = (days >= 0 ? days : days - 146096) / 146097;
	unsigned day_of_era = (unsigned)(days - era * 146097);
	unsigned year_of_era =
		(day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
	unsigned day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
	unsigned from_march = (5 * day_of_year + 2) / 153;
	struct civil civil = {
		.year = (int64_t)year_of_era + era * 400,
		.month = from_march < 10 ? from_march + 3 : from_march - 9,
		.day = day_of_year - (153 * from_march + 2) / 5 + 1,
	};
	if (civil.month <= 2) civil.year++;
	return civil;
}

static char *digits_write(char *to, unsigned value, int width) {
	for (int i = width - 1; i >= 0; i--) {
		to[i] = (char)('0' + value % 10);
		value /= 10;
	}
	return to + width;
}

void clock_write(int64_t wall_ms, char text[CLOCK_TEXT_SIZE]) {
	if (wall_ms < YEAR_0_MS) wall_ms = YEAR_0_MS; /* RFC 3339 has four digits for the year */
	if (wall_ms > YEAR_9999_MS) wall_ms = YEAR_9999_MS;

	int64_t days = (wall_ms >= 0 ? wall_ms : wall_ms - (DAY_MS - 1)) / DAY_MS;
	unsigned left = (unsigned)(wall_ms - days * DAY_MS);
	struct civil civil = civil_from_days(days);
	char *to = digits_write(text, (unsigned)civil.year, 4);
	*to++ = '-';
	to = digits_write(to, civil.month, 2);
	*to++ = '-';
	to = digits_write(to, civil.day, 2);
	*to++ = 'T';
	to = digits_write(to, left / 3600000, 2);
	*to++ = ':';
	to = digits_write(to, left / 60000 % 60, 2);
	*to++ = ':';
	to = digits_write(to, left / 1000 % 60, 2);
	*to++ = '.';
	to = digits_write(to, left % 1000, 3);
	*to++ = 'Z';
	*to = '\0';
}

static bool is_digit(char octet) {
	return octet >= '0' && octet <= '9';
}

/* Two digits at most `limit`; anything else is more than any limit. */
static unsigned two_digits(const char *at) {
	if (!is_digit(at[0]) || !is_digit(at[1])) return 100;
	return (unsigned)(at[0] - '0') * 10 + (unsigned)(at[1] - '0');
}

static bool day_read(const char *at, int64_t *days) {
	static const uint8_t lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
	unsigned century = two_digits(at);
	unsigned of_century = two_digits(at + 2);
	unsigned month = two_digits(at + 5);
	unsigned day = two_digits(at + 8);
	if (century > 99 || of_century > 99 || at[4] != '-' || at[7] != '-') return false;
	if (month < 1 || month > 12 || day < 1) return false;

	unsigned year = century * 100 + of_century;
	bool leaps = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
	if (day > lengths[month - 1] + (month == 2 && leaps ? 1u : 0u)) return false;
	*days = days_from_civil(year, month, day);
	return true;
}

/* "Z", "+05:30", "-08:00": minutes east of Greenwich. */
static bool offset_read(struct slice text, int *minutes) {
	if (text.length == 1) {
		*minutes = 0;
		return text.bytes[0] == 'Z' || text.bytes[0] == 'z';
	}
	if (text.length != 6 || text.bytes[3] != ':') return false;
	if (text.bytes[0] != '+' && text.bytes[0] != '-') return false;

	unsigned hour = two_digits(text.bytes + 1);
	unsigned minute = two_digits(text.bytes + 4);
	if (hour > 23 || minute > 59) return false;
	*minutes = (int)(hour * 60 + minute);
	if (text.bytes[0] == '-') *minutes = -*minutes;
	return true;
}

/* ".123456": the milliseconds; the digits behind them are checked and dropped. */
static bool fraction_read(struct slice *rest, unsigned *ms) {
	*ms = 0;
	if (!rest->length || rest->bytes[0] != '.') return true;

	unsigned weight = 100;
	size_t at = 1;
	for (; at < rest->length && is_digit(rest->bytes[at]); at++) {
		*ms += (unsigned)(rest->bytes[at] - '0') * weight;
		weight /= 10;
	}
	*rest = slice_make(rest->bytes + at, rest->length - at);
	return at > 1;
}

bool clock_read(struct slice text, int64_t *wall_ms) {
	if (text.length < 20) return false; /* "2026-11-22T05:04:52Z" */

	const char *at = text.bytes;
	int64_t days;
	if (!day_read(at, &days)) return false;
	unsigned hour = two_digits(at + 11);
	unsigned minute = two_digits(at + 14);
	unsigned second = two_digits(at + 17);
	if ((at[10] != 'T' && at[10] != 't') || at[13] != ':' || at[16] != ':') return false;
	if (hour > 23 || minute > 59 || second > 60) return false;

	unsigned ms;
	int east;
	struct slice rest = slice_make(at + 19, text.length - 19);
	if (!fraction_read(&rest, &ms)) return false;
	if (!offset_read(rest, &east)) return false;

	int minute_of_day = (int)(hour * 60 + minute) - east;
	/* A leap second is the last of a day in UTC; it counts as the next day's first. */
	if (second == 60 && (minute_of_day + 2880) % 1440 != 1439) return false;
	*wall_ms = days * DAY_MS + (int64_t)minute_of_day * 60000 + (int64_t)second * 1000 + ms;
	return true;
}

struct unit {
	const char *word;
	int64_t factor;
};

/* "64KiB" as 64 times the factor of "KiB". False: no such unit, no number, or over the limit. */
static bool amount_read(struct slice text, const struct unit *units, size_t count, int64_t limit,
	int64_t *amount) {
	size_t digits = 0;
	while (digits < text.length && is_digit(text.bytes[digits])) digits++;
	struct slice word = slice_make(text.bytes + digits, text.length - digits);
	for (size_t i = 0; i < count; i++) {
		uint64_t number;
		if (!slice_is(word, units[i].word)) continue;
		uint64_t most = (uint64_t)(limit / units[i].factor);
		if (!slice_number(slice_make(text.bytes, digits), most, &number)) return false;
		*amount = (int64_t)number * units[i].factor;
		return true;
	}
	return false;
}

bool clock_span_read(struct slice text, int64_t *ms, struct fault *why) {
	static const struct unit units[] = {
		{"", 1000},
		{"ms", 1},
		{"s", 1000},
		{"m", 60000},
		{"h", 3600000},
		{"d", DAY_MS},
	};
	if (amount_read(text, units, COUNT_OF(units), LONGEST_SPAN_MS, ms)) return true;
	return fault_set(why, FAULT_BAD_INPUT,
		"\"%.*s\" is no span of time: write 250ms, 5s, 5m, 24h, 7d or whole seconds, "
		"at most 36500d",
		(int)slice_cut(text, SHOWN), text.bytes ? text.bytes : "");
}

bool clock_size_read(struct slice text, int64_t *octets, struct fault *why) {
	static const struct unit units[] = {
		{"", 1},
		{"B", 1},
		{"KB", 1000},
		{"MB", 1000000},
		{"GB", 1000000000},
		{"KiB", INT64_C(1) << 10},
		{"MiB", INT64_C(1) << 20},
		{"GiB", INT64_C(1) << 30},
	};
	if (amount_read(text, units, COUNT_OF(units), INT64_MAX, octets)) return true;
	return fault_set(why, FAULT_BAD_INPUT,
		"\"%.*s\" is no size: write 512B, 64KiB, 1MiB, 2GiB (or KB, MB, GB) or whole "
		"octets",
		(int)slice_cut(text, SHOWN), text.bytes ? text.bytes : "");
}
