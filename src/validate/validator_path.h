/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Validator path: places in a text that a sandboxed tool is not given: paths that climb, and files that hold
 * secrets, devices or the kernel's switches. Quotes, percent signs, backslashes and doubled slashes do not
 * hide them, nor do * and ? in an absolute path. Pure.
 */
#ifndef HUSTINGS_VALIDATE_VALIDATOR_PATH_H
#define HUSTINGS_VALIDATE_VALIDATOR_PATH_H

#include "base/arena.h"
#include "base/slice.h"

/* NULL: none; else what is wrong, static: "climbs out of its folder". `is_command`: the text is one, so that
 * names count which in prose are only words. The arena is used only where something has to be undone. */
const char *validator_path_judge(struct slice text, bool is_command, struct arena *arena) MUST_USE;

#endif
