/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"

#include "kernel/tool_blend.h"

#include <stdio.h>

static struct tool_blend blend;
static struct search_answer answer;

static struct search_seen seen_of(const char *name) {
	return (struct search_seen){.server = SLICE("shop"), .name = slice_of(name)};
}

static int begin(void **state) {
	(void)state;
	memset(&blend, 0, sizeof blend);
	memset(&answer, 0, sizeof answer);
	return 0;
}

static void by_words(const char *name, double relevance) {
	answer.hits[answer.count++] = (struct search_hit){.tool = seen_of(name), .relevance = relevance};
}

static void by_vector(const char *name, double cosine) {
	struct search_seen seen = seen_of(name);
	tool_blend_add(&blend, &seen, cosine);
}

static void others(size_t count, double cosine) {
	for (size_t i = 0; i < count; i++) by_vector("other", cosine);
}

static void check_order(void) {
	for (size_t i = 0; i < answer.count; i++) {
		assert_true(answer.hits[i].relevance > 0 && answer.hits[i].relevance <= 1);
		assert_true(i == 0 || answer.hits[i].relevance <= answer.hits[i - 1].relevance);
	}
}

static void what_words_miss_a_vector_finds(void **state) {
	(void)state;
	by_words("letter", 0.3);
	by_vector("invoices", 0.7);
	by_vector("letter", 0.12);
	others(20, 0.1);
	tool_blend_run(&blend, &answer, 10);
	check_slice(answer.hits[0].tool.name, "invoices");
	check_slice(answer.hits[1].tool.name, "letter");
	assert_int_equal(answer.count, 2);
	check_order();
}

static void both_together_are_more_than_one_of_them(void **state) {
	(void)state;
	by_words("one", 0.6);
	by_words("two", 0.6);
	by_vector("two", 0.4);
	by_vector("one", 0.1);
	others(20, 0.1);
	tool_blend_run(&blend, &answer, 10);
	check_slice(answer.hits[0].tool.name, "two");
	assert_true(answer.hits[0].relevance > answer.hits[1].relevance);
	assert_true(answer.hits[1].relevance == 0.6);
	check_order();
}

/* Of a model whose cosines all are high, high ones say as little as low ones of another. */
static void a_cosine_counts_by_how_far_it_stands_out(void **state) {
	(void)state;
	static const double means[] = {0.05, 0.8};
	for (size_t i = 0; i < COUNT_OF(means); i++) {
		(void)begin(NULL);
		by_vector("chance", means[i] + (1 - means[i]) * 0.1);
		others(30, means[i]);
		tool_blend_run(&blend, &answer, 10);
		assert_int_equal(answer.count, 0);
		(void)begin(NULL);
		by_vector("near", means[i] + (1 - means[i]) * 0.5);
		others(30, means[i]);
		tool_blend_run(&blend, &answer, 10);
		assert_int_equal(answer.count, 1);
		assert_true(answer.hits[0].relevance > 0.6 && answer.hits[0].relevance < 0.8);
	}
}

static void a_single_tool_or_none_stands_out_of_nothing(void **state) {
	(void)state;
	by_words("one", 0.4);
	tool_blend_run(&blend, &answer, 10);
	assert_int_equal(answer.count, 1);
	by_vector("one", 0.9);
	tool_blend_run(&blend, &answer, 10);
	assert_int_equal(answer.count, 1);
	assert_true(answer.hits[0].relevance == 0.4);
	(void)begin(NULL);
	others(5, 1);
	tool_blend_run(&blend, &answer, 10);
	assert_int_equal(answer.count, 0);
}

static void lists_are_bounded(void **state) {
	(void)state;
	static char names[3 * SEARCH_MOST][16];
	for (size_t i = 0; i < 3 * SEARCH_MOST; i++) {
		snprintf(names[i], sizeof names[i], "tool-%zu", i);
		by_vector(names[i], i >= 2 * SEARCH_MOST ? 0.9 + (double)i / 1e5 : 0.001 * (double)(i % 7));
		if (i < SEARCH_MOST) by_words(names[i], 0.5 - (double)i / 1000);
	}
	assert_int_equal(blend.count, SEARCH_MOST);
	tool_blend_run(&blend, &answer, SEARCH_MOST);
	assert_int_equal(answer.count, SEARCH_MOST);
	check_slice(answer.hits[0].tool.name, "tool-299");
	check_order();
	tool_blend_run(&blend, &answer, 3);
	assert_int_equal(answer.count, 3);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(what_words_miss_a_vector_finds, begin),
		cmocka_unit_test_setup(both_together_are_more_than_one_of_them, begin),
		cmocka_unit_test_setup(a_cosine_counts_by_how_far_it_stands_out, begin),
		cmocka_unit_test_setup(a_single_tool_or_none_stands_out_of_nothing, begin),
		cmocka_unit_test_setup(lists_are_bounded, begin),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
