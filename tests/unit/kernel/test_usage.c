/* SPDX-License-Identifier: Apache-2.0 */
/* How much somebody uses, and which refusals are told. */
#include "check.h"
#include "failing_malloc.h"

#include "../../../src/kernel/refusals.c"
#include "../../../src/kernel/usage.c"

#include <stdio.h>

static int enter(struct usage *usage, const struct policy *policy, const char *who, uint64_t now, uint64_t *pause, char words[200]) {
	AUTO_TEXT struct text details = {0};
	text_init(&details, 0);
	int code = usage_enter(usage, policy, slice_of(who), now, pause, &details);
	snprintf(words, 200, "%s", details.length ? details.bytes : "");
	return code;
}

static void a_rate_is_a_bucket_that_refills(void **state) {
	(void)state;
	const struct policy policy = {.call_rate = {2, 1000}, .max_in_flight = 100};
	struct usage *usage = usage_open(NULL);
	uint64_t pause = 0;
	char words[200];
	assert_int_equal(enter(usage, &policy, "ann", 1000, &pause, words), 0);
	assert_int_equal(enter(usage, &policy, "ann", 1000, &pause, words), 0);
	assert_int_equal(enter(usage, &policy, "ann", 1000, &pause, words), MGP_RATE_LIMITED);
	assert_true(pause > 0 && pause <= 501);
	assert_string_equal(words, "{\"limit\":2,\"window_secs\":1,\"current\":2}");
	assert_int_equal(enter(usage, &policy, "bob", 1000, &pause, words), 0);
	assert_int_equal(enter(usage, &policy, "ann", 1000 + pause, &pause, words), 0);
	assert_int_equal(enter(usage, &policy, "ann", 1600, &pause, words), MGP_RATE_LIMITED);
	assert_int_equal(enter(usage, &policy, "ann", 99000, &pause, words), 0); /* no more than the bucket holds */
	assert_int_equal(enter(usage, &policy, "ann", 99000, &pause, words), 0);
	assert_int_equal(enter(usage, &policy, "ann", 99000, &pause, words), MGP_RATE_LIMITED);
	usage_close(usage);
}

static void a_quota_begins_anew_with_its_window(void **state) {
	(void)state;
	const struct policy policy = {.quota = {2, 60000}, .max_in_flight = 100};
	struct usage *usage = usage_open(NULL);
	uint64_t pause = 0;
	char words[200];
	assert_int_equal(enter(usage, &policy, "ann", 0, &pause, words), 0);
	assert_int_equal(enter(usage, &policy, "ann", 1, &pause, words), 0);
	assert_int_equal(enter(usage, &policy, "ann", 59999, &pause, words), MGP_QUOTA_EXCEEDED);
	assert_string_equal(words, "{\"limit\":2,\"window_secs\":60,\"current\":2}");
	assert_int_equal(enter(usage, &policy, "ann", 60000, &pause, words), 0);
	usage_close(usage);
}

static void calls_under_way_are_counted(void **state) {
	(void)state;
	const struct policy policy = {.max_in_flight = 1};
	struct usage *usage = usage_open(NULL);
	uint64_t pause = 0;
	char words[200];
	assert_int_equal(enter(usage, &policy, "ann", 0, &pause, words), 0);
	assert_int_equal(enter(usage, &policy, "ann", 0, &pause, words), MGP_RESOURCE_EXHAUSTED);
	assert_string_equal(words, "{\"limit\":1,\"current\":1}");
	usage_leave(usage, SLICE("ann"));
	usage_leave(usage, SLICE("ann")); /* harmless */
	usage_leave(usage, SLICE("nobody"));
	assert_int_equal(enter(usage, &policy, "ann", 0, &pause, words), 0);
	assert_int_equal(enter(usage, &policy, "ann", 0, &pause, words), MGP_RESOURCE_EXHAUSTED);
	usage_close(usage);
}

static void principals_are_bounded_and_forgotten(void **state) {
	(void)state;
	const struct policy policy = {.quota = {9, 60000}, .max_in_flight = 1};
	struct usage *usage = usage_open(NULL);
	uint64_t pause = 0;
	char words[200], who[20];
	for (int i = 0; i < USAGE_PRINCIPALS; i++) {
		snprintf(who, sizeof who, "p%d", i);
		assert_int_equal(enter(usage, &policy, who, 0, &pause, words), 0);
		if (i) usage_leave(usage, slice_of(who));
	}
	assert_int_equal(enter(usage, &policy, "late", 59999, &pause, words), MGP_RESOURCE_EXHAUSTED);
	assert_int_equal(enter(usage, &policy, "late", 60000, &pause, words), 0);
	assert_int_equal(usage->by_principal.count, 2); /* who is at work is not forgotten */
	assert_int_equal(enter(usage, &policy, "p0", 60000, &pause, words), MGP_RESOURCE_EXHAUSTED);
	usage_close(usage);
}

