/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Import file: another program's list of MCP servers, read as it stands there: names, fields, values.
 *
 * Known are `mcpServers` (Claude Desktop, Claude Code, Cursor), `servers` with `inputs` (VS Code, also
 * below `mcp` in its settings), both JSON that may hold comments and trailing commas, and
 * `[mcp_servers]` (Codex, TOML). What the fields mean is import_servers.h's.
 * Owned: import_file_init(), import_file_finish(); all it shows lives in its arena until then.
 */
#ifndef HUSTINGS_CLI_IMPORT_FILE_H
#define HUSTINGS_CLI_IMPORT_FILE_H

#include "base/arena.h"
#include "base/fault.h"
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

void import_file_init(struct import_file *file);
void import_file_finish(struct import_file *file);
/* `name` stands in faults. */
bool import_file_read(struct import_file *file, struct slice text, const char *name,
	struct fault *why) MUST_USE;

/* For the readers of the two languages; without memory they mark the file. Strings are copied. */
struct import_entry *import_entry_add(struct import_file *file, struct slice name, enum import_kind kind);
struct import_field *import_field_add(struct import_file *file, struct import_entry *entry,
	struct slice name);
void import_pair_add(struct arena *memory, bool *failed, struct import_pairs *pairs, struct slice name,
	struct slice value);

/* import_json.c, import_toml.c */
bool import_json_read(struct import_file *file, struct slice text, const char *name,
	struct fault *why) MUST_USE;
bool import_toml_read(struct import_file *file, struct slice text, const char *name,
	struct fault *why) MUST_USE;

#endif
