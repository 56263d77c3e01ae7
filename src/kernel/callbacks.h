/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Callbacks: the questions of MGP 13.4 that are open toward clients of ours, by the id that they were given
 * (mgp/callback/respond). Nobody can guess one, and one that somebody else was asked is unknown.
 *
 * A struct callback lies in its asker's, who ends it before that is gone. Of those that are over the last
 * CALLBACKS_OVER are remembered, so that a late answer hears that it is late. Loop 0. Owned: callbacks_open(),
 * callbacks_close() when none is open.
 */
#ifndef HUSTINGS_KERNEL_CALLBACKS_H
#define HUSTINGS_KERNEL_CALLBACKS_H

#include "base/fault.h"
#include "base/ident.h"
#include "wire/scan.h"

#define CALLBACKS_OVER 512

struct callbacks; /* the kernel's: kernel_means->callbacks */

enum callback_state {
	CALLBACK_UNKNOWN,
	CALLBACK_OPEN,
	CALLBACK_ANSWERED,
	CALLBACK_EXPIRED, /* its time is over, or what it was about has ended */
};

struct callback {
	char id[3 + IDENT_UUID_SIZE]; /* "cb-UUID" */
	struct slice principal;       /* who is asked; the asker's, while it is open */
	/* Whether that would be an answer; null is none, where one may say so. */
	bool (*accepts)(const struct callback *callback, const struct scan_value *response, struct fault *why);
	/* It is the answer: accepts() has said so. The callback is over, and may be freed. */
	void (*responded)(struct callback *callback, const struct scan_value *response);
};

struct callbacks *callbacks_open(struct fault *why) MUST_USE;
void callbacks_close(struct callbacks *callbacks); /* NULL is fine */
/* Gives it an id; what else it has was filled in before. */
bool callbacks_add(struct callbacks *callbacks, struct callback *callback, struct fault *why) MUST_USE;
/* Harmless when it is not open. */
void callbacks_end(struct callbacks *callbacks, struct callback *callback, enum callback_state how);
/* CALLBACK_OPEN: *callback is it. */
enum callback_state callbacks_find(const struct callbacks *callbacks, struct slice id, struct slice principal,
	struct callback **callback);

#endif
