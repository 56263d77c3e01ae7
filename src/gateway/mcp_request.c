/* SPDX-License-Identifier: Apache-2.0 */
/* Mcp_request: `_meta` taken apart, and headers beside what they stand for. */
#include "gateway/mcp_request.h"

#include "base/secret.h"

#include <ctype.h>

#define META "io.modelcontextprotocol/"

/* The keys that are read here, in an object that is walked once. */
enum part {
	NAME,
	URI,
	REF,
	ARGUMENTS,
	INPUT_RESPONSES,
	REQUEST_STATE,
	REST,
	PARTS
};
static const char *const part_names[PARTS] = {"name", "uri", "ref", "arguments", "inputResponses",
	"requestState", "_meta"};

enum meta_part {
	PROGRESS_TOKEN,
	VERSION,
	CLIENT_INFO,
	CAPABILITIES,
	LOG_LEVEL,
	META_PARTS
};
static const char *const meta_names[META_PARTS] = {"progressToken", META "protocolVersion",
	META "clientInfo", META "clientCapabilities", META "logLevel"};

/* Some readers of JSON take a key in any case, and two letters beyond ASCII for those that they fold to: what
 * the gates see would not be what such a server sees. */
static bool is_like(struct slice key, const char *name) {
	for (; key.length && *name; name++) {
		size_t length = 1;
		char letter = key.bytes[0];
		if (slice_starts_with(key, "\xc5\xbf")) letter = 's', length = 2;          /* long s */
		else if (slice_starts_with(key, "\xe2\x84\xaa")) letter = 'k', length = 3; /* Kelvin */
		if (tolower((unsigned char)letter) != tolower((unsigned char)*name)) return false;
		key = slice_make(key.bytes + length, key.length - length);
	}
	return !key.length && !*name;
}

/* False: no memory. */
static bool find_likenesses(const struct scan_value *params, struct arena *arena, const char **twice) {
	struct scan_walk walk;
	struct scan_member member;
	struct slice key;
	for (scan_open(&walk, params); scan_next(&walk, &member);) {
		if (!scan_key(&member, arena, &key)) return false;
		for (size_t i = 0; i < PARTS; i++)
			if (is_like(key, part_names[i]) && !slice_is(key, part_names[i])) *twice = part_names[i];
	}
	return true;
}

/* `values` are SCAN_NONE before. */
static void read_parts(const struct scan_value *object, const char *const *names, size_t count,
	struct scan_value *values, const char **twice) {
	struct scan_walk walk;
	struct scan_member member;
	for (scan_open(&walk, object); scan_next(&walk, &member);) {
		for (size_t i = 0; i < count; i++) {
			if (!scan_key_is(&member, names[i])) continue;
			if (values[i].type != SCAN_NONE) *twice = names[i];
			values[i] = member.value;
			break;
		}
	}
}

static bool is_own_meta(const struct scan_member *member) {
	for (size_t i = 0; i < META_PARTS; i++)
		if (scan_key_is(member, meta_names[i])) return true;
	return false;
}

static void write_member(struct text *to, const struct scan_member *member, bool *first) {
	text_add_cstr(to, *first ? "\"" : ",\"");
	text_add(to, member->key);
	text_add_cstr(to, "\":");
	text_add(to, member->value.text);
	*first = false;
}

/* The rest of `_meta`; nothing when nothing is left. */
static void write_meta(struct text *to, const struct scan_value *meta, bool *first) {
	struct scan_walk walk;
	struct scan_member member;
	bool is_empty = true;
	for (scan_open(&walk, meta); scan_next(&walk, &member);) {
		if (is_own_meta(&member)) continue;
		if (is_empty) text_add_cstr(to, *first ? "\"_meta\":{" : ",\"_meta\":{");
		write_member(to, &member, &is_empty);
	}
	if (is_empty) return;
	text_add_char(to, '}');
	*first = false;
}

static bool strip(struct mcp_request *request, const struct scan_value *meta, struct arena *arena) {
	AUTO_TEXT struct text params = {0};
	struct scan_walk walk;
	struct scan_member member;
	bool first = true;
	text_init(&params, 0);
	text_add_char(&params, '{');
	for (scan_open(&walk, &request->message.params); scan_next(&walk, &member);) {
		if (scan_key_is(&member, "_meta")) write_meta(&params, meta, &first);
		else write_member(&params, &member, &first);
	}
	text_add_char(&params, '}');
	return !text_failed(&params) && arena_copy(arena, text_slice(&params), &request->params);
}

/* False: no memory. Other than a string is none. */
static bool read_string(const struct scan_value *value, struct arena *arena, struct slice *string) {
	return value->type != SCAN_STRING || scan_string(value, arena, string);
}

static bool read_meta(struct mcp_request *request, const struct scan_value *meta, struct arena *arena) {
	struct scan_value values[META_PARTS] = {{.type = SCAN_NONE}};
	read_parts(meta, meta_names, META_PARTS, values, &request->twice);
	if (values[PROGRESS_TOKEN].type == SCAN_STRING || values[PROGRESS_TOKEN].type == SCAN_NUMBER)
		request->progress_token = values[PROGRESS_TOKEN];
	if (values[CAPABILITIES].type == SCAN_OBJECT) request->capabilities = values[CAPABILITIES].text;
	if (values[CLIENT_INFO].type == SCAN_OBJECT) request->client_info = values[CLIENT_INFO].text;
	return read_string(&values[VERSION], arena, &request->version) &&
		read_string(&values[LOG_LEVEL], arena, &request->log_level);
}

