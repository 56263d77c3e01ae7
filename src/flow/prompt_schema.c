/* SPDX-License-Identifier: Apache-2.0 */
/* Prompt schema: which property is missing, and what a property's schema says as a prompt. */
#include "flow/prompt_schema.h"

#include "base/pattern.h"
#include "mcp/schema.h"

/* ---- One property ---- */

struct drafting {
	const struct scan_value *root;
	struct arena *arena;
	struct prompt *prompt;
};

/* Of several ways to write a value the first that is not null: "string or nothing" is a string. */
static struct scan_value settle(const struct scan_value *schema, unsigned depth) {
	static const char *const several[] = {"anyOf", "oneOf", "allOf"};
	struct scan_value found, type, constant;
	struct scan_walk walk;
	struct scan_member member;
	if (depth == 0 || scan_find(schema, "type", &found) || scan_find(schema, "enum", &found)) return *schema;
	for (size_t i = 0; i < COUNT_OF(several); i++) {
		if (!scan_find(schema, several[i], &found) || found.type != SCAN_ARRAY) continue;
		for (scan_open(&walk, &found); scan_next(&walk, &member);) {
			if (member.value.type != SCAN_OBJECT || scan_find(&member.value, "const", &constant)) continue;
			bool is_null = scan_find(&member.value, "type", &type) && slice_is(type.text, "\"null\"");
			if (!is_null) return settle(&member.value, depth - 1);
		}
	}
	return *schema;
}

/* "#/$defs/Name", the only form of reference that is followed here; others make a custom prompt. */
static struct scan_value follow(const struct drafting *drafting, const struct scan_value *schema) {
	struct scan_value value, target;
	struct slice words, part, rest;
	if (!scan_find(schema, "$ref", &value) || !scan_string(&value, drafting->arena, &words)) return *schema;
	if (!slice_starts_with(words, "#/")) return *schema;
	rest = slice_make(words.bytes + 2, words.length - 2);
	target = *drafting->root;
	while (slice_split(&rest, '/', &part)) {
		char name[PROMPT_NAME + 1];
		struct scan_value next;
		if (part.length > PROMPT_NAME) return *schema;
		memcpy(name, part.bytes, part.length);
		name[part.length] = '\0';
		if (!scan_find(&target, name, &next) || next.type != SCAN_OBJECT) return *schema;
		target = next;
	}
	return target;
}

static struct slice words_of(const struct drafting *drafting, const struct scan_value *schema, const char *name) {
	struct scan_value value;
	struct slice words;
	bool is_there = scan_find(schema, name, &value) && value.type == SCAN_STRING && scan_string(&value, drafting->arena, &words);
	return is_there ? words : SLICE_NONE;
}

static bool number_of(const struct scan_value *schema, const char *name, double *number) {
	struct scan_value value;
	return scan_find(schema, name, &value) && scan_number(&value, number);
}

/* The type's word; of several the first that is not null. */
static struct slice type_of(const struct drafting *drafting, const struct scan_value *schema) {
	struct scan_value value;
	struct scan_walk walk;
	struct scan_member member;
	struct slice word;
	if (!scan_find(schema, "type", &value)) return SLICE_NONE;
	if (value.type == SCAN_STRING) return words_of(drafting, schema, "type");
	if (value.type != SCAN_ARRAY) return SLICE_NONE;
	for (scan_open(&walk, &value); scan_next(&walk, &member);)
		if (scan_string(&member.value, drafting->arena, &word) && !slice_is(word, "null")) return word;
	return SLICE_NONE;
}

static bool add_choices(const struct drafting *drafting, const struct scan_value *values, const struct scan_value *labels) {
	struct prompt *prompt = drafting->prompt;
	struct scan_walk walk, names;
	struct scan_member member, label;
	size_t count = scan_count(values);
	if (!count || count > PROMPT_CHOICES) return true;
	struct prompt_choice *choices = arena_zero(drafting->arena, count * sizeof *choices);
	if (!choices) return false;
	bool has_labels = labels && labels->type == SCAN_ARRAY;
	if (has_labels) scan_open(&names, labels);
	for (scan_open(&walk, values); scan_next(&walk, &member);) {
		struct prompt_choice *choice = &choices[prompt->choice_count++];
		choice->value = member.value.text;
		bool has_label = has_labels && scan_next(&names, &label) && label.value.type == SCAN_STRING;
		if (has_label && !scan_string(&label.value, drafting->arena, &choice->label)) return false;
	}
	prompt->type = PROMPT_CHOICE;
	prompt->choices = choices;
	return true;
}

