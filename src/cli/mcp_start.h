/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mcp_start: a gateway for an MCP host that found none: `hustings serve` on the data folder and a
 * free port, as a process of its own session, which ends by itself some minutes after its last user.
 * DATA/start.lock settles who starts it; what it says goes to DATA/gateway.log.
 */
#ifndef HUSTINGS_CLI_MCP_START_H
#define HUSTINGS_CLI_MCP_START_H

#include "base/log.h"
#include "cli/place.h"

#define MCP_START_IDLE "5m"

/* Waits until it accepts connections. `config`: for --config; NULL: looked for by serve. *started: the
 * process, when it was started here (to be reaped: mcp_start_reap()). */
bool mcp_start(const char *data, const char *config, struct log *log, struct place_gateway *gateway,
	pid_t *started, struct fault *why) MUST_USE;
/* One that was started here and has ended is gone for good. */
void mcp_start_reap(pid_t *started);

#endif
