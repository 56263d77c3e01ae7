/* SPDX-License-Identifier: Apache-2.0 */
/* Code walk: one function a kind of token. */
#include "validate/code_walk.h"

static struct code_frame *top(struct code_walk *walk) { return &walk->frames[walk->depth]; }

struct code_walk *code_walk_open(const struct code_grammar *grammar, const struct code_tokens *tokens,
	struct code_judge *judge, struct arena *arena) {
	struct code_walk *walk = arena_zero(arena, sizeof *walk);
	if (!walk) return NULL;
	walk->grammar = grammar;
	walk->tokens = tokens;
	walk->judge = judge;
	walk->arena = arena;
	map_init(&walk->names);
	return walk;
}

void code_walk_close(struct code_walk *walk) { map_finish(&walk->names); }

/* ---- Operands and statements ---- */

void code_walk_end_operand(struct code_walk *walk) {
	struct code_frame *frame = top(walk);
	if (frame->has_left) {
		code_value_join(&frame->left, &walk->current);
		code_value_set(&walk->current, &frame->left);
		frame->has_left = false;
		if (walk->current.kind == CODE_VALUE_STRING)
			code_judge_string(walk->judge, code_value_text(&walk->current));
	}
	walk->is_dotted = false;
}

/* { a, b: c } of a pattern before an equals sign. */
static void bind_pattern(struct code_walk *walk, size_t open, const struct code_value *value) {
	size_t at = open + 1, deep = 0;
	for (; at < walk->tokens->count && at < open + 256; at++) {
		const struct code_token *token = &walk->tokens->items[at];
		if (code_token_is(token, '{') || code_token_is(token, '[') || code_token_is(token, '(')) deep++;
		if (code_token_is(token, '}') && deep == 0) return;
		if (code_token_is(token, '}') || code_token_is(token, ']') || code_token_is(token, ')')) deep--;
		bool is_name = token->type == CODE_NAME || token->type == CODE_STRING;
		if (!is_name || deep || !(code_token_is(token - 1, '{') || code_token_is(token - 1, ','))) continue;
		bool is_renamed = code_token_is(token + 1, ':') && token[2].type == CODE_NAME;
		struct code_value member;
		code_value_set(&member, value);
		if (!code_value_is(value, "@scope")) code_value_extend(&member, token->text);
		else member = code_value_path(token->text);
		code_judge_path(walk->judge, code_value_text(&member), CODE_USED);
		code_state_bind(walk, is_renamed ? token[2].text : token->text, &member);
	}
}

static void bind_targets(struct code_walk *walk, struct code_frame *frame) {
	if (frame->pattern && walk->current.kind == CODE_VALUE_PATH)
		bind_pattern(walk, frame->pattern, &walk->current);
	for (size_t i = 0; i < frame->target_count && !frame->is_tuple; i++)
		code_state_bind(walk, frame->targets[i], &walk->current);
	if (frame->is_tuple && frame->count < frame->target_count)
		code_state_bind(walk, frame->targets[frame->count], &walk->current);
}

static void forget_targets(struct code_frame *frame) {
	frame->pending_count = frame->target_count = 0;
	frame->is_tuple = false;
	frame->pattern = 0;
	frame->annotated = SLICE_NONE;
}

void code_walk_end_statement(struct code_walk *walk) {
	struct code_frame *frame = top(walk);
	code_walk_end_operand(walk);
	bind_targets(walk, frame);
	if (frame->target_count == 0 && !frame->pattern) code_state_loosen(walk);
	forget_targets(frame);
	frame->count = 0;
	walk->current = code_value_none();
	walk->bare = SLICE_NONE;
}

/* An operator that is no plus: what stood before it is done with. */
static void end_at_operator(struct code_walk *walk) {
	code_walk_end_operand(walk);
	walk->current = code_value_none();
	walk->bare = SLICE_NONE;
}

/* Those of one argument or element: (y := os). */
static void end_targets(struct code_walk *walk) {
	struct code_frame *frame = top(walk);
	code_walk_end_operand(walk);
	bind_targets(walk, frame);
	forget_targets(frame);
}