/* oneOf of {"const","title"}: an enumeration with labels. */
static bool add_titled(const struct drafting *drafting, const struct scan_value *several) {
	struct prompt *prompt = drafting->prompt;
	struct scan_walk walk;
	struct scan_member member;
	struct scan_value value;
	size_t count = scan_count(several);
	if (!count || count > PROMPT_CHOICES) return true;
	for (scan_open(&walk, several); scan_next(&walk, &member);)
		if (member.value.type != SCAN_OBJECT || !scan_find(&member.value, "const", &value)) return true;
	struct prompt_choice *choices = arena_zero(drafting->arena, count * sizeof *choices);
	if (!choices) return false;
	for (scan_open(&walk, several); scan_next(&walk, &member);) {
		struct prompt_choice *choice = &choices[prompt->choice_count++];
		if (scan_find(&member.value, "const", &value)) choice->value = value.text;
		choice->label = words_of(drafting, &member.value, "title");
	}
	prompt->type = PROMPT_CHOICE;
	prompt->choices = choices;
	return true;
}

static bool draft_choice(const struct drafting *drafting, const struct scan_value *schema) {
	struct scan_value values, labels = {.type = SCAN_NONE};
	if (scan_find(schema, "enum", &values) && values.type == SCAN_ARRAY) {
		(void)scan_find(schema, "enumNames", &labels);
		return add_choices(drafting, &values, &labels);
	}
	if (scan_find(schema, "oneOf", &values) && values.type == SCAN_ARRAY) return add_titled(drafting, &values);
	if (scan_find(schema, "anyOf", &values) && values.type == SCAN_ARRAY) return add_titled(drafting, &values);
	return true;
}

static void draft_number(struct prompt *prompt, const struct scan_value *schema, bool is_whole) {
	struct prompt_rules *rules = &prompt->rules;
	prompt->type = PROMPT_NUMBER;
	rules->is_whole = is_whole;
	rules->has_least = number_of(schema, "minimum", &rules->least);
	rules->has_most = number_of(schema, "maximum", &rules->most);
}

/* One that cannot be read matches everything, as it does where the call's arguments are held against the schema. */
static struct slice pattern_of(const struct drafting *drafting, const struct scan_value *schema) {
	struct slice words = words_of(drafting, schema, "pattern");
	struct fault why;
	AUTO(pattern) pattern = words.length ? pattern_read(words, &why) : NULL;
	return pattern || (words.length && why.code == FAULT_NO_MEMORY) ? words : SLICE_NONE;
}

static void draft_text(const struct drafting *drafting, const struct scan_value *schema) {
	struct prompt *prompt = drafting->prompt;
	struct prompt_rules *rules = &prompt->rules;
	struct slice format = words_of(drafting, schema, "format");
	bool is_date = slice_is(format, "date") || slice_is(format, "date-time") || slice_is(format, "time");
	prompt->type = is_date ? PROMPT_DATE : PROMPT_TEXT;
	rules->format = format;
	if (is_date) return;
	rules->pattern = pattern_of(drafting, schema);
	rules->has_least = number_of(schema, "minLength", &rules->least);
	rules->has_most = number_of(schema, "maxLength", &rules->most);
}

/* The schema itself goes along; references keep what they point to beside them. */
static bool add_schema(const struct drafting *drafting, const struct scan_value *schema) {
	static const char *const homes[] = {"$defs", "definitions"};
	AUTO_TEXT struct text whole = {0};
	struct scan_value home, of_its_own;
	struct slice copy, open = schema->text;
	bool is_object = schema->type == SCAN_OBJECT, is_empty = is_object && !scan_count(schema);
	text_init(&whole, 0);
	if (is_object) open.length--; /* its brace */
	text_add(&whole, open);
	for (size_t i = 0; is_object && i < COUNT_OF(homes); i++) {
		if (!scan_find(drafting->root, homes[i], &home) || scan_find(schema, homes[i], &of_its_own)) continue;
		text_printf(&whole, "%s\"%s\":", is_empty ? "" : ",", homes[i]);
		text_add(&whole, home.text);
		is_empty = false;
	}
	if (is_object) text_add_char(&whole, '}');
	if (text_failed(&whole) || !arena_copy(drafting->arena, text_slice(&whole), &copy)) return false;
	drafting->prompt->schema = copy;
	return true;
}

