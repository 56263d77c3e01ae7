/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Privilege: the two levels of MCPx v0.1 3.1, and where one came from.
 */
#ifndef HUSTINGS_AUTH_PRIVILEGE_H
#define HUSTINGS_AUTH_PRIVILEGE_H

#include "base/dialect.h"
#include "base/text.h"

enum privilege {
	PRIVILEGE_RESTRICTED,
	PRIVILEGE_FULL,
	PRIVILEGES,
	PRIVILEGE_UNSAID = PRIVILEGES
};

const char *privilege_text(enum privilege privilege); /* "restricted", "full", "" */
bool privilege_read(struct slice text, enum privilege *privilege) MUST_USE;

#endif
