/* SPDX-License-Identifier: Apache-2.0 */
/* Code JavaScript: the grammar of code_walk.h for modules of both kinds, and calls whose outcome is known. */
#include "validate/code_javascript.h"

#include "validate/code_token_javascript.h"
#include "validate/code_walk.h"

#define STATEMENT 1024 /* tokens of an import statement */

static const char *const keywords[] = {"async", "await", "break", "case", "catch", "class", "const",
	"continue", "debugger", "default", "delete", "do", "else", "export", "extends", "finally", "for",
	"function", "if", "import", "in", "instanceof", "let", "new", "of", "return", "static", "switch",
	"throw", "try", "typeof", "var", "void", "while", "with", "yield", "declare", "enum", "interface",
	"namespace", NULL};

/* ---- Modules ---- */

/* "node:fs/promises" as the path "fs.promises". */
static struct code_value module_path(const struct code_judge *judge, struct slice name) {
	struct code_value path = code_value_path(code_judge_module(judge, name));
	for (size_t i = 0; i < path.length; i++)
		if (path.text[i] == '/') path.text[i] = '.';
	if (code_value_is(&path, "fs.promises") || code_value_is(&path, "fs-extra"))
		path = code_value_path(SLICE("fs"));
	return path;
}

static void bind_member(struct code_walk *walk, const struct code_value *module,
	const struct code_token *name, struct slice alias) {
	struct code_value member;
	code_value_set(&member, module);
	if (!slice_is(name->text, "default")) {
		code_value_extend(&member, name->text);
		code_judge_path(walk->judge, code_value_text(&member), CODE_USED);
	}
	code_state_bind(walk, alias.length ? alias : name->text, &member);
}

/* The names between `import` and `from`: a default, { a as b }, * as c. */
static void bind_clause(struct code_walk *walk, size_t from, size_t to, const struct code_value *module) {
	bool is_inside = false;
	for (size_t at = from; at < to; at++) {
		const struct code_token *token = &walk->tokens->items[at];
		if (code_token_is(token, '{')) is_inside = true;
		bool is_all = code_token_is(token, '*');
		bool is_renamed = at + 2 < to && code_token_is_name(token + 1, "as") && token[2].type == CODE_NAME;
		if (is_all && is_renamed) code_state_bind(walk, token[2].text, module);
		bool is_name = (token->type == CODE_NAME || token->type == CODE_STRING) &&
			!(code_token_is_name(token, "type") && token[1].type == CODE_NAME);
		if (is_name && is_inside) bind_member(walk, module, token, is_renamed ? token[2].text : SLICE_NONE);
		else if (is_name) code_state_bind(walk, token->text, module);
		if (is_renamed) at += 2;
	}
}

/* At `import` or `export`: moves on to the module's name, when there is one. */
static void read_statement(struct code_walk *walk) {
	size_t from = walk->at + 1;
	bool is_import = code_token_is_name(code_state_token(walk, 0), "import");
	for (size_t at = from; at < walk->tokens->count && at < from + STATEMENT; at++) {
		const struct code_token *token = &walk->tokens->items[at];
		bool is_source = token->type == CODE_STRING &&
			(code_token_is_name(token - 1, "from") || (is_import && at == from));
		bool is_clause = token->type == CODE_NAME || token->type == CODE_STRING ||
			code_token_is(token, ',') || code_token_is(token, '{') || code_token_is(token, '}') ||
			code_token_is(token, '*');
		if (!is_clause) return;
		if (!is_source) continue;
		struct code_value module = module_path(walk->judge, token->text);
		code_judge_import(walk->judge, token->text);
		bind_clause(walk, from, at > from ? at - 1 : at, &module);
		walk->at = at;
		return;
	}
}

