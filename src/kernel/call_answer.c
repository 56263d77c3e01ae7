/* SPDX-License-Identifier: Apache-2.0 */
/* Call answer: one refusal, in three tongues. */
#include "kernel/call_answer.h"

#include "base/clock.h"
#include "flow/authorization.h"
#include "mcp/mgp_outcome.h"
#include "wire/jsonrpc.h"

#include <stdio.h>
#include <string.h>

int64_t call_answer_code(const struct call *call, const struct fault *why) {
	bool is_remote = hosted_settings(call->hosted)->url != NULL;
	switch (why->code) {
	case FAULT_TIMEOUT: return is_remote ? MGP_UPSTREAM_TIMEOUT : MGP_TIMEOUT;
	case FAULT_FULL:
	case FAULT_NO_MEMORY: return MGP_RESOURCE_EXHAUSTED;
	case FAULT_NOT_READY:
	case FAULT_CLOSED:
		if (is_remote) return MGP_UPSTREAM_UNAVAILABLE;
		switch (hosted_state(call->hosted)) {
		case HOSTED_DRAINING: return MGP_SERVER_DRAINING;
		case HOSTED_RESTARTING:
		case HOSTED_CONNECTING: return MGP_SERVER_RESTARTING;
		default: return MGP_SERVER_NOT_READY;
		}
	case FAULT_IO: return is_remote ? MGP_UPSTREAM_UNAVAILABLE : MGP_SERVER_NOT_READY;
	case FAULT_REFUSED:
	case FAULT_BAD_INPUT:
	case FAULT_UNSUPPORTED: return is_remote ? MGP_UPSTREAM_ERROR : 0;
	default: return 0;
	}
}

int64_t call_answer_upstream(const struct call *call, const struct hosted_answer *answer) {
	const struct scan_value data = {.text = slice_trim(answer->data), .type = SCAN_OBJECT};
	struct scan_value type;
	if (answer->result.bytes || answer->code != JSONRPC_INTERNAL_ERROR || !hosted_settings(call->hosted)->url ||
		!data.text.length || data.text.bytes[0] != '{' || !scan_find(&data, "type", &type))
		return 0;
	if (slice_is(type.text, "\"" HOSTED_UPSTREAM "\"")) return MGP_UPSTREAM_ERROR;
	return slice_is(type.text, "\"" HOSTED_UNREACHED "\"") ? MGP_UPSTREAM_UNAVAILABLE : 0;
}

static bool is_about_request(int64_t code) {
	return code == MGP_INVALID_TOOL_ARGS || code == MGP_TOOL_NOT_FOUND;
}

/* A model reads results, and seldom errors: a refusal that it reads stops it from trying again. */
static void write_result(struct text *to, struct slice message, const char *type, struct slice details) {
	text_add_cstr(to, "{\"content\":[{\"type\":\"text\",\"text\":");
	text_json(to, message);
	text_printf(to, "}],\"structuredContent\":{\"error\":\"%s\",\"message\":", type ? type : "refused");
	text_json(to, message);
	if (details.length) {
		text_add_cstr(to, ",\"details\":");
		text_add(to, details);
	}
	text_add_cstr(to, "},\"isError\":true}");
}

static const char *plain_type(int64_t code, const char *type) {
	if (type) return type;
	switch (code) {
	case MGP_VALIDATION_BLOCKED:
	case MGP_CODE_SAFETY_VIOLATION: return "blocked";
	case MGP_SERVER_NOT_READY:
	case MGP_SERVER_DRAINING:
	case MGP_SERVER_RESTARTING: return "server_not_ready";
	case MGP_RATE_LIMITED:
	case MGP_QUOTA_EXCEEDED:
	case MGP_RESOURCE_EXHAUSTED: return "too_many_requests";
	case MGP_TIMEOUT:
	case MGP_UPSTREAM_TIMEOUT: return "timeout";
	case MGP_TOOL_DISABLED: return "tool_disabled";
	case MGP_UPSTREAM_ERROR:
	case MGP_UPSTREAM_UNAVAILABLE: return "upstream_error";
	default: return "permission_denied";
	}
}

