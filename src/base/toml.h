/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Toml: a TOML text as a tree of plain values with their lines. Owned: toml_close() frees all.
 * The parser is toml++ (base/toml.cpp, no exceptions); a syntax error names its line and column.
 * Bounded: a text of at most 1 MiB, values nested at most 32 deep, keys of at most 33 parts, trees at
 * most 64 deep (FAULT_TOO_LARGE beyond).
 */
#ifndef HUSTINGS_BASE_TOML_H
#define HUSTINGS_BASE_TOML_H

#ifdef __cplusplus
extern "C" {
#endif

#include "base/dialect.h"
#include "base/fault.h"
#include "base/text.h"

enum toml_kind {
	TOML_STRING,
	TOML_INTEGER,
	TOML_FLOAT,
	TOML_BOOLEAN,
	TOML_DATE,
	TOML_ARRAY,
	TOML_TABLE
};

/* One value; `key` is NULL inside arrays and at the root. Children of arrays and tables are a chain
 * in the order of the text. */
struct toml {
	enum toml_kind kind;
	unsigned line;   /* from 1; of the key where there is one */
	unsigned column; /* from 1, in characters */
	char *key;
	char *string; /* of strings and dates, NUL ended; no NUL inside */
	int64_t integer;
	double number;
	bool boolean;
	struct toml *first;
	struct toml *next;
};

/* The root table; NULL: `why` begins with "NAME:LINE:COLUMN: ". */
struct toml *toml_open(struct slice text, const char *name, struct fault *why) MUST_USE;
void toml_close(struct toml *root);                                /* NULL is fine */
struct toml *toml_find(const struct toml *table, const char *key); /* NULL: none */

#ifdef __cplusplus
}
#endif
#endif
