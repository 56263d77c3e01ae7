/* SPDX-License-Identifier: Apache-2.0 */
/* Schema object: one walk over the members for all keywords but those that ask for the presence of
 * others. */
#include "mcp/schema_object.h"

#define FEW_REQUIRED 4  /* words of bits that need no arena */
#define KNOWN_SHOWN 120 /* octets of names in a sentence */

int schema_object_order(struct slice a, struct slice b) {
	if (a.length != b.length) return a.length < b.length ? -1 : 1;
	return a.length ? memcmp(a.bytes, b.bytes, a.length) : 0;
}

static const struct schema_property *property_find(const struct schema_objects *objects,
	struct slice name) {
	size_t low = 0, high = objects->property_count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = schema_object_order(name, objects->properties[middle].name);
		if (order == 0) return &objects->properties[middle];
		if (order < 0) high = middle;
		else low = middle + 1;
	}
	return NULL;
}

/* What one walk carries along. */
struct members {
	const struct schema_objects *objects;
	const struct schema_place *place;
	struct schema_marks *marks;
	size_t count;
	uint64_t few[FEW_REQUIRED];
	uint64_t *present; /* one bit for each that is required */
};

/* The one with a schema that stands next behind `offset` in the text; NULL: there is none. */
static const struct schema_property *known_next(const struct schema_objects *objects, size_t offset) {
	const struct schema_property *next = NULL;
	for (size_t i = 0; i < objects->property_count; i++) {
		const struct schema_property *property = &objects->properties[i];
		if (!property->node || property->node->offset <= offset) continue;
		if (!next || property->node->offset < next->node->offset) next = property;
	}
	return next;
}

static bool unknown_say(struct schema_run *run, const struct schema_objects *objects,
	const struct schema_place *here) {
	if (run->quiet || !run->findings) return false;
	AUTO_TEXT struct text known = {0};
	const struct schema_property *property = known_next(objects, 0);
	text_init(&known, 0);
	for (; property; property = known_next(objects, property->node->offset)) {
		bool is_much = known.length + property->name.length > KNOWN_SHOWN;
		if (known.length) text_add_cstr(&known, ", ");
		text_add(&known, is_much ? SLICE("...") : property->name);
		if (is_much) break;
	}
	if (text_failed(&known) || !known.length)
		return schema_run_say(run, here, "additionalProperties", "is not known here: leave it out");
	return schema_run_say(run, here, "additionalProperties",
		"is not known here: leave it out; known are %s", known.bytes);
}

static bool name_fits(struct schema_run *run, const struct schema_objects *objects,
	const struct scan_member *member, const struct schema_place *here) {
	/* The key's own quotes make it a string. */
	struct scan_value name = {
		.text = slice_make(member->key.bytes - 1, member->key.length + 2),
		.type = SCAN_STRING,
		.escaped = member->key_escaped,
	};
	struct schema_place named = *here;
	named.is_name = true;
	if (!objects->names) return true;
	if (objects->names->kind == SCHEMA_NOTHING)
		return schema_run_say(run, here, "propertyNames", "is not allowed: the object has to be empty");
	return run->visit(run, objects->names, &name, &named, NULL);
}

/* Each pattern that the name matches; *is_known: there was one. */
static bool patterned_fit(struct schema_run *run, const struct schema_objects *objects,
	const struct scan_member *member, const struct schema_place *here, bool *is_known) {
	bool fits = true;
	for (size_t i = 0; i < objects->patterned_count; i++) {
		const struct schema_patterned *patterned = &objects->patterned[i];
		struct slice name;
		if (!patterned->pattern) *is_known = true;
		if (!patterned->pattern) continue;
		if (!schema_run_string(run, member->key, member->key_escaped, &name)) return false;
		enum pattern_answer answer = pattern_match(patterned->pattern, name, &run->steps);
		if (answer == PATTERN_GIVES_UP)
			return schema_run_end(run, "a pattern takes too long on one of its names");
		if (answer == PATTERN_DIFFERS) continue;
		*is_known = true;
		if (!run->visit(run, patterned->node, &member->value, here, NULL)) fits = false;
		if (!fits && schema_run_may_stop(run)) return false;
	}
	return fits;
}

