/* SPDX-License-Identifier: Apache-2.0 */
/* Prompt: read member by member, written in the order of the text's examples. */
#include "flow/prompt.h"

static const char *const words[PROMPT_TYPES] = {
	[PROMPT_TEXT] = "text",
	[PROMPT_CHOICE] = "choice",
	[PROMPT_CONFIRM] = "confirm",
	[PROMPT_NUMBER] = "number",
	[PROMPT_DATE] = "date",
	[PROMPT_FILE] = "file",
	[PROMPT_CUSTOM] = "custom",
};

const char *prompt_type_word(enum prompt_type type) { return words[type]; }

/* ---- Reading ---- */

struct reading {
	struct arena *arena;
	struct fault *why;
};

static bool read_words(const struct reading *reading, const struct scan_value *object, const char *name,
	size_t most, struct slice *to) {
	struct scan_value value;
	*to = SLICE_NONE;
	if (!scan_find(object, name, &value) || value.type == SCAN_NULL) return true;
	if (value.type != SCAN_STRING)
		return fault_set(reading->why, FAULT_BAD_INPUT, "prompt.%s has to be a string", name);
	if (!scan_string(&value, reading->arena, to))
		return fault_set(reading->why, FAULT_NO_MEMORY, "no memory for a prompt");
	if (to->length <= most) return true;
	return fault_set(reading->why, FAULT_TOO_LARGE, "prompt.%s is at most %zu octets", name, most);
}

static bool read_type(const struct reading *reading, const struct scan_value *object, struct prompt *prompt) {
	struct slice word;
	if (!read_words(reading, object, "type", 32, &word)) return false;
	for (int i = 0; i < PROMPT_TYPES; i++) {
		if (!slice_is(word, words[i])) continue;
		prompt->type = (enum prompt_type)i;
		return true;
	}
	return fault_set(reading->why, FAULT_BAD_INPUT,
		"prompt.type has to be text, choice, confirm, number, date, file or custom");
}

static bool read_choice(const struct reading *reading, const struct scan_value *value,
	struct prompt_choice *choice) {
	struct scan_value member;
	*choice = (struct prompt_choice){0};
	if (value->type == SCAN_STRING || value->type == SCAN_NUMBER || value->type == SCAN_BOOLEAN) {
		choice->value = value->text;
		return true;
	}
	if (value->type != SCAN_OBJECT || !scan_find(value, "value", &member))
		return fault_set(reading->why, FAULT_BAD_INPUT, "prompt.choices[] needs {\"value\",\"label\"}");
	choice->value = member.text;
	if (!scan_find(value, "label", &member)) return true;
	return (member.type == SCAN_STRING && scan_string(&member, reading->arena, &choice->label)) ||
		fault_set(reading->why, FAULT_BAD_INPUT, "prompt.choices[].label has to be a string");
}

static bool read_choices(const struct reading *reading, const struct scan_value *object, struct prompt *prompt) {
	struct scan_value array;
	struct scan_walk walk;
	struct scan_member member;
	if (prompt->type != PROMPT_CHOICE) return true;
	if (!scan_find(object, "choices", &array) || array.type != SCAN_ARRAY || scan_count(&array) == 0)
		return fault_set(reading->why, FAULT_BAD_INPUT, "prompt.choices has to be an array with something in it");
	size_t count = scan_count(&array);
	if (count > PROMPT_CHOICES)
		return fault_set(reading->why, FAULT_TOO_LARGE, "prompt.choices are at most %d", PROMPT_CHOICES);
	struct prompt_choice *choices = arena_alloc(reading->arena, count * sizeof *choices);
	if (!choices) return fault_set(reading->why, FAULT_NO_MEMORY, "no memory for a prompt");
	size_t at = 0;
	for (scan_open(&walk, &array); scan_next(&walk, &member);)
		if (!read_choice(reading, &member.value, &choices[at++])) return false;
	prompt->choices = choices;
	prompt->choice_count = count;
	return true;
}

