/* SPDX-License-Identifier: Apache-2.0 */
/* Config flags: the flags of `serve` and `config check` as values of keys. */
#ifndef HUSTINGS_CLI_CONFIG_FLAGS_H
#define HUSTINGS_CLI_CONFIG_FLAGS_H

#include "cli/command.h"
#include "cli/config.h"

/* The whole configuration, as this command line and environment say. `file` NULL: looked for. */
struct config *config_flags_read(const struct command_line *line, const char *file,
	char **environment, struct fault *why) MUST_USE;

#endif
