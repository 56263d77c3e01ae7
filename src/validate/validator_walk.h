/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Validator walk: every value of a call's arguments in order, with the key that it stands under, without
 * recursion and without memory of its own.
 *
 *   validator_walk_open(&walk, arguments);
 *   while (validator_walk_next(&walk, &item)) ...
 *   if (walk.is_deep) refuse
 *
 * Borrows the text until it is done. What is asked of an item must be asked before the next one.
 */
#ifndef HUSTINGS_VALIDATE_VALIDATOR_WALK_H
#define HUSTINGS_VALIDATE_VALIDATOR_WALK_H

#include "wire/scan.h"

#define VALIDATOR_WALK_NAME 40  /* octets of a key as a word; longer ones are cut */
#define VALIDATOR_WALK_PATH 160 /* octets of a path for people */

struct validator_walk {
	struct scan_walk open[SCAN_DEPTH];
	struct slice keys[SCAN_DEPTH];                   /* of the container, as it stands; NULL: it has none */
	char names[SCAN_DEPTH + 1][VALIDATOR_WALK_NAME]; /* of the container; the last: of the item */
	unsigned depth;
	struct slice key; /* of the item; an element of an array has none */
	bool is_deep;     /* deeper than SCAN_DEPTH: not all was seen */
};

struct validator_item {
	struct scan_value value;
	struct slice key; /* as it stands; SLICE_NONE in an array */
	bool key_escaped;
	/* The key as a word: ASCII letters and digits in lower case, "X-Forwarded_For" is "xforwardedfor"; in
	 * an array that of the array. "" where there is none. */
	const char *name;
	const char *outer; /* the same of the container around */
	bool is_in_array;
};

/* `arguments`: a checked object's text; length 0 has no values. */
void validator_walk_open(struct validator_walk *walk, struct slice arguments);
bool validator_walk_next(struct validator_walk *walk, struct validator_item *item);
/* "arguments.options.command" of the item last handed out, cut, fit for people. */
void validator_walk_path(const struct validator_walk *walk, char path[VALIDATOR_WALK_PATH]);
/* A key as a word. */
void validator_walk_name(const struct scan_member *member, char name[VALIDATOR_WALK_NAME]);
/* Whether `name` is one of `words`, which ends with NULL. */
bool validator_walk_is(const char *name, const char *const *words);

#endif
