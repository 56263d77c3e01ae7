/* SPDX-License-Identifier: Apache-2.0 */
/* Promote: `hustings promote|demote ID [--topic T]` (MCPx v0.1 10.3). */
#ifndef HUSTINGS_CLI_PROMOTE_H
#define HUSTINGS_CLI_PROMOTE_H

int promote_command(int argc, char **argv);
int demote_command(int argc, char **argv);

#endif
