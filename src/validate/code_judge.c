/* SPDX-License-Identifier: Apache-2.0 */
/* Code judge: patterns in buckets by a letter, so that a name is compared with few of them. */
#include "validate/code_judge.h"

bool code_judge_is_strict(const struct code_judge *judge) { return judge->rules->level >= CODE_STRICT; }

bool code_judge_is_readonly(const struct code_judge *judge) { return judge->rules->level >= CODE_READONLY; }

/* ---- Patterns ---- */

static bool is_name_octet(char c) {
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
		c == '$' || (unsigned char)c >= 0x80;
}

static uint32_t *bucket_of(struct code_judge *judge, char letter) {
	return &judge->buckets[(unsigned char)letter % CODE_JUDGE_BUCKETS];
}

static struct slice up_to(struct slice text, size_t length) { return slice_make(text.bytes, length); }

static struct slice from(struct slice text, size_t at) {
	return slice_make(text.bytes + at, text.length - at);
}

/* "a.b.c" as "a.b." and "c". */
static void split(struct slice path, struct slice *head, struct slice *tail) {
	const char *dot = path.length ? memrchr(path.bytes, '.', path.length) : NULL;
	size_t at = dot ? (size_t)(dot - path.bytes) + 1 : 0;
	*head = up_to(path, at);
	*tail = from(path, at);
}

static bool is_path_text(struct slice text) {
	bool was_name = false;
	for (size_t i = 0; i < text.length; i++) {
		bool is_name = is_name_octet(text.bytes[i]);
		if (!is_name && (text.bytes[i] != '.' || !was_name)) return false;
		was_name = is_name;
	}
	return was_name;
}

static struct code_pattern read_pattern(struct slice text) {
	struct code_pattern pattern = {.shown = text};
	struct slice path = slice_trim(text);
	if (path.length && path.bytes[path.length - 1] == ')') path.length--;
	path = slice_trim(path);
	if (path.length && path.bytes[path.length - 1] == '(') {
		pattern.is_call = true;
		path = slice_trim(up_to(path, path.length - 1));
	}
	if (path.length && path.bytes[path.length - 1] == '*') {
		pattern.is_begun = true;
		path.length--;
	}
	if (slice_starts_with(path, "new ")) path = slice_trim(from(path, 4));
	if (slice_starts_with(path, ".")) {
		pattern.is_member = true;
		path = from(path, 1);
	}
	bool is_whole = pattern.is_begun && path.length &&
		path.bytes[path.length - 1] == '.'; /* "tempfile.*" */
	pattern.is_path = is_path_text(is_whole ? up_to(path, path.length - 1) : path);
	split(path, &pattern.head, &pattern.tail);
	return pattern;
}

static void know(struct code_judge *judge, struct slice path) {
	if (path.length) judge->known[path.length & 63] |= 1ull << (path.bytes[0] & 63);
}

/* "os." of os.path.x, and "os.path". */
static void know_pattern(struct code_judge *judge, const struct code_pattern *pattern) {
	if (!pattern->is_path || pattern->is_member) return;
	if (pattern->head.length == 0) know(judge, pattern->tail);
	for (size_t i = 0; i < pattern->head.length; i++)
		if (pattern->head.bytes[i] == '.') know(judge, up_to(pattern->head, i));
}

static void add_pattern(struct code_judge *judge, struct slice text, bool is_write) {
	struct code_pattern pattern = read_pattern(text);
	uint32_t *bucket = bucket_of(
		judge, pattern.is_path && pattern.tail.length ? pattern.tail.bytes[0] : '\0');
	pattern.is_write = is_write;
	pattern.next = *bucket;
	judge->patterns[++judge->count] = pattern;
	*bucket = judge->count;
	know_pattern(judge, &pattern);
}

static void add_patterns(struct code_judge *judge, struct code_list list, bool is_write) {
	for (size_t i = 0; i < list.count; i++) add_pattern(judge, list.items[i], is_write);
}

bool code_judge_init(struct code_judge *judge, const struct code_rules *rules, enum code_language language,
	struct code_report *report, struct arena *arena) {
	const struct code_defaults *defaults = code_defaults_of(language);
	struct code_list patterns = code_defaults_list(defaults->patterns);
	struct code_list strict = code_defaults_list(defaults->strict_patterns);
	struct code_list writes = code_defaults_list(defaults->write_patterns);
	size_t count = patterns.count + strict.count + writes.count + rules->blocked_patterns.count;
	*judge = (struct code_judge){.rules = rules,
		.defaults = defaults,
		.report = report,
		.arena = arena,
		.language = language,
		.patterns = arena_alloc(arena, (count + 1) * sizeof *judge->patterns)};
	if (!judge->patterns) return false;
	add_patterns(judge, patterns, false);
	if (rules->level >= CODE_STRICT) add_patterns(judge, strict, false);
	if (rules->level >= CODE_READONLY) add_patterns(judge, writes, true);
	add_patterns(judge, rules->blocked_patterns, false); /* the last are met first */
	for (const struct slice *name = defaults->blocked_imports; name->length; name++) know(judge, *name);
	return true;
}

