/* SPDX-License-Identifier: Apache-2.0 */
/* Permissions expiry: an approval with an end takes effect at its end, and not only when somebody asks next. */
#include "kernel/permissions_parts.h"

#include "base/clock.h"

#define LOOK_MS ((int64_t)3600 * 1000) /* at least: wall time may be set */

static int64_t next_end(const struct permissions *permissions, int64_t now) {
	int64_t next = INT64_MAX;
	for (size_t i = 0; i < permissions->count; i++) {
		const struct permission *one = &permissions->names[i];
		bool may_end = one->is_decided && one->state == PERMISSION_APPROVED && one->expires_at > now;
		if (may_end && one->expires_at < next) next = one->expires_at;
	}
	return next;
}

static void look(struct deadline *deadline) {
	struct permissions *permissions = CONTAINER_OF(deadline, struct permissions, expiry);
	int64_t since = permissions->looked_at, now = clock_wall_ms();
	deadline_clear(deadline);
	for (size_t i = 0; i < permissions->count; i++) {
		struct permission *one = &permissions->names[i];
		bool has_ended = one->is_decided && one->state == PERMISSION_APPROVED && one->expires_at > since && one->expires_at <= now;
		if (has_ended && permission_state_now(permissions, one) == PERMISSION_EXPIRED) permissions->ended(permissions, one);
	}
	permissions_wait_for_end(permissions);
}

void permissions_wait_for_end(struct permissions *permissions) {
	int64_t now = clock_wall_ms(), next = next_end(permissions, now);
	permissions->looked_at = now;
	deadline_clear(&permissions->expiry);
	if (next == INT64_MAX) return;
	int64_t wait_ms = next - now < LOOK_MS ? next - now : LOOK_MS;
	deadline_set(permissions->governed->means->loop, &permissions->expiry, (uint64_t)wait_ms, look);
}
