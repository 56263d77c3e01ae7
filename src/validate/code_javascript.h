/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Code JavaScript: judges JavaScript and what TypeScript shares with it. Strings made by the check lie in
 * the arena. False: no memory.
 */
#ifndef HUSTINGS_VALIDATE_CODE_JAVASCRIPT_H
#define HUSTINGS_VALIDATE_CODE_JAVASCRIPT_H

#include "validate/code_judge.h"

bool code_javascript_check(struct code_judge *judge, struct slice code, struct arena *arena) MUST_USE;

#endif
