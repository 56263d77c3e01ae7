/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"

#include "search/search_vector.h"

#include <math.h>
#include <stdlib.h>

static uint32_t seed = 1;

static float drawn(void) {
	seed = seed * 1664525u + 1013904223u;
	return (float)(seed >> 8) / (float)(1 << 24) * 2 - 1;
}

static double exact(const float *a, const float *b, size_t count) {
	double dot = 0, aa = 0, bb = 0;
	for (size_t i = 0; i < count; i++) {
		dot += (double)a[i] * (double)b[i];
		aa += (double)a[i] * (double)a[i];
		bb += (double)b[i] * (double)b[i];
	}
	return dot / sqrt(aa * bb);
}

/* An octet for each number moves a cosine by less than a hundredth, whatever the length. */
static void a_cosine_is_near_the_exact_one(void **state) {
	(void)state;
	static const size_t counts[] = {1, 2, 63, 64, 65, 384, 1536, SEARCH_DIMENSIONS};
	static float a[SEARCH_DIMENSIONS], b[SEARCH_DIMENSIONS];
	for (size_t c = 0; c < COUNT_OF(counts); c++) {
		for (size_t i = 0; i < counts[c]; i++) {
			a[i] = drawn();
			b[i] = a[i] * 0.5f + drawn() * 0.5f;
		}
		struct search_vector *one = search_vector_make(a, counts[c]), *other = search_vector_make(b, counts[c]);
		assert_non_null(one);
		assert_non_null(other);
		assert_int_equal(search_vector_dimensions(one), counts[c]);
		assert_true(search_vector_octets(counts[c]) < counts[c] + 80);
		assert_true(fabs(search_vector_cosine(one, other) - exact(a, b, counts[c])) < 0.01);
		assert_true(search_vector_cosine(one, one) > 0.999);
		free(one);
		free(other);
	}
}

/* The largest sum there can be is far from the bounds of what it is counted in. */
static void the_largest_numbers_are_no_danger(void **state) {
	(void)state;
	static float a[SEARCH_DIMENSIONS], b[SEARCH_DIMENSIONS];
	for (size_t i = 0; i < SEARCH_DIMENSIONS; i++) {
		a[i] = 3e38f;
		b[i] = -3e38f;
	}
	struct search_vector *one = search_vector_make(a, SEARCH_DIMENSIONS), *other = search_vector_make(b, SEARCH_DIMENSIONS);
	assert_true(search_vector_cosine(one, one) > 0.999);
	assert_true(search_vector_cosine(one, other) < -0.999);
	free(one);
	free(other);
}

static void what_is_no_direction_is_no_vector(void **state) {
	(void)state;
	static float many[SEARCH_DIMENSIONS + 1];
	many[0] = 1;
	assert_null(search_vector_make(many, SEARCH_DIMENSIONS + 1));
	assert_null(search_vector_make(many, 0));
	assert_null(search_vector_make((const float[]){0, 0, 0}, 3));
	assert_null(search_vector_make((const float[]){1, NAN}, 2));
	assert_null(search_vector_make((const float[]){1, INFINITY}, 2));
	struct search_vector *two = search_vector_make((const float[]){1, 0}, 2), *three = search_vector_make((const float[]){1, 0, 0}, 3);
	assert_true(search_vector_cosine(two, three) == 0);
	free(two);
	free(three);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_cosine_is_near_the_exact_one),
		cmocka_unit_test(the_largest_numbers_are_no_danger),
		cmocka_unit_test(what_is_no_direction_is_no_vector),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
