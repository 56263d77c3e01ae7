/* SPDX-License-Identifier: Apache-2.0 */
/* Mcp command: `hustings mcp`: the gateway's MCP faces on stdin and stdout, for MCP hosts. */
#ifndef HUSTINGS_CLI_MCP_COMMAND_H
#define HUSTINGS_CLI_MCP_COMMAND_H

int mcp_command(int argc, char **argv);

#endif
