/* SPDX-License-Identifier: Apache-2.0 */
/* Jsonrpc: the members are noted as the scan meets them, and judged together at the end. */
#include "wire/jsonrpc.h"

enum part {
	PART_VERSION,
	PART_ID,
	PART_METHOD,
	PART_PARAMS,
	PART_RESULT,
	PART_ERROR,
	PARTS
};

static const struct slice part_names[PARTS] = {
	[PART_VERSION] = SLICE("jsonrpc"),
	[PART_ID] = SLICE("id"),
	[PART_METHOD] = SLICE("method"),
	[PART_PARAMS] = SLICE("params"),
	[PART_RESULT] = SLICE("result"),
	[PART_ERROR] = SLICE("error"),
};

struct parts {
	struct scan_value values[PARTS];
	const char *twice; /* the name of the first part that came a second time */
};

static bool part_see(void *context, unsigned level, const struct scan_member *member) {
	struct parts *parts = context;
	if (level != 1) return true;

	for (unsigned part = 0; part < PARTS; part++) {
		bool is_it = member->key_escaped ? scan_key_is(member, part_names[part].bytes)
						 : slice_equal(member->key, part_names[part]);
		if (!is_it) continue;
		if (parts->values[part].type == SCAN_NONE) parts->values[part] = member->value;
		else if (!parts->twice) parts->twice = part_names[part].bytes;
	}
	return true;
}

static bool has(const struct parts *parts, enum part part) {
	return parts->values[part].type != SCAN_NONE;
}

static bool refuse(struct fault *why, const char *what) {
	return fault_set(why, FAULT_BAD_INPUT, "JSON-RPC: %s", what);
}

static bool version_check(const struct parts *parts, struct arena *arena, struct fault *why) {
	struct slice version;
	if (parts->twice)
		return fault_set(why, FAULT_BAD_INPUT, "JSON-RPC: \"%s\" stands there twice", parts->twice);
	if (!scan_string(&parts->values[PART_VERSION], arena, &version) || !slice_is(version, "2.0"))
		return refuse(why, "\"jsonrpc\" must be \"2.0\"");
	return true;
}

static bool error_read(struct jsonrpc *read, const struct scan_value *error, struct arena *arena,
	struct fault *why) {
	struct scan_value code;
	struct scan_value message;
	if (error->type != SCAN_OBJECT) return refuse(why, "\"error\" must be an object");
	if (!scan_find(error, "code", &code) || !scan_integer(&code, &read->code))
		return refuse(why, "an error's \"code\" must be a whole number");
	if (!scan_find(error, "message", &message) || !scan_string(&message, arena, &read->message))
		return refuse(why, "an error's \"message\" must be a string");
	read->error = *error;
	return true;
}

static bool answer_read(struct jsonrpc *read, const struct parts *parts, struct arena *arena,
	struct fault *why) {
	if (has(parts, PART_RESULT) == has(parts, PART_ERROR))
		return refuse(why, "one of \"method\", \"result\" and \"error\" is due, and one alone");
	if (has(parts, PART_ERROR)) {
		read->kind = JSONRPC_ERROR;
		return error_read(read, &parts->values[PART_ERROR], arena, why);
	}
	if (read->id.type != SCAN_STRING && read->id.type != SCAN_NUMBER)
		return refuse(why, "a result's \"id\" must be a string or a number");
	read->kind = JSONRPC_RESULT;
	read->result = parts->values[PART_RESULT];
	return true;
}

static bool call_read(struct jsonrpc *read, const struct parts *parts, struct arena *arena,
	struct fault *why) {
	const struct scan_value *params = &parts->values[PART_PARAMS];
	if (has(parts, PART_RESULT) || has(parts, PART_ERROR))
		return refuse(why, "a message with a \"method\" has neither \"result\" nor \"error\"");
	if (!scan_string(&parts->values[PART_METHOD], arena, &read->method))
		return refuse(why, "\"method\" must be a string");
	if (params->type != SCAN_NONE && params->type < SCAN_ARRAY)
		return refuse(why, "\"params\" must be an object or an array");
	if (read->id.type == SCAN_NULL) return refuse(why, "a request's \"id\" must not be null");
	read->kind = read->id.type == SCAN_NONE ? JSONRPC_NOTIFICATION : JSONRPC_REQUEST;
	read->params = *params;
	return true;
}

