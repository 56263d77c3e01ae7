/* SPDX-License-Identifier: Apache-2.0 */
/* Permissions parts: what permissions*.c share. */
#ifndef HUSTINGS_KERNEL_PERMISSIONS_PARTS_H
#define HUSTINGS_KERNEL_PERMISSIONS_PARTS_H

#include "base/ident.h"
#include "kernel/governed.h"
#include "validate/permission_type.h"
#include "kernel/permission_state.h"

#define PERMISSIONS_NAMES (2 * MGP_PERMISSIONS)

/* One name, needed or decided about before. */
struct permission {
	char name[PERMISSION_TYPE_NAME + 1];
	bool is_needed;  /* by the server as it introduced itself last, or by its configuration */
	bool is_wanted;  /* by a tool of its alone */
	bool is_decided; /* by a person, and kept; the next four are about that */
	enum permission_state state;
	int64_t at, expires_at;
	char by[129];
	bool was_refused; /* nobody answered: a no until the server is started anew */
};

/* A conversation that waits for the decision. */
struct waiting {
	struct link link;
	struct hosted_child *child;
};

struct permissions {
	struct governed *governed;
	struct permission names[PERMISSIONS_NAMES];
	size_t count;
	struct decision_asker asker;
	char request_id[IDENT_UUID_SIZE + 8];
	struct link waiting;
	struct deadline expiry;                                                       /* the next approval that ends */
	int64_t looked_at;                                                            /* wall ms, for such */
	void (*ended)(struct permissions *permissions, const struct permission *one); /* one of them has */
};

/* permissions_now.c. NULL: not known; no room for another. */
struct permission *permissions_find(const struct permissions *permissions, struct slice name);
struct permission *permissions_find_or_add(struct permissions *permissions, struct slice name);
/* Whether that name is among these words, as they are read (validate/permission_type.h); NULL: no words. */
bool permissions_are_listed(const char *const *words, const char *name);
/* What counts now: the policy, or what a person has said. */
enum permission_state permission_state_now(const struct permissions *permissions,
	const struct permission *one);

/* permissions_expiry.c: after whatever may have changed an end. */
void permissions_wait_for_end(struct permissions *permissions);

/* permissions_told.c: requests to a server that speaks `security` (MGP 3.5, 3.6); its answers change nothing. */
void permissions_tell_request(struct permissions *permissions, struct hosted_child *child);
void permissions_tell_response(struct permissions *permissions, struct hosted_child *child);

#endif