static void refuse_plain(bool is_tool, int64_t code, bool is_bad, struct slice message,
	const char *type, struct slice details, struct text *words, struct hosted_answer *answer) {
	*answer = (struct hosted_answer){.message = message};
	if (is_tool && !is_bad) {
		write_result(words, message, plain_type(code, type), details);
		answer->result = text_slice(words);
		return;
	}
	answer->code = is_bad ? JSONRPC_INVALID_PARAMS : JSONRPC_INTERNAL_ERROR;
	if (is_tool || !is_bad) answer->data = JSONRPC_PLAIN;
}

/* ADR-001's codes, for who has said that it knows them, and for who calls in a room, whose words they are. */
static bool knows_authorization(const struct call *call) {
	const char *type = call->refusal.type;
	bool is_of_room = call->asker.is_in_room && !call->asker.mgp.is_active;
	return call->asker.has_authorization ||
		(is_of_room && (strcmp(type, CALL_AUTHORIZATION_DENIED) == 0 || strcmp(type, CALL_AUTHORIZATION_TIMEOUT) == 0));
}

static void refuse_authorization(const struct call *call, struct text *data, struct hosted_answer *answer) {
	const struct call_refusal *refusal = &call->refusal;
	authorization_write_denial_data(data, refusal->reason.length ? refusal->reason : slice_of(refusal->message), refusal->type);
	*answer = (struct hosted_answer){
		.code = AUTHORIZATION_DENIED,
		.message = SLICE(AUTHORIZATION_DENIED_MESSAGE),
		.data = text_slice(data),
	};
}

void call_answer_early(const struct decision *decision, struct text *data, struct hosted_answer *answer) {
	char until[CLOCK_TEXT_SIZE];
	clock_write(decision->expires_at, until);
	const struct authorization_request request = {
		.id = slice_of(decision->id),
		.tool = decision->tool,
		.requester = decision->requester,
		.reason = decision->message,
		.arguments = decision->arguments,
		.expires_at = slice_of(until),
	};
	authorization_write_error_data(data, &request);
	*answer = (struct hosted_answer){
		.code = AUTHORIZATION_REQUIRED,
		.message = SLICE(AUTHORIZATION_REQUIRED_MESSAGE),
		.data = text_slice(data),
	};
}

void call_answer_refusal(const struct call *call, struct text *words, struct text *data,
	struct hosted_answer *answer) {
	const struct call_refusal *refusal = &call->refusal;
	struct slice message = slice_of(refusal->message);
	bool is_decision = refusal->code == MGP_PERMISSION_DENIED && refusal->type;
	if (is_decision && knows_authorization(call))
		refuse_authorization(call, data, answer);
	else if (!call->asker.mgp.is_active)
		refuse_plain(call->is_tool, refusal->code, !refusal->is_result && (is_about_request(refusal->code) || refusal->code == MGP_ACCESS_DENIED), message, refusal->type, refusal->recovery.details, words, answer);
	else {
		mgp_error_write(data, refusal->code, refusal->type, &refusal->recovery);
		*answer = (struct hosted_answer){.code = refusal->code, .message = message, .data = text_slice(data)};
	}
}

/* What a server says about repeating may be read by programs: where it is unsound, ours takes its place. */
static void mend(struct text *data, struct hosted_answer *answer) {
	struct mgp_recovery recovery;
	struct arena arena;
	char lent[512];
	arena_init(&arena, lent, sizeof lent, 0);
	bool is_sound = answer->data.length && mgp_error_read(answer->data, &arena, &recovery);
	arena_finish(&arena);
	if (is_sound) return;
	mgp_error_write(data, answer->code, NULL, NULL);
	answer->data = text_failed(data) ? SLICE_NONE : text_slice(data);
}

/* JSON again, without a member "_mgp" of its outermost object. False: it has none, and stays as it is. */
static bool strip(struct slice json, struct text *to) {
	static const char key[] = "\"_mgp\"";
	const struct scan_value object = {.text = slice_trim(json), .type = SCAN_OBJECT};
	struct scan_walk walk;
	struct scan_member member;
	struct scan_value value;
	if (!object.text.length || object.text.bytes[0] != '{' ||
		!memmem(object.text.bytes, object.text.length, key, sizeof key - 1) || !scan_find(&object, "_mgp", &value))
		return false;
	text_reserve(to, object.text.length);
	text_add_char(to, '{');
	for (scan_open(&walk, &object); scan_next(&walk, &member);) {
		if (scan_key_is(&member, "_mgp")) continue;
		text_printf(to, "%s\"%.*s\":", to->length > 1 ? "," : "", SLICE_ARGS(member.key));
		text_add(to, member.value.text);
	}
	text_add_char(to, '}');
	return true;
}

