/* SPDX-License-Identifier: Apache-2.0 */
/* Config command: `hustings config check|schema`. */
#ifndef HUSTINGS_CLI_CONFIG_COMMAND_H
#define HUSTINGS_CLI_CONFIG_COMMAND_H

int config_command(int argc, char **argv);

#endif
