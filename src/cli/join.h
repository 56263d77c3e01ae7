/* SPDX-License-Identifier: Apache-2.0 */
/* Join: `hustings join TOPIC`, a room in the terminal. */
#ifndef HUSTINGS_CLI_JOIN_H
#define HUSTINGS_CLI_JOIN_H

int join_command(int argc, char **argv);

#endif