static void end_argument(struct code_walk *walk) {
	struct code_frame *frame = top(walk);
	code_walk_end_operand(walk);
	if (walk->current.kind == CODE_VALUE_NONE) return;
	bool is_subscript = frame->open == '[' && frame->is_behind;
	bool is_grouped = frame->open == '(' && !frame->is_behind;
	if (frame->open && !is_subscript && !is_grouped) code_state_loosen(walk);
	if (frame->keyword.length) {
		bool is_mode = slice_is(frame->keyword, "mode") || slice_is(frame->keyword, "flag");
		if (is_mode) code_value_set(&frame->mode, &walk->current);
		frame->keyword = SLICE_NONE;
	} else {
		if (frame->count < 2) code_value_set(frame->count ? &frame->second : &frame->first, &walk->current);
		code_value_set(&frame->last, &walk->current);
		frame->count++;
	}
	walk->current = code_value_none();
}

/* ---- Brackets ---- */

static void open_bracket(struct code_walk *walk, uint8_t mark) {
	bool is_behind = walk->current.kind != CODE_VALUE_NONE && mark != '{';
	if (walk->depth == CODE_NESTING) return; /* the tokenizer has refused it */
	struct code_frame *frame = &walk->frames[++walk->depth];
	frame->open = mark;
	frame->is_behind = is_behind;
	frame->has_left = false;
	frame->opened = (uint32_t)walk->at;
	frame->count = 0;
	frame->keyword = SLICE_NONE;
	frame->first = frame->second = frame->last = frame->mode = code_value_none();
	code_value_set(&frame->callee, &walk->current);
	forget_targets(frame);
	walk->current = code_value_none();
	walk->bare = SLICE_NONE;
}

static void subscribe(struct code_walk *walk, const struct code_frame *frame) {
	code_value_set(&walk->current, &frame->callee);
	if (frame->count == 1 && frame->first.kind == CODE_VALUE_STRING) {
		code_state_extend(walk, code_value_text(&frame->first));
		return;
	}
	bool is_scope = code_value_is(&frame->callee, "@scope");
	bool is_text = frame->callee.kind == CODE_VALUE_STRING || frame->callee.kind == CODE_VALUE_BEGUN;
	bool is_plain = frame->first.kind == CODE_VALUE_OTHER && !frame->first.is_computed;
	if (is_scope || (!is_plain && frame->first.kind != CODE_VALUE_NONE && code_state_knows(walk, &frame->callee)))
		code_judge_pattern(walk->judge,
			is_scope ? "a name of the global scope that is not constant"
				 : "a member of a module that is not constant");
	walk->current = code_value_other(is_text || frame->callee.is_computed || frame->first.is_computed);
}

static void end_call(struct code_walk *walk, const struct code_frame *frame) {
	static const char *const makers[] = {"join", "decode", "format", "replace", "translate", "fromhex",
		"b64decode", "unhexlify", "lower", "upper", "strip", "reverse", "fromCharCode", "fromCodePoint",
		"concat", "toString", "slice", "substring", "substr", "split", "map", "from", "toLowerCase",
		"toUpperCase", "repeat", "casefold", "swapcase", "removeprefix", "removesuffix", "format_map"};
	struct slice base;
	if (walk->grammar->called(walk, frame)) return;
	bool is_computed = code_value_is(&frame->callee, "chr") || code_value_is(&frame->callee, "atob") ||
		code_value_is(&frame->callee, "reversed") || code_value_is(&frame->callee, "unescape") ||
		code_value_is(&frame->callee, "decodeURIComponent");
	for (size_t i = 0; i < COUNT_OF(makers) && !is_computed; i++)
		is_computed = code_value_without(&frame->callee, makers[i], &base);
	walk->current = code_value_other(is_computed);
}

static void close_bracket(struct code_walk *walk, uint8_t mark) {
	struct code_frame *frame = top(walk);
	if (walk->depth == 0) {
		end_at_operator(walk);
		return;
	}
	end_targets(walk);
	end_argument(walk);
	if (frame->count > 1) code_state_loosen_value(walk, &frame->last);
	walk->depth--;
	walk->bare = SLICE_NONE;
	if (frame->is_behind && frame->open == '(') {
		end_call(walk, frame);
	} else if (frame->is_behind) {
		subscribe(walk, frame);
	} else if (mark == ')' && frame->count > 0) {
		bool is_one = frame->count == 1 || walk->grammar->language == CODE_JAVASCRIPT;
		if (is_one) code_value_set(&walk->current, &frame->last);
		else walk->current = code_value_other(false);
	} else {
		walk->current = code_value_other(false);
	}
}

/* ---- Marks ---- */

