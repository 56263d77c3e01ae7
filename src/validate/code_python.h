/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Code Python: judges Python source. Strings that are run as code (`timeit.timeit("...")`) are handed to
 * `nested`. Strings made by the check lie in the arena. False: no memory.
 */
#ifndef HUSTINGS_VALIDATE_CODE_PYTHON_H
#define HUSTINGS_VALIDATE_CODE_PYTHON_H

#include "validate/code_judge.h"

typedef void code_nested(void *context, struct slice code);

bool code_python_check(struct code_judge *judge, struct slice code, struct arena *arena, code_nested *nested,
	void *context) MUST_USE;

#endif
