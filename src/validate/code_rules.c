/* SPDX-License-Identifier: Apache-2.0 */
/* Code rules: one table of members, each with how it is read. */
#include "validate/code_rules.h"

#include "wire/scan.h"

/* Octets of code by level, where the rules say none. */
static const size_t sizes[CODE_LEVELS] = {
	[CODE_UNRESTRICTED] = CODE_OCTETS,
	[CODE_STANDARD] = 64 * 1024,
	[CODE_STRICT] = 16 * 1024,
	[CODE_READONLY] = 16 * 1024,
};

static const char *const level_words[CODE_LEVELS] = {
	[CODE_UNRESTRICTED] = "unrestricted",
	[CODE_STANDARD] = "standard",
	[CODE_STRICT] = "strict",
	[CODE_READONLY] = "readonly",
};

static const char *const language_words[CODE_LANGUAGES] = {
	[CODE_UNSAID] = "unsaid",
	[CODE_PYTHON] = "python",
	[CODE_JAVASCRIPT] = "javascript",
	[CODE_SHELL] = "shell",
	[CODE_OTHER] = "other",
};

static const struct dialect {
	const char *name;
	enum code_language language;
} dialects[] = {
	{"python", CODE_PYTHON},
	{"python2", CODE_PYTHON},
	{"python3", CODE_PYTHON},
	{"py", CODE_PYTHON},
	{"py3", CODE_PYTHON},
	{"ipython", CODE_PYTHON},
	{"javascript", CODE_JAVASCRIPT},
	{"js", CODE_JAVASCRIPT},
	{"mjs", CODE_JAVASCRIPT},
	{"cjs", CODE_JAVASCRIPT},
	{"ecmascript", CODE_JAVASCRIPT},
	{"node", CODE_JAVASCRIPT},
	{"nodejs", CODE_JAVASCRIPT},
	{"node.js", CODE_JAVASCRIPT},
	{"deno", CODE_JAVASCRIPT},
	{"bun", CODE_JAVASCRIPT},
	{"typescript", CODE_JAVASCRIPT},
	{"ts", CODE_JAVASCRIPT},
	{"shell", CODE_SHELL},
	{"sh", CODE_SHELL},
	{"bash", CODE_SHELL},
	{"dash", CODE_SHELL},
	{"ksh", CODE_SHELL},
	{"zsh", CODE_SHELL},
	{"shellscript", CODE_SHELL},
	{"shell-script", CODE_SHELL},
};

const char *code_level_word(enum code_level level) {
	return level < CODE_LEVELS ? level_words[level] : "unknown";
}

bool code_level_read(struct slice word, enum code_level *level) {
	for (unsigned i = 0; i < CODE_LEVELS; i++) {
		if (!slice_is(word, level_words[i])) continue;
		*level = i;
		return true;
	}
	return false;
}

enum code_language code_language_read(struct slice word) {
	for (size_t i = 0; i < COUNT_OF(dialects); i++)
		if (slice_equal_ignoring_case(word, slice_of(dialects[i].name))) return dialects[i].language;
	return CODE_OTHER;
}

const char *code_language_word(enum code_language language) {
	return language < CODE_LANGUAGES ? language_words[language] : "unknown";
}

void code_rules_init(struct code_rules *rules) { *rules = (struct code_rules){.level = CODE_STANDARD}; }

void code_rules_floor(struct code_rules *rules) {
	if (rules->level < CODE_STANDARD) rules->level = CODE_STANDARD;
	rules->is_floored = true;
}

size_t code_rules_max_size(const struct code_rules *rules) {
	size_t size = rules->max_size ? rules->max_size : sizes[rules->level];
	return size < CODE_OCTETS ? size : CODE_OCTETS;
}

/* ---- Reading ---- */

struct reading {
	struct arena *arena;
	struct code_rules *rules;
	const char *name;
	struct fault *why;
};

static bool bad(const struct reading *reading, const char *wanted) {
	return fault_set(reading->why, FAULT_BAD_INPUT, "code_safety.%s has to be %s", reading->name, wanted);
}

static bool no_memory(struct fault *why) {
	return fault_set(why, FAULT_NO_MEMORY, "no memory for the rules of code safety");
}

static bool read_level(const struct reading *reading, const struct scan_value *value) {
	struct slice word;
	if (!scan_string(value, reading->arena, &word) || !code_level_read(word, &reading->rules->level))
		return bad(reading, "unrestricted, standard, strict or readonly");
	return true;
}

static bool read_language(const struct reading *reading, const struct scan_value *value) {
	struct slice word;
	if (!scan_string(value, reading->arena, &word) || word.length == 0)
		return bad(reading, "the name of a language");
	reading->rules->language = code_language_read(word);
	return true;
}

static bool read_argument(const struct reading *reading, const struct scan_value *value) {
	struct slice word;
	if (!scan_string(value, reading->arena, &word) || word.length == 0 || word.length > CODE_LIST_ENTRY)
		return bad(reading, "the name of an argument, of at most 128 octets");
	reading->rules->argument = word;
	return true;
}

static bool read_size(const struct reading *reading, const struct scan_value *value) {
	int64_t size;
	if (!scan_integer(value, &size) || size < 1) return bad(reading, "a whole number of octets from 1");
	reading->rules->max_size = size < CODE_OCTETS ? (size_t)size : CODE_OCTETS;
	return true;
}

