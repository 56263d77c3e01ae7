/* SPDX-License-Identifier: Apache-2.0 */
/* Bench report: buckets that grow with the time, and two ways to print. */
#include "cli/bench_report.h"

static unsigned bucket_of(uint64_t microseconds) {
	if (microseconds < BENCH_STEPS) return (unsigned)microseconds;
	unsigned power = 63u - (unsigned)__builtin_clzll(microseconds); /* at least 5 */
	unsigned step = (unsigned)(microseconds >> (power - 5)) - BENCH_STEPS;
	unsigned bucket = (power - 4) * BENCH_STEPS + step;
	return bucket < BENCH_BUCKETS ? bucket : BENCH_BUCKETS - 1;
}

/* The middle of a bucket. */
static double time_of(unsigned bucket) {
	if (bucket < BENCH_STEPS) return bucket;
	unsigned power = bucket / BENCH_STEPS + 4, step = bucket % BENCH_STEPS;
	return ((double)(BENCH_STEPS + step) + 0.5) * (double)(1ull << (power - 5));
}

void bench_times_add(struct bench_times *times, uint64_t microseconds) {
	times->buckets[bucket_of(microseconds)]++;
	times->count++;
}

double bench_times_quantile(const struct bench_times *times, double percent) {
	double wanted = (double)times->count * percent / 100, seen = 0;
	for (unsigned i = 0; i < BENCH_BUCKETS && times->count; i++) {
		seen += (double)times->buckets[i];
		if (seen >= wanted && times->buckets[i]) return time_of(i);
	}
	return 0;
}

void bench_report_add(struct bench_report *report, const char *name, double value, const char *unit) {
	if (report->count == BENCH_FIGURES) return;
	report->figures[report->count].name = name;
	report->figures[report->count].value = value;
	report->figures[report->count++].unit = unit;
}

void bench_report_times(struct bench_report *report, const struct bench_times *times) {
	bench_report_add(report, "p50", bench_times_quantile(times, 50), "us");
	bench_report_add(report, "p99", bench_times_quantile(times, 99), "us");
	bench_report_add(report, "p999", bench_times_quantile(times, 99.9), "us");
}

static void write_number(struct text *to, double value) {
	bool is_whole = value < 1e15 && value == (double)(uint64_t)value;
	text_printf(to, is_whole ? "%.0f" : "%.3f", value);
}

static void write_json(const struct bench_report *report, struct text *to) {
	text_printf(to, "{\"bench\":\"%s\"", report->title);
	for (size_t i = 0; i < report->count; i++) {
		bool has_unit = report->figures[i].unit[0] != '\0';
		text_printf(to, ",\"%s%s%s\":", report->figures[i].name, has_unit ? "_" : "",
			report->figures[i].unit);
		write_number(to, report->figures[i].value);
	}
	text_add_cstr(to, "}\n");
}

void bench_report_write(const struct bench_report *report, bool as_json, struct text *to) {
	if (as_json) {
		write_json(report, to);
		return;
	}
	text_printf(to, "%s\n", report->title);
	for (size_t i = 0; i < report->count; i++) {
		text_printf(to, "  %-28s ", report->figures[i].name);
		write_number(to, report->figures[i].value);
		text_printf(to, "%s%s\n", report->figures[i].unit[0] ? " " : "", report->figures[i].unit);
	}
}
