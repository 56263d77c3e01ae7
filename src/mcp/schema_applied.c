/* SPDX-License-Identifier: Apache-2.0 */
/* Schema applied: a branch is tried in silence, and what it has marked counts when it fits. Where none
 * of several fits, a second look says which of them was meant. */
#include "mcp/schema_applied.h"
#include "mcp/schema_scalar.h"

#include <stdio.h>

/* One of several that may fit or not. */
static bool branch_fits(struct schema_run *run, const struct schema_node *node,
	const struct scan_value *value, const struct schema_place *place, struct schema_marks *marks) {
	struct schema_room before = schema_room_note(run);
	struct schema_marks own;
	if (marks && !schema_steps_take(&run->steps, 1 + marks->count / 64)) return false;
	if (marks && !schema_marks_open(&own, marks->count, &run->memory))
		return schema_run_end(run, "there is no memory for it");
	run->quiet++;
	bool fits = run->visit(run, node, value, place, marks ? &own : NULL);
	run->quiet--;
	if (schema_run_is_over(run)) return false;
	if (fits && marks) schema_marks_merge(marks, &own);
	schema_room_give(run, before);
	return fits;
}

/* What each of them says of the type, together; 0: one of them says nothing, or it is not the type
 * that is wrong. */
static unsigned types_wanted(const struct schema_nodes *nodes, const struct scan_value *value) {
	unsigned types = 0;
	for (size_t i = 0; i < nodes->count; i++) {
		const struct schema_node *node = nodes->list[i];
		if (!node->types || schema_scalar_type_fits(node->types, value)) return 0;
		types |= node->types;
	}
	return types;
}

static size_t depth_of(const struct schema_finding *finding) {
	size_t depth = 0;
	for (const char *at = finding->where; *at; at++) depth += *at == '/';
	return depth;
}

/* What is wrong with the one that got furthest: its complaint lies deepest in the instance, and is not
 * that it is another kind of thing altogether. */
static bool nearest_find(struct schema_run *run, const struct schema_nodes *nodes,
	const struct scan_value *value, const struct schema_place *place, struct schema_finding *nearest) {
	struct schema_findings *heard = run->findings;
	size_t best = 0;
	run->explains = true;
	for (size_t i = 0; i < nodes->count && !schema_run_is_over(run); i++) {
		struct schema_finding found;
		struct schema_findings own = {.subject = heard->subject, .list = &found, .most = 1};
		run->findings = &own;
		(void)run->visit(run, nodes->list[i], value, place, NULL);
		if (!own.count) continue;
		bool is_choice = strcmp(found.keyword, "const") == 0 || strcmp(found.keyword, "enum") == 0;
		size_t depth = 1 + 2 * depth_of(&found) + !is_choice;
		if (!schema_scalar_type_fits(nodes->list[i]->types, value)) depth = 1;
		if (depth <= best) continue;
		best = depth;
		*nearest = found;
	}
	run->explains = false;
	run->findings = heard;
	return best > 0 && !schema_run_is_over(run);
}

static bool none_fits_say(struct schema_run *run, const struct schema_nodes *nodes,
	const struct scan_value *value, const struct schema_place *place, const char *keyword) {
	if (schema_run_may_stop(run) && (run->quiet || !run->findings)) return false;
	struct schema_finding nearest;
	char shown[48], types[120];
	unsigned wanted = types_wanted(nodes, value);
	if (wanted)
		return schema_run_say(run, place, keyword, "is %s: it has to be %s",
			schema_run_shown(value, shown, sizeof shown), schema_run_types(wanted, types, sizeof types));
	if (run->explains || !nearest_find(run, nodes, value, place, &nearest))
		return schema_run_say(run, place, keyword, "fits none of the %zu forms it may have", nodes->count);
	return schema_run_say(run, place, keyword, "fits none of the %zu forms it may have; the nearest: %s",
		nodes->count, nearest.sentence);
}

static bool all_fit(struct schema_run *run, const struct schema_nodes *nodes,
	const struct scan_value *value, const struct schema_place *place, struct schema_marks *marks) {
	bool fits = true;
	for (size_t i = 0; i < nodes->count; i++) {
		if (run->visit(run, nodes->list[i], value, place, marks)) continue;
		fits = false;
		if (schema_run_may_stop(run)) return false;
	}
	return fits;
}

