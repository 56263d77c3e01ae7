/* SPDX-License-Identifier: Apache-2.0 */
/* Prompt check: one function a type. */
#include "flow/prompt_check.h"

#include "base/pattern.h"
#include "mcp/schema.h"
#include "mcp/schema_decimal.h"
#include "mcp/schema_format.h"

#include <stdarg.h>
#include <stdio.h>

struct checking {
	const struct prompt *prompt;
	const struct scan_value *value;
	struct arena *arena;
	struct prompt_verdict *verdict;
};

typedef bool checker(struct checking *checking);

/* Not valid, which is no fault of ours: true. */
static bool say(struct checking *checking, const char *suggestion, const char *format, ...) PRINTF_LIKE(3, 4);
static bool say(struct checking *checking, const char *suggestion, const char *format, ...) {
	struct prompt_verdict *verdict = checking->verdict;
	va_list values;
	va_start(values, format);
	vsnprintf(verdict->error, sizeof verdict->error, format, values);
	va_end(values);
	snprintf(verdict->suggestion, sizeof verdict->suggestion, "%s", suggestion);
	verdict->is_valid = false;
	return true;
}

static size_t characters(struct slice text) {
	size_t count = 0;
	for (size_t i = 0; i < text.length; i++) count += ((unsigned char)text.bytes[i] & 0xc0) != 0x80;
	return count;
}

/* ---- Texts ---- */

static bool check_pattern(struct checking *checking, struct slice text) {
	const struct prompt_rules *rules = &checking->prompt->rules;
	char suggestion[160];
	struct fault why;
	uint64_t steps = PROMPT_STEPS;
	if (!rules->pattern.length) return true;
	AUTO(pattern) pattern = pattern_read(rules->pattern, &why);
	if (!pattern && why.code == FAULT_NO_MEMORY) return false;
	if (!pattern) return say(checking, "", "the prompt's pattern cannot be read: %.120s", why.text);
	enum pattern_answer answer = pattern_match(pattern, text, &steps);
	if (answer == PATTERN_MATCHES) return true;
	if (answer == PATTERN_GIVES_UP)
		return say(checking, "a shorter text", "it cannot be told within bounds whether this fits the prompt's pattern");
	snprintf(suggestion, sizeof suggestion, "a text that matches %.*s",
		(int)(rules->pattern.length < 120 ? rules->pattern.length : slice_cut(rules->pattern, 120)), rules->pattern.bytes);
	return say(checking, suggestion, "it does not have the form that is wanted");
}

static bool check_format(struct checking *checking, struct slice text, struct slice name) {
	enum schema_format format = schema_format_find(name);
	if (format == SCHEMA_FORMAT_NONE || schema_format_fits(format, text)) return true;
	return say(checking, schema_format_words(format), "this is not %s", schema_format_words(format));
}

static bool read_text(struct checking *checking, struct slice *text) {
	*text = SLICE_NONE;
	if (checking->value->type != SCAN_STRING) {
		(void)say(checking, "a text", "the answer has to be a string");
		return true;
	}
	return scan_string(checking->value, checking->arena, text);
}

static bool check_text(struct checking *checking) {
	const struct prompt_rules *rules = &checking->prompt->rules;
	struct slice text;
	if (!read_text(checking, &text)) return false;
	if (!checking->verdict->is_valid) return true;
	if (rules->is_required && !text.length) return say(checking, "some text", "an answer is required");
	double count = (double)characters(text);
	if (rules->has_least && count < rules->least)
		return say(checking, "a longer text", "it has to be at least %.0f characters", rules->least);
	if (rules->has_most && count > rules->most)
		return say(checking, "a shorter text", "it may be at most %.0f characters", rules->most);
	if (rules->format.length && !check_format(checking, text, rules->format)) return false;
	return !checking->verdict->is_valid || check_pattern(checking, text);
}

/* ---- Dates ---- */

