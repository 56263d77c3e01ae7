/* SPDX-License-Identifier: Apache-2.0 */
/* Mcp_admitted: asked of the tokens' table, but not at every word. */
#include "gateway/mcp_admitted.h"

#include "base/clock.h"
#include "gateway/live.h"

bool mcp_is_admitted(const struct gateway *gateway, const struct principal *principal, uint64_t *at) {
	uint64_t now = loop_now(gateway->loop);
	if (*at && now - *at < MCP_ADMITTED_MS) return true;
	bool is_over = principal->expires_at && principal->expires_at <= clock_wall_ms();
	if (is_over || (gateway->live && live_was_revoked(gateway->live, principal))) return false;
	*at = now;
	return true;
}
