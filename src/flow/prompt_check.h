/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Prompt check: an answer held against its prompt (MCP Flow, interaction.respond; input validation), before
 * anything else sees it. Bounded in time: patterns have counted steps. Plain functions, any thread.
 */
#ifndef HUSTINGS_FLOW_PROMPT_CHECK_H
#define HUSTINGS_FLOW_PROMPT_CHECK_H

#include "flow/prompt.h"

#define PROMPT_ANSWER ((size_t)64 << 10) /* octets of one, as JSON */
#define PROMPT_STEPS 1000000             /* of a pattern */

struct prompt_verdict {
	bool is_valid;
	char error[240];      /* one sentence; "" when it is valid */
	char suggestion[240]; /* what would be; "" */
};

/* `value` as it came, scanned; SCAN_NONE or null: no answer, which is fine where none is required. False: no
 * memory. */
bool prompt_check(const struct prompt *prompt, const struct scan_value *value, struct arena *arena,
	struct prompt_verdict *verdict) MUST_USE;
/* The object {"valid","error","suggestion"}. */
void prompt_write_verdict(struct text *to, const struct prompt_verdict *verdict);

#endif
