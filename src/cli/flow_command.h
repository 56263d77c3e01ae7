/* SPDX-License-Identifier: Apache-2.0 */
/* Flow command: a tool by a guided session, `hustings flow`. */
#ifndef HUSTINGS_CLI_FLOW_COMMAND_H
#define HUSTINGS_CLI_FLOW_COMMAND_H

int flow_command(int argc, char **argv);

#endif
