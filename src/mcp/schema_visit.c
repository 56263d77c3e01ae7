/* SPDX-License-Identifier: Apache-2.0 */
/* Schema visit: the keywords in an order in which the cheap ones come first and unevaluated* last. */
#include "mcp/schema_visit.h"
#include "mcp/schema_applied.h"
#include "mcp/schema_array.h"
#include "mcp/schema_object.h"
#include "mcp/schema_scalar.h"

static bool kind_fits(struct schema_run *run, const struct schema_node *node,
	const struct scan_value *value, const struct schema_place *place, struct schema_marks *marks) {
	switch (value->type) {
	case SCAN_NUMBER:
		return !node->numbers || schema_scalar_number(run, node->numbers, value, place);
	case SCAN_STRING:
		return !node->strings || schema_scalar_string(run, node->strings, value, place);
	case SCAN_ARRAY:
		return !node->arrays || schema_array_fits(run, node->arrays, value, place, marks);
	case SCAN_OBJECT:
		return !node->objects || schema_object_fits(run, node->objects, value, place, marks);
	case SCAN_NONE:
	case SCAN_NULL:
	case SCAN_BOOLEAN: break;
	}
	return true;
}

static bool rules_fit(struct schema_run *run, const struct schema_node *node,
	const struct scan_value *value, const struct schema_place *place, struct schema_marks *marks) {
	/* Of the wrong type, there is no more to be said. */
	if (!schema_scalar_type(run, node, value, place)) return false;
	bool fits = true;
	if ((node->constant || node->choices) && !schema_scalar_value(run, node, value, place)) fits = false;
	if (!fits && schema_run_may_stop(run)) return false;
	if (!kind_fits(run, node, value, place, marks)) fits = false;
	if (!node->applied || (!fits && schema_run_may_stop(run))) return fits;
	return schema_applied_fits(run, node->applied, value, place, marks) && fits;
}

/* What no keyword has spoken of is held against `node`. */
static bool rest_fits(struct schema_run *run, const struct schema_node *node,
	const struct scan_value *value, const struct schema_place *place,
	const struct schema_marks *marks) {
	const char *keyword = value->type == SCAN_ARRAY ? "unevaluatedItems" : "unevaluatedProperties";
	struct scan_walk walk;
	struct scan_member member;
	bool fits = true;
	size_t index = 0;
	if (!schema_run_take(run, value->text)) return false;
	for (scan_open(&walk, value); scan_next(&walk, &member); index++) {
		if (schema_marks_has(marks, index)) continue;
		if (!schema_steps_take(&run->steps, 1)) return false;
		struct schema_place here = {
			.up = place, .key = member.key, .key_escaped = member.key_escaped, .index = index};
		bool is_allowed = node->kind == SCHEMA_NOTHING
			? schema_run_say(run, &here, keyword, "is not known here: leave it out")
			: run->visit(run, node, &member.value, &here, NULL);
		if (is_allowed) continue;
		fits = false;
		if (schema_run_may_stop(run)) return false;
	}
	return fits;
}

/* With marks of its own, which nobody sees but those who refer to it. */
static bool all_evaluated(struct schema_run *run, const struct schema_node *node,
	const struct scan_value *value, const struct schema_place *place, struct schema_marks *marks) {
	const struct schema_node *rest =
		value->type == SCAN_ARRAY ? node->unevaluated_items : node->unevaluated_properties;
	struct schema_room before = schema_room_note(run);
	struct schema_marks own;
	if (!schema_run_take(run, value->text)) return false;
	size_t count = scan_count(value);
	if (!schema_marks_open(&own, count, &run->memory))
		return schema_run_end(run, "there is no memory for it");
	if (!rules_fit(run, node, value, place, &own)) return false;
	if (!rest_fits(run, rest, value, place, &own)) return false;
	if (marks) marks->has_all = true;
	schema_room_give(run, before);
	return true;
}

bool schema_visit(struct schema_run *run, const struct schema_node *node,
	const struct scan_value *value, const struct schema_place *place, struct schema_marks *marks) {
	size_t digits = value->type == SCAN_NUMBER ? value->text.length : 0;
	if (!schema_steps_take(&run->steps, 1 + digits / 64)) return false;
	if (node->kind == SCHEMA_ANYTHING) return true;
	if (node->kind == SCHEMA_NOTHING)
		return schema_run_say(run, place, "false", "is not allowed here: leave it out");
	if (run->depth >= SCHEMA_NESTING)
		return schema_run_end(run, "the schema applies itself too many times over");

	struct schema_scope scope = {.up = run->scope, .resource = node->resource};
	const struct schema_scope *outer = run->scope;
	if (!outer || outer->resource != node->resource) run->scope = &scope;
	run->depth++;
	bool asks_rest = (value->type == SCAN_ARRAY && node->unevaluated_items) ||
		(value->type == SCAN_OBJECT && node->unevaluated_properties);
	bool fits = asks_rest ? all_evaluated(run, node, value, place, marks)
			      : rules_fit(run, node, value, place, marks);
	run->depth--;
	run->scope = outer;
	return fits && !schema_run_is_over(run);
}
