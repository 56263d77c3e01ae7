/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Definition diff: what has changed between two JSON texts, line by line, for people: both are laid out
 * with a member a line, and what is not in both is marked. Pure; any thread.
 */
#ifndef HUSTINGS_KERNEL_DEFINITION_DIFF_H
#define HUSTINGS_KERNEL_DEFINITION_DIFF_H

#include "base/text.h"

#define DEFINITION_DIFF_LINES 400          /* of each text that are compared one by one; of longer ones less is told apart */
#define DEFINITION_DIFF_OCTETS (48 * 1024) /* of what is written, about */

/* A JSON array of strings: "- gone", "+ new", "  kept" (of these two around each change). Both texts were
 * checked. Control characters and hidden ones are shown by their numbers;
 * a long text takes several lines, and all of it is there. */
void definition_diff_write(struct text *to, struct slice before, struct slice after);

#endif