/* What a prompt of its type has no word for is checked by the schema. */
static bool says_more(const struct scan_value *schema) {
	static const char *const keywords[] = {"exclusiveMinimum", "exclusiveMaximum", "multipleOf", "const", "not", "allOf", "if"};
	struct scan_value value;
	for (size_t i = 0; i < COUNT_OF(keywords); i++)
		if (scan_find(schema, keywords[i], &value)) return true;
	return false;
}

static bool draft_by_type(const struct drafting *drafting, const struct scan_value *schema) {
	struct slice type = type_of(drafting, schema);
	if (!draft_choice(drafting, schema)) return false;
	if (drafting->prompt->choice_count) return true;
	drafting->prompt->type = PROMPT_CUSTOM;
	if (slice_is(type, "boolean")) drafting->prompt->type = PROMPT_CONFIRM;
	else if (slice_is(type, "number") || slice_is(type, "integer"))
		draft_number(drafting->prompt, schema, slice_is(type, "integer"));
	else if (slice_is(type, "string"))
		draft_text(drafting, schema);
	bool is_custom = drafting->prompt->type == PROMPT_CUSTOM;
	return !(is_custom || says_more(schema)) || add_schema(drafting, schema);
}

static struct slice message_for(const struct drafting *drafting, const struct scan_value *own,
	const struct scan_value *schema, struct slice name) {
	static const char *const members[] = {"description", "title"};
	for (size_t i = 0; i < COUNT_OF(members); i++) {
		struct slice words = words_of(drafting, own, members[i]);
		if (!words.length) words = words_of(drafting, schema, members[i]);
		if (words.length) return slice_make(words.bytes, slice_cut(words, PROMPT_MESSAGE));
	}
	return name;
}

static bool draft(const struct drafting *drafting, struct slice name, const struct scan_value *own) {
	struct prompt *prompt = drafting->prompt;
	const struct scan_value followed = follow(drafting, own);
	const struct scan_value schema = settle(&followed, 4);
	const struct scan_value resolved = follow(drafting, &schema);
	struct scan_value value;
	*prompt = (struct prompt){.name = name, .rules.is_required = true};
	prompt->message = message_for(drafting, own, &resolved, name);
	prompt->title = words_of(drafting, own, "title");
	if (scan_find(own, "default", &value) && value.type != SCAN_NULL) prompt->default_value = value.text;
	return draft_by_type(drafting, &resolved);
}

bool prompt_schema_of(const struct scan_value *schema, struct slice name, struct arena *arena,
	struct prompt *prompt) {
	const struct drafting drafting = {schema, arena, prompt};
	struct scan_value properties;
	struct scan_walk walk;
	struct scan_member member;
	struct slice key;
	if (!scan_find(schema, "properties", &properties) || properties.type != SCAN_OBJECT) return false;
	for (scan_open(&walk, &properties); scan_next(&walk, &member);)
		if (scan_key(&member, arena, &key) && slice_equal(key, name) && member.value.type == SCAN_OBJECT)
			return draft(&drafting, key, &member.value);
	return false;
}

/* ---- Which one ---- */

static bool is_required(const struct scan_value *required, struct slice name, struct arena *arena) {
	struct scan_walk walk;
	struct scan_member member;
	struct slice word;
	for (scan_open(&walk, required); scan_next(&walk, &member);)
		if (scan_string(&member.value, arena, &word) && slice_equal(word, name)) return true;
	return false;
}

static bool find_given(const struct scan_value *given, struct slice name, struct arena *arena, struct scan_value *value) {
	struct scan_walk walk;
	struct scan_member member;
	struct slice key;
	if (given->type != SCAN_OBJECT) return false;
	for (scan_open(&walk, given); scan_next(&walk, &member);) {
		if (!scan_key(&member, arena, &key) || !slice_equal(key, name)) continue;
		*value = member.value;
		return true;
	}
	return false;
}

