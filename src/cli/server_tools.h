/* SPDX-License-Identifier: Apache-2.0 */
/* Server tools: `hustings call` and `hustings tools` where they mean hosted servers, not a room. */
#ifndef HUSTINGS_CLI_SERVER_TOOLS_H
#define HUSTINGS_CLI_SERVER_TOOLS_H

#include "cli/command.h"

/* `server` NULL: all of them, at /mcp. The exit status. */
int server_tools_call(const struct command_line *line, const char *server, const char *tool,
	struct slice arguments, uint64_t timeout_ms);
int server_tools_list(const struct command_line *line, const char *server, uint64_t timeout_ms);

#endif
