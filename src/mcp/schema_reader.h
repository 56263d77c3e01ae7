/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Schema reader: what is needed while a schema is being read. Private to mcp/schema*; lives on the
 * stack of schema_read(). Nodes are found first and read later, one after the other, so that reading
 * goes no deeper however the schema is nested.
 *
 * Functions that answer bool or a pointer fail for want of memory or over a bound alone, and say so in
 * reader->why; what is wrong in the schema is noted and passed over.
 */
#ifndef HUSTINGS_MCP_SCHEMA_READER_H
#define HUSTINGS_MCP_SCHEMA_READER_H

#include "base/map.h"
#include "mcp/schema_keywords.h"
#include "mcp/schema_parts.h"

/* $ref or $dynamicRef, to be followed when all nodes are known. */
struct schema_reference {
	struct schema_reference *next;
	const struct schema_node *from;
	struct schema_applied *to;
	const char *at;    /* of the text, for notes */
	struct slice text; /* escapes read */
	bool is_dynamic;
};

struct schema_reader {
	struct schema *schema;
	struct arena *arena; /* the schema's */
	struct scan_value root;
	struct map by_offset; /* where a value begins -> its node */
	struct map by_uri;    /* -> resource */
	struct schema_node *unread, *last;
	struct schema_reference *references;
	struct schema_resource *resources;
	size_t pattern_octets;
	size_t walked; /* octets of text on the way of references */
	bool is_old;   /* the dialect where "$schema" says nothing */
	struct fault *why;
};

/* Zeroed, in the schema's arena. */
void *schema_reader_new(struct schema_reader *reader, size_t size) MUST_USE;
/* The node of the schema that stands there, found before or new; *node NULL: it is no schema (noted). */
bool schema_reader_child(struct schema_reader *reader, const struct schema_node *up,
	const struct scan_value *value, const struct schema_node **node) MUST_USE;
struct schema_node *schema_reader_known(const struct schema_reader *reader,
	const struct scan_value *value);
/* `at`: somewhere in the text, which is named by its pointer. */
void schema_reader_note(struct schema_reader *reader, const char *at, const char *format, ...)
	PRINTF_LIKE(3, 4);
/* "minLength counts for nothing: it has to be ..." */
void schema_reader_note_word(struct schema_reader *reader, const struct schema_words *words,
	enum schema_keyword keyword, const char *wanted);
/* The characters of a string; those of a key. */
bool schema_reader_string(struct schema_reader *reader, const struct scan_value *value,
	struct slice *string) MUST_USE;
bool schema_reader_key(struct schema_reader *reader, const struct scan_member *member,
	struct slice *key) MUST_USE;
/* *pattern NULL: it is none (noted). */
bool schema_reader_pattern(struct schema_reader *reader, const char *at, struct slice expression,
	const struct pattern **pattern) MUST_USE;

#endif
