/* SPDX-License-Identifier: Apache-2.0 */
/* Schema members: properties and required become one sorted list, so that one look-up says all that is
 * known of a name. */
#include "mcp/schema_members.h"
#include "mcp/schema_object.h"
#include "mcp/schema_rules.h"

#include <stdlib.h>

static int by_name(const void *a, const void *b) {
	const struct schema_property *one = a, *other = b;
	return schema_object_order(one->name, other->name);
}

static bool is_strings(const struct scan_value *value) {
	struct scan_walk walk;
	struct scan_member element;
	if (value->type != SCAN_ARRAY) return false;
	for (scan_open(&walk, value); scan_next(&walk, &element);)
		if (element.value.type != SCAN_STRING) return false;
	return true;
}

/* An object that is asked for; NULL: it does not stand there, or is none (noted). */
static const struct scan_value *object_of(struct schema_reader *reader,
	const struct schema_words *words, enum schema_keyword keyword) {
	const struct scan_value *value = schema_word(words, keyword);
	if (!value || value->type == SCAN_OBJECT) return value;
	schema_reader_note_word(reader, words, keyword, "an object");
	return NULL;
}

static bool named_add(struct schema_reader *reader, struct schema_node *node,
	const struct scan_value *properties, struct schema_objects *objects) {
	struct scan_walk walk;
	struct scan_member member;
	for (scan_open(&walk, properties); scan_next(&walk, &member);) {
		struct schema_property *property = &objects->properties[objects->property_count];
		property->required = SIZE_MAX;
		if (!schema_reader_key(reader, &member, &property->name) ||
			!schema_reader_child(reader, node, &member.value, &property->node))
			return false;
		objects->property_count++;
	}
	return true;
}

static bool required_add(struct schema_reader *reader, const struct scan_value *required,
	struct schema_objects *objects) {
	struct scan_walk walk;
	struct scan_member name;
	for (scan_open(&walk, required); scan_next(&walk, &name);) {
		struct schema_property *property = &objects->properties[objects->property_count];
		if (!schema_reader_string(reader, &name.value, &property->name)) return false;
		property->required = 0;
		objects->property_count++;
	}
	return true;
}

/* One for each name: required if one of them is, with the last schema that stood there. */
static void properties_join(struct schema_objects *objects) {
	struct schema_property *to = objects->properties;
	for (size_t i = 0; i < objects->property_count; i++) {
		struct schema_property from = objects->properties[i];
		bool is_same = to > objects->properties && slice_equal(to[-1].name, from.name);
		if (!is_same) {
			*to++ = from;
			continue;
		}
		if (from.required != SIZE_MAX) to[-1].required = 0;
		if (from.node && (!to[-1].node || from.node->offset > to[-1].node->offset))
			to[-1].node = from.node;
	}
	objects->property_count = (size_t)(to - objects->properties);
	for (size_t i = 0; i < objects->property_count; i++)
		if (objects->properties[i].required != SIZE_MAX)
			objects->properties[i].required = objects->required_count++;
}

static bool properties_read(struct schema_reader *reader, struct schema_node *node,
	const struct schema_words *words, struct schema_objects *objects) {
	const struct scan_value *properties = object_of(reader, words, KEY_PROPERTIES);
	const struct scan_value *required = schema_word(words, KEY_REQUIRED);
	if (required && !is_strings(required)) {
		schema_reader_note_word(reader, words, KEY_REQUIRED, "an array of names");
		required = NULL;
	}
	size_t count = (properties ? scan_count(properties) : 0) + (required ? scan_count(required) : 0);
	if (!count) return true;
	objects->properties = schema_reader_new(reader, count * sizeof *objects->properties);
	if (!objects->properties || (properties && !named_add(reader, node, properties, objects)) ||
		(required && !required_add(reader, required, objects)))
		return false;
	qsort(objects->properties, objects->property_count, sizeof *objects->properties, by_name);
	properties_join(objects);
	return true;
}

