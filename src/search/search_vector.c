/* SPDX-License-Identifier: Apache-2.0 */
/* Search vector: numbers scaled to -127..127 by the largest of them; lengths are those of what was kept. */
#include "search/search_vector.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#define BLOCK 64 /* numbers that are multiplied in one go; the rest of the last block is zero */

struct search_vector {
	uint32_t dimensions;
	float by; /* one over its length */
	int8_t parts[];
};

static size_t blocks_of(size_t dimensions) {
	return (dimensions + BLOCK - 1) / BLOCK;
}

size_t search_vector_octets(size_t dimensions) {
	return sizeof(struct search_vector) + blocks_of(dimensions) * BLOCK;
}

size_t search_vector_dimensions(const struct search_vector *vector) {
	return vector->dimensions;
}

static float largest_of(const float *numbers, size_t count) {
	float largest = 0;
	for (size_t i = 0; i < count; i++) {
		float size = fabsf(numbers[i]);
		if (!isfinite(size)) return 0;
		if (largest < size) largest = size;
	}
	return largest;
}

struct search_vector *search_vector_make(const float *numbers, size_t count) {
	float largest = count > 0 && count <= SEARCH_DIMENSIONS ? largest_of(numbers, count) : 0;
	int64_t squares = 0;
	if (largest < 1e-30f) return NULL;
	struct search_vector *vector = calloc(1, search_vector_octets(count));
	if (!vector) return NULL;
	vector->dimensions = (uint32_t)count;
	for (size_t i = 0; i < count; i++) {
		vector->parts[i] = (int8_t)lrintf(numbers[i] / largest * 127);
		squares += vector->parts[i] * vector->parts[i];
	}
	vector->by = (float)(1 / sqrt((double)squares));
	return vector;
}

/* At most 4,096 products of 127 by 127: far from the bounds of 32 bits. */
static int32_t product(const int8_t *a, const int8_t *b, size_t blocks) {
	int32_t sum = 0;
	for (size_t block = 0; block < blocks; block++, a += BLOCK, b += BLOCK)
		for (size_t i = 0; i < BLOCK; i++) sum += (int16_t)((int16_t)a[i] * (int16_t)b[i]);
	return sum;
}

double search_vector_cosine(const struct search_vector *a, const struct search_vector *b) {
	if (a->dimensions != b->dimensions) return 0;
	double cosine = (double)product(a->parts, b->parts, blocks_of(a->dimensions)) * (double)a->by * (double)b->by;
	return cosine > 1 ? 1 : cosine < -1 ? -1
					    : cosine;
}
