/* SPDX-License-Identifier: Apache-2.0 */
/* Server command: `hustings server ...`: the hosted MCP servers of a running gateway. */
#ifndef HUSTINGS_CLI_SERVER_COMMAND_H
#define HUSTINGS_CLI_SERVER_COMMAND_H

int server_command(int argc, char **argv);

#endif
