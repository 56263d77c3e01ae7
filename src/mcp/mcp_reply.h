/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mcp_reply: results as servers write them, in either era. Plain functions, any thread.
 */
#ifndef HUSTINGS_MCP_MCP_REPLY_H
#define HUSTINGS_MCP_MCP_REPLY_H

#include "wire/scan.h"

/* Of tools/call. `json` is JSON text; an object is structuredContent as well. */
void mcp_reply_write_text(struct text *to, struct slice words, bool is_error);
void mcp_reply_write_json(struct text *to, struct slice json);
/* Whether a result of tools/call (JSON text, sound) says isError: true. Of another form: no. */
bool mcp_reply_is_error(struct slice result);
/* Of prompts/get: one message of the user's. */
void mcp_reply_write_prompt(struct text *to, struct slice words);
/* Of resources/read: length 0 of `type`: none. `words` as text, or octets as a blob. */
void mcp_reply_write_resource(struct text *to, struct slice uri, struct slice type,
	struct slice words, bool is_blob);

#define MCP_REPLY_COMPLETIONS 100
/* Of completion/complete; `values` an array. */
void mcp_reply_write_completions(struct text *to, const struct scan_value *values);

/* A result (JSON text of an object) for a caller of MCP 2026-07-28: with its resultType, who answers
 * (`server_info`, JSON text) where its _meta does not say so, and, for what may be kept, for how
 * long (ttl_ms < 0: it is of no such kind). */
void mcp_reply_write_modern(struct text *to, struct slice result, struct slice server_info,
	int64_t ttl_ms);

#endif