static bool check_date(struct checking *checking) {
	const struct prompt_rules *rules = &checking->prompt->rules;
	struct slice name = rules->format.length ? rules->format : SLICE("date");
	struct slice text;
	if (!read_text(checking, &text) || !check_format(checking, text, name)) return false;
	if (!checking->verdict->is_valid) return true;
	/* Of one format and in UTC or without a zone they are in order as texts are. */
	if (rules->first.length && text.length && strncmp(text.bytes, rules->first.bytes, text.length < rules->first.length ? text.length : rules->first.length) < 0)
		return say(checking, "a later one", "it may not be before %.*s", SLICE_ARGS(rules->first));
	if (rules->last.length && text.length && strncmp(text.bytes, rules->last.bytes, text.length < rules->last.length ? text.length : rules->last.length) > 0)
		return say(checking, "an earlier one", "it may not be after %.*s", SLICE_ARGS(rules->last));
	return true;
}

/* ---- Numbers, yes and no ---- */

static bool check_number(struct checking *checking) {
	const struct prompt_rules *rules = &checking->prompt->rules;
	double number;
	struct schema_decimal decimal;
	char suggestion[80];
	if (checking->value->type != SCAN_NUMBER || !scan_number(checking->value, &number))
		return say(checking, "a number, without quotes", "the answer has to be a number");
	schema_decimal_read(&decimal, checking->value->text);
	if (rules->is_whole && !schema_decimal_is_whole(&decimal))
		return say(checking, "a number without a fraction", "the answer has to be a whole number");
	bool is_low = rules->has_least && number < rules->least, is_high = rules->has_most && number > rules->most;
	if (!is_low && !is_high) return true;
	if (rules->has_least && rules->has_most)
		snprintf(suggestion, sizeof suggestion, "a number from %g to %g", rules->least, rules->most);
	else
		snprintf(suggestion, sizeof suggestion, is_low ? "%g or more" : "%g or less", is_low ? rules->least : rules->most);
	return say(checking, suggestion, is_low ? "it has to be at least %g" : "it may be at most %g", is_low ? rules->least : rules->most);
}

static bool check_confirm(struct checking *checking) {
	bool is_yes;
	if (scan_boolean(checking->value, &is_yes)) return true;
	return say(checking, "true or false", "the answer has to be true or false");
}

/* ---- Choices ---- */

static bool is_same(const struct checking *checking, struct slice value) {
	const struct scan_value *given = checking->value;
	struct scan_value offered = {.text = value,
		.type = value.bytes[0] == '"' ? SCAN_STRING : SCAN_NUMBER,
		.escaped = value.bytes[0] == '"' && memchr(value.bytes, '\\', value.length)};
	struct slice a, b;
	double x, y;
	if (slice_equal(given->text, value)) return true;
	if (given->type == SCAN_STRING && offered.type == SCAN_STRING)
		return scan_string(given, checking->arena, &a) && scan_string(&offered, checking->arena, &b) && slice_equal(a, b);
	return given->type == SCAN_NUMBER && scan_number(given, &x) && scan_number(&offered, &y) && x == y;
}

static bool check_choice(struct checking *checking) {
	const struct prompt *prompt = checking->prompt;
	char suggestion[200] = "one of ";
	size_t length = strlen(suggestion);
	for (size_t i = 0; i < prompt->choice_count; i++) {
		struct slice value = prompt->choices[i].value;
		if (value.length && is_same(checking, value)) return true;
		if (length + value.length + 6 >= sizeof suggestion) continue;
		length += (size_t)snprintf(suggestion + length, sizeof suggestion - length, "%s%.*s", i ? ", " : "",
			SLICE_ARGS(value));
	}
	return say(checking, suggestion, "this is none of the choices");
}

/* ---- Files, and what a schema says ---- */

static bool is_accepted(struct slice pattern, struct slice type, struct slice name) {
	size_t length = pattern.length;
	if (length && pattern.bytes[0] == '.')
		return name.length > length &&
			slice_equal_ignoring_case(slice_make(name.bytes + name.length - length, length), pattern);
	if (slice_is(pattern, "*/*")) return true;
	if (length > 1 && pattern.bytes[length - 1] == '*')
		return type.length >= length &&
			slice_equal_ignoring_case(slice_make(type.bytes, length - 1), slice_make(pattern.bytes, length - 1));
	return slice_equal_ignoring_case(type, pattern);
}

static bool has_accepted_type(const struct checking *checking, struct slice type, struct slice name) {
	const struct scan_value *accept = &checking->prompt->rules.accept;
	struct scan_walk walk;
	struct scan_member member;
	struct slice pattern;
	if (accept->type != SCAN_ARRAY) return true;
	for (scan_open(&walk, accept); scan_next(&walk, &member);)
		if (scan_string(&member.value, checking->arena, &pattern) && is_accepted(pattern, type, name)) return true;
	return false;
}

