/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bench report: what a benchmark found, as lines for people or one JSON object; and the histogram
 * its times are gathered in.
 */
#ifndef HUSTINGS_CLI_BENCH_REPORT_H
#define HUSTINGS_CLI_BENCH_REPORT_H

#include "base/text.h"

/* Microseconds; 32 steps in each power of two, so that a quantile is right within 3 %. */
#define BENCH_STEPS 32
#define BENCH_BUCKETS (BENCH_STEPS * 40)

struct bench_times {
	uint64_t buckets[BENCH_BUCKETS];
	uint64_t count;
};

void bench_times_add(struct bench_times *times, uint64_t microseconds);
/* The time that `percent` of them did not exceed; 0: there are none. */
double bench_times_quantile(const struct bench_times *times, double percent);

#define BENCH_FIGURES 32

struct bench_report {
	const char *title;
	size_t count;
	struct {
		const char *name; /* static */
		const char *unit; /* static; "" : none */
		double value;
	} figures[BENCH_FIGURES];
};

void bench_report_add(struct bench_report *report, const char *name, double value, const char *unit);
void bench_report_times(struct bench_report *report, const struct bench_times *times);
void bench_report_write(const struct bench_report *report, bool as_json, struct text *to);

#endif
