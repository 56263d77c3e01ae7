/* SPDX-License-Identifier: Apache-2.0 */
/* Mgp_callback: read, shown, answered. */
#include "mcp/mgp_callback.h"

#include "mcp/schema.h"

static const char *const types[MGP_CALLBACK_TYPES] = {
	[MGP_CONFIRMATION] = "confirmation",
	[MGP_INPUT] = "input",
	[MGP_SELECTION] = "selection",
	[MGP_NOTIFICATION] = "notification",
};

const char *mgp_callback_word(enum mgp_callback_type type) { return types[type]; }

/* Whether that JSON string has those characters. */
static bool is_word(const struct scan_value *value, const char *word) {
	char lent[64];
	struct arena arena;
	struct slice characters;
	if (value->type != SCAN_STRING) return false;
	arena_init(&arena, lent, sizeof lent, sizeof lent);
	bool is_same = scan_string(value, &arena, &characters) && slice_is(characters, word);
	arena_finish(&arena);
	return is_same;
}

/* Two JSON strings, escapes read. */
static bool is_same(const struct scan_value *one, const struct scan_value *other) {
	char lent[2 * MGP_CALLBACK_OPTION];
	struct arena arena;
	struct slice a, b;
	if (slice_equal(one->text, other->text)) return true;
	arena_init(&arena, lent, sizeof lent, 0);
	bool is_equal = scan_string(one, &arena, &a) && scan_string(other, &arena, &b) && slice_equal(a, b);
	arena_finish(&arena);
	return is_equal;
}

/* ---- Reading ---- */

static bool read_type(const struct scan_value *params, struct mgp_callback *callback, struct fault *why) {
	struct scan_value value;
	if (scan_find(params, "type", &value))
		for (int i = 0; i < MGP_CALLBACK_TYPES; i++) {
			if (!is_word(&value, types[i])) continue;
			callback->type = (enum mgp_callback_type)i;
			return true;
		}
	return fault_set(why, FAULT_BAD_INPUT, "type: has to be confirmation, input, selection or notification");
}

static bool has_option(const struct scan_value *options, size_t count, const struct scan_value *word) {
	struct scan_walk walk;
	struct scan_member member;
	for (scan_open(&walk, options); count > 0 && scan_next(&walk, &member); count--)
		if (is_same(&member.value, word)) return true;
	return false;
}

bool mgp_callback_check_options(const struct scan_value *options, struct fault *why) {
	struct scan_walk walk;
	struct scan_member member;
	size_t count = 0;
	if (options->type != SCAN_ARRAY) return fault_set(why, FAULT_BAD_INPUT, "options: has to be an array of strings");
	for (scan_open(&walk, options); scan_next(&walk, &member); count++) {
		if (count == MGP_CALLBACK_OPTIONS)
			return fault_set(why, FAULT_TOO_LARGE, "options: at most %d", MGP_CALLBACK_OPTIONS);
		if (member.value.type != SCAN_STRING)
			return fault_set(why, FAULT_BAD_INPUT, "options: has to be an array of strings");
		if (member.value.text.length > MGP_CALLBACK_OPTION)
			return fault_set(why, FAULT_TOO_LARGE, "options: at most %d octets each", MGP_CALLBACK_OPTION);
		if (has_option(options, count, &member.value))
			return fault_set(why, FAULT_BAD_INPUT, "options: one stands there twice");
	}
	return true;
}

static bool read_options(const struct scan_value *params, struct mgp_callback *callback, struct fault *why) {
	struct scan_value value;
	bool is_there = scan_find(params, "options", &value) && value.type != SCAN_NULL;
	if (is_there && !mgp_callback_check_options(&value, why)) return false;
	if (is_there && scan_count(&value)) callback->options = value;
	if (callback->type != MGP_SELECTION || callback->options.type) return true;
	return fault_set(why, FAULT_BAD_INPUT, "options: a selection needs some");
}