/* min and max are words of a date and numbers of everything else. */
static bool read_bound(const struct reading *reading, const struct scan_value *rules, const char *name, bool is_date,
	bool *has, double *number, struct slice *words_of_date) {
	struct scan_value value;
	if (!scan_find(rules, name, &value) || value.type == SCAN_NULL) return true;
	if (is_date && value.type == SCAN_STRING)
		return scan_string(&value, reading->arena, words_of_date) ||
			fault_set(reading->why, FAULT_NO_MEMORY, "no memory for a prompt");
	*has = !is_date && scan_number(&value, number);
	return *has || fault_set(reading->why, FAULT_BAD_INPUT, "prompt.validation.%s has to be a %s", name, is_date ? "date" : "number");
}

static bool read_flag(const struct reading *reading, const struct scan_value *rules, const char *name, bool *flag) {
	struct scan_value value;
	if (!scan_find(rules, name, &value) || value.type == SCAN_NULL) return true;
	return scan_boolean(&value, flag) ||
		fault_set(reading->why, FAULT_BAD_INPUT, "prompt.validation.%s has to be true or false", name);
}

static bool read_file_rules(const struct reading *reading, const struct scan_value *object,
	struct prompt_rules *rules) {
	struct scan_value value;
	if (scan_find(object, "maxSize", &value) &&
		(!scan_number(&value, &rules->most_octets) || rules->most_octets <= 0))
		return fault_set(reading->why, FAULT_BAD_INPUT, "prompt.validation.maxSize has to be a number of octets");
	if (!scan_find(object, "accept", &rules->accept)) rules->accept = (struct scan_value){.type = SCAN_NONE};
	bool is_fine = rules->accept.type == SCAN_NONE || rules->accept.type == SCAN_ARRAY;
	return is_fine || fault_set(reading->why, FAULT_BAD_INPUT, "prompt.validation.accept has to be an array");
}

static bool read_rules(const struct reading *reading, const struct scan_value *object, struct prompt *prompt) {
	struct prompt_rules *rules = &prompt->rules;
	struct scan_value value;
	bool is_date = prompt->type == PROMPT_DATE;
	if (!scan_find(object, "validation", &value) || value.type == SCAN_NULL) return true;
	if (value.type != SCAN_OBJECT)
		return fault_set(reading->why, FAULT_BAD_INPUT, "prompt.validation has to be an object");
	return read_flag(reading, &value, "required", &rules->is_required) &&
		read_flag(reading, &value, "integer", &rules->is_whole) &&
		read_bound(reading, &value, "min", is_date, &rules->has_least, &rules->least, &rules->first) &&
		read_bound(reading, &value, "max", is_date, &rules->has_most, &rules->most, &rules->last) &&
		read_words(reading, &value, "pattern", PROMPT_MESSAGE, &rules->pattern) &&
		read_words(reading, &value, "format", PROMPT_NAME, &rules->format) &&
		(prompt->type != PROMPT_FILE || read_file_rules(reading, &value, rules));
}

static bool read_schema(const struct reading *reading, const struct scan_value *object, struct prompt *prompt) {
	struct scan_value value;
	if (!scan_find(object, "schema", &value) || value.type == SCAN_NULL) return true;
	if (value.type != SCAN_OBJECT && value.type != SCAN_BOOLEAN)
		return fault_set(reading->why, FAULT_BAD_INPUT, "prompt.schema has to be a JSON Schema");
	prompt->schema = value.text;
	return true;
}

bool prompt_read(const struct scan_value *value, struct arena *arena, struct prompt *prompt,
	struct fault *why) {
	const struct reading reading = {arena, why};
	struct scan_value member;
	struct prompt read = {.rules.accept.type = SCAN_NONE};
	if (value->type != SCAN_OBJECT) return fault_set(why, FAULT_BAD_INPUT, "a prompt has to be an object");
	if (value->text.length > PROMPT_OCTETS)
		return fault_set(why, FAULT_TOO_LARGE, "a prompt is at most %zu octets", PROMPT_OCTETS);
	if (!read_type(&reading, value, &read) || !read_words(&reading, value, "message", PROMPT_MESSAGE, &read.message) ||
		!read_words(&reading, value, "name", PROMPT_NAME, &read.name) ||
		!read_words(&reading, value, "promptId", PROMPT_NAME, &read.id) ||
		!read_words(&reading, value, "placeholder", PROMPT_MESSAGE, &read.placeholder) ||
		!read_choices(&reading, value, &read) || !read_rules(&reading, value, &read) ||
		!read_schema(&reading, value, &read))
		return false;
	if (scan_find(value, "defaultValue", &member) && member.type != SCAN_NULL) read.default_value = member.text;
	*prompt = read;
	return true;
}

