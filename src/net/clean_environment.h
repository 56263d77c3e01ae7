/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Clean environment: what a child gets to see: a short list of our own variables, and what its
 * configuration adds or replaces. Nothing else of ours (no tokens, no LD_PRELOAD).
 */
#ifndef HUSTINGS_NET_CLEAN_ENVIRONMENT_H
#define HUSTINGS_NET_CLEAN_ENVIRONMENT_H

#include "base/dialect.h"

/* NULL ended, one block from malloc (free() it); borrows the strings of `additions` ("NAME=value",
 * NULL ended; may be NULL) and of our environment. NULL: no memory. */
const char **clean_environment_make(const char *const *additions) MUST_USE;

#endif
