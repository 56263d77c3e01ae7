/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mcp_line: what a line of an MCP host says of itself, as far as HTTP has to know it: kind, era, and
 * what a modern request's headers repeat (MCP 2026-07-28, transports). Spans lie in the line or the
 * arena. Any thread.
 */
#ifndef HUSTINGS_CLI_MCP_LINE_H
#define HUSTINGS_CLI_MCP_LINE_H

#include "wire/jsonrpc.h"

struct mcp_line {
	struct jsonrpc message; /* of a batch: nothing */
	bool is_batch;          /* 2025-03-26 */
	bool is_request;        /* it wants an answer; a batch: one of it does */
	bool is_modern;
	struct slice version;   /* the modern one it names; bytes NULL: none */
	struct slice name;      /* params.name or params.uri; bytes NULL: none */
	struct slice cancelled; /* JSON text of the id that notifications/cancelled names; bytes NULL */
};

/* False: *code says what JSON-RPC calls it; message.id is set as far as it could be read. */
bool mcp_line_read(struct mcp_line *line, struct slice text, struct arena *arena, int64_t *code,
	struct fault *why) MUST_USE;
/* "Name: value"; what is not plain text is written =?base64?...?= */
void mcp_line_write_header(struct text *to, const char *name, struct slice value);
/* Whether a modern request repeats its name in Mcp-Name. */
bool mcp_line_has_name_header(const struct mcp_line *line);

#endif
