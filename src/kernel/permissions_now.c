/* SPDX-License-Identifier: Apache-2.0 */
/* Permissions now: one permission by its name, and what counts of it at the moment. */
#include "kernel/permissions_parts.h"

#include "base/clock.h"

#include <stdio.h>

struct permission *permissions_find(const struct permissions *permissions, struct slice name) {
	for (size_t i = 0; i < permissions->count; i++)
		if (slice_is(name, permissions->names[i].name)) return (struct permission *)&permissions->names[i];
	return NULL;
}

struct permission *permissions_find_or_add(struct permissions *permissions, struct slice name) {
	struct permission *one = permissions_find(permissions, name);
	if (one || permissions->count == PERMISSIONS_NAMES || name.length > PERMISSION_TYPE_NAME) return one;
	one = &permissions->names[permissions->count++];
	*one = (struct permission){.state = PERMISSION_DEFERRED};
	snprintf(one->name, sizeof one->name, "%.*s", SLICE_ARGS(name));
	return one;
}

bool permissions_are_listed(const char *const *words, const char *name) {
	struct permission_type_names names;
	for (; words && *words; words++) {
		if (!permission_type_read(slice_of(*words), &names, NULL)) continue;
		for (size_t i = 0; i < names.count; i++)
			if (slice_is(names.names[i], name)) return true;
	}
	return false;
}

enum permission_state permission_state_now(const struct permissions *permissions, const struct permission *one) {
	const struct policy *policy = &permissions->governed->policy;
	bool is_granted = permissions_are_listed(policy->permissions_granted, one->name);
	bool is_taken = one->is_decided && one->state == PERMISSION_REVOKED;
	if (is_taken || (one->is_decided && one->state == PERMISSION_DENIED && policy->permissions != PERMISSION_CONFIG_ONLY))
		return one->state;
	switch (policy->permissions) {
	case PERMISSION_AUTO_APPROVE: return PERMISSION_APPROVED;
	case PERMISSION_DENY_ALL:
	case PERMISSION_CONFIG_ONLY: return is_granted ? PERMISSION_APPROVED : PERMISSION_DENIED;
	default: break;
	}
	if (is_granted) return PERMISSION_APPROVED;
	if (one->was_refused) return PERMISSION_DENIED;
	if (!one->is_decided) return PERMISSION_DEFERRED;
	return one->expires_at && one->expires_at <= clock_wall_ms() ? PERMISSION_EXPIRED : PERMISSION_APPROVED;
}