/* ---- Imports ---- */

static bool is_same_word(const struct code_judge *judge, struct slice a, struct slice b) {
	return judge->language == CODE_SHELL ? slice_equal(a, b) : slice_equal_ignoring_case(a, b);
}

/* "os" is that of "os.path" and of "os/x". */
static bool is_within(const struct code_judge *judge, struct slice name, struct slice entry) {
	if (name.length < entry.length || !is_same_word(judge, up_to(name, entry.length), entry)) return false;
	return name.length == entry.length ||
		(judge->language == CODE_PYTHON && name.bytes[entry.length] == '.') ||
		(judge->language == CODE_JAVASCRIPT && name.bytes[entry.length] == '/');
}

static const struct slice *find_in(
	const struct code_judge *judge, struct code_list list, struct slice name) {
	for (size_t i = 0; i < list.count; i++)
		if (is_within(judge, name, code_judge_module(judge, list.items[i]))) return &list.items[i];
	return NULL;
}

struct slice code_judge_module(const struct code_judge *judge, struct slice name) {
	if (judge->language != CODE_JAVASCRIPT) return name;
	return slice_starts_with(name, "node:") ? from(name, 5) : name;
}

static bool may_be_imported(const struct code_judge *judge, struct slice name) {
	struct code_list allowed = judge->rules->has_allowed
		? judge->rules->allowed_imports
		: code_defaults_list(judge->defaults->allowed_imports);
	return find_in(judge, allowed, name);
}

static const struct slice *find_blocked(struct code_judge *judge, struct slice name) {
	const struct code_rules *rules = judge->rules;
	const struct slice *entry = find_in(judge, rules->blocked_imports, name);
	bool is_lifted = rules->has_allowed && !rules->is_floored &&
		find_in(judge, rules->allowed_imports, name);
	if (entry || is_lifted) return entry;
	entry = find_in(judge, code_defaults_list(judge->defaults->blocked_imports), name);
	if (entry) code_report_hint(judge->report, *entry);
	return entry;
}

bool code_judge_member(struct code_judge *judge, struct slice name) {
	const struct slice *entry = judge->is_silent ? NULL : find_blocked(judge, name);
	if (entry) code_report_add(judge->report, "Blocked import", *entry);
	return entry;
}

void code_judge_import(struct code_judge *judge, struct slice name) {
	if (judge->is_silent || name.length == 0) return;
	name = code_judge_module(judge, name);
	if (code_judge_member(judge, name)) return;
	if (code_judge_is_strict(judge) && !may_be_imported(judge, name))
		code_report_add(judge->report, "Import not allowed", name);
}

/* ---- Paths ---- */

static bool ends_with_head(struct slice head, struct slice wanted) {
	if (head.length < wanted.length) return false;
	if (!slice_equal(from(head, head.length - wanted.length), wanted)) return false;
	return head.length == wanted.length || head.bytes[head.length - wanted.length - 1] == '.';
}

static bool is_match(const struct code_pattern *pattern, struct slice head, struct slice tail) {
	if (!pattern->is_path || tail.length < pattern->tail.length) return false;
	if (!pattern->is_begun && tail.length != pattern->tail.length) return false;
	if (!slice_equal(up_to(tail, pattern->tail.length), pattern->tail)) return false;
	if (pattern->is_member) return head.length > 0 && ends_with_head(head, pattern->head);
	return pattern->head.length ? ends_with_head(head, pattern->head) : head.length == 0;
}

static bool is_meant(const struct code_pattern *pattern, struct slice head, enum code_use use) {
	if (use == CODE_ASSIGNED) return head.length > 0 && !pattern->is_call;
	if (!pattern->is_call) return true;
	return use == CODE_CALLED || (use == CODE_USED && !pattern->is_member);
}

static void look_in(struct code_judge *judge, char letter, struct slice path, enum code_use use) {
	struct slice head, tail;
	split(path, &head, &tail);
	for (uint32_t i = *bucket_of(judge, letter); i; i = judge->patterns[i].next) {
		const struct code_pattern *pattern = &judge->patterns[i];
		if (!is_match(pattern, head, tail) || !is_meant(pattern, head, use)) continue;
		code_report_add(
			judge->report, pattern->is_write ? "Write operation" : "Blocked pattern", pattern->shown);
		return;
	}
}

void code_judge_path(struct code_judge *judge, struct slice path, enum code_use use) {
	struct slice head, tail;
	if (judge->is_silent) return;
	split(path, &head, &tail);
	if (tail.length == 0) return;
	look_in(judge, tail.bytes[0], path, use);
	look_in(judge, '\0', path, use); /* "tempfile.*" */
}

