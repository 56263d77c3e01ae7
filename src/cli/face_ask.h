/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Face ask: one request of a command to an MCP face of its gateway, waited for. MCP 2026-07-28:
 * without a session, so that one POST is all of it; what the server asks back meanwhile is put to the
 * user (form_ask.h), and the request is made again with the answers.
 */
#ifndef HUSTINGS_CLI_FACE_ASK_H
#define HUSTINGS_CLI_FACE_ASK_H

#include "cli/reach.h"

struct face_question {
	const struct reach *reach;
	const char *server;        /* one hosted server; NULL: all of them */
	const char *method;        /* "tools/call" */
	struct slice name;         /* of the tool; length 0: the method has none */
	struct slice params;       /* JSON object; length 0: none */
	struct slice capabilities; /* JSON object, of who asks without a person; length 0: none */
	uint64_t timeout_ms;       /* of the whole, without the time in which the user is asked */
	bool is_attended;          /* a person is at the terminal: questions are asked, progress is shown */
};

/* The result as it came, JSON text. FAULT_REFUSED: the other side answers with an error. */
bool face_ask(const struct face_question *question, struct text *result, struct fault *why) MUST_USE;
/* All pages of tools/list as one {"tools":[...]}. */
bool face_ask_tools(const struct face_question *question, struct text *result,
	struct fault *why) MUST_USE;

#endif
