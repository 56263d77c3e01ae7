/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Built: the path of a program that a test starts, `tests/mcp_server` in the build folder. Where it is
 * missing the whole test program ends at once and says what builds it: each test would wait for its server.
 */
#ifndef HUSTINGS_TESTS_BUILT_H
#define HUSTINGS_TESTS_BUILT_H

#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static inline void built_program(const char *name, char *path, size_t room) {
	const char *build = getenv("HUSTINGS_BUILD");
	int length = build ? snprintf(path, room, "%s/%s", build, name) : -1;
	if (length > 0 && (size_t)length < room && access(path, X_OK) == 0) return;
	fflush(NULL);
	if (build)
		fprintf(stderr, "%s/%s is not there, which these tests start: ninja -C %s %s\n", build, name, build, name);
	else
		fprintf(stderr, "these tests start %s: HUSTINGS_BUILD has to name the build folder\n", name);
	_exit(1);
}

#endif
