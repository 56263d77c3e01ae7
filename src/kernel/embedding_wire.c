/* SPDX-License-Identifier: Apache-2.0 */
/* Embedding wire: vector by vector, none kept unless all are sound. */
#include "kernel/embedding_wire.h"

#include "wire/scan.h"

#include <stdlib.h>

void embedding_question_write(struct text *to, const char *model, size_t dimensions, const struct slice *texts,
	size_t count) {
	text_add_cstr(to, "{\"model\":");
	text_json(to, slice_of(model));
	text_add_cstr(to, ",\"input\":[");
	for (size_t i = 0; i < count; i++) {
		if (i > 0) text_add_char(to, ',');
		text_json(to, slice_make(texts[i].bytes, slice_cut(texts[i], EMBEDDING_TEXT)));
	}
	text_add_cstr(to, "],\"encoding_format\":\"float\"");
	if (dimensions > 0) text_printf(to, ",\"dimensions\":%zu", dimensions);
	text_add_char(to, '}');
}

size_t embedding_answer_limit(size_t count, size_t dimensions) {
	return 65536 + count * (256 + EMBEDDING_NUMBER * (dimensions > 0 ? dimensions : SEARCH_DIMENSIONS));
}

static bool read_numbers(const struct scan_value *list, float *numbers, size_t *count, struct fault *why) {
	struct scan_walk walk;
	struct scan_member member;
	double number;
	*count = 0;
	if (list->type != SCAN_ARRAY) return fault_set(why, FAULT_BAD_INPUT, "an embedding is no list of numbers");
	for (scan_open(&walk, list); scan_next(&walk, &member); numbers[(*count)++] = (float)number) {
		if (*count == SEARCH_DIMENSIONS)
			return fault_set(why, FAULT_BAD_INPUT, "an embedding has more than %d numbers", SEARCH_DIMENSIONS);
		if (member.value.type != SCAN_NUMBER || !scan_number(&member.value, &number))
			return fault_set(why, FAULT_BAD_INPUT, "number %zu of an embedding is none", *count);
	}
	return true;
}

/* Of the texts, which one it belongs to: without an index the next. */
static bool read_index(const struct scan_value *item, size_t at, size_t count, size_t *index, struct fault *why) {
	struct scan_value found;
	int64_t number = (int64_t)at;
	if (scan_find(item, "index", &found) && !scan_integer(&found, &number)) number = -1;
	if (number < 0 || (uint64_t)number >= count)
		return fault_set(why, FAULT_BAD_INPUT, "item %zu has no index of 0 to %zu", at, count - 1);
	*index = (size_t)number;
	return true;
}

struct reading {
	size_t count, dimensions, done;
	struct search_vector **vectors;
	float numbers[SEARCH_DIMENSIONS];
};

static bool read_item(struct reading *reading, const struct scan_value *item, struct fault *why) {
	struct scan_value found;
	size_t index = 0, count;
	if (reading->done == reading->count)
		return fault_set(why, FAULT_BAD_INPUT, "it has more embeddings than the %zu texts that were sent", reading->count);
	if (!read_index(item, reading->done, reading->count, &index, why)) return false;
	if (reading->vectors[index])
		return fault_set(why, FAULT_BAD_INPUT, "index %zu comes twice", index);
	if (!scan_find(item, "embedding", &found))
		return fault_set(why, FAULT_BAD_INPUT, "item %zu has no embedding", reading->done);
	if (!read_numbers(&found, reading->numbers, &count, why)) return false;
	if (reading->dimensions > 0 && count != reading->dimensions)
		return fault_set(why, FAULT_BAD_INPUT, "an embedding has %zu numbers, not %zu", count, reading->dimensions);
	reading->vectors[index] = search_vector_make(reading->numbers, count);
	if (!reading->vectors[index])
		return fault_set(why, FAULT_BAD_INPUT, "embedding %zu is empty or all zeros, or there is no memory for it", index);
	reading->dimensions = count;
	reading->done++;
	return true;
}

static bool read_data(struct reading *reading, struct slice body, struct fault *why) {
	struct scan_value root, data;
	struct scan_fault unsound;
	struct scan_walk walk;
	struct scan_member member;
	if (!scan_check(body, SCAN_DEPTH, &root, &unsound))
		return fault_set(why, FAULT_BAD_INPUT, "it is no JSON: %s at octet %zu", unsound.what, unsound.offset);
	if (!scan_find(&root, "data", &data) || data.type != SCAN_ARRAY)
		return fault_set(why, FAULT_BAD_INPUT, "it has no list \"data\"");
	for (scan_open(&walk, &data); scan_next(&walk, &member);)
		if (!read_item(reading, &member.value, why)) return false;
	if (reading->done == reading->count) return true;
	return fault_set(why, FAULT_BAD_INPUT, "it has %zu embeddings for %zu texts", reading->done, reading->count);
}

bool embedding_answer_read(struct slice body, size_t count, size_t dimensions, struct search_vector **vectors,
	struct fault *why) {
	AUTO_FREE struct reading *reading = calloc(1, sizeof *reading);
	AUTO_FREE struct search_vector **made = calloc(count + 1, sizeof(struct search_vector *));
	if (!reading || !made) return fault_set(why, FAULT_NO_MEMORY, "no memory to read embeddings");
	reading->count = count;
	reading->dimensions = dimensions;
	reading->vectors = made;
	bool is_read = read_data(reading, body, why);
	for (size_t i = 0; i < count; i++) {
		if (is_read) vectors[i] = made[i];
		else free(made[i]);
	}
	return is_read;
}
