/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Flow form: one prompt of a guided session (MCP Flow) as lines of a terminal, and a person's line as its answer.
 * The words are a stranger's and are shown harmless. Plain functions, any thread.
 */
#ifndef HUSTINGS_CLI_FLOW_FORM_H
#define HUSTINGS_CLI_FLOW_FORM_H

#include "flow/prompt.h"

#include <stdio.h>

enum flow_form_answer {
	FLOW_FORM_ANSWER, /* `json` is it */
	FLOW_FORM_AGAIN,  /* it does not fit; said on `out` */
	FLOW_FORM_NO_MEMORY,
};

/* The question, its choices with numbers, and what may be written; ends behind "> ". `progress` may be SCAN_NONE. */
void flow_form_show(FILE *out, const struct prompt *prompt, const struct scan_value *progress);
/* An empty line takes the default, or leaves out what is not required. A choice is meant by its number, its value
 * or its label, a file by its path. What does not fit the prompt is not sent. */
enum flow_form_answer flow_form_read(FILE *out, const struct prompt *prompt, struct slice line, struct text *json);
/* {"valid":false,"error","suggestion"} of whoever was answered. */
void flow_form_show_verdict(FILE *out, const struct scan_value *validation);

#endif