static struct slice words_of(const struct checking *checking, const char *member) {
	struct scan_value value;
	struct slice words;
	bool is_there = scan_find(checking->value, member, &value) && scan_string(&value, checking->arena, &words);
	return is_there ? words : SLICE_NONE;
}

static bool check_file(struct checking *checking) {
	const struct prompt_rules *rules = &checking->prompt->rules;
	double most = rules->most_octets > 0 ? rules->most_octets : PROMPT_FILE_OCTETS, size;
	struct scan_value value;
	char suggestion[200];
	if (checking->value->type != SCAN_OBJECT)
		return say(checking, "{\"uri\",\"name\",\"size\",\"mimeType\"}", "a file is given by reference, as an object");
	if (!schema_format_fits(SCHEMA_URI, words_of(checking, "uri")))
		return say(checking, "file:///path/to/it", "the file's uri has to be a URI with a scheme");
	if (!scan_find(checking->value, "size", &value) || !scan_number(&value, &size) || size < 0)
		return say(checking, "its size in octets", "the file's size has to be a number of octets");
	if (size > most) {
		snprintf(suggestion, sizeof suggestion, "a file of at most %.0f octets", most);
		return say(checking, suggestion, "the file is too large");
	}
	if (has_accepted_type(checking, words_of(checking, "mimeType"), words_of(checking, "name"))) return true;
	snprintf(suggestion, sizeof suggestion, "a file of one of the types %.*s",
		(int)(rules->accept.text.length < 120 ? rules->accept.text.length : slice_cut(rules->accept.text, 120)),
		rules->accept.text.bytes);
	return say(checking, suggestion, "files of this type are not taken");
}

static bool check_custom(struct checking *checking) {
	static const struct schema_options options = {.asserts_formats = true};
	struct schema_finding finding;
	struct schema_findings findings = {.subject = "the answer", .list = &finding, .most = 1};
	struct fault why;
	if (!checking->prompt->schema.length) return true;
	AUTO(schema) schema = schema_read_as(checking->prompt->schema, &options, &why);
	if (!schema && why.code == FAULT_NO_MEMORY) return false;
	if (!schema) return say(checking, "", "the prompt's schema cannot be read: %.120s", why.text);
	if (schema_check_value(schema, checking->value, &findings)) return true;
	return say(checking, "", "%s", findings.count ? finding.sentence : "the answer does not fit the schema");
}

static checker *const checkers[PROMPT_TYPES] = {
	[PROMPT_TEXT] = check_text,
	[PROMPT_CHOICE] = check_choice,
	[PROMPT_CONFIRM] = check_confirm,
	[PROMPT_NUMBER] = check_number,
	[PROMPT_DATE] = check_date,
	[PROMPT_FILE] = check_file,
	[PROMPT_CUSTOM] = check_custom,
};

bool prompt_check(const struct prompt *prompt, const struct scan_value *value, struct arena *arena,
	struct prompt_verdict *verdict) {
	struct checking checking = {prompt, value, arena, verdict};
	*verdict = (struct prompt_verdict){.is_valid = true};
	if (value->text.length > PROMPT_ANSWER)
		return say(&checking, "a shorter answer", "an answer is at most %zu octets", PROMPT_ANSWER);
	if (value->type == SCAN_NONE || value->type == SCAN_NULL)
		return !prompt->rules.is_required || say(&checking, "", "an answer is required");
	if (!checkers[prompt->type](&checking)) return false;
	return !verdict->is_valid || prompt->type == PROMPT_CUSTOM || check_custom(&checking);
}

void prompt_write_verdict(struct text *to, const struct prompt_verdict *verdict) {
	if (verdict->is_valid) {
		text_add_cstr(to, "{\"valid\":true}");
		return;
	}
	text_add_cstr(to, "{\"valid\":false,\"error\":");
	text_json(to, slice_of(verdict->error));
	if (verdict->suggestion[0]) {
		text_add_cstr(to, ",\"suggestion\":");
		text_json(to, slice_of(verdict->suggestion));
	}
	text_add_char(to, '}');
}
