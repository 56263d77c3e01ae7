/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mgp_error: the errors of MGP 14: their codes, and the object `_mgp` that says what to do about one.
 * Plain functions, any thread.
 */
#ifndef HUSTINGS_MCP_MGP_ERROR_H
#define HUSTINGS_MCP_MGP_ERROR_H

#include "wire/scan.h"

enum mgp_code { /* MGP 14.3 */
	MGP_PERMISSION_DENIED = 1000,
	MGP_ACCESS_DENIED = 1001,
	MGP_AUTH_REQUIRED = 1002,
	MGP_AUTH_EXPIRED = 1003,
	MGP_VALIDATION_BLOCKED = 1010,
	MGP_CODE_SAFETY_VIOLATION = 1011,
	MGP_SERVER_NOT_READY = 2000,
	MGP_SERVER_DRAINING = 2001,
	MGP_SERVER_RESTARTING = 2002,
	MGP_RATE_LIMITED = 3000,
	MGP_RESOURCE_EXHAUSTED = 3001,
	MGP_QUOTA_EXCEEDED = 3002,
	MGP_TIMEOUT = 3003,
	MGP_INVALID_TOOL_ARGS = 4000,
	MGP_TOOL_NOT_FOUND = 4001,
	MGP_TOOL_DISABLED = 4002,
	MGP_UPSTREAM_ERROR = 5000,
	MGP_UPSTREAM_TIMEOUT = 5001,
	MGP_UPSTREAM_UNAVAILABLE = 5002,
};
#define MGP_FIRST_CODE 1000
#define MGP_LAST_CODE 5099

enum mgp_strategy { /* MGP 14.5 */
	MGP_IMMEDIATE,
	MGP_FIXED_DELAY,
	MGP_EXPONENTIAL_BACKOFF,
};

/* What `_mgp` says (MGP 14.5). */
struct mgp_recovery {
	bool is_retryable;
	uint64_t retry_after_ms;
	enum mgp_strategy strategy;
	unsigned max_retries;
	struct slice fallback_tool; /* length 0: none */
	struct slice details;       /* JSON text of an object; length 0: none */
};

const char *mgp_error_name(int64_t code);     /* "ACCESS_DENIED"; "" for codes that are none of MGP's */
const char *mgp_error_category(int64_t code); /* "security"; "" */
bool mgp_error_is_ours(int64_t code);         /* from 1000 to 5099 */

/* The object `data` of such an error: {"type":"access_denied","_mgp":{...}}. `type` NULL: the code's name
 * in lower case. `recovery` NULL: as the code's row says. */
void mgp_error_write(struct text *to, int64_t code, const char *type,
	const struct mgp_recovery *recovery);
/* What the table says of that code; the slices are empty. */
struct mgp_recovery mgp_error_recovery(int64_t code);
/* `data` of a server's error. False: there is no `_mgp` in it, or it is malformed. */
bool mgp_error_read(struct slice data, struct arena *arena, struct mgp_recovery *recovery) MUST_USE;

#endif
