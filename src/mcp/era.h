/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Era: the released versions of MCP that begin with `initialize`, oldest first, and how two sides
 * settle on one of them. Plain values, any thread.
 */
#ifndef HUSTINGS_MCP_ERA_H
#define HUSTINGS_MCP_ERA_H

#include "base/text.h"

enum era_version {
	ERA_2024_11_05,
	ERA_2025_03_26,
	ERA_2025_06_18,
	ERA_2025_11_25,
	ERA_VERSIONS
};

#define ERA_NEWEST ERA_2025_11_25
#define ERA_ROOMS ERA_2025_06_18 /* what participants of a room offer one another (MCPx v0 4.1) */

const char *era_version_text(enum era_version version); /* "2025-06-18" */
bool era_version_read(struct slice text, enum era_version *version) MUST_USE;
/* What a server answers to a client that asked for that version: the same where it is known, else
 * the newest it is willing to speak. */
enum era_version era_settle(struct slice asked, enum era_version newest);

#endif
