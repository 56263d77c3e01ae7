/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Prompt schema: what a tool's input schema still needs, as prompts one after the other (docs/protocol.md): an
 * enumeration is a choice, a boolean a confirmation, numbers and dates what they are, every other text a text,
 * objects and arrays custom ones with their schema. In the order of `properties`; a value that is there and
 * does not fit is asked for anew. Plain functions, any thread.
 */
#ifndef HUSTINGS_FLOW_PROMPT_SCHEMA_H
#define HUSTINGS_FLOW_PROMPT_SCHEMA_H

#include "flow/prompt.h"

#define PROMPT_SCHEMA_PROPERTIES 256 /* that are looked at */

enum prompt_schema_next {
	PROMPT_SCHEMA_ASKS,      /* *prompt is the next one */
	PROMPT_SCHEMA_COMPLETE,  /* nothing is missing */
	PROMPT_SCHEMA_NO_MEMORY, /* nor time: a schema that cannot be read is complete */
};

/* `schema` is the inputSchema, `given` the arguments so far (an object, or SCAN_NONE), both scanned. The prompt's
 * slices lie in these and in the arena. *missing (may be NULL): how many there are, this one too. */
enum prompt_schema_next prompt_schema_find(const struct scan_value *schema, const struct scan_value *given,
	struct arena *arena, struct prompt *prompt, unsigned *missing);
struct prompt_schema_count {
	size_t all;    /* that are missing, or do not fit; more than `most` were not put down */
	size_t absent; /* of these, that are not there at all */
};
/* All of them at once, in their order; `prompts` has room for `most` (1 and more). Complete also where a required
 * parameter is one that nobody can be asked for, so that asking for the others would be in vain. */
enum prompt_schema_next prompt_schema_list(const struct scan_value *schema, const struct scan_value *given,
	struct arena *arena, struct prompt *prompts, size_t most, struct prompt_schema_count *count);
/* The prompt of one property, by its name; false: there is none, or no memory. */
bool prompt_schema_of(const struct scan_value *schema, struct slice name, struct arena *arena,
	struct prompt *prompt) MUST_USE;

#endif
