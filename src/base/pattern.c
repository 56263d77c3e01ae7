/* SPDX-License-Identifier: Apache-2.0 */
/* Pattern: what ECMAScript and PCRE2 spell differently is written anew, then PCRE2 does the work and
 * calls back before each item of the expression, which is where the steps are counted. */
#include "base/pattern.h"
#include "base/text.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stdlib.h>

#define OPTIONS \
	(PCRE2_UTF | PCRE2_ALT_BSUX | PCRE2_ALLOW_EMPTY_CLASS | PCRE2_MATCH_UNSET_BACKREF | \
		PCRE2_DOLLAR_ENDONLY | PCRE2_NEVER_BACKSLASH_C | PCRE2_AUTO_CALLOUT)
#define RUN_OCTETS 16 /* run through for one step */
#define WRITTEN_MOST ((size_t)PATTERN_OCTETS * 16)

/* As members of a class. */
#define BLANKS \
	"\\s\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff"

struct pattern {
	pcre2_code *code;
	size_t size;
};

/* ---- Reading ---- */

static const struct {
	const char *name;
	const char *letters;
} categories[] = {
	{"Letter", "L"},
	{"Cased_Letter", "L&"},
	{"Uppercase_Letter", "Lu"},
	{"Lowercase_Letter", "Ll"},
	{"Titlecase_Letter", "Lt"},
	{"Modifier_Letter", "Lm"},
	{"Other_Letter", "Lo"},
	{"Mark", "M"},
	{"Nonspacing_Mark", "Mn"},
	{"Spacing_Mark", "Mc"},
	{"Enclosing_Mark", "Me"},
	{"Number", "N"},
	{"Decimal_Number", "Nd"},
	{"digit", "Nd"},
	{"Letter_Number", "Nl"},
	{"Other_Number", "No"},
	{"Punctuation", "P"},
	{"punct", "P"},
	{"Connector_Punctuation", "Pc"},
	{"Dash_Punctuation", "Pd"},
	{"Open_Punctuation", "Ps"},
	{"Close_Punctuation", "Pe"},
	{"Initial_Punctuation", "Pi"},
	{"Final_Punctuation", "Pf"},
	{"Other_Punctuation", "Po"},
	{"Symbol", "S"},
	{"Math_Symbol", "Sm"},
	{"Currency_Symbol", "Sc"},
	{"Modifier_Symbol", "Sk"},
	{"Other_Symbol", "So"},
	{"Separator", "Z"},
	{"Space_Separator", "Zs"},
	{"Line_Separator", "Zl"},
	{"Paragraph_Separator", "Zp"},
	{"Other", "C"},
	{"Control", "Cc"},
	{"Format", "Cf"},
	{"Surrogate", "Cs"},
	{"Private_Use", "Co"},
	{"Unassigned", "Cn"},
};

/* Behind "\p": the name in braces, as PCRE2 knows it. Octets read; 0: nothing to be changed. */
static size_t property_write(struct text *to, struct slice rest, char letter) {
	if (!rest.length || rest.bytes[0] != '{') return 0;
	const char *end = memchr(rest.bytes, '}', rest.length);
	if (!end) return 0;

	struct slice name = slice_make(rest.bytes + 1, (size_t)(end - rest.bytes - 1));
	const char *equals = name.length ? memchr(name.bytes, '=', name.length) : NULL;
	if (equals) {
		struct slice kind = slice_make(name.bytes, (size_t)(equals - name.bytes));
		if (!slice_is(kind, "gc") && !slice_is(kind, "General_Category")) return 0;
		name = slice_make(equals + 1, (size_t)(end - equals - 1));
	}
	for (size_t i = 0; i < COUNT_OF(categories); i++)
		if (slice_is(name, categories[i].name)) name = slice_of(categories[i].letters);
	text_printf(to, "\\%c{%.*s}", letter, SLICE_ARGS(name));
	return (size_t)(end + 1 - rest.bytes);
}

/* An escape whose backslash was read; octets read behind it. */
static size_t escape_write(struct text *to, struct slice rest, bool is_in_class) {
	char letter = rest.length ? rest.bytes[0] : '\0';
	struct slice behind = rest.length ? slice_make(rest.bytes + 1, rest.length - 1) : rest;
	size_t taken;
	if (letter == 's') {
		text_add_cstr(to, is_in_class ? BLANKS : "[" BLANKS "]");
		return 1;
	}
	if (letter == 'S' && !is_in_class) {
		text_add_cstr(to, "[^" BLANKS "]");
		return 1;
	}
	if (letter == 'v') {
		text_add_cstr(to, "\\x0b");
		return 1;
	}
	if ((letter == 'p' || letter == 'P') && (taken = property_write(to, behind, letter)))
		return taken + 1;
	text_add_char(to, '\\');
	if (rest.length) text_add_char(to, letter);
	return rest.length ? 1 : 0;
}

static bool expression_write(struct text *to, struct slice expression, struct fault *why) {
	bool is_in_class = false;
	for (size_t at = 0; at < expression.length; at++) {
		char octet = expression.bytes[at];
		struct slice rest =
			slice_make(expression.bytes + at + 1, expression.length - at - 1);
		if (octet == '\\') {
			at += escape_write(to, rest, is_in_class);
			continue;
		}
		if (is_in_class && octet == '[') text_add_char(to, '\\'); /* no [:words:] */
		if (!is_in_class && octet == '(' && slice_starts_with(rest, "*"))
			return fault_set(why, FAULT_BAD_INPUT, "a * has nothing to repeat");
		if (octet == '[') is_in_class = true;
		else if (octet == ']') is_in_class = false;
		text_add_char(to, octet);
	}
	if (text_failed(to)) return fault_set(why, FAULT_NO_MEMORY, "no memory for an expression");
	return true;
}