static bool read_list(const struct reading *reading, const struct scan_value *value, struct code_list *to) {
	struct scan_walk walk;
	struct scan_member element;
	size_t count = 0, length = value->type == SCAN_ARRAY ? scan_count(value) : CODE_LIST + 1;
	if (length > CODE_LIST) return bad(reading, "an array of at most 128 strings");
	struct slice *items = arena_alloc(reading->arena, (length + 1) * sizeof *items);
	if (!items) return no_memory(reading->why);
	for (scan_open(&walk, value); scan_next(&walk, &element); count++) {
		if (element.value.type != SCAN_STRING || element.value.text.length > CODE_LIST_ENTRY + 2)
			return bad(reading, "an array of strings of at most 128 octets");
		if (!scan_string(&element.value, reading->arena, &items[count])) return no_memory(reading->why);
		items[count] = slice_trim(items[count]);
		if (items[count].length == 0) return bad(reading, "an array of strings that are not empty");
	}
	*to = (struct code_list){items, count};
	return true;
}

static bool read_blocked_imports(const struct reading *reading, const struct scan_value *value) {
	return read_list(reading, value, &reading->rules->blocked_imports);
}

static bool read_blocked_patterns(const struct reading *reading, const struct scan_value *value) {
	return read_list(reading, value, &reading->rules->blocked_patterns);
}

static bool read_allowed_imports(const struct reading *reading, const struct scan_value *value) {
	reading->rules->has_allowed = true;
	return read_list(reading, value, &reading->rules->allowed_imports);
}

static const struct member {
	const char *name;
	bool (*read)(const struct reading *reading, const struct scan_value *value);
} members[] = {
	{"level", read_level},
	{"language", read_language},
	{"argument", read_argument},
	{"max_code_size_bytes", read_size},
	{"blocked_imports", read_blocked_imports},
	{"blocked_patterns", read_blocked_patterns},
	{"allowed_imports", read_allowed_imports},
};

/* Members of later versions are none of ours: they are passed over. */
static bool read_member(struct reading *reading, const struct scan_member *given, uint32_t *seen) {
	for (size_t i = 0; i < COUNT_OF(members); i++) {
		if (!scan_key_is(given, members[i].name)) continue;
		reading->name = members[i].name;
		if (*seen & 1u << i) return bad(reading, "there once");
		*seen |= 1u << i;
		return given->value.type == SCAN_NULL || members[i].read(reading, &given->value);
	}
	return true;
}

bool code_rules_read(
	struct slice object, struct arena *arena, struct code_rules *rules, struct fault *why) {
	struct code_rules read;
	struct reading reading = {arena, &read, NULL, why};
	struct scan_value root;
	struct scan_walk walk;
	struct scan_member member;
	struct scan_fault fault;
	uint32_t seen = 0;
	code_rules_init(&read);
	if (!scan_check(object, SCAN_DEPTH, &root, &fault) || root.type != SCAN_OBJECT)
		return fault_set(why, FAULT_BAD_INPUT, "code_safety has to be an object");
	for (scan_open(&walk, &root); scan_next(&walk, &member);)
		if (!read_member(&reading, &member, &seen)) return false;
	*rules = read;
	return true;
}

/* ---- Joining ---- */

static bool has(const struct code_list *list, struct slice item) {
	for (size_t i = 0; i < list->count; i++)
		if (slice_equal(list->items[i], item)) return true;
	return false;
}

/* Those of `a` and `b` together, or those of `a` that are in `b` as well. */
static bool join(struct code_list *a, const struct code_list *b, bool is_both, struct arena *arena) {
	struct slice *items = arena_alloc(arena, (a->count + b->count + 1) * sizeof *items);
	size_t count = 0;
	if (!items) return false;
	for (size_t i = 0; i < a->count; i++)
		if (!is_both || has(b, a->items[i])) items[count++] = a->items[i];
	for (size_t i = 0; i < b->count && !is_both; i++)
		if (!has(a, b->items[i])) items[count++] = b->items[i];
	*a = (struct code_list){items, count};
	return true;
}

bool code_rules_join(
	struct code_rules *rules, const struct code_rules *more, struct arena *arena, struct fault *why) {
	struct code_rules joined = *rules;
	size_t size = code_rules_max_size(rules), other = code_rules_max_size(more);
	if (more->level > joined.level) joined.level = more->level;
	if (more->language != CODE_UNSAID) joined.language = more->language;
	if (more->argument.length) joined.argument = more->argument;
	if (rules->max_size || more->max_size) joined.max_size = size < other ? size : other;
	if (!join(&joined.blocked_imports, &more->blocked_imports, false, arena) ||
		!join(&joined.blocked_patterns, &more->blocked_patterns, false, arena))
		return no_memory(why);
	if (rules->has_allowed && more->has_allowed) {
		if (!join(&joined.allowed_imports, &more->allowed_imports, true, arena)) return no_memory(why);
	} else if (more->has_allowed) {
		joined.allowed_imports = more->allowed_imports;
	}
	joined.has_allowed = rules->has_allowed || more->has_allowed;
	joined.is_floored = rules->is_floored || more->is_floored;
	*rules = joined;
	return true;
}
