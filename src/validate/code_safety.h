/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Code safety: whether the code in a call's arguments may run (MGP 7).
 *
 * The code is the argument that the rules name, else all of `code`, `source` and `script` that are there,
 * else every string (nested ones and keys too). Its language is the rules', else what the argument
 * `language` (or `lang`) says, else guessed; where the guess finds no clear sign, it is read as each
 * language that we know, and from strict on refused. Each language has its tokenizer; imports and calls are
 * found by its own forms, through aliases, so that comments and strings neither hide nor accuse.
 *
 * Time and memory are linear in the code's octets, of which there may be CODE_OCTETS. This reads code, it
 * does not run it: what a program computes only while it runs is refused where it is used to reach
 * something by name, and a sandbox is still what holds it. Pure; any thread.
 */
#ifndef HUSTINGS_VALIDATE_CODE_SAFETY_H
#define HUSTINGS_VALIDATE_CODE_SAFETY_H

#include "base/arena.h"
#include "validate/code_rules.h"

struct code_verdict {
	bool is_rejected;
	struct code_list violations; /* "Blocked import: 'subprocess'" */
	size_t violations_found;
	/* For the next try, in the arena or the house's own. */
	struct code_list hint_blocked;
	struct code_list hint_allowed;
	size_t max_size;
};

/* `arguments`: the text of a call's arguments object, checked before (empty: no arguments). What the
 * verdict shows lies in the arena and in what the rules point to; nothing is taken from the arena where
 * nothing is found. False, the verdict untouched: no memory (FAULT_NO_MEMORY); the caller then refuses. */
bool code_safety_check(const struct code_rules *rules, struct slice arguments, struct arena *arena,
	struct code_verdict *verdict, struct fault *why) MUST_USE;
/* The same of one piece of code; CODE_UNSAID: guessed. */
bool code_safety_check_code(const struct code_rules *rules, struct slice code, enum code_language language,
	struct arena *arena, struct code_verdict *verdict, struct fault *why) MUST_USE;
/* The whole object of MGP 7.4. */
void code_safety_write_rejection(struct text *to, const struct code_verdict *verdict);

#endif
