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

#include "base/fault.h"
#include "cli/import_list.h"

void import_file_init(struct import_file *file);
void import_file_finish(struct import_file *file);
/* `name` stands in faults. */
bool import_file_read(struct import_file *file, struct slice text, const char *name,
	struct fault *why) MUST_USE;

#endif
