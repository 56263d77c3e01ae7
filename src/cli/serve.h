/* SPDX-License-Identifier: Apache-2.0 */
/* Serve: `hustings serve`, the gateway until it is told to end. */
#ifndef HUSTINGS_CLI_SERVE_H
#define HUSTINGS_CLI_SERVE_H

int serve_command(int argc, char **argv);

#endif
