/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Authorization rules: what an author's settings say of one call (MCPx ADR-001). A tool that asks is judged before
 * its first question by what is known then, and again each time before its function is called: what that does, it
 * does with what is known by then. Keeps nothing. `wishes` NULL: the author has said nothing. One thread.
 */
#ifndef HUSTINGS_CLIENT_AUTHORIZATION_RULES_H
#define HUSTINGS_CLIENT_AUTHORIZATION_RULES_H

#include "client/authorization_wishes.h"
#include "client/library_request.h"

/* Whether there are rules on arguments. */
bool authorization_rules_look(const struct authorization_wishes *wishes);
/* Something stands twice, which could be one thing to a rule and another to the tool; or there is no memory. */
bool authorization_rules_twins(const struct scan_value *arguments);
/* Before the call runs, or its tool asks. False: no memory. */
bool authorization_rules_judge(const struct authorization_wishes *wishes, const struct hustings_request *request,
	const char *requester, const struct scan_value *arguments, struct arena *arena,
	struct authorization_verdict *verdict) MUST_USE;
/* Of a tool that asks, which was let begin: no rule denies it with what is known (an object). Out of memory one does. */
bool authorization_rules_still_let(const struct authorization_wishes *wishes, const struct hustings *hustings,
	struct slice tool, const char *requester, const struct scan_value *known) MUST_USE;

#endif
