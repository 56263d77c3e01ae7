/* SPDX-License-Identifier: Apache-2.0 */
/* Access command: `hustings access query|grant|revoke|list`: who may use which hosted server (MGP 5). */
#ifndef HUSTINGS_CLI_ACCESS_COMMAND_H
#define HUSTINGS_CLI_ACCESS_COMMAND_H

int access_command(int argc, char **argv);

#endif