static bool read_schema(const struct scan_value *params, struct mgp_callback *callback, struct fault *why) {
	struct scan_value value;
	if (callback->type != MGP_INPUT || !scan_find(params, "schema", &value) || value.type == SCAN_NULL) return true;
	if (value.type != SCAN_OBJECT) return fault_set(why, FAULT_BAD_INPUT, "schema: has to be an object");
	if (value.text.length > MGP_CALLBACK_SCHEMA)
		return fault_set(why, FAULT_TOO_LARGE, "schema: at most %d octets", MGP_CALLBACK_SCHEMA);
	callback->schema = value;
	return true;
}

static void read_timeout(const struct scan_value *params, struct mgp_callback *callback) {
	struct scan_value value;
	double number;
	callback->timeout_ms = MGP_CALLBACK_MS;
	if (!scan_find(params, "timeout_ms", &value) || !scan_number(&value, &number)) return;
	if (number < MGP_CALLBACK_LEAST_MS) callback->timeout_ms = MGP_CALLBACK_LEAST_MS;
	else if (number > MGP_CALLBACK_MOST_MS) callback->timeout_ms = MGP_CALLBACK_MOST_MS;
	else callback->timeout_ms = (uint64_t)number;
}

static bool read_id(const struct scan_value *params, struct mgp_callback *callback, struct fault *why) {
	struct scan_value value;
	bool is_there = scan_find(params, "callback_id", &value) && value.type != SCAN_NULL;
	if (!is_there) return true;
	if ((value.type != SCAN_STRING && value.type != SCAN_NUMBER) || value.text.length > MGP_CALLBACK_ID)
		return fault_set(why, FAULT_BAD_INPUT, "callback_id: has to be a string of at most %d octets",
			MGP_CALLBACK_ID);
	callback->id = value.text;
	return true;
}

static bool read_message(const struct scan_value *params, struct mgp_callback *callback, struct fault *why) {
	struct scan_value value;
	if (!scan_find(params, "message", &value) || value.type != SCAN_STRING)
		return fault_set(why, FAULT_BAD_INPUT, "message: has to be a string");
	if (value.text.length > MGP_CALLBACK_MESSAGE)
		return fault_set(why, FAULT_TOO_LARGE, "message: at most %d octets", MGP_CALLBACK_MESSAGE);
	callback->message = value.text;
	return true;
}

bool mgp_callback_read(const struct scan_value *params, struct mgp_callback *callback, struct fault *why) {
	*callback = (struct mgp_callback){.timeout_ms = MGP_CALLBACK_MS};
	if (params->type != SCAN_OBJECT) return fault_set(why, FAULT_BAD_INPUT, "params: an object is due");
	if (!scan_find(params, "request_id", &callback->request)) callback->request.type = SCAN_NONE;
	if (!read_id(params, callback, why) || !read_type(params, callback, why) ||
		!read_message(params, callback, why))
		return false;
	read_timeout(params, callback);
	if (callback->type != MGP_NOTIFICATION && !callback->id.length)
		return fault_set(why, FAULT_BAD_INPUT, "callback_id: missing");
	return callback->type == MGP_NOTIFICATION ||
		(read_options(params, callback, why) && read_schema(params, callback, why));
}

/* ---- Showing ---- */

void mgp_callback_write(struct text *to, const struct mgp_callback *callback, const char *id) {
	text_printf(to, "{\"callback_id\":\"%s\",\"type\":\"%s\",\"message\":", id, types[callback->type]);
	text_add(to, callback->message);
	if (callback->options.type) {
		text_add_cstr(to, ",\"options\":");
		text_add(to, callback->options.text);
	}
	if (callback->schema.type) {
		text_add_cstr(to, ",\"schema\":");
		text_add(to, callback->schema.text);
	}
	if (callback->type != MGP_NOTIFICATION)
		text_printf(to, ",\"timeout_ms\":%llu", (unsigned long long)callback->timeout_ms);
	text_add_char(to, '}');
}

