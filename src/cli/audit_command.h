/* SPDX-License-Identifier: Apache-2.0 */
/* Audit command: `hustings audit [list]|verify|export|stats`. */
#ifndef HUSTINGS_CLI_AUDIT_COMMAND_H
#define HUSTINGS_CLI_AUDIT_COMMAND_H

int audit_command(int argc, char **argv);

#endif
