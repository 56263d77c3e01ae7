/* SPDX-License-Identifier: Apache-2.0 */
/* Schema rules: what a value has to be is looked at once, so that checking need not. */
#include "mcp/schema_rules.h"

static const struct scan_value *value_keep(struct schema_reader *reader,
	const struct scan_value *value) {
	struct scan_value *kept = schema_reader_new(reader, sizeof *kept);
	if (kept) *kept = *value;
	return kept;
}

static unsigned type_of(const struct scan_value *name) {
	static const struct {
		const char *name;
		enum schema_type type;
	} types[] = {
		{"\"null\"", SCHEMA_NULL},
		{"\"boolean\"", SCHEMA_BOOLEAN},
		{"\"integer\"", SCHEMA_INTEGER},
		{"\"number\"", SCHEMA_NUMBER},
		{"\"string\"", SCHEMA_STRING},
		{"\"array\"", SCHEMA_ARRAY},
		{"\"object\"", SCHEMA_OBJECT},
	};
	for (size_t i = 0; i < COUNT_OF(types); i++)
		if (slice_is(name->text, types[i].name)) return types[i].type;
	return 0;
}

/* One that is unknown leaves every type allowed. */
static unsigned types_of(const struct scan_value *value) {
	struct scan_walk walk;
	struct scan_member name;
	unsigned types = 0;
	if (value->type != SCAN_ARRAY) return type_of(value);
	for (scan_open(&walk, value); scan_next(&walk, &name);) {
		unsigned type = type_of(&name.value);
		if (!type) return 0;
		types |= type;
	}
	return types;
}

static bool values_read(struct schema_reader *reader, struct schema_node *node,
	const struct schema_words *words) {
	const struct scan_value *value;
	if ((value = schema_word(words, KEY_TYPE)) && !(node->types = types_of(value)))
		schema_reader_note_word(reader, words, KEY_TYPE, "a type or an array of types");
	if ((value = schema_word(words, KEY_CONST)) && !(node->constant = value_keep(reader, value)))
		return false;
	if (!(value = schema_word(words, KEY_ENUM))) return true;
	if (value->type != SCAN_ARRAY) {
		schema_reader_note_word(reader, words, KEY_ENUM, "an array");
		return true;
	}
	node->choices = value_keep(reader, value);
	return node->choices != NULL;
}

static void bound_read(struct schema_reader *reader, const struct schema_words *words,
	enum schema_keyword keyword, struct schema_bound *bound) {
	const struct scan_value *value = schema_word(words, keyword);
	if (!value) return;
	if (value->type != SCAN_NUMBER) {
		schema_reader_note_word(reader, words, keyword, "a number");
		return;
	}
	bound->text = value->text;
	schema_decimal_read(&bound->number, value->text);
}

/* In draft-04 it is true or false, and says how the other one is meant. */
static void exclusive_read(struct schema_reader *reader, const struct schema_words *words,
	enum schema_keyword keyword, struct schema_bound *bound, struct schema_bound *plain) {
	bool is_exclusive;
	const struct scan_value *value = schema_word(words, keyword);
	if (!value) return;
	if (!scan_boolean(value, &is_exclusive)) {
		bound_read(reader, words, keyword, bound);
		return;
	}
	if (!is_exclusive) return;
	*bound = *plain;
	*plain = (struct schema_bound){.text = SLICE_NONE};
}

static bool numbers_read(struct schema_reader *reader, struct schema_node *node,
	const struct schema_words *words) {
	const struct scan_value *multiple = schema_word(words, KEY_MULTIPLE_OF);
	bool is_asked = multiple;
	for (unsigned i = KEY_MINIMUM; i <= KEY_EXCLUSIVE_MAXIMUM; i++) is_asked |= !!schema_word(words, i);
	if (!is_asked) return true;

	struct schema_numbers *numbers = schema_reader_new(reader, sizeof *numbers);
	if (!numbers) return false;
	bound_read(reader, words, KEY_MINIMUM, &numbers->least);
	bound_read(reader, words, KEY_MAXIMUM, &numbers->most);
	exclusive_read(reader, words, KEY_EXCLUSIVE_MINIMUM, &numbers->above, &numbers->least);
	exclusive_read(reader, words, KEY_EXCLUSIVE_MAXIMUM, &numbers->below, &numbers->most);
	if (multiple && multiple->type == SCAN_NUMBER &&
		schema_divisor_read(&numbers->divisor, multiple->text))
		numbers->divisor_text = multiple->text;
	else if (multiple)
		schema_reader_note_word(reader, words, KEY_MULTIPLE_OF,
			"a number over 0 of at most 18 digits");
	node->numbers = numbers;
	return true;
}

void schema_rules_count(struct schema_reader *reader, const struct schema_words *words,
	enum schema_keyword keyword, size_t *count) {
	const struct scan_value *value = schema_word(words, keyword);
	struct schema_decimal number;
	if (!value) return;
	if (value->type == SCAN_NUMBER) schema_decimal_read(&number, value->text);
	if (value->type != SCAN_NUMBER || !schema_decimal_is_whole(&number) ||
		(number.is_negative && number.count)) {
		schema_reader_note_word(reader, words, keyword, "a whole number, 0 or more");
		return;
	}
	int64_t small;
	/* What no instance can come near to is one less than no bound at all. */
	*count = scan_integer(value, &small) ? (size_t)small : SIZE_MAX - 1;
	if (number.is_small || !number.count || number.power + (int64_t)number.count > 15) return;
	/* 1e2 */
	*count = 0;
	for (size_t i = 0, left = number.count; left; i++) {
		if (number.digits[i] == '.') continue;
		*count = *count * 10 + (size_t)(number.digits[i] - '0');
		left--;
	}
	for (int64_t power = number.power; power > 0; power--) *count *= 10;
}

static bool pattern_read_into(struct schema_reader *reader, struct schema_strings *strings,
	const struct schema_words *words) {
	const struct scan_value *value = schema_word(words, KEY_PATTERN);
	if (!value) return true;
	if (value->type != SCAN_STRING) {
		schema_reader_note_word(reader, words, KEY_PATTERN, "a string");
		return true;
	}
	return schema_reader_string(reader, value, &strings->pattern_text) &&
		schema_reader_pattern(reader, value->text.bytes, strings->pattern_text, &strings->pattern);
}

static bool strings_read(struct schema_reader *reader, struct schema_node *node,
	const struct schema_words *words) {
	const struct scan_value *format = schema_word(words, KEY_FORMAT);
	struct slice name;
	if (!format && !schema_word(words, KEY_MIN_LENGTH) && !schema_word(words, KEY_MAX_LENGTH) &&
		!schema_word(words, KEY_PATTERN))
		return true;

	struct schema_strings *strings = schema_reader_new(reader, sizeof *strings);
	if (!strings) return false;
	strings->most = SIZE_MAX;
	schema_rules_count(reader, words, KEY_MIN_LENGTH, &strings->least);
	schema_rules_count(reader, words, KEY_MAX_LENGTH, &strings->most);
	if (format && format->type == SCAN_STRING) {
		if (!schema_reader_string(reader, format, &name)) return false;
		strings->format = schema_format_find(name);
	} else if (format) {
		schema_reader_note_word(reader, words, KEY_FORMAT, "a string");
	}
	node->strings = strings;
	return pattern_read_into(reader, strings, words);
}

bool schema_rules_read(struct schema_reader *reader, struct schema_node *node,
	const struct schema_words *words) {
	return values_read(reader, node, words) && numbers_read(reader, node, words) &&
		strings_read(reader, node, words);
}
