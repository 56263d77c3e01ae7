/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mgp_form: a callback of MGP (mcp/mgp_callback.h) as a form of MCP's elicitation, and such a form as a
 * callback (docs/protocol.md). Plain functions, any thread.
 */
#ifndef HUSTINGS_MCP_MGP_FORM_H
#define HUSTINGS_MCP_MGP_FORM_H

#include "mcp/mgp_callback.h"

/* A form that somebody is asked by a callback; it lies in the params that it was read from. */
struct mgp_form {
	struct mgp_callback callback; /* without an id */
	struct slice field;           /* the one property's key, as it stands in JSON; bytes NULL: all of them */
};

/* Params of elicitation/create: one property `response`, or what the callback's schema says. */
void mgp_form_write(struct text *to, const struct mgp_callback *callback);
/* The callback's answer that the result of such an elicitation holds; what fits nothing is "invalid". */
void mgp_form_answer(struct text *to, const struct mgp_callback *callback, const struct scan_value *result);

/* Params of elicitation/create: one property is a selection (enum), a confirmation (boolean) or an input
 * (string); all else an input whose answer is an object. FAULT_BAD_INPUT: that is no form. */
bool mgp_form_read(const struct scan_value *params, struct mgp_form *form, struct fault *why) MUST_USE;
/* The elicitation's result that a callback's answer ({"response":...}) is. */
void mgp_form_result(struct text *to, const struct mgp_form *form, const struct scan_value *answer);

#endif
