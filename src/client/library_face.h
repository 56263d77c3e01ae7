/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Library face: what participants of a room ask of us besides tools: guided sessions (MCP Flow), and what
 * initialize says of them. For client/library*.c alone.
 */
#ifndef HUSTINGS_CLIENT_LIBRARY_FACE_H
#define HUSTINGS_CLIENT_LIBRARY_FACE_H

#include "client/flow_tool_methods.h"

#define LIBRARY_FACE_CAPABILITIES \
	"{\"tools\":{\"listChanged\":true},\"extensions\":{\"" FLOW_EXTENSION "\":" FLOW_TOOL_CAPABILITIES "}}"

/* Of struct guest_options, whose context is the room. */
bool library_face_asked(void *context, struct slice from, struct peer_question *question,
	const struct jsonrpc *request) MUST_USE;

#endif