/* ---- Writing ---- */

static void add_name(struct text *to, const char *name, bool *has_one) {
	text_printf(to, "%s\"%s\":", *has_one ? "," : "", name);
	*has_one = true;
}

static void add_words(struct text *to, const char *name, struct slice value, bool *has_one) {
	if (!value.length) return;
	add_name(to, name, has_one);
	text_json(to, value);
}

static void add_number(struct text *to, const char *name, bool has, double number, bool *has_one) {
	if (!has) return;
	add_name(to, name, has_one);
	text_printf(to, "%.17g", number);
}

static void write_rules(struct text *to, const struct prompt *prompt, bool *has_member) {
	const struct prompt_rules *rules = &prompt->rules;
	AUTO_TEXT struct text own = {0};
	bool has_one = false;
	text_init(&own, 0);
	if (rules->is_required) {
		add_name(&own, "required", &has_one);
		text_add_cstr(&own, "true");
	}
	add_words(&own, "pattern", rules->pattern, &has_one);
	add_words(&own, "format", rules->format, &has_one);
	add_number(&own, "min", rules->has_least, rules->least, &has_one);
	add_number(&own, "max", rules->has_most, rules->most, &has_one);
	add_words(&own, "min", rules->first, &has_one);
	add_words(&own, "max", rules->last, &has_one);
	if (rules->is_whole) {
		add_name(&own, "integer", &has_one);
		text_add_cstr(&own, "true");
	}
	add_number(&own, "maxSize", rules->most_octets > 0, rules->most_octets, &has_one);
	if (rules->accept.type == SCAN_ARRAY) {
		add_name(&own, "accept", &has_one);
		text_add(&own, rules->accept.text);
	}
	if (text_failed(&own)) to->failed = true;
	if (!has_one) return;
	add_name(to, "validation", has_member);
	text_add_char(to, '{');
	text_add(to, text_slice(&own));
	text_add_char(to, '}');
}

static void write_choices(struct text *to, const struct prompt *prompt, bool *has_one) {
	if (prompt->type != PROMPT_CHOICE) return;
	add_name(to, "choices", has_one);
	for (size_t i = 0; i < prompt->choice_count; i++) {
		const struct prompt_choice *choice = &prompt->choices[i];
		text_add_cstr(to, i ? ",{\"value\":" : "[{\"value\":");
		text_add(to, choice->value);
		text_add_cstr(to, ",\"label\":");
		bool is_string = choice->value.length && choice->value.bytes[0] == '"';
		if (choice->label.length) text_json(to, choice->label);
		else if (is_string) text_add(to, choice->value);
		else text_json(to, choice->value);
		text_add_char(to, '}');
	}
	text_add_cstr(to, prompt->choice_count ? "]" : "[]");
}

void prompt_write(struct text *to, const struct prompt *prompt) {
	bool has_one = true;
	text_printf(to, "{\"type\":\"%s\",\"message\":", words[prompt->type]);
	text_json(to, prompt->message);
	add_words(to, "placeholder", prompt->placeholder, &has_one);
	write_choices(to, prompt, &has_one);
	if (prompt->default_value.length) {
		add_name(to, "defaultValue", &has_one);
		text_add(to, prompt->default_value);
	}
	write_rules(to, prompt, &has_one);
	if (prompt->schema.length) {
		add_name(to, "schema", &has_one);
		text_add(to, prompt->schema);
	}
	add_words(to, "name", prompt->name, &has_one);
	add_words(to, "promptId", prompt->id, &has_one);
	text_add_char(to, '}');
}

void prompt_write_progress(struct text *to, const struct prompt_progress *progress) {
	text_printf(to, "{\"current\":%u", progress->current);
	if (progress->total) text_printf(to, ",\"total\":%u", progress->total);
	if (progress->message.length) {
		text_add_cstr(to, ",\"message\":");
		text_json(to, progress->message);
	}
	text_add_char(to, '}');
}
