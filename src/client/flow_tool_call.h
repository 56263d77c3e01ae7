/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Flow tool call: tools/call of a flow tool. Who fills in forms is asked, one question after another: a
 * legacy caller by elicitation/create while its call is open; a modern one by answers that ask for input,
 * whose requestState is the whole session as a signed token (flow/flow_token.h), so that nothing is kept
 * between them. Who does not is told what is missing.
 */
#ifndef HUSTINGS_CLIENT_FLOW_TOOL_CALL_H
#define HUSTINGS_CLIENT_FLOW_TOOL_CALL_H

#include "client/flow_desk.h"
#include "client/library_request.h"

/* Of struct hustings_tool: its context is the struct flow_tool. Takes the request. */
void flow_tool_call_run(void *context, struct hustings_request *request, struct hustings_json arguments);
/* A modern caller comes again. True: it was taken, and the question with it; false: it begins. */
bool flow_tool_call_again(struct hustings *hustings, const struct caller *caller, struct peer_question *question,
	const struct jsonrpc *request, struct slice name) MUST_USE;

#endif
