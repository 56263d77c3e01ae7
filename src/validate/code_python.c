/* SPDX-License-Identifier: Apache-2.0 */
/* Code Python: the grammar of code_walk.h for imports, dynamic ones, and calls whose outcome is known. */
#include "validate/code_python.h"

#include "validate/code_token_python.h"
#include "validate/code_walk.h"

static const char *const keywords[] = {"False", "None", "True", "and", "as", "assert", "async", "await",
	"break", "class", "continue", "def", "del", "elif", "else", "except", "finally", "for", "from",
	"global", "if", "import", "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return",
	"try", "while", "with", "yield", NULL};

/* ---- Imports ---- */

/* Moves on over "a.b.c" or "..a"; false: no name is there. */
static bool read_module(struct code_walk *walk, struct code_value *module) {
	bool is_any = false;
	*module = code_value_path(SLICE(""));
	for (;; walk->at++) {
		const struct code_token *next = code_state_token(walk, 1);
		bool is_dots = code_token_is(next, '.') || code_token_is(next, CODE_MARK_SPREAD);
		bool is_name = next->type == CODE_NAME && !code_token_is_name(next, "import") &&
			!code_token_is_name(next, "as");
		if (is_dots && !is_any) *module = code_value_path(SLICE("."));
		else if (is_name) code_value_extend(module, next->text);
		else if (!is_dots) break;
		if (is_name && !code_token_is(code_state_token(walk, 2), '.')) {
			walk->at++;
			return true;
		}
		is_any = true;
	}
	return module->length > 0;
}

static struct slice read_alias(struct code_walk *walk) {
	bool is_alias = code_token_is_name(code_state_token(walk, 1), "as") &&
		code_state_token(walk, 2)->type == CODE_NAME;
	if (!is_alias) return SLICE_NONE;
	walk->at += 2;
	return code_state_token(walk, 0)->text;
}

static struct slice first_name(struct slice path) {
	const char *dot = memchr(path.bytes, '.', path.length);
	return slice_make(path.bytes, dot ? (size_t)(dot - path.bytes) : path.length);
}

/* import a.b as c, d */
static void read_import(struct code_walk *walk) {
	struct code_value module;
	do {
		if (!read_module(walk, &module)) return;
		struct slice alias = read_alias(walk);
		code_judge_import(walk->judge, code_value_text(&module));
		if (alias.length) code_state_bind(walk, alias, &module);
	} while (code_token_is(code_state_token(walk, 1), ',') && walk->at++);
}

static void import_member(
	struct code_walk *walk, const struct code_value *module, struct slice name, struct slice alias) {
	struct code_value member;
	code_value_set(&member, module);
	code_value_extend(&member, name);
	if (!code_judge_member(walk->judge, code_value_text(&member)))
		code_judge_path(walk->judge, code_value_text(&member), CODE_USED);
	code_state_bind(walk, alias.length ? alias : name, &member);
}

/* from a.b import (c as d, e) */
static void read_from(struct code_walk *walk) {
	struct code_value module;
	if (!read_module(walk, &module) || !code_token_is_name(code_state_token(walk, 1), "import")) return;
	code_judge_import(walk->judge, code_value_text(&module));
	walk->at++;
	if (code_token_is(code_state_token(walk, 1), '(')) walk->at++;
	if (code_token_is(code_state_token(walk, 1), '*')) {
		if (walk->loose_count < CODE_WALK_LOOSE) code_value_set(&walk->loose[walk->loose_count++], &module);
		walk->at++;
		return;
	}
	while (code_state_token(walk, 1)->type == CODE_NAME) {
		struct slice name = code_state_token(walk, 1)->text;
		walk->at++;
		struct slice alias = read_alias(walk);
		import_member(walk, &module, name, alias);
		if (code_token_is(code_state_token(walk, 1), ',')) walk->at++;
	}
	if (code_token_is(code_state_token(walk, 1), ')')) walk->at++;
}

static bool is_statement_begin(const struct code_walk *walk) {
	const struct code_token *before = code_state_token(walk, -1);
	return walk->at == 0 || before->type == CODE_LINE || code_token_is(before, ':') ||
		code_token_is(before, ';');
}

