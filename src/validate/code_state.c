/* SPDX-License-Identifier: Apache-2.0 */
/* Code state: names, what they stand for, and their judgement. */
#include "validate/code_state.h"

const struct code_token *code_state_token(const struct code_walk *walk, ptrdiff_t from_here) {
	static const struct code_token none = {.type = CODE_END};
	ptrdiff_t at = (ptrdiff_t)walk->at + from_here;
	return at >= 0 && (size_t)at < walk->tokens->count ? &walk->tokens->items[at] : &none;
}

bool code_state_knows(const struct code_walk *walk, const struct code_value *value) {
	return value->kind == CODE_VALUE_PATH && code_judge_knows(walk->judge, code_value_text(value));
}

/* Of two things that a name stands for the one that the rules know is kept; of two strings neither. */
static void rebind(struct code_walk *walk, struct code_value *had, const struct code_value *value) {
	bool is_text = had->kind != CODE_VALUE_PATH && value->kind != CODE_VALUE_PATH;
	bool is_same = had->kind == value->kind && slice_equal(code_value_text(had), code_value_text(value));
	if (is_same) return;
	if (is_text) *had = code_value_other(true);
	else if (!code_state_knows(walk, had)) code_value_set(had, value);
}

void code_state_bind(struct code_walk *walk, struct slice name, const struct code_value *value) {
	bool is_worth = value->kind == CODE_VALUE_PATH || value->kind == CODE_VALUE_STRING ||
		value->is_computed;
	bool is_own = value->kind == CODE_VALUE_PATH && slice_equal(code_value_text(value), name);
	if (!is_worth || is_own || name.length == 0 || name.length > CODE_VALUE_TEXT) return;
	if (value->kind == CODE_VALUE_PATH && slice_starts_with(code_value_text(value), "?")) return;
	struct code_value *had = map_find(&walk->names, name);
	if (had) {
		rebind(walk, had, value);
		return;
	}
	struct code_value *copy = arena_alloc(walk->arena, sizeof *copy);
	if (copy) code_value_set(copy, value);
	if (!copy || !map_add(&walk->names, name, copy, NULL)) walk->is_out_of_memory = true;
}

void code_state_loosen_value(struct code_walk *walk, const struct code_value *value) {
	if (!code_state_knows(walk, value)) return;
	for (size_t i = 0; i < walk->loose_count; i++)
		if (slice_equal(code_value_text(&walk->loose[i]), code_value_text(value))) return;
	if (walk->loose_count < CODE_WALK_LOOSE) code_value_set(&walk->loose[walk->loose_count++], value);
}

void code_state_loosen(struct code_walk *walk) {
	code_state_loosen_value(walk, &walk->current);
	if (walk->grammar->loosened) walk->grammar->loosened(walk);
}

static void judge_loose(struct code_walk *walk, enum code_use use) {
	struct slice path = code_value_text(&walk->current);
	const char *dot = memchr(path.bytes, '.', path.length);
	if (!dot) return;
	struct slice rest = slice_make(dot + 1, path.length - (size_t)(dot + 1 - path.bytes));
	struct slice root = slice_make(path.bytes, (size_t)(dot - path.bytes));
	if (map_find(&walk->names, root) || memchr(rest.bytes, '.', rest.length)) return;
	for (size_t i = 0; i < walk->loose_count; i++) {
		struct code_value value;
		code_value_set(&value, &walk->loose[i]);
		code_value_extend(&value, rest);
		code_judge_path(walk->judge, code_value_text(&value), use);
	}
}

/* "eval.call(": what is meant is the path before it. */
static void judge_through(struct code_walk *walk) {
	static const char *const names[] = {"call", "apply", "bind", "__call__"};
	struct slice base;
	for (size_t i = 0; i < COUNT_OF(names); i++)
		if (code_value_without(&walk->current, names[i], &base))
			code_judge_path(walk->judge, base, CODE_CALLED);
}

static enum code_use use_here(const struct code_walk *walk) {
	const struct code_token *next = code_state_token(walk, 1);
	bool is_template = next->type == CODE_STRING && next->mark == CODE_MARK_TEMPLATE;
	if (is_template || code_token_is(next, '(')) return CODE_CALLED;
	if (code_token_is(next, '.') || code_token_is(next, '[')) return CODE_EXTENDED;
	return code_token_is(next, '=') ? CODE_ASSIGNED : CODE_USED;
}

void code_state_use(struct code_walk *walk) {
	enum code_use use = use_here(walk);
	if (walk->current.kind != CODE_VALUE_PATH || walk->current.length == 0) return;
	if (walk->is_exempt && use == CODE_USED) return;
	code_judge_path(walk->judge, code_value_text(&walk->current), use);
	if (walk->loose_count) judge_loose(walk, use);
	if (use == CODE_CALLED) judge_through(walk);
}

void code_state_extend(struct code_walk *walk, struct slice name) {
	if (walk->current.kind == CODE_VALUE_PATH && walk->grammar->extended(walk, name)) return;
	code_value_extend(&walk->current, name);
	code_state_use(walk);
}
