/* SPDX-License-Identifier: Apache-2.0 */
/* Tools find: `hustings tools --find`: the gateway's index of tools is asked (MGP 16.5), and shown as a table. */
#ifndef HUSTINGS_CLI_TOOLS_FIND_H
#define HUSTINGS_CLI_TOOLS_FIND_H

#include "cli/command.h"

/* Whether the line asks for it: --find or --category stand there. */
bool tools_find_is_meant(const struct command_line *line);
/* The words --find, --category, --max and --strategy. `server` NULL: all of them. The exit status. */
int tools_find_run(const struct command_line *line, const char *server, uint64_t timeout_ms);

/* The result of mgp/tools/discover as a table. Pure. */
bool tools_find_write(struct slice result, struct text *to, size_t *count, struct fault *why) MUST_USE;

#endif