static bool code_read(struct pattern *pattern, struct slice written, struct fault *why) {
	int error;
	PCRE2_SIZE offset;
	pcre2_compile_context *bounds = pcre2_compile_context_create(NULL);
	if (!bounds) return fault_set(why, FAULT_NO_MEMORY, "no memory for an expression");

	pcre2_set_compile_extra_options(bounds, PCRE2_EXTRA_ALT_BSUX);
	pcre2_set_parens_nest_limit(bounds, PATTERN_NESTING);
	pattern->code = pcre2_compile((PCRE2_SPTR)(written.bytes ? written.bytes : ""), written.length,
		OPTIONS, &error, &offset, bounds);
	pcre2_compile_context_free(bounds);
	if (pattern->code) {
		size_t size = 0;
		pcre2_pattern_info(pattern->code, PCRE2_INFO_SIZE, &size);
		pattern->size = size + sizeof *pattern;
		return true;
	}
	char words[120] = "";
	pcre2_get_error_message(error, (PCRE2_UCHAR *)words, sizeof words);
	enum fault_code code = FAULT_BAD_INPUT;
	if (error == PCRE2_ERROR_HEAP_FAILED) code = FAULT_NO_MEMORY;
	if (error == PCRE2_ERROR_PATTERN_TOO_LARGE || error == PCRE2_ERROR_PARENTHESES_NEST_TOO_DEEP)
		code = FAULT_TOO_LARGE;
	return fault_set(why, code, "%s", words);
}

struct pattern *pattern_read(struct slice expression, struct fault *why) {
	if (expression.length > PATTERN_OCTETS)
		return fault_null(why, FAULT_TOO_LARGE, "%zu octets are more than the %d of an expression",
			expression.length, PATTERN_OCTETS);

	AUTO_TEXT struct text written = {0};
	text_init(&written, WRITTEN_MOST);
	if (!expression_write(&written, expression, why)) return NULL;
	AUTO(pattern) pattern = calloc(1, sizeof *pattern);
	if (!pattern) return fault_null(why, FAULT_NO_MEMORY, "no memory for an expression");
	if (!code_read(pattern, text_slice(&written), why)) return NULL;
	return TAKE(pattern);
}

void pattern_free(struct pattern *pattern) {
	if (!pattern) return;
	pcre2_code_free(pattern->code);
	free(pattern);
}

size_t pattern_size(const struct pattern *pattern) {
	return pattern->size;
}

/* ---- Matching ---- */

/* What PCRE2 asks for during one search: from the stack as far as it goes. */
struct room {
	size_t used;
	_Alignas(16) char octets[28 << 10];
};

static void *room_take(size_t size, void *held) {
	struct room *room = held;
	size_t whole = (size + 15) & ~(size_t)15;
	if (whole < size || whole > sizeof room->octets - room->used) return malloc(size);
	void *piece = room->octets + room->used;
	room->used += whole;
	return piece;
}

static void room_give(void *piece, void *held) {
	struct room *room = held;
	uintptr_t start = (uintptr_t)room->octets, at = (uintptr_t)piece;
	if (at < start || at >= start + sizeof room->octets) free(piece);
}

struct count {
	uint64_t *steps;
	PCRE2_SIZE at; /* where the search stood last */
};

static bool steps_take(uint64_t *steps, uint64_t some) {
	bool is_enough = *steps >= some;
	*steps -= is_enough ? some : *steps;
	return is_enough;
}

static int step_count(pcre2_callout_block *block, void *context) {
	struct count *count = context;
	PCRE2_SIZE at = block->current_position;
	PCRE2_SIZE run = at > count->at ? at - count->at : count->at - at;
	count->at = at;
	return steps_take(count->steps, 1 + run / RUN_OCTETS) ? 0 : PCRE2_ERROR_CALLOUT;
}

enum pattern_answer pattern_match(const struct pattern *pattern, struct slice text,
	uint64_t *steps) {
	struct room room;
	struct count count = {.steps = steps};
	room.used = 0;
	if (!steps_take(steps, 1 + text.length / RUN_OCTETS)) return PATTERN_GIVES_UP;

	int found = PCRE2_ERROR_NOMEMORY;
	pcre2_general_context *memory = pcre2_general_context_create(room_take, room_give, &room);
	pcre2_match_context *bounds = memory ? pcre2_match_context_create(memory) : NULL;
	pcre2_match_data *data = bounds ? pcre2_match_data_create(1, memory) : NULL;
	if (data) {
		pcre2_set_callout(bounds, step_count, &count);
		pcre2_set_heap_limit(bounds, PATTERN_HEAP_KIB);
		found = pcre2_match(pattern->code, (PCRE2_SPTR)(text.bytes ? text.bytes : ""), text.length,
			0, PCRE2_NO_UTF_CHECK, data, bounds);
	}
	pcre2_match_data_free(data);
	pcre2_match_context_free(bounds);
	pcre2_general_context_free(memory);
	if (found >= 0) return PATTERN_MATCHES;
	return found == PCRE2_ERROR_NOMATCH ? PATTERN_DIFFERS : PATTERN_GIVES_UP;
}
