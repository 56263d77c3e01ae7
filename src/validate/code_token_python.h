/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Code token Python: reads Python 2.7 and 3 up to 3.14 (f-strings and t-strings within one another, all
 * prefixes, lines joined by brackets and backslashes). What it cannot read is noted as trouble, and a
 * source encoding that is no UTF-8 as deceit. Linear; any thread.
 */
#ifndef HUSTINGS_VALIDATE_CODE_TOKEN_PYTHON_H
#define HUSTINGS_VALIDATE_CODE_TOKEN_PYTHON_H

#include "validate/code_token.h"

void code_token_python(struct code_tokens *tokens);

#endif
