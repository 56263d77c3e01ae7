/* SPDX-License-Identifier: Apache-2.0 */
/* Decision command: `hustings pending`, `show`, `approve` and `deny`: questions to people. */
#ifndef HUSTINGS_CLI_DECISION_COMMAND_H
#define HUSTINGS_CLI_DECISION_COMMAND_H

int pending_command(int argc, char **argv);
int show_command(int argc, char **argv);
int approve_command(int argc, char **argv);
int deny_command(int argc, char **argv);

#endif
