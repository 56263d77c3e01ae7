/* SPDX-License-Identifier: Apache-2.0 */
/* Schema nested: one function for each shape that a keyword's value has (a schema, an array of them, an
 * object of them), and what becomes of it. Objects have schema_members.c. */
#include "mcp/schema_nested.h"
#include "mcp/schema_members.h"
#include "mcp/schema_rules.h"

static const struct schema_node anything = {.kind = SCHEMA_ANYTHING};

static bool node_read(struct schema_reader *reader, struct schema_node *node,
	const struct schema_words *words, enum schema_keyword keyword, const struct schema_node **into) {
	const struct scan_value *value = schema_word(words, keyword);
	return !value || schema_reader_child(reader, node, value, into);
}

static bool list_read(struct schema_reader *reader, struct schema_node *node,
	const struct schema_words *words, enum schema_keyword keyword, struct schema_nodes *nodes) {
	const struct scan_value *value = schema_word(words, keyword);
	struct scan_walk walk;
	struct scan_member element;
	size_t count = value ? scan_count(value) : 0;
	if (!value) return true;
	if (value->type != SCAN_ARRAY || !count) {
		schema_reader_note_word(reader, words, keyword, "an array of schemas that is not empty");
		return true;
	}
	const struct schema_node **list = schema_reader_new(reader, count * sizeof *list);
	if (!list) return false;
	count = 0;
	for (scan_open(&walk, value); scan_next(&walk, &element);) {
		if (!schema_reader_child(reader, node, &element.value, &list[count])) return false;
		/* What is no schema accepts everything, and so does a choice that it is among. */
		if (!list[count] && (keyword == KEY_ANY_OF || keyword == KEY_ONE_OF)) return true;
		if (!list[count]) list[count] = &anything;
		count++;
	}
	*nodes = (struct schema_nodes){.list = list, .count = count};
	return true;
}

static bool items_read(struct schema_reader *reader, struct schema_node *node,
	const struct schema_words *words, struct schema_arrays *arrays) {
	const struct scan_value *items = schema_word(words, KEY_ITEMS);
	bool is_old = items && items->type == SCAN_ARRAY;
	enum schema_keyword rest = is_old ? KEY_ADDITIONAL_ITEMS : KEY_ITEMS;
	enum schema_keyword prefix = is_old ? KEY_ITEMS : KEY_PREFIX_ITEMS;
	bool is_empty = is_old && !scan_count(items);
	if (!is_empty && !list_read(reader, node, words, prefix, &arrays->prefix)) return false;
	arrays->rest_keyword = schema_keyword_name(rest);
	return node_read(reader, node, words, rest, &arrays->rest);
}

static bool arrays_read(struct schema_reader *reader, struct schema_node *node,
	const struct schema_words *words) {
	bool is_asked = false;
	for (unsigned i = KEY_MIN_ITEMS; i <= KEY_MAX_CONTAINS; i++) is_asked |= !!schema_word(words, i);
	if (!is_asked) return true;

	struct schema_arrays *arrays = schema_reader_new(reader, sizeof *arrays);
	if (!arrays) return false;
	arrays->most = arrays->contains_most = SIZE_MAX;
	arrays->contains_least = 1;
	schema_rules_count(reader, words, KEY_MIN_ITEMS, &arrays->least);
	schema_rules_count(reader, words, KEY_MAX_ITEMS, &arrays->most);
	schema_rules_count(reader, words, KEY_MIN_CONTAINS, &arrays->contains_least);
	schema_rules_count(reader, words, KEY_MAX_CONTAINS, &arrays->contains_most);
	const struct scan_value *unique = schema_word(words, KEY_UNIQUE_ITEMS);
	if (unique && !scan_boolean(unique, &arrays->is_unique))
		schema_reader_note_word(reader, words, KEY_UNIQUE_ITEMS, "true or false");
	node->arrays = arrays;
	return items_read(reader, node, words, arrays) &&
		node_read(reader, node, words, KEY_CONTAINS, &arrays->contains);
}

static bool reference_read(struct schema_reader *reader, struct schema_node *node,
	const struct schema_words *words, enum schema_keyword keyword) {
	const struct scan_value *value = schema_word(words, keyword);
	if (!value) return true;
	if (value->type != SCAN_STRING) {
		schema_reader_note_word(reader, words, keyword, "a string");
		return true;
	}
	struct schema_reference *reference = schema_reader_new(reader, sizeof *reference);
	if (!reference || !schema_reader_string(reader, value, &reference->text)) return false;
	reference->from = node;
	reference->to = node->applied;
	reference->at = value->text.bytes;
	reference->is_dynamic = keyword == KEY_DYNAMIC_REF;
	reference->next = reader->references;
	reader->references = reference;
	return true;
}

static bool applied_read(struct schema_reader *reader, struct schema_node *node,
	const struct schema_words *words) {
	bool is_asked = schema_word(words, KEY_REF) || schema_word(words, KEY_DYNAMIC_REF) ||
		schema_word(words, KEY_RECURSIVE_REF);
	for (unsigned i = KEY_ALL_OF; i <= KEY_ELSE; i++) is_asked |= !!schema_word(words, i);
	if (!is_asked) return true;

	struct schema_applied *applied = node->applied = schema_reader_new(reader, sizeof *applied);
	if (!applied || !reference_read(reader, node, words, KEY_REF) ||
		!reference_read(reader, node, words, KEY_DYNAMIC_REF) ||
		(!schema_word(words, KEY_REF) && !reference_read(reader, node, words, KEY_RECURSIVE_REF)))
		return false;
	if (node->resource->is_old && schema_word(words, KEY_REF)) return true;
	return list_read(reader, node, words, KEY_ALL_OF, &applied->all) &&
		list_read(reader, node, words, KEY_ANY_OF, &applied->any) &&
		list_read(reader, node, words, KEY_ONE_OF, &applied->one) &&
		node_read(reader, node, words, KEY_NOT, &applied->none) &&
		node_read(reader, node, words, KEY_IF, &applied->condition) &&
		node_read(reader, node, words, KEY_THEN, &applied->then) &&
		node_read(reader, node, words, KEY_ELSE, &applied->otherwise);
}

bool schema_nested_definitions(struct schema_reader *reader, struct schema_node *node,
	const struct schema_words *words) {
	static const enum schema_keyword keywords[] = {KEY_DEFS, KEY_DEFINITIONS};
	struct scan_walk walk;
	struct scan_member member;
	const struct schema_node *found;
	for (size_t i = 0; i < COUNT_OF(keywords); i++) {
		const struct scan_value *value = schema_word(words, keywords[i]);
		if (!value) continue;
		if (value->type != SCAN_OBJECT) {
			schema_reader_note_word(reader, words, keywords[i], "an object of schemas");
			continue;
		}
		for (scan_open(&walk, value); scan_next(&walk, &member);)
			if (!schema_reader_child(reader, node, &member.value, &found)) return false;
	}
	return true;
}

bool schema_nested_read(struct schema_reader *reader, struct schema_node *node,
	const struct schema_words *words) {
	if (!applied_read(reader, node, words)) return false;
	if (node->resource->is_old && schema_word(words, KEY_REF)) return true;
	return arrays_read(reader, node, words) && schema_members_read(reader, node, words) &&
		node_read(reader, node, words, KEY_UNEVALUATED_ITEMS, &node->unevaluated_items) &&
		node_read(reader, node, words, KEY_UNEVALUATED_PROPERTIES, &node->unevaluated_properties);
}
