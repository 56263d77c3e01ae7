/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Schema parts: what a schema is once it has been read. Private to mcp/schema*.
 *
 * Everything lies in the schema's arena or shows its copy of the text; only patterns are owned one by
 * one (schema->patterns). Nothing here changes after schema_read(). A node is a schema inside the
 * schema, its keywords put together by the type of instance they speak of; a group that no keyword
 * asked for is NULL.
 */
#ifndef HUSTINGS_MCP_SCHEMA_PARTS_H
#define HUSTINGS_MCP_SCHEMA_PARTS_H

#include "base/arena.h"
#include "base/pattern.h"
#include "mcp/schema_decimal.h"
#include "mcp/schema_finding.h"
#include "mcp/schema_format.h"
#include "wire/scan_value.h"

enum schema_type {
	SCHEMA_NULL = 1,
	SCHEMA_BOOLEAN = 2,
	SCHEMA_INTEGER = 4,
	SCHEMA_NUMBER = 8,
	SCHEMA_STRING = 16,
	SCHEMA_ARRAY = 32,
	SCHEMA_OBJECT = 64,
	SCHEMA_TYPES = 7
};

struct schema_node;

struct schema_nodes {
	const struct schema_node **list;
	size_t count;
};

struct schema_bound {
	struct schema_decimal number;
	struct slice text; /* bytes NULL: there is none */
};

struct schema_numbers {
	struct schema_bound least, most, above, below;
	struct schema_divisor divisor;
	struct slice divisor_text; /* bytes NULL: there is none */
};

struct schema_strings {
	size_t least, most; /* characters; SIZE_MAX: no bound */
	const struct pattern *pattern;
	struct slice pattern_text;
	enum schema_format format;
};

struct schema_arrays {
	size_t least, most;
	struct schema_nodes prefix;
	const struct schema_node *rest; /* of what stands behind the prefix */
	const char *rest_keyword;
	const struct schema_node *contains;
	size_t contains_least, contains_most;
	bool is_unique;
};

struct schema_property {
	struct slice name;
	const struct schema_node *node; /* NULL: required and nothing else */
	size_t required;                /* which of the required ones; SIZE_MAX: none */
};

struct schema_patterned {
	const struct pattern *pattern; /* NULL: it is none, and may mean any name */
	const struct schema_node *node;
};

/* What the presence of one member asks for. */
struct schema_dependency {
	struct slice name;
	const struct schema_node *node;    /* may be NULL */
	const struct scan_value *required; /* may be NULL: an array of strings */
	const char *keyword;
};

struct schema_objects {
	size_t least, most;
	struct schema_property *properties; /* by length, then octets */
	size_t property_count;
	size_t required_count;
	struct schema_patterned *patterned;
	size_t patterned_count;
	const struct schema_node *additional;
	const struct schema_node *names;
	struct schema_dependency *dependencies;
	size_t dependency_count;
};

/* Schemas that speak of the same instance. */
struct schema_applied {
	const struct schema_node *reference;
	const struct schema_node *dynamic; /* where it leads when no other is in scope */
	struct slice dynamic_name;         /* bytes NULL: it leads there and nowhere else */
	struct schema_nodes all, any, one;
	const struct schema_node *none, *condition, *then, *otherwise;
};

struct schema_anchor {
	const struct schema_anchor *next;
	struct slice name;
	const struct schema_node *node;
	bool is_dynamic;
};

/* A schema with a URI of its own, and all in it that has none. */
struct schema_resource {
	struct schema_resource *next;
	struct slice uri; /* whole, without "#" */
	const struct schema_node *root;
	const struct schema_anchor *anchors;
	bool is_old; /* up to draft-07: what stands beside $ref counts for nothing */
};

enum schema_kind {
	SCHEMA_RULES,
	SCHEMA_ANYTHING, /* true */
	SCHEMA_NOTHING,  /* false */
};

struct schema_node {
	struct schema_node *next; /* as they were found */
	const struct schema_node *up;
	struct schema_resource *resource;
	struct scan_value value;
	size_t offset; /* of the value in the text */
	enum schema_kind kind;
	unsigned types; /* of enum schema_type; 0: any */
	struct schema_numbers *numbers;
	struct schema_strings *strings;
	struct schema_arrays *arrays;
	struct schema_objects *objects;
	struct schema_applied *applied;
	const struct scan_value *constant; /* const */
	const struct scan_value *choices;  /* enum: an array */
	const struct schema_node *unevaluated_items, *unevaluated_properties;
};

struct schema_pattern {
	struct schema_pattern *next;
	struct pattern *pattern;
};

struct schema {
	char *text;
	struct arena arena;
	const struct schema_node *root;
	struct schema_pattern *patterns;
	struct schema_note notes[SCHEMA_NOTES];
	size_t note_count;
	size_t node_count;
	bool asserts_formats;
};

#endif
