/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Permissions: what a hosted server needs and what of it was granted (MGP 3). Lies in struct governed.
 *
 * Needed is what the server says in its handshake and what its configuration says. The server's policy
 * decides; under `interactive` one decision lists all that is undecided, and the server stays
 * `connecting` meanwhile. What was decided stands in DATA/state.db (who, when, until), and is asked for
 * again only where something new is needed. Loop 0.
 */
#ifndef HUSTINGS_KERNEL_PERMISSIONS_H
#define HUSTINGS_KERNEL_PERMISSIONS_H

#include "hosted/hosted.h"
#include "kernel/permission_state.h"
#include "hosted/policy.h"

struct governed;
struct permissions; /* permissions.c */

struct permission_view { /* for lists; valid until the return to the loop */
	struct slice name;
	enum permission_state state;
	struct slice by;    /* length 0: nobody yet */
	int64_t at;         /* wall ms */
	int64_t expires_at; /* wall ms; 0: never */
};

struct permissions *permissions_open(struct governed *governed, struct fault *why) MUST_USE;
void permissions_close(struct permissions *permissions); /* NULL is fine */

/* The governor's (struct hosted_governor): what a conversation's server has said of MGP, before anything
 * else is said to it. True: it goes on; false: it waits for a decision (and is told of it, MGP 3.5), or was
 * failed: an unknown permission, all denied. */
bool permissions_introduced(struct permissions *permissions, struct hosted_child *child, enum hosted_era era,
	const struct mgp_said *said);
void permissions_gone(struct permissions *permissions, struct hosted_child *child);

/* Whether a tool that needs it may be called now. One look-up in memory. */
bool permissions_allow(const struct permissions *permissions, struct slice name);
/* The same, of a permission that the server has said it needs, or its configuration has. */
bool permissions_hold(const struct permissions *permissions, struct slice name);
/* What its sandbox lets through (MGP 15.4). */
bool permissions_allow_network(const struct permissions *permissions);
bool permissions_allow_writing(const struct permissions *permissions);
enum permission_state permissions_state(const struct permissions *permissions, struct slice name);
/* The decision that its server waits for; NULL: none. */
const char *permissions_decision(const struct permissions *permissions);

/* Somebody wants a tool that needs it, though its server has not said that it does: it is decided about as the
 * policy has it, and holds nothing up meanwhile but such tools. */
void permissions_want(struct permissions *permissions, struct slice name);

/* An administrator starts the server anew: what was denied or revoked may be asked about once more. */
void permissions_ask_again(struct permissions *permissions);
/* FAULT_NOT_FOUND: not granted. Tools that need it are disabled at once; audited. */
bool permissions_revoke(struct permissions *permissions, struct slice name, struct slice by,
	struct fault *why) MUST_USE;

bool permissions_each(const struct permissions *permissions, size_t *at, struct permission_view *view);
/* JSON array of the names that it needs. */
void permissions_write_needed(struct text *to, const struct permissions *permissions);

#endif
