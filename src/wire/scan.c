/* SPDX-License-Identifier: Apache-2.0 */
/* Scan: the pass of scan_core.h without a callback and with one, and what it calls rarely. */
#include "wire/scan.h"
#include "wire/scan_core.h"

#define STOP SCAN_CLASS_STOP
#define BLANK (SCAN_CLASS_STOP | SCAN_CLASS_BLANK)
#define DIGIT (SCAN_CLASS_DIGIT | SCAN_CLASS_HEX)

const uint8_t scan_classes[256] = {
	[0x00 ... 0x08] = STOP,
	['\t'] = BLANK,
	['\n'] = BLANK,
	[0x0b ... 0x0c] = STOP,
	['\r'] = BLANK,
	[0x0e ... 0x1f] = STOP,
	[0x80 ... 0xff] = STOP,
	[' '] = SCAN_CLASS_BLANK,
	['0' ... '9'] = DIGIT,
	['A' ... 'F'] = SCAN_CLASS_HEX,
	['a'] = SCAN_CLASS_HEX,
	['c' ... 'e'] = SCAN_CLASS_HEX,
	['b'] = SCAN_CLASS_HEX | SCAN_CLASS_ESCAPE,
	['f'] = SCAN_CLASS_HEX | SCAN_CLASS_ESCAPE,
	['n'] = SCAN_CLASS_ESCAPE,
	['r'] = SCAN_CLASS_ESCAPE,
	['t'] = SCAN_CLASS_ESCAPE,
	['/'] = SCAN_CLASS_ESCAPE,
	['"'] = STOP | SCAN_CLASS_ESCAPE | SCAN_CLASS_STRUCTURE,
	['\\'] = STOP | SCAN_CLASS_ESCAPE,
	['['] = SCAN_CLASS_STRUCTURE,
	[']'] = SCAN_CLASS_STRUCTURE,
	['{'] = SCAN_CLASS_STRUCTURE,
	['}'] = SCAN_CLASS_STRUCTURE,
};

bool scan_core_fail(struct scan_trouble *trouble, enum scan_error error, const char *at,
	const char *what) {
	*trouble = (struct scan_trouble){error, at, what};
	return false;
}

static const char *fail(struct scan_trouble *trouble, enum scan_error error, const char *at,
	const char *what) {
	scan_core_fail(trouble, error, at, what);
	return NULL;
}

/* ---- Strings ---- */

/* Four hexadecimal digits behind "\u"; -1: they are not there. */
static int32_t unit_read(const char *at, const char *end) {
	if (end - at < 4) return -1;

	int32_t unit = 0;
	for (int i = 0; i < 4; i++) {
		if (!scan_is(at[i], SCAN_CLASS_HEX)) return -1;
		int32_t digit = at[i] <= '9' ? at[i] - '0' : (at[i] | 0x20) - 'a' + 10;
		unit = unit << 4 | digit;
	}
	return unit;
}

/* `at` is the backslash; behind the escape, or behind the pair of them that make one character. */
static const char *escape_check(const char *at, const char *end, struct scan_trouble *trouble) {
	if (end - at < 2) return fail(trouble, SCAN_SYNTAX, at, "the text ends inside an escape");
	if (scan_is(at[1], SCAN_CLASS_ESCAPE)) return at + 2;
	if (at[1] != 'u') return fail(trouble, SCAN_SYNTAX, at, "an escape that JSON does not know");

	int32_t unit = unit_read(at + 2, end);
	if (unit < 0) return fail(trouble, SCAN_SYNTAX, at, "\\u needs four hexadecimal digits");
	if (unit < 0xd800 || unit > 0xdfff) return at + 6;
	if (unit > 0xdbff || end - at < 8 || at[6] != '\\' || at[7] != 'u')
		return fail(trouble, SCAN_SYNTAX, at, "half of a surrogate pair");
	int32_t low = unit_read(at + 8, end);
	if (low < 0xdc00 || low > 0xdfff)
		return fail(trouble, SCAN_SYNTAX, at, "half of a surrogate pair");
	return at + 12;
}

static const char *characters_check(const char *at, const char *end, struct scan_trouble *trouble) {
	do {
		const char *next = scan_run_character(at, end);
		if (!next) return fail(trouble, SCAN_UTF8, at, "octets that are no UTF-8");
		at = next;
	} while (at < end && (unsigned char)*at >= 0x80);
	return at;
}

struct scan_stop scan_core_string_rest(const char *at, const char *end,
	struct scan_trouble *trouble) {
	size_t is_escaped = 0;
	while (at) {
		at = scan_run_plain(at, end);
		if (at == end) {
			at = fail(trouble, SCAN_SYNTAX, at, "the text ends inside a string");
		} else if (*at == '"') {
			return (struct scan_stop){at + 1, is_escaped};
		} else if (*at == '\\') {
			is_escaped = 1;
			at = escape_check(at, end, trouble);
		} else if ((unsigned char)*at >= 0x80) {
			at = characters_check(at, end, trouble);
		} else {
			at = fail(trouble, SCAN_SYNTAX, at, "a control character in a string");
		}
	}
	return (struct scan_stop){NULL, 0};
}

