/* SPDX-License-Identifier: Apache-2.0 */
/* Send: `hustings send TOPIC [ENVELOPE]`, envelopes from the command line or from stdin. */
#ifndef HUSTINGS_CLI_SEND_H
#define HUSTINGS_CLI_SEND_H

int send_command(int argc, char **argv);

#endif
