/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Code walk: goes over the tokens of Python or JavaScript from left to right, once to learn which names
 * stand for what, and once more to judge; a stack of open brackets takes the place of a parser. Each path
 * of names it puts together, through aliases, subscripts and calls whose outcome is known, goes to the
 * judge. What differs between the languages stands in a grammar.
 *
 * A value of one check, too large for the stack: code_walk_open() takes it from the arena. It borrows
 * tokens and judge. Linear in the tokens.
 */
#ifndef HUSTINGS_VALIDATE_CODE_WALK_H
#define HUSTINGS_VALIDATE_CODE_WALK_H

#include "validate/code_state.h"

struct code_walk *code_walk_open(const struct code_grammar *grammar, const struct code_tokens *tokens,
	struct code_judge *judge, struct arena *arena) MUST_USE; /* NULL: no memory */
void code_walk_close(struct code_walk *walk);                    /* what it took beside the arena */
void code_walk_run(struct code_walk *walk);

/* For the grammars. */
void code_walk_end_operand(struct code_walk *walk);
void code_walk_end_statement(struct code_walk *walk);

#endif