/* Held against the property alone, with what it refers to. What cannot be read accepts everything. */
static bool fits(const struct drafting *drafting, const struct scan_value *own, const struct scan_value *value) {
	struct prompt scratch = {0};
	struct fault why;
	const struct drafting custom = {drafting->root, drafting->arena, &scratch};
	if (!add_schema(&custom, own)) return true;
	AUTO(schema) schema = schema_read(scratch.schema, &why);
	return !schema || schema_check_value(schema, value, NULL);
}

enum prompt_schema_next prompt_schema_find(const struct scan_value *schema, const struct scan_value *given,
	struct arena *arena, struct prompt *prompt, unsigned *missing) {
	struct prompt first = {0}, other;
	struct drafting drafting = {schema, arena, &other};
	struct scan_value properties, required, value;
	struct scan_walk walk;
	struct scan_member member;
	struct slice name;
	unsigned count = 0, seen = 0;
	if (schema->type != SCAN_OBJECT || !scan_find(schema, "properties", &properties) || properties.type != SCAN_OBJECT ||
		!scan_find(schema, "required", &required) || required.type != SCAN_ARRAY)
		return PROMPT_SCHEMA_COMPLETE;
	for (scan_open(&walk, &properties); scan_next(&walk, &member) && seen < PROMPT_SCHEMA_PROPERTIES; seen++) {
		if (member.value.type != SCAN_OBJECT) continue;
		if (!scan_key(&member, arena, &name)) return PROMPT_SCHEMA_NO_MEMORY;
		if (!is_required(&required, name, arena)) continue;
		if (find_given(given, name, arena, &value) && fits(&drafting, &member.value, &value)) continue;
		drafting.prompt = &first;
		if (count++ == 0 && !draft(&drafting, name, &member.value)) return PROMPT_SCHEMA_NO_MEMORY;
	}
	if (missing) *missing = count;
	if (!count) return PROMPT_SCHEMA_COMPLETE;
	*prompt = first;
	return PROMPT_SCHEMA_ASKS;
}

/* Whether a prompt can be made of each name that is required and not given. */
static bool can_be_asked(const struct scan_value *required, const struct scan_value *properties,
	const struct scan_value *given, struct arena *arena) {
	struct scan_walk walk;
	struct scan_member member;
	struct scan_value value;
	struct slice word;
	for (scan_open(&walk, required); scan_next(&walk, &member);) {
		if (!scan_string(&member.value, arena, &word)) return false;
		if (find_given(given, word, arena, &value)) continue;
		if (!find_given(properties, word, arena, &value) || value.type != SCAN_OBJECT) return false;
	}
	return true;
}

enum prompt_schema_next prompt_schema_list(const struct scan_value *schema, const struct scan_value *given,
	struct arena *arena, struct prompt *prompts, size_t most, struct prompt_schema_count *count) {
	struct drafting drafting = {schema, arena, prompts};
	struct scan_value properties, required, value;
	struct scan_walk walk;
	struct scan_member member;
	struct slice name;
	unsigned seen = 0;
	*count = (struct prompt_schema_count){0};
	if (schema->type != SCAN_OBJECT || !scan_find(schema, "properties", &properties) || properties.type != SCAN_OBJECT ||
		!scan_find(schema, "required", &required) || required.type != SCAN_ARRAY ||
		!can_be_asked(&required, &properties, given, arena))
		return PROMPT_SCHEMA_COMPLETE;
	for (scan_open(&walk, &properties); scan_next(&walk, &member) && seen < PROMPT_SCHEMA_PROPERTIES; seen++) {
		if (member.value.type != SCAN_OBJECT) continue;
		if (!scan_key(&member, arena, &name)) return PROMPT_SCHEMA_NO_MEMORY;
		if (!is_required(&required, name, arena)) continue;
		bool is_there = find_given(given, name, arena, &value);
		if (is_there && fits(&drafting, &member.value, &value)) continue;
		if (!is_there) count->absent++;
		drafting.prompt = &prompts[count->all < most ? count->all : 0];
		if (count->all++ < most && !draft(&drafting, name, &member.value)) return PROMPT_SCHEMA_NO_MEMORY;
	}
	return count->all ? PROMPT_SCHEMA_ASKS : PROMPT_SCHEMA_COMPLETE;
}
