/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Code token JavaScript: reads scripts and modules, and of TypeScript what the two share. Where a slash may
 * divide or begin a regular expression and only a whole parser could tell, and where "<!--" is a comment in
 * one kind of source and an operator in the other, that is noted as trouble: code could hide there. Linear;
 * any thread.
 */
#ifndef HUSTINGS_VALIDATE_CODE_TOKEN_JAVASCRIPT_H
#define HUSTINGS_VALIDATE_CODE_TOKEN_JAVASCRIPT_H

#include "validate/code_token.h"

void code_token_javascript(struct code_tokens *tokens);

#endif
