/* SPDX-License-Identifier: Apache-2.0 */
/* Form ask: each property of the requested schema is one line to be answered. */
#include "cli/form_ask.h"

#define SHOWN 400   /* octets of a stranger's words */
#define ANSWER 4096 /* octets of a line */
#define TRIES 5

enum said {
	SAID_VALUE,
	SAID_NOTHING,
	SAID_CANCEL
};

struct field {
	const struct form_terminal *terminal;
	const struct scan_value *schema;
	bool is_required;
};

static void show(const struct form_terminal *terminal, const char *before, const struct scan_value *string,
	const char *after) {
	char words[SHOWN], lent[SHOWN];
	struct arena arena;
	struct slice plain;
	arena_init(&arena, lent, sizeof lent, 0);
	if (!scan_string(string, &arena, &plain)) plain = string->text;
	text_display_in(words, sizeof words, plain);
	fprintf(terminal->out, "%s%s%s", before, words, after);
	arena_finish(&arena);
}

/* What is too long must not answer the next question with its rest, nor this one with its beginning. */
bool form_line(FILE *in, char *line, size_t size) {
	if (!fgets(line, (int)size, in)) return false;
	if (strlen(line) == size - 1 && line[size - 2] != '\n') {
		for (int c = 0; c != '\n' && c != EOF;) c = fgetc(in);
		snprintf(line, size, "\xff"); /* no UTF-8: fits nothing */
	}
	line[strcspn(line, "\r\n")] = '\0';
	return true;
}

static bool read_line(const struct form_terminal *terminal, char line[ANSWER]) {
	fflush(terminal->out);
	return form_line(terminal->in, line, ANSWER);
}

static bool is_type(const struct scan_value *schema, const char *type) {
	struct scan_value value;
	if (!scan_find(schema, "type", &value) || value.type != SCAN_STRING) return false;
	return slice_is(slice_make(value.text.bytes + 1, value.text.length - 2), type);
}

/* ---- Choices: enum, or oneOf and anyOf of {const, title} ---- */

static bool find_choices(const struct scan_value *schema, struct scan_value *choices) {
	static const char *const names[] = {"enum", "oneOf", "anyOf"};
	for (size_t i = 0; i < COUNT_OF(names); i++)
		if (scan_find(schema, names[i], choices) && choices->type == SCAN_ARRAY) return true;
	return false;
}

static struct scan_value value_of(const struct scan_value *choice) {
	struct scan_value value;
	if (choice->type == SCAN_OBJECT && scan_find(choice, "const", &value)) return value;
	return *choice;
}

static void show_choices(const struct form_terminal *terminal, const struct scan_value *choices) {
	struct scan_walk walk;
	struct scan_member choice;
	unsigned number = 1;
	for (scan_open(&walk, choices); scan_next(&walk, &choice); number++) {
		struct scan_value value = value_of(&choice.value), title;
		fprintf(terminal->out, "    %u  ", number);
		show(terminal, "", &value, "");
		if (choice.value.type == SCAN_OBJECT && scan_find(&choice.value, "title", &title))
			show(terminal, " - ", &title, "");
		fputc('\n', terminal->out);
	}
}

/* By its number or its text. */
static bool choose(const struct scan_value *choices, struct slice given, struct text *json) {
	struct scan_walk walk;
	struct scan_member choice;
	char count[16];
	unsigned number = 1;
	for (scan_open(&walk, choices); scan_next(&walk, &choice); number++) {
		struct scan_value value = value_of(&choice.value);
		struct slice inner = value.text;
		if (value.type == SCAN_STRING) inner = slice_make(inner.bytes + 1, inner.length - 2);
		snprintf(count, sizeof count, "%u", number);
		if (!slice_is(given, count) && !slice_equal(given, inner)) continue;
		text_add(json, value.text);
		return true;
	}
	return false;
}

static bool choose_several(const struct scan_value *choices, struct slice given, struct text *json) {
	struct slice one;
	bool is_first = true;
	text_add_char(json, '[');
	while (slice_split(&given, ',', &one)) {
		if (!is_first) text_add_char(json, ',');
		is_first = false;
		if (!choose(choices, slice_trim(one), json)) return false;
	}
	text_add_char(json, ']');
	return true;
}

