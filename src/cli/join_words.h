/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Join words: what somebody typed into a room: words for everybody, or a command that begins with a
 * slash (two slashes: words that begin with one). Pure; the words borrow from the line.
 */
#ifndef HUSTINGS_CLI_JOIN_WORDS_H
#define HUSTINGS_CLI_JOIN_WORDS_H

#include "base/fault.h"
#include "base/text.h"

enum join_verb {
	JOIN_NOTHING,
	JOIN_SAY,
	JOIN_HELP,
	JOIN_WHO,
	JOIN_TOOLS,
	JOIN_CALL,
	JOIN_PROPOSE,
	JOIN_PROPOSALS,
	JOIN_APPROVE,
	JOIN_REJECT,
	JOIN_WITHDRAW,
	JOIN_RAW,
	JOIN_QUIT,
};

struct join_words {
	enum join_verb verb;
	struct slice words[2]; /* as many as the command has; length 0: left out */
	struct slice rest;     /* behind them, trimmed */
};

/* FAULT_BAD_INPUT: an unknown command, or something is missing; the text says what is right. */
bool join_words_read(struct slice line, struct join_words *words, struct fault *why) MUST_USE;
void join_words_help(struct text *to);

#endif
