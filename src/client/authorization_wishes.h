/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Authorization wishes: what an author has settled about calls of its tools (hustings_authorize()), as copies.
 * A plain struct in its owner's; zeroed is that nothing was settled.
 */
#ifndef HUSTINGS_CLIENT_AUTHORIZATION_WISHES_H
#define HUSTINGS_CLIENT_AUTHORIZATION_WISHES_H

#include "flow/authorization.h"
#include "hustings.h"

struct authorization_wishes {
	bool is_settled;
	struct authorization_settings settings;
	char **deciders; /* NULL ended; NULL: every one with full privilege */
	void (*authorize)(void *context, const struct hustings_asked *asked);
	void *context;
};

/* FAULT_BAD_INPUT names the member; *wishes is untouched then. */
bool authorization_wishes_copy(struct authorization_wishes *wishes, const struct hustings_authorization *wished,
	struct fault *why) MUST_USE;
void authorization_wishes_finish(struct authorization_wishes *wishes);
/* Whether that participant may decide, as far as they are listed. */
bool authorization_wishes_list(const struct authorization_wishes *wishes, struct slice participant);

#endif
