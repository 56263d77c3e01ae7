/* SPDX-License-Identifier: Apache-2.0 */
/* Mgp_form: one question in two tongues. */
#include "mcp/mgp_form.h"

/* ---- A callback as a form ---- */

/* Forms are of objects; a schema of anything else is not one that a client could show. */
static bool has_properties(const struct scan_value *schema) {
	struct scan_value type, properties;
	return schema->type == SCAN_OBJECT && scan_find(schema, "type", &type) && slice_is(type.text, "\"object\"") &&
		scan_find(schema, "properties", &properties) && properties.type == SCAN_OBJECT;
}

static void write_property(struct text *to, const struct mgp_callback *callback) {
	if (callback->options.type) {
		text_add_cstr(to, "{\"type\":\"string\",\"enum\":");
		text_add(to, callback->options.text);
		text_add_char(to, '}');
	} else if (callback->type == MGP_CONFIRMATION) text_add_cstr(to, "{\"type\":\"boolean\"}");
	else text_add_cstr(to, "{\"type\":\"string\"}");
}

void mgp_form_write(struct text *to, const struct mgp_callback *callback) {
	text_add_cstr(to, "{\"message\":");
	text_add(to, callback->message);
	text_add_cstr(to, ",\"requestedSchema\":");
	if (has_properties(&callback->schema)) text_add(to, callback->schema.text);
	else {
		text_add_cstr(to, "{\"type\":\"object\",\"properties\":{\"response\":");
		write_property(to, callback);
		text_add_cstr(to, "},\"required\":[\"response\"]}");
	}
	text_add_char(to, '}');
}

void mgp_form_answer(struct text *to, const struct mgp_callback *callback, const struct scan_value *result) {
	struct scan_value action, content, response;
	if (result->type != SCAN_OBJECT || !scan_find(result, "action", &action) ||
		!slice_is(action.text, "\"accept\"")) {
		mgp_callback_write_no(to, callback);
		return;
	}
	bool is_there = scan_find(result, "content", &content);
	if (is_there && has_properties(&callback->schema)) response = content;
	else if (is_there) is_there = scan_find(&content, "response", &response);
	if (!is_there || !mgp_callback_accepts(callback, &response, NULL)) {
		mgp_callback_write_none(to, "invalid");
		return;
	}
	text_add_cstr(to, "{\"response\":");
	text_add(to, response.text);
	text_add_char(to, '}');
}

/* ---- A form as a callback ---- */

/* An enum that a selection can offer; what has titles, or is no string, is left to the schema. */
static bool is_choice(const struct scan_value *property, struct mgp_callback *callback) {
	struct scan_value options;
	if (!scan_find(property, "enum", &options) || !mgp_callback_check_options(&options, NULL) ||
		!scan_count(&options))
		return false;
	callback->type = MGP_SELECTION;
	callback->options = options;
	return true;
}

/* Words that have to have a form of their own are judged by the schema. */
static bool is_plain(const struct scan_value *property) {
	static const char *const judged[] = {"minLength", "maxLength", "pattern", "format", "oneOf", "anyOf", "const"};
	struct scan_value value;
	for (size_t i = 0; i < COUNT_OF(judged); i++)
		if (scan_find(property, judged[i], &value)) return false;
	return true;
}

static bool is_single(const struct scan_value *property, struct mgp_callback *callback) {
	struct scan_value type;
	if (property->type != SCAN_OBJECT) return false;
	if (is_choice(property, callback)) return true;
	if (!scan_find(property, "type", &type)) return false;
	bool is_boolean = slice_is(type.text, "\"boolean\"");
	struct scan_value unknown;
	if (!is_boolean &&
		(!slice_is(type.text, "\"string\"") || scan_find(property, "enum", &unknown) || !is_plain(property)))
		return false;
	callback->type = is_boolean ? MGP_CONFIRMATION : MGP_INPUT;
	return true;
}

bool mgp_form_read(const struct scan_value *params, struct mgp_form *form, struct fault *why) {
	struct mgp_callback *callback = &form->callback;
	struct scan_value message, schema, properties, mode;
	struct scan_walk walk;
	struct scan_member member;
	*form = (struct mgp_form){.callback = {.type = MGP_INPUT, .timeout_ms = MGP_CALLBACK_MS}};
	if (params->type != SCAN_OBJECT || (scan_find(params, "mode", &mode) && !slice_is(mode.text, "\"form\"")))
		return fault_set(why, FAULT_BAD_INPUT, "that is no form");
	if (!scan_find(params, "message", &message) || message.type != SCAN_STRING ||
		message.text.length > MGP_CALLBACK_MESSAGE)
		return fault_set(why, FAULT_BAD_INPUT, "message: has to be a string of at most %d octets",
			MGP_CALLBACK_MESSAGE);
	if (!scan_find(params, "requestedSchema", &schema) || schema.text.length > MGP_CALLBACK_SCHEMA ||
		!has_properties(&schema) || !scan_find(&schema, "properties", &properties))
		return fault_set(why, FAULT_BAD_INPUT, "requestedSchema: has to be an object's, of at most %d octets",
			MGP_CALLBACK_SCHEMA);
	callback->message = message.text;
	scan_open(&walk, &properties);
	if (scan_count(&properties) == 1 && scan_next(&walk, &member) && is_single(&member.value, callback))
		form->field = member.key;
	else callback->schema = schema;
	return true;
}

/* A confirmation may be answered in words. */
static struct slice value_of(const struct mgp_form *form, const struct scan_value *response) {
	if (form->callback.type != MGP_CONFIRMATION || response->type != SCAN_STRING) return response->text;
	return slice_is(response->text, "\"confirm\"") ? SLICE("true") : SLICE("false");
}

void mgp_form_result(struct text *to, const struct mgp_form *form, const struct scan_value *answer) {
	struct scan_value response, reason;
	if (!scan_find(answer, "response", &response) || response.type == SCAN_NULL) {
		bool is_no = scan_find(answer, "reason", &reason) && slice_is(reason.text, "\"declined\"");
		text_add_cstr(to, is_no ? "{\"action\":\"decline\"}" : "{\"action\":\"cancel\"}");
		return;
	}
	text_add_cstr(to, "{\"action\":\"accept\",\"content\":");
	if (form->field.bytes) {
		text_add_cstr(to, "{\"");
		text_add(to, form->field);
		text_add_cstr(to, "\":");
		text_add(to, value_of(form, &response));
		text_add_char(to, '}');
	} else text_add(to, response.text);
	text_add_char(to, '}');
}
