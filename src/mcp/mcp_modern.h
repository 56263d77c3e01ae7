/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mcp_modern: the words of MCP 2026-07-28 and later, where every request carries what the handshake
 * said before, and a result may ask for input instead of being one. Plain functions, any thread.
 */
#ifndef HUSTINGS_MCP_MCP_MODERN_H
#define HUSTINGS_MCP_MCP_MODERN_H

#include "wire/scan.h"

#define MCP_MODERN_VERSION "2026-07-28"
#define MCP_MODERN_PREFIX "io.modelcontextprotocol/" /* of its keys in _meta */

enum mcp_modern_code {
	MCP_MODERN_HEADER_MISMATCH = -32020,
	MCP_MODERN_LACKING_CAPABILITY = -32021, /* data.requiredCapabilities */
	MCP_MODERN_UNKNOWN_VERSION = -32022,    /* data.supported, data.requested */
};

/* What a request says of who sends it. All JSON text but the last two. */
struct mcp_modern_meta {
	struct slice client_info;  /* an object; length 0: not said */
	struct slice capabilities; /* an object; length 0: {} */
	struct slice log_level;    /* "info"; length 0: not said */
	struct slice version;      /* length 0: MCP_MODERN_VERSION */
};

/* `params` (an object, or bytes NULL) again with these keys in its _meta, in place of what it had of
 * them; all other members stay as they are. */
void mcp_modern_write_params(struct text *to, struct slice params,
	const struct mcp_modern_meta *meta);
/* `params` again, with inputResponses and requestState (JSON text, or bytes NULL: none) in place of
 * what it had of them. */
void mcp_modern_write_retry(struct text *to, struct slice params, struct slice responses,
	struct slice state);

/* resultType is `input_required`. */
bool mcp_modern_wants_input(const struct scan_value *result);
/* A result of server/discover that offers a version we speak. False: it is no such thing. */
bool mcp_modern_is_discovery(const struct scan_value *result);

#endif