static bool parts_read(struct jsonrpc *message, const struct parts *parts, struct arena *arena,
	int64_t *code, struct fault *why) {
	struct jsonrpc read = {.kind = JSONRPC_REQUEST};
	const struct scan_value *id = &parts->values[PART_ID];
	bool is_id = id->type == SCAN_NONE || id->type == SCAN_NULL || id->type == SCAN_STRING ||
		id->type == SCAN_NUMBER;
	if (is_id) message->id = read.id = *id;
	bool is_fine = version_check(parts, arena, why) &&
		(is_id || refuse(why, "\"id\" must be a string or a number")) &&
		(has(parts, PART_METHOD) ? call_read : answer_read)(&read, parts, arena, why);
	if (is_fine) *message = read;
	else *code = JSONRPC_INVALID_REQUEST;
	return is_fine;
}

bool jsonrpc_read(struct jsonrpc *message, struct slice text, struct arena *arena, int64_t *code,
	struct fault *why) {
	struct parts parts = {.twice = NULL};
	struct scan_fault fault;
	message->id = (struct scan_value){.type = SCAN_NONE};
	if (scan_object(text, SCAN_DEPTH, part_see, &parts, &fault))
		return parts_read(message, &parts, arena, code, why);

	if (parts.values[PART_ID].type == SCAN_STRING || parts.values[PART_ID].type == SCAN_NUMBER)
		message->id = parts.values[PART_ID];
	*code = fault.error == SCAN_NOT_OBJECT ? JSONRPC_INVALID_REQUEST : JSONRPC_PARSE_ERROR;
	return fault_set(why, FAULT_BAD_INPUT, "JSON-RPC: octet %zu: %s", fault.offset, fault.what);
}

bool jsonrpc_read_value(struct jsonrpc *message, const struct scan_value *value,
	struct arena *arena, int64_t *code, struct fault *why) {
	struct parts parts = {.twice = NULL};
	struct scan_walk walk;
	struct scan_member member;
	message->id = (struct scan_value){.type = SCAN_NONE};
	if (value->type != SCAN_OBJECT) {
		*code = JSONRPC_INVALID_REQUEST;
		return refuse(why, "a message is an object");
	}
	for (scan_open(&walk, value); scan_next(&walk, &member);) part_see(&parts, 1, &member);
	return parts_read(message, &parts, arena, code, why);
}

/* ---- Writing ---- */

#define FRAMING 64 /* octets around the parts of a message, about */

static void head_write(struct text *to, struct slice id) {
	text_add(to, SLICE("{\"jsonrpc\":\"2.0\",\"id\":"));
	text_add(to, id.bytes ? id : SLICE("null"));
}

static void call_write(struct text *to, struct slice method, struct slice params) {
	text_add(to, SLICE(",\"method\":"));
	text_json(to, method);
	if (params.bytes) {
		text_add(to, SLICE(",\"params\":"));
		text_add(to, params);
	}
	text_add_char(to, '}');
}

void jsonrpc_write_request(struct text *to, struct slice id, struct slice method,
	struct slice params) {
	text_reserve(to, id.length + method.length + params.length + FRAMING);
	head_write(to, id);
	call_write(to, method, params);
}

void jsonrpc_write_notification(struct text *to, struct slice method, struct slice params) {
	text_add(to, SLICE("{\"jsonrpc\":\"2.0\""));
	call_write(to, method, params);
}

void jsonrpc_write_result(struct text *to, struct slice id, struct slice result) {
	text_reserve(to, id.length + result.length + FRAMING);
	head_write(to, id);
	text_add(to, SLICE(",\"result\":"));
	text_add(to, result);
	text_add_char(to, '}');
}

static const char *plain_type(int64_t code) {
	switch (code) {
	case JSONRPC_PARSE_ERROR: return "parse_error";
	case JSONRPC_INVALID_REQUEST: return "invalid_request";
	case JSONRPC_METHOD_NOT_FOUND: return "method_not_found";
	case JSONRPC_INVALID_PARAMS: return "invalid_params";
	case JSONRPC_INTERNAL_ERROR: return "internal_error";
	default: return NULL;
	}
}

void jsonrpc_write_error(struct text *to, struct slice id, int64_t code, struct slice message,
	struct slice data) {
	head_write(to, id);
	text_add(to, SLICE(",\"error\":{\"code\":"));
	text_number(to, code);
	text_add(to, SLICE(",\"message\":"));
	text_json(to, message);
	if (data.length) {
		text_add(to, SLICE(",\"data\":"));
		text_add(to, data);
	} else if (data.bytes && plain_type(code))
		text_printf(to, ",\"data\":{\"type\":\"%s\"}", plain_type(code));
	text_add(to, SLICE("}}"));
}
