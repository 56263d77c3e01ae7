/* SPDX-License-Identifier: Apache-2.0 */
/* Prompt form: one function a type, and the way back. */
#include "flow/prompt_form.h"

#include <math.h>

#define SHOWN_SCHEMA 400 /* octets of a schema that a description shows */
#define EXACT 9007199254740992.0

/* ---- What is asked ---- */

static void write_number(struct text *to, const char *key, double number) {
	if (number == floor(number) && fabs(number) < EXACT) text_printf(to, ",\"%s\":%.0f", key, number);
	else text_printf(to, ",\"%s\":%.17g", key, number);
}

/* A choice as a string: itself, or its JSON where it is another value. */
static void write_choice(struct text *to, struct slice value) {
	if (value.length && value.bytes[0] == '"') text_add(to, value);
	else text_json(to, value);
}

static bool has_labels(const struct prompt *prompt) {
	for (size_t i = 0; i < prompt->choice_count; i++)
		if (prompt->choices[i].label.length) return true;
	return false;
}

static void write_label(struct text *to, const struct prompt_choice *choice) {
	if (choice->label.length) text_json(to, choice->label);
	else write_choice(to, choice->value);
}

static void write_titled(struct text *to, const struct prompt *prompt) {
	text_add_cstr(to, "\"type\":\"string\",\"oneOf\":[");
	for (size_t i = 0; i < prompt->choice_count; i++) {
		text_add_cstr(to, i ? ",{\"const\":" : "{\"const\":");
		write_choice(to, prompt->choices[i].value);
		text_add_cstr(to, ",\"title\":");
		write_label(to, &prompt->choices[i]);
		text_add_char(to, '}');
	}
	text_add_char(to, ']');
}

static void write_choices(struct text *to, const struct prompt *prompt, bool is_modern) {
	bool is_labelled = has_labels(prompt);
	if (is_labelled && is_modern) {
		write_titled(to, prompt);
		return;
	}
	text_add_cstr(to, "\"type\":\"string\",\"enum\":[");
	for (size_t i = 0; i < prompt->choice_count; i++) {
		if (i) text_add_char(to, ',');
		write_choice(to, prompt->choices[i].value);
	}
	text_add_char(to, ']');
	if (!is_labelled) return;
	text_add_cstr(to, ",\"enumNames\":[");
	for (size_t i = 0; i < prompt->choice_count; i++) {
		if (i) text_add_char(to, ',');
		write_label(to, &prompt->choices[i]);
	}
	text_add_char(to, ']');
}

static void write_text(struct text *to, const struct prompt_rules *rules) {
	static const char *const known[] = {"email", "uri"};
	text_add_cstr(to, "\"type\":\"string\"");
	if (rules->has_least) write_number(to, "minLength", rules->least);
	else if (rules->is_required) text_add_cstr(to, ",\"minLength\":1");
	if (rules->has_most) write_number(to, "maxLength", rules->most);
	for (size_t i = 0; i < COUNT_OF(known); i++)
		if (slice_is(rules->format, known[i])) text_printf(to, ",\"format\":\"%s\"", known[i]);
}

static void write_kind(struct text *to, const struct prompt *prompt, bool is_modern) {
	const struct prompt_rules *rules = &prompt->rules;
	switch (prompt->type) {
	case PROMPT_CHOICE: write_choices(to, prompt, is_modern); return;
	case PROMPT_CONFIRM: text_add_cstr(to, "\"type\":\"boolean\""); return;
	case PROMPT_NUMBER:
		text_printf(to, "\"type\":\"%s\"", rules->is_whole ? "integer" : "number");
		if (rules->has_least) write_number(to, "minimum", rules->least);
		if (rules->has_most) write_number(to, "maximum", rules->most);
		return;
	case PROMPT_DATE:
		text_add_cstr(to, "\"type\":\"string\"");
		if (!slice_is(rules->format, "time"))
			text_printf(to, ",\"format\":\"%s\"", slice_is(rules->format, "date-time") ? "date-time" : "date");
		return;
	case PROMPT_TEXT: write_text(to, rules); return;
	default: text_add_cstr(to, "\"type\":\"string\""); return;
	}
}

/* What a form has no word for is said. */
static void write_description(struct text *to, const struct prompt *prompt) {
	AUTO_TEXT struct text words = {0};
	text_init(&words, 0);
	text_add(&words, prompt->message);
	if (prompt->rules.pattern.length)
		text_printf(&words, " (has to match %.*s)", (int)slice_cut(prompt->rules.pattern, SHOWN_SCHEMA), prompt->rules.pattern.bytes);
	if (slice_is(prompt->rules.format, "time")) text_add_cstr(&words, " (a time such as 14:30:00Z)");
	if (prompt->type == PROMPT_CUSTOM || prompt->type == PROMPT_FILE) {
		text_add_cstr(&words, " (as JSON");
		if (prompt->schema.length && prompt->schema.length <= SHOWN_SCHEMA)
			text_printf(&words, ", of the schema %.*s", SLICE_ARGS(prompt->schema));
		else if (prompt->type == PROMPT_FILE)
			text_add_cstr(&words, ": {\"uri\",\"name\",\"size\",\"mimeType\"}");
		text_add_char(&words, ')');
	}
	text_add_cstr(to, ",\"description\":");
	text_json(to, text_slice(&words));
	to->failed |= text_failed(&words);
}

