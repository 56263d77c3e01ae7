/* SPDX-License-Identifier: Apache-2.0 */
/* Audit follow: `hustings audit --follow`: a line for each record as it is added. */
#ifndef HUSTINGS_CLI_AUDIT_FOLLOW_H
#define HUSTINGS_CLI_AUDIT_FOLLOW_H

#include "cli/command.h"

int audit_follow(const struct command_line *line);

#endif