/* ---- Other scalars ---- */

static const char *digits_skip(const char *at, const char *end) {
	while (at < end && scan_is(*at, SCAN_CLASS_DIGIT)) at++;
	return at;
}

const char *scan_core_number(const char *at, const char *end, struct scan_trouble *trouble) {
	const char *from = *at == '-' ? at + 1 : at;
	at = digits_skip(from, end);
	if (at == from) return fail(trouble, SCAN_SYNTAX, at, "a number without digits");
	if (*from == '0' && at - from > 1)
		return fail(trouble, SCAN_SYNTAX, from, "a number that begins with a needless zero");

	if (at < end && *at == '.') {
		from = at + 1;
		at = digits_skip(from, end);
		if (at == from) return fail(trouble, SCAN_SYNTAX, at, "no digits behind the decimal point");
	}
	if (at < end && (*at == 'e' || *at == 'E')) {
		from = at + 1;
		if (from < end && (*from == '+' || *from == '-')) from++;
		at = digits_skip(from, end);
		if (at == from) return fail(trouble, SCAN_SYNTAX, at, "no digits in the exponent");
	}
	return at;
}

const char *scan_core_word(const char *at, const char *end, enum scan_type *type,
	struct scan_trouble *trouble) {
	static const struct {
		struct slice word;
		enum scan_type type;
	} words[] = {
		{SLICE("true"), SCAN_BOOLEAN},
		{SLICE("false"), SCAN_BOOLEAN},
		{SLICE("null"), SCAN_NULL},
	};
	size_t left = (size_t)(end - at);
	for (size_t i = 0; i < COUNT_OF(words); i++) {
		struct slice word = words[i].word;
		if (left < word.length || memcmp(at, word.bytes, word.length) != 0) continue;
		*type = words[i].type;
		return at + word.length;
	}
	return fail(trouble, SCAN_SYNTAX, at, "no value begins like this");
}

/* ---- Whole texts ---- */

static bool fault_from(struct scan_fault *fault, const struct scan_trouble *trouble,
	struct slice text) {
	if (fault)
		*fault = (struct scan_fault){
			trouble->error, (size_t)(trouble->at - text.bytes), trouble->what};
	return false;
}

static unsigned depth_limit(unsigned depth) { return depth < SCAN_DEPTH ? depth : SCAN_DEPTH; }

bool scan_check(struct slice text, unsigned depth, struct scan_value *root,
	struct scan_fault *fault) {
	struct scan_trouble trouble;
	struct scan_value value;
	if (!text.bytes) text = SLICE("");
	if (!scan_core_run(text, depth_limit(depth), &value, NULL, NULL, &trouble))
		return fault_from(fault, &trouble, text);

	if (root) *root = value;
	return true;
}

struct listener {
	scan_seen *seen;
	void *context;
};

static bool member_tell(void *context, unsigned level, const struct scan_name *names,
	struct scan_value value) {
	const struct listener *listener = context;
	struct scan_member parent = {.key = names[0].key, .key_escaped = names[0].is_escaped};
	struct scan_member member = {
		.key = names[level - 1].key,
		.key_escaped = names[level - 1].is_escaped,
		.value = value,
		.parent = level == 2 ? &parent : NULL,
	};
	return listener->seen(listener->context, level, &member);
}

bool scan_object(struct slice text, unsigned depth, scan_seen *seen, void *context,
	struct scan_fault *fault) {
	struct listener listener = {seen, context};
	struct scan_trouble trouble;
	struct scan_value root;
	if (!text.bytes) text = SLICE("");
	const char *start = scan_run_blanks(text.bytes, text.bytes + text.length);
	if (start < text.bytes + text.length && *start != '{') {
		if (!scan_check(text, depth, NULL, fault)) return false;
		scan_core_fail(&trouble, SCAN_NOT_OBJECT, start, "not an object");
		return fault_from(fault, &trouble, text);
	}
	if (!scan_core_run(text, depth_limit(depth), &root, member_tell, &listener, &trouble))
		return fault_from(fault, &trouble, text);
	return true;
}

bool scan_is_utf8(struct slice text) {
	if (!text.length) return true;

	const char *end = text.bytes + text.length;
	for (const char *at = scan_run_ascii(text.bytes, end); at < end; at = scan_run_ascii(at, end)) {
		do {
			at = scan_run_character(at, end);
			if (!at) return false;
		} while (at < end && (unsigned char)*at >= 0x80);
	}
	return true;
}
