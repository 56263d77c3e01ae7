/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Form ask: a server's questions (MCP elicitation) put to the person at the terminal, on stderr and
 * stdin: field by field, with what the schema says of each, and asked again when an answer does not
 * fit. An empty line takes the default, or leaves out what is not required; `!` alone cancels. A URL
 * is shown, for the person to open. The words are a stranger's and are shown harmless.
 */
#ifndef HUSTINGS_CLI_FORM_ASK_H
#define HUSTINGS_CLI_FORM_ASK_H

#include "base/fault.h"
#include "wire/scan.h"

#include <stdio.h>

struct form_terminal {
	FILE *in;
	FILE *out;
};

/* `requests` is inputRequests of MCP 2026-07-28; `answers` becomes inputResponses, a JSON object. */
bool form_ask_all(const struct form_terminal *terminal, const struct scan_value *requests,
	struct text *answers, struct fault *why) MUST_USE;

/* One line of a person's, without its end; one that does not fit becomes what fits nothing. False:
 * there are no more. */
bool form_line(FILE *in, char *line, size_t size) MUST_USE;

#endif