static void read_comma(struct code_walk *walk) {
	struct code_frame *frame = top(walk);
	bool is_declared = walk->grammar->language == CODE_JAVASCRIPT &&
		(frame->target_count || frame->pattern);
	if (is_declared && frame->open != '(') {
		code_walk_end_statement(walk);
		return;
	}
	if (frame->open == '(') end_targets(walk);
	if (frame->open == '(' && !frame->is_behind) code_state_loosen_value(walk, &walk->current);
	bool is_pending = !frame->target_count && frame->pending_count < CODE_WALK_TARGETS - 1;
	if (is_pending) frame->pending[frame->pending_count++] = walk->bare;
	if (frame->target_count) {
		code_walk_end_operand(walk);
		bind_targets(walk, frame);
		frame->count++;
		walk->current = code_value_none();
	} else {
		end_argument(walk);
	}
	walk->bare = SLICE_NONE;
}

static void read_equals(struct code_walk *walk) {
	struct code_frame *frame = top(walk);
	const struct code_token *before = code_state_token(walk, -1);
	bool is_keyword = walk->grammar->language == CODE_PYTHON && frame->open == '(' && frame->is_behind;
	bool is_walrus = code_state_token(walk, 0)->text.length == 2;
	struct slice name = walk->bare, annotated = frame->annotated;
	code_walk_end_operand(walk);
	if (is_keyword && !is_walrus) {
		frame->keyword = name.length ? name : SLICE("?");
	} else if (walk->grammar->language == CODE_JAVASCRIPT && code_token_is(before, '}')) {
		frame->pattern = walk->frames[walk->depth + (walk->depth < CODE_NESTING)].opened;
	} else if (frame->pending_count) {
		frame->pending[frame->pending_count++] = name;
		memcpy(frame->targets, frame->pending, sizeof frame->targets);
		frame->target_count = frame->pending_count;
		frame->is_tuple = true;
		frame->count = 0;
	} else if (name.length && frame->target_count < CODE_WALK_TARGETS) {
		frame->targets[frame->target_count++] = name;
	}
	/* "x: T = value", unless it was "if x: T = value" */
	if (annotated.length && !frame->is_tuple && frame->target_count < CODE_WALK_TARGETS)
		frame->targets[frame->target_count++] = annotated;
	frame->pending_count = 0;
	frame->annotated = SLICE_NONE;
	walk->current = code_value_none();
	walk->bare = SLICE_NONE;
}

static void read_plus(struct code_walk *walk) {
	struct code_frame *frame = top(walk);
	code_walk_end_operand(walk);
	if (walk->current.kind != CODE_VALUE_NONE) {
		code_value_set(&frame->left, &walk->current);
		frame->has_left = true;
	}
	walk->current = code_value_none();
	walk->bare = SLICE_NONE;
}

static void read_colon(struct code_walk *walk) {
	struct code_frame *frame = top(walk);
	struct slice bare = walk->bare;
	if (frame->open == '\0' && walk->grammar->language == CODE_PYTHON && !bare.length) {
		code_walk_end_statement(walk);
		return;
	}
	end_at_operator(walk);
	frame->annotated = bare;
}

static void read_dot(struct code_walk *walk) {
	if (walk->current.kind == CODE_VALUE_NONE) return;
	if (walk->current.kind != CODE_VALUE_PATH) walk->current = code_value_path(SLICE("?"));
	walk->is_dotted = true;
	walk->bare = SLICE_NONE;
}

/* name += "...": it is no longer what it was. */
static void read_change(struct code_walk *walk) {
	struct code_value *had = walk->bare.length ? map_find(&walk->names, walk->bare) : NULL;
	struct code_value unknown = code_value_other(true);
	if (had && had->kind != CODE_VALUE_PATH) *had = unknown;
	else if (!had) code_state_bind(walk, walk->bare, &unknown);
	end_at_operator(walk);
}

static void read_percent(struct code_walk *walk) {
	struct code_frame *frame = top(walk);
	code_walk_end_operand(walk);
	frame->left = code_value_other(true);
	frame->has_left = true;
	walk->current = code_value_none();
}

static void read_mark(struct code_walk *walk, uint8_t mark) {
	switch (mark) {
	case '(':
	case '[':
	case '{': open_bracket(walk, mark); break;
	case ')':
	case ']':
	case '}': close_bracket(walk, mark); break;
	case '.': read_dot(walk); break;
	case ',': read_comma(walk); break;
	case '=': read_equals(walk); break;
	case '+': read_plus(walk); break;
	case '%': read_percent(walk); break;
	case ':': read_colon(walk); break;
	case ';': code_walk_end_statement(walk); break;
	case CODE_MARK_CHANGE: read_change(walk); break;
	default: end_at_operator(walk); break;
	}
}

