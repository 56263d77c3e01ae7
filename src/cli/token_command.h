/* SPDX-License-Identifier: Apache-2.0 */
/* Token command: `hustings token create|list|revoke`, on files or on a running gateway. */
#ifndef HUSTINGS_CLI_TOKEN_COMMAND_H
#define HUSTINGS_CLI_TOKEN_COMMAND_H

int token_command(int argc, char **argv);

#endif