static void without_memory_nobody_calls(void **state) {
	(void)state;
	const struct policy policy = {.max_in_flight = 1};
	struct fault why;
	uint64_t pause = 0;
	char words[200];
	malloc_fails_at(1);
	assert_null(usage_open(&why));
	assert_int_equal(why.code, FAULT_NO_MEMORY);
	malloc_fails_at(0);
	struct usage *usage = usage_open(NULL);
	malloc_fails_at(1);
	assert_int_equal(enter(usage, &policy, "ann", 0, &pause, words), MGP_RESOURCE_EXHAUSTED);
	malloc_fails_at(0);
	usage_close(usage);
}

/* ---- Refusals ---- */

static struct {
	unsigned times, count;
	char words[100];
} told;

static void tell(void *context, struct slice principal, struct slice server, const char *gate, unsigned count) {
	(void)context;
	told.times++;
	told.count += count;
	snprintf(told.words, sizeof told.words, "%.*s %.*s %s", SLICE_ARGS(principal), SLICE_ARGS(server), gate);
}

static void the_first_is_told_and_the_others_are_counted(void **state) {
	(void)state;
	struct fault why;
	unsigned count = 0;
	memset(&told, 0, sizeof told);
	struct loop *loop = loop_open(&why);
	struct refusals *refusals = refusals_open(loop, tell, NULL, &why);
	assert_true(refusals_count(refusals, SLICE("ann"), SLICE("files"), "access", &count));
	assert_int_equal(count, 1);
	assert_false(refusals_count(refusals, SLICE("ann"), SLICE("files"), "access", &count));
	assert_false(refusals_count(refusals, SLICE("ann"), SLICE("files"), "access", &count));
	assert_true(refusals_count(refusals, SLICE("ann"), SLICE("files"), "tool", &count));
	assert_true(refusals_count(refusals, SLICE("bob"), SLICE("files"), "access", &count));
	assert_true(refusals_count(refusals, SLICE_NONE, SLICE("files"), "access", &count));
	assert_true(refusals_count(refusals, SLICE("ann"), SLICE_NONE, "access", &count));
	assert_int_equal(told.times, 0);
	uint64_t now = loop_now(loop);
	look(refusals, now + MINUTE_MS - 1);
	assert_int_equal(told.times, 0);
	look(refusals, now + MINUTE_MS);
	assert_int_equal(told.times, 1);
	assert_int_equal(told.count, 2);
	assert_string_equal(told.words, "ann files access");
	assert_int_equal(refusals_known(refusals), 1);                                          /* who was quiet is forgotten */
	assert_false(refusals_count(refusals, SLICE("ann"), SLICE("files"), "access", &count)); /* it goes on */
	look(refusals, now + 2 * MINUTE_MS - 1);
	assert_int_equal(told.times, 1);
	refusals_close(refusals);
	assert_int_equal(told.count, 3); /* what was counted is told at the end */
	refusals = refusals_open(loop, tell, NULL, &why);
	assert_true(refusals_count(refusals, SLICE("ann"), SLICE("files"), "access", &count));
	minute_over(&refusals->due);
	assert_true(refusals->due.at); /* it looks again */
	look(refusals, loop_now(loop) + MINUTE_MS);
	assert_true(refusals_count(refusals, SLICE("ann"), SLICE("files"), "access", &count));
	refusals_close(refusals);
	loop_close(loop);
}

static void what_cannot_be_counted_is_told(void **state) {
	(void)state;
	struct fault why;
	unsigned count = 0;
	char who[20];
	struct loop *loop = loop_open(&why);
	malloc_fails_at(1);
	assert_null(refusals_open(loop, tell, NULL, &why));
	malloc_fails_at(0);
	struct refusals *refusals = refusals_open(loop, tell, NULL, &why);
	malloc_fails_at(1);
	assert_true(refusals_count(refusals, SLICE("ann"), SLICE("files"), "access", &count));
	malloc_fails_at(0);
	for (int i = 0; i < REFUSALS_KNOWN; i++) {
		snprintf(who, sizeof who, "p%d", i);
		assert_true(refusals_count(refusals, slice_of(who), SLICE("files"), "access", &count));
	}
	for (int i = 0; i < 2; i++)
		assert_true(refusals_count(refusals, SLICE("late"), SLICE("files"), "access", &count));
	assert_false(refusals_count(refusals, SLICE("p7"), SLICE("files"), "access", &count));
	refusals_close(refusals);
	loop_close(loop);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_rate_is_a_bucket_that_refills),
		cmocka_unit_test(a_quota_begins_anew_with_its_window),
		cmocka_unit_test(calls_under_way_are_counted),
		cmocka_unit_test(principals_are_bounded_and_forgotten),
		cmocka_unit_test(without_memory_nobody_calls),
		cmocka_unit_test(the_first_is_told_and_the_others_are_counted),
		cmocka_unit_test(what_cannot_be_counted_is_told),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
