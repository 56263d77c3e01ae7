/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Clock: two times, never mixed. Monotonic milliseconds and microseconds for deadlines inside a
 * process, wall milliseconds since 1970 for what is stored or shown; RFC 3339 in and out; spans of
 * time and sizes as people write them.
 */
#ifndef HUSTINGS_BASE_CLOCK_H
#define HUSTINGS_BASE_CLOCK_H

#include "base/dialect.h"
#include "base/fault.h"
#include "base/text.h"

#define CLOCK_TEXT_SIZE 25 /* "2026-11-22T05:04:52.123Z" and NUL */

uint64_t clock_monotonic_ms(void);
uint64_t clock_monotonic_us(void);
int64_t clock_wall_ms(void);

/* Always UTC with milliseconds, 24 octets and NUL. */
void clock_write(int64_t wall_ms, char text[CLOCK_TEXT_SIZE]);
/* Any RFC 3339 date-time (offset or Z, fraction of any length, leap second 60); strict. */
bool clock_read(struct slice text, int64_t *wall_ms) MUST_USE;

/* "250ms", "5s", "5m", "24h", "7d" or a bare integer, in seconds. */
bool clock_span_read(struct slice text, int64_t *ms, struct fault *why) MUST_USE;
/* "512B", "64KiB", "1MiB", "2GiB" (also KB, MB, GB as thousands) or a bare integer, in octets. */
bool clock_size_read(struct slice text, int64_t *octets, struct fault *why) MUST_USE;

#endif
