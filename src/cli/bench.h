/* SPDX-License-Identifier: Apache-2.0 */
/* Bench: `hustings bench fanout|ping|idle|connect` against any MCPx gateway, `call` against any MCP endpoint. */
#ifndef HUSTINGS_CLI_BENCH_H
#define HUSTINGS_CLI_BENCH_H

int bench_command(int argc, char **argv);

#endif
