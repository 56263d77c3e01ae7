/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Caller: what is known of a host that asks us: its era, its version, what it can be asked back. A
 * legacy one says it once, in `initialize`; a modern one with every request. A plain value.
 */
#ifndef HUSTINGS_CLIENT_CALLER_H
#define HUSTINGS_CLIENT_CALLER_H

#include "mcp/era.h"
#include "wire/jsonrpc.h"

#define CALLER_LEVEL 16

struct caller {
	bool is_modern, is_introduced;
	enum era_version version; /* legacy */
	unsigned abilities;       /* 1 << INQUIRY_FORM | ... (client/inquiry.h) */
	char level[CALLER_LEVEL]; /* of the log messages that are wanted; "": not said */
};

/* It said initialize. */
void caller_introduce(struct caller *caller, const struct scan_value *params);
/* logging/setLevel. False: there is no such level. */
bool caller_set_level(struct caller *caller, const struct scan_value *params);
/* Whether this request is one of MCP 2026-07-28. */
bool caller_is_modern(const struct jsonrpc *request);
/* Reads its _meta. False: *code, `why` and `data` (JSON text, may stay empty) are the error. */
bool caller_read(struct caller *caller, const struct scan_value *params, int64_t *code,
	struct text *data, struct fault *why) MUST_USE;
/* Whether a log message of that level is wanted. */
bool caller_hears(const struct caller *caller, const char *level);

#endif
