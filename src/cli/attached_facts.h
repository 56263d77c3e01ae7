/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Attached facts: what a room gets to know of a server that was attached to it: which methods reach
 * it, and what callers hear at the handshake (MCPx v0 4.1). Pure; no state.
 *
 * A server's tools are shown, nothing else of it, unless that was wished for (MCPx v0 9: consent
 * before exposing).
 */
#ifndef HUSTINGS_CLI_ATTACHED_FACTS_H
#define HUSTINGS_CLI_ATTACHED_FACTS_H

#include "wire/scan.h"

enum attached_exposure {
	ATTACHED_RESOURCES = 1,
	ATTACHED_PROMPTS = 2
}; /* bits */

/* "resources,prompts" in any order. */
bool attached_exposure_read(struct slice list, unsigned *exposed, struct fault *why) MUST_USE;

enum attached_way {
	ATTACHED_UNKNOWN,   /* is answered with -32601 */
	ATTACHED_HANDSHAKE, /* is answered from the facts */
	ATTACHED_PING,
	ATTACHED_LIST, /* tools/list: remembered */
	ATTACHED_FORWARD,
};
enum attached_way attached_way_of(struct slice method, unsigned exposed);
/* Notifications of the server that the room hears of; *tools: its list of tools has changed. */
bool attached_is_told(struct slice method, unsigned exposed, bool *tools);

/* The answer to a caller's initialize, from the server's own: its version, name and instructions as
 * they came, of its capabilities what is exposed. FAULT_UNSUPPORTED: an unknown version. */
bool attached_facts_write(struct text *to, struct slice result, unsigned exposed,
	struct fault *why) MUST_USE;
/* "secure-filesystem-server 0.2.0", harmless to show. */
void attached_facts_name(struct text *to, struct slice result);

#endif
