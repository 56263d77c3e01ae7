/* SPDX-License-Identifier: Apache-2.0 */
/* Console command: the link with which a browser signs in to the console. */
#ifndef HUSTINGS_CLI_CONSOLE_COMMAND_H
#define HUSTINGS_CLI_CONSOLE_COMMAND_H

int console_command(int argc, char **argv);

#endif
