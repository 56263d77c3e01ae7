/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Prompt form: prompts as one form of MCP's elicitation, a field each, and what such a form was answered with. A
 * form knows strings, numbers, booleans and choices alone: what is more, an object, is a string that holds its
 * JSON. Plain functions, any thread.
 */
#ifndef HUSTINGS_FLOW_PROMPT_FORM_H
#define HUSTINGS_FLOW_PROMPT_FORM_H

#include "flow/prompt.h"

/* Params of elicitation/create, whose fields have the prompts' names. is_modern: labels of choices are written as
 * MCP 2026-07-28 has them, else as all versions before it know them. */
void prompt_form_write(struct text *to, struct slice message, const struct prompt *prompts, size_t count, bool is_modern);

/* What a form's `content` says of that prompt, to be held against it (prompt_check.h); SCAN_NONE: nothing. In the
 * content, the prompt or the arena. False: no memory. */
bool prompt_form_read(const struct scan_value *content, const struct prompt *prompt, struct arena *arena,
	struct scan_value *value) MUST_USE;

#endif
