/* SPDX-License-Identifier: Apache-2.0 */
/* Say: `hustings say TOPIC TEXT`, one chat message. */
#ifndef HUSTINGS_CLI_SAY_H
#define HUSTINGS_CLI_SAY_H

int say_command(int argc, char **argv);

#endif
