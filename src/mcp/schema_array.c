/* SPDX-License-Identifier: Apache-2.0 */
/* Schema array: one walk over the elements for all keywords but uniqueItems, which has its own. */
#include "mcp/schema_array.h"

#define FEW_ELEMENTS 8 /* compared each with each */

/* ---- uniqueItems ---- */

/* One that was met before, or nothing. */
struct met {
	uint64_t hash;
	const char *start; /* NULL: free */
	size_t index;
};

static struct scan_value value_at(const char *start, const char *end) {
	struct scan_walk walk = {.at = start, .end = end};
	struct scan_member element = {0};
	(void)scan_next(&walk, &element);
	return element.value;
}

static bool twins_say(struct schema_run *run, const struct schema_place *place, size_t one,
	size_t other) {
	return schema_run_say(run, place, "uniqueItems",
		"has the same element at %zu and at %zu: all have to differ", one, other);
}

static bool few_are_unique(struct schema_run *run, const struct scan_value *value,
	const struct schema_place *place) {
	struct scan_value seen[FEW_ELEMENTS];
	struct scan_walk walk;
	struct scan_member element;
	size_t count = 0;
	for (scan_open(&walk, value); scan_next(&walk, &element) && count < FEW_ELEMENTS; count++) {
		for (size_t i = 0; i < count; i++)
			if (schema_equal(&seen[i], &element.value, &run->steps))
				return twins_say(run, place, i, count);
		seen[count] = element.value;
	}
	return !schema_run_is_over(run);
}

static bool many_are_unique(struct schema_run *run, const struct scan_value *value, size_t count,
	const struct schema_place *place) {
	const char *end = value->text.bytes + value->text.length - 1;
	size_t places = 16, index = 0;
	while (places < count * 2) places *= 2;
	if (!schema_steps_take(&run->steps, places / 16)) return false;
	struct schema_room before = schema_room_note(run);
	struct met *met = arena_zero(&run->memory, places * sizeof *met);
	if (!met) return schema_run_end(run, "an array in it has too many elements to tell them apart");

	bool are_unique = true;
	struct scan_walk walk;
	struct scan_member element;
	for (scan_open(&walk, value); are_unique && scan_next(&walk, &element); index++) {
		uint64_t hash = schema_hash(&element.value, &run->steps);
		size_t at = hash & (places - 1);
		for (; met[at].start && are_unique; at = (at + 1) & (places - 1)) {
			if (!schema_steps_take(&run->steps, 1)) break;
			if (met[at].hash != hash) continue;
			struct scan_value other = value_at(met[at].start, end);
			if (schema_equal(&element.value, &other, &run->steps))
				are_unique = twins_say(run, place, met[at].index, index);
		}
		if (schema_run_is_over(run)) return false;
		met[at] = (struct met){hash, element.value.text.bytes, index};
	}
	schema_room_give(run, before);
	return are_unique;
}

/* ---- Elements ---- */

struct elements {
	size_t count;
	size_t contained;
};

/* Whether an element is of those that `contains` means; why not is nobody's business. */
static bool is_contained(struct schema_run *run, const struct schema_arrays *arrays,
	const struct scan_value *value, const struct schema_place *place) {
	run->quiet++;
	bool fits = run->visit(run, arrays->contains, value, place, NULL);
	run->quiet--;
	return fits && !schema_run_is_over(run);
}

static bool element_fits(struct schema_run *run, const struct schema_arrays *arrays,
	const struct scan_value *value, const struct schema_place *place, struct schema_marks *marks,
	struct elements *seen) {
	size_t index = seen->count++;
	struct schema_place here = {.up = place, .index = index};
	if (arrays->contains && is_contained(run, arrays, value, &here)) {
		seen->contained++;
		schema_marks_set(marks, index);
	}
	const struct schema_node *node = arrays->rest;
	if (index < arrays->prefix.count) node = arrays->prefix.list[index];
	if (!node) return true;
	schema_marks_set(marks, index);
	if (node == arrays->rest && node->kind == SCHEMA_NOTHING)
		return schema_run_say(run, &here, arrays->rest_keyword, "is one too many: at most %zu are known",
			arrays->prefix.count);
	return run->visit(run, node, value, &here, NULL);
}

static bool counts_fit(struct schema_run *run, const struct schema_arrays *arrays,
	const struct schema_place *place, const struct elements *seen) {
	bool fits = true;
	if (seen->count < arrays->least)
		fits = schema_run_say(run, place, "minItems", "has %zu elements: at least %zu", seen->count,
			arrays->least);
	if (seen->count > arrays->most)
		fits = schema_run_say(run, place, "maxItems", "has %zu elements: at most %zu", seen->count,
			arrays->most);
	if (!arrays->contains) return fits;
	if (seen->contained < arrays->contains_least)
		fits = schema_run_say(run, place, arrays->contains_least == 1 ? "contains" : "minContains",
			"has %zu elements of the kind it has to contain: at least %zu", seen->contained,
			arrays->contains_least);
	if (seen->contained > arrays->contains_most)
		fits = schema_run_say(run, place, "maxContains",
			"has %zu elements of the kind it has to contain: at most %zu", seen->contained,
			arrays->contains_most);
	return fits;
}

bool schema_array_fits(struct schema_run *run, const struct schema_arrays *arrays,
	const struct scan_value *value, const struct schema_place *place, struct schema_marks *marks) {
	struct scan_walk walk;
	struct scan_member element;
	struct elements seen = {0};
	bool fits = true;
	if (!schema_run_take(run, value->text)) return false;
	for (scan_open(&walk, value); scan_next(&walk, &element);) {
		if (!schema_steps_take(&run->steps, 1)) return false;
		if (element_fits(run, arrays, &element.value, place, marks, &seen)) continue;
		fits = false;
		if (schema_run_may_stop(run)) return false;
	}
	if (!counts_fit(run, arrays, place, &seen)) fits = false;
	if (!arrays->is_unique || seen.count < 2 || schema_run_is_over(run)) return fits;
	bool is_unique = seen.count <= FEW_ELEMENTS ? few_are_unique(run, value, place)
						    : many_are_unique(run, value, seen.count, place);
	return fits && is_unique;
}