static bool patterned_read(struct schema_reader *reader, struct schema_node *node,
	const struct schema_words *words, struct schema_objects *objects) {
	const struct scan_value *value = object_of(reader, words, KEY_PATTERN_PROPERTIES);
	struct scan_walk walk;
	struct scan_member member;
	size_t count = value ? scan_count(value) : 0;
	if (!count) return true;
	objects->patterned = schema_reader_new(reader, count * sizeof *objects->patterned);
	if (!objects->patterned) return false;
	for (scan_open(&walk, value); scan_next(&walk, &member);) {
		struct schema_patterned *patterned = &objects->patterned[objects->patterned_count];
		struct slice expression;
		if (!schema_reader_key(reader, &member, &expression) ||
			!schema_reader_child(reader, node, &member.value, &patterned->node) ||
			!schema_reader_pattern(reader, member.key.bytes, expression, &patterned->pattern))
			return false;
		if (!patterned->node) patterned->pattern = NULL;
		objects->patterned_count++;
	}
	return true;
}

/* One of a keyword that holds schemas, or names, or (dependencies) either. */
static bool dependency_add(struct schema_reader *reader, struct schema_node *node,
	enum schema_keyword keyword, const struct scan_member *member, struct schema_objects *objects) {
	struct schema_dependency dependency = {.keyword = schema_keyword_name(keyword)};
	bool is_names = keyword != KEY_DEPENDENT_SCHEMAS && member->value.type == SCAN_ARRAY;
	if (!schema_reader_key(reader, member, &dependency.name)) return false;
	if (is_names ? !is_strings(&member->value) : keyword == KEY_DEPENDENT_REQUIRED) {
		schema_reader_note(reader, member->value.text.bytes,
			"this counts for nothing: it has to be an array of names");
		return true;
	}
	if (is_names) {
		struct scan_value *names = schema_reader_new(reader, sizeof *names);
		if (!names) return false;
		*names = member->value;
		dependency.required = names;
	} else if (!schema_reader_child(reader, node, &member->value, &dependency.node)) {
		return false;
	}
	if (dependency.node || dependency.required)
		objects->dependencies[objects->dependency_count++] = dependency;
	return true;
}

static bool dependencies_read(struct schema_reader *reader, struct schema_node *node,
	const struct schema_words *words, struct schema_objects *objects) {
	static const enum schema_keyword keywords[] = {
		KEY_DEPENDENT_REQUIRED, KEY_DEPENDENT_SCHEMAS, KEY_DEPENDENCIES};
	const struct scan_value *values[COUNT_OF(keywords)];
	struct scan_walk walk;
	struct scan_member member;
	size_t count = 0;
	for (size_t i = 0; i < COUNT_OF(keywords); i++) {
		values[i] = object_of(reader, words, keywords[i]);
		if (values[i]) count += scan_count(values[i]);
	}
	if (!count) return true;
	objects->dependencies = schema_reader_new(reader, count * sizeof *objects->dependencies);
	if (!objects->dependencies) return false;
	for (size_t i = 0; i < COUNT_OF(keywords); i++) {
		if (!values[i]) continue;
		for (scan_open(&walk, values[i]); scan_next(&walk, &member);)
			if (!dependency_add(reader, node, keywords[i], &member, objects)) return false;
	}
	return true;
}

static bool other_read(struct schema_reader *reader, struct schema_node *node,
	const struct schema_words *words, enum schema_keyword keyword, const struct schema_node **into) {
	const struct scan_value *value = schema_word(words, keyword);
	return !value || schema_reader_child(reader, node, value, into);
}

bool schema_members_read(struct schema_reader *reader, struct schema_node *node,
	const struct schema_words *words) {
	bool is_asked = false;
	for (unsigned i = KEY_MIN_PROPERTIES; i <= KEY_DEPENDENCIES; i++) is_asked |= !!schema_word(words, i);
	if (!is_asked) return true;

	struct schema_objects *objects = node->objects = schema_reader_new(reader, sizeof *objects);
	if (!objects) return false;
	objects->most = SIZE_MAX;
	schema_rules_count(reader, words, KEY_MIN_PROPERTIES, &objects->least);
	schema_rules_count(reader, words, KEY_MAX_PROPERTIES, &objects->most);
	return properties_read(reader, node, words, objects) &&
		patterned_read(reader, node, words, objects) &&
		other_read(reader, node, words, KEY_ADDITIONAL_PROPERTIES, &objects->additional) &&
		other_read(reader, node, words, KEY_PROPERTY_NAMES, &objects->names) &&
		dependencies_read(reader, node, words, objects);
}
