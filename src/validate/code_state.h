/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Code state: where a walk over code stands (code_walk.h), and the names it has learned: what each stands for,
 * and the judgement of a path of names as it stands there. Borrowed by the walk and its grammar.
 */
#ifndef HUSTINGS_VALIDATE_CODE_STATE_H
#define HUSTINGS_VALIDATE_CODE_STATE_H

#include "base/map.h"
#include "validate/code_judge.h"
#include "validate/code_token.h"
#include "validate/code_value.h"

#define CODE_WALK_TARGETS 8 /* names left of one equals sign */
#define CODE_WALK_LOOSE 8   /* modules handed on as values */

struct code_frame {
	uint8_t open;    /* the bracket's mark; '\0': the outermost */
	bool is_behind;  /* a call or a subscript: it stands behind a value */
	bool has_left;   /* of a plus */
	bool is_tuple;   /* the targets take one value each */
	uint32_t opened; /* token */
	uint32_t count;  /* values that are finished */
	struct code_value callee, left, first, second, last, mode;
	struct slice keyword; /* of the argument at hand */
	struct slice annotated;
	struct slice pending[CODE_WALK_TARGETS], targets[CODE_WALK_TARGETS];
	uint8_t pending_count, target_count;
	uint32_t pattern; /* token of the brace that opens { a, b } = ; 0: none */
};

struct code_walk;

struct code_grammar {
	enum code_language language;
	const char *const *keywords; /* ended by NULL: what is an operand is none of them */
	/* The token at hand is a keyword; it may move on to the last token it has read. */
	void (*keyword)(struct code_walk *walk);
	/* A call is closed: true when walk->current was set to its outcome. */
	bool (*called)(struct code_walk *walk, const struct code_frame *call);
	/* A name that nothing is known of. */
	void (*named)(struct code_walk *walk, struct slice name);
	/* `name` behind the path walk->current: true when it was dealt with. */
	bool (*extended)(struct code_walk *walk, struct slice name);
	/* walk->current is handed on as a value; may be NULL. */
	void (*loosened)(struct code_walk *walk);
};

struct code_walk {
	const struct code_grammar *grammar;
	const struct code_tokens *tokens;
	struct code_judge *judge;
	struct arena *arena;
	size_t at;
	struct code_value current;
	struct slice bare; /* the name that is all of the operand */
	bool is_dotted;
	bool is_exempt; /* the next name is only looked at: typeof */
	size_t depth;
	struct code_frame frames[CODE_NESTING + 1];
	struct map names; /* to struct code_value, in the arena */
	struct code_value loose[CODE_WALK_LOOSE];
	size_t loose_count;
	void (*nested)(void *context, struct slice code); /* a string that is run as code */
	void *context;
	bool is_out_of_memory;
};

/* The token so far from the one at hand; CODE_END beyond. */
const struct code_token *code_state_token(const struct code_walk *walk, ptrdiff_t from_here);
void code_state_bind(struct code_walk *walk, struct slice name, const struct code_value *value);
/* walk->current gets a further name, and is judged as it stands there. */
void code_state_extend(struct code_walk *walk, struct slice name);
/* Judges walk->current by the token that follows. */
void code_state_use(struct code_walk *walk);
/* The rules know something of that. */
bool code_state_knows(const struct code_walk *walk, const struct code_value *value);
/* It is handed on as a value: what is then reached through another name may be its. */
void code_state_loosen_value(struct code_walk *walk, const struct code_value *value);
/* walk->current is. */
void code_state_loosen(struct code_walk *walk);

#endif