static void write_default(struct text *to, const struct prompt *prompt) {
	struct slice value = prompt->default_value;
	bool is_string = prompt->type != PROMPT_NUMBER && prompt->type != PROMPT_CONFIRM;
	if (!value.length) return;
	bool is_boolean = slice_is(value, "true") || slice_is(value, "false");
	if (prompt->type == PROMPT_CONFIRM && !is_boolean) return;
	if (prompt->type == PROMPT_NUMBER && (is_boolean || strchr("\"[{", value.bytes[0]))) return;
	text_add_cstr(to, ",\"default\":");
	if (prompt->type == PROMPT_CUSTOM || prompt->type == PROMPT_FILE) text_json(to, value);
	else if (is_string) write_choice(to, value);
	else text_add(to, value);
}

void prompt_form_write(struct text *to, struct slice message, const struct prompt *prompts, size_t count, bool is_modern) {
	text_add_cstr(to, "{\"message\":");
	text_json(to, message);
	text_add_cstr(to, ",\"requestedSchema\":{\"type\":\"object\",\"properties\":{");
	for (size_t i = 0; i < count; i++) {
		if (i) text_add_char(to, ',');
		text_json(to, prompts[i].name);
		text_add_cstr(to, ":{");
		write_kind(to, &prompts[i], is_modern);
		text_add_cstr(to, ",\"title\":");
		text_json(to, prompts[i].title.length ? prompts[i].title : prompts[i].name);
		write_description(to, &prompts[i]);
		write_default(to, &prompts[i]);
		text_add_char(to, '}');
	}
	text_add_cstr(to, "},\"required\":[");
	const char *before = "";
	for (size_t i = 0; i < count; i++) {
		if (!prompts[i].rules.is_required) continue;
		text_add_cstr(to, before);
		text_json(to, prompts[i].name);
		before = ",";
	}
	text_add_cstr(to, "]}}");
}

/* ---- What came back ---- */

static bool find(const struct scan_value *content, struct slice name, struct arena *arena, struct scan_value *value) {
	struct scan_walk walk;
	struct scan_member member;
	struct slice key;
	*value = (struct scan_value){.type = SCAN_NONE};
	if (content->type != SCAN_OBJECT) return true;
	for (scan_open(&walk, content); scan_next(&walk, &member);) {
		if (!scan_key(&member, arena, &key)) return false;
		if (!slice_equal(key, name)) continue;
		*value = member.value;
		return true;
	}
	return true;
}

/* The choice whose string that is. */
static bool choose(const struct prompt *prompt, struct slice words, struct arena *arena, struct scan_value *value) {
	for (size_t i = 0; i < prompt->choice_count; i++) {
		struct slice offered = prompt->choices[i].value, plain = offered;
		struct scan_value choice;
		struct scan_fault fault;
		if (!scan_check(offered, SCAN_DEPTH, &choice, &fault)) continue;
		if (choice.type == SCAN_STRING && !scan_string(&choice, arena, &plain)) return false;
		if (!slice_equal(plain, words)) continue;
		*value = choice;
		return true;
	}
	return true;
}

/* JSON in a string; what is none stays the string, which does not fit, or is the value that is wanted. */
static bool unwrap(struct slice words, struct arena *arena, struct scan_value *value) {
	struct scan_value inner;
	struct scan_fault fault;
	struct slice copy;
	bool has_twins = false;
	if (!scan_check(words, SCAN_DEPTH, &inner, &fault)) return true;
	if (!scan_has_duplicates(words, arena, &has_twins) || !arena_copy(arena, words, &copy)) return false;
	if (!has_twins && scan_check(copy, SCAN_DEPTH, &inner, &fault)) *value = inner;
	return true;
}

bool prompt_form_read(const struct scan_value *content, const struct prompt *prompt, struct arena *arena,
	struct scan_value *value) {
	struct slice words;
	if (!find(content, prompt->name, arena, value)) return false;
	bool is_wrapped = prompt->type == PROMPT_CHOICE || prompt->type == PROMPT_CUSTOM || prompt->type == PROMPT_FILE;
	if (value->type != SCAN_STRING || !is_wrapped) return true;
	if (!scan_string(value, arena, &words)) return false;
	return prompt->type == PROMPT_CHOICE ? choose(prompt, words, arena, value) : unwrap(words, arena, value);
}