/* ---- One field ---- */

static bool read_number(const struct scan_value *schema, struct slice given, struct text *json) {
	struct scan_value value, bound;
	struct scan_fault fault;
	double number, limit;
	int64_t whole;
	if (!scan_check(given, 1, &value, &fault) || value.type != SCAN_NUMBER || !scan_number(&value, &number))
		return false;
	if (is_type(schema, "integer") && !scan_integer(&value, &whole)) return false;
	if (scan_find(schema, "minimum", &bound) && scan_number(&bound, &limit) && number < limit) return false;
	if (scan_find(schema, "maximum", &bound) && scan_number(&bound, &limit) && number > limit) return false;
	text_add(json, given);
	return true;
}

static bool read_boolean(struct slice given, struct text *json) {
	static const char *const words[] = {"n", "no", "false", "y", "yes", "true"};
	for (size_t i = 0; i < COUNT_OF(words); i++) {
		if (!slice_equal_ignoring_case(given, slice_of(words[i]))) continue;
		text_add_cstr(json, i < 3 ? "false" : "true");
		return true;
	}
	return false;
}

static bool read_value(const struct scan_value *schema, struct slice given, struct text *json) {
	struct scan_value choices, items;
	if (is_type(schema, "array"))
		return scan_find(schema, "items", &items) && find_choices(&items, &choices) &&
			choose_several(&choices, given, json);
	if (find_choices(schema, &choices)) return choose(&choices, given, json);
	if (is_type(schema, "number") || is_type(schema, "integer")) return read_number(schema, given, json);
	if (is_type(schema, "boolean")) return read_boolean(given, json);
	text_json(json, given);
	return true;
}

static const char *kind_of(const struct scan_value *schema) {
	struct scan_value choices;
	if (is_type(schema, "array")) return "numbers of choices, with commas";
	if (find_choices(schema, &choices)) return "a choice's number";
	if (is_type(schema, "boolean")) return "y or n";
	if (is_type(schema, "integer")) return "a whole number";
	return is_type(schema, "number") ? "a number" : "text";
}

static void show_field(const struct field *field, const struct scan_member *member) {
	const struct form_terminal *terminal = field->terminal;
	struct scan_value value, items = *field->schema, choices;
	const struct scan_value key = {.text = member->key, .type = SCAN_NONE};
	if (scan_find(field->schema, "title", &value)) show(terminal, "  ", &value, "");
	else show(terminal, "  ", &key, "");
	if (scan_find(field->schema, "description", &value)) show(terminal, ": ", &value, "");
	fputc('\n', terminal->out);
	if (is_type(field->schema, "array") && !scan_find(field->schema, "items", &items)) return;
	if (find_choices(&items, &choices)) show_choices(terminal, &choices);
}

static enum said ask_field(const struct field *field, struct text *json) {
	const struct form_terminal *terminal = field->terminal;
	struct scan_value standard;
	bool has_standard = scan_find(field->schema, "default", &standard);
	char line[ANSWER];
	for (unsigned tries = 0; tries < TRIES; tries++) {
		fprintf(terminal->out, "  %s", kind_of(field->schema));
		if (has_standard) show(terminal, " [", &standard, "]");
		else if (!field->is_required) fputs(" [left out]", terminal->out);
		fputs(" > ", terminal->out);
		if (!read_line(terminal, line) || strcmp(line, "!") == 0) return SAID_CANCEL;
		struct slice given = slice_trim(slice_of(line));
		if (!given.length && has_standard) text_add(json, standard.text);
		if (!given.length && (has_standard || !field->is_required))
			return has_standard ? SAID_VALUE : SAID_NOTHING;
		size_t before = json->length;
		if (given.length && scan_is_utf8(given) && read_value(field->schema, given, json)) return SAID_VALUE;
		json->length = before;
		fputs("  that does not fit\n", terminal->out);
	}
	return SAID_CANCEL;
}

/* ---- One question ---- */

