/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target: what a provider of embeddings answers to one to four texts (the first octet says how many, and
 * whether three numbers are due). It becomes as many vectors as there were texts, each as near to itself as
 * can be and all with as many numbers, or a fault and no vector.
 */
#include "kernel/embedding_wire.h"

#include <stdlib.h>

#define MUST(what) \
	do { \
		if (!(what)) abort(); \
	} while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	struct search_vector *vectors[4] = {0};
	struct fault why = {0};
	size_t count = size > 0 ? 1 + data[0] % 4 : 1, dimensions = size > 0 && data[0] & 16 ? 3 : 0;
	struct slice body = size > 0 ? slice_make(data + 1, size - 1) : SLICE_NONE;
	if (!embedding_answer_read(body, count, dimensions, vectors, &why)) {
		MUST(why.code != FAULT_NONE && why.text[0]);
		for (size_t i = 0; i < 4; i++) MUST(!vectors[i]);
		return 0;
	}
	for (size_t i = 0; i < count; i++) {
		MUST(vectors[i] && search_vector_cosine(vectors[i], vectors[i]) > 0.99);
		MUST(search_vector_dimensions(vectors[i]) == search_vector_dimensions(vectors[0]));
		MUST(!dimensions || search_vector_dimensions(vectors[i]) == dimensions);
		MUST(search_vector_cosine(vectors[0], vectors[i]) <= 1 && search_vector_cosine(vectors[0], vectors[i]) >= -1);
	}
	for (size_t i = 0; i < count; i++) free(vectors[i]);
	return 0;
}
