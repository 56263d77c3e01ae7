/* SPDX-License-Identifier: Apache-2.0 */
/* Ask: one HTTP request of a command to its gateway, waited for. */
#ifndef HUSTINGS_CLI_ASK_H
#define HUSTINGS_CLI_ASK_H

#include "cli/reach.h"

/* The answer's body; any status but 2xx is a fault with the gateway's own words. `body` empty: none.
 * `method` NULL: GET. */
bool ask(const struct reach *reach, const char *method, const char *path, struct slice body,
	struct text *answer, struct fault *why) MUST_USE;

/* What an answer with another status says, as a fault; returns false. */
bool ask_refused(unsigned status, struct slice body, struct fault *why);

#endif
