/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Flow tool methods: interaction.* and `capabilities` for the flow tools that are offered (MCP Flow): what a
 * client asks is answered here, what it is told (interaction.prompt, interaction.complete, the warning) goes
 * to the peer that asked last.
 */
#ifndef HUSTINGS_CLIENT_FLOW_TOOL_METHODS_H
#define HUSTINGS_CLIENT_FLOW_TOOL_METHODS_H

#include "client/flow_desk.h"
#include "mcp/peer.h"

/* What `capabilities` answers, and initialize under extensions["dev.hustings/flow"]. */
#define FLOW_TOOL_CAPABILITIES \
	"{\"interactive\":true,\"version\":\"" FLOW_VERSION "\",\"features\":{\"statefulSessions\":true," \
	"\"progressTracking\":true,\"validation\":true,\"multiplePromptTypes\":true,\"sessionPersistence\":false}}"

/* True: the question was taken. False: the method is none of these, or no flow tool is offered. */
bool flow_tool_methods_asked(struct hustings *hustings, const struct flow_caller *caller,
	struct peer_question *question, const struct jsonrpc *request) MUST_USE;

#endif
