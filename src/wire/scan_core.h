/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Scan core: the checking pass itself, as one inlined function, so that each reader (scan_check,
 * scan_object, the envelope) gets a pass of its own with its callback built in. Private to wire.
 *
 * Where the pass stands is four words (struct scan_state); the containers it is inside of are one
 * bit each. Failures are written to struct scan_trouble by functions that are never inlined.
 */
#ifndef HUSTINGS_WIRE_SCAN_CORE_H
#define HUSTINGS_WIRE_SCAN_CORE_H

#include "wire/scan_run.h"
#include "wire/scan_value.h"

#define SCAN_INLINE static inline __attribute__((always_inline))
#define SCAN_LEVELS 2 /* how deep members are reported */

struct scan_trouble {
	enum scan_error error;
	const char *at;
	const char *what;
};

/* Where something ended; at NULL: it failed. Two words, so it comes back in registers. */
struct scan_stop {
	const char *at;
	size_t is_escaped;
};

/* A member whose value is being read. */
struct scan_name {
	struct slice key;
	const char *value; /* where it begins */
	bool is_escaped;
};

/* The inlined form of scan_seen: names[level - 1] is the member's, the value comes in registers. */
typedef bool scan_core_seen(void *context, unsigned level, const struct scan_name *names,
	struct scan_value value);

struct scan_state {
	const char *at;
	const char *end;
	uint64_t objects; /* bit n: the container n levels further out is an object */
	unsigned depth;
};

enum scan_step {
	SCAN_STEP_FAILED,
	SCAN_STEP_WHOLE,  /* a value has just ended */
	SCAN_STEP_INSIDE, /* a member or an element must follow */
};

/* Notes the failure; false, so that it can be returned. */
bool scan_core_fail(struct scan_trouble *trouble, enum scan_error error, const char *at,
	const char *what) __attribute__((cold));
/* From inside a string to behind its closing quote. */
struct scan_stop scan_core_string_rest(const char *at, const char *end,
	struct scan_trouble *trouble);
const char *scan_core_number(const char *at, const char *end, struct scan_trouble *trouble);
const char *scan_core_word(const char *at, const char *end, enum scan_type *type,
	struct scan_trouble *trouble);

SCAN_INLINE struct scan_stop scan_core_string(const char *at, const char *end,
	struct scan_trouble *trouble) {
#ifdef SCAN_RUN_WIDE
	if (__builtin_expect(end - at >= SCAN_RUN_WIDE, 1)) {
		unsigned quotes = scan_run_quotes(at);
		unsigned odd = scan_run_odd(at);
		/* Nothing to look at before the first quote. */
		if (__builtin_expect(quotes && !(odd & (quotes ^ (quotes - 1))), 1))
			return (struct scan_stop){at + __builtin_ctz(quotes) + 1, 0};
	}
#endif
	return scan_core_string_rest(at, end, trouble);
}

SCAN_INLINE void scan_core_blanks(struct scan_state *state) {
	if (__builtin_expect(state->at < state->end && (unsigned char)*state->at <= ' ', 0))
		state->at = scan_run_blanks(state->at, state->end);
}

SCAN_INLINE void scan_core_leave(struct scan_state *state, struct scan_value *value) {
	value->type = (state->objects & 1) ? SCAN_OBJECT : SCAN_ARRAY;
	value->escaped = false;
	state->objects >>= 1;
	state->depth--;
	state->at++;
}

SCAN_INLINE enum scan_step scan_core_enter(struct scan_state *state, struct scan_value *value,
	unsigned limit, struct scan_trouble *trouble) {
	bool is_object = *state->at == '{';
	if (__builtin_expect(state->depth >= limit, 0)) {
		scan_core_fail(trouble, SCAN_DEEP, state->at, "too many levels of arrays and objects");
		return SCAN_STEP_FAILED;
	}
	state->objects = state->objects << 1 | is_object;
	state->depth++;
	state->at++;
	scan_core_blanks(state);
	if (state->at == state->end || *state->at != (is_object ? '}' : ']')) return SCAN_STEP_INSIDE;
	scan_core_leave(state, value);
	return SCAN_STEP_WHOLE;
}

/* A scalar as a whole, or a container's beginning (and its end when it is empty). */
SCAN_INLINE enum scan_step scan_core_value(struct scan_state *state, struct scan_value *value,
	unsigned limit, struct scan_trouble *trouble) {
	if (__builtin_expect(state->at == state->end, 0)) {
		scan_core_fail(trouble, SCAN_SYNTAX, state->at, "the text ends where a value is due");
		return SCAN_STEP_FAILED;
	}
	char first = *state->at;
	value->escaped = false;
	if (first == '"') {
		struct scan_stop stop = scan_core_string(state->at + 1, state->end, trouble);
		value->type = SCAN_STRING;
		value->escaped = stop.is_escaped;
		state->at = stop.at;
	} else if (first == '{' || first == '[') {
		return scan_core_enter(state, value, limit, trouble);
	} else if (first == '-' || scan_is(first, SCAN_CLASS_DIGIT)) {
		value->type = SCAN_NUMBER;
		state->at = scan_core_number(state->at, state->end, trouble);
	} else {
		state->at = scan_core_word(state->at, state->end, &value->type, trouble);
	}
	return state->at ? SCAN_STEP_WHOLE : SCAN_STEP_FAILED;
}

