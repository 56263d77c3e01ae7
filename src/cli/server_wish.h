/* SPDX-License-Identifier: Apache-2.0 */
/* Server wish: the options of `hustings server add` as the definition that a gateway takes
 * (kernel/definition.h). Pure. */
#ifndef HUSTINGS_CLI_SERVER_WISH_H
#define HUSTINGS_CLI_SERVER_WISH_H

#include "cli/command.h"

extern const struct command_option server_wish_options[];

/* The id is the first word, the second a URL; a command stands behind --. The text holds secrets. */
bool server_wish_write(const struct command_line *line, struct text *json, struct fault *why) MUST_USE;

#endif
