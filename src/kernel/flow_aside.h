/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Flow aside: what a tool asks while it runs in a guided session (elicitation/create), as the session's next prompt,
 * and what was answered, as the tool's server reads it. A form of one field is the prompt of that field, any other a
 * custom prompt with the form's schema. None of these has a name: an answer is no argument of the call. No answer is a
 * decline. Plain functions; Loop 0.
 */
#ifndef HUSTINGS_KERNEL_FLOW_ASIDE_H
#define HUSTINGS_KERNEL_FLOW_ASIDE_H

#include "base/fault.h"
#include "flow/prompt.h"

/* Of the question's params. *field: the one field's name, length 0 where there are several; it and the prompt's slices
 * lie in the params or the arena. FAULT_BAD_INPUT: no form of that kind; FAULT_TOO_LARGE; FAULT_NO_MEMORY. */
bool flow_aside_read(const struct scan_value *params, struct arena *arena, struct prompt *prompt, struct slice *field,
	struct fault *why) MUST_USE;
/* The result of elicitation/create. */
void flow_aside_write(struct text *to, struct slice field, const struct scan_value *value);

#endif