/* ---- Operands ---- */

static bool is_keyword(const struct code_walk *walk, struct slice name) {
	for (const char *const *word = walk->grammar->keywords; *word; word++)
		if (slice_is(name, *word)) return true;
	return false;
}

/* { name: value } and class members of JavaScript are no values. */
static bool is_key(struct code_walk *walk) {
	const struct code_token *before = code_state_token(walk, -1);
	bool is_begin = code_token_is(before, '{') || code_token_is(before, ',');
	const struct code_token *next = code_state_token(walk, 1);
	bool is_followed = code_token_is(next, ':') ||
		(code_token_is(next, '?') && code_token_is(next + 1, ':'));
	return walk->grammar->language == CODE_JAVASCRIPT && top(walk)->open == '{' && is_begin && is_followed;
}

/* (callback: Function) */
static bool is_type(struct code_walk *walk) {
	const struct code_token *before = code_state_token(walk, -3);
	return walk->grammar->language == CODE_JAVASCRIPT && code_token_is(code_state_token(walk, -1), ':') &&
		code_state_token(walk, -2)->type == CODE_NAME &&
		(code_token_is(before, '(') || code_token_is(before, ',')) && top(walk)->open == '(';
}

static void read_name(struct code_walk *walk, struct slice name) {
	if (walk->is_dotted) {
		walk->is_dotted = false;
		code_state_extend(walk, name);
		return;
	}
	if (is_keyword(walk, name)) {
		walk->grammar->keyword(walk);
		return;
	}
	if (walk->current.kind != CODE_VALUE_NONE) code_walk_end_statement(walk);
	if (is_key(walk)) return;
	struct code_value *known = map_find(&walk->names, name);
	if (known) code_value_set(&walk->current, known);
	else walk->grammar->named(walk, name);
	walk->bare = name;
	walk->is_exempt |= is_type(walk);
	code_state_use(walk);
	walk->is_exempt = false;
}

static void read_string(struct code_walk *walk, const struct code_token *token) {
	struct code_value value = code_value_string(token->text);
	if (token->is_open_ended) {
		value.kind = CODE_VALUE_BEGUN;
		value.is_computed = true;
	}
	bool is_text = walk->current.kind == CODE_VALUE_STRING || walk->current.kind == CODE_VALUE_BEGUN;
	if (is_text && walk->grammar->language == CODE_PYTHON) {
		code_value_join(&walk->current, &value);
	} else if (walk->current.kind != CODE_VALUE_NONE && token->mark == CODE_MARK_TEMPLATE) {
		walk->current = code_value_other(false); /* a template's function was called */
	} else {
		if (walk->current.kind != CODE_VALUE_NONE) code_walk_end_statement(walk);
		code_value_set(&walk->current, &value);
	}
	walk->bare = SLICE_NONE;
	code_judge_string(
		walk->judge, value.kind == CODE_VALUE_STRING ? code_value_text(&walk->current) : token->text);
}

static void read_token(struct code_walk *walk) {
	const struct code_token *token = code_state_token(walk, 0);
	switch (token->type) {
	case CODE_NAME: read_name(walk, token->text); break;
	case CODE_STRING: read_string(walk, token); break;
	case CODE_NUMBER:
		if (walk->current.kind != CODE_VALUE_NONE) code_walk_end_statement(walk);
		walk->current = code_value_other(false);
		walk->bare = SLICE_NONE;
		break;
	case CODE_MARK: read_mark(walk, token->mark); break;
	default: code_walk_end_statement(walk); break;
	}
}

static void go_over(struct code_walk *walk) {
	walk->depth = 0;
	walk->frames[0] = (struct code_frame){0};
	walk->current = code_value_none();
	walk->bare = SLICE_NONE;
	walk->is_dotted = walk->is_exempt = false;
	for (walk->at = 0; walk->at < walk->tokens->count && !walk->is_out_of_memory; walk->at++)
		read_token(walk);
}

void code_walk_run(struct code_walk *walk) {
	bool was_silent = walk->judge->is_silent;
	walk->judge->is_silent = true;
	go_over(walk);
	if (walk->names.count > 0 || walk->loose_count > 0) go_over(walk);
	walk->judge->is_silent = was_silent;
	go_over(walk);
}
