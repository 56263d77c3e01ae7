/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Definition mgp: the member "mgp" of a server's definition (kernel/definition.h), with the names of
 * [servers.mgp] in a configuration:
 *
 *   {"extensions":[...],"permissions_required":[...],"permissions_granted":[...],"trust_level":"sandboxed",
 *    "policy":"interactive","approval":"interactive","default_policy":"opt-in","restart_policy":"on_failure",
 *    "max_restarts":5,"restart_window_secs":300,"backoff_base_ms":1000,"backoff_max_ms":30000,
 *    "call_rate":"10/s","quota":"1000/day","max_in_flight":10,"validators":{"TOOL":"sandbox"}}
 *
 * Any thread.
 */
#ifndef HUSTINGS_KERNEL_DEFINITION_MGP_H
#define HUSTINGS_KERNEL_DEFINITION_MGP_H

#include "hosted/hosted.h"
#include "hosted/policy.h"

/* Into settings->policy, which lies in the arena, and the members about restarts. FAULT_BAD_INPUT names the
 * member. */
bool definition_mgp_read(const struct scan_value *object, struct arena *arena,
	struct hosted_settings *settings, struct fault *why) MUST_USE;
/* ,"mgp":{...}, which reads as the same; nothing where nothing was said. */
void definition_mgp_write(struct text *to, const struct hosted_settings *settings);

#endif
