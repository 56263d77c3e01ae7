/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Flow tool pass: the function of a flow tool, called from its beginning until it asks or ends. What is on
 * record in the session is handed out; everything else a pass knows is gone with it.
 */
#ifndef HUSTINGS_CLIENT_FLOW_TOOL_PASS_H
#define HUSTINGS_CLIENT_FLOW_TOOL_PASS_H

#include "client/flow_desk.h"
#include "flow/prompt.h"

struct hustings_flow {
	struct flow_tool *tool;
	struct flow_session *session;
	const char *from;
	struct arena arena; /* of this pass: what is handed out lies there */
	int64_t now;
	bool is_done;   /* it asked, ended or went back: what comes after counts for nothing */
	bool went_back; /* the function is due again */
	struct prompt_progress progress;
	bool has_progress;
};

/* The session is active or processing. Afterwards it waits for an answer, is completed, or is in error. */
void flow_tool_pass(struct flow_tool *tool, struct flow_session *session, const char *from);

/* For the functions of hustings.h: whether the answer is on record; else it is asked, or the session fails. */
bool flow_tool_pass_ask(struct hustings_flow *flow, const char *name, enum prompt_type type,
	const struct hustings_field *field, struct scan_value *answer);
/* Ends it with this CallToolResult. */
void flow_tool_pass_end(struct hustings_flow *flow, bool is_success, const struct text *result);
void flow_tool_pass_fail(struct hustings_flow *flow, const char *what); /* the tool is at fault */

#endif
