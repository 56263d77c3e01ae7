/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Serve trust: a ./mgp.toml that nobody named is named before anything starts; on a terminal its
 * owner is asked about it once, and its hash is remembered in DATA/trusted.
 */
#ifndef HUSTINGS_CLI_SERVE_TRUST_H
#define HUSTINGS_CLI_SERVE_TRUST_H

#include "base/fault.h"

#include <stdio.h>

/* False: it was not trusted. `answers` and `asks` are a terminal's two ends, or NULL: nobody can be
 * asked, and the file is only named. */
bool serve_trust(const char *file, const char *data, FILE *answers, FILE *asks,
	struct fault *why) MUST_USE;

#endif
