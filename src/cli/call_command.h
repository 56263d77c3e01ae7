/* SPDX-License-Identifier: Apache-2.0 */
/* Call command: `hustings call TOPIC PARTICIPANT TOOL [JSON]`, one call of a participant's tool. */
#ifndef HUSTINGS_CLI_CALL_COMMAND_H
#define HUSTINGS_CLI_CALL_COMMAND_H

int call_command(int argc, char **argv);

#endif
