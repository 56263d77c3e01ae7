/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"

#include "cli/bench_process.h"
#include "cli/bench_report.h"
#include "cli/bench_run.h"

#include <stdlib.h>
#include <unistd.h>

static void a_quantile_is_right_within_three_percent(void **state) {
	(void)state;
	static const uint64_t times[] = {0, 1, 31, 32, 33, 63, 64, 100, 999, 12345, 1000000, 123456789};
	for (size_t i = 0; i < COUNT_OF(times); i++) {
		struct bench_times *gathered = calloc(1, sizeof *gathered);
		assert_non_null(gathered);
		bench_times_add(gathered, times[i]);
		double found = bench_times_quantile(gathered, 50), wanted = (double)times[i];
		double differs = found > wanted ? found - wanted : wanted - found;
		assert_true(differs <= wanted * 0.032);
		free(gathered);
	}
}

static void quantiles_are_in_their_order(void **state) {
	(void)state;
	struct bench_times *times = calloc(1, sizeof *times);
	assert_non_null(times);
	assert_true(bench_times_quantile(times, 50) == 0);
	for (uint64_t i = 1; i <= 1000; i++) bench_times_add(times, i * 10);
	double p50 = bench_times_quantile(times, 50), p99 = bench_times_quantile(times, 99);
	assert_true(p50 > 4840 && p50 < 5160);
	assert_true(p99 > 9600 && p99 < 10200);
	bench_times_add(times, UINT64_MAX);
	assert_true(bench_times_quantile(times, 100) > 1e12);
	free(times);
}

static void figures_are_printed_for_people_and_programs(void **state) {
	(void)state;
	struct bench_report report = {.title = "bench x"};
	AUTO_TEXT struct text text = {0};
	bench_report_add(&report, "deliveries", 12, "");
	bench_report_add(&report, "p50", 1.5, "us");
	bench_report_write(&report, true, &text);
	check_text(&text, "{\"bench\":\"bench x\",\"deliveries\":12,\"p50_us\":1.500}\n");
	text_clear(&text);
	bench_report_write(&report, false, &text);
	assert_non_null(strstr(text.bytes, "1.500 us"));
	for (int i = 0; i < 2 * BENCH_FIGURES; i++) bench_report_add(&report, "more", i, "");
	assert_int_equal(report.count, BENCH_FIGURES);
}

static void a_number_travels_in_an_envelopes_id(void **state) {
	(void)state;
	struct bench_run run = {.peers.run = "0123abcd"};
	AUTO_TEXT struct text text = {0};
	uint64_t number = 0;
	bench_envelope(&run, &text, 18446744073709551, 100);
	assert_true(bench_number_of(text_slice(&text), &number));
	assert_true(number == 18446744073709551);
	bench_envelope(&run, &text, 0, 0);
	assert_true(bench_number_of(text_slice(&text), &number));
	assert_true(number == 0);
	assert_false(bench_number_of(SLICE("{\"id\":\"bench-id-0123abcd-x\"}"), &number));
	assert_false(bench_number_of(SLICE("{\"id\":\"bench-id-0123abcd-12"), &number));
	assert_false(bench_number_of(SLICE("{\"id\":\"bench-id-"), &number));
	assert_false(bench_number_of(SLICE("{}"), &number));
}

static void the_usage_of_a_process_grows(void **state) {
	(void)state;
	struct bench_usage before, after;
	struct fault why = {0};
	assert_true(bench_usage_read((unsigned)getpid(), &before, &why));
	assert_true(before.resident > 0 && before.anonymous > 0 && before.anonymous <= before.resident);
	/* Until the kernel has counted some of it: without a bound by the clock, with one by work. */
	volatile uint64_t sum = 0;
	for (int round = 0; round < 20000; round++) {
		for (int i = 0; i < 100000; i++) sum += (uint64_t)i;
		assert_true(bench_usage_read((unsigned)getpid(), &after, &why));
		if (after.cpu_ns > before.cpu_ns) break;
	}
	assert_true(sum > 0 && after.cpu_ns > before.cpu_ns);
	assert_false(bench_usage_read(0x7ffffffe, &after, &why));
	assert_int_equal(why.code, FAULT_NOT_FOUND);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_quantile_is_right_within_three_percent),
		cmocka_unit_test(quantiles_are_in_their_order),
		cmocka_unit_test(figures_are_printed_for_people_and_programs),
		cmocka_unit_test(a_number_travels_in_an_envelopes_id),
		cmocka_unit_test(the_usage_of_a_process_grows),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
