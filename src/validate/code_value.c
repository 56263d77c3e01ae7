/* SPDX-License-Identifier: Apache-2.0 */
/* Code value: short texts in place, so that nothing is asked of memory for each name. */
#include "validate/code_value.h"

struct code_value code_value_none(void) {
	struct code_value value;
	value.kind = CODE_VALUE_NONE;
	value.length = 0;
	value.is_computed = false;
	return value;
}

struct code_value code_value_other(bool is_computed) {
	struct code_value value = code_value_none();
	value.kind = CODE_VALUE_OTHER;
	value.is_computed = is_computed;
	return value;
}

static void fill(struct code_value *value, struct slice text) {
	if (text.length) memcpy(value->text, text.bytes, text.length);
	value->length = (uint8_t)text.length;
}

struct code_value code_value_path(struct slice path) {
	struct code_value value = code_value_none();
	value.kind = CODE_VALUE_PATH;
	if (path.length > CODE_VALUE_TEXT) path = SLICE("?");
	fill(&value, path);
	return value;
}

struct code_value code_value_string(struct slice text) {
	struct code_value value = code_value_none();
	bool is_whole = text.length <= CODE_VALUE_TEXT;
	value.kind = is_whole ? CODE_VALUE_STRING : CODE_VALUE_BEGUN;
	fill(&value, is_whole ? text : slice_make(text.bytes, CODE_VALUE_TEXT));
	return value;
}

void code_value_set(struct code_value *value, const struct code_value *other) {
	value->kind = other->kind;
	value->is_computed = other->is_computed;
	fill(value, slice_make(other->text, other->length));
}

void code_value_extend(struct code_value *value, struct slice name) {
	if (value->kind != CODE_VALUE_PATH || value->length + 1 + name.length > CODE_VALUE_TEXT) {
		*value = code_value_path(SLICE("?"));
		if (1 + 1 + name.length > CODE_VALUE_TEXT) return;
	}
	if (value->length) value->text[value->length++] = '.';
	memcpy(value->text + value->length, name.bytes, name.length);
	value->length = (uint8_t)(value->length + name.length);
	value->is_computed = false;
}

void code_value_join(struct code_value *left, const struct code_value *right) {
	bool is_text = left->kind == CODE_VALUE_STRING || left->kind == CODE_VALUE_BEGUN;
	bool is_other_text = right->kind == CODE_VALUE_STRING || right->kind == CODE_VALUE_BEGUN;
	if (!is_text && !is_other_text) {
		*left = code_value_other(true);
		return;
	}
	if (!is_text) {
		*left = code_value_string(SLICE(""));
		left->kind = CODE_VALUE_BEGUN;
	}
	size_t room = CODE_VALUE_TEXT - left->length, length = right->length < room ? right->length : room;
	bool is_whole = left->kind == CODE_VALUE_STRING && right->kind == CODE_VALUE_STRING &&
		length == right->length;
	if (left->kind == CODE_VALUE_STRING && is_other_text) {
		memcpy(left->text + left->length, right->text, length);
		left->length = (uint8_t)(left->length + length);
	}
	left->kind = is_whole ? CODE_VALUE_STRING : CODE_VALUE_BEGUN;
	left->is_computed |= !is_whole;
}

struct slice code_value_text(const struct code_value *value) {
	return slice_make(value->text, value->length);
}

bool code_value_is(const struct code_value *value, const char *path) {
	return value->kind == CODE_VALUE_PATH && slice_is(code_value_text(value), path);
}

bool code_value_without(const struct code_value *value, const char *name, struct slice *base) {
	size_t length = strlen(name);
	if (value->kind != CODE_VALUE_PATH || value->length < length + 2) return false;
	size_t at = value->length - length;
	if (memcmp(value->text + at, name, length) != 0 || value->text[at - 1] != '.') return false;
	*base = slice_make(value->text, at - 1);
	return true;
}
