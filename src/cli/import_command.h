/* SPDX-License-Identifier: Apache-2.0 */
/* Import command: `hustings import FILE`: another program's MCP servers as [[servers]]. */
#ifndef HUSTINGS_CLI_IMPORT_COMMAND_H
#define HUSTINGS_CLI_IMPORT_COMMAND_H

int import_command(int argc, char **argv);

#endif
