/* SPDX-License-Identifier: Apache-2.0 */
/* Schema scalar: comparisons, each with its sentence. */
#include "mcp/schema_scalar.h"

#define SHOWN 48
#define CHOICES_SHOWN 140 /* octets of them in a sentence */

unsigned schema_scalar_type_of(const struct scan_value *value) {
	static const unsigned types[] = {
		[SCAN_NONE] = 0,
		[SCAN_NULL] = SCHEMA_NULL,
		[SCAN_BOOLEAN] = SCHEMA_BOOLEAN,
		[SCAN_NUMBER] = SCHEMA_NUMBER,
		[SCAN_STRING] = SCHEMA_STRING,
		[SCAN_ARRAY] = SCHEMA_ARRAY,
		[SCAN_OBJECT] = SCHEMA_OBJECT,
	};
	return types[value->type];
}

bool schema_scalar_type_fits(unsigned types, const struct scan_value *value) {
	struct schema_decimal decimal;
	if (!types || (types & schema_scalar_type_of(value))) return true;
	if (value->type != SCAN_NUMBER || !(types & SCHEMA_INTEGER)) return false;
	schema_decimal_read(&decimal, value->text);
	return schema_decimal_is_whole(&decimal);
}

bool schema_scalar_type(struct schema_run *run, const struct schema_node *node,
	const struct scan_value *value, const struct schema_place *place) {
	if (schema_scalar_type_fits(node->types, value)) return true;
	char shown[SHOWN], types[120];
	return schema_run_say(run, place, "type", "is %s: it has to be %s",
		schema_run_shown(value, shown, sizeof shown),
		schema_run_types(node->types, types, sizeof types));
}

/* The values of an enum, as many as there is room for. */
static void choices_write(struct text *to, const struct scan_value *choices) {
	struct scan_walk walk;
	struct scan_member choice;
	for (scan_open(&walk, choices); scan_next(&walk, &choice);) {
		if (to->length) text_add_cstr(to, ", ");
		if (to->length + choice.value.text.length > CHOICES_SHOWN) {
			text_add_cstr(to, "...");
			return;
		}
		text_add(to, choice.value.text);
	}
}

bool schema_scalar_value(struct schema_run *run, const struct schema_node *node,
	const struct scan_value *value, const struct schema_place *place) {
	struct scan_walk walk;
	struct scan_member choice;
	if (node->constant && !schema_equal(value, node->constant, &run->steps))
		return schema_run_say(run, place, "const", "has to be %.*s",
			(int)slice_cut(node->constant->text, CHOICES_SHOWN), node->constant->text.bytes);
	if (!node->choices) return true;

	for (scan_open(&walk, node->choices); scan_next(&walk, &choice);) {
		if (!schema_run_take(run, choice.value.text)) return false;
		if (schema_equal(value, &choice.value, &run->steps)) return true;
	}
	if (schema_run_may_stop(run) && !run->findings) return false;
	AUTO_TEXT struct text choices = {0};
	text_init(&choices, 0);
	choices_write(&choices, node->choices);
	return schema_run_say(run, place, "enum", "has to be one of: %s",
		text_failed(&choices) || !choices.length ? "nothing" : choices.bytes);
}

/* Compared is the number with the bound: `wanted` < 0 says that the number has to be less. */
static bool bound_fits(struct schema_run *run, const struct schema_bound *bound,
	const struct schema_decimal *number, bool may_equal, int wanted) {
	if (!bound->text.bytes) return true;
	if (!schema_run_take(run, bound->text)) return false;
	int order = schema_decimal_compare(number, &bound->number);
	return order == 0 ? may_equal : (order < 0) == (wanted < 0);
}

bool schema_scalar_number(struct schema_run *run, const struct schema_numbers *numbers,
	const struct scan_value *value, const struct schema_place *place) {
	const struct {
		const struct schema_bound *bound;
		const char *keyword;
		const char *words;
		bool may_equal;
		int wanted;
	} bounds[] = {
		{&numbers->least, "minimum", "at least", true, 1},
		{&numbers->most, "maximum", "at most", true, -1},
		{&numbers->above, "exclusiveMinimum", "more than", false, 1},
		{&numbers->below, "exclusiveMaximum", "less than", false, -1},
	};
	char shown[SHOWN];
	bool fits = true;
	struct schema_decimal number;
	if (!schema_run_take(run, value->text)) return false;
	schema_decimal_read(&number, value->text);
	for (size_t i = 0; i < COUNT_OF(bounds); i++) {
		if (bound_fits(run, bounds[i].bound, &number, bounds[i].may_equal, bounds[i].wanted)) continue;
		fits = schema_run_say(run, place, bounds[i].keyword, "is %s: %s %.*s",
			schema_run_shown(value, shown, sizeof shown), bounds[i].words,
			SLICE_ARGS(bounds[i].bound->text));
	}
	if (!numbers->divisor_text.bytes || schema_divisor_divides(&numbers->divisor, &number)) return fits;
	return schema_run_say(run, place, "multipleOf", "is %s: it has to be a multiple of %.*s",
		schema_run_shown(value, shown, sizeof shown), SLICE_ARGS(numbers->divisor_text));
}

static bool pattern_fits(struct schema_run *run, const struct schema_strings *strings,
	struct slice string, const struct schema_place *place) {
	switch (pattern_match(strings->pattern, string, &run->steps)) {
	case PATTERN_MATCHES: return true;
	case PATTERN_DIFFERS: break;
	case PATTERN_GIVES_UP:
		return schema_run_end(run, "a pattern takes too long on one of its strings");
	}
	return schema_run_say(run, place, "pattern", "does not match the pattern %.*s",
		(int)slice_cut(strings->pattern_text, CHOICES_SHOWN), strings->pattern_text.bytes);
}

bool schema_scalar_string(struct schema_run *run, const struct schema_strings *strings,
	const struct scan_value *value, const struct schema_place *place) {
	bool fits = true;
	struct slice string;
	if (!schema_run_take(run, value->text)) return false;
	if (strings->least || strings->most != SIZE_MAX) {
		size_t length = schema_length(value);
		if (length < strings->least)
			fits = schema_run_say(run, place, "minLength", "has %zu characters: at least %zu", length,
				strings->least);
		else if (length > strings->most)
			fits = schema_run_say(run, place, "maxLength", "has %zu characters: at most %zu", length,
				strings->most);
	}
	bool has_format = strings->format && run->schema->asserts_formats;
	if (!strings->pattern && !has_format) return fits;
	struct slice inner = slice_make(value->text.bytes + 1, value->text.length - 2);
	if (!schema_run_string(run, inner, value->escaped, &string)) return false;
	if (strings->pattern && !pattern_fits(run, strings, string, place)) fits = false;
	if (schema_run_is_over(run)) return false;
	if (has_format && !schema_format_fits(strings->format, string))
		fits = schema_run_say(run, place, "format", "has to be %s", schema_format_words(strings->format));
	return fits;
}
