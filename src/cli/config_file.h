/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Config file: one TOML text into a config: every key known, every ${VARIABLE} set, every fault with
 * file and line.
 */
#ifndef HUSTINGS_CLI_CONFIG_FILE_H
#define HUSTINGS_CLI_CONFIG_FILE_H

#include "cli/config_shape.h"
#include "cli/config_variable.h"

#define CONFIG_FILE_OCTETS (1024 * 1024)

/* `name` stands in faults. */
bool config_file_apply(struct config *config, struct slice text, const char *name,
	char **environment, struct fault *why) MUST_USE;
/* The file's octets, from malloc. */
bool config_file_load(const char *path, struct text *text, struct fault *why) MUST_USE;
/* Where the file is (--config, $MGP_CONFIG_PATH, ./mgp.toml, ~/.config/mgp/servers.toml), copied; NULL:
 * none of the last two exists, and why->code stays as it was. */
bool config_file_find(const char *named, char **environment, struct arena *memory,
	const char **path, bool *is_found, struct fault *why) MUST_USE;

#endif