static void read_keyword(struct code_walk *walk) {
	const struct code_token *token = code_state_token(walk, 0);
	bool is_definition = code_token_is_name(token, "def") || code_token_is_name(token, "class") ||
		code_token_is_name(token, "as");
	bool is_begin = is_statement_begin(walk);
	code_walk_end_operand(walk);
	if (!code_token_is_name(token, "as")) walk->current = code_value_none();
	walk->bare = SLICE_NONE;
	if (code_token_is_name(token, "import")) read_import(walk);
	else if (code_token_is_name(token, "from") && is_begin) read_from(walk);
	else if (is_definition && code_state_token(walk, 1)->type == CODE_NAME) {
		code_state_bind(walk, code_state_token(walk, 1)->text, &walk->current);
		walk->current = code_value_none();
		walk->at++;
	}
}

/* ---- Names ---- */

static void read_unbound(struct code_walk *walk, struct slice name) {
	walk->current = code_value_path(name);
	for (size_t i = 0; i < walk->loose_count; i++) { /* from os import * */
		struct code_value member;
		code_value_set(&member, &walk->loose[i]);
		code_value_extend(&member, name);
		if (!code_token_is(code_state_token(walk, 1), '='))
			code_judge_path(walk->judge, code_value_text(&member), CODE_EXTENDED);
	}
}

static bool is_scope(const struct code_value *value) {
	return code_value_is(value, "builtins") || code_value_is(value, "__builtins__") ||
		code_value_is(value, "__builtin__") || code_value_is(value, "@scope");
}

static bool read_extended(struct code_walk *walk, struct slice name) {
	bool is_reading = slice_is(name, "get") || slice_is(name, "__getitem__") || slice_is(name, "pop") ||
		slice_is(name, "items") || slice_is(name, "keys") || slice_is(name, "values") ||
		slice_is(name, "update");
	if (slice_is(name, "__dict__")) { /* what is below it is below its owner */
		struct code_value whole;
		code_value_set(&whole, &walk->current);
		code_value_extend(&whole, name);
		code_judge_path(walk->judge, code_value_text(&whole), CODE_EXTENDED);
		return true;
	}
	if (code_value_is(&walk->current, "sys.modules") && !is_reading) {
		code_judge_import(walk->judge, name);
		walk->current = code_value_path(name);
		return true;
	}
	if (!is_scope(&walk->current) || is_reading) return false;
	walk->current = code_value_path(name);
	code_state_use(walk);
	return true;
}

/* ---- Calls ---- */

static bool import_by_call(
	struct code_walk *walk, const struct code_frame *call, const char *importer, bool is_root) {
	struct slice name = code_value_text(&call->first);
	if (call->first.kind != CODE_VALUE_STRING) {
		code_judge_dynamic(walk->judge, importer);
		return false;
	}
	code_judge_import(walk->judge, name);
	walk->current = code_value_path(is_root ? first_name(name) : name);
	return true;
}

/* getattr(os, "system"); what is computed may be any of its members. */
static bool get_attribute(struct code_walk *walk, const struct code_frame *call) {
	const struct code_value *name = &call->second;
	struct slice begin = code_value_text(name);
	if (name->kind == CODE_VALUE_STRING) {
		code_value_set(&walk->current, &call->first);
		if (walk->current.kind != CODE_VALUE_PATH) walk->current = code_value_path(SLICE("?"));
		code_state_extend(walk, begin);
		return true;
	}
	bool is_module = call->first.kind == CODE_VALUE_PATH &&
		code_judge_knows(walk->judge, code_value_text(&call->first));
	bool is_harmless = name->kind == CODE_VALUE_BEGUN && begin.length > 0 && begin.bytes[0] != '_';
	if (is_module || is_scope(&call->first) || (name->is_computed && !is_harmless))
		code_judge_pattern(walk->judge, "getattr(");
	return false;
}

