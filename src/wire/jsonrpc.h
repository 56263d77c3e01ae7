/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Jsonrpc: JSON-RPC 2.0 messages as MCP has them: what one is, its id and its parts as spans;
 * writers that splice params, results and errors as they came.
 */
#ifndef HUSTINGS_WIRE_JSONRPC_H
#define HUSTINGS_WIRE_JSONRPC_H

#include "wire/scan.h"

enum jsonrpc_kind {
	JSONRPC_REQUEST,
	JSONRPC_NOTIFICATION,
	JSONRPC_RESULT,
	JSONRPC_ERROR
};

enum jsonrpc_code {
	JSONRPC_PARSE_ERROR = -32700,
	JSONRPC_INVALID_REQUEST = -32600,
	JSONRPC_METHOD_NOT_FOUND = -32601,
	JSONRPC_INVALID_PARAMS = -32602,
	JSONRPC_INTERNAL_ERROR = -32603,
};

struct jsonrpc {
	enum jsonrpc_kind kind;
	struct scan_value id;     /* string or number, in errors null too; SCAN_NONE: none */
	struct slice method;      /* unescaped (in the arena when it had escapes) */
	struct scan_value params; /* object or array; SCAN_NONE */
	struct scan_value result; /* any value */
	struct scan_value error;  /* object */
	int64_t code;             /* of the error */
	struct slice message;     /* of the error, unescaped */
};

/* One message; batches are for the caller (scan_check, then each element). A part twice is refused.
 * `why`: FAULT_BAD_INPUT;
 * *code: PARSE_ERROR or INVALID_REQUEST; message->id is set as far as it could be read. */
bool jsonrpc_read(struct jsonrpc *message, struct slice text, struct arena *arena, int64_t *code,
	struct fault *why) MUST_USE;
/* The same of a value that was checked before (an envelope's payload, an element of a batch). */
bool jsonrpc_read_value(struct jsonrpc *message, const struct scan_value *value,
	struct arena *arena, int64_t *code, struct fault *why) MUST_USE;

/* `id` and the bodies are JSON text; SLICE_NONE leaves params out. */
void jsonrpc_write_request(struct text *to, struct slice id, struct slice method,
	struct slice params);
void jsonrpc_write_notification(struct text *to, struct slice method, struct slice params);
void jsonrpc_write_result(struct text *to, struct slice id, struct slice result);
/* What an error of our own has as its data where there is no more to say than its code does: {"type":"method_not_found"}. */
#define JSONRPC_PLAIN SLICE("")
/* `data` is JSON text, JSONRPC_PLAIN, or SLICE_NONE: none (somebody else's error, which is passed on as it came). id
 * SLICE_NONE is written as null. */
void jsonrpc_write_error(struct text *to, struct slice id, int64_t code, struct slice message,
	struct slice data);

#endif
