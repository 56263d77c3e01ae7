/* SPDX-License-Identifier: Apache-2.0 */
/* Privilege: the two words of MCPx v0.1 3.1. */
#include "auth/privilege.h"

static const char *const texts[] = {
	[PRIVILEGE_RESTRICTED] = "restricted",
	[PRIVILEGE_FULL] = "full",
	[PRIVILEGE_UNSAID] = "",
};

const char *privilege_text(enum privilege privilege) { return texts[privilege]; }

bool privilege_read(struct slice text, enum privilege *privilege) {
	for (int which = 0; which < PRIVILEGES; which++) {
		if (!slice_is(text, texts[which])) continue;
		*privilege = (enum privilege)which;
		return true;
	}
	return false;
}