/* globals().get("eval"), os.__dict__.get("system"): like the subscript. */
static bool get_member(struct code_walk *walk, const struct code_frame *call) {
	static const char *const names[] = {"get", "pop", "__getitem__", "__getattribute__", "__getattr__"};
	struct slice base;
	for (size_t i = 0; i < COUNT_OF(names); i++) {
		if (!code_value_without(&call->callee, names[i], &base)) continue;
		struct code_value owner = code_value_path(base);
		bool is_owner = is_scope(&owner) || code_judge_knows(walk->judge, base) ||
			code_value_is(&owner, "sys.modules");
		if (!is_owner || call->first.kind != CODE_VALUE_STRING) return false;
		code_value_set(&walk->current, &owner);
		code_state_extend(walk, code_value_text(&call->first));
		return true;
	}
	return false;
}

static bool is_write_mode(const struct code_value *mode) {
	struct slice text = code_value_text(mode);
	if (mode->kind == CODE_VALUE_NONE) return false;
	if (mode->kind != CODE_VALUE_STRING) return true;
	for (size_t i = 0; i < text.length; i++)
		if (strchr("wax+cn", text.bytes[i])) return true;
	return false;
}

/* What opens files, and where its mode stands. */
static void judge_open(struct code_walk *walk, const struct code_frame *call) {
	static const char *const openers[] = {"open", "io.open", "codecs.open", "gzip.open", "bz2.open",
		"lzma.open", "tarfile.open", "zipfile.ZipFile", "aiofiles.open", "os.fdopen", "tokenize.open",
		"gzip.GzipFile", "bz2.BZ2File", "lzma.LZMAFile", "wave.open", "io.FileIO", "h5py.File", "dbm.open",
		"shelve.open", "fsspec.open", "smart_open.open"};
	struct slice base, path = code_value_text(&call->callee);
	bool is_opener = false;
	for (size_t i = 0; i < COUNT_OF(openers); i++) is_opener |= code_value_is(&call->callee, openers[i]);
	const struct code_value *mode = call->mode.kind != CODE_VALUE_NONE ? &call->mode : &call->second;
	if (!is_opener && code_value_without(&call->callee, "open", &base)) { /* Path("x").open("w") */
		is_opener = true;
		if (mode == &call->second) mode = &call->first;
	}
	if (is_opener && is_write_mode(mode)) code_judge_write(walk->judge, path);
}

/* Path.replace(target) and .rename(target) move a file; str.replace(old, new) and rename(columns=...) of
 * a table do not. */
static void judge_move(struct code_walk *walk, const struct code_frame *call) {
	struct slice base;
	if (call->count != 1) return;
	if (code_value_without(&call->callee, "replace", &base)) code_judge_write(walk->judge, SLICE(".replace("));
	if (code_value_without(&call->callee, "rename", &base)) code_judge_write(walk->judge, SLICE(".rename("));
}

/* cursor.execute("DELETE ...") */
static void judge_statement(struct code_walk *walk, const struct code_frame *call) {
	static const char *const writes[] = {"insert", "update", "delete", "drop", "create", "alter", "replace",
		"truncate", "grant", "attach", "vacuum", "merge"};
	struct slice base, text = slice_trim(code_value_text(&call->first));
	bool is_statement = code_value_without(&call->callee, "execute", &base) ||
		code_value_without(&call->callee, "executemany", &base);
	if (!is_statement || call->first.kind == CODE_VALUE_PATH) return;
	while (text.length && strchr(" \t\r\n", text.bytes[0]))
		text = slice_make(text.bytes + 1, text.length - 1);
	for (size_t i = 0; i < COUNT_OF(writes); i++) {
		size_t length = strlen(writes[i]);
		if (text.length < length) continue;
		if (slice_equal_ignoring_case(slice_make(text.bytes, length), slice_of(writes[i])))
			code_judge_write(walk->judge, slice_of(writes[i]));
	}
}

/* timeit.timeit("...") runs its string. */
static void hand_over(struct code_walk *walk, const struct code_frame *call) {
	static const char *const runners[] = {
		"timeit.timeit", "timeit.repeat", "timeit.Timer", "timeit", "exec", "eval"};
	const struct code_token *token = &walk->tokens->items[call->opened + 1];
	if (walk->judge->is_silent || token->type != CODE_STRING) return;
	for (size_t i = 0; i < COUNT_OF(runners); i++)
		if (code_value_is(&call->callee, runners[i])) walk->nested(walk->context, token->text);
}

