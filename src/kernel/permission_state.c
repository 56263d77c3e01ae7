/* SPDX-License-Identifier: Apache-2.0 */
/* Permission state: the words. */
#include "kernel/permission_state.h"

const char *permission_state_word(enum permission_state state) {
	static const char *const words[] = {"deferred", "approved", "denied", "expired", "revoked"};
	return words[state];
}
