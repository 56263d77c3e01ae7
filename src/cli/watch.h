/* SPDX-License-Identifier: Apache-2.0 */
/* Watch: `hustings watch TOPIC`, everything that passes in a room, until it is ended. */
#ifndef HUSTINGS_CLI_WATCH_H
#define HUSTINGS_CLI_WATCH_H

int watch_command(int argc, char **argv);

#endif
