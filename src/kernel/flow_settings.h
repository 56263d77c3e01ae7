/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Flow settings: what is configured of guided sessions, [flow]. Plain data; zeroed: there are none.
 */
#ifndef HUSTINGS_KERNEL_FLOW_SETTINGS_H
#define HUSTINGS_KERNEL_FLOW_SETTINGS_H

#include "room/rooms_settings.h"

struct flow_settings {
	bool is_enabled;
	bool is_stateless;     /* sessions that begin live in their tokens (flow/flow_token.h) */
	uint64_t timeout_ms;   /* of inactivity */
	uint64_t duration_ms;  /* of a session in all */
	uint64_t prompts;      /* of one session */
	uint64_t most_of_one;  /* open sessions of a principal */
	struct pace_rate pace; /* of what is asked of one session; count 0: any */
};

#endif
