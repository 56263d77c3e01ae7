/* SPDX-License-Identifier: Apache-2.0 */
/* Call command: `hustings call`: one call of a tool, of a participant or of a hosted server. */
#ifndef HUSTINGS_CLI_CALL_COMMAND_H
#define HUSTINGS_CLI_CALL_COMMAND_H

int call_command(int argc, char **argv);

#endif
