/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mcp_request: one JSON-RPC message of an MCP client as the faces want it: what belongs to its era
 * (versions, capabilities, log level, progress token) taken out of `params._meta`, everything else
 * as it was written. Spans lie in the body or in the arena. Any thread.
 */
#ifndef HUSTINGS_GATEWAY_MCP_REQUEST_H
#define HUSTINGS_GATEWAY_MCP_REQUEST_H

#include "hosted/hosted.h"
#include "wire/http1.h"
#include "wire/jsonrpc.h"

#define MCP_MODERN "2026-07-28"

enum mcp_code { /* MCP 2026-07-28 */
	MCP_HEADER_MISMATCH = -32020,
	MCP_MISSING_CAPABILITY = -32021,
	MCP_UNSUPPORTED_VERSION = -32022,
};

struct mcp_request {
	struct jsonrpc message;
	struct slice params;              /* for struct hosted_ask; bytes NULL: none */
	struct slice name;                /* params.name or params.uri, unescaped; bytes NULL: none */
	struct slice trace;               /* a trace_id beside the params (MGP 6.5); the door's to fill in */
	struct scan_value progress_token; /* SCAN_NONE: none wanted */
	/* What a modern request says of itself; bytes NULL: not said. */
	struct slice version;
	struct slice capabilities; /* JSON object */
	struct slice client_info;  /* JSON object */
	struct slice log_level;
	struct scan_value input_responses; /* SCAN_NONE: not said */
	struct slice request_state;        /* bytes NULL: not said */
	const char *twice;                 /* a key that stands there twice, so that two readers could differ: to
	                                      be refused; NULL: none */
};

/* `message` was read before. False: no memory. */
bool mcp_request_read(struct mcp_request *request, struct arena *arena) MUST_USE;
/* enum hosted_ability of a JSON object of client capabilities. */
unsigned mcp_request_abilities(struct slice capabilities);
/* The capabilities that stand for these abilities, as a JSON object. */
void mcp_request_write_abilities(struct text *to, unsigned abilities);
/* The params without `_meta`, inputResponses and requestState, compact: what a held call is bound
 * to. */
void mcp_request_write_bound(struct text *to, const struct mcp_request *request);

/* What the headers of a modern request have to say (MCP 2026-07-28 transports). False: `why` says
 * what does not match. */
bool mcp_request_headers_match(const struct mcp_request *request, const struct http1_head *head,
	struct fault *why) MUST_USE;

/* Whether a header says that, plainly or as =?base64?...?= */
bool mcp_request_header_is(struct slice header, struct slice wanted);

#endif