static bool read_called(struct code_walk *walk, const struct code_frame *call) {
	const struct code_value *callee = &call->callee;
	if (callee->kind != CODE_VALUE_PATH) return false;
	if (code_value_is(callee, "__import__")) return import_by_call(walk, call, "__import__(", true);
	if (code_value_is(callee, "importlib.import_module") || code_value_is(callee, "importlib.__import__"))
		return import_by_call(walk, call, "importlib.import_module(", false);
	if (code_value_is(callee, "getattr")) return get_attribute(walk, call);
	bool is_names = code_value_is(callee, "vars") || code_value_is(callee, "globals") ||
		code_value_is(callee, "locals");
	if (is_names) {
		walk->current = code_value_path(SLICE("@scope"));
		if (call->count) code_value_set(&walk->current, &call->first);
		return true;
	}
	if (get_member(walk, call)) return true;
	hand_over(walk, call);
	judge_open(walk, call);
	judge_move(walk, call);
	judge_statement(walk, call);
	return false;
}

static const struct code_grammar grammar = {
	.language = CODE_PYTHON,
	.keywords = keywords,
	.keyword = read_keyword,
	.called = read_called,
	.named = read_unbound,
	.extended = read_extended,
};

/* ---- The whole ---- */

static bool is_keyword(struct slice name) {
	static const char *const soft[] = {"match", "case", "type", "exec", "print"};
	for (const char *const *word = keywords; *word; word++)
		if (slice_is(name, *word)) return true;
	for (size_t i = 0; i < COUNT_OF(soft); i++)
		if (slice_is(name, soft[i])) return true;
	return false;
}

/* Two names side by side, or two slashes with nothing to divide: no Python has them. */
static bool is_other_language(const struct code_tokens *tokens) {
	for (size_t i = 0; i + 1 < tokens->count; i++) {
		const struct code_token *token = &tokens->items[i];
		bool is_pair = token->type == CODE_NAME && token[1].type == CODE_NAME;
		if (is_pair && !is_keyword(token->text) && !is_keyword(token[1].text)) return true;
		bool is_begin = i == 0 || token[-1].type == CODE_LINE;
		if (is_begin && token->type == CODE_MARK && slice_is(token->text, "//")) return true;
		if (is_begin && code_token_is(token, '/')) return true;
	}
	return false;
}

static bool judge_tokens(struct code_judge *judge, struct code_tokens *tokens, struct arena *arena,
	code_nested *nested, void *context) {
	AUTO_TEXT struct text text = {0};
	struct code_walk *walk = code_walk_open(&grammar, tokens, judge, arena);
	if (!walk) return false;
	text_init(&text, 0);
	walk->nested = nested;
	walk->context = context;
	code_walk_run(walk);
	bool is_fine = !walk->is_out_of_memory;
	code_walk_close(walk);
	code_token_write(tokens, &text);
	if (text_failed(&text)) return false;
	code_judge_text(judge, text_slice(&text), tokens->code);
	return is_fine;
}

bool code_python_check(
	struct code_judge *judge, struct slice code, struct arena *arena, code_nested *nested, void *context) {
	struct code_tokens tokens;
	code_token_init(&tokens, code, arena);
	code_token_python(&tokens);
	if (judge->is_guessed && is_other_language(&tokens)) code_token_trouble(&tokens, "it is not Python", 0);
	if (tokens.trouble)
		code_report_say(judge->report, "Unreadable code: %s, at line %zu", tokens.trouble,
			code_token_line(code, tokens.trouble_at));
	if (tokens.is_deceptive) code_judge_pattern(judge, "a source encoding other than UTF-8");
	bool is_fine = !tokens.is_out_of_memory && judge_tokens(judge, &tokens, arena, nested, context);
	code_token_finish(&tokens);
	return is_fine;
}
