/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Validator host fold: a host as a resolver would take it: percent signs undone, lower case, and letters,
 * digits and dots beyond ASCII that IDNA maps to ASCII ones (fullwidth, circled, mathematical) written as those.
 * Pure.
 */
#ifndef HUSTINGS_VALIDATE_VALIDATOR_HOST_FOLD_H
#define HUSTINGS_VALIDATE_VALIDATOR_HOST_FOLD_H

#include "base/dialect.h"
#include "base/slice.h"

/* NUL ended; what has no counterpart stays as it is. False: longer than the room, or no UTF-8. */
bool validator_host_fold(struct slice host, char *folded, size_t size) MUST_USE;

#endif
