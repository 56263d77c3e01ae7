/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Import list: the entries of another program's list of MCP servers, as the readers of both languages
 * gather them. Everything lies in the file's arena.
 */
#ifndef HUSTINGS_CLI_IMPORT_LIST_H
#define HUSTINGS_CLI_IMPORT_LIST_H

#include "base/arena.h"
#include "base/text.h"

#define IMPORT_OCTETS ((size_t)16 * 1024 * 1024)
#define IMPORT_SERVERS 1000

enum import_kind {
	IMPORT_MCP_SERVERS = 1,
	IMPORT_VS_CODE = 2,
	IMPORT_CODEX = 4,
};

enum import_type {
	IMPORT_STRING,
	IMPORT_BOOLEAN,
	IMPORT_LIST,
	IMPORT_TABLE,
	IMPORT_OTHER
};

struct import_pair { /* of lists the value alone; strings without NUL */
	struct import_pair *next;
	struct slice name;
	struct slice value;
};

struct import_pairs {
	struct import_pair *first;
	struct import_pair **end;
	size_t count;
};

struct import_field {
	struct import_field *next;
	struct slice name;
	enum import_type type;
	struct slice string;
	bool boolean;
	struct import_pairs pairs; /* of lists and tables */
};

struct import_entry {
	struct import_entry *next;
	struct slice name;
	enum import_kind kind;
	struct import_field *fields;
};

struct import_file {
	struct arena memory;
	struct import_entry *entries;
	struct import_entry **end;
	size_t count;
	struct import_pairs inputs; /* VS Code: an input's id, and what it is for */
	size_t elsewhere;           /* Claude Code: servers of single projects, which are not read */
	bool failed;                /* no memory for something */
};

/* Without memory they mark the file. Strings are copied. */
struct import_entry *import_list_add_entry(struct import_file *file, struct slice name, enum import_kind kind);
struct import_field *import_list_add_field(struct import_file *file, struct import_entry *entry,
	struct slice name);
void import_list_add_pair(struct arena *memory, bool *failed, struct import_pairs *pairs, struct slice name,
	struct slice value);

#endif