bool mcp_request_read(struct mcp_request *request, struct arena *arena) {
	struct jsonrpc message = request->message;
	struct scan_value values[PARTS] = {{.type = SCAN_NONE}};
	*request = (struct mcp_request){.message = message};
	if (message.params.type != SCAN_OBJECT) return true;
	request->params = message.params.text;
	read_parts(&message.params, part_names, PARTS, values, &request->twice);
	if (!find_likenesses(&message.params, arena, &request->twice)) return false;
	request->input_responses = values[INPUT_RESPONSES];
	if (!read_string(&values[REQUEST_STATE], arena, &request->request_state) ||
		!read_string(&values[values[NAME].type == SCAN_STRING ? NAME : URI], arena, &request->name))
		return false;
	if (values[REST].type != SCAN_OBJECT) return true;
	return read_meta(request, &values[REST], arena) && strip(request, &values[REST], arena);
}

static bool has(const struct scan_value *object, const char *key, struct scan_value *value) {
	return scan_find(object, key, value) && value->type == SCAN_OBJECT;
}

unsigned mcp_request_abilities(struct slice capabilities) {
	const struct scan_value all = {.text = capabilities, .type = SCAN_OBJECT};
	struct scan_value one, inner;
	unsigned abilities = 0;
	if (!capabilities.bytes) return 0;
	if (has(&all, "roots", &one)) abilities |= HOSTED_CAN_ROOTS;
	if (has(&all, "sampling", &one)) {
		abilities |= HOSTED_CAN_SAMPLE;
		if (has(&one, "tools", &inner)) abilities |= HOSTED_CAN_SAMPLE_TOOLS;
	}
	if (has(&all, "elicitation", &one)) { /* an empty object stands for forms (2025-11-25) */
		bool has_url = has(&one, "url", &inner);
		if (has_url) abilities |= HOSTED_CAN_URL;
		if (!has_url || has(&one, "form", &inner)) abilities |= HOSTED_CAN_FORM;
	}
	return abilities;
}

void mcp_request_write_abilities(struct text *to, unsigned abilities) {
	const char *before = "";
	text_add_char(to, '{');
	if (abilities & HOSTED_CAN_ROOTS) {
		text_add_cstr(to, "\"roots\":{}");
		before = ",";
	}
	if (abilities & (HOSTED_CAN_SAMPLE | HOSTED_CAN_SAMPLE_TOOLS)) {
		text_printf(to, "%s\"sampling\":{%s}", before,
			abilities & HOSTED_CAN_SAMPLE_TOOLS ? "\"tools\":{}" : "");
		before = ",";
	}
	if (abilities & HOSTED_CAN_URL) text_printf(to, "%s\"elicitation\":{\"url\":{}}", before);
	else if (abilities & HOSTED_CAN_FORM) text_printf(to, "%s\"elicitation\":{}", before);
	text_add_char(to, '}');
}

void mcp_request_write_bound(struct text *to, const struct mcp_request *request) {
	struct scan_walk walk;
	struct scan_member member;
	bool first = true;
	text_add_char(to, '{');
	if (request->message.params.type == SCAN_OBJECT) {
		for (scan_open(&walk, &request->message.params); scan_next(&walk, &member);) {
			if (scan_key_is(&member, "_meta") || scan_key_is(&member, "inputResponses") ||
				scan_key_is(&member, "requestState"))
				continue;
			text_add_cstr(to, first ? "\"" : ",\"");
			text_add(to, member.key);
			text_add_cstr(to, "\":");
			scan_compact(to, member.value.text);
			first = false;
		}
	}
	text_add_char(to, '}');
}

/* ---- Headers ---- */

/* A header's value; other than plain text it is written =?base64?...?= */
bool mcp_request_header_is(struct slice header, struct slice wanted) {
	if (slice_equal(header, wanted)) return true;
	if (!slice_starts_with(header, "=?base64?") || header.length < 11) return false;
	AUTO_TEXT struct text plain = {0};
	text_init(&plain, 0);
	struct slice encoded = slice_make(header.bytes + 9, header.length - 11);
	if (memcmp(header.bytes + header.length - 2, "?=", 2) != 0) return false;
	return secret_unbase64(&plain, encoded) && slice_equal(text_slice(&plain), wanted);
}

static bool header_is(const struct http1_head *head, const char *name, struct slice wanted,
	struct fault *why) {
	size_t count = http1_field_count(head, name);
	if (count == 0) return fault_set(why, FAULT_BAD_INPUT, "the header %s is missing", name);
	if (count == 1 && mcp_request_header_is(http1_field(head, name), wanted)) return true;
	return fault_set(why, FAULT_BAD_INPUT, "the header %s is not what the body says", name);
}

bool mcp_request_headers_match(const struct mcp_request *request, const struct http1_head *head,
	struct fault *why) {
	struct slice method = request->message.method;
	bool has_name = slice_is(method, "tools/call") || slice_is(method, "prompts/get") ||
		slice_is(method, "resources/read");
	if (!header_is(head, "MCP-Protocol-Version", request->version, why) ||
		!header_is(head, "Mcp-Method", method, why))
		return false;
	return !has_name || !request->name.bytes || header_is(head, "Mcp-Name", request->name, why);
}
