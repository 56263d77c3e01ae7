/* SPDX-License-Identifier: Apache-2.0 */
/* Mgp_error: one row a code. */
#include "mcp/mgp_error.h"

#include <ctype.h>
#include <stdio.h>

#define NEVER false, 0, MGP_IMMEDIATE, 0
#define LONGEST_MS (24 * 60 * 60 * 1000)
#define MOST_RETRIES 1000

static const struct row {
	int code;
	const char *name;
	bool is_retryable;
	unsigned retry_after_ms;
	enum mgp_strategy strategy;
	unsigned max_retries;
} rows[] = {
	{MGP_PERMISSION_DENIED, "PERMISSION_DENIED", NEVER},
	{MGP_ACCESS_DENIED, "ACCESS_DENIED", NEVER},
	{MGP_AUTH_REQUIRED, "AUTH_REQUIRED", NEVER},
	{MGP_AUTH_EXPIRED, "AUTH_EXPIRED", NEVER},
	{MGP_VALIDATION_BLOCKED, "VALIDATION_BLOCKED", NEVER},
	{MGP_CODE_SAFETY_VIOLATION, "CODE_SAFETY_VIOLATION", NEVER},
	{MGP_SERVER_NOT_READY, "SERVER_NOT_READY", true, 1000, MGP_EXPONENTIAL_BACKOFF, 5},
	{MGP_SERVER_DRAINING, "SERVER_DRAINING", true, 5000, MGP_FIXED_DELAY, 3},
	{MGP_SERVER_RESTARTING, "SERVER_RESTARTING", true, 1000, MGP_EXPONENTIAL_BACKOFF, 5},
	{MGP_RATE_LIMITED, "RATE_LIMITED", true, 1000, MGP_EXPONENTIAL_BACKOFF, 3},
	{MGP_RESOURCE_EXHAUSTED, "RESOURCE_EXHAUSTED", true, 1000, MGP_EXPONENTIAL_BACKOFF, 3},
	{MGP_QUOTA_EXCEEDED, "QUOTA_EXCEEDED", NEVER},
	{MGP_TIMEOUT, "TIMEOUT", true, 1000, MGP_EXPONENTIAL_BACKOFF, 2},
	{MGP_INVALID_TOOL_ARGS, "INVALID_TOOL_ARGS", NEVER},
	{MGP_TOOL_NOT_FOUND, "TOOL_NOT_FOUND", NEVER},
	{MGP_TOOL_DISABLED, "TOOL_DISABLED", NEVER},
	{MGP_UPSTREAM_ERROR, "UPSTREAM_ERROR", true, 1000, MGP_EXPONENTIAL_BACKOFF, 3},
	{MGP_UPSTREAM_TIMEOUT, "UPSTREAM_TIMEOUT", true, 1000, MGP_EXPONENTIAL_BACKOFF, 2},
	{MGP_UPSTREAM_UNAVAILABLE, "UPSTREAM_UNAVAILABLE", true, 2000, MGP_EXPONENTIAL_BACKOFF, 5},
};

static const char *const strategies[] = {
	[MGP_IMMEDIATE] = "immediate",
	[MGP_FIXED_DELAY] = "fixed_delay",
	[MGP_EXPONENTIAL_BACKOFF] = "exponential_backoff",
};

static const struct row *find(int64_t code) {
	for (size_t i = 0; i < COUNT_OF(rows); i++)
		if (rows[i].code == code) return &rows[i];
	return NULL;
}

bool mgp_error_is_ours(int64_t code) { return code >= MGP_FIRST_CODE && code <= MGP_LAST_CODE; }

const char *mgp_error_name(int64_t code) {
	const struct row *row = find(code);
	return row ? row->name : "";
}

const char *mgp_error_category(int64_t code) {
	static const char *const categories[] = {"", "security", "lifecycle", "resource", "validation", "external"};
	return mgp_error_is_ours(code) && code % 1000 < 100 ? categories[code / 1000] : "";
}

