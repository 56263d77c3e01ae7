/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Definition: a hosted server as JSON, the members of [[servers]] in a configuration:
 *
 *   {"id":"files","command":"npx","args":["-y","..."],"env":{"NAME":"value"},"cwd":"/srv",
 *    "url":"https://...","headers":{"Name":"value"},"transport":"stdio|http|sse",
 *    "share":"principal|call|all","rooms":["demo"],
 *    "authorization":{...},"mgp":{...}}
 *
 * Any thread.
 */
#ifndef HUSTINGS_KERNEL_DEFINITION_H
#define HUSTINGS_KERNEL_DEFINITION_H

#include "hosted/hosted.h"

#define DEFINITION_OCTETS (64 * 1024)
#define DEFINITION_STRINGS 64 /* entries of a list, of an object of strings */

/* What the settings point to lies in the arena. FAULT_BAD_INPUT names the member: unknown, twice, of
 * another type, beyond a limit. */
bool definition_read(struct slice json, struct arena *arena, struct hosted_settings *settings,
	struct fault *why) MUST_USE;
/* The members that anybody who may see servers may see: of environment, headers and a url's query the
 * names alone. The object's braces are the caller's. */
void definition_write(struct text *to, const struct hosted_settings *settings);

#endif
