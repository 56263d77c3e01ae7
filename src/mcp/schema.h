/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Schema: a JSON Schema, read once, and instances held against it: the arguments of a tool against
 * its `inputSchema`. Draft 2020-12, and what drafts 4 to 7 spell otherwise.
 *
 * Owned: schema_read() and schema_free(). A schema keeps a copy of its text, is never changed once
 * read, and may be used by several threads at once. Bounded: SCHEMA_OCTETS, SCHEMA_NODES and the
 * bounds of base/pattern.h; over the first two it is not read at all.
 *
 * Nothing is fetched. What cannot be followed (a reference that leads out of the text, a keyword that
 * nobody knows or with a value that it cannot have, an expression that is none) accepts everything and
 * is noted: the caller reads the notes and decides.
 */
#ifndef HUSTINGS_MCP_SCHEMA_H
#define HUSTINGS_MCP_SCHEMA_H

#include "mcp/schema_finding.h"
#include "wire/scan.h"

struct schema;

enum schema_dialect {
	SCHEMA_2020_12, /* 2019-09 too */
	SCHEMA_DRAFT_7, /* 4 to 7: what stands beside "$ref" counts for nothing */
};

struct schema_options {
	enum schema_dialect dialect; /* where "$schema" says nothing */
	bool asserts_formats;        /* `format` is checked: those of mcp/schema_format.h */
};

/* FAULT_BAD_INPUT: not JSON, or neither object nor boolean; FAULT_TOO_LARGE; FAULT_NO_MEMORY. */
struct schema *schema_read(struct slice json, struct fault *why) MUST_USE;
struct schema *schema_read_as(struct slice json, const struct schema_options *options,
	struct fault *why) MUST_USE;
void schema_free(struct schema *schema); /* NULL is fine */
AUTO_RELEASE(schema, schema_free)

size_t schema_note_count(const struct schema *schema);
const struct schema_note *schema_note_at(const struct schema *schema, size_t at);

/* True: the instance fits. `findings` may be NULL. Takes at most a bounded number of steps and of
 * memory (none from malloc in the common case); who needs more does not fit, and a finding says so. */
bool schema_check(const struct schema *schema, struct slice instance,
	struct schema_findings *findings) MUST_USE;
/* The same of a value that scan_check() has accepted, with SCAN_DEPTH or less. */
bool schema_check_value(const struct schema *schema, const struct scan_value *instance,
	struct schema_findings *findings) MUST_USE;

#endif
