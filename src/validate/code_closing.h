/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Code closing: where a bracket of a shell's word ends, quotation marks, comments, substitutions and the
 * patterns of a case in between taken into account. A substitution without an end is noted as trouble.
 */
#ifndef HUSTINGS_VALIDATE_CODE_CLOSING_H
#define HUSTINGS_VALIDATE_CODE_CLOSING_H

#include "validate/code_token.h"

/* `at` stands behind the bracket `open` ('(' or '{'), `length` is how much of the code is looked at; the
 * octet of the bracket that closes it, `length`: there is none. */
size_t code_closing_find(struct code_tokens *tokens, size_t length, size_t at, char open);

#endif
