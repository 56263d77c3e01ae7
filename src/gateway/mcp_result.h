/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mcp_result: a server's result or error as a message in the asker's era: what MCP 2026-07-28 wants
 * in every result is put in where the server did not say it; nothing is taken out. Any thread.
 */
#ifndef HUSTINGS_GATEWAY_MCP_RESULT_H
#define HUSTINGS_GATEWAY_MCP_RESULT_H

#include "hosted/hosted.h"
#include "wire/jsonrpc.h"

/* `method` is what was asked; `server_info` a JSON object or length 0. */
void mcp_result_write(struct text *to, struct slice id, struct slice result, bool is_modern,
	struct slice method, struct slice server_info);
/* The same up to where the server's own octets begin, which are handed out: they follow as they are,
 * and behind them one more brace. */
struct slice mcp_result_begin(struct text *to, struct slice id, struct slice result, bool is_modern,
	struct slice method, struct slice server_info);
/* The HTTP status of an error toward a modern client; 200 toward a legacy one. */
unsigned mcp_result_status(int64_t code, bool is_modern);
/* A fault of the kernel as a JSON-RPC error. */
void mcp_result_write_fault(struct text *to, struct slice id, const struct fault *why);

/* A result of tools/call: words, and a JSON object that is the structured content or SLICE_NONE. */
void mcp_result_write_words(struct text *to, struct slice words, bool is_error, struct slice structured);

#endif
