/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Definition authorization: the member "authorization" of a server's definition (kernel/definition.h), with the names
 * of [servers.authorization] in a configuration:
 *
 *   {"mode":"selective","rules":[{"tool":"deploy*","caller":"bot","argument":"target","value":"production",
 *    "action":"ask"}],"delegate":"boss","deciders":["ann"],"timeout":300}
 *
 * `timeout` in seconds, as in a tool's own metadata. Any thread.
 */
#ifndef HUSTINGS_KERNEL_DEFINITION_AUTHORIZATION_H
#define HUSTINGS_KERNEL_DEFINITION_AUTHORIZATION_H

#include "hosted/hosted.h"
#include "hosted/policy.h"

#define DEFINITION_RULES 64

/* Into `policy`; what that points to lies in the arena. FAULT_BAD_INPUT names the member. */
bool definition_authorization_read(const struct scan_value *object, struct arena *arena, struct policy *policy,
	struct fault *why) MUST_USE;
/* ,"authorization":{...}, which reads as the same; nothing where nothing was said. */
void definition_authorization_write(struct text *to, const struct policy *policy);

#endif
