/* SPDX-License-Identifier: Apache-2.0 */
/* Version: `hustings version`. */
#ifndef HUSTINGS_CLI_VERSION_H
#define HUSTINGS_CLI_VERSION_H

int version_command(int argc, char **argv);

#endif
