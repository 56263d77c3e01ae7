/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Schema finding: what is said of an instance that does not fit, and of a schema that is not understood
 * whole; and the bounds of mcp/schema.h.
 */
#ifndef HUSTINGS_MCP_SCHEMA_FINDING_H
#define HUSTINGS_MCP_SCHEMA_FINDING_H

#include "base/dialect.h"

#define SCHEMA_OCTETS ((size_t)1 << 20)
#define SCHEMA_NODES 20000
#define SCHEMA_NOTES 32    /* the first ones */
#define SCHEMA_NESTING 256 /* schemas applied inside one another while checking */

/* Something that does not count. Shows the schema's memory. */
struct schema_note {
	const char *where; /* JSON pointer into the schema, for people: hidden characters are left out */
	const char *what;  /* a sentence */
};

/* Why an instance does not fit. */
struct schema_finding {
	const char *keyword; /* "required"; "" when the check came to no end */
	char where[200];     /* JSON pointer into the instance: "" is the whole; cut where it is longer */
	char sentence[240];  /* "arguments.count is 12: at most 10". Shows no string of the instance */
};

/* Where findings go: the caller fills in the first three members. */
struct schema_findings {
	const char *subject; /* what the sentences call the instance: "arguments"; NULL: "it" */
	struct schema_finding *list;
	size_t most; /* that the list has room for; the check ends when it is full */
	size_t count;
};

#endif
