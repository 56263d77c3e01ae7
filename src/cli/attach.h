/* SPDX-License-Identifier: Apache-2.0 */
/* Attach: `hustings attach TOPIC --id ID -- COMMAND...`, any stdio MCP server in a room. */
#ifndef HUSTINGS_CLI_ATTACH_H
#define HUSTINGS_CLI_ATTACH_H

int attach_command(int argc, char **argv);

#endif
