/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Code token shell: reads POSIX shell and what bash adds. A word is what is left when quotes are gone, with
 * each expansion as CODE_SHELL_FROM name CODE_SHELL_TO ("\1x\2" for $x; no name for what cannot be known);
 * the code of substitutions and of arithmetic that may be commands is handed to `nested`. The body of a
 * here-document stands in the token of its delimiter, which becomes a CODE_STRING. Linear; any thread.
 */
#ifndef HUSTINGS_VALIDATE_CODE_TOKEN_SHELL_H
#define HUSTINGS_VALIDATE_CODE_TOKEN_SHELL_H

#include "validate/code_token.h"

#define CODE_SHELL_FROM '\1'
#define CODE_SHELL_TO '\2'

/* Bits of a word's `mark`. */
enum code_word {
	CODE_WORD_QUOTED = 1,
	CODE_WORD_GLOB = 2,
	CODE_WORD_BRACE = 4,
	CODE_WORD_PROCESS = 8, /* <(...) */
	CODE_WORD_OPENED = 16, /* a brace that is not quoted */
};

/* `mark` of an operator. */
enum code_shell_mark {
	CODE_SHELL_END = ';',    /* ; & */
	CODE_SHELL_CASE = 'C',   /* ;; ;& ;;& */
	CODE_SHELL_PIPE = '|',   /* | |& */
	CODE_SHELL_AND = 'A',    /* && || */
	CODE_SHELL_OPEN = '(',   /* ( */
	CODE_SHELL_CLOSE = ')',  /* ) */
	CODE_SHELL_IN = '<',     /* < */
	CODE_SHELL_OUT = '>',    /* > >> >| &> &>> <> */
	CODE_SHELL_COPY = 'D',   /* >& <& */
	CODE_SHELL_HERE = 'H',   /* << <<- */
	CODE_SHELL_STRING = 'S', /* <<< */
};

/* `code` lies in the code or in the arena. */
typedef void code_shell_nested(void *context, struct slice code);

void code_token_shell(struct code_tokens *tokens, code_shell_nested *nested, void *context);

#endif
