/* SPDX-License-Identifier: Apache-2.0 */
/* Topic: `hustings topic list`. */
#ifndef HUSTINGS_CLI_TOPIC_H
#define HUSTINGS_CLI_TOPIC_H

int topic_command(int argc, char **argv);

#endif