/* A plain client sees no `_mgp`, and no code of MGP's (docs/protocol.md). */
static void make_plain(bool is_tool, struct text *words, struct text *data,
	struct hosted_answer *answer) {
	struct slice message = answer->message;
	if (answer->result.bytes) {
		if (strip(answer->result, words) && !text_failed(words)) answer->result = text_slice(words);
	} else if (mgp_error_is_ours(answer->code))
		refuse_plain(is_tool, answer->code, is_about_request(answer->code), message, NULL, SLICE_NONE, words, answer);
	else if (strip(answer->data, data))
		answer->data = text_failed(data) ? SLICE_NONE : text_slice(data);
}

/* The members that are missing where chunks went through; a server's own words stay. */
void call_answer_outcome(const struct call *call, struct text *to, struct hosted_answer *answer) {
	const struct mgp_outcome outcome = {
		.is_cancelled = call->is_stopped,
		.is_streamed = call->chunks > 0,
		.chunks = call->chunks,
		.duration_ms = loop_now(call->governed->means->loop) - call->began_at,
	};
	struct slice result = slice_trim(answer->result);
	if (!call->chunks || !result.length || result.bytes[0] != '{') return;
	mgp_outcome_write(to, result, &outcome);
	if (!text_failed(to)) answer->result = text_slice(to);
}

void call_answer_plain(const struct call *call, struct text *words, struct text *data,
	struct hosted_answer *answer) {
	enum hosted_era era = hosted_era_for(call->hosted, call->inner.era);
	if (!call->governed->agreed[era].is_active) return; /* a plain server's codes are its own */
	if (!call->asker.mgp.is_active) make_plain(call->is_tool, words, data, answer);
	else if (!answer->result.bytes && mgp_error_is_ours(answer->code)) mend(data, answer);
}

/* "access_denied" is what every error of that code is called. */
static bool is_name(int64_t code, struct slice type) {
	const char *name = mgp_error_name(code);
	if (type.length != strlen(name)) return false;
	for (size_t i = 0; i < type.length; i++)
		if ((name[i] | 0x20) != type.bytes[i] && name[i] != '_') return false;
	return true;
}

static bool is_word(struct slice type) {
	for (size_t i = 0; i < type.length; i++)
		if (type.bytes[i] != '_' && (type.bytes[i] < 'a' || type.bytes[i] > 'z')) return false;
	return type.length > 0;
}

void call_answer_strip(struct text *words, struct text *data, struct hosted_answer *answer) {
	const struct scan_value object = {.text = slice_trim(answer->data), .type = SCAN_OBJECT};
	bool has_data = object.text.length && object.text.bytes[0] == '{';
	struct mgp_recovery recovery = {0};
	struct scan_value value;
	struct slice type = SLICE_NONE;
	char own[64] = "", lent[512];
	struct arena arena;
	if (answer->result.bytes || !mgp_error_is_ours(answer->code)) {
		make_plain(true, words, data, answer);
		return;
	}
	arena_init(&arena, lent, sizeof lent, 0);
	if (has_data && !mgp_error_read(answer->data, &arena, &recovery)) recovery = (struct mgp_recovery){0};
	if (has_data && scan_find(&object, "type", &value) && !scan_string(&value, &arena, &type)) type = SLICE_NONE;
	if (is_word(type) && !is_name(answer->code, type)) snprintf(own, sizeof own, "%.*s", SLICE_ARGS(type));
	bool is_bad = is_about_request(answer->code) || answer->code == MGP_ACCESS_DENIED;
	refuse_plain(true, answer->code, is_bad, answer->message, own[0] ? own : NULL, recovery.details, words, answer);
	arena_finish(&arena);
}