static bool is_required(const struct scan_value *schema, struct slice key) {
	struct scan_value required;
	struct scan_walk walk;
	struct scan_member name;
	if (!scan_find(schema, "required", &required) || required.type != SCAN_ARRAY) return false;
	for (scan_open(&walk, &required); scan_next(&walk, &name);)
		if (name.value.type == SCAN_STRING &&
			slice_equal(slice_make(name.value.text.bytes + 1, name.value.text.length - 2), key))
			return true;
	return false;
}

/* False: the person cancels. */
static bool ask_fields(const struct form_terminal *terminal, const struct scan_value *schema,
	struct text *content) {
	struct scan_value properties;
	struct scan_walk walk;
	struct scan_member member;
	bool is_first = true;
	if (!scan_find(schema, "properties", &properties) || properties.type != SCAN_OBJECT) return true;
	for (scan_open(&walk, &properties); scan_next(&walk, &member);) {
		AUTO_TEXT struct text value = {0};
		struct field field = {terminal, &member.value, is_required(schema, member.key)};
		text_init(&value, 0);
		show_field(&field, &member);
		enum said said = ask_field(&field, &value);
		if (said == SAID_CANCEL) return false;
		if (said == SAID_NOTHING) continue;
		text_printf(content, "%s\"%.*s\":", is_first ? "" : ",", SLICE_ARGS(member.key));
		text_add(content, text_slice(&value));
		is_first = false;
	}
	return true;
}

static void answer_form(const struct form_terminal *terminal, const struct scan_value *params,
	struct text *answers) {
	struct scan_value schema = {.type = SCAN_NONE};
	AUTO_TEXT struct text content = {0};
	text_init(&content, 0);
	(void)scan_find(params, "requestedSchema", &schema);
	fputs("  (an empty line takes what stands in brackets, ! cancels)\n", terminal->out);
	if (ask_fields(terminal, &schema, &content) && !text_failed(&content))
		text_printf(answers, "{\"action\":\"accept\",\"content\":{%.*s}}", SLICE_ARGS(text_slice(&content)));
	else text_add_cstr(answers, "{\"action\":\"cancel\"}");
}

static void answer_url(const struct form_terminal *terminal, const struct scan_value *url,
	struct text *answers) {
	char line[ANSWER];
	show(terminal, "  it wants you to open ", url, "\n  open it yourself if you trust it; go on? [y/N] > ");
	bool accepts = read_line(terminal, line) && (line[0] == 'y' || line[0] == 'Y');
	text_printf(answers, "{\"action\":\"%s\"}", accepts ? "accept" : "decline");
}

static bool ask_one(const struct form_terminal *terminal, const struct scan_value *request,
	struct text *answers, struct fault *why) {
	struct scan_value method = {.text = SLICE_NONE}, params, words, url;
	if (!scan_find(request, "method", &method) ||
		!slice_is(method.text, "\"elicitation/create\"") || !scan_find(request, "params", &params))
		return fault_set(why, FAULT_UNSUPPORTED, "it asks for what a terminal cannot give: %.*s",
			(int)slice_cut(method.text, 80), method.text.bytes);
	if (scan_find(&params, "message", &words)) show(terminal, "The server asks: ", &words, "\n");
	if (scan_find(&params, "url", &url)) answer_url(terminal, &url, answers);
	else answer_form(terminal, &params, answers);
	return true;
}

bool form_ask_all(const struct form_terminal *terminal, const struct scan_value *requests,
	struct text *answers, struct fault *why) {
	struct scan_walk walk;
	struct scan_member request;
	bool is_first = true;
	text_add_char(answers, '{');
	for (scan_open(&walk, requests); scan_next(&walk, &request);) {
		text_printf(answers, "%s\"%.*s\":", is_first ? "" : ",", SLICE_ARGS(request.key));
		is_first = false;
		if (!ask_one(terminal, &request.value, answers, why)) return false;
	}
	text_add_char(answers, '}');
	return text_failed(answers) ? fault_set(why, FAULT_NO_MEMORY, "no memory for the answers") : true;
}
