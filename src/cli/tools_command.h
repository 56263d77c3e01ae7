/* SPDX-License-Identifier: Apache-2.0 */
/* Tools command: `hustings tools TOPIC [PARTICIPANT]`, who offers what in a room. */
#ifndef HUSTINGS_CLI_TOOLS_COMMAND_H
#define HUSTINGS_CLI_TOOLS_COMMAND_H

int tools_command(int argc, char **argv);

#endif
