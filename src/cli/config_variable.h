/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Config variable: what a configuration takes from its surroundings: ${NAME}, ${NAME:-DEFAULT}, and
 * ${file:PATH}, a file's content without the line ends behind it, for secrets that lie in files. $${
 * is a plain ${. Plain functions.
 */
#ifndef HUSTINGS_CLI_CONFIG_VARIABLE_H
#define HUSTINGS_CLI_CONFIG_VARIABLE_H

#include "base/fault.h"
#include "base/text.h"

#define CONFIG_VARIABLE_FILE (64 * 1024) /* octets of such a file */

const char *config_variable(char **environment, struct slice name); /* NULL: not set */
/* `string` with all of these filled in. FAULT_BAD_INPUT, or why a file cannot be read; never what
 * stands in it. */
bool config_variable_fill(char **environment, const char *string, struct text *to,
	struct fault *why) MUST_USE;

#endif
