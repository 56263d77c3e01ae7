/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Schema run: one check of one instance. What it may still spend, where it stands in the instance, and
 * what it has found. Private to mcp/schema*; lives on the stack of schema_check().
 *
 * Steps that have come to 0 end the run: from then on every answer is false and means nothing, so who
 * turns a false into something else (not, anyOf, if) asks schema_run_is_over() first.
 */
#ifndef HUSTINGS_MCP_SCHEMA_RUN_H
#define HUSTINGS_MCP_SCHEMA_RUN_H

#include "mcp/schema_equal.h"
#include "mcp/schema_marks.h"
#include "mcp/schema_parts.h"
#include "wire/scan.h"

/* Where in the instance: one for each level, innermost first; NULL: the whole. */
struct schema_place {
	const struct schema_place *up;
	struct slice key; /* as it stands; bytes NULL: `index` it is */
	size_t index;
	bool key_escaped;
	bool is_name; /* the key itself, as propertyNames sees it */
};

/* The resources that were entered on the way, innermost first. */
struct schema_scope {
	const struct schema_scope *up;
	const struct schema_resource *resource;
};

struct schema_run;

/* Holds an instance against a schema; schema_visit(), which the others call back. */
typedef bool schema_visit_fn(struct schema_run *run, const struct schema_node *node,
	const struct scan_value *value, const struct schema_place *place, struct schema_marks *marks);

struct schema_run {
	const struct schema *schema;
	schema_visit_fn *visit;
	uint64_t steps;
	const char *over; /* why the run ended, when it is not that the steps were spent */
	unsigned depth;
	unsigned quiet;                   /* more than 0: nobody wants to know why something does not fit */
	bool explains;                    /* a second look, to say which of several schemas was meant */
	struct schema_findings *findings; /* may be NULL */
	const struct schema_scope *scope;
	struct arena memory; /* for the whole run */
	struct arena leaf;   /* for one string at a time: schema_run_string() empties it */
};

static inline bool schema_run_is_over(const struct schema_run *run) {
	return run->steps == 0;
}
/* Nothing that follows can change the answer or be told. */
static inline bool schema_run_may_stop(const struct schema_run *run) {
	return run->quiet || !run->findings || run->findings->count >= run->findings->most ||
		schema_run_is_over(run);
}
/* What was taken of run->memory since it was noted is given back, as far as that goes without blocks of
 * its own: the last one to note gives first. */
struct schema_room {
	struct arena_block *blocks;
	size_t used;
};
static inline struct schema_room schema_room_note(const struct schema_run *run) {
	return (struct schema_room){run->memory.blocks, run->memory.used};
}
static inline void schema_room_give(struct schema_run *run, struct schema_room before) {
	if (run->memory.blocks == before.blocks) run->memory.used = before.used;
}
/* Ends the run, for that reason if it is the first; false. */
bool schema_run_end(struct schema_run *run, const char *why) __attribute__((cold));
/* False: the run is over. For a look at that much text. */
static inline bool schema_run_take(struct schema_run *run, struct slice text) {
	return schema_steps_take(&run->steps, 1 + text.length / 64);
}
/* The characters of a string, valid until the next call. False: the run is over. */
bool schema_run_string(struct schema_run *run, struct slice inner, bool is_escaped,
	struct slice *string) MUST_USE;

/* The sentence's beginning is the place: "arguments.count". False. */
bool schema_run_say(struct schema_run *run, const struct schema_place *place, const char *keyword,
	const char *format, ...) PRINTF_LIKE(4, 5) __attribute__((cold));
/* "12", "true", "null"; else "a string", "an array", "an object". */
const char *schema_run_shown(const struct scan_value *value, char *to, size_t size);
/* "a string or null" */
const char *schema_run_types(unsigned types, char *to, size_t size);

#endif