struct mgp_recovery mgp_error_recovery(int64_t code) {
	const struct row *row = find(code);
	if (!row) return (struct mgp_recovery){0};
	return (struct mgp_recovery){
		.is_retryable = row->is_retryable,
		.retry_after_ms = row->retry_after_ms,
		.strategy = row->strategy,
		.max_retries = row->max_retries,
	};
}

static void write_type(struct text *to, int64_t code, const char *type) {
	const char *name = mgp_error_name(code);
	text_add_cstr(to, "{\"type\":\"");
	if (type) text_add_cstr(to, type);
	else
		for (const char *at = name; *at; at++) text_add_char(to, (char)tolower((unsigned char)*at));
	text_add_cstr(to, "\",");
}

void mgp_error_write(struct text *to, int64_t code, const char *type,
	const struct mgp_recovery *recovery) {
	struct mgp_recovery own = mgp_error_recovery(code);
	const struct mgp_recovery *of = recovery ? recovery : &own;
	write_type(to, code, type);
	text_printf(to, "\"_mgp\":{\"category\":\"%s\",\"retryable\":%s", mgp_error_category(code),
		of->is_retryable ? "true" : "false");
	if (of->is_retryable)
		text_printf(to, ",\"retry_after_ms\":%llu,\"retry_strategy\":\"%s\",\"max_retries\":%u",
			(unsigned long long)of->retry_after_ms, strategies[of->strategy], of->max_retries);
	if (of->fallback_tool.length) {
		text_add_cstr(to, ",\"fallback_tool\":");
		text_json(to, of->fallback_tool);
	}
	if (of->details.length) {
		text_add_cstr(to, ",\"details\":");
		text_add(to, of->details);
	}
	text_add_cstr(to, "}}");
}

/* ---- Reading ---- */

static bool read_number(const struct scan_value *mgp, const char *key, int64_t most, int64_t *number) {
	struct scan_value value;
	double read;
	if (!scan_find(mgp, key, &value)) return true;
	if (value.type != SCAN_NUMBER || !scan_number(&value, &read) || read < 0) return false;
	*number = read > (double)most ? most : (int64_t)read;
	return true;
}

static bool read_strategy(const struct scan_value *mgp, struct arena *arena, enum mgp_strategy *strategy) {
	struct scan_value value;
	struct slice word;
	if (!scan_find(mgp, "retry_strategy", &value)) return true;
	if (!scan_string(&value, arena, &word)) return false;
	for (size_t i = 0; i < COUNT_OF(strategies); i++) {
		if (!slice_is(word, strategies[i])) continue;
		*strategy = (enum mgp_strategy)i;
		return true;
	}
	return false;
}

bool mgp_error_read(struct slice data, struct arena *arena, struct mgp_recovery *recovery) {
	const struct scan_value object = {.text = slice_trim(data), .type = SCAN_OBJECT};
	struct scan_value mgp, value;
	int64_t after = 0, retries = 1;
	struct mgp_recovery read = {.strategy = MGP_FIXED_DELAY};
	if (!object.text.length || object.text.bytes[0] != '{' || !scan_find(&object, "_mgp", &mgp) ||
		mgp.type != SCAN_OBJECT || !scan_find(&mgp, "retryable", &value) ||
		!scan_boolean(&value, &read.is_retryable))
		return false;
	if (!read_number(&mgp, "retry_after_ms", LONGEST_MS, &after) ||
		!read_number(&mgp, "max_retries", MOST_RETRIES, &retries) ||
		!read_strategy(&mgp, arena, &read.strategy))
		return false;
	if (scan_find(&mgp, "fallback_tool", &value) && value.type == SCAN_STRING &&
		!scan_string(&value, arena, &read.fallback_tool))
		return false;
	if (scan_find(&mgp, "details", &value) && value.type == SCAN_OBJECT) read.details = value.text;
	read.retry_after_ms = (uint64_t)after;
	read.max_retries = (unsigned)retries;
	*recovery = read;
	return true;
}