static void read_keyword(struct code_walk *walk) {
	const struct code_token *token = code_state_token(walk, 0), *next = code_state_token(walk, 1);
	bool is_definition = code_token_is_name(token, "function") || code_token_is_name(token, "class");
	bool is_looked_at = code_token_is_name(token, "typeof") || code_token_is_name(token, "instanceof");
	bool is_module = code_token_is_name(token, "import") || code_token_is_name(token, "export");
	bool is_operator = is_looked_at || code_token_is_name(token, "in") || code_token_is_name(token, "of");
	if (walk->current.kind != CODE_VALUE_NONE && !is_operator) code_walk_end_statement(walk);
	code_walk_end_operand(walk);
	walk->current = code_value_none();
	walk->bare = SLICE_NONE;
	walk->is_exempt = is_looked_at;
	if (is_definition && code_token_is(next, '*')) walk->at++;
	if (is_definition && code_state_token(walk, 1)->type == CODE_NAME) walk->at++;
	bool is_call = code_token_is(next, '(') || code_token_is(next, '.');
	if (code_token_is_name(token, "import") && is_call) walk->current = code_value_path(SLICE("import"));
	else if (is_module) read_statement(walk);
}

/* ---- Names ---- */

static bool is_scope_name(struct slice name) {
	static const char *const names[] = {
		"globalThis", "window", "global", "GLOBAL", "self", "root", "top", "frames"};
	for (size_t i = 0; i < COUNT_OF(names); i++)
		if (slice_is(name, names[i])) return true;
	return false;
}

static void read_unbound(struct code_walk *walk, struct slice name) {
	const struct code_token *next = code_state_token(walk, 1);
	bool is_reached = code_token_is(next, '.') || code_token_is(next, '[');
	bool is_global = slice_is(name, "globalThis") || slice_is(name, "window") || slice_is(name, "global");
	walk->current = code_value_path(name);
	if (is_scope_name(name) && (is_reached || is_global)) walk->current = code_value_path(SLICE("@scope"));
}

static bool read_extended(struct code_walk *walk, struct slice name) {
	if (!code_value_is(&walk->current, "@scope")) return false;
	if (is_scope_name(name)) return true;
	walk->current = code_value_path(name);
	code_state_use(walk);
	return true;
}

/* ---- Calls ---- */

static bool is_importer(const struct code_value *callee) {
	struct slice base;
	return code_value_is(callee, "require") || code_value_is(callee, "import") ||
		code_value_is(callee, "importScripts") || code_value_without(callee, "require", &base) ||
		code_value_without(callee, "getBuiltinModule", &base) || code_value_without(callee, "_load", &base);
}

/* A path to a file beside the code is no module of the runtime's. */
static bool is_file(const struct code_value *value) {
	struct slice begin = code_value_text(value);
	return value->kind == CODE_VALUE_BEGUN &&
		(slice_starts_with(begin, "./") || slice_starts_with(begin, "../") ||
			slice_starts_with(begin, "@/"));
}

static bool import_by_call(struct code_walk *walk, const struct code_frame *call) {
	bool is_import = code_value_is(&call->callee, "import");
	if (call->count == 0) { /* a function that may hand it out: load()("net") */
		code_value_set(&walk->current, &call->callee);
		return true;
	}
	if (call->first.kind == CODE_VALUE_STRING) {
		code_judge_import(walk->judge, code_value_text(&call->first));
		walk->current = module_path(walk->judge, code_value_text(&call->first));
		return true;
	}
	if (call->count && !is_file(&call->first))
		code_judge_dynamic(walk->judge, is_import ? "import(" : "require(");
	return false;
}

/* Reflect.get(x, "name") and its like are a subscript. */
static bool get_member(struct code_walk *walk, const struct code_frame *call) {
	bool is_getter = code_value_is(&call->callee, "Reflect.get") ||
		code_value_is(&call->callee, "Object.getOwnPropertyDescriptor") ||
		code_value_is(&call->callee, "Reflect.getOwnPropertyDescriptor");
	if (!is_getter || call->first.kind != CODE_VALUE_PATH) return false;
	if (call->second.kind != CODE_VALUE_STRING) {
		bool is_known = code_value_is(&call->first, "@scope") ||
			code_judge_knows(walk->judge, code_value_text(&call->first));
		if (is_known) code_judge_pattern(walk->judge, "a member of a module that is not constant");
		return false;
	}
	code_value_set(&walk->current, &call->first);
	code_state_extend(walk, code_value_text(&call->second));
	return true;
}

static bool is_text(const struct code_value *value) {
	return value->kind == CODE_VALUE_STRING || value->kind == CODE_VALUE_BEGUN;
}