void mgp_callback_write_about(struct text *to, const struct scan_value *params, struct slice request_id) {
	struct scan_walk walk;
	struct scan_member member;
	text_add_cstr(to, "{\"request_id\":");
	text_add(to, request_id);
	for (scan_open(&walk, params); scan_next(&walk, &member);) {
		if (scan_key_is(&member, "request_id")) continue;
		text_add_cstr(to, ",\"");
		text_add(to, member.key);
		text_add_cstr(to, "\":");
		text_add(to, member.value.text);
	}
	text_add_char(to, '}');
}

void mgp_callback_write_message(struct text *to, const struct mgp_callback *callback) {
	text_add_cstr(to, "{\"level\":\"info\",\"data\":");
	text_add(to, callback->message);
	text_add_char(to, '}');
}

/* ---- Answers ---- */

static bool fits_schema(const struct mgp_callback *callback, const struct scan_value *response,
	struct fault *why) {
	if (response->type != SCAN_OBJECT) return fault_set(why, FAULT_BAD_INPUT, "an object is due, as `schema` says");
	AUTO(schema) schema = schema_read(callback->schema.text, why);
	if (!schema) return false;
	if (schema_check_value(schema, response, NULL)) return true;
	return fault_set(why, FAULT_BAD_INPUT, "the object does not fit the schema that was asked with");
}

bool mgp_callback_accepts(const struct mgp_callback *callback, const struct scan_value *response,
	struct fault *why) {
	if (response->text.length > MGP_CALLBACK_RESPONSE)
		return fault_set(why, FAULT_TOO_LARGE, "%zu octets, at most %d", response->text.length,
			MGP_CALLBACK_RESPONSE);
	if (callback->options.type) {
		if (response->type == SCAN_STRING && response->text.length <= 6 * MGP_CALLBACK_OPTION &&
			has_option(&callback->options, MGP_CALLBACK_OPTIONS, response))
			return true;
		return fault_set(why, FAULT_BAD_INPUT, "one of the options is due");
	}
	if (callback->type == MGP_CONFIRMATION) {
		if (response->type == SCAN_BOOLEAN || is_word(response, "confirm") ||
			is_word(response, "cancel"))
			return true;
		return fault_set(why, FAULT_BAD_INPUT, "true, false, \"confirm\" or \"cancel\" is due");
	}
	if (callback->schema.type) return fits_schema(callback, response, why);
	if (response->type == SCAN_STRING || response->type == SCAN_NUMBER || response->type == SCAN_BOOLEAN)
		return true;
	return fault_set(why, FAULT_BAD_INPUT, "a string, a number or a boolean is due");
}

static void write_response(struct text *to, struct slice value) {
	text_add_cstr(to, "{\"response\":");
	text_add(to, value);
	text_add_char(to, '}');
}

bool mgp_callback_write_yes(struct text *to, const struct mgp_callback *callback) {
	struct scan_walk walk;
	struct scan_member first;
	if (callback->type != MGP_CONFIRMATION) return false;
	if (callback->options.type) {
		scan_open(&walk, &callback->options);
		if (!scan_next(&walk, &first)) return false;
		write_response(to, first.value.text);
	} else write_response(to, SLICE("true"));
	return true;
}

void mgp_callback_write_none(struct text *to, const char *reason) {
	text_printf(to, "{\"response\":null,\"reason\":\"%s\"}", reason);
}

void mgp_callback_write_no(struct text *to, const struct mgp_callback *callback) {
	static const struct scan_value cancel = {.text = {"\"cancel\"", 8}, .type = SCAN_STRING};
	if (callback->options.type && has_option(&callback->options, MGP_CALLBACK_OPTIONS, &cancel))
		write_response(to, cancel.text);
	else mgp_callback_write_none(to, "declined");
}