static bool any_fits(struct schema_run *run, const struct schema_nodes *nodes,
	const struct scan_value *value, const struct schema_place *place, struct schema_marks *marks) {
	bool fits = false;
	/* With marks to be kept, each that fits counts. */
	for (size_t i = 0; i < nodes->count && (!fits || marks); i++) {
		if (branch_fits(run, nodes->list[i], value, place, marks)) fits = true;
		if (schema_run_is_over(run)) return false;
	}
	return fits || none_fits_say(run, nodes, value, place, "anyOf");
}

static bool one_fits(struct schema_run *run, const struct schema_nodes *nodes,
	const struct scan_value *value, const struct schema_place *place, struct schema_marks *marks) {
	size_t count = 0, first = 0;
	for (size_t i = 0; i < nodes->count; i++) {
		bool fits = branch_fits(run, nodes->list[i], value, place, marks);
		if (schema_run_is_over(run)) return false;
		if (!fits) continue;
		if (count++)
			return schema_run_say(run, place, "oneOf",
				"fits two of the %zu forms it may have (the %zu. and the %zu.): it has to fit one alone",
				nodes->count, first + 1, i + 1);
		first = i;
	}
	return count == 1 || none_fits_say(run, nodes, value, place, "oneOf");
}

static bool condition_fits(struct schema_run *run, const struct schema_applied *applied,
	const struct scan_value *value, const struct schema_place *place, struct schema_marks *marks) {
	bool holds = branch_fits(run, applied->condition, value, place, marks);
	if (schema_run_is_over(run)) return false;
	const struct schema_node *node = holds ? applied->then : applied->otherwise;
	return !node || run->visit(run, node, value, place, marks);
}

/* The outermost resource on the way that has a dynamic anchor of that name. */
static const struct schema_node *dynamic_find(struct schema_run *run,
	const struct schema_applied *applied) {
	const struct schema_node *found = applied->dynamic;
	uint64_t looks = 0;
	if (!applied->dynamic_name.bytes) return found;
	for (const struct schema_scope *scope = run->scope; scope; scope = scope->up) {
		const struct schema_anchor *anchor = scope->resource->anchors;
		for (; anchor; anchor = anchor->next, looks++)
			if (anchor->is_dynamic && slice_equal(anchor->name, applied->dynamic_name))
				found = anchor->node;
	}
	(void)schema_steps_take(&run->steps, 1 + looks / 4);
	return found;
}

static bool references_fit(struct schema_run *run, const struct schema_applied *applied,
	const struct scan_value *value, const struct schema_place *place, struct schema_marks *marks) {
	bool fits = !applied->reference || run->visit(run, applied->reference, value, place, marks);
	if (!applied->dynamic || (!fits && schema_run_may_stop(run))) return fits;
	return run->visit(run, dynamic_find(run, applied), value, place, marks) && fits;
}

bool schema_applied_fits(struct schema_run *run, const struct schema_applied *applied,
	const struct scan_value *value, const struct schema_place *place, struct schema_marks *marks) {
	bool fits = references_fit(run, applied, value, place, marks);
	if (!fits && schema_run_may_stop(run)) return false;
	if (applied->all.count && !all_fit(run, &applied->all, value, place, marks)) fits = false;
	if (!fits && schema_run_may_stop(run)) return false;
	if (applied->any.list && !any_fits(run, &applied->any, value, place, marks)) fits = false;
	if (!fits && schema_run_may_stop(run)) return false;
	if (applied->one.list && !one_fits(run, &applied->one, value, place, marks)) fits = false;
	if (!fits && schema_run_may_stop(run)) return false;
	if (applied->condition && !condition_fits(run, applied, value, place, marks)) fits = false;
	if (!applied->none || schema_run_is_over(run)) return fits && !schema_run_is_over(run);
	bool is_excluded = branch_fits(run, applied->none, value, place, NULL);
	if (schema_run_is_over(run)) return false;
	if (is_excluded) fits = schema_run_say(run, place, "not", "is what it must not be");
	return fits;
}
