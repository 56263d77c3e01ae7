/* SPDX-License-Identifier: Apache-2.0 */
/* Mgp_access: the methods of MGP 5.4. Loop 0. */
#ifndef HUSTINGS_KERNEL_MGP_ACCESS_H
#define HUSTINGS_KERNEL_MGP_ACCESS_H

#include "kernel/mgp_ask.h"

/* Of oneself, or for an administrator of anybody. */
void mgp_access_query(struct mgp_ask *ask);
void mgp_access_grant(struct mgp_ask *ask);  /* administrators; granted_by is who asks */
void mgp_access_revoke(struct mgp_ask *ask); /* administrators */

/* The same for REST (gateway/admin_grants.h): a grant as a JSON object; audited. `by`: a principal's id;
 * `trace` length 0: it belongs to no trace. */
bool mgp_access_add(const struct kernel_means *means, const struct scan_value *object, struct slice by,
	struct slice trace, struct arena *arena, struct access_grant *grant, struct fault *why) MUST_USE;
/* {"permission":"allow","source":"server_grant","granted_by":...,"granted_at":...,"expires_at":null} */
void mgp_access_write_answer(struct text *to, const struct kernel_means *means, struct slice agent,
	struct slice server, struct slice tool, bool is_admin);
bool mgp_access_remove(const struct kernel_means *means, enum access_entry entry, struct slice agent,
	struct slice server, struct slice tool, struct slice by, struct slice trace, struct fault *why) MUST_USE;

#endif
