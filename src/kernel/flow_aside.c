/* SPDX-License-Identifier: Apache-2.0 */
/* Flow aside: from a form to a prompt, and from its answer to the form's result. */
#include "kernel/flow_aside.h"

#include "flow/prompt_schema.h"

static bool read_form(const struct scan_value *params, struct scan_value *message, struct scan_value *schema, struct fault *why) {
	bool is_form = params->type == SCAN_OBJECT && scan_find(params, "message", message) && message->type == SCAN_STRING &&
		scan_find(params, "requestedSchema", schema) && schema->type == SCAN_OBJECT;
	return is_form || fault_set(why, FAULT_BAD_INPUT, "a guided session can be asked by a form alone: message and requestedSchema are due");
}

/* Length 0: there is none, or more than one. */
static struct slice only_field(const struct scan_value *schema, struct arena *arena) {
	struct scan_value properties;
	struct scan_walk walk;
	struct scan_member member;
	struct slice name;
	if (!scan_find(schema, "properties", &properties) || scan_count(&properties) != 1) return SLICE_NONE;
	scan_open(&walk, &properties);
	return scan_next(&walk, &member) && scan_key(&member, arena, &name) ? name : SLICE_NONE;
}

/* As its client will read it, and as it is read again with the answer. */
static bool is_sound(const struct prompt *prompt, struct arena *arena, struct fault *why) {
	AUTO_TEXT struct text text = {0};
	struct prompt again;
	text_init(&text, PROMPT_OCTETS);
	prompt_write(&text, prompt);
	if (text_failed(&text)) return fault_set(why, FAULT_TOO_LARGE, "a form is at most %zu octets", PROMPT_OCTETS);
	const struct scan_value value = {.text = text_slice(&text), .type = SCAN_OBJECT};
	return prompt_read(&value, arena, &again, why);
}

bool flow_aside_read(const struct scan_value *params, struct arena *arena, struct prompt *prompt, struct slice *field,
	struct fault *why) {
	struct scan_value message, schema;
	struct prompt made = {.type = PROMPT_CUSTOM};
	struct slice words;
	if (!read_form(params, &message, &schema, why)) return false;
	if (!scan_string(&message, arena, &words)) return fault_set(why, FAULT_NO_MEMORY, "no memory for a form");
	struct slice only = only_field(&schema, arena);
	bool is_one = only.length && prompt_schema_of(&schema, only, arena, &made) && made.type != PROMPT_CUSTOM;
	if (!is_one) made = (struct prompt){.type = PROMPT_CUSTOM, .schema = schema.text};
	made.name = made.title = SLICE_NONE;
	made.message = words;
	made.rules.is_required = false;
	if (!is_sound(&made, arena, why)) return false;
	*prompt = made;
	*field = is_one ? only : SLICE_NONE;
	return true;
}

void flow_aside_write(struct text *to, struct slice field, const struct scan_value *value) {
	if (value->type == SCAN_NONE || value->type == SCAN_NULL) {
		text_add_cstr(to, "{\"action\":\"decline\"}");
		return;
	}
	text_add_cstr(to, "{\"action\":\"accept\",\"content\":");
	if (field.length) {
		text_add_char(to, '{');
		text_json(to, field);
		text_add_char(to, ':');
	}
	text_add(to, value->text);
	text_add_cstr(to, field.length ? "}}" : "}");
}