static bool member_fits(struct schema_run *run, struct members *members,
	const struct scan_member *member) {
	const struct schema_objects *objects = members->objects;
	struct schema_place here = {
		.up = members->place, .key = member->key, .key_escaped = member->key_escaped};
	size_t index = members->count++;
	struct slice name;
	bool fits = true, is_known = false;
	if (!schema_run_string(run, member->key, member->key_escaped, &name)) return false;
	const struct schema_property *property = property_find(objects, name);
	if (property && property->required != SIZE_MAX)
		members->present[property->required / 64] |= UINT64_C(1) << property->required % 64;
	if (property && property->node) {
		is_known = true;
		fits = run->visit(run, property->node, &member->value, &here, NULL);
	}
	if (objects->patterned_count && !patterned_fit(run, objects, member, &here, &is_known))
		fits = false;
	if (!is_known && objects->additional) {
		is_known = true;
		bool is_allowed = objects->additional->kind == SCHEMA_NOTHING
			? unknown_say(run, objects, &here)
			: run->visit(run, objects->additional, &member->value, &here, NULL);
		if (!is_allowed) fits = false;
	}
	if (!name_fits(run, objects, member, &here)) fits = false;
	if (is_known) schema_marks_set(members->marks, index);
	return fits;
}

static bool required_fit(struct schema_run *run, const struct members *members) {
	const struct schema_objects *objects = members->objects;
	bool fits = true;
	if (!schema_steps_take(&run->steps, 1 + objects->property_count / 8)) return false;
	for (size_t i = 0; i < objects->property_count; i++) {
		const struct schema_property *property = &objects->properties[i];
		size_t at = property->required;
		if (at == SIZE_MAX || (members->present[at / 64] >> at % 64 & 1)) continue;
		fits = false;
		if (schema_run_may_stop(run)) return false;
		char types[120];
		struct schema_place here = {.up = members->place, .key = property->name};
		if (property->node && property->node->types)
			schema_run_say(run, &here, "required", "is missing: it has to be %s",
				schema_run_types(property->node->types, types, sizeof types));
		else schema_run_say(run, &here, "required", "is missing: it has to be there");
	}
	return fits;
}

static bool dependency_fits(struct schema_run *run, const struct schema_dependency *dependency,
	const struct scan_value *value, const struct schema_place *place, struct schema_marks *marks) {
	struct scan_value found;
	if (!schema_member_find(value, dependency->name, &found, &run->steps)) return true;
	if (dependency->node) return run->visit(run, dependency->node, value, place, marks);

	struct scan_walk walk;
	struct scan_member wanted;
	bool fits = true;
	for (scan_open(&walk, dependency->required); scan_next(&walk, &wanted);) {
		struct slice inner = slice_make(wanted.value.text.bytes + 1, wanted.value.text.length - 2);
		struct slice name;
		if (!schema_run_string(run, inner, wanted.value.escaped, &name)) return false;
		if (schema_member_find(value, name, &found, &run->steps)) continue;
		struct schema_place here = {
			.up = place, .key = inner, .key_escaped = wanted.value.escaped};
		fits = schema_run_say(run, &here, dependency->keyword,
			"is missing: it has to be there beside %.*s", (int)slice_cut(dependency->name, 80),
			dependency->name.bytes);
		if (schema_run_may_stop(run)) return false;
	}
	return fits;
}

static bool others_fit(struct schema_run *run, const struct members *members,
	const struct scan_value *value) {
	const struct schema_objects *objects = members->objects;
	const struct schema_place *place = members->place;
	bool fits = required_fit(run, members);
	if (!fits && schema_run_may_stop(run)) return false;
	if (members->count < objects->least)
		fits = schema_run_say(run, place, "minProperties", "has %zu members: at least %zu",
			members->count, objects->least);
	if (members->count > objects->most)
		fits = schema_run_say(run, place, "maxProperties", "has %zu members: at most %zu",
			members->count, objects->most);
	for (size_t i = 0; i < objects->dependency_count; i++) {
		if (!schema_steps_take(&run->steps, 1)) return false;
		if (!dependency_fits(run, &objects->dependencies[i], value, place, members->marks)) fits = false;
	}
	return fits;
}

bool schema_object_fits(struct schema_run *run, const struct schema_objects *objects,
	const struct scan_value *value, const struct schema_place *place, struct schema_marks *marks) {
	struct members members = {.objects = objects, .place = place, .marks = marks};
	struct schema_room before = schema_room_note(run);
	struct scan_walk walk;
	struct scan_member member;
	size_t words = (objects->required_count + 63) / 64;
	bool fits = true;
	if (!schema_run_take(run, value->text)) return false;
	members.present = words > FEW_REQUIRED
		? arena_zero(&run->memory, words * sizeof *members.present)
		: members.few;
	if (!members.present) return schema_run_end(run, "there is no memory for it");

	for (scan_open(&walk, value); scan_next(&walk, &member);) {
		if (!schema_run_take(run, member.key)) return false;
		if (member_fits(run, &members, &member)) continue;
		fits = false;
		if (schema_run_may_stop(run)) return false;
	}
	if (!others_fit(run, &members, value)) fits = false;
	schema_room_give(run, before);
	return fits;
}
