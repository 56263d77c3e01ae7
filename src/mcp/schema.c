/* SPDX-License-Identifier: Apache-2.0 */
/* Schema: from a text to nodes, and from an instance to yes or no. */
#include "mcp/schema.h"
#include "mcp/schema_identity.h"
#include "mcp/schema_nested.h"
#include "mcp/schema_rules.h"
#include "mcp/schema_visit.h"

#include <stdlib.h>

#define ARENA_OCTETS ((size_t)64 << 20)  /* of a schema that was read */
#define MEMORY_OCTETS ((size_t)64 << 20) /* of one check */
#define LEAF_OCTETS ((size_t)64 << 20)
#define STEPS 1000000 /* of one check, and two for each octet of the instance */

/* ---- Reading ---- */

static void words_gather(struct schema_reader *reader, const struct schema_node *node,
	struct schema_words *words) {
	struct scan_walk walk;
	struct scan_member member;
	*words = (struct schema_words){0};
	for (scan_open(&walk, &node->value); scan_next(&walk, &member);) {
		enum schema_keyword keyword = schema_keyword_find(&member);
		if (keyword == SCHEMA_KEYWORDS) {
			schema_reader_note(reader, member.key.bytes, "the keyword is unknown, and counts for nothing");
			continue;
		}
		if (keyword != KEY_REMARK && schema_word(words, keyword))
			schema_reader_note(reader, member.key.bytes,
				"the keyword stands here twice: the last one counts");
		words->values[keyword] = member.value;
	}
}

static bool node_read(struct schema_reader *reader, struct schema_node *node) {
	struct schema_words words;
	words_gather(reader, node, &words);
	if (!node->resource && node->up) node->resource = node->up->resource;
	if (!schema_identity_read(reader, node, &words)) return false;
	if (node->value.type == SCAN_BOOLEAN) {
		node->kind = node->value.text.bytes[0] == 't' ? SCHEMA_ANYTHING : SCHEMA_NOTHING;
		return true;
	}
	bool is_alone = node->resource->is_old && schema_word(&words, KEY_REF);
	return (is_alone || schema_rules_read(reader, node, &words)) &&
		schema_nested_read(reader, node, &words) && schema_nested_definitions(reader, node, &words);
}

/* A reference may lead to what nobody has read yet, and that to further references. */
static bool nodes_read(struct schema_reader *reader) {
	const struct schema_node *root;
	if (!schema_reader_child(reader, NULL, &reader->root, &root)) return false;
	reader->schema->root = root;
	while (reader->unread || reader->references) {
		struct schema_node *node = reader->unread;
		struct schema_reference *reference = reader->references;
		if (node) {
			reader->unread = node->next;
			if (!node_read(reader, node)) return false;
		} else {
			reader->references = reference->next;
			if (!schema_identity_follow(reader, reference)) return false;
		}
	}
	return true;
}

static bool text_read(struct schema_reader *reader, struct slice json) {
	struct scan_fault fault;
	reader->schema->text = slice_copy(json);
	if (!reader->schema->text)
		return fault_set(reader->why, FAULT_NO_MEMORY, "no memory for a schema");
	struct slice text = slice_make(reader->schema->text, json.length);
	if (!scan_check(text, SCAN_DEPTH, &reader->root, &fault))
		return fault_set(reader->why, FAULT_BAD_INPUT, "the schema is not JSON: %s at octet %zu",
			fault.what, fault.offset);
	if (reader->root.type == SCAN_OBJECT || reader->root.type == SCAN_BOOLEAN) return true;
	return fault_set(reader->why, FAULT_BAD_INPUT, "a schema has to be an object, true or false");
}

struct schema *schema_read_as(struct slice json, const struct schema_options *options,
	struct fault *why) {
	if (json.length > SCHEMA_OCTETS)
		return fault_null(why, FAULT_TOO_LARGE, "a schema of %zu octets: at most %zu", json.length,
			SCHEMA_OCTETS);
	AUTO(schema) schema = calloc(1, sizeof *schema);
	if (!schema) return fault_null(why, FAULT_NO_MEMORY, "no memory for a schema");
	arena_init(&schema->arena, NULL, 0, ARENA_OCTETS);
	schema->asserts_formats = options->asserts_formats;
	struct schema_reader reader = {
		.schema = schema,
		.arena = &schema->arena,
		.is_old = options->dialect == SCHEMA_DRAFT_7,
		.why = why,
	};
	map_init(&reader.by_offset);
	map_init(&reader.by_uri);
	bool is_read = text_read(&reader, json) && nodes_read(&reader);
	map_finish(&reader.by_offset);
	map_finish(&reader.by_uri);
	return is_read ? TAKE(schema) : NULL;
}

struct schema *schema_read(struct slice json, struct fault *why) {
	struct schema_options options = {.dialect = SCHEMA_2020_12};
	return schema_read_as(json, &options, why);
}

void schema_free(struct schema *schema) {
	if (!schema) return;
	for (struct schema_pattern *at = schema->patterns; at; at = at->next) pattern_free(at->pattern);
	arena_finish(&schema->arena);
	free(schema->text);
	free(schema);
}

size_t schema_note_count(const struct schema *schema) {
	return schema->note_count;
}

const struct schema_note *schema_note_at(const struct schema *schema, size_t at) {
	return at < schema->note_count ? &schema->notes[at] : NULL;
}

/* ---- Checking ---- */

/* A run that ended before its time fits nothing; whatever it found before is not the reason. */
static void over_say(struct schema_run *run) {
	if (!run->findings || !run->findings->most) return;
	run->quiet = 0;
	run->findings->count = 0;
	(void)schema_run_say(run, NULL, "", "cannot be checked: %s",
		run->over ? run->over : "it takes too many steps; send less at once");
}

bool schema_check_value(const struct schema *schema, const struct scan_value *instance,
	struct schema_findings *findings) {
	char memory[1024], leaf[256];
	struct schema_run run = {
		.schema = schema,
		.visit = schema_visit,
		.steps = STEPS + 2 * instance->text.length,
		.findings = findings,
	};
	if (findings) findings->count = 0;
	arena_init(&run.memory, memory, sizeof memory, MEMORY_OCTETS);
	arena_init(&run.leaf, leaf, sizeof leaf, LEAF_OCTETS);
	bool fits = schema_visit(&run, schema->root, instance, NULL, NULL);
	if (schema_run_is_over(&run)) {
		over_say(&run);
		fits = false;
	}
	arena_finish(&run.memory);
	arena_finish(&run.leaf);
	return fits;
}

bool schema_check(const struct schema *schema, struct slice instance,
	struct schema_findings *findings) {
	struct scan_value value;
	struct scan_fault fault;
	if (scan_check(instance, SCAN_DEPTH, &value, &fault))
		return schema_check_value(schema, &value, findings);
	struct schema_run run = {.schema = schema, .findings = findings};
	if (findings) findings->count = 0;
	return schema_run_say(&run, NULL, "", "is not JSON: %s at octet %zu", fault.what, fault.offset);
}