/* Behind a value inside a container: a comma, or the container's end. */
SCAN_INLINE enum scan_step scan_core_next(struct scan_state *state, struct scan_value *value,
	struct scan_trouble *trouble) {
	bool is_object = state->objects & 1;
	scan_core_blanks(state);
	if (state->at < state->end) {
		if (*state->at == ',') {
			state->at++;
			scan_core_blanks(state);
			return SCAN_STEP_INSIDE;
		}
		if (*state->at == (is_object ? '}' : ']')) {
			scan_core_leave(state, value);
			return SCAN_STEP_WHOLE;
		}
	}
	scan_core_fail(trouble, SCAN_SYNTAX, state->at,
		is_object ? "a comma or } is due" : "a comma or ] is due");
	return SCAN_STEP_FAILED;
}

/* A member's key, its colon and the blanks around that; the key is without quotes. */
SCAN_INLINE bool scan_core_key(struct scan_state *state, struct scan_name *name,
	struct scan_trouble *trouble) {
	if (__builtin_expect(state->at == state->end || *state->at != '"', 0))
		return scan_core_fail(trouble, SCAN_SYNTAX, state->at, "a key in quotes is due");
	const char *start = state->at + 1;
	struct scan_stop stop = scan_core_string(start, state->end, trouble);
	if (__builtin_expect(!stop.at, 0)) return false;

	name->key.bytes = start;
	name->key.length = (size_t)(stop.at - 1 - start);
	name->is_escaped = stop.is_escaped;
	state->at = stop.at;
	scan_core_blanks(state);
	if (__builtin_expect(state->at == state->end || *state->at != ':', 0))
		return scan_core_fail(trouble, SCAN_SYNTAX, state->at, "a colon is due behind a key");
	state->at++;
	scan_core_blanks(state);
	name->value = state->at;
	return true;
}

/* Behind a value: tells of it when it is a member of an object far enough out, and goes on to the
 * next one. WHOLE: it was the root. */
SCAN_INLINE enum scan_step scan_core_behind(struct scan_state *state, struct scan_value *value,
	const struct scan_name names[SCAN_LEVELS], scan_core_seen *seen, void *context,
	struct scan_trouble *trouble) {
	enum scan_step step = SCAN_STEP_WHOLE;
	while (step == SCAN_STEP_WHOLE && state->depth) {
		if (seen && state->depth <= SCAN_LEVELS && (state->objects & 1)) {
			const char *start = names[state->depth - 1].value;
			value->text = (struct slice){start, (size_t)(state->at - start)};
			if (!seen(context, state->depth, names, *value)) {
				scan_core_fail(trouble, SCAN_MANY, state->at, "the reader has seen enough");
				return SCAN_STEP_FAILED;
			}
		}
		step = scan_core_next(state, value, trouble);
	}
	return step;
}

/* One value and nothing behind it but blanks. `seen` NULL: nobody listens; otherwise the root must
 * be an object. */
SCAN_INLINE bool scan_core_run(struct slice text, unsigned limit, struct scan_value *root,
	scan_core_seen *seen, void *context, struct scan_trouble *trouble) {
	struct scan_state state = {.at = text.bytes, .end = text.bytes + text.length};
	struct scan_name names[SCAN_LEVELS];
	struct scan_name lost;
	struct scan_value value;
	scan_core_blanks(&state);
	root->text.bytes = state.at;
	for (;;) {
		enum scan_step step = scan_core_value(&state, &value, limit, trouble);
		if (step == SCAN_STEP_WHOLE)
			step = scan_core_behind(&state, &value, names, seen, context, trouble);
		if (step == SCAN_STEP_FAILED) return false;
		if (step == SCAN_STEP_WHOLE) break;
		if (!(state.objects & 1)) continue;

		bool is_kept = seen && state.depth <= SCAN_LEVELS;
		struct scan_name *name = is_kept ? &names[state.depth - 1] : &lost;
		if (!scan_core_key(&state, name, trouble)) return false;
	}
	root->text.length = (size_t)(state.at - root->text.bytes);
	root->type = value.type;
	root->escaped = value.escaped;
	scan_core_blanks(&state);
	if (state.at == state.end) return true;
	return scan_core_fail(trouble, SCAN_SYNTAX, state.at, "text behind the value");
}

#endif
