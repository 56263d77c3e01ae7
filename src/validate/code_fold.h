/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Code fold: letters that a language takes for ASCII ones. Python reads identifiers in the form NFKC, so
 * that the mathematical, the full-width and the raised letters of Unicode all spell `eval`. Any thread.
 */
#ifndef HUSTINGS_VALIDATE_CODE_FOLD_H
#define HUSTINGS_VALIDATE_CODE_FOLD_H

#include "base/slice.h"

#define CODE_FOLD_OCTETS 4 /* that one character becomes, the NUL not counted */

/* The ASCII letters, digits and underscores that the character stands for, NUL ended; their number, 0: it
 * stands for itself. */
size_t code_fold_character(uint32_t character, char to[CODE_FOLD_OCTETS + 1]);

#endif
