/* SPDX-License-Identifier: Apache-2.0 */
/* Permission state: what may be said of one permission of a server (MGP 3.6). Constant data; any thread. */
#ifndef HUSTINGS_KERNEL_PERMISSION_STATE_H
#define HUSTINGS_KERNEL_PERMISSION_STATE_H

enum permission_state {      /* MGP 3.6 */
	PERMISSION_DEFERRED, /* undecided */
	PERMISSION_APPROVED,
	PERMISSION_DENIED,
	PERMISSION_EXPIRED,
	PERMISSION_REVOKED,
};

const char *permission_state_word(enum permission_state state); /* "approved" */

#endif