bool code_judge_knows(const struct code_judge *judge, struct slice path) {
	if (!path.length || !(judge->known[path.length & 63] & 1ull << (path.bytes[0] & 63))) return false;
	for (uint32_t i = 1; i <= judge->count; i++) {
		const struct code_pattern *pattern = &judge->patterns[i];
		if (!pattern->is_path || pattern->is_member) continue;
		struct slice head = pattern->head;
		bool is_below = head.length > path.length && head.bytes[path.length] == '.' &&
			slice_equal(up_to(head, path.length), path);
		bool is_it = head.length == 0 && slice_equal(pattern->tail, path);
		if (is_below || is_it) return true;
	}
	return find_in(judge, code_defaults_list(judge->defaults->blocked_imports), path);
}

/* ---- Strings and text ---- */

static bool is_word_string(struct slice text, bool *has_braces) {
	bool is_word = text.length > 3 && text.length < 200;
	for (size_t i = 0; i < text.length; i++) {
		char c = text.bytes[i];
		*has_braces |= c == '{';
		is_word &= is_name_octet(c) || c == '.' || c == '[' || c == ']';
	}
	return is_word;
}

/* Names with two underscores at both ends, or of frames: members alone, wherever they stand in `text`. */
void code_judge_string(struct code_judge *judge, struct slice text) {
	bool has_braces = false;
	if (judge->is_silent || judge->language != CODE_PYTHON) return;
	if (!is_word_string(text, &has_braces) && !has_braces) return;
	for (size_t at = 0; at < text.length;) {
		size_t start = at;
		while (at < text.length && is_name_octet(text.bytes[at])) at++;
		struct slice name = slice_make(text.bytes + start, at - start);
		bool is_inner = slice_starts_with(name, "__") ||
			(name.length > 4 && strchr("ftgca", name.bytes[0]) && memchr(name.bytes, '_', 4));
		bool is_reached = !has_braces || (start > 0 && strchr(".[", text.bytes[start - 1]));
		for (uint32_t i = is_inner && is_reached ? *bucket_of(judge, name.bytes[0]) : 0; i;
			i = judge->patterns[i].next) {
			const struct code_pattern *pattern = &judge->patterns[i];
			if (pattern->head.length || pattern->is_begun || !slice_equal(pattern->tail, name)) continue;
			code_report_add(judge->report, "Blocked pattern", name);
			break;
		}
		at += at == start;
	}
}

/* Blanks are passed over in both. */
static bool stands_at(struct slice code, size_t at, struct slice pattern) {
	size_t i = 0;
	while (i < pattern.length) {
		if (strchr(" \t", pattern.bytes[i])) {
			i++;
		} else if (at >= code.length) {
			return false;
		} else if (code.bytes[at] == pattern.bytes[i]) {
			i++;
			at++;
		} else if (i > 0 && strchr(" \t", code.bytes[at])) {
			at++;
		} else {
			return false;
		}
	}
	bool is_inside = at < code.length && is_name_octet(code.bytes[at]) && is_name_octet(pattern.bytes[0]) &&
		is_name_octet(pattern.bytes[pattern.length - 1]) && !memchr(pattern.bytes, ' ', pattern.length);
	return i > 0 && !is_inside;
}

static bool stands_in(struct slice code, struct slice pattern) {
	const char *at = code.bytes, *end = code.bytes + code.length;
	for (; at < end && (at = memchr(at, pattern.bytes[0], (size_t)(end - at))); at++) {
		bool is_inside = at > code.bytes && is_name_octet(pattern.bytes[0]) && is_name_octet(at[-1]);
		if (!is_inside && stands_at(code, (size_t)(at - code.bytes), pattern)) return true;
	}
	return false;
}

void code_judge_text(struct code_judge *judge, struct slice text, struct slice code) {
	bool is_all = judge->language == CODE_OTHER || judge->language == CODE_SHELL;
	if (judge->is_silent) return;
	for (uint32_t i = 1; i <= judge->count; i++) {
		const struct code_pattern *pattern = &judge->patterns[i];
		struct slice shown = slice_trim(pattern->shown);
		if (pattern->is_path && !is_all) continue;
		bool is_quoted = memchr(shown.bytes, '\'', shown.length) || memchr(shown.bytes, '"', shown.length);
		if (stands_in(is_quoted ? code : text, shown))
			code_report_add(judge->report, "Blocked pattern", pattern->shown);
	}
}

void code_judge_dynamic(struct code_judge *judge, const char *importer) {
	if (!judge->is_silent) code_report_add(judge->report, "Dynamic import", slice_of(importer));
}

void code_judge_pattern(struct code_judge *judge, const char *pattern) {
	if (!judge->is_silent) code_report_add(judge->report, "Blocked pattern", slice_of(pattern));
}

void code_judge_path_text(struct code_judge *judge, const char *what, struct slice name) {
	char shown[81];
	if (judge->is_silent) return;
	text_display_in(shown, sizeof shown, name);
	code_report_say(judge->report, "Blocked pattern: '%s %s'", what, shown);
}

void code_judge_write(struct code_judge *judge, struct slice path) {
	if (!judge->is_silent && code_judge_is_readonly(judge))
		code_report_add(judge->report, "Write operation", path);
}