/* setTimeout("code"), x.constructor("code"). */
static void judge_code_argument(struct code_walk *walk, const struct code_frame *call) {
	static const char *const timers[] = {"setTimeout", "setInterval", "setImmediate"};
	struct slice base;
	bool is_constructor = code_value_without(&call->callee, "constructor", &base);
	if (is_constructor && (is_text(&call->first) || is_text(&call->last) || call->last.is_computed))
		code_judge_pattern(walk->judge, ".constructor(");
	for (size_t i = 0; i < COUNT_OF(timers); i++)
		if (code_value_is(&call->callee, timers[i]) && (is_text(&call->first) || call->first.is_computed))
			code_judge_pattern(walk->judge, timers[i]);
}

static void judge_open(struct code_walk *walk, const struct code_frame *call) {
	struct slice base, mode = code_value_text(&call->second);
	bool is_open = code_value_without(&call->callee, "open", &base) ||
		code_value_without(&call->callee, "openSync", &base);
	if (!is_open || !slice_starts_with(base, "fs") || call->second.kind == CODE_VALUE_NONE) return;
	bool is_writing = call->second.kind != CODE_VALUE_STRING;
	for (size_t i = 0; i < mode.length; i++) is_writing |= strchr("wax+", mode.bytes[i]) != NULL;
	if (is_writing) code_judge_write(walk->judge, code_value_text(&call->callee));
}

/* fetch(url, { method }) may send anything. */
static void judge_fetch(struct code_walk *walk, const struct code_frame *call) {
	bool is_fetch = code_value_is(&call->callee, "fetch") || code_value_is(&call->callee, "http.request") ||
		code_value_is(&call->callee, "https.request");
	if (is_fetch && call->count > 1) code_judge_write(walk->judge, SLICE("fetch("));
}

static bool read_called(struct code_walk *walk, const struct code_frame *call) {
	struct slice base;
	if (call->callee.kind != CODE_VALUE_PATH) return false;
	if (is_importer(&call->callee)) return import_by_call(walk, call);
	if (code_value_is(&call->callee, "createRequire") ||
		code_value_without(&call->callee, "createRequire", &base)) {
		walk->current = code_value_path(SLICE("require"));
		return true;
	}
	if (code_value_without(&call->callee, "bind", &base)) {
		walk->current = code_value_path(base);
		return true;
	}
	if (get_member(walk, call)) return true;
	judge_code_argument(walk, call);
	judge_open(walk, call);
	judge_fetch(walk, call);
	return false;
}

/* Who gets `require` may call it under any name. */
static void read_loosened(struct code_walk *walk) {
	if (code_value_is(&walk->current, "require")) code_judge_dynamic(walk->judge, "require(");
}

static const struct code_grammar grammar = {
	.language = CODE_JAVASCRIPT,
	.keywords = keywords,
	.keyword = read_keyword,
	.called = read_called,
	.named = read_unbound,
	.extended = read_extended,
	.loosened = read_loosened,
};

/* ---- The whole ---- */

static bool judge_tokens(struct code_judge *judge, struct code_tokens *tokens, struct arena *arena) {
	AUTO_TEXT struct text text = {0};
	struct code_walk *walk = code_walk_open(&grammar, tokens, judge, arena);
	if (!walk) return false;
	text_init(&text, 0);
	code_walk_run(walk);
	bool is_fine = !walk->is_out_of_memory;
	code_walk_close(walk);
	code_token_write(tokens, &text);
	if (text_failed(&text)) return false;
	code_judge_text(judge, text_slice(&text), tokens->code);
	return is_fine;
}

bool code_javascript_check(struct code_judge *judge, struct slice code, struct arena *arena) {
	struct code_tokens tokens;
	code_token_init(&tokens, code, arena);
	code_token_javascript(&tokens);
	if (tokens.trouble)
		code_report_say(judge->report, "Unreadable code: %s, at line %zu", tokens.trouble,
			code_token_line(code, tokens.trouble_at));
	bool is_fine = !tokens.is_out_of_memory && judge_tokens(judge, &tokens, arena);
	code_token_finish(&tokens);
	return is_fine;
}
